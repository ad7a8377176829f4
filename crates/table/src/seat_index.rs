//! Numbers of entries by seat, so that drawing a screen need not search the log.

use std::collections::{BTreeSet, HashMap};

use super::{Seat, SeatId, SeatRole};

/// The numbers of some entries: of all seats, and by seat.
#[derive(Debug, Default)]
pub(super) struct SeatIndex {
    all: BTreeSet<u64>,
    by_seat: HashMap<SeatId, BTreeSet<u64>>,
}

impl SeatIndex {
    pub(super) fn insert(&mut self, seat: SeatId, number: u64) {
        self.all.insert(number);
        self.by_seat.entry(seat).or_default().insert(number);
    }

    /// Inserts an entry that only its author may undo.
    pub(super) fn insert_private(&mut self, seat: SeatId, number: u64) {
        self.by_seat.entry(seat).or_default().insert(number);
    }

    pub(super) fn remove(&mut self, seat: SeatId, number: u64) {
        self.all.remove(&number);
        if let Some(numbers) = self.by_seat.get_mut(&seat) {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.by_seat.remove(&seat);
            }
        }
    }

    /// The number of entries.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the newest entry that a seat may undo. The GM may undo the entries of all seats, and a player may undo
    /// only own entries.
    pub(super) fn newest_for(&self, seat: &Seat) -> Option<u64> {
        match seat.role {
            SeatRole::Gm => self.all.last().copied(),
            SeatRole::Player => self.of_seat(seat).next_back(),
            SeatRole::Watcher => None,
        }
    }

    /// The entries of a seat, oldest first.
    pub(super) fn of_seat(&self, seat: &Seat) -> impl DoubleEndedIterator<Item = u64> {
        let numbers = if seat.id == SeatId::NOBODY {
            None
        } else {
            self.by_seat.get(&seat.id)
        };
        numbers.into_iter().flatten().copied()
    }
}
