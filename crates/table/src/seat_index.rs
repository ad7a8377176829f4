//! The acts in memory that can be undone, by seat, so that a frame need not search the log for them.

use std::collections::{BTreeSet, HashMap};

use super::{Seat, SeatId, SeatRole};

/// The numbers of the acts that hold.
#[derive(Debug, Default)]
pub(super) struct UndoIndex {
    all: BTreeSet<u64>,
    by_seat: HashMap<SeatId, BTreeSet<u64>>,
}

impl UndoIndex {
    pub(super) fn insert(&mut self, seat: SeatId, number: u64) {
        self.all.insert(number);
        self.by_seat.entry(seat).or_default().insert(number);
    }

    pub(super) fn remove(&mut self, seat: SeatId, number: u64) {
        self.all.remove(&number);
        if let Some(acts) = self.by_seat.get_mut(&seat) {
            acts.remove(&number);
            if acts.is_empty() {
                self.by_seat.remove(&seat);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the newest act that a seat may undo: for the GM an act of any seat, for a player an own act.
    pub(super) fn newest(&self, seat: &Seat) -> Option<u64> {
        match seat.role {
            SeatRole::Gm => self.all.last().copied(),
            SeatRole::Player if seat.id == SeatId::NOBODY => None,
            SeatRole::Player => self.by_seat.get(&seat.id)?.last().copied(),
            SeatRole::Watcher => None,
        }
    }
}
