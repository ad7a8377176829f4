//! Where a table's game is kept, and what the store asks of the table whose state it saves.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::history::WithText;
use super::{Inner, News, Problem, Table};
use crate::store::{By, Host, Name, NewEvent, Options, Store, StoreError};

impl Host for Table {
    fn snapshot(&self) -> (String, u64) {
        // Written out after the lock is free: no key waits for it.
        let (session, last) = {
            let inner = self.look();
            (inner.session.clone(), inner.history.last())
        };
        (session.to_toml(), last)
    }

    fn saving_changed(&self) {
        self.tell(&News::Saving);
    }
}

impl Table {
    /// Keeps a game that had no folder before its first change, because others are to join it.
    pub fn keep_now(self: &Arc<Self>) -> Result<(), Problem> {
        let mut inner = self.inner();
        if inner.store.is_none() {
            let at = (self.clock)();
            self.keep(&mut inner, at)?;
        }
        Ok(())
    }

    /// Gives the session that name; a game without a folder is kept under it from now on.
    pub fn rename(self: &Arc<Self>, data: &Path, name: &Name) -> Result<(), Problem> {
        let folder = name.in_folder(data);
        let mut inner = self.inner();
        if let Some(store) = &inner.store {
            store.rename(&folder)?;
        } else {
            let at = (self.clock)();
            self.keep_in(&mut inner, &folder, at)?;
        }
        self.tell_change(inner);
        Ok(())
    }

    /// Keeps a game that had no folder, from its first change on, as `unsaved-…`.
    pub(super) fn keep(
        self: &Arc<Self>,
        inner: &mut Inner,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let Some(data) = inner.data.clone() else {
            return Ok(());
        };
        let folder = crate::store::unsaved(&data);
        self.keep_in(inner, &folder, at)
    }

    fn keep_in(
        self: &Arc<Self>,
        inner: &mut Inner,
        folder: &Path,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let system = inner.session.system;
        let entries = inner.history.iter().map(|entry| NewEvent {
            at: entry.at,
            by: By {
                name: &entry.by,
                seat: entry.seat.0,
            },
            event: WithText::new(&entry.event, system),
        });
        let entries: Vec<_> = entries.collect();
        let state = inner.session.to_toml();
        let opened = Store::create(folder, &Options::new(at), &state, &entries)?;
        self.serve(inner, opened.store);
        Ok(())
    }

    /// Plays on in that store.
    fn serve(self: &Arc<Self>, inner: &mut Inner, store: Store) {
        store.serve(Arc::<Self>::downgrade(self));
        inner.store = Some(Arc::new(store));
        self.open_ipc(inner);
    }
}
