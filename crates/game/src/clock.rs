//! Progress clocks.

mod attached_check;
mod kind;
mod segments;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CharacterId, ClockId};
use tableside_rules::Id;
use tableside_text::is_same_name;

pub use attached_check::{AttachedCheck, MAX_TICKS};
pub use kind::{ClockKind, Every, Link, LinkEffect, Visibility, WhenFull};
pub use segments::Segments;

/// A progress clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    pub id: ClockId,
    pub name: String,
    #[serde(default)]
    pub kind: ClockKind,
    pub segments: Segments,
    /// The number of filled segments, at most `segments`.
    #[serde(default)]
    pub filled: u8,
    /// The number of times that the clock was full and started again.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub turns: u32,
    #[serde(default)]
    pub visibility: Visibility,
    /// The character that the clock belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<CharacterId>,
    /// The host clock that this clock copies, by its ID in the host's game. Only the host ticks a host clock.
    #[serde(default, rename = "follows", skip_serializing_if = "Option::is_none")]
    pub host_clock: Option<ClockId>,
    /// The rule that fills the clock, and empties it at the end of a scene: `stress` and `blood` in Gnosis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Id>,
    /// True if the clock is removed at the end of the scene.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_scene: bool,
    /// The name of the clock's race. Clocks with the same race name compete in one race.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub race: String,
    /// The names of the left and the right end of a tug-of-war.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// The check that fills the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<AttachedCheck>>,
    /// The behaviour of an effort or a countdown when its last segment is filled.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub when_full: WhenFull,
    /// The segments that the clock ticks automatically in each period, never 0. A negative number turns the clock back.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub every: BTreeMap<Every, i32>,
}

/// The size and fill of a clock after it was full and started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Restart {
    pub(super) segments: Segments,
    pub(super) filled: u8,
}

impl Clock {
    /// Creates an empty clock. The clock gets its ID when it is added to a game.
    pub fn new(name: impl Into<String>, segments: Segments) -> Self {
        Self {
            name: name.into(),
            segments,
            ..Self::default()
        }
    }

    /// True if a roll for this clock counts for the other clock as well.
    pub fn is_beside(&self, other: ClockId) -> bool {
        match self.link {
            Some(link) => link.effect == LinkEffect::Beside && link.to == other,
            None => false,
        }
    }

    /// True if this is the clock that the rule gives to this character.
    pub fn is_given(&self, rule: Id, owner: CharacterId) -> bool {
        self.rule == Some(rule) && self.owner == Some(owner)
    }

    pub fn is_full(&self) -> bool {
        self.filled >= self.segments.count()
    }

    /// The number of filled segments of a new clock. A tug-of-war starts in the middle.
    pub fn initial_fill(&self) -> u8 {
        match self.kind {
            ClockKind::TugOfWar => self.segments.count() / 2,
            ClockKind::Effort | ClockKind::Countdown | ClockKind::Race => 0,
        }
    }

    /// The names of a tug-of-war's ends, left and right.
    pub fn end_names(&self) -> [&str; 2] {
        let [left, right] = match &self.ends {
            Some(ends) => ends.each_ref().map(String::as_str),
            None => ["", ""],
        };
        [
            if left.is_empty() { "left" } else { left },
            if right.is_empty() { "right" } else { right },
        ]
    }

    /// True if both clocks are in the same race.
    pub fn is_in_race_with(&self, other: &Self) -> bool {
        let are_races = self.kind == ClockKind::Race && other.kind == ClockKind::Race;
        are_races && is_same_name(&self.race, &other.race)
    }

    /// True if the other clock is this clock itself, or a clock in the same race.
    pub fn shares_race_with(&self, other: &Self) -> bool {
        self.id == other.id || self.is_in_race_with(other)
    }

    /// Describes automatic ticks and restarts: `starts again`, `+1 every round`.
    pub fn describe_automation(&self) -> Vec<String> {
        let mut actions = Vec::new();
        if self.when_full != WhenFull::Stays {
            actions.push(self.when_full.describe().to_owned());
        }
        for (every, ticks) in &self.every {
            actions.push(format!("{ticks:+} every {}", every.into_str()));
        }
        actions
    }

    /// Returns the number of filled segments after some ticks.
    pub fn filled_after(&self, ticks: i32) -> u8 {
        let filled = i32::from(self.filled).saturating_add(ticks);
        let bounded = filled.clamp(0, self.segments.count().into());
        u8::try_from(bounded).unwrap_or(self.filled)
    }

    /// Returns the size and fill of the clock if it starts again after some ticks. `None` if it does not become full,
    /// or stays full.
    pub(super) fn restart_after(&self, ticks: i32) -> Option<Restart> {
        let growth = match self.when_full {
            WhenFull::Stays => return None,
            WhenFull::StartsAgain => 0,
            WhenFull::Grows => 1,
            WhenFull::Shrinks => -1,
        };
        let mut segments = self.segments;
        let mut filled = i32::from(self.filled).saturating_add(ticks);
        if filled < segments.count().into() {
            return None;
        }

        // After this many restarts a clock has reached its largest or smallest size.
        for _ in Segments::MIN..=Segments::MAX {
            if filled < segments.count().into() {
                break;
            }
            filled -= i32::from(segments.count());
            segments = segments.saturating_add(growth);
        }

        // The clock no longer changes its size, so a division gives the fill after the remaining restarts.
        let overflow = filled % i32::from(segments.count());
        Some(Restart {
            segments,
            filled: u8::try_from(overflow).unwrap_or(0),
        })
    }
}

/// Describes the fill of a clock: `4 of 6`; `6 of 6, full`.
pub fn filled_of(filled: u8, segments: u8) -> String {
    if filled == segments {
        format!("{filled} of {segments}, full")
    } else {
        format!("{filled} of {segments}")
    }
}
