//! What a check asks for, and the answers: outcomes, choices, faces.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::words::capitalise;
use tableside_dice::Face;

/// Who rolls, types the faces, or presses the button.
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

/// One outcome of a check: its index in [`super::CheckSpec::outcomes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutcomeId(pub u8);

/// One result open to a chooser; what the number means is the check's own affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChoiceId(pub u32);

/// One result open to a chooser, with one concrete way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The result.
    pub id: ChoiceId,
    /// The way to it, as `--choose` takes it and the log keeps it.
    pub name: String,
    /// What it means, on a button.
    pub label: String,
}

/// A question that a check puts to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Which question: `complication`, `placing`, `disadvantage`.
    pub choice: &'static str,
    /// What is asked, with the numbers of this roll; empty where the check's description says it.
    pub ask: String,
    /// The distinct results, never none.
    pub options: Vec<Picked>,
    /// The option taken when nobody answers, by its index in `options`.
    pub default: usize,
}

impl Choices {
    /// What is asked; by the question's name where the check's description says it.
    pub fn question(&self) -> String {
        match self.ask.as_str() {
            "" => capitalise(&format!("{}?", self.choice.replace('-', " "))),
            ask => ask.to_owned(),
        }
    }

    /// What was asked and taken: `Burn momentum? No`.
    pub fn told(&self, label: &str, by: ChosenBy) -> String {
        let nobody = (by == ChosenBy::Default).then_some(" (by default)");
        format!("{} {label}{}", self.question(), nobody.unwrap_or_default())
    }

    /// The option taken when nobody answers.
    pub fn fallback(&self) -> &Picked {
        &self.options[self.default.min(self.options.len() - 1)]
    }
}

/// What odds need to know of a finished check beside its outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// The total, where the check has one.
    pub total: Option<i32>,
    /// What a progress clock would be filled by: effect levels, successes, damage for an attack, else
    /// 1 for a success.
    pub levels: i32,
    /// Whether it succeeded, where the check tells success from failure.
    pub is_success: bool,
    /// The sides of the die that exploded, and how many of it have their next roll still before them. Those rolls
    /// change nothing but the total's mean.
    pub open: Option<(u8, u8)>,
}

/// Odds look ends up by the thousand; the numbers alone tell nearly all of them apart.
impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let total = i64::from(self.total.unwrap_or(i32::MIN));
        state.write_i64(total << 32 ^ i64::from(self.levels));
    }
}

impl Score {
    /// The score of a check with no exploded die still to be rolled.
    pub(super) const fn new(total: Option<i32>, levels: i32) -> Self {
        Self {
            total,
            levels,
            is_success: levels > 0,
            open: None,
        }
    }
}

/// Who answered a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenBy {
    /// Nobody: the default was taken.
    #[default]
    Default,
    /// The command line.
    Command,
    /// A player.
    Player,
    /// The GM.
    Gm,
}

/// One answer to a check, as it is recorded: `[5,7]` for faces, `{"choice":"complication","chose":"fail"}` for a
/// choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// The faces, in rolled order.
    Faces(Vec<Face>),
    /// The option taken, by its name.
    Chose {
        /// The question, as [`Choices::choice`] names it.
        choice: String,
        /// The option, as [`Picked::name`] names it.
        chose: String,
        /// Who answered.
        #[serde(default)]
        by: ChosenBy,
    },
}

impl Answer {
    /// That option of that question.
    pub fn chose(question: &str, chose: String, by: ChosenBy) -> Self {
        let choice = question.to_owned();
        Self::Chose { choice, chose, by }
    }
}
