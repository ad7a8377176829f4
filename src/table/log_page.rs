//! The whole log, stretch by stretch: read and shown without holding anybody up, and without keeping it.

use std::sync::Arc;

use super::history::read;
use super::{Entry, Seat, SeatView, Table};
use crate::store::StoreError;

/// So many events are looked at in one go; the table is held for as long as they take to be shown to a seat,
/// and not while they are read or written.
const STRETCH: u64 = 4096;

/// An entry as a seat reads it, and what the log says about it.
#[derive(Clone, Debug)]
pub struct Logged {
    /// The entry.
    pub entry: Arc<Entry>,
    /// The name of the scene in which it happened.
    pub scene: String,
    /// Whether it holds no longer.
    pub is_struck: bool,
}

impl SeatView<'_> {
    /// An event as this seat reads it in the log, with what the log says about it; none where it does not read it.
    pub(super) fn logged(&self, entry: &Arc<Entry>) -> Option<Logged> {
        let entry = self.lens().entry(entry, self.history())?;
        Some(Logged {
            scene: self.scene_of(entry.number).name.clone(),
            is_struck: self.is_struck(entry.number),
            entry,
        })
    }
}

impl Table {
    /// Hands over every entry that the seat may read and that is kept, oldest first, from the beginning of
    /// the log to its end when this began. Nobody waits while they are handed over.
    pub fn whole_log<E: From<StoreError>>(
        &self,
        seat: &Seat,
        keep: &dyn Fn(&Entry, &SeatView<'_>) -> bool,
        take: &mut dyn FnMut(&Logged) -> Result<(), E>,
    ) -> Result<(), E> {
        self.know_marks()?;
        let (last, reader) = {
            let inner = self.look();
            (inner.history.last(), inner.reader())
        };
        let mut from = 1;
        while from <= last {
            let to = (from + STRETCH).min(last + 1);
            let first = self.look().history.first();
            let mut far = Vec::new();
            if let Some(reader) = reader.as_ref().filter(|_| from < first) {
                let records = reader.read(from..to.min(first))?;
                far.extend(records.iter().filter_map(read).map(Arc::new));
            }
            let kept: Vec<Logged> = self.read(seat, |seen| {
                let near = seen.history().since(from.max(first));
                let near = near.take_while(|entry| entry.number < to);
                let all = far.iter().chain(near);
                let all = all.filter_map(|entry| seen.logged(entry));
                all.filter(|one| keep(&one.entry, seen)).collect()
            });
            for logged in kept {
                take(&logged)?;
            }
            from = to;
        }
        Ok(())
    }
}
