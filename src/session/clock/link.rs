//! What happens to another clock when one is full.

use serde::{Deserialize, Serialize};

use crate::session::id::ClockId;

/// What a full clock does to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// It advances by one, and by what is left over.
    #[default]
    Advances,
    /// Players see it from then on; what is left over rolls on into it.
    Reveals,
    /// It stands still before, and runs from then on; what is left over rolls on into it.
    Starts,
}

impl Then {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Advances, Self::Reveals, Self::Starts];

    /// Its name in files, and between the names of both clocks.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Advances => "advances",
            Self::Reveals => "reveals",
            Self::Starts => "starts",
        }
    }

    /// What it does, in a sentence.
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Advances => "Full, it advances the other by what is left over, by one at least.",
            Self::Reveals => "Full, it shows the other to the players; what is left over rolls on.",
            Self::Starts => {
                "The other stands still until this one is full; what is left over rolls on into it."
            }
        }
    }
}

/// A clock's link to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Link {
    /// The other one.
    pub to: ClockId,
    /// What happens to it.
    pub then: Then,
}
