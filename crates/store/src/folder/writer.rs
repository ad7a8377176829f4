//! Saving while playing: events go to the system at once, on the caller's thread, and to the disk right
//! after, on a thread of its own, which also writes the snapshots.
//!
//! After a sync has failed, the system may have dropped what it was given and call the next sync a success.
//! So all that the file should hold is written from memory to a new file, which takes its name when it is
//! safely on the disk. The same is done if another program overwrites the file or takes it away. Until then events still go to the old file too: a
//! crash of this program alone loses nothing.

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::disk::{self, AppendFile, Disk};
use super::lock::Lock;
use super::snapshot::{SnapshotWriter, sealed};
use super::{StoreError, folder};

#[path = "writer/state.rs"]
mod state;
#[cfg(test)]
#[path = "writer/tests.rs"]
mod tests;

pub(super) use state::State;
use state::{Distrust, Trouble, failed};

/// What the store asks of the game whose state it saves: of one in a folder on the store's own thread, which holds no
/// lock meanwhile; of one in a database `DatabaseGame` asks.
pub trait StoreClient: Send + Sync {
    /// The state as TOML, and the number of the last event in it.
    fn snapshot(&self) -> (String, u64);

    /// Something came of the saving, or did not: how it stood when that was begun, and how it stands now.
    fn saving_changed(&self, before: &Saving, now: &Saving);

    /// Another process may have written something.
    fn changed_elsewhere(&self) {}

    /// The host of the same game in another process, which has that number, says something.
    fn receive_message(self: Arc<Self>, _node: i64, _says: &str) {}

    /// Ten seconds have passed.
    fn tick(&self) {}
}

/// How saving stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saving {
    /// Everything is on the disk.
    Quiet,
    /// Something is on its way to the disk.
    Behind {
        /// Since when.
        since: Instant,
    },
    /// Something could not be saved; it is tried again by itself.
    Failing {
        /// When the oldest event that is not on the disk happened; `None` if only the snapshot is behind.
        at: Option<DateTime<Utc>>,
        /// In plain words.
        reason: String,
    },
}

/// What an open session and its saving thread share.
#[derive(Debug)]
pub(super) struct Writer {
    state: Mutex<State>,
    /// The thread waits for work here.
    work: Condvar,
    /// Who flushes waits here.
    done: Condvar,
    client: OnceLock<Weak<dyn StoreClient>>,
    /// Held while files are replaced by name, so that the folder keeps its name meanwhile.
    snapshots: Mutex<SnapshotWriter>,
    /// Given back when the last of both is gone.
    _lock: Lock,
}

impl Writer {
    pub(super) fn new(state: State, snapshots: SnapshotWriter, lock: Lock) -> Self {
        Self {
            state: Mutex::new(state),
            work: Condvar::new(),
            done: Condvar::new(),
            client: OnceLock::new(),
            snapshots: Mutex::new(snapshots),
            _lock: lock,
        }
    }

    /// Names whose state is saved, once.
    pub(super) fn attach(&self, client: Weak<dyn StoreClient>) {
        let _first = self.client.set(client);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere is no reason to stop saving; the state is whole between any two statements
        // that could panic.
        self.state.lock()
    }

    pub(super) fn snapshots(&self) -> MutexGuard<'_, SnapshotWriter> {
        self.snapshots.lock()
    }

    /// Wakes the thread that brings events to the disk.
    pub(super) fn wake(&self) {
        self.work.notify_one();
    }

    /// Waits for the thread while that is so, and at most this long; whether that was too short is told.
    pub(super) fn wait_while(
        &self,
        state: &mut MutexGuard<'_, State>,
        limit: Duration,
        goes_on: impl Fn(&State) -> bool,
    ) -> bool {
        self.wake();
        let waited = self
            .done
            .wait_while_for(state, |state| goes_on(state), limit);
        waited.timed_out()
    }

    fn tell(&self, before: &Saving) {
        let now = self.state().saving();
        if let Some(client) = self.client.get().and_then(Weak::upgrade) {
            // A fault of a screen that is told is no reason to stop saving.
            let _told = guarded(|| {
                client.saving_changed(before, &now);
                Ok(())
            });
        }
    }

    /// Works until the store is dropped. What is due is tried once, then those who flush are answered.
    pub(super) fn run(&self) {
        loop {
            let (asked, is_ending) = self.wait_for_work();
            // A snapshot must not know more than the journal on the disk.
            if self.save_journal() && self.is_snapshot_due(asked) {
                self.save_snapshot();
            }
            let mut state = self.state();
            state.answered = asked;
            state.has_ended = is_ending;
            drop(state);
            self.done.notify_all();
            if is_ending {
                return;
            }
        }
    }

    /// Sleeps until there is something to do; returns the number of flushes asked for, and whether it is
    /// the last time.
    fn wait_for_work(&self) -> (u64, bool) {
        let mut state = self.state();
        loop {
            let now = Instant::now();
            match state.next_work(now) {
                Some(due) if due <= now => return (state.asked, state.is_ending),
                Some(due) => drop(self.work.wait_until(&mut state, due)),
                None => self.work.wait(&mut state),
            }
        }
    }

    fn is_snapshot_due(&self, asked: u64) -> bool {
        let state = self.state();
        let due = state.next_snapshot();
        let is_due = due.is_some_and(|due| due <= Instant::now());
        is_due || (state.needs_snapshot() && asked > state.answered)
    }

    /// Brings all events to the disk, and tells how that went; whether it could.
    fn save_journal(&self) -> bool {
        if self.state().is_synced() {
            return true;
        }
        // The folder keeps its name while this is held.
        let snapshots = self.snapshots();
        let before = self.state().saving();
        let saved = guarded(|| self.bring_to_disk());
        drop(snapshots);
        let is_saved = saved.is_ok();
        let mut state = self.state();
        match saved {
            Ok(()) => state.trouble = None,
            Err(reason) => Trouble::grow(&mut state.trouble, reason),
        }
        drop(state);
        self.tell(&before);
        is_saved
    }

    /// Brings the events of now to the disk.
    fn bring_to_disk(&self) -> Result<(), String> {
        #[cfg(debug_assertions)]
        panic_if_told();
        let through = self.state().last;
        loop {
            self.sync_names()?;
            let mut state = self.state();
            if state.is_synced_through(through) {
                return Ok(());
            }
            if state.distrust.is_some() {
                drop(state);
                self.rewrite()?;
                continue;
            }
            let pushed = state.push();
            drop(state);
            // What the system did take can be brought to the disk in any case.
            self.sync_file()?;
            pushed?;
        }
    }

    /// Syncs the files and folders that are new.
    fn sync_names(&self) -> Result<(), String> {
        let began = Instant::now();
        let state = self.state();
        let (disk, folder) = (Arc::clone(&state.disk), state.folder.clone());
        let unsynced = state.unsynced.clone();
        drop(state);
        for path in &unsynced {
            // The folder around a session is not the one around what a symbolic link leads to.
            let synced = match folder.parent() {
                Some(around) if path == Path::new("..") => disk.sync(around),
                _ => disk.sync(&folder.join(path)),
            };
            synced.map_err(|error| failed("sync the session's folder", &error))?;
        }
        let mut state = self.state();
        // More may have come meanwhile.
        state.unsynced.drain(..unsynced.len());
        if !unsynced.is_empty() && state.waiting.is_empty() {
            state.note_progress(began);
        }
        Ok(())
    }

    /// Syncs the journal's open file; when it is long, the next one is begun.
    fn sync_file(&self) -> Result<(), String> {
        let mut state = self.state();
        let (taken, began) = (state.taken(), Instant::now());
        if taken == 0 {
            return Ok(());
        }
        let file = Arc::clone(&state.file);
        state.check_file();
        if state.distrust.is_some() {
            // Somebody took the file away, put another in its place or wrote to it: what we write, nobody would find.
            return Ok(());
        }
        drop(state);
        let synced = file.sync();
        let mut state = self.state();
        if let Err(error) = synced {
            state.distrust.get_or_insert(Distrust::Failed);
            return Err(failed("sync the journal", &error));
        }
        state.forget(taken, began);
        // Turning over is a convenience: events rather go into a long file than nowhere.
        state.turn_over().unwrap_or_default();
        Ok(())
    }

    /// Writes the open file afresh, from memory.
    fn rewrite(&self) -> Result<(), String> {
        let state = self.state();
        let (disk, file) = (Arc::clone(&state.disk), Arc::clone(&state.file));
        let path = state.path();
        let bytes = [&*state.synced, &*state.waiting].concat();
        let waiting = state.waiting.len();
        let keeps_file = state.distrust == Some(Distrust::Overwritten) || !file.is_at(&path);
        let began = Instant::now();
        drop(state);
        let fresh = replace(disk.as_ref(), keeps_file, &path, &bytes);
        let fresh = fresh.map_err(|error| failed("write the journal afresh", &error))?;
        self.state().replace(fresh, waiting, began);
        Ok(())
    }

    /// Writes a snapshot and tells what came of it.
    fn save_snapshot(&self) {
        self.state().snapshot_due = None;
        // A game that is gone cannot be asked; its last flush has been.
        let Some(client) = self.client.get().and_then(Weak::upgrade) else {
            return;
        };
        let written = guarded(|| {
            let written = self.write_snapshot(client.as_ref());
            written.map_err(|error| error.to_string())
        });
        let mut state = self.state();
        let before = state.saving();
        match written {
            Ok(last) => state.note_snapshot(last),
            Err(reason) => {
                state.snapshot_due = Some(Instant::now());
                Trouble::grow(&mut state.snapshot_trouble, reason);
            }
        }
        drop(state);
        self.tell(&before);
    }

    /// Writes a snapshot; returns the last event in it.
    fn write_snapshot(&self, client: &dyn StoreClient) -> Result<u64, StoreError> {
        let (text, last) = client.snapshot();
        // What happened since goes before it.
        self.state().check_file();
        if !self.state().is_synced_through(last) && !self.save_journal() {
            let path = self.state().folder.clone();
            let reason = "the journal before it is not saved".to_owned();
            return Err(StoreError::Unsaved { path, reason });
        }
        let mut snapshots = self.snapshots();
        let state = self.state();
        let (disk, folder) = (Arc::clone(&state.disk), state.folder.clone());
        let checksums = state.checksums_at(last);
        drop(state);
        snapshots.write(disk.as_ref(), &folder, &sealed(&text, last, checksums))?;
        Ok(last)
    }
}

/// Does something; a fault of this program that stops it is told as its failure.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| Err("this program has a fault, and stumbled".to_owned()))
}

/// Panics where a test says so, to see that play goes on: `TABLESIDE_PANIC=saving`.
#[cfg(debug_assertions)]
fn panic_if_told() {
    let told = std::env::var("TABLESIDE_PANIC").is_ok_and(|told| told == "saving");
    assert!(!told, "told to panic in saving");
}

/// Puts a file with these bytes in the place of an open one, which is kept under another name if it holds what
/// another program wrote.
fn replace(
    disk: &dyn Disk,
    keeps_file: bool,
    path: &Path,
    bytes: &[u8],
) -> io::Result<Arc<dyn AppendFile>> {
    let fresh = path.with_extension("jsonl.new");
    disk::remove_leftover(&fresh)?;
    // Somebody may have taken away the journal with its folder.
    if let Some(journal) = path.parent()
        && folder::make_missing(journal)?
        && let Some(session) = journal.parent()
    {
        disk.sync(session)?;
    }
    let file = disk.create(&fresh)?;
    disk::write_all(file.as_ref(), bytes)?;
    file.sync()?;
    if keeps_file && fs::symlink_metadata(path).is_ok() {
        // What somebody else put there is theirs, and is kept.
        disk.rename(path, &disk::free_name(path, "torn"))?;
    }
    disk.rename(&fresh, path)?;
    Ok(file)
}
