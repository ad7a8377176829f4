//! The figures that a table keeps while it is open.

use super::Tally;
use crate::rules::System;
use crate::session::Event;

/// The figures of all events from one on.
#[derive(Debug, Default)]
pub(in crate::table) struct Running {
    tally: Tally,
    /// The first event that is counted; nothing while none is.
    from: Option<u64>,
}

impl Running {
    /// The figures.
    pub(in crate::table) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The first event that is counted, `next` while none is.
    pub(in crate::table) fn from(&self, next: u64) -> u64 {
        self.from.unwrap_or(next)
    }

    /// Counts the next event, of that number.
    pub(in crate::table) fn absorb(&mut self, number: u64, event: &Event, system: System) {
        self.from.get_or_insert(number);
        self.tally.absorb(event, system);
    }

    /// Adds the figures of all events before `below`, the first one counted.
    pub(in crate::table) fn reach_back(&mut self, mut older: Tally, below: u64, next: u64) {
        // Somebody else may have counted them meanwhile.
        if self.from(next) == below {
            older.merge(std::mem::take(&mut self.tally));
            self.tally = older;
            self.from = Some(1);
        }
    }
}
