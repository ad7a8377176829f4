//! The events and snapshots of a game that are known to be saved.

use std::collections::BTreeMap;
use std::time::Instant;

use chrono::{DateTime, Utc};
use tableside_store::backend::{ChainEnd, Checksums};
use tableside_store::{Block, Snapshot};

/// The time at which the game was opened, by two clocks. It converts an [`Instant`] to a date.
pub(crate) struct OpeningTime {
    pub(crate) date: DateTime<Utc>,
    pub(crate) instant: Instant,
}

/// The events and snapshots that this process has read or written.
pub(crate) struct SaveProgress {
    /// The last event.
    pub(crate) end: ChainEnd,
    /// True if the last event is in the journal. The snapshot may contain events that the journal has lost.
    pub(crate) is_end_in_journal: bool,
    /// The checksums at each event since the newest snapshot. A snapshot contains those of its last event.
    pub(crate) checksums: BTreeMap<u64, Checksums>,
    /// The last event in the newest snapshot.
    pub(crate) snapshot_last: u64,
    pub(crate) snapshot_due: Option<Instant>,
}

impl SaveProgress {
    pub(crate) fn new(block: &Block, snapshot: &Snapshot) -> Self {
        let journal_end = block.end().unwrap_or_default();
        let last = journal_end.n.max(snapshot.last);
        let checksums = Checksums {
            end: journal_end.crc,
            before: block.before_end().crc,
        };
        Self {
            end: ChainEnd {
                n: last,
                crc: journal_end.crc,
            },
            is_end_in_journal: journal_end.n > 0 && journal_end.n == last,
            checksums: BTreeMap::from([(last, checksums)]),
            snapshot_last: snapshot.last,
            snapshot_due: None,
        }
    }
}
