//! Conditions of characters.

use std::fmt;

use serde::{Deserialize, Serialize};

use strum::EnumIter;

use tableside_rules::MOST_LEVELS;
use tableside_text::{is_same_name, pluralise};

/// The name of the condition whose last round kills the character, unless another character gives aid (Friday Night
/// Dungeon, Health, Healing, Wounds).
pub const DYING: &str = "dying";

/// The moment at which a condition is counted down, and at which it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, EnumIter)]
#[serde(rename_all = "kebab-case")]
pub enum ConditionEnd {
    /// The start of each round.
    #[default]
    Round,
    /// The start of each turn of the character.
    TurnStart,
    /// The end of each turn of the character.
    TurnEnd,
}

/// The ends of nouns among the names of conditions.
const NOUN_ENDINGS: [&str; 9] = [
    "ion", "ness", "ity", "ment", "ism", "osis", "itis", "fever", "disease",
];

/// True if the name of a condition is a noun, such as exhaustion. A character has it, instead of being it.
pub fn is_noun(name: &str) -> bool {
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
    let is_one_word = !name.contains(' ');
    is_one_word && NOUN_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// A temporary state of a character, such as dazed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub name: String,
    /// The level, if the condition has levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The remaining rounds, if the duration of the condition is limited. For a condition that ends with a turn they are
    /// turns of the character, and `None` is the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The moment at which the rounds are counted.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub ends: ConditionEnd,
    /// True if the condition loses a level each round, and ends with the last level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fades: bool,
}

impl Condition {
    /// Creates a condition that does not fade, and whose rounds are counted at the start of a round.
    pub fn new(name: &str, value: Option<i32>, rounds: Option<u32>) -> Self {
        Self {
            name: name.to_owned(),
            value,
            rounds,
            ends: ConditionEnd::Round,
            fades: false,
        }
    }

    /// True if the condition is over the next time that this moment comes.
    pub fn is_over_at(&self, moment: ConditionEnd) -> bool {
        let mut next = self.clone();
        self.ends == moment && !next.run_down()
    }

    /// Shortens the condition by one round, or by one turn. Returns false if it is over, or if its last level faded
    /// (Heart Rush, Conditions).
    pub(crate) fn run_down(&mut self) -> bool {
        let ends_with_next_turn =
            self.ends != ConditionEnd::Round && self.rounds.is_none() && !self.fades;
        let is_last = ends_with_next_turn || matches!(self.rounds, Some(..=1));
        if let Some(rounds) = &mut self.rounds {
            *rounds = rounds.saturating_sub(1);
        }

        let mut has_faded = false;
        if self.fades {
            has_faded = self.value.is_none_or(|level| level <= 1);
            if let Some(level) = &mut self.value {
                *level -= 1;
            }
        }
        !is_last && !has_faded
    }

    /// Describes the condition for narrow places: `dazed 2 · 3r`, `slowed · end of turn`.
    pub fn short(&self) -> String {
        let mut words = match self.value {
            Some(level) => format!("{} {level}", self.name),
            None => self.name.clone(),
        };
        if self.fades {
            words.push_str(", fading");
        }

        let moment = match self.ends {
            ConditionEnd::Round => "",
            ConditionEnd::TurnStart => "start of",
            ConditionEnd::TurnEnd => "end of",
        };
        match (moment, self.rounds) {
            ("", None) => words,
            ("", Some(rounds)) => format!("{words} · {rounds}r"),
            (moment, None | Some(..=1)) => format!("{words} · {moment} turn"),
            (moment, Some(turns)) => format!("{words} · {moment} {} turn", ordinal(turns)),
        }
    }

    /// Describes how long the condition lasts: `3 rounds`, `to the end of its turn`. `None` if it lasts until it is
    /// removed, or fades.
    pub fn duration(&self) -> Option<String> {
        let moment = match (self.ends, self.rounds) {
            (ConditionEnd::Round, None) => return None,
            (ConditionEnd::Round, Some(rounds)) => return Some(pluralise(rounds, "round")),
            (ConditionEnd::TurnStart, _) => "start",
            (ConditionEnd::TurnEnd, _) => "end",
        };
        match (self.rounds, self.fades) {
            (None, true) => Some(format!("at the {moment} of its turns")),
            (None | Some(..=1), _) => Some(format!("to the {moment} of its turn")),
            (Some(turns), _) => Some(format!("to the {moment} of its {} turn", ordinal(turns))),
        }
    }

    /// Adds levels to the condition of this name, or adds the condition. Returns its new level.
    pub fn worsen(conditions: &mut Vec<Self>, name: &str, levels: i32) -> i32 {
        let present = conditions
            .iter_mut()
            .find(|condition| is_same_name(&condition.name, name));
        let Some(condition) = present else {
            conditions.push(Self::new(name, Some(levels), None));
            return levels;
        };

        let level = condition.value.unwrap_or(1).saturating_add(levels);
        let bounded = level.min(MOST_LEVELS);
        condition.value = Some(bounded);
        bounded
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        if let Some(value) = self.value {
            write!(formatter, " {value}")?;
        }
        if self.fades {
            formatter.write_str(", fading")?;
        }
        if let Some(duration) = self.duration() {
            write!(formatter, " ({duration})")?;
        }
        Ok(())
    }
}

/// Writes a place in order: 2nd, 3rd, 11th.
fn ordinal(number: u32) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn a_condition_of_a_turn_is_over_after_its_turns() {
        for ends in ConditionEnd::iter() {
            let mut dazed = Condition {
                ends,
                ..Condition::new("dazed", None, Some(2))
            };
            assert!(!dazed.is_over_at(ends));
            assert!(dazed.run_down());
            assert!(dazed.is_over_at(ends));
            assert!(!dazed.run_down());
        }

        let mut prone = Condition::new("prone", None, None);
        assert!(prone.run_down() && prone.run_down());
        prone.ends = ConditionEnd::TurnEnd;
        assert!(prone.is_over_at(ConditionEnd::TurnEnd));
        assert!(!prone.is_over_at(ConditionEnd::TurnStart));
        assert_eq!(prone.to_string(), "prone (to the end of its turn)");
        prone.rounds = Some(2);
        assert_eq!(prone.to_string(), "prone (to the end of its 2nd turn)");
        assert_eq!(prone.short(), "prone · end of 2nd turn");
        let dazed = Condition::new("dazed", Some(2), Some(3));
        assert_eq!(dazed.short(), "dazed 2 · 3r");
    }

    #[test]
    fn levels_are_added_to_a_condition_whatever_its_letters_and_up_to_the_most() {
        let mut conditions = vec![Condition::new("Weary", None, Some(2))];
        assert_eq!(Condition::worsen(&mut conditions, "weary", 2), 3);
        assert_eq!(Condition::worsen(&mut conditions, "WEARY", i32::MAX), 5);
        assert_eq!(Condition::worsen(&mut conditions, "dazed", 1), 1);
        let words: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["Weary 5 (2 rounds)", "dazed 1"]);
    }
}
