//! The check that fills a clock.

use serde::{Deserialize, Serialize};

use super::{Clock, ClockKind};
use crate::rules::{CheckSpec, OutcomeId};
use crate::session::Origin;
use crate::session::id::CharacterId;

/// The check that fills a clock: how it is rolled, and what each outcome is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// The check's name within the system.
    pub check: String,
    /// Fields as a person writes them: `cn` is `12`, `ability` is `agility`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
    /// On whose sheets the fields are that name somebody, by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(String, Origin)>,
    /// The character who rolls it, if it is always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<CharacterId>,
    /// The outcomes that are worth something else than the rules say, each with its segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<(String, i32)>,
}

/// An outcome is worth at most so many segments, either way.
pub const MOST_TICKS: i32 = 9;

impl Attached {
    /// That check with nothing said about it.
    pub fn new(check: impl Into<String>) -> Self {
        Self {
            check: check.into(),
            ..Self::default()
        }
    }

    /// How many segments an outcome fills, or empties.
    pub fn ticks(&self, kind: ClockKind, spec: &CheckSpec, outcome: OutcomeId, levels: i32) -> i32 {
        let id = spec.outcome(outcome).id;
        let said = self.ticks.iter().find(|(known, _)| known == id);
        said.map_or_else(
            || usual_ticks(kind, spec, outcome, levels),
            |(_, ticks)| *ticks,
        )
    }
}

impl Clock {
    /// How many segments an outcome of that check fills, or empties.
    pub(in crate::session) fn ticks_of(
        &self,
        spec: &CheckSpec,
        outcome: OutcomeId,
        levels: i32,
    ) -> i32 {
        match self.check.as_deref().filter(|own| own.check == spec.id) {
            Some(own) => own.ticks(self.kind, spec, outcome, levels),
            None => usual_ticks(self.kind, spec, outcome, levels),
        }
    }
}

/// What an outcome is worth to a clock of that kind when nobody says otherwise: an effort takes what the
/// rules give for a success, a countdown one for trouble (Gnosis, Progress: effort clocks fill on success,
/// countdown clocks on failure).
fn usual_ticks(kind: ClockKind, spec: &CheckSpec, outcome: OutcomeId, levels: i32) -> i32 {
    let failed = spec.has_success && levels <= 0;
    match kind {
        ClockKind::Countdown => i32::from(failed || complicates(spec.outcome(outcome).id)),
        ClockKind::TugOfWar if failed => -1,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => levels.max(0),
    }
}

/// Trouble that comes with a success.
fn complicates(outcome: &str) -> bool {
    matches!(outcome, "success-with-complication" | "consequence")
}
