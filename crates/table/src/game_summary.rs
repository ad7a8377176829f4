//! Summaries of games, for lists.

use chrono::{DateTime, Utc};
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
    /// The number of sessions that have ended.
    pub sessions: u64,
    /// When the last session ended.
    pub last_session: Option<DateTime<Utc>>,
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
            sessions: game.sessions.len() as u64,
            last_session: game.sessions.last().map(|session| session.ended),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_of_the_version_before_is_refused_and_therefore_computed_again() {
        let summary = GameSummary {
            system: "gnosis".to_owned(),
            system_name: "Gnosis".to_owned(),
            characters: 3,
            clocks: 2,
            rolls: 21,
            sessions: 4,
            last_session: Some(DateTime::UNIX_EPOCH),
        };
        let mut json = serde_json::to_value(&summary).unwrap();
        let read = serde_json::from_value::<GameSummary>(json.clone());
        assert_eq!(read.unwrap(), summary);

        let fields = json.as_object_mut().unwrap();
        fields.remove("sessions");
        fields.remove("last_session");
        serde_json::from_value::<GameSummary>(json).unwrap_err();
    }
}
