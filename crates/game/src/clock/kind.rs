//! The properties of a clock: its kind, visibility, link and automatic ticks.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::ClockId;

/// The kind of a clock.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum ClockKind {
    /// A clock that successes fill.
    #[default]
    Effort,
    /// A clock that failures and complications fill.
    Countdown,
    /// One of several clocks that race. The first full clock wins.
    Race,
    /// A clock between two ends. `filled` counts from the left end.
    TugOfWar,
}

impl ClockKind {
    pub const ALL: [Self; 4] = [Self::Effort, Self::Countdown, Self::Race, Self::TugOfWar];

    /// Describes the kind in a few words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Effort => "fills on success",
            Self::Countdown => "fills on trouble",
            Self::Race => "first full clock wins",
            Self::TugOfWar => "two sides pull it",
        }
    }

    /// Describes the kind in a sentence.
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Effort => {
                "Each success fills segments by its effect level. When the clock is full, the obstacle is overcome."
            }
            Self::Countdown => {
                "Each failure or complication fills one segment. When the clock is full, the threat happens."
            }
            Self::Race => {
                "Several clocks race each other: the first full clock wins, and the others stop."
            }
            Self::TugOfWar => {
                "The clock starts half full. A success pulls it to the right, and a failure pulls it to the left."
            }
        }
    }
}

/// The part of a clock that players see.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Visibility {
    /// Players see the clock and its progress.
    #[default]
    Visible,
    /// Players see the clock, but not its progress.
    Known,
    /// Only the GM sees the clock.
    Hidden,
}

impl Visibility {
    /// All visibilities, from visible to hidden.
    pub const ALL: [Self; 3] = [Self::Visible, Self::Known, Self::Hidden];
}

/// A clock's link to another clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Link {
    /// The linked clock.
    pub to: ClockId,
    #[serde(rename = "then")]
    pub effect: LinkEffect,
}

/// The effect of a clock on the clock that it is linked to.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum LinkEffect {
    /// When the clock is full, the other clock advances by the overflow, and by at least one segment.
    #[default]
    Advances,
    /// When the clock is full, players see the other clock from then on. The overflow advances the other clock.
    Reveals,
    /// The other clock cannot advance before this clock is full. The overflow advances the other clock.
    Starts,
    /// A roll for this clock counts for the other clock as well. Each clock fills by its own kind.
    Beside,
}

impl LinkEffect {
    pub const ALL: [Self; 4] = [Self::Advances, Self::Reveals, Self::Starts, Self::Beside];

    /// Describes the effect in a sentence.
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Advances => {
                "When this clock is full, the other clock advances by the overflow, and by at least one segment."
            }
            Self::Reveals => {
                "When this clock is full, players see the other clock, and the overflow advances it."
            }
            Self::Starts => {
                "The other clock cannot advance until this clock is full. The overflow then advances it."
            }
            Self::Beside => {
                "Each roll for this clock also counts for the other, for example for an effort and its countdown."
            }
        }
    }
}

/// The behaviour of a clock when its last segment is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenFull {
    /// The clock stays full.
    #[default]
    Stays,
    /// The clock starts again, with its overflow filled.
    StartsAgain,
    /// The clock starts again with one more segment.
    Grows,
    /// The clock starts again with one segment fewer.
    Shrinks,
}

impl WhenFull {
    pub const ALL: [Self; 4] = [Self::Stays, Self::StartsAgain, Self::Grows, Self::Shrinks];

    /// Describes the behaviour in a few words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Stays => "stays full",
            Self::StartsAgain => "starts again",
            Self::Grows => "starts again and grows",
            Self::Shrinks => "starts again and shrinks",
        }
    }
}

/// A time at which clocks tick by themselves.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Every {
    /// The clock ticks at the end of each round.
    Round,
    /// The clock ticks at the end of each scene.
    Scene,
    /// The clock ticks at each rest.
    Rest,
}

impl Every {
    /// All times, from the shortest to the longest period.
    pub const ALL: [Self; 3] = [Self::Round, Self::Scene, Self::Rest];
}
