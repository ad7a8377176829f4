//! What a game asks of the host that it is one of, and where something was done.

use serde::{Deserialize, Serialize};

use super::{ClockId, HostRequestId};

/// What a game asks of its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostAction {
    /// Advances a clock of the host, or sets it back.
    Tick {
        /// By its number in the host.
        clock: ClockId,
        by: i32,
    },
    /// Takes an entry of the host back, or brings back what that entry took back.
    TakeBack { entry: u64 },
}

/// What a game wants its host to do and has not seen done yet: a link or a roll led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRequest {
    pub id: HostRequestId,
    pub act: HostAction,
}

/// In which game of a host something was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, derive_more::Display, Serialize, Deserialize)]
#[display("{name} at {}", if game.is_empty() { "the host" } else { game })]
pub struct GameActor {
    /// The name of the one who did it.
    pub name: String,
    /// Empty for the host itself.
    pub game: String,
    /// The ask of that game that it fulfils.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<HostRequestId>,
}
