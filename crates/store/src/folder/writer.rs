//! Saving during play.
//!
//! The calling thread passes each event to the operating system at once. The saving thread syncs it to the disk a moment
//! later, and also writes the snapshots.
//!
//! After a failed sync, the operating system may have dropped the bytes, and may report success for the next sync. So the
//! saving thread writes everything that the file should contain from memory to a new file, which takes the name of the
//! old one when it is on the disk. It does the same if another program overwrites or removes the file. Until then, events
//! are also appended to the old file, so that a crash of this program alone loses no events.

mod failure;
mod open_file;
mod snapshot_plan;
mod state;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::error::{Result, StoreError};
use crate::folder::create_missing_folder;
use crate::folder::disk::{self, AppendFile, Disk};
use crate::folder::lock::Lock;
use crate::folder::snapshot_writer::SnapshotWriter;
use crate::game_store::{Saving, StoreClient};
use crate::snapshot::seal_snapshot;

use failure::{Distrust, Trouble, describe_failure};
pub(super) use state::State;

/// The data that an open game and its saving thread share.
#[derive(Debug)]
pub(super) struct Writer {
    state: Mutex<State>,
    /// Wakes the saving thread.
    work: Condvar,
    /// Wakes the threads that wait for the saving thread.
    done: Condvar,
    client: OnceLock<Weak<dyn StoreClient>>,
    /// Locked while files are replaced, so that the game's folder keeps its name.
    snapshots: Mutex<SnapshotWriter>,
    /// Released when both the game and the thread have ended.
    _lock: Lock,
}

/// The reason why the saving thread woke up.
struct Work {
    /// The number of flushes that were requested.
    flushes_requested: u64,
    is_ending: bool,
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

    pub(super) fn attach(&self, client: Weak<dyn StoreClient>) {
        // Later calls have no effect.
        let _is_first = self.client.set(client);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // The lock is not poisoned by a panic of its holder: the state is consistent between any two statements that
        // could panic, and saving has to continue.
        self.state.lock()
    }

    pub(super) fn snapshots(&self) -> MutexGuard<'_, SnapshotWriter> {
        self.snapshots.lock()
    }

    /// Wakes the saving thread.
    pub(super) fn wake(&self) {
        self.work.notify_one();
    }

    /// Waits for the saving thread while the condition is true. Returns true if it has waited for `limit`.
    pub(super) fn wait_while(
        &self,
        state: &mut MutexGuard<'_, State>,
        limit: Duration,
        condition: impl Fn(&State) -> bool,
    ) -> bool {
        self.wake();
        self.done
            .wait_while_for(state, |state| condition(state), limit)
            .timed_out()
    }

    fn client(&self) -> Option<Arc<dyn StoreClient>> {
        self.client.get().and_then(Weak::upgrade)
    }

    /// Reports the progress of saving to the client.
    fn report(&self, before: &Saving) {
        let now = self.state().saving();
        if let Some(client) = self.client() {
            // A panic of the client must not stop saving.
            let _reported = catch_panic(|| {
                client.saving_changed(before, &now);
                Ok(())
            });
        }
    }

    /// Runs the saving thread until the game is dropped. Each round tries every due task once; then the flushes that
    /// were requested before it return.
    pub(super) fn run(&self) {
        loop {
            let work = self.wait_for_work();

            // A snapshot must not contain more events than the journal on the disk.
            if self.save_journal() && self.is_snapshot_due(work.flushes_requested) {
                self.save_snapshot();
            }

            let mut state = self.state();
            state.flushes_done = work.flushes_requested;
            state.has_ended = work.is_ending;
            drop(state);
            self.done.notify_all();

            if work.is_ending {
                return;
            }
        }
    }

    fn wait_for_work(&self) -> Work {
        let mut state = self.state();
        loop {
            let now = Instant::now();
            match state.next_work(now) {
                Some(due) if due <= now => {
                    return Work {
                        flushes_requested: state.flushes_requested,
                        is_ending: state.is_ending,
                    };
                }
                Some(due) => {
                    self.work.wait_until(&mut state, due);
                }
                None => self.work.wait(&mut state),
            }
        }
    }

    fn is_snapshot_due(&self, flushes_requested: u64) -> bool {
        let state = self.state();
        if state.needs_snapshot() && flushes_requested > state.flushes_done {
            return true;
        }
        match state.next_snapshot() {
            Some(due) => due <= Instant::now(),
            None => false,
        }
    }

    /// Syncs all events to the disk, and reports the result. Returns true if it succeeded.
    fn save_journal(&self) -> bool {
        if self.state().is_synced() {
            return true;
        }

        // The game's folder keeps its name while this lock is held.
        let snapshots = self.snapshots();
        let saving_before = self.state().saving();
        let result = catch_panic(|| self.sync_events());
        drop(snapshots);

        let is_saved = result.is_ok();
        let mut state = self.state();
        match result {
            Ok(()) => state.trouble = None,
            Err(reason) => Trouble::record(&mut state.trouble, reason),
        }
        drop(state);

        self.report(&saving_before);
        is_saved
    }

    /// Syncs all events that the journal has when this is called.
    fn sync_events(&self) -> Result<(), String> {
        let last = self.state().last;
        loop {
            self.sync_new_paths()?;

            let mut state = self.state();
            if state.is_synced_through(last) {
                return Ok(());
            }
            if state.journal.distrust.is_some() {
                drop(state);
                self.rewrite_file()?;
                continue;
            }
            let pushed = state.journal.push();
            drop(state);

            // Sync what the operating system accepted, even if it did not accept everything.
            self.sync_file()?;
            pushed?;
        }
    }

    /// Syncs new files and folders.
    fn sync_new_paths(&self) -> Result<(), String> {
        let began = Instant::now();
        let state = self.state();
        let disk = Arc::clone(&state.disk);
        let folder = state.folder.clone();
        let paths = state.unsynced.clone();
        drop(state);

        for path in &paths {
            let synced = match folder.parent() {
                // If the folder is a symbolic link, `folder/..` is another folder than the parent.
                Some(parent) if path == Path::new("..") => disk.sync(parent),
                _ => disk.sync(&folder.join(path)),
            };
            synced.map_err(|error| describe_failure("sync the game's folder", &error))?;
        }

        let mut state = self.state();
        // Other paths may have been added during the syncs.
        state.unsynced.drain(..paths.len());
        if !paths.is_empty() && state.journal.waiting.is_empty() {
            state.note_progress(began);
        }
        Ok(())
    }

    /// Syncs the open file of the journal, and begins the next file if it is long.
    fn sync_file(&self) -> Result<(), String> {
        let mut state = self.state();
        let length = state.journal.complete_length();
        if length == 0 {
            return Ok(());
        }

        let began = Instant::now();
        let file = Arc::clone(&state.journal.file);
        state.check_file();
        if state.journal.distrust.is_some() {
            // Another program removed, replaced or overwrote the file, so syncing it would be useless.
            return Ok(());
        }
        drop(state);

        let synced = file.sync();

        let mut state = self.state();
        if let Err(error) = synced {
            state.journal.distrust.get_or_insert(Distrust::Failed);
            return Err(describe_failure("sync the journal", &error));
        }
        state.mark_synced(length, began);
        // If the next file cannot be created, events are appended to the present file, so the error is ignored.
        let _begun = state.begin_next_file();
        Ok(())
    }

    /// Writes the open file of the journal again, from memory.
    fn rewrite_file(&self) -> Result<(), String> {
        let began = Instant::now();
        let state = self.state();
        let disk = Arc::clone(&state.disk);
        let path = state.path();
        let journal = &state.journal;
        let bytes = [&*journal.synced, &*journal.waiting].concat();
        let waiting_length = journal.waiting.len();
        let is_foreign = !journal.file.is_at(&path);
        let keeps_old_file = is_foreign || journal.distrust == Some(Distrust::Overwritten);
        drop(state);

        let file = replace_file(disk.as_ref(), keeps_old_file, &path, &bytes)
            .map_err(|error| describe_failure("write the journal again", &error))?;
        self.state().use_new_file(file, waiting_length, began);
        Ok(())
    }

    /// Writes a snapshot, and reports the result.
    fn save_snapshot(&self) {
        self.state().snapshots.due = None;
        // Without a client there is no state to save. A client flushes its state before it is dropped.
        let Some(client) = self.client() else {
            return;
        };

        let result = catch_panic(|| {
            self.write_snapshot(client.as_ref())
                .map_err(|error| error.to_string())
        });

        let mut state = self.state();
        let saving_before = state.saving();
        match result {
            Ok(last) => state.snapshots.note_written(last),
            Err(reason) => {
                state.snapshots.due = Some(Instant::now());
                Trouble::record(&mut state.snapshots.trouble, reason);
            }
        }
        drop(state);
        self.report(&saving_before);
    }

    /// Writes a snapshot, and returns the last event in it.
    fn write_snapshot(&self, client: &dyn StoreClient) -> Result<u64> {
        let (text, last) = client.snapshot();

        // Events that were appended before the client answered have to be on the disk first.
        self.state().check_file();
        if !self.state().is_synced_through(last) && !self.save_journal() {
            return Err(StoreError::Unsaved {
                path: self.state().folder.clone(),
                reason: "its last events are not on the disk".to_owned(),
            });
        }

        let mut snapshots = self.snapshots();
        let state = self.state();
        let disk = Arc::clone(&state.disk);
        let folder = state.folder.clone();
        let checksums = state.snapshots.checksums_at(last);
        drop(state);

        let sealed = seal_snapshot(&text, last, checksums);
        snapshots.write(disk.as_ref(), &folder, &sealed)?;
        Ok(last)
    }
}

/// Turns a panic into an error.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(_) => Err("saving panicked; this is a bug in tableside".to_owned()),
    }
}

/// Writes bytes to a new file, which takes the name of an open file when it is on the disk. The old file is kept under
/// another name if it contains bytes of another program.
fn replace_file(
    disk: &dyn Disk,
    keeps_old_file: bool,
    path: &Path,
    bytes: &[u8],
) -> io::Result<Arc<dyn AppendFile>> {
    let new_path = path.with_extension("jsonl.new");
    disk::remove_leftover(&new_path)?;

    // Another program may have removed the whole folder of the journal.
    if let Some(journal) = path.parent()
        && create_missing_folder(journal)?
        && let Some(game) = journal.parent()
    {
        disk.sync(game)?;
    }

    let file = disk.create(&new_path)?;
    disk::write_all(file.as_ref(), bytes)?;
    file.sync()?;

    if keeps_old_file && fs::symlink_metadata(path).is_ok() {
        disk.rename(path, &disk::free_name(path, "torn"))?;
    }
    disk.rename(&new_path, path)?;
    Ok(file)
}
