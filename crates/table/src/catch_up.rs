//! Catching up with what other processes wrote: in a database they may act at the same time, and a game that is only
//! looked at is played elsewhere.

use std::sync::Arc;

use parking_lot::RwLockWriteGuard;

use super::journal_entry::read;
use super::{Entry, Inner, News, Table, own_rules};
use tableside_store::{Record, StoreError};

impl Table {
    /// Takes in what another process has written to the log, of a game that is only looked at or one of a database;
    /// returns that, oldest first. A line that is not written whole yet is damage for a moment.
    pub fn catch_up(&self) -> Result<Vec<Arc<Entry>>, StoreError> {
        let _turn = self.turn.lock();
        let mut inner = self.inner();
        let entries = Inner::take_in(&mut inner)?;
        drop(inner);
        if !entries.is_empty() {
            self.tell(&News::Changed);
        }
        Ok(entries)
    }
}

impl Inner {
    /// Takes in what other processes wrote, oldest first, and counts it; screens are told afterwards.
    pub(super) fn take_in(
        inner: &mut RwLockWriteGuard<'_, Self>,
    ) -> Result<Vec<Arc<Entry>>, StoreError> {
        let Some(store) = inner.store.clone() else {
            return Ok(Vec::new());
        };
        if inner.hides_journal() {
            return Ok(Vec::new());
        }
        let last = inner.history.last();
        let records = RwLockWriteGuard::unlocked(inner, || store.catch_up(last))?;
        let known = |record: &Record| {
            read(record).or_else(|| {
                // It may name rules that were taken elsewhere.
                own_rules::rules_beside(&store.place());
                read(record)
            })
        };
        let entries: Vec<_> = records.iter().filter_map(known).map(Arc::new).collect();
        for entry in &entries {
            inner.absorb(entry);
            let kind = inner.touched_by(entry);
            inner.revision.count(kind);
        }
        Ok(entries)
    }
}
