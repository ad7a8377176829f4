//! Saving while playing: events go to the system at once, on the caller's thread, and to the disk right
//! after, on a thread of its own, which also writes the snapshots.
//!
//! After a sync has failed, the system may have dropped what it was given and call the next sync a success.
//! So that file is copied, as far as it was synced, with everything since from memory, to a new file,
//! which takes its name when it is safely on the disk. Until then events still go to the old file too: a
//! crash of this program alone loses nothing.

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::By;
use super::disk::{self, AppendFile, Disk};
use super::error::StoreError;
use super::folder;
use super::journal::Found;
use super::lock::Lock;
use super::snapshot::{self, Snapshot, SnapshotWriter};

mod state;
#[cfg(test)]
mod tests;

use state::{Need, State, Trouble, failed};

/// How long a dropped store waits for its last events to reach the disk.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// What the store asks of the game whose state it saves. All three are called on the store's own thread,
/// which holds no lock meanwhile.
pub trait Host: Send + Sync {
    /// The state as TOML, and the number of the last event in it.
    fn snapshot(&self) -> (String, u64);

    /// Reads a snapshot's text and writes it again, leaving out whatever it did not understand.
    fn reread(&self, text: &str) -> Option<String>;

    /// Something came of the saving.
    fn report(&self, report: Report);
}

/// News of the saving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Every event up to this one is on the disk.
    Saved {
        /// The event.
        n: u64,
    },
    /// Something could not be saved; it is tried again by itself.
    Failing {
        /// Since when.
        since: Instant,
        /// In plain words.
        reason: String,
    },
    /// The snapshot is in its place.
    Snapshotted,
    /// Somebody edited the snapshot; it is not replaced before somebody says so.
    EditedOutside {
        /// The edited file.
        path: PathBuf,
    },
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
        /// Since when.
        since: Instant,
        /// When the oldest event that is not on the disk happened; `None` if only the snapshot is behind.
        at: Option<DateTime<Utc>>,
        /// In plain words.
        reason: String,
    },
}

/// An event that has its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// Its number.
    pub n: u64,
    /// Whether the system took it. If not, it waits in memory, and is tried again by itself.
    pub is_written: bool,
}

/// What both sides of the saving share.
#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// The thread waits for work here.
    work: Condvar,
    /// Who flushes waits here.
    done: Condvar,
    host: OnceLock<Weak<dyn Host>>,
    /// Held while files are replaced by name, so that the folder keeps its name meanwhile.
    snapshots: Mutex<SnapshotWriter>,
    /// Given back when the last of both sides is gone.
    _lock: Lock,
}

/// The writing side of an open session.
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Opens the file that events are appended to, and starts the thread that brings them to the disk.
    pub(super) fn open(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        lock: Lock,
        found: &Found,
        snapshot: &Snapshot,
        snapshot_every: Duration,
    ) -> Result<Self, StoreError> {
        let path = folder.clone();
        let state = State::open(folder, disk, found, snapshot.last, snapshot_every)?;
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            work: Condvar::new(),
            done: Condvar::new(),
            host: OnceLock::new(),
            snapshots: Mutex::new(SnapshotWriter::new(snapshot)),
            _lock: lock,
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("saving".to_owned())
            .spawn(move || of_thread.run())
            .map_err(|error| StoreError::io("start the saving thread of", &path, error))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Names whose state is saved, once.
    pub(super) fn serve(&self, host: Weak<dyn Host>) {
        let _first = self.shared.host.set(host);
    }

    /// Has these files and folders of a new game synced, given relative to its folder.
    pub(super) fn sync_later(&self, paths: &[String]) {
        let mut state = self.shared.state();
        for path in paths {
            state.sync_later(path);
        }
        self.save();
    }

    /// Hands an event to the system; [`save`](Self::save) has it brought to the disk.
    pub(super) fn append<'a, E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: impl Into<By<'a>>,
        event: &E,
    ) -> Result<Appended, StoreError> {
        let mut state = self.shared.state();
        let appended = state.append(at, by.into(), event)?;
        state.change();
        // A new file is only begun when the old one is on the disk. Nobody plays so fast that a disk that
        // works could not follow; who copies a million events is made to wait for it.
        if state.is_long(2) && !self.is_own_thread() {
            self.save();
            let lags = |state: &mut State| !state.is_synced() && state.trouble.is_none();
            let waited = self.shared.done.wait_timeout_while(state, LAST_WAIT, lags);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
        Ok(appended)
    }

    /// Wakes the thread that brings events to the disk.
    pub(super) fn save(&self) {
        self.shared.work.notify_one();
    }

    pub(super) fn last(&self) -> u64 {
        self.shared.state().last
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.shared.state().folder.clone()
    }

    pub(super) fn saving(&self) -> Saving {
        self.shared.state().saving()
    }

    /// Has a snapshot written as soon as may be.
    pub(super) fn snapshot_soon(&self) {
        let mut state = self.shared.state();
        state.change();
        state.due = Some(Instant::now());
        self.save();
    }

    /// Lets the next snapshot replace an edited one, which is kept under another name. Where it was edited
    /// before it was opened, it is written when something changes, as ever.
    pub(super) fn replace_edited(&self) {
        self.shared.snapshots().allow_replacing_edit();
        let mut state = self.shared.state();
        if state.need == Need::Held {
            state.need = Need::Wanted;
            state.due = Some(Instant::now());
            self.save();
        }
    }

    /// Brings everything to the disk and waits for it, at most this long.
    pub(super) fn flush(&self, limit: Duration) -> Result<(), StoreError> {
        let mut state = self.shared.state();
        let path = state.folder.clone();
        if state.is_synced() && state.need == Need::None {
            return Ok(());
        }
        state.asked += 1;
        let ticket = state.asked;
        self.save();
        let (state, waited) = self
            .shared
            .done
            .wait_timeout_while(state, limit, |state| {
                state.answered < ticket && !state.has_ended
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.need == Need::Held {
            let path = path.join(snapshot::FILE);
            return Err(StoreError::EditedOutside { path });
        }
        let reason = match (state.saving(), waited.timed_out()) {
            (Saving::Failing { reason, .. }, _) => reason,
            (_, true) => "the disk does not answer".to_owned(),
            (Saving::Quiet | Saving::Behind { .. }, false) => return Ok(()),
        };
        if state.is_synced() {
            return Err(StoreError::StateBehind { path, reason });
        }
        Err(StoreError::Unsaved { path, reason })
    }

    /// Gives the session folder another name.
    pub(super) fn rename(&self, to: &Path) -> Result<(), StoreError> {
        let _name_is_free_to_change = self.shared.snapshots();
        let mut state = self.shared.state();
        folder::rename(&state.folder, to)?;
        state.folder = to.to_path_buf();
        state.sync_later("..");
        self.save();
        Ok(())
    }

    fn is_own_thread(&self) -> bool {
        let thread = self.thread.as_ref().map(|thread| thread.thread().id());
        thread == Some(thread::current().id())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_ending = true;
        self.save();
        // The thread itself may hold the last handle on the game, and cannot wait for itself.
        if self.is_own_thread() {
            return;
        }
        let (state, waited) = self
            .shared
            .done
            .wait_timeout_while(state, LAST_WAIT, |state| !state.has_ended)
            .unwrap_or_else(PoisonError::into_inner);
        drop(state);
        if let Some(thread) = self.thread.take().filter(|_| !waited.timed_out()) {
            let _ended = thread.join();
        }
    }
}

/// The saving thread.
impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere is no reason to stop saving; the state is whole between any two statements
        // that could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshots(&self) -> MutexGuard<'_, SnapshotWriter> {
        self.snapshots
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, report: Option<Report>) {
        let host = self.host.get().and_then(Weak::upgrade);
        if let (Some(host), Some(report)) = (host, report) {
            // A fault of a screen that is told is no reason to stop saving.
            let _told = guarded(|| {
                host.report(report);
                Ok(())
            });
        }
    }

    /// Works until the store is dropped. Whatever is due is tried once, then whoever flushes is answered.
    fn run(&self) {
        loop {
            let (asked, is_ending) = self.wait_for_work();
            let is_saved = self.save_journal();
            // A snapshot must not know more than the journal on the disk.
            if is_saved && self.needs_snapshot(asked) {
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

    fn needs_snapshot(&self, asked: u64) -> bool {
        let state = self.state();
        let is_due = state
            .snapshot_due()
            .is_some_and(|due| due <= Instant::now());
        is_due || (state.need == Need::Wanted && asked > state.answered)
    }

    /// Sleeps until there is something to do; returns the number of flushes asked for, and whether it is
    /// the last time.
    fn wait_for_work(&self) -> (u64, bool) {
        let mut state = self.state();
        loop {
            let now = Instant::now();
            let pause = match state.next_work(now) {
                Some(due) if due <= now => return (state.asked, state.is_ending),
                Some(due) => due - now,
                None => Duration::MAX,
            };
            let woken = self.work.wait_timeout(state, pause);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Brings all events to the disk, and tells of trouble and of its end; whether it could.
    fn save_journal(&self) -> bool {
        if self.state().is_synced() {
            return true;
        }
        // The folder keeps its name while this is held.
        let snapshots = self.snapshots();
        let result = guarded(|| self.bring_to_disk());
        drop(snapshots);
        let mut state = self.state();
        let is_saved = result.is_ok();
        let report = match result {
            Ok(n) => {
                state.trouble = None;
                Some(Report::Saved { n })
            }
            Err(reason) => {
                Trouble::grow(&mut state.trouble, reason);
                Trouble::tell(&mut state.trouble)
            }
        };
        drop(state);
        self.tell(report);
        is_saved
    }

    /// Brings the events of now to the disk; returns the last of them.
    fn bring_to_disk(&self) -> Result<u64, String> {
        #[cfg(debug_assertions)]
        panic_if_told();
        let through = self.state().last;
        loop {
            let mut state = self.state();
            if state.is_synced_through(through) {
                return Ok(through);
            }
            if !state.unsynced.is_empty() {
                drop(state);
                self.sync_folders()?;
            } else if state.is_untrusted {
                drop(state);
                self.rewrite()?;
            } else {
                let pushed = state.push();
                drop(state);
                // What the system did take can be brought to the disk in any case.
                self.sync()?;
                pushed?;
            }
        }
    }

    fn sync_folders(&self) -> Result<(), String> {
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
        if state.unsynced.is_empty() {
            state.unsynced_since = None;
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), String> {
        let mut state = self.state();
        let (Some(through), Some(file)) = (state.written_through(), state.file.clone()) else {
            return Ok(());
        };
        if !file.is_at(&state.path()) {
            // Somebody took the file away or put another in its place: what we write, nobody would find.
            state.is_untrusted = true;
            return Ok(());
        }
        drop(state);
        let synced = file.sync();
        let mut state = self.state();
        match synced {
            Ok(()) => {
                state.is_inherited = false;
                state.forget_through(through);
                Ok(())
            }
            Err(error) => {
                state.is_untrusted = true;
                Err(failed("sync the journal", &error))
            }
        }
    }

    /// Writes the open file afresh: what of it was synced, copied, and everything since, from memory.
    fn rewrite(&self) -> Result<(), String> {
        let state = self.state();
        let Some(file) = state.file.clone() else {
            return Ok(());
        };
        let (disk, path, contents) = (Arc::clone(&state.disk), state.path(), state.contents());
        drop(state);
        let replaced = file.read_back(contents.synced).and_then(|mut bytes| {
            bytes.extend_from_slice(&contents.rest);
            replace(disk.as_ref(), file.as_ref(), &path, &bytes)
        });
        let fresh = replaced.map_err(|error| failed("write the journal afresh", &error))?;
        self.state().replace(fresh, &contents);
        Ok(())
    }

    /// Writes a snapshot and tells what came of it.
    fn save_snapshot(&self) {
        let mut state = self.state();
        state.due = None;
        // A game that is gone cannot be asked; its last flush has been.
        let Some(host) = self.host.get().and_then(Weak::upgrade) else {
            state.need = Need::None;
            return;
        };
        state.need = Need::Writing;
        drop(state);
        let written = guarded(|| match self.write_snapshot(host.as_ref()) {
            Ok(()) => Ok(Report::Snapshotted),
            Err(StoreError::EditedOutside { path }) => Ok(Report::EditedOutside { path }),
            Err(error) => Err(error.to_string()),
        });
        let mut state = self.state();
        let report = match written {
            Ok(report) => {
                if matches!(report, Report::EditedOutside { .. }) {
                    state.need = Need::Held;
                } else {
                    // It may have changed again meanwhile.
                    if state.need == Need::Writing {
                        state.need = Need::None;
                    }
                    state.snapshot_trouble = None;
                }
                Some(report)
            }
            Err(reason) => {
                state.need = Need::Wanted;
                state.due = Some(Instant::now());
                Trouble::grow(&mut state.snapshot_trouble, reason);
                Trouble::tell(&mut state.snapshot_trouble)
            }
        };
        drop(state);
        self.tell(report);
    }

    fn write_snapshot(&self, host: &dyn Host) -> Result<(), StoreError> {
        let unread = self.snapshots().unread();
        if let Some(opened) = unread
            && let Some(understood) = host.reread(&opened)
        {
            self.snapshots().learn(&opened, &understood);
        }
        let state = self.state();
        let (disk, path) = (Arc::clone(&state.disk), state.folder.clone());
        drop(state);
        self.snapshots().check(&path)?;
        let (text, last) = host.snapshot();
        let text = self.snapshots().compose(&text, last)?;
        // What happened since goes before it.
        if !self.state().is_synced_through(last) && !self.save_journal() {
            let reason = "the journal before it is not saved".to_owned();
            return Err(StoreError::Unsaved { path, reason });
        }
        let mut snapshots = self.snapshots();
        let path = self.state().folder.clone();
        snapshots.write(disk.as_ref(), &path, &text)
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

/// Puts a file with these bytes in the place of an open one.
fn replace(
    disk: &dyn Disk,
    open: &dyn AppendFile,
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
    if !open.is_at(path) && fs::symlink_metadata(path).is_ok() {
        // What somebody else put there is theirs, and is kept.
        disk.rename(path, &disk::free_name(path, "torn"))?;
    }
    disk.rename(&fresh, path)?;
    Ok(file)
}
