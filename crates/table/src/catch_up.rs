//! Reads the events of other processes. Several processes can write to a game in a database, and another process may be
//! playing a game that is open read-only here.

use std::sync::Arc;

use parking_lot::RwLockWriteGuard;

use super::journal_entry::read;
use super::{Entry, Inner, Table, TableChange, own_rules};
use tableside_store::{GameStore, Record, StoreError};

impl Table {
    /// Reads and applies the events that another process has written, and returns them, oldest first.
    ///
    /// A line that the other process is still writing is reported as damage.
    pub fn catch_up(&self) -> Result<Vec<Arc<Entry>>, StoreError> {
        let _turn = self.turn.lock();
        let mut inner = self.inner();
        let entries = Inner::read_new_events(&mut inner)?;
        drop(inner);
        if !entries.is_empty() {
            self.notify(&TableChange::Changed);
        }
        Ok(entries)
    }
}

impl Inner {
    /// Reads, applies and counts the events of other processes, oldest first. The caller wakes the screens.
    pub(super) fn read_new_events(
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
        let entries: Vec<Arc<Entry>> = records
            .iter()
            .filter_map(|record| read_with_rules(record, &*store))
            .map(Arc::new)
            .collect();
        for entry in &entries {
            inner.absorb(entry);
            let kind = inner.touched_by(entry);
            inner.revision.count(kind);
        }
        Ok(entries)
    }
}

/// Reads an entry. If the entry names unknown rules, loads the copies of rules that another process may have added to
/// the game.
fn read_with_rules(record: &Record, store: &dyn GameStore) -> Option<Entry> {
    read(record).or_else(|| {
        own_rules::load_kept_rules(&store.location());
        read(record)
    })
}
