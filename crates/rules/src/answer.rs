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

/// The id of an option of a question. Each check numbers its options as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChoiceId(pub u32);

/// An option of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The number of the option in its check.
    pub id: ChoiceId,
    /// The answer that picks the option. It is typed after `--choose` and stored in the log.
    pub name: String,
    /// The text of the option in dialogs, without its cost.
    pub label: String,
    /// The cost of the option for the deciding side, as in `2 tokens`. Empty if the option is free.
    pub cost: String,
}

impl Picked {
    /// True if the option has a cost for the deciding side.
    pub fn has_cost(&self) -> bool {
        !self.cost.is_empty()
    }

    /// Returns the text of the option with its cost: `Push (+1 stress)`. A label that names the cost does not repeat it.
    pub fn button_label(&self) -> String {
        let Self { label, cost, .. } = self;
        if self.has_cost() && !label.contains(cost.as_str()) {
            format!("{label} ({cost})")
        } else {
            label.clone()
        }
    }
}

/// A question with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The id of the question, such as `complication`.
    pub choice: &'static str,
    /// The question in words, with the numbers of this roll. Empty if it has no numbers: [`super::ChoiceSpec::help`]
    /// then words it.
    pub ask: String,
    /// The options: at least one, and no two with the same result.
    pub options: Vec<Picked>,
    /// The index in `options` of the option that is taken without an answer.
    pub default: usize,
}

impl Choices {
    /// Returns the question in words. A question without words is named by its id, as in `Disadvantage?`.
    pub fn question(&self) -> String {
        match self.ask.as_str() {
            "" => capitalise(&format!("{}?", self.choice.replace('-', " "))),
            ask => ask.to_owned(),
        }
    }

    /// Describes the question and the option with this label, which was chosen: `Burn momentum? No`.
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

/// The numbers of a resolved check that the computation of odds needs in addition to the outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// The total. `None` if the check has no total.
    pub total: Option<i32>,
    /// The number of segments that the roll fills on a clock: its effect levels, successes or damage. In checks that
    /// count none of these, 1 for a success and 0 for a failure.
    pub levels: i32,
    /// True if the check succeeded. Always false if its outcomes have no success.
    pub is_success: bool,
    /// The number of sides of the exploding dice, and the number of dice that still explode. The computation of odds
    /// stops before rolling them again once this can change only the total.
    pub open: Option<(u8, u8)>,
}

/// Hashes only the total and the segments, for speed. The computation of odds looks up thousands of scores, and nearly
/// all of them differ in these two numbers.
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
    /// The check took the default because no answer was given.
    #[default]
    Default,
    /// The command line.
    Command,
    /// A player.
    Player,
    /// The GM.
    Gm,
}

/// An answer to a question of a check. It is stored as `[5,7]` if dice were rolled, and as
/// `{"choice":"complication","chose":"fail"}` if an option was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// The faces of the dice, in rolled order.
    Faces(Vec<Face>),
    /// The option that was chosen.
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
