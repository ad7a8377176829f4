//! Who is told of every change, and for how long.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{News, OnNews, Table};

/// Those who are told.
#[derive(Default)]
pub(super) struct Watchers {
    told: Mutex<(u64, Vec<(u64, OnNews)>)>,
}

/// Somebody is told of every change for as long as this is kept.
#[derive(Debug)]
#[must_use = "dropping it ends the watching at once"]
pub struct Watching {
    table: Weak<Table>,
    number: u64,
}

impl Table {
    /// Has somebody told of every change, and of news of the saving, until the result is dropped. A
    /// watcher must not linger: the next one waits.
    pub fn watch(self: &Arc<Self>, watcher: OnNews) -> Watching {
        let mut told = self.watchers.lock();
        told.0 += 1;
        let number = told.0;
        told.1.push((number, watcher));
        Watching {
            table: Arc::downgrade(self),
            number,
        }
    }

    pub(super) fn tell(&self, news: &News) {
        for (_, watcher) in &self.watchers.lock().1 {
            watcher(news.clone());
        }
    }
}

impl Watchers {
    fn lock(&self) -> std::sync::MutexGuard<'_, (u64, Vec<(u64, OnNews)>)> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(table) = self.table.upgrade() {
            let mut told = table.watchers.lock();
            told.1.retain(|(number, _)| *number != self.number);
        }
    }
}
