//! Rolls that mattered, notes, and results of random tables as Markdown.

use super::in_sentence;
use crate::log_export::escape_markdown;
use crate::recap::{Moment, NotableRoll};
use tableside_game::sentence;
use tableside_text::{join, join_with_and};

/// The moments of a scene, a line each. Rolls with the same outcome and without stakes share a line.
pub(super) fn moments(moments: &[Moment]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut told_outcomes: Vec<&str> = Vec::new();
    for moment in moments {
        let Moment::Roll(roll) = moment else {
            lines.push(moment.markdown());
            continue;
        };

        let alike = rolls_like(roll, moments);
        if alike.len() < 2 {
            lines.push(roll.markdown());
        } else if !told_outcomes.contains(&&*roll.outcome) {
            told_outcomes.push(&roll.outcome);
            lines.push(fold_rolls(&roll.outcome, &alike));
        }
    }
    lines
}

/// The rolls that can share a line with a roll, itself included.
fn rolls_like<'a>(roll: &NotableRoll, moments: &'a [Moment]) -> Vec<&'a NotableRoll> {
    if roll.has_stakes() {
        return Vec::new();
    }
    moments
        .iter()
        .filter_map(|moment| match moment {
            Moment::Roll(other) => Some(&**other),
            Moment::Note { .. } | Moment::Table { .. } => None,
        })
        .filter(|other| !other.has_stakes() && other.outcome == roll.outcome)
        .collect()
}

/// `**Failure with a complication**: Jonna with Might and Agility; Torben with Cunning.`
fn fold_rolls(outcome: &str, rolls: &[&NotableRoll]) -> String {
    let mut rollers: Vec<&str> = Vec::new();
    for roll in rolls {
        if !rollers.contains(&&*roll.who) {
            rollers.push(&roll.who);
        }
    }

    let mut parts = Vec::new();
    for roller in rollers {
        let mut tested: Vec<&str> = Vec::new();
        let mut count = 0;
        for roll in rolls.iter().filter(|roll| roll.who == roller) {
            count += 1;
            if !tested.contains(&&*roll.tested) {
                tested.push(&roll.tested);
            }
        }
        let times = match count - tested.len() {
            0 => String::new(),
            _ if count == 2 => ", twice".to_owned(),
            _ => format!(", {count} times"),
        };
        let roller = if roller.is_empty() { "the GM" } else { roller };
        parts.push(format!("{roller} with {}{times}", join_with_and(&tested)));
    }

    let outcome = escape_markdown(&tableside_text::capitalise(&in_sentence(outcome)));
    format!("**{outcome}**: {}.", escape_markdown(&parts.join("; ")))
}

impl Moment {
    fn markdown(&self) -> String {
        match self {
            Self::Roll(roll) => roll.markdown(),
            Self::Note {
                text,
                handout_for: Some(readers),
                ..
            } => {
                let readers = escape_markdown(readers);
                format!("Handout for {readers}: {}", one_line(text))
            }
            Self::Note { by, text, .. } if by.is_empty() => one_line(text),
            Self::Note { by, text, .. } => {
                format!("{} noted: {}", escape_markdown(by), one_line(text))
            }
            Self::Table { table, says } => {
                format!("{}: {}", escape_markdown(table), one_line(says))
            }
        }
    }
}

/// A note as a paragraph in one line.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let joined = join(lines, " ");
    escape_markdown(&sentence(&joined))
}

impl NotableRoll {
    /// True if the roll had a clock, an opponent, damage, long odds or a note.
    fn has_stakes(&self) -> bool {
        let has_words = !self.about.is_empty() || !self.notes.is_empty();
        let has_result = self.damage.is_some() || self.chance.is_some();
        self.clock.is_some() || self.is_deed || has_words || has_result
    }

    /// `Wren rolled Cunning for The watch wakes: 2 against 15, **failure with a complication**.` and the notes.
    fn markdown(&self) -> String {
        let mut subject = self.subject();
        if !self.about.is_empty() {
            subject += &format!(" ({})", self.about);
        }
        if let Some(clock) = &self.clock {
            subject += &format!(" for {clock}");
        }

        let mut result = match (self.total, self.target) {
            (Some(total), Some(target)) => format!("{total} against {target}, "),
            (Some(total), None) => format!("{total}, "),
            (None, _) => String::new(),
        };
        let outcome = in_sentence(&self.outcome);
        result += &format!("**{}**", escape_markdown(&outcome));
        if let Some(damage) = self.damage {
            result += &format!(", {damage} damage");
        }
        if let Some(chance) = self.chance {
            result += &format!("; the chance of success was {}", percent(chance));
        }

        let mut text = format!("{}: {result}.", escape_markdown(&subject));
        for note in &self.notes {
            text += &format!(" {}", one_line(note));
        }
        text
    }

    /// The roller with the tested ability or the deed: `Wren rolled Cunning`, `Torben attacks Sergeant Oske`.
    fn subject(&self) -> String {
        let who = if self.who.is_empty() {
            "The GM"
        } else {
            &self.who
        };
        if self.is_deed {
            let deed = self.tested.replacen(", ", " with ", 1);
            return format!("{who} {deed}");
        }

        let label = self.check.strip_suffix(" roll");
        let check = in_sentence(label.unwrap_or(&self.check));
        match self.tested.strip_prefix(&*self.check) {
            Some("") => format!("{who} rolled {check}"),
            Some(rest) => match rest.strip_prefix(": ") {
                Some(names) => format!("{who} rolled {check} with {}", with_and(names)),
                None => format!("{who} rolled {check}{rest}"),
            },
            None => format!("{who} rolled {}", with_and(&self.tested)),
        }
    }
}

/// A list of names with "and" before the last one. The opponent's value is put as a possessive: `Locks against Wren's
/// Deflect`.
fn with_and(names: &str) -> String {
    if let Some((own, opponent)) = names.split_once(" against ") {
        let own_names = with_and(own);
        let opponents_ability = opponent.replacen(": ", "'s ", 1);
        return format!("{own_names} against {opponents_ability}");
    }
    match names.rsplit_once(", ") {
        Some((others, last)) => format!("{others} and {last}"),
        None => names.to_owned(),
    }
}

/// A chance in per cent.
fn percent(chance: f64) -> String {
    let percent = (chance * 100.0).round();
    if percent < 1.0 {
        "under 1 %".to_owned()
    } else if percent > 99.0 {
        "over 99 %".to_owned()
    } else {
        format!("{percent} %")
    }
}
