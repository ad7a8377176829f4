//! Finds the entries of the log that belong to an evening.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::{Entry, Filter, Seat, SeatView, Table};
use tableside_game::Game;
use tableside_store::StoreError;

/// A range of entries of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecapRange {
    /// The number of the first entry.
    pub first: u64,
    /// The number of the last entry.
    pub last: u64,
}

impl RecapRange {
    pub fn contains(&self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

/// The entries that a recap is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecapScope {
    /// The number of the session, from 1, if the entries are those of one session.
    pub session: Option<usize>,
    pub range: RecapRange,
}

impl RecapScope {
    /// The entries of a session. `None` if the game has not reached that session.
    pub fn session(game: &Game, session: usize) -> Option<Self> {
        let entries = game.session_entries(session)?;
        Some(Self {
            session: Some(session),
            range: RecapRange {
                first: *entries.start(),
                last: game.entries.min(*entries.end()),
            },
        })
    }

    /// The running session. If the seat can read no entry of it yet, the session before it.
    pub fn newest_session(view: &SeatView<'_>) -> Self {
        let game = view.game();
        let last = view
            .last_session()
            .and_then(|_| Self::session(game, game.sessions.len()));
        last.unwrap_or_else(|| Self::since_last_session(game))
    }

    /// The running session. It has no entries if the session before it has just ended.
    pub fn since_last_session(game: &Game) -> Self {
        let last = game.sessions.last();
        Self {
            session: Some(game.session_number()),
            range: RecapRange {
                first: last.map_or(1, |session| session.last_entry + 1),
                last: game.entries,
            },
        }
    }

    /// All entries since a time. `None` if there is no such entry.
    pub fn since(table: &Table, time: DateTime<Utc>) -> Result<Option<Self>, StoreError> {
        let mut first = None;
        for_each_entry(table, |entry| {
            if first.is_none() && entry.at >= time {
                first = Some(entry.number);
            }
        })?;
        Ok(first.map(|first| Self {
            session: None,
            range: RecapRange {
                first,
                last: table.last_event(),
            },
        }))
    }

    /// True if the evening has no entries.
    pub fn is_empty(&self) -> bool {
        self.range.first > self.range.last
    }
}

/// Calls `visit` with every entry that was not undone or replaced, oldest first.
fn for_each_entry(table: &Table, mut visit: impl FnMut(&Entry)) -> Result<(), StoreError> {
    let keep_held = |logged: crate::Logged| {
        if logged.is_struck {
            None
        } else {
            Some(logged.entry)
        }
    };
    table.whole_log(
        &Seat::gm(),
        &Filter::default(),
        keep_held,
        |entry: Option<Arc<Entry>>| {
            if let Some(entry) = entry {
                visit(&entry);
            }
            Ok(())
        },
    )
}
