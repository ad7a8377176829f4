//! Summaries of games, for lists.

use serde::{Deserialize, Serialize};

use crate::{Seat, Table};

/// A game as a list of games shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSummary {
    /// The id of the rule system.
    pub system: String,
    /// The name of the rule system.
    pub system_name: String,
    /// The number of characters in the party.
    pub characters: u64,
    pub clocks: u64,
    /// The number of rolls since the game began.
    pub rolls: u64,
}

impl Table {
    /// Summarises the game as the GM sees it.
    pub fn summary(&self) -> GameSummary {
        self.read(&Seat::gm(), |game| GameSummary {
            system: game.system().id().to_owned(),
            system_name: game.system().spec().name.to_owned(),
            characters: game.roster().count() as u64,
            clocks: game.clocks().count() as u64,
            rolls: game.rolls(),
        })
    }
}
