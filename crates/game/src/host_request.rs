//! What a game asks of the house that it is one of, and where something was done.

use serde::{Deserialize, Serialize};

use super::{ClockId, HostRequestId};

/// What a game asks of its house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostAction {
    /// Advances a clock of the house, or sets it back.
    Tick {
        /// By its number in the house.
        clock: ClockId,
        by: i32,
    },
    /// Takes an entry of the house back, or brings back what that entry took back.
    TakeBack { entry: u64 },
}

/// What a game wants its house to do and has not seen done yet: a link or a roll led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRequest {
    pub id: HostRequestId,
    pub act: HostAction,
}

/// In which game of a house something was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, derive_more::Display, Serialize, Deserialize)]
#[display("{name} at {}", if game.is_empty() { "the house" } else { game })]
pub struct GameActor {
    /// The name of the one who did it.
    pub name: String,
    /// Empty for the house itself.
    pub game: String,
    /// The ask of that game that it fulfils.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<HostRequestId>,
}
