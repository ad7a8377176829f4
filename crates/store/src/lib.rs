//! A game where it is kept: a folder with its state, its history, and a lock, or the rows of a database; the only
//! room that writes either.
//!
//! The room knows nothing of games: an event is any JSON, the state any TOML. What it knows is how to lose
//! neither. An event is in the system's hands before [`Store::append`] returns, and on the disk a moment
//! later; the state is written whole, now and then, and is never ahead of the history.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

#[path = "folder/archive.rs"]
mod archive;
mod bundle;
#[cfg_attr(
    not(feature = "postgres"),
    expect(dead_code, reason = "nothing is ever opened there")
)]
#[path = "../../store-postgres/src/database.rs"]
mod database;
#[path = "../../store-postgres/src/game.rs"]
mod database_game;
#[path = "folder/disk.rs"]
mod disk;
mod error;
pub mod file;
mod folder;
mod game_location;
mod journal;
#[path = "folder/lock.rs"]
mod lock;
mod moment;
mod sidecar;
mod snapshot;
mod storage;
#[path = "folder/writer.rs"]
mod writer;

pub use bundle::{ACCESS_FILE, BUNDLE_FORMAT, export, is_bundle, is_rules};
pub use database::Database;
pub use error::{Damage, Mismatch, MismatchFinding, StoreError};
pub use folder::{GameFile, LONGEST_GAME_NAME, Name, SavedGame};
pub use game_location::{GameLocation, GameRow};
pub use journal::{Block, By, EVENTS_PER_FILE, Reader, Record, number_of};
pub use moment::date_of;
pub use sidecar::{FileStamp, Sidecar, write_file, write_text};
pub use snapshot::{FORMAT, Snapshot};
pub use storage::Storage;
pub use writer::{Saving, StoreClient};

use database_game::DatabaseGame;
use disk::{Disk, RealDisk};
use journal::{BYTES_PER_FILE, Found, line, recover};
use lock::Lock;
use snapshot::{Checksums, SnapshotWriter};
use writer::{State, Writer};

/// How long a dropped store waits for its last events to reach the disk, and an event for a disk that lags
/// far behind.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// How often a snapshot is written while things change.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(30);

/// How a session is to be opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// The time now: it is what the lock says to the next who comes.
    pub at: DateTime<Utc>,
    /// To look only, also while the session is open elsewhere: nothing on disk is touched.
    pub view: bool,
    /// At least this many of the last events are read.
    pub tail: u64,
    /// Where the journal is damaged, go on from the last good event, what comes after it being kept
    /// beside the journal; else opening fails.
    pub cut_damage: bool,
    /// Begin with the snapshot before the last one; the last is kept under another name at the next save.
    pub from_before: bool,
    /// What to do if the journal does not belong to the snapshot.
    pub on_mismatch: OnMismatch,
    /// How often a snapshot is written while things change.
    pub snapshot_every: Duration,
    /// Copies of rules that a new session gets: their names and texts.
    pub rules: Vec<(String, &'static str)>,
}

impl Options {
    /// To play, with the last 200 events.
    pub fn new(at: DateTime<Utc>) -> Self {
        Self {
            at,
            view: false,
            tail: 200,
            cut_damage: false,
            from_before: false,
            on_mismatch: OnMismatch::Refuse,
            snapshot_every: SNAPSHOT_EVERY,
            rules: Vec::new(),
        }
    }
}

/// What to do with a journal that does not belong to the snapshot beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnMismatch {
    /// Opening fails. A session that is just looked at, or whose snapshot was edited, opens and names the mismatch.
    #[default]
    Refuse,
    /// The journal's files are kept under other names, and the session goes on from the snapshot alone.
    SetJournalAside,
}

/// A session that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The session.
    pub store: Store,
    /// Its state as it was saved.
    pub snapshot: Snapshot,
    /// The events since, and some before, oldest first.
    pub records: Vec<Record>,
    /// What the user is to be told, in plain sentences.
    pub notices: Vec<String>,
    /// Where the journal stops making sense; only if the session is just looked at.
    pub damage: Option<Damage>,
    /// Which events the snapshot contains and the journal has lost, in a sentence.
    pub loss: Option<String>,
    /// Set if the journal does not belong to the snapshot; only if the session is just looked at, or if the
    /// snapshot was edited. The events are those of the journal and must not be applied to the snapshot.
    pub mismatch: Option<Mismatch>,
}

/// An event for the journal of a new session.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'a, E> {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub by: By<'a>,
    /// What happened.
    pub event: E,
}

/// An open session. Dropping it brings the events to the disk; a last snapshot needs a [`flush`](Self::flush).
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    last: u64,
    /// The saving, and its thread; none where the session is only looked at.
    saving: Option<(Arc<Writer>, JoinHandle<()>)>,
    /// The game, where it is one of a database; the rest is nothing then.
    in_database: Option<Arc<DatabaseGame>>,
}

impl Store {
    /// Opens a session.
    pub fn open(place: impl Into<GameLocation>, options: &Options) -> Result<Opened, StoreError> {
        match place.into() {
            GameLocation::Folder(folder) => Self::open_folder(&folder, options),
            GameLocation::Database(row) => Self::open_row(&row, options),
        }
    }

    fn open_row(row: &GameRow, options: &Options) -> Result<Opened, StoreError> {
        let found = DatabaseGame::open(row, options)?;
        let (last, known) = (found.last, found.snapshot.last);
        let has_lost = last < known && found.damage.is_none() && found.mismatch.is_none();
        let place = GameLocation::Database(row.clone()).display_path();
        let loss = has_lost.then(|| describe_loss(&place, last, known));
        Ok(Opened {
            store: Self {
                folder: place.clone(),
                last: last.max(known),
                saving: None,
                in_database: Some(found.game),
            },
            snapshot: found.snapshot,
            records: found.records,
            notices: found.notices,
            damage: found.damage,
            loss,
            mismatch: found.mismatch,
        })
    }

    fn open_folder(folder: &Path, options: &Options) -> Result<Opened, StoreError> {
        let has = |path: &Path| fs::symlink_metadata(path).is_ok();
        let mut path = folder.join(snapshot::FILE);
        if !has(&path) && !has(&journal::folder_in(folder)) {
            return Err(StoreError::Missing(folder.to_path_buf()));
        }
        let lock = if options.view {
            None
        } else {
            Some(Lock::take(folder, options.at)?)
        };
        if options.from_before {
            path = folder.join(snapshot::BEFORE);
        }
        let snapshot = Snapshot::read(&path)?;
        let found = recover(folder, &snapshot, options)?;
        let is_whole = found.damage.is_none() && found.mismatch.is_none();
        let loss = if found.last < snapshot.last && is_whole {
            Some(describe_loss(folder, found.last, snapshot.last))
        } else {
            None
        };
        let mut store = Self {
            folder: folder.to_path_buf(),
            last: found.last.max(snapshot.last),
            saving: None,
            in_database: None,
        };
        if let Some(lock) = lock {
            let every = options.snapshot_every;
            store.start(Arc::new(RealDisk), lock, &found, &snapshot, every)?;
        }
        if options.from_before {
            store.replace_edited();
        }
        Ok(Opened {
            store,
            snapshot,
            records: found.records,
            notices: found.notices,
            damage: found.damage,
            loss,
            mismatch: found.mismatch,
        })
    }

    /// Opens the file that events are appended to, and starts the thread that brings them to the disk.
    fn start(
        &mut self,
        disk: Arc<dyn Disk>,
        lock: Lock,
        found: &Found,
        snapshot: &Snapshot,
        snapshot_every: Duration,
    ) -> Result<(), StoreError> {
        let folder = self.folder.clone();
        let state = State::open(folder, disk, found, snapshot.last, snapshot_every)?;
        let writer = Arc::new(Writer::new(state, SnapshotWriter::new(snapshot), lock));
        let of_thread = Arc::clone(&writer);
        let thread = thread::Builder::new()
            .name("saving".to_owned())
            .spawn(move || of_thread.run())
            .map_err(|error| StoreError::io("start the saving thread of", &self.folder, error))?;
        self.saving = Some((writer, thread));
        Ok(())
    }

    /// Makes a session with a state and the events that led to it, and opens it. The state's text
    /// holds all the events. What is made is synced on the store's thread; [`flush`](Self::flush) waits for it.
    pub fn create<E: Serialize>(
        place: impl Into<GameLocation>,
        options: &Options,
        state: &str,
        events: &[NewEvent<'_, E>],
    ) -> Result<Opened, StoreError> {
        let folder = match place.into() {
            GameLocation::Folder(folder) => folder,
            GameLocation::Database(row) => {
                database_game::make(&row, |made| {
                    fill(state, (events, options), &mut |name, text| {
                        made.put(name, text)
                    })
                })?;
                return Self::open_row(&row, options);
            }
        };
        let made = folder::make(&folder, |made| {
            let mut names = vec!["..".to_owned()];
            fill(state, (events, options), &mut |name, text| {
                let path = made.join(name);
                let file = disk::create_file(&path);
                let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
                names.push(name.to_owned());
                written.map_err(|error| StoreError::io("make", &path, error))
            })?;
            names.extend(["journal", ""].map(str::to_owned));
            Ok(names)
        })?;
        let opened = Self::open_folder(&folder, options)?;
        if let Some(writer) = opened.store.writer() {
            let mut state = writer.state();
            for path in &made {
                state.sync_later(path);
            }
            writer.wake();
        }
        Ok(opened)
    }

    fn writer(&self) -> Option<&Writer> {
        self.saving.as_ref().map(|(writer, _)| &**writer)
    }

    fn writable(&self) -> Result<&Writer, StoreError> {
        self.writer().ok_or(StoreError::ViewOnly)
    }

    /// Names whose state is saved, once. Until then, only events are.
    pub fn attach(&self, client: Weak<dyn StoreClient>) {
        if let Some(game) = &self.in_database {
            game.attach(client);
        } else if let Some(writer) = self.writer() {
            writer.attach(client);
        }
    }

    /// Writes down an event that changed the state, and returns its number. The system has it when this
    /// returns; [`save`](Self::save) brings it to the disk. What the system does not take waits in memory, and is
    /// tried again by itself.
    pub fn append<'a, E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: impl Into<By<'a>>,
        event: &E,
    ) -> Result<u64, StoreError> {
        if let Some(game) = self.in_database.as_ref().filter(|game| !game.is_view()) {
            return game.append(at, by.into(), event);
        }
        let writer = self.writable()?;
        let mut state = writer.state();
        let number = state.append(at, by.into(), event)?;
        // A new file is only begun when the old one is on the disk. Nobody plays so fast that a disk that
        // works could not follow; who copies a million events is made to wait for it.
        if state.is_long(2) && !self.is_own_thread() {
            let lags = |state: &State| !state.is_synced() && state.trouble.is_none();
            writer.wait_while(&mut state, LAST_WAIT, lags);
        }
        Ok(number)
    }

    /// Has what was written down brought to the disk, without waiting for it. To be called once those who see it are
    /// told: the thread that does it would take a processor from their screens.
    pub fn save(&self) {
        self.writer().into_iter().for_each(Writer::wake);
    }

    /// How saving stands.
    pub fn saving(&self) -> Saving {
        if let Some(game) = &self.in_database {
            return game.saving();
        }
        let writer = self.writer();
        writer.map_or(Saving::Quiet, |writer| writer.state().saving())
    }

    /// Has what changed since the last snapshot written as soon as may be, without waiting for it.
    pub fn snapshot_soon(&self) {
        if let Some(game) = &self.in_database {
            game.snapshot_soon();
        } else if let Some(writer) = self.writer() {
            writer.state().snapshot_due = Some(Instant::now());
            writer.wake();
        }
    }

    /// Brings everything to the disk, a snapshot included if something changed, and waits at most this long.
    ///
    /// The store's thread asks the [`StoreClient`] meanwhile: the caller must hold no lock that the host needs.
    pub fn flush(&self, limit: Duration) -> Result<(), StoreError> {
        let Some(writer) = self.writer() else {
            let game = self.in_database.as_ref();
            return game.map_or(Ok(()), |game| game.save_snapshot());
        };
        let mut state = writer.state();
        let path = state.folder.clone();
        state.check_file();
        if state.is_synced() && !state.needs_snapshot() {
            return Ok(());
        }
        state.asked += 1;
        let ticket = state.asked;
        let goes_on = |state: &State| state.answered < ticket && !state.has_ended;
        let was_too_short = writer.wait_while(&mut state, limit, goes_on);
        let reason = match state.saving() {
            Saving::Failing { reason, .. } => reason,
            _ if was_too_short => "the disk does not answer".to_owned(),
            _ => return Ok(()),
        };
        if state.is_synced() {
            return Err(StoreError::StateBehind { path, reason });
        }
        Err(StoreError::Unsaved { path, reason })
    }

    /// Lets the next snapshot replace one that somebody edited, while the session was open or before; the
    /// edited one is kept as `session.toml.edited`. Where it was edited before, it is written when something
    /// changes, as ever.
    pub fn replace_edited(&self) {
        if let Some(writer) = self.writer() {
            writer.snapshots().may_replace_edit = true;
        }
    }

    /// Gives the session another name, while it is open.
    pub fn rename(&self, to: &GameLocation) -> Result<(), StoreError> {
        let to = match (to, &self.in_database) {
            (GameLocation::Folder(to), None) => to,
            (GameLocation::Database(to), Some(game)) => return game.rename(to),
            _ => return Err(StoreError::Exists(to.display_path())),
        };
        let writer = self.writable()?;
        let _name_is_free_to_change = writer.snapshots();
        let mut state = writer.state();
        folder::rename(&state.folder, to)?;
        state.folder.clone_from(to);
        state.sync_later("..");
        writer.wake();
        Ok(())
    }

    /// Where it is kept.
    pub fn place(&self) -> GameLocation {
        let row = self.in_database.as_ref().map(|game| game.row());
        row.map_or_else(
            || GameLocation::Folder(self.folder()),
            GameLocation::Database,
        )
    }

    fn folder(&self) -> PathBuf {
        let folder = self.writer().map(|one| one.state().folder.clone());
        folder.unwrap_or_else(|| self.folder.clone())
    }

    /// The number of the last event.
    pub fn last(&self) -> u64 {
        let own = || self.writer().map_or(self.last, |one| one.state().last);
        let shared = self.in_database.as_ref().map(|game| game.last());
        shared.unwrap_or_else(own)
    }

    /// Whether the session was opened only to be looked at.
    pub fn is_view(&self) -> bool {
        let game = self.in_database.as_ref();
        game.map_or_else(|| self.saving.is_none(), |game| game.is_view())
    }

    /// Whether other processes may write to it at the same time; then [`append`](Self::append) waits for the database, and
    /// may find that another event came first: [`StoreError::Moved`].
    pub fn is_shared(&self) -> bool {
        self.in_database.is_some()
    }

    /// Has the [`StoreClient`] told what other processes do with the game, from now on.
    pub fn listen(&self) {
        self.in_database.iter().for_each(DatabaseGame::listen);
    }

    /// The number by which hosts in other processes know this one.
    pub fn node(&self) -> Option<i64> {
        self.in_database.as_ref().map(|game| game.node())
    }

    /// Tells the hosts in other processes something.
    pub fn tell(&self, says: &str) {
        self.in_database.iter().for_each(|game| game.tell(says));
    }

    /// What other processes wrote after that event, oldest first.
    pub fn catch_up(&self, after: u64) -> Result<Vec<Record>, StoreError> {
        let game = self.in_database.as_ref();
        let own = || self.reader().read(after + 1..u64::MAX);
        game.map_or_else(own, |game| game.catch_up())
    }

    /// Reads any part of the history.
    pub fn reader(&self) -> Reader {
        Reader::new(self.place())
    }

    /// Reads the snapshot before the last one, if there is one that belongs to the journal.
    pub fn read_before(&self) -> Result<Snapshot, StoreError> {
        if self.is_shared() {
            // A database keeps none.
            return Err(StoreError::Missing(self.folder()));
        }
        let before = Snapshot::read(&self.folder().join(snapshot::BEFORE))?;
        let view = Options {
            view: true,
            tail: 0,
            ..Options::new(DateTime::UNIX_EPOCH)
        };
        match recover(&self.folder(), &before, &view)?.mismatch {
            Some(mismatch) => Err(StoreError::Mismatched(Box::new(mismatch))),
            None => Ok(before),
        }
    }

    /// Whether this is the saving thread, which cannot wait for itself.
    fn is_own_thread(&self) -> bool {
        let thread = self.saving.as_ref().map(|(_, thread)| thread.thread().id());
        thread == Some(thread::current().id())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // The thread itself may hold the last handle on the game.
        let is_own_thread = self.is_own_thread();
        let Some((writer, thread)) = self.saving.take() else {
            return;
        };
        let mut state = writer.state();
        // What another program did to the file since the last event is put right before the session is closed.
        state.check_file();
        state.is_ending = true;
        if is_own_thread {
            return;
        }
        let was_too_short = writer.wait_while(&mut state, LAST_WAIT, |state| !state.has_ended);
        drop(state);
        if !was_too_short {
            let _ended = thread.join();
        }
    }
}

/// Hands on the files of a new session, by their names and texts.
fn fill<E: Serialize>(
    state: &str,
    (events, options): (&[NewEvent<'_, E>], &Options),
    put: &mut dyn FnMut(&str, &str) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut lines = String::new();
    let mut in_file = 0;
    let (mut sequence, mut last) = (1, 0);
    let mut checksums = Checksums::default();
    let name = |sequence: u64| format!("journal/{sequence:06}.jsonl");
    for new in events {
        if in_file >= EVENTS_PER_FILE || lines.len() as u64 >= BYTES_PER_FILE {
            put(&name(sequence), &lines)?;
            lines.clear();
            in_file = 0;
            sequence += 1;
        }
        in_file += 1;
        last += 1;
        let (line, crc) = line::write(checksums.end, last, new.at, new.by, &new.event)?;
        lines += &String::from_utf8_lossy(&line);
        checksums = Checksums {
            end: crc,
            before: checksums.end,
        };
    }
    put(&name(sequence), &lines)?;
    let state = snapshot::sealed(state, last, Some(checksums));
    // What is damaged before it is saved again goes back to the beginning, and lives the journal anew.
    [snapshot::FILE, snapshot::BEFORE]
        .iter()
        .try_for_each(|name| put(name, &state))?;
    let mut rules = options.rules.iter();
    rules.try_for_each(|(name, text)| put(name, text))
}

/// Names the events that the journal has lost, though the state holds what they did.
fn describe_loss(folder: &Path, last: u64, known: u64) -> String {
    let which = match (last + 1, known) {
        (first, last) if first == last => format!("event {last}"),
        (first, last) => format!("events {first} to {last}"),
    };
    format!(
        "The journal of {} lacks {which}: session.toml holds what they did, but the log does not show them.",
        folder.display()
    )
}
