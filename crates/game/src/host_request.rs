//! Requests of a game to its host.

use serde::{Deserialize, Serialize};

use super::{ClockId, HostRequestId};

/// An action of the host, requested by a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostAction {
    /// Advances a host clock, or sets it back.
    Tick {
        /// The id of the clock in the host's own game.
        clock: ClockId,
        by: i32,
    },
    /// Undoes an entry of the host's log. If the entry is an undo itself, redoes the action.
    #[serde(rename = "take-back")]
    Undo { entry: u64 },
}

/// A request to the host that a link or a roll has caused. The request is saved with the game until the host's log
/// shows that it was performed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRequest {
    pub id: HostRequestId,
    #[serde(rename = "act")]
    pub action: HostAction,
}

/// A player or GM in one of the host's games.
#[derive(Clone, Debug, Default, PartialEq, Eq, derive_more::Display, Serialize, Deserialize)]
#[display("{name} at {}", if game.is_empty() { "the host" } else { game })]
pub struct GameActor {
    pub name: String,
    /// The name of the game; empty for the host's own game.
    pub game: String,
    /// The saved request of the game that the action fulfils.
    #[serde(default, rename = "ask", skip_serializing_if = "Option::is_none")]
    pub request: Option<HostRequestId>,
}
