//! Counting all events of a log for the statistics, in the background and on all cores.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use super::journal_entry::{kind_of, read_line};
use super::marks::Mark;
use super::{LogTally, Table};
use tableside_game::EntityKind;
use tableside_rules::System;
use tableside_store::{Block, StoreError};

impl Table {
    /// Counts all events on a thread and wakes every screen when that is done. Calls after the first have no effect; later
    /// events are counted as they happen.
    pub fn count_in_background(self: &Arc<Self>) {
        if self.is_counting.swap(true, Ordering::Relaxed) {
            return;
        }

        let table = Arc::clone(self);
        let count = move || {
            // If the journal cannot be read, the statistics show the number of their first event.
            if table.count_all().is_ok() {
                table.tell_change(table.inner(), EntityKind::Game);
            }
        };
        let thread = thread::Builder::new().name("count".to_owned());
        if thread.spawn(count).is_err() {
            self.is_counting.store(false, Ordering::Relaxed);
        }
    }

    /// Counts all events for the statistics. It reads the whole journal on all cores without locking the table.
    pub fn count_all(&self) -> Result<(), StoreError> {
        let system = self.look().game.system;
        let mut tally = LogTally::default();
        let recent = self.map_older_files(
            |block, first| count_file(block, first, system),
            |counted| {
                tally.append(counted);
                Ok::<(), StoreError>(())
            },
        )?;
        for entry in &recent {
            tally.count(entry.number, &entry.event, system);
        }
        tally.apply_corrections();

        let through = recent.last().map_or(0, |entry| entry.number);
        self.inner().history.counted(tally, through, system);
        Ok(())
    }
}

/// Counts the events of a file before `first`.
fn count_file(block: &Block, first: u64, system: System) -> LogTally {
    let mut tally = LogTally::default();
    for (number, line) in block.lines() {
        if number < first
            && may_be_counted(line)
            && let Some(entry) = read_line(line)
        {
            tally.count(number, &entry.event, system);
        }
    }
    tally
}

/// False if the statistics do not depend on the event in a line of the journal.
fn may_be_counted(line: &[u8]) -> bool {
    let Some(kind) = kind_of(line) else {
        return true;
    };
    let is_roll = ["rolled", "incomplete", "thrown"].contains(&kind);
    is_roll || Mark::KINDS.contains(&kind)
}
