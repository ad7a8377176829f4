//! Sessions: the evenings of a game.

use std::ops::RangeInclusive;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Game;

/// A session that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EndedSession {
    pub ended: DateTime<Utc>,
    /// The name of its last scene. Empty if the scene has no name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scene: String,
    /// The number of the log entry that ended it.
    pub last_entry: u64,
}

impl Game {
    /// The number of the current session, from 1.
    pub fn session_number(&self) -> usize {
        self.sessions.len() + 1
    }

    /// The numbers of the log entries of a session. The current session has no end yet, so its last number is `u64::MAX`.
    /// `None` if the game has not reached that session.
    pub fn session_entries(&self, session: usize) -> Option<RangeInclusive<u64>> {
        let index = session.checked_sub(1)?;
        if index > self.sessions.len() {
            return None;
        }

        let previous = index
            .checked_sub(1)
            .and_then(|index| self.sessions.get(index));
        let first = previous.map_or(1, |previous| previous.last_entry + 1);
        let last = self
            .sessions
            .get(index)
            .map_or(u64::MAX, |ended| ended.last_entry);
        Some(first..=last)
    }

    /// The session in which a log entry was written, from 1.
    pub fn session_of(&self, entry: u64) -> usize {
        let is_earlier = |session: &&EndedSession| session.last_entry < entry;
        self.sessions.iter().filter(is_earlier).count() + 1
    }

    /// The session that ended last, if no act has followed it. Opening the game then begins its next session.
    pub fn last_session(&self) -> Option<&EndedSession> {
        let last = self.sessions.last()?;
        (last.last_entry >= self.entries).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_rules::System;

    fn game_with_sessions_ending_at(last_entries: &[u64]) -> Game {
        let mut game = Game::new(System::GNOSIS);
        game.sessions = last_entries
            .iter()
            .map(|last_entry| EndedSession {
                ended: DateTime::UNIX_EPOCH,
                scene: String::new(),
                last_entry: *last_entry,
            })
            .collect();
        game
    }

    #[test]
    fn every_entry_belongs_to_the_session_that_its_range_says() {
        let game = game_with_sessions_ending_at(&[40, 41, 100]);
        assert_eq!(game.session_number(), 4);
        for (session, entries) in [
            (1, 1..=40),
            (2, 41..=41),
            (3, 42..=100),
            (4, 101..=u64::MAX),
        ] {
            assert_eq!(game.session_of(*entries.start()), session);
            assert_eq!(game.session_of(*entries.end()), session);
            assert_eq!(game.session_entries(session), Some(entries));
        }
        assert_eq!(game.session_entries(0), None);
        assert_eq!(game.session_entries(5), None);
    }

    #[test]
    fn a_session_is_the_last_one_until_something_is_done() {
        let mut game = game_with_sessions_ending_at(&[40]);
        game.entries = 40;
        assert!(game.last_session().is_some());
        game.entries = 41;
        assert!(game.last_session().is_none());
    }
}
