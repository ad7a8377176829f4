//! Open games in folders.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use crate::error::{IoContext as _, Result, StoreError};
use crate::folder::disk::RealDisk;
use crate::folder::lock::Lock;
use crate::folder::recover::{Recovered, recover};
use crate::folder::snapshot_names::{NEWEST, PREVIOUS, convert_names, has_game};
use crate::folder::snapshot_writer::SnapshotWriter;
use crate::folder::writer::{State, Writer};
use crate::folder::{exists, rename_folder};
use crate::game_location::GameLocation;
use crate::game_name::Name;
use crate::game_store::{GameStore, Opened, Options, Saving, StoreClient};
use crate::journal::journal_folder;
use crate::journal::line::By;
use crate::mismatch::describe_lost_events;
use crate::snapshot::Snapshot;

/// How long dropping a game waits until its last events are on the disk, and how long appending an event waits for a
/// slow disk.
const DISK_PATIENCE: Duration = Duration::from_secs(2);

/// A game that is open for playing.
#[derive(Debug)]
pub(super) struct FolderGame {
    writer: Arc<Writer>,
    /// The saving thread. `None` only while the game is dropped.
    thread: Option<JoinHandle<()>>,
}

/// A game that is open for reading only.
#[derive(Debug)]
struct FolderView {
    folder: PathBuf,
    last: u64,
}

/// A game that was opened for playing, and everything that was read from its files.
pub(super) struct OpenedParts {
    pub(super) store: FolderGame,
    folder: PathBuf,
    snapshot: Snapshot,
    recovered: Recovered,
}

impl OpenedParts {
    pub(super) fn into_opened(self) -> Opened {
        let store = Arc::new(self.store);
        opened(store, &self.folder, self.snapshot, self.recovered)
    }
}

/// Opens a game for playing.
pub(super) fn open_to_play(folder: &Path, options: &Options) -> Result<OpenedParts> {
    check_exists(folder)?;
    let lock = Lock::acquire(folder, options.at)?;
    let mut notices = convert_names(folder, &RealDisk)?;
    let snapshot = read_snapshot(folder, options)?;
    let mut recovered = recover(folder, &snapshot, options)?;
    notices.append(&mut recovered.notices);
    recovered.notices = notices;

    let state = State::open(
        folder.to_path_buf(),
        Arc::new(RealDisk),
        &mut recovered,
        snapshot.last,
        options.snapshot_every,
    )?;
    let store = FolderGame::start(state, SnapshotWriter::new(&snapshot), lock)?;
    if options.from_before {
        store.replace_edited();
    }

    Ok(OpenedParts {
        store,
        folder: folder.to_path_buf(),
        snapshot,
        recovered,
    })
}

/// Opens a game for reading only.
pub(super) fn open_view(folder: &Path, options: &Options) -> Result<Opened> {
    check_exists(folder)?;
    let snapshot = read_snapshot(folder, options)?;
    let recovered = recover(folder, &snapshot, options)?;

    let store = FolderView {
        folder: folder.to_path_buf(),
        last: recovered.end.n.max(snapshot.last),
    };
    Ok(opened(Arc::new(store), folder, snapshot, recovered))
}

fn check_exists(folder: &Path) -> Result<()> {
    if has_game(folder) || exists(&journal_folder(folder)) {
        Ok(())
    } else {
        Err(StoreError::Missing(folder.to_path_buf()))
    }
}

fn read_snapshot(folder: &Path, options: &Options) -> Result<Snapshot> {
    if options.from_before {
        PREVIOUS.read(folder)
    } else {
        NEWEST.read(folder)
    }
}

fn opened(
    store: Arc<dyn GameStore>,
    folder: &Path,
    snapshot: Snapshot,
    recovered: Recovered,
) -> Opened {
    let is_journal_valid = recovered.damage.is_none() && recovered.mismatch.is_none();
    let last = recovered.end.n;
    let loss = if is_journal_valid && last < snapshot.last {
        Some(describe_lost_events(folder, last, snapshot.last))
    } else {
        None
    };

    Opened {
        store,
        snapshot,
        records: recovered.records,
        notices: recovered.notices,
        damage: recovered.damage,
        loss,
        mismatch: recovered.mismatch,
    }
}

/// Reads the previous snapshot, if it belongs to the journal.
fn read_previous_snapshot(folder: &Path) -> Result<Snapshot> {
    let previous = PREVIOUS.read(folder)?;
    match recover(folder, &previous, &Options::check())?.mismatch {
        Some(mismatch) => Err(StoreError::Mismatched(Box::new(mismatch))),
        None => Ok(previous),
    }
}

impl FolderGame {
    /// Starts the saving thread.
    pub(super) fn start(state: State, snapshots: SnapshotWriter, lock: Lock) -> Result<Self> {
        let folder = state.folder.clone();
        let writer = Arc::new(Writer::new(state, snapshots, lock));
        let writer_of_thread = Arc::clone(&writer);
        let thread = thread::Builder::new()
            .name("saving".to_owned())
            .spawn(move || writer_of_thread.run())
            .io_context("start the saving thread of", &folder)?;

        Ok(Self {
            writer,
            thread: Some(thread),
        })
    }

    pub(super) fn writer(&self) -> &Writer {
        &self.writer
    }

    fn folder(&self) -> PathBuf {
        self.writer.state().folder.clone()
    }

    /// Returns true on the saving thread, which cannot wait for itself.
    fn is_saving_thread(&self) -> bool {
        let thread = self.thread.as_ref().map(|thread| thread.thread().id());
        thread == Some(thread::current().id())
    }
}

impl GameStore for FolderGame {
    fn attach(&self, client: Weak<dyn StoreClient>) {
        self.writer.attach(client);
    }

    fn append_json(&self, at: DateTime<Utc>, by: By<'_>, event: &RawValue) -> Result<u64> {
        let mut state = self.writer.state();
        let number = state.append(at, by, event)?;

        // The next file begins only when the present file is on the disk, so the present file would grow without limit
        // if events came faster than the disk syncs them. In play they never do, but a copy of a million events has to
        // wait here.
        if state.is_long(2) && !self.is_saving_thread() {
            self.writer.wait_while(&mut state, DISK_PATIENCE, |state| {
                !state.is_synced() && state.trouble.is_none()
            });
        }
        Ok(number)
    }

    fn save(&self) {
        self.writer.wake();
    }

    fn saving(&self) -> Saving {
        self.writer.state().saving()
    }

    fn snapshot_soon(&self) {
        self.writer.state().snapshots.due = Some(Instant::now());
        self.writer.wake();
    }

    fn flush(&self, limit: Duration) -> Result<()> {
        let mut state = self.writer.state();
        state.check_file();
        if state.is_synced() && !state.needs_snapshot() {
            return Ok(());
        }

        let path = state.folder.clone();
        state.flushes_requested += 1;
        let request = state.flushes_requested;
        let has_timed_out = self.writer.wait_while(&mut state, limit, |state| {
            state.flushes_done < request && !state.has_ended
        });

        let reason = match state.saving() {
            Saving::Failing { reason, .. } => reason,
            _ if has_timed_out => "the disk does not answer".to_owned(),
            _ => return Ok(()),
        };
        if state.is_synced() {
            Err(StoreError::StateBehind { path, reason })
        } else {
            Err(StoreError::Unsaved { path, reason })
        }
    }

    fn replace_edited(&self) {
        self.writer.snapshots().may_replace_edit = true;
    }

    fn rename(&self, to: &Name) -> Result<()> {
        // While this lock is held, no snapshot is written into the folder.
        let _snapshots = self.writer.snapshots();
        let mut state = self.writer.state();
        let folder = state.folder.with_file_name(to.as_str());
        rename_folder(&state.folder, &folder)?;

        state.folder = folder;
        state.sync_later("..");
        self.writer.wake();
        Ok(())
    }

    fn location(&self) -> GameLocation {
        GameLocation::from(&self.folder())
    }

    fn last(&self) -> u64 {
        self.writer.state().last
    }

    fn is_view(&self) -> bool {
        false
    }

    fn read_previous_snapshot(&self) -> Result<Snapshot> {
        read_previous_snapshot(&self.folder())
    }
}

impl Drop for FolderGame {
    fn drop(&mut self) {
        // The saving thread itself may drop the game, if its client held the last reference.
        let is_saving_thread = self.is_saving_thread();
        let Some(thread) = self.thread.take() else {
            return;
        };

        let mut state = self.writer.state();
        // If another program has changed the journal since the last event, the saving thread repairs it before the game
        // is closed.
        state.check_file();
        state.is_ending = true;
        if is_saving_thread {
            return;
        }

        let has_timed_out = self
            .writer
            .wait_while(&mut state, DISK_PATIENCE, |state| !state.has_ended);
        drop(state);
        if !has_timed_out {
            // If the thread has panicked, the panic was reported then.
            let _ended = thread.join();
        }
    }
}

impl GameStore for FolderView {
    fn attach(&self, _client: Weak<dyn StoreClient>) {}

    fn append_json(&self, _at: DateTime<Utc>, _by: By<'_>, _event: &RawValue) -> Result<u64> {
        Err(StoreError::ViewOnly)
    }

    fn saving(&self) -> Saving {
        Saving::Quiet
    }

    fn snapshot_soon(&self) {}

    fn flush(&self, _limit: Duration) -> Result<()> {
        Ok(())
    }

    fn rename(&self, _to: &Name) -> Result<()> {
        Err(StoreError::ViewOnly)
    }

    fn location(&self) -> GameLocation {
        GameLocation::from(&self.folder)
    }

    fn last(&self) -> u64 {
        self.last
    }

    fn is_view(&self) -> bool {
        true
    }

    fn read_previous_snapshot(&self) -> Result<Snapshot> {
        read_previous_snapshot(&self.folder)
    }
}
