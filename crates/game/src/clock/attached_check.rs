//! The check that fills a clock.

use serde::{Deserialize, Serialize};

use super::{Clock, ClockKind};
use crate::{CharacterId, Origin};
use tableside_rules::{CheckSpec, OutcomeId};

/// The maximum number of segments that an outcome fills or empties.
pub const MAX_TICKS: i32 = 9;

/// The check that fills a clock: how it is rolled, and how many segments each outcome fills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AttachedCheck {
    /// The check's ID within the system.
    pub check: String,
    /// Fields and their values as text: `cn` is `12`, `ability` is `agility`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
    /// The characters whose sheets the fields name, by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(String, Origin)>,
    /// The rolling character, if the same character always rolls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<CharacterId>,
    /// The segments that an outcome fills, for outcomes that differ from the rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<(String, i32)>,
    /// True if every roll of the check counts, even a roll that was not made for this clock.
    #[serde(
        default,
        rename = "hears_all",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub counts_all_rolls: bool,
}

impl AttachedCheck {
    /// Creates an attached check with default fields and ticks.
    pub fn new(check: impl Into<String>) -> Self {
        Self {
            check: check.into(),
            ..Self::default()
        }
    }
}

impl Clock {
    /// Returns how many segments an outcome of a check fills. A negative number empties segments. `levels` are the effect
    /// levels of the result.
    pub fn ticks_of(&self, spec: &CheckSpec, outcome: OutcomeId, levels: i32) -> i32 {
        let id = spec.outcome(outcome).id;
        if let Some(attached) = &self.check
            && attached.check == spec.id
        {
            for (own_outcome, ticks) in &attached.ticks {
                if own_outcome == id {
                    return *ticks;
                }
            }
        }
        ticks_by_rules(self.kind, spec, outcome, levels)
    }
}

/// Returns how many segments an outcome fills by the rules: an effort fills the effect levels of a success, and a
/// countdown fills one segment on failure or trouble (Gnosis, Progress).
fn ticks_by_rules(kind: ClockKind, spec: &CheckSpec, outcome: OutcomeId, levels: i32) -> i32 {
    let failed = spec.has_success && levels <= 0;
    // A check can succeed and still cause trouble.
    let trouble_outcomes = ["success-with-complication", "consequence"];
    let has_trouble = trouble_outcomes.contains(&spec.outcome(outcome).id);

    match kind {
        ClockKind::Countdown if failed || has_trouble => 1,
        ClockKind::Countdown => 0,
        ClockKind::TugOfWar if failed => -1,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => levels.max(0),
    }
}
