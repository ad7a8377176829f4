//! What a view works out of the last rolls, kept until there are others.

use std::cell::Cell;

use crate::table::{SeatView, Section};

/// Something that depends on the rolls a seat sees and on a width.
#[derive(Debug)]
pub(super) struct Memo<T: Copy>(Cell<Option<(Key, T)>>);

/// When the rolls last changed, whose eyes see them, and the width.
type Key = (u64, bool, u16);

impl<T: Copy> Default for Memo<T> {
    fn default() -> Self {
        Self(Cell::new(None))
    }
}

impl<T: Copy> Memo<T> {
    /// What was made of these rolls for this width, made now if it was not before.
    pub(super) fn get(&self, seen: &SeatView<'_>, width: u16, make: impl FnOnce() -> T) -> T {
        let rolls = seen.revisions().section(Section::Rolls);
        let key = (rolls, seen.seat().sees_all(), width);
        if let Some((known, found)) = self.0.get()
            && known == key
        {
            return found;
        }
        let found = make();
        self.0.set(Some((key, found)));
        found
    }

    /// Forgets it: other eyes see the rolls.
    pub(super) fn forget(&self) {
        self.0.set(None);
    }
}
