//! Questions of a check, their answers, and the ids of outcomes.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::words::capitalise;
use tableside_dice::Face;

/// The side that rolls or decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Side {
    /// The character that makes the check.
    #[strum(serialize = "roller")]
    Actor,
    /// The character that resists.
    Opponent,
    /// The GM.
    Gm,
}

/// An outcome of a check: its index in [`super::CheckSpec::outcomes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutcomeId(pub u8);

/// An option of a choice. The number has a meaning only in its check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChoiceId(pub u32);

/// An option of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The option.
    pub id: ChoiceId,
    /// The answer that picks it, as `--choose` takes it and the log stores it.
    pub name: String,
    /// The words on its button.
    pub label: String,
}

/// A question with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The id of the question, such as `complication`.
    pub choice: &'static str,
    /// The words of the question, with the numbers of this roll. Empty if the question has no numbers; the description of the
    /// check then has its words.
    pub ask: String,
    /// The options, at least one, all with different results.
    pub options: Vec<Picked>,
    /// The index in `options` of the option that is taken without an answer.
    pub default: usize,
}

impl Choices {
    /// Returns the words of the question, or its id as a question if it has no words: `Disadvantage?`.
    pub fn question(&self) -> String {
        match self.ask.as_str() {
            "" => capitalise(&format!("{}?", self.choice.replace('-', " "))),
            ask => ask.to_owned(),
        }
    }

    /// Describes the question and the chosen option: `Burn momentum? No`.
    pub fn describe_answer(&self, label: &str, by: ChosenBy) -> String {
        let question = self.question();
        if by == ChosenBy::Default {
            format!("{question} {label} (by default)")
        } else {
            format!("{question} {label}")
        }
    }

    /// Returns the option that is taken without an answer.
    pub fn fallback(&self) -> &Picked {
        &self.options[self.default.min(self.options.len() - 1)]
    }
}

/// The numbers of a resolved check that odds need in addition to its outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// The total. `None` if the check has no total.
    pub total: Option<i32>,
    /// The number of segments that the roll fills on a clock: effect levels, successes or damage, otherwise 1 for a success.
    pub levels: i32,
    /// True if the check succeeded. Always false if its outcomes have no success.
    pub is_success: bool,
    /// The number of sides of the exploding dice, and the number of dice that still explode. Odds stop there once further
    /// rolls can change only the total.
    pub open: Option<(u8, u8)>,
}

/// Hashes only the two numbers, for speed. Odds look up thousands of scores, and nearly all of them differ in the numbers.
impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let total = i64::from(self.total.unwrap_or(i32::MIN));
        state.write_i64(total << 32 ^ i64::from(self.levels));
    }
}

impl Score {
    /// The score of a check without dice that are still to be rolled.
    pub(super) const fn new(total: Option<i32>, levels: i32) -> Self {
        Self {
            total,
            levels,
            is_success: levels > 0,
            open: None,
        }
    }
}

/// The source of the answer to a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenBy {
    /// The choice was left to its default.
    #[default]
    Default,
    /// The command line.
    Command,
    /// A player.
    Player,
    /// The GM.
    Gm,
}

/// An answer to a check. Its stored form is `[5,7]` for faces, `{"choice":"complication","chose":"fail"}` for a
/// choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// The faces, in rolled order.
    Faces(Vec<Face>),
    /// A decision.
    Chose {
        /// [`Choices::choice`] of the question.
        choice: String,
        /// [`Picked::name`] of the option.
        chose: String,
        /// The source of the answer.
        #[serde(default)]
        by: ChosenBy,
    },
}

impl Answer {
    /// Creates the answer that takes this option of a question.
    pub fn chose(question: &str, chose: String, by: ChosenBy) -> Self {
        let choice = question.to_owned();
        Self::Chose { choice, chose, by }
    }
}
