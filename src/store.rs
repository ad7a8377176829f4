//! A game on disk: a folder with its state, its history, and a lock; the only room that writes game files.
//!
//! The room knows nothing of games: an event is any JSON, the state any TOML. What it knows is how to lose
//! neither. An event is in the system's hands before [`Store::append`] returns, and on the disk a moment
//! later; the state is written whole, now and then, and is never ahead of the history.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;

mod archive;
mod atomic_write;
mod bundle;
mod disk;
mod error;
mod folder;
mod journal;
mod lock;
mod sidecar;
mod snapshot;
mod writer;

pub use archive::{archive, archived, duplicate, rename, restore};
pub use atomic_write::write_file;
pub use bundle::{BUNDLE_FORMAT, BundleError, export, import, is_bundle};
pub use error::{Damage, StoreError};
pub use folder::{LONGEST_NAME, Listed, Name, sessions, unsaved};
pub use journal::{Block, EVENTS_PER_FILE, Reader, Record, number_of};
pub use sidecar::{Beside, FileStamp};
pub use snapshot::{FORMAT, Snapshot, Stamp};
pub use writer::{Appended, Host, Report, Saving};

use disk::RealDisk;
use journal::{BYTES_PER_FILE, Wanted, line, recover};
use lock::Lock;
use writer::Writer;

/// How often a snapshot is written while things change.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(30);

/// How a session is to be opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// The time now: it is what the lock says to the next who comes.
    pub at: DateTime<Utc>,
    /// To look only, also while the session is open elsewhere: nothing on disk is touched.
    pub view: bool,
    /// At least so many of the last events are read.
    pub tail: u64,
    /// Where the journal is damaged, go on from the last good event, what comes after it being kept
    /// beside the journal; else opening fails.
    pub cut_damage: bool,
    /// Begin with the snapshot before the last one; the last is kept under another name at the next save.
    pub from_before: bool,
    /// How often a snapshot is written while things change.
    pub snapshot_every: Duration,
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
            snapshot_every: SNAPSHOT_EVERY,
        }
    }
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
}

/// Who did something.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// The name.
    pub name: &'a str,
    /// The number of the seat; 0 is whoever runs the program.
    pub seat: u64,
}

impl<'a> From<&'a str> for By<'a> {
    fn from(name: &'a str) -> Self {
        Self { name, seat: 0 }
    }
}

/// An event for the journal of a new session.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a, E: ?Sized> {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub by: By<'a>,
    /// What happened.
    pub event: &'a E,
}

/// An open session. Dropping it brings the events to the disk; a last snapshot needs a [`flush`](Self::flush).
#[derive(Debug)]
pub struct Store {
    access: Access,
}

#[derive(Debug)]
enum Access {
    Play(Writer),
    View { folder: PathBuf, last: u64 },
}

impl Store {
    /// Opens a session folder.
    pub fn open(folder: &Path, options: &Options) -> Result<Opened, StoreError> {
        let path = folder.join(snapshot::FILE);
        let has = |path: &Path| fs::symlink_metadata(path).is_ok();
        if !has(&path) && !has(&journal::folder_in(folder)) {
            return Err(StoreError::Missing {
                path: folder.to_path_buf(),
            });
        }
        let lock = if options.view {
            None
        } else {
            Some(Lock::take(folder, options.at)?)
        };
        let read_from = if options.from_before {
            folder.join(snapshot::BEFORE)
        } else {
            path
        };
        let snapshot = Snapshot::read(&read_from)?;
        let wanted = Wanted {
            after: snapshot.last,
            tail: options.tail,
            view: options.view,
            cut_damage: options.cut_damage,
        };
        let mut found = recover(folder, wanted)?;
        if found.last < snapshot.last && found.damage.is_none() {
            found
                .notices
                .push(loss_in_words(folder, found.last, snapshot.last));
        }
        let access = if let Some(lock) = lock {
            let every = options.snapshot_every;
            let folder = folder.to_path_buf();
            let writer = Writer::open(folder, Arc::new(RealDisk), lock, &found, &snapshot, every)?;
            if options.from_before {
                writer.replace_edited();
            }
            Access::Play(writer)
        } else {
            let last = found.last.max(snapshot.last);
            Access::View {
                folder: folder.to_path_buf(),
                last,
            }
        };
        let store = Self { access };
        let (records, notices, damage) = (found.records, found.notices, found.damage);
        Ok(Opened {
            store,
            snapshot,
            records,
            notices,
            damage,
        })
    }

    /// Makes a session folder with a state and the events that led to it, and opens it. The state's text
    /// holds all the events. What is made is synced on the store's thread; [`flush`](Self::flush) waits for it.
    pub fn create<E: Serialize + ?Sized>(
        folder: &Path,
        options: &Options,
        state: &str,
        entries: &[Entry<'_, E>],
    ) -> Result<Opened, StoreError> {
        if fs::symlink_metadata(folder).is_ok() {
            return Err(StoreError::Exists {
                path: folder.to_path_buf(),
            });
        }
        let data = folder.parent().unwrap_or(folder);
        folder::make_data(data)?;
        // Made under another name, so that a half-made session is never seen under its own.
        let refused = |error| StoreError::writing("make", data, folder, error);
        let made = tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(data)
            .map_err(refused)?;
        folder::keep_private(made.path()).map_err(refused)?;
        let fresh = fill(made.path(), state, entries)?;
        folder::rename(made.path(), folder)?;
        // It has left for its own name: there is nothing to clean up.
        let _left = made.keep();
        let opened = Self::open(folder, options)?;
        if let Access::Play(writer) = &opened.store.access {
            writer.sync_later(&fresh);
        }
        Ok(opened)
    }

    /// Names whose state is saved. Until then, only events are.
    pub fn serve(&self, host: Weak<dyn Host>) {
        if let Access::Play(writer) = &self.access {
            writer.serve(host);
        }
    }

    /// Writes down an event that changed the state, and has it brought to the disk.
    pub fn append<'a, E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: impl Into<By<'a>>,
        event: &E,
    ) -> Result<Appended, StoreError> {
        let appended = self.write(at, by, event)?;
        self.save();
        Ok(appended)
    }

    /// Writes down an event that changed the state. It is brought to the disk after [`save`](Self::save):
    /// waking who does that can wait for telling those who see it.
    pub fn write<'a, E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: impl Into<By<'a>>,
        event: &E,
    ) -> Result<Appended, StoreError> {
        self.writer()?.append(at, by, event)
    }

    /// Has what was written brought to the disk.
    pub fn save(&self) {
        if let Access::Play(writer) = &self.access {
            writer.save();
        }
    }

    /// How saving stands.
    pub fn saving(&self) -> Saving {
        match &self.access {
            Access::Play(writer) => writer.saving(),
            Access::View { .. } => Saving::Quiet,
        }
    }

    /// Has a snapshot written as soon as may be, without waiting for it.
    pub fn snapshot_soon(&self) {
        if let Access::Play(writer) = &self.access {
            writer.snapshot_soon();
        }
    }

    /// Brings everything to the disk, a snapshot included if something changed, and waits at most this long.
    ///
    /// The store's thread asks the [`Host`] meanwhile: the caller must hold no lock that the host needs.
    pub fn flush(&self, limit: Duration) -> Result<(), StoreError> {
        match &self.access {
            Access::Play(writer) => writer.flush(limit),
            Access::View { .. } => Ok(()),
        }
    }

    /// Lets the next snapshot replace one that somebody edited, while the session was open or before; the
    /// edited one is kept as `session.toml.edited`.
    pub fn replace_edited(&self) {
        if let Access::Play(writer) = &self.access {
            writer.replace_edited();
        }
    }

    /// Gives the session folder another name, while it is open.
    pub fn rename(&self, folder: &Path) -> Result<(), StoreError> {
        self.writer()?.rename(folder)
    }

    /// The session folder.
    pub fn folder(&self) -> PathBuf {
        match &self.access {
            Access::Play(writer) => writer.folder(),
            Access::View { folder, .. } => folder.clone(),
        }
    }

    /// The number of the last event.
    pub fn last(&self) -> u64 {
        match &self.access {
            Access::Play(writer) => writer.last(),
            Access::View { last, .. } => *last,
        }
    }

    /// Whether the session was opened only to be looked at.
    pub fn is_view(&self) -> bool {
        matches!(self.access, Access::View { .. })
    }

    /// Reads any part of the history.
    pub fn reader(&self) -> Reader {
        Reader::new(&self.folder())
    }

    /// Reads the snapshot as it is on disk now, as after an edit from outside.
    pub fn read_snapshot(&self) -> Result<Snapshot, StoreError> {
        Snapshot::read(&self.folder().join(snapshot::FILE))
    }

    /// Reads the snapshot before the last one, if there is one.
    pub fn read_before(&self) -> Result<Snapshot, StoreError> {
        Snapshot::read(&self.folder().join(snapshot::BEFORE))
    }

    fn writer(&self) -> Result<&Writer, StoreError> {
        match &self.access {
            Access::Play(writer) => Ok(writer),
            Access::View { folder, .. } => Err(StoreError::ViewOnly {
                path: folder.clone(),
            }),
        }
    }
}

/// Writes the files of a new session into its folder, and says what is to be synced.
fn fill<E: Serialize + ?Sized>(
    folder: &Path,
    state: &str,
    entries: &[Entry<'_, E>],
) -> Result<Vec<String>, StoreError> {
    let journal = journal::folder_in(folder);
    let refused = |path: &Path| {
        let path = path.to_path_buf();
        move |error: io::Error| StoreError::io("make", &path, error)
    };
    folder::make_private(&journal).map_err(refused(&journal))?;
    let mut made = vec!["..".to_owned()];
    let mut keep = |sequence: u64, lines: &[u8]| -> Result<(), StoreError> {
        let path = journal::file_in(&journal, sequence);
        let mut file = disk::create_file(&path).map_err(refused(&path))?;
        file.write_all(lines).map_err(refused(&path))?;
        made.push(format!("journal/{sequence:06}.jsonl"));
        Ok(())
    };
    let mut lines = Vec::new();
    let mut in_file = 0;
    let (mut sequence, mut crc, mut last) = (1, 0, 0);
    for entry in entries {
        if in_file >= EVENTS_PER_FILE || lines.len() as u64 >= BYTES_PER_FILE {
            keep(sequence, &lines)?;
            lines.clear();
            in_file = 0;
            sequence += 1;
        }
        in_file += 1;
        last += 1;
        let (line, next) =
            line::write(crc, last, entry.at, entry.by, entry.event).map_err(|error| {
                StoreError::Unwritable {
                    what: "an event",
                    why: error.to_string(),
                }
            })?;
        lines.extend_from_slice(&line);
        crc = next;
    }
    keep(sequence, &lines)?;
    let path = folder.join(snapshot::FILE);
    let prepared = snapshot::first(state, last)?;
    let mut file = disk::create_file(&path).map_err(refused(&path))?;
    file.write_all(prepared.text.as_bytes())
        .map_err(refused(&path))?;
    made.extend(["journal", snapshot::FILE, ""].map(str::to_owned));
    Ok(made)
}

/// Says which events the journal has lost, though the state holds what they did.
fn loss_in_words(folder: &Path, last: u64, known: u64) -> String {
    let first = last + 1;
    let which = if first == known {
        format!("event {known}")
    } else {
        format!("events {first} to {known}")
    };
    format!(
        "The journal of {} lacks {which}: session.toml holds what they did, but the log does not show them.",
        folder.display()
    )
}
