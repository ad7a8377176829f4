//! Plans the next snapshot.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::folder::writer::failure::Trouble;
use crate::snapshot::Checksums;

/// The last event of the newest snapshot, and the time of the next one.
#[derive(Debug)]
pub(in crate::folder) struct SnapshotPlan {
    /// The last event in the newest snapshot.
    last: u64,
    /// The time at which the next snapshot is due, if one is planned.
    pub(in crate::folder) due: Option<Instant>,
    interval: Duration,
    pub(super) trouble: Option<Trouble>,
    /// The checksums at each event since the newest snapshot. A snapshot contains those of its last event.
    checksums: BTreeMap<u64, Checksums>,
}

impl SnapshotPlan {
    /// `last` is the last event of the journal, with its checksums. A stale snapshot is written again at once.
    pub(super) fn new(
        last: u64,
        checksums: Checksums,
        interval: Duration,
        is_snapshot_stale: bool,
    ) -> Self {
        let mut plan = Self {
            last,
            due: None,
            interval,
            trouble: None,
            checksums: BTreeMap::from([(last, checksums)]),
        };
        if is_snapshot_stale {
            // A stale snapshot counts as one event behind.
            plan.last = last.saturating_sub(1);
            plan.due = Some(Instant::now());
        }
        plan
    }

    /// Records that an event was appended.
    pub(super) fn note_event(&mut self, number: u64, checksums: Checksums) {
        self.checksums.insert(number, checksums);
        let latest = Instant::now() + self.interval;
        self.due.get_or_insert(latest);
    }

    /// Records that a snapshot with all events up to `last` was written.
    pub(super) fn note_written(&mut self, last: u64) {
        self.last = last;
        self.trouble = None;
        self.checksums = self.checksums.split_off(&last);
    }

    /// Returns the checksums at an event that is not older than the newest snapshot.
    pub(super) fn checksums_at(&self, number: u64) -> Option<Checksums> {
        self.checksums.get(&number).copied()
    }

    /// Returns true if the newest snapshot lacks the event.
    pub(super) fn lacks(&self, event: u64) -> bool {
        event > self.last
    }

    /// Returns the time of the next snapshot, in a journal that ends with the event `last`.
    pub(super) fn next(&self, last: u64) -> Option<Instant> {
        if !self.lacks(last) {
            return None;
        }
        let planned = self.due?;
        match &self.trouble {
            Some(trouble) => Some(planned.max(trouble.retry_at)),
            None => Some(planned),
        }
    }
}
