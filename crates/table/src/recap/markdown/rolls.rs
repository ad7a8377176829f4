//! Writes notable rolls as Markdown.

use super::moments::one_line;
use super::{bold, in_sentence};
use crate::log_export::escape_markdown;
use crate::recap::{ClockMove, NotableRoll};
use tableside_text::{capitalise, join_with_and};

/// The rolls of a scene. Rolls that are notable only for their outcome share a line.
#[derive(Debug)]
pub(super) struct RollLines<'a> {
    /// The word of the system for the GM.
    gm_title: &'a str,
    lines: Vec<String>,
    extremes: Vec<ExtremeRolls>,
}

/// Rolls with the same outcome.
#[derive(Debug)]
struct ExtremeRolls {
    outcome: String,
    count: usize,
    rollers: Vec<ExtremeRoller>,
}

/// A roller with the abilities that were tested.
#[derive(Debug)]
struct ExtremeRoller {
    who: String,
    tested: Vec<TestedCount>,
}

/// A tested ability, and how often it was tested.
#[derive(Debug)]
struct TestedCount {
    tested: String,
    count: usize,
}

impl<'a> RollLines<'a> {
    pub(super) fn new(gm_title: &'a str) -> Self {
        Self {
            gm_title,
            lines: Vec::new(),
            extremes: Vec::new(),
        }
    }

    /// Adds a roll. `clock` is the movement of a clock that the same line describes.
    pub(super) fn add(&mut self, roll: &NotableRoll, clock: Option<&ClockMove>) {
        if roll.has_stakes() {
            self.lines.push(roll.markdown(clock, self.gm_title));
        } else {
            let gm_title = self.gm_title;
            self.extremes_of(&roll.outcome).add(roll, gm_title);
        }
    }

    fn extremes_of(&mut self, outcome: &str) -> &mut ExtremeRolls {
        let known = self
            .extremes
            .iter()
            .position(|extremes| extremes.outcome == outcome);
        let index = known.unwrap_or_else(|| {
            self.extremes.push(ExtremeRolls {
                outcome: outcome.to_owned(),
                count: 0,
                rollers: Vec::new(),
            });
            self.extremes.len() - 1
        });
        &mut self.extremes[index]
    }

    /// Returns the lines. The last line has the rolls that are notable only for their outcome.
    pub(super) fn finish(self) -> Vec<String> {
        let mut lines = self.lines;
        let extremes: Vec<String> = self.extremes.iter().map(ExtremeRolls::describe).collect();
        if !extremes.is_empty() {
            lines.push(escape_markdown(&extremes.join(" ")));
        }
        lines
    }
}

impl ExtremeRolls {
    fn add(&mut self, roll: &NotableRoll, gm_title: &str) {
        self.count += 1;
        let who = if roll.who.is_empty() {
            format!("the {gm_title}")
        } else {
            roll.who.clone()
        };
        let known = self.rollers.iter().position(|roller| roller.who == who);
        let index = known.unwrap_or_else(|| {
            self.rollers.push(ExtremeRoller {
                who,
                tested: Vec::new(),
            });
            self.rollers.len() - 1
        });

        let roller = &mut self.rollers[index];
        let words = roll.tested_words();
        match roller.tested.iter_mut().find(|known| known.tested == words) {
            Some(tested) => tested.count += 1,
            None => roller.tested.push(TestedCount {
                tested: words,
                count: 1,
            }),
        }
    }

    /// `Criticals: Bellis (Tinker twice), Oskin (Skirmish).`
    fn describe(&self) -> String {
        let outcome = in_sentence(&self.outcome);
        let outcome = if self.count > 1 {
            plural(&outcome)
        } else {
            outcome
        };
        let rollers: Vec<String> = self.rollers.iter().map(ExtremeRoller::describe).collect();
        format!("{}: {}.", capitalise(&outcome), rollers.join(", "))
    }
}

impl ExtremeRoller {
    fn describe(&self) -> String {
        let mut parts = Vec::new();
        for TestedCount { tested, count } in &self.tested {
            parts.push(match count {
                1 => tested.clone(),
                2 => format!("{tested} twice"),
                count => format!("{tested} {count} times"),
            });
        }
        format!("{} ({})", self.who, parts.join(", "))
    }
}

impl NotableRoll {
    /// True if the recap describes more of the roll than its outcome.
    fn has_stakes(&self) -> bool {
        let has_words = !self.about.is_empty() || !self.notes.is_empty();
        let has_result = self.damage.is_some() || self.chance.is_some();
        self.clock.is_some() || self.is_deed || has_words || has_result
    }

    /// `**Wren** failed at Cunning, 13 vs 15, and **The watch wakes** is at 3 of 6.` and the notes about the roll.
    fn markdown(&self, clock: Option<&ClockMove>, gm_title: &str) -> String {
        let who = if self.who.is_empty() {
            format!("The {gm_title}")
        } else {
            self.who.clone()
        };
        let mut text = format!("{}{}", bold(&who), escape_markdown(&self.deed()));
        if let Some(damage) = self.damage {
            text += &format!(", {damage} damage");
        }

        text += &match (&self.clock, clock) {
            (Some(name), Some(clock)) => {
                format!(", and {}{}", bold(name), clock.state_in_sentence())
            }
            (Some(name), None) if text.ends_with(')') => format!(", clock {}", bold(name)),
            (Some(name), None) => format!(" ({})", bold(name)),
            (None, _) => String::new(),
        };
        text += ".";
        for note in &self.notes {
            text += &format!(" {}", one_line(note));
        }
        text
    }

    /// The verb phrase after the name of the roller.
    fn deed(&self) -> String {
        let outcome = in_sentence(&self.outcome);
        let tested = self.tested_words();
        let numbers = match (self.total, self.target) {
            (Some(total), Some(target)) => format!(", {total} vs {target}"),
            _ => String::new(),
        };
        let odds = self.odds();
        if !self.about.is_empty() {
            let about = &self.about;
            return if about.ends_with('?') {
                let answer = capitalise(&outcome);
                format!(": {about} {answer} ({tested}{numbers}){odds}")
            } else {
                format!(", {about}: {outcome} ({tested}{numbers}){odds}")
            };
        }
        if self.is_deed {
            let deed = self.tested.replacen(", ", " with ", 1);
            return format!(" {deed}: {outcome}{numbers}{odds}");
        }

        let names_check = tested.starts_with(&self.check_in_sentence());
        let article = if names_check { "the " } else { "" };
        if let Some(rest) = outcome.strip_prefix("success") {
            format!(" succeeded at {article}{tested}{rest}{odds}{numbers}")
        } else if let Some(rest) = outcome.strip_prefix("failure") {
            format!(" failed at {article}{tested}{rest}{numbers}{odds}")
        } else if names_check {
            format!(", {tested}: {outcome}{numbers}{odds}")
        } else {
            format!(" rolled {tested}: {outcome}{numbers}{odds}")
        }
    }

    /// ` against the odds (13%)`. Empty for an ordinary chance.
    fn odds(&self) -> String {
        match (self.chance, self.success) {
            (Some(chance), Some(true)) => format!(" against the odds ({})", percent(chance)),
            (Some(chance), _) => format!(", though the odds were {}", percent(chance)),
            (None, _) => String::new(),
        }
    }

    fn check_in_sentence(&self) -> String {
        in_sentence(self.check.strip_suffix(" roll").unwrap_or(&self.check))
    }

    /// The tested abilities: `Cunning and Locksmith`, `gather information with Study`.
    fn tested_words(&self) -> String {
        let check = self.check_in_sentence();
        match self.tested.strip_prefix(&*self.check) {
            Some("") => check,
            Some(rest) => match rest.strip_prefix(": ") {
                Some(names) => format!("{check} with {}", with_and(names)),
                None => format!("{check}{rest}"),
            },
            None => with_and(&self.tested),
        }
    }
}

/// An outcome in the plural: `failures with a complication`, `partial successes`.
fn plural(outcome: &str) -> String {
    let (noun, rest) = match outcome.find(" with ") {
        Some(end) => outcome.split_at(end),
        None => (outcome, ""),
    };
    if noun.ends_with(['s', 'x']) || noun.ends_with("sh") {
        format!("{noun}es{rest}")
    } else {
        format!("{noun}s{rest}")
    }
}

/// A list of names with "and" before the last name. The opponent's value becomes a possessive: `Locks against Wren's
/// Deflect`.
fn with_and(names: &str) -> String {
    if let Some((own, opponent)) = names.split_once(" against ") {
        let opponent = opponent.replacen(": ", "'s ", 1);
        return format!("{} against {opponent}", with_and(own));
    }
    let names: Vec<&str> = names.split(", ").collect();
    join_with_and(&names)
}

/// A chance as a percentage: `13%`.
fn percent(chance: f64) -> String {
    let percent = (chance * 100.0).round();
    if percent < 1.0 {
        "under 1%".to_owned()
    } else if percent > 99.0 {
        "over 99%".to_owned()
    } else {
        format!("{percent}%")
    }
}
