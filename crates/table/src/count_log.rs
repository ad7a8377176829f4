//! Counts all events of a log for the statistics, in the background and on all cores.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use super::journal_entry::{kind_of, read_line};
use super::marks::Mark;
use super::{LogTally, Seat, Statistics, Table};
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
            // If the journal cannot be read, the statistics count only the entries in memory, and screens say from which entry on.
            if table.count_all().is_ok() {
                table.notify_change(table.inner(), EntityKind::Game);
            }
        };
        let thread = thread::Builder::new().name("count".to_owned());
        if thread.spawn(count).is_err() {
            self.is_counting.store(false, Ordering::Relaxed);
        }
    }

    /// Counts all events for the statistics. Reads the whole journal on all cores without locking the table.
    pub fn count_all(&self) -> Result<(), StoreError> {
        let system = self.look().game.system;
        let (tally, through) = self.count_entries(&(1..=u64::MAX))?;
        self.inner().history.set_tally(tally, through, system);
        Ok(())
    }

    /// The statistics of one session as a seat may see them. Reads the journal if the session began before the entries
    /// in memory. `None` if the game has not reached that session.
    pub fn session_statistics(
        &self,
        seat: &Seat,
        session: usize,
    ) -> Result<Option<Statistics>, StoreError> {
        let Some(entries) = self.look().game.session_entries(session) else {
            return Ok(None);
        };
        let (tally, _) = self.count_entries(&entries)?;
        let statistics = self.read(seat, |view| view.statistics_of(*entries.start(), &tally));
        Ok(Some(statistics))
    }

    /// Counts a range of events. Also returns the number of the last event in memory.
    fn count_entries(&self, range: &RangeInclusive<u64>) -> Result<(LogTally, u64), StoreError> {
        let system = self.look().game.system;
        let mut tally = LogTally::default();
        let recent = self.map_older_files(
            |block, first| count_file(block, first, range, system),
            |counted| {
                tally.append(counted);
                Ok::<(), StoreError>(())
            },
        )?;
        for entry in &recent {
            if range.contains(&entry.number) {
                tally.count(entry.number, &entry.event, system);
            }
        }
        tally.apply_corrections();

        let through = recent.last().map_or(0, |entry| entry.number);
        Ok((tally, through))
    }
}

/// Counts the events of a file that are in the range and before `first`.
fn count_file(block: &Block, first: u64, range: &RangeInclusive<u64>, system: System) -> LogTally {
    let mut tally = LogTally::default();
    for (number, line) in block.lines() {
        if number < first
            && range.contains(&number)
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
