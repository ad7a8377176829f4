//! The log as a seat may read it.

use std::sync::Arc;

use super::SeatView;
use crate::session::EventKind;
use crate::table::Entry;

impl<'a> SeatView<'a> {
    /// The log as far as it is in memory, newest first: what people want to read, and this seat may.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = Arc<Entry>> + '_ {
        let lens = self.lens();
        let entries = self.history.iter().rev();
        entries.filter_map(move |entry| lens.entry(entry, self.history))
    }

    /// The numbers of the resolved checks and of the free dice among it, newest first.
    pub fn rolled(&self) -> impl Iterator<Item = u64> + '_ {
        let fell =
            |what: &EventKind| what.resolved().is_some() || matches!(what, EventKind::Thrown(_));
        let rolls = self.readable_rolls();
        rolls
            .filter(move |entry| fell(&entry.event.what))
            .map(|entry| entry.number)
    }

    /// Rolls of which this seat reads more than that there was one.
    fn readable_rolls(&self) -> impl Iterator<Item = &'a Arc<Entry>> + '_ {
        let lens = self.lens();
        let entries = self.history.iter().rev();
        entries.filter(move |entry| {
            let what = &entry.event.what;
            let sees = |who| lens.sees_rolls_of(who, what.hidden_from().0);
            what.roller().is_some_and(|(_, who)| sees(who))
        })
    }

    /// The log from that event on, as far as it is in memory, oldest first.
    pub fn log_since(&self, number: u64) -> impl DoubleEndedIterator<Item = Arc<Entry>> + '_ {
        let lens = self.lens();
        let entries = self.history.since(number);
        entries.filter_map(move |entry| lens.entry(entry, self.history))
    }

    /// Whether there is something that this seat may take back; also where that may lie in a part of the
    /// log that is not in memory.
    pub fn has_undo(&self) -> bool {
        let held = self.history.to_undo(|entry| self.seat.may_undo(entry));
        held.is_some() || self.history.first() > 1
    }

    /// How many entries the log has, also those that are not in memory; for players those that they
    /// may read and that are.
    pub fn log_length(&self) -> u64 {
        if self.seat.sees_all() {
            self.session.entries
        } else {
            self.log().count() as u64
        }
    }

    /// How many resolved checks the log has, as [`log_length`](Self::log_length) counts.
    pub fn rolls(&self) -> u64 {
        if self.seat.sees_all() {
            self.session.rolls
        } else {
            let checks = self.readable_rolls();
            checks.filter(|entry| entry.roll().is_some()).count() as u64
        }
    }

    /// An entry of the log.
    pub fn entry(&self, number: u64) -> Option<Arc<Entry>> {
        self.history
            .entry(number)
            .and_then(|entry| self.lens().entry(&entry, self.history))
    }

    /// Whether that event is in memory.
    pub fn has(&self, number: u64) -> bool {
        self.history.entry(number).is_some()
    }

    /// The number of the oldest event in memory; 1 where the whole log is.
    pub fn log_reaches_to(&self) -> u64 {
        self.history.first()
    }

    /// The number of the last event.
    pub fn last_event(&self) -> u64 {
        self.history.last()
    }

    /// The number of an entry as it is told: players are told none, for a gap between two tells of what is
    /// hidden.
    pub fn tag(&self, number: u64) -> String {
        if self.seat.sees_all() {
            format!("#{number}")
        } else {
            String::new()
        }
    }

    /// The entry that holds no longer because of this one, which reads or rolls it again.
    pub fn replaces(&self, number: u64) -> Option<u64> {
        self.history.entry(number)?.event.what.replaces()
    }

    /// Whether an entry holds no longer: it was struck, taken back, or read or rolled again.
    pub fn is_struck(&self, number: u64) -> bool {
        self.history.is_struck(number)
    }

    /// The entry that holds instead of this one, which was amended or rolled again.
    pub fn replaced_by(&self, number: u64) -> Option<u64> {
        self.entry(number)
            .filter(|entry| entry.roll().is_some())
            .and_then(|entry| self.history.replaced_by(entry.number))
    }
}
