//! Saving while playing: events go to the system at once, on the caller's thread, and to the disk right
//! after, on a thread of its own, which also writes the snapshots.
//!
//! After a sync has failed, the system may have dropped what it was given and call the next sync a success.
//! So that file is copied, as far as it was synced, with everything since from memory, to a new file,
//! which takes its name when it is safely on the disk. Until then events still go to the old file too: a
//! crash of this program alone loses nothing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::By;
use super::disk::Disk;
use super::error::StoreError;
use super::folder;
use super::journal::Found;
use super::lock::Lock;
use super::snapshot::{Keeper, Snapshot, Stamp};

#[cfg(test)]
mod crash;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod trouble;
mod work;

use state::{Life, Need, State};
use trouble::Trouble;

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
    Snapshotted(Stamp),
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
    keeper: Mutex<Keeper>,
    /// Given back when the last of both sides is gone.
    _lock: Lock,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere is no reason to stop saving; the state is whole between any two statements
        // that could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keeper(&self) -> MutexGuard<'_, Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, report: Report) {
        if let Some(host) = self.host.get().and_then(Weak::upgrade) {
            host.report(report);
        }
    }
}

/// The writing side of an open session.
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(super) fn new(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        lock: Lock,
        found: &Found,
        snapshot: &Snapshot,
        snapshot_every: Duration,
    ) -> Self {
        let state = State::new(folder, disk, found, snapshot.last, snapshot_every);
        Self {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
                work: Condvar::new(),
                done: Condvar::new(),
                host: OnceLock::new(),
                keeper: Mutex::new(Keeper::new(Some(snapshot))),
                _lock: lock,
            }),
            thread: Mutex::new(None),
        }
    }

    /// Opens the file that events are appended to.
    pub(super) fn open(&self) -> Result<(), StoreError> {
        self.shared.state().open_last()
    }

    /// Names whose state is saved, once.
    pub(super) fn serve(&self, host: Weak<dyn Host>) {
        let _first = self.shared.host.set(host);
    }

    /// Has these files and folders of a new game synced, given relative to its folder.
    pub(super) fn settle_later(&self, fresh: Vec<PathBuf>) {
        let mut state = self.shared.state();
        state.fresh = fresh;
        state.fresh_since = Some(Instant::now());
        self.wake(&mut state);
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
        if state.is_long(2) && self.wake(&mut state) != Some(thread::current().id()) {
            let lags = |state: &mut State| !state.is_synced() && state.trouble.is_none();
            let waited = self.shared.done.wait_timeout_while(state, LAST_WAIT, lags);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
        Ok(appended)
    }

    /// Wakes who brings events to the disk.
    pub(super) fn save(&self) {
        self.wake(&mut self.shared.state());
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
        self.wake(&mut state);
    }

    /// Lets the next snapshot replace an edited one, which is kept under another name. Where it was edited
    /// before it was opened, it is written when something changes, as ever.
    pub(super) fn replace_edited(&self) {
        self.shared.keeper().allow_replacing_edit();
        let mut state = self.shared.state();
        if state.need == Need::Held {
            state.need = Need::Wanted;
            state.due = Some(Instant::now());
            self.wake(&mut state);
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
        self.wake(&mut state);
        let (state, waited) = self
            .shared
            .done
            .wait_timeout_while(state, limit, |state| {
                state.answered < ticket && state.life != Life::Ended
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.need == Need::Held {
            return Err(StoreError::EditedOutside {
                path: path.join(super::snapshot::FILE),
            });
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
        let keeper = self.shared.keeper();
        let mut state = self.shared.state();
        folder::rename(&state.folder, to)?;
        state.folder = to.to_path_buf();
        state.fresh.push(PathBuf::from(".."));
        state.fresh_since.get_or_insert_with(Instant::now);
        self.wake(&mut state);
        drop(state);
        drop(keeper);
        Ok(())
    }

    /// Wakes the thread; the first time, starts it.
    fn wake(&self, state: &mut State) -> Option<ThreadId> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            let started = thread::Builder::new()
                .name("saving".to_owned())
                .spawn(move || work::run_on(&shared));
            match started {
                Ok(handle) => *thread = Some(handle),
                Err(error) => {
                    let reason = format!("cannot start the saving thread: {error}");
                    state.trouble = Some(Trouble::grown(state.trouble.as_ref(), reason));
                }
            }
        }
        self.shared.work.notify_one();
        thread.as_ref().map(|handle| handle.thread().id())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.shared.state().queue.is_empty() {
            self.save();
        }
        let thread = self
            .thread
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(thread) = thread else { return };
        let mut state = self.shared.state();
        state.life = Life::Ending;
        self.shared.work.notify_one();
        // The thread itself may hold the last handle on the game, and cannot wait for itself.
        if thread.thread().id() == thread::current().id() {
            return;
        }
        let (state, waited) = self
            .shared
            .done
            .wait_timeout_while(state, LAST_WAIT, |state| state.life != Life::Ended)
            .unwrap_or_else(PoisonError::into_inner);
        drop(state);
        if !waited.timed_out() {
            let _ended = thread.join();
        }
    }
}
