//! Describes the changes of the characters in a scene, in one sentence for each character.

use super::{bold, signed};
use crate::log_export::escape_markdown;
use crate::recap::{ChangedCharacter, CharacterChange, ConditionCourse, ListEntry};
use tableside_game::is_noun;
use tableside_rules::HIT_POINTS;
use tableside_text::{join_with_and, pluralise};

/// A loss of less than one seventh of the hit points is left out.
const SMALL_LOSS: i64 = 7;

/// The parts of a sentence about a character.
#[derive(Debug, Default)]
struct CharacterSentence {
    /// Verb phrases in the past: `lost 5 hit points`.
    deeds: Vec<String>,
    /// Objects of "took": `a wound (14)`.
    taken: Vec<String>,
    /// Conditions that began: `dazed`.
    began: Vec<String>,
    /// Conditions that ended.
    ended: Vec<String>,
    /// Noun phrases: `heart die down to d6`.
    facts: Vec<String>,
}

impl ChangedCharacter {
    /// `**Torben** lost 23 hit points (17 of 40 left) and is bleeding.` `None` if all changes are small.
    pub(super) fn markdown(&self) -> Option<String> {
        let mut sentence = CharacterSentence::default();
        for change in &self.changes {
            sentence.add(change);
        }
        let text = sentence.finish()?;
        Some(format!("{}{}", bold(&self.name), escape_markdown(&text)))
    }
}

impl CharacterSentence {
    fn add(&mut self, change: &CharacterChange) {
        match change {
            CharacterChange::Number { stat, .. } if *stat == HIT_POINTS => {
                self.deeds.extend(describe_hit_points(change));
            }
            CharacterChange::Number {
                stat,
                label,
                from,
                to,
                ..
            } => match stat.as_str() {
                // Forged in the Dark.
                "trauma" if to > from => self.taken.push(describe_trauma(*from, *to)),
                _ if to > from => self.facts.push(format!("{label} up to {}", signed(*to))),
                _ => self.facts.push(format!("{label} down to {}", signed(*to))),
            },
            CharacterChange::Value { label, from, to } => self.facts.push(if from.is_empty() {
                format!("{label} {to}")
            } else {
                format!("{label} {to}, from {from}")
            }),
            CharacterChange::Entries {
                stat,
                label,
                gained,
                lost,
            } => self.add_entries(stat, label, gained, lost),
            CharacterChange::Condition {
                name,
                level,
                course,
            } => {
                let name = match level {
                    Some(level) if *level > 1 => format!("{name} {level}"),
                    _ => name.clone(),
                };
                self.add_condition(name, *course);
            }
            CharacterChange::Clock(clock) => {
                let name = super::in_sentence(&clock.clock);
                self.facts
                    .push(format!("{name}{}", clock.state_in_sentence()));
            }
            CharacterChange::Message { text } => self.facts.push(text.clone()),
        }
    }

    fn add_condition(&mut self, name: String, course: ConditionCourse) {
        if is_noun(&name) {
            self.deeds.push(match course {
                ConditionCourse::Began => format!("has {name}"),
                ConditionCourse::Ended => format!("no longer has {name}"),
                ConditionCourse::Passed => format!("had {name} for a while"),
            });
            return;
        }

        let is_adjective = is_adjective(&name);
        match course {
            ConditionCourse::Began if is_adjective => self.began.push(name),
            ConditionCourse::Ended if is_adjective => self.ended.push(name),
            ConditionCourse::Passed if is_adjective => {
                self.deeds.push(format!("was {name} for a while"));
            }
            ConditionCourse::Began => self.facts.push(name),
            ConditionCourse::Ended => self.facts.push(format!("no longer {name}")),
            ConditionCourse::Passed => self.facts.push(format!("{name} for a while")),
        }
    }

    fn add_entries(&mut self, stat: &str, label: &str, gained: &[ListEntry], lost: &[ListEntry]) {
        for entry in gained {
            match stat {
                // Heart Rush and Gnosis.
                "wounds" if entry.is_treated() => self.deeds.push(entry.describe_treatment()),
                "wounds" => self.taken.push(entry.describe_wound()),
                // Forged in the Dark.
                "harm" => self.taken.push(format!("harm ({})", entry.name)),
                _ => self.facts.push(format!("{label}: {}", entry.describe())),
            }
        }
        if gained.is_empty() {
            for entry in lost {
                self.facts
                    .push(format!("{label}: no longer {}", entry.describe()));
            }
        }
    }

    /// Returns the text after the name. `None` if there are no parts.
    fn finish(self) -> Option<String> {
        let mut clauses = self.deeds;
        if !self.taken.is_empty() {
            clauses.push(format!("took {}", list(&self.taken)));
        }
        if !self.began.is_empty() {
            clauses.push(format!("is {}", list(&self.began)));
        }
        if !self.ended.is_empty() {
            clauses.push(format!("is no longer {}", list(&self.ended)));
        }

        let facts = self.facts.join(", ");
        match (clauses.is_empty(), facts.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!(": {facts}.")),
            (false, true) => Some(format!(" {}.", list(&clauses))),
            (false, false) => Some(format!(" {}; {facts}.", list(&clauses))),
        }
    }
}

/// `lost 23 hit points (17 of 40 left)`. `None` for a small loss.
fn describe_hit_points(change: &CharacterChange) -> Option<String> {
    let CharacterChange::Number {
        from,
        to,
        lowest,
        most,
        ..
    } = change
    else {
        return None;
    };
    let of_most = match most {
        Some(most) => format!(" of {most}"),
        None => String::new(),
    };
    let was_down = *lowest <= 0 && *to > 0;
    let down = if was_down {
        format!(", after being down to {}", signed(*lowest))
    } else {
        String::new()
    };

    if to >= from {
        if was_down {
            return Some(format!(
                "was down to {} hit points and is back at {to}{of_most}",
                signed(*lowest)
            ));
        }
        let gain = to - from;
        return if gain == 0 {
            None
        } else {
            let points = pluralise(gain, "hit point");
            Some(format!("regained {points} ({to}{of_most})"))
        };
    }

    let loss = from - to;
    let points = pluralise(loss, "hit point");
    if *to <= 0 {
        return Some(format!("lost {points} (down to {})", signed(*to)));
    }
    let is_small = loss * SMALL_LOSS < most.unwrap_or(*from) && !was_down;
    if is_small {
        return None;
    }
    Some(format!("lost {points} ({to}{of_most} left{down})"))
}

fn describe_trauma(from: i64, to: i64) -> String {
    let gain = to - from;
    let traumas = if gain == 1 {
        "a trauma".to_owned()
    } else {
        format!("{gain} traumas")
    };
    if from == 0 {
        traumas
    } else {
        format!("{traumas} ({to} in all)")
    }
}

impl ListEntry {
    /// `Gash across the ribs (12)`
    pub(super) fn describe(&self) -> String {
        match self.rank {
            Some(rank) => format!("{} ({rank})", self.name),
            None => self.name.clone(),
        }
    }

    /// True for a wound with a generated name: `Wound`, `Wound 2`.
    fn has_no_own_name(&self) -> bool {
        let number = self.bare_name().strip_prefix("Wound");
        number.is_some_and(|number| number.trim().chars().all(|digit| digit.is_ascii_digit()))
    }

    fn bare_name(&self) -> &str {
        self.name.strip_suffix(" (treated)").unwrap_or(&self.name)
    }

    fn is_treated(&self) -> bool {
        self.bare_name() != self.name
    }

    /// `a wound (14)`; `a wound, Gash across the ribs (12)`; `a treated wound (5)`.
    pub(super) fn describe_wound(&self) -> String {
        let rank = self.rank.unwrap_or(0);
        let noun = if self.is_treated() {
            "a treated wound"
        } else {
            "a wound"
        };
        if self.has_no_own_name() {
            format!("{noun} ({rank})")
        } else {
            format!("{noun}, {} ({rank})", self.bare_name())
        }
    }

    /// `had a wound treated (now 5)`
    fn describe_treatment(&self) -> String {
        let rank = self.rank.unwrap_or(0);
        if self.has_no_own_name() {
            format!("had a wound treated (now {rank})")
        } else {
            format!("had a wound treated, {} (now {rank})", self.bare_name())
        }
    }
}

/// True if the name of a condition can follow "is". A name of several words may be a noun: `bruised ribs`.
pub(super) fn is_adjective(condition: &str) -> bool {
    let name = condition.trim_end_matches(|letter: char| letter.is_ascii_digit());
    !name.trim_end().contains(' ') && !is_noun(name)
}

fn list(items: &[String]) -> String {
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    join_with_and(&items)
}
