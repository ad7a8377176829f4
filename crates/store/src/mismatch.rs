//! A snapshot and a journal that belong to different histories.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// A snapshot whose newest event is not in the journal. The two files belong to different histories, or the journal has
/// lost its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{} and {} do not belong together: the state was saved after event {reached}, and the journal {finding}",
    snapshot.display(),
    journal.display()
)]
pub struct Mismatch {
    /// The file of the snapshot.
    pub snapshot: PathBuf,
    /// The journal file that should contain the event.
    pub journal: PathBuf,
    /// The number of the newest event in the snapshot.
    pub reached: u64,
    /// The contents of the journal at that event.
    pub finding: MismatchFinding,
    /// True if the previous snapshot belongs to the journal, so that the game can continue from it.
    pub before_belongs: bool,
}

/// The contents of a journal that lacks the newest event of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MismatchFinding {
    /// The journal has another event with this number.
    #[error("has a different event {0}")]
    OtherEvent(u64),
    /// The journal has earlier and later events, but no event with this number.
    #[error("lacks that event")]
    Gap,
    /// The journal has only earlier events.
    #[error("ends with event {0}")]
    EndsBefore(u64),
    /// The journal has no events.
    #[error("is empty or missing")]
    Empty,
}

impl MismatchFinding {
    /// Describes a journal. `newest` is its newest event up to `wanted`, `last` its last event; 0 means no event.
    pub fn new(newest: u64, last: u64, wanted: u64) -> Self {
        if last == 0 {
            Self::Empty
        } else if last < wanted {
            Self::EndsBefore(last)
        } else if newest < wanted {
            Self::Gap
        } else {
            Self::OtherEvent(wanted)
        }
    }
}

impl Mismatch {
    pub(crate) fn hint(&self) -> String {
        let choice = if self.before_belongs {
            "to continue from either the journal or the saved state"
        } else {
            "to continue from the saved state alone"
        };
        format!(
            "no file was changed; restore the matching file, or open the game in a terminal {choice}"
        )
    }
}

/// Describes the events that a snapshot contains and the journal has lost. `last` is the last event of the journal, and
/// `reached` the last event of the snapshot.
pub fn describe_lost_events(game: &Path, last: u64, reached: u64) -> String {
    let first_lost = last + 1;
    let events = if first_lost == reached {
        format!("event {reached}")
    } else {
        format!("events {first_lost} to {reached}")
    };
    format!(
        "The journal of {} lacks {events}: the saved state contains their effects, but the log does not show them.",
        game.display()
    )
}
