//! Conditions of characters.

use std::fmt;

use serde::{Deserialize, Serialize};

use tableside_rules::MOST_LEVELS;
use tableside_text::{is_same_name, pluralise};

/// The name of the condition whose last round kills the character, unless another character gives aid (Friday Night
/// Dungeon, Health, Healing, Wounds).
pub const DYING: &str = "dying";

/// A temporary state of a character, such as dazed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub name: String,
    /// The level, if the condition has levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The remaining rounds, if the duration of the condition is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// True if the condition loses a level each round, and ends with the last level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fades: bool,
}

impl Condition {
    /// Creates a condition that does not fade.
    pub fn new(name: &str, value: Option<i32>, rounds: Option<u32>) -> Self {
        Self {
            name: name.to_owned(),
            value,
            rounds,
            fades: false,
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
        if let Some(rounds) = self.rounds {
            write!(formatter, " ({})", pluralise(rounds, "round"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
