//! Reads the whole log, on all cores.

use std::sync::Arc;

use super::journal_entry::read;
use super::workers::map_files;
use super::{Entry, Filter, Seat, SeatView, Table};
use tableside_store::{Block, StoreError};

/// The number of entries that are redacted under one lock of the table.
const ENTRIES_PER_LOCK: usize = 256;

/// An entry as a seat reads it in the log.
#[derive(Clone, Debug)]
pub struct Logged {
    /// The redacted entry.
    pub entry: Arc<Entry>,
    /// The name of the scene in which it happened.
    pub scene: String,
    /// The number of the session in which it happened.
    pub session: usize,
    /// True if the entry was undone or replaced.
    pub is_struck: bool,
    /// True if a later entry amends it or rolls it again.
    pub is_replaced: bool,
}

impl SeatView<'_> {
    /// Returns an entry as this seat reads it in the log. `None` if the seat may not read it.
    pub fn logged(&self, entry: &Arc<Entry>) -> Option<Logged> {
        let entry = self.redact_entry(entry)?;
        Some(Logged {
            scene: self.scene_of(entry.number).name.clone(),
            session: self.session_of(entry.number),
            is_struck: self.is_struck(entry.number),
            is_replaced: self.replaced_by(entry.number).is_some(),
            entry,
        })
    }
}

impl Table {
    /// Passes the files of the journal with entries older than those in memory to `map`, on all cores, and the results
    /// to `take`, oldest first. `map` also gets the number of the oldest entry in memory. Returns the entries in memory.
    pub(super) fn map_older_files<T, E>(
        &self,
        map: impl Fn(&Block, u64) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<Vec<Arc<Entry>>, E>
    where
        T: Send,
        E: From<StoreError>,
    {
        let (recent, first, reader) = {
            let inner = self.look();
            let history = &inner.history;
            let recent: Vec<Arc<Entry>> = history.iter().cloned().collect();
            (recent, history.first(), inner.reader())
        };
        let Some(reader) = reader else {
            return Ok(recent);
        };
        if first <= 1 {
            return Ok(recent);
        }

        let map_intact = |mut block: Block| {
            let damage = block
                .damage()
                .into_iter()
                .find(|damage| damage.last_good + 1 < first);
            if damage.is_some() {
                block.remove_from_damage();
            }
            (map(&block, first), damage)
        };
        map_files(&reader, map_intact, |(mapped, damage)| -> Result<(), E> {
            take(mapped)?;
            match damage {
                Some(damage) => Err(StoreError::Damaged(damage).into()),
                None => Ok(()),
            }
        })?;
        Ok(recent)
    }

    /// Renders every entry that the seat may read and the filter lets through, on all cores, and passes the results to
    /// `take`, oldest first. Entries that are added after the call are left out. The table is not locked while entries
    /// are rendered.
    pub fn whole_log<T, E>(
        &self,
        seat: &Seat,
        filter: &Filter,
        render: impl Fn(Logged) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Send,
        E: From<StoreError>,
    {
        self.know_marks()?;

        let render_all = |entries: &[Arc<Entry>]| {
            let mut rendered = Vec::with_capacity(entries.len());
            for chunk in entries.chunks(ENTRIES_PER_LOCK) {
                let readable = self.read(seat, |view| readable_in(chunk, filter, view));
                for logged in readable {
                    rendered.push(render(logged));
                }
            }
            rendered
        };
        let render_file = |block: &Block, first: u64| {
            let mut entries = Vec::new();
            for record in block.records() {
                let record = record?;
                if record.n < first {
                    entries.extend(read(&record).map(Arc::new));
                }
            }
            Ok::<Vec<T>, StoreError>(render_all(&entries))
        };

        let recent = self.map_older_files(render_file, |rendered| {
            rendered?.into_iter().try_for_each(&mut take)
        })?;
        for chunk in recent.chunks(ENTRIES_PER_LOCK) {
            render_all(chunk).into_iter().try_for_each(&mut take)?;
        }
        Ok(())
    }
}

/// The entries that the seat may read and the filter lets through.
fn readable_in(entries: &[Arc<Entry>], filter: &Filter, view: &SeatView<'_>) -> Vec<Logged> {
    entries
        .iter()
        .filter_map(|entry| view.logged(entry))
        .filter(|logged| filter.lets_through(&logged.entry, view))
        .collect()
}
