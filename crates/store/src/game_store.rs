//! Open games.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Damage, Result, StoreError};
use crate::game_location::GameLocation;
use crate::game_name::Name;
use crate::journal::line::{By, Record, unwritable};
use crate::journal::reader::Reader;
use crate::mismatch::Mismatch;
use crate::snapshot::Snapshot;

/// How often a snapshot is written while the game changes.
const SNAPSHOT_INTERVAL: Duration = Duration::from_secs(30);

/// An open game.
///
/// Dropping it syncs the events to the disk. The latest snapshot needs a call of [`flush`](Self::flush).
pub trait GameStore: fmt::Debug + Send + Sync {
    /// Sets the client that provides the state for snapshots. Without a client, only events are saved. Only the first
    /// call has an effect.
    fn attach(&self, client: Weak<dyn StoreClient>);

    /// Appends an event, and returns its number. The method `append` of `dyn GameStore` also serialises the event.
    ///
    /// When this method returns, the operating system has the event, or the database has saved it. [`save`](Self::save)
    /// syncs it to the disk. An event that the operating system refuses stays in memory and is retried.
    fn append_json(&self, at: DateTime<Utc>, by: By<'_>, event: &RawValue) -> Result<u64>;

    /// Starts to sync the appended events to the disk, and returns at once. Call this after all players were notified,
    /// because the thread that syncs the file competes with their screens for the processor.
    fn save(&self) {}

    /// Returns the progress of saving.
    fn saving(&self) -> Saving;

    /// Requests a snapshot of the latest changes, without waiting for it.
    fn snapshot_soon(&self);

    /// Syncs all events to the disk and writes a snapshot if anything changed. Waits for at most `limit`.
    ///
    /// Meanwhile another thread calls the [`StoreClient`], so the caller must not hold a lock that the client needs.
    fn flush(&self, limit: Duration) -> Result<()>;

    /// Allows the next snapshot to replace a snapshot that was edited by hand. The edited file is kept as
    /// `game.toml.edited`.
    fn replace_edited(&self) {}

    /// Renames the game while it is open.
    fn rename(&self, to: &Name) -> Result<()>;

    /// Returns where the game is saved.
    fn location(&self) -> GameLocation;

    /// Returns the number of the last event.
    fn last(&self) -> u64;

    /// Returns true if the game was opened read-only.
    fn is_view(&self) -> bool;

    /// Returns true if other processes can write to the game at the same time. In this case
    /// [`append_json`](Self::append_json) waits for the database, and fails with [`StoreError::Moved`] if another process
    /// was first.
    fn is_shared(&self) -> bool {
        false
    }

    /// Subscribes the [`StoreClient`] to changes and messages of other processes.
    fn listen(self: Arc<Self>) {}

    /// Returns the number that identifies this process to other processes.
    fn node(&self) -> Option<i64> {
        None
    }

    /// Sends a message to the clients in other processes.
    fn send_message(&self, _message: &str) {}

    /// Reads the events that other processes appended after the event `after`, oldest first.
    fn catch_up(&self, after: u64) -> Result<Vec<Record>> {
        self.reader().read(after + 1..u64::MAX)
    }

    /// Returns a reader of the journal.
    fn reader(&self) -> Reader {
        Reader::new(self.location())
    }

    /// Reads the previous snapshot, if it exists and belongs to the journal.
    fn read_previous_snapshot(&self) -> Result<Snapshot> {
        // By default there are no previous snapshots.
        Err(StoreError::Missing(self.location().display_path()))
    }
}

impl dyn GameStore + '_ {
    /// Serialises an event and appends it as [`GameStore::append_json`] does.
    pub fn append<'a, E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: impl Into<By<'a>>,
        event: &E,
    ) -> Result<u64> {
        let event = to_raw_value(event).map_err(|error| unwritable(&error))?;
        self.append_json(at, by.into(), &event)
    }
}

/// The game that a store saves. The methods are called on threads of the store, which hold no locks during the call.
pub trait StoreClient: Send + Sync {
    /// Returns the state as TOML, and the number of the last event in it.
    fn snapshot(&self) -> (String, u64);

    /// Reports that the progress of saving changed.
    fn saving_changed(&self, before: &Saving, now: &Saving);

    /// Reports that another process may have appended events.
    fn changed_elsewhere(&self) {}

    /// Receives a message of the client in the process with the number `node`.
    fn receive_message(self: Arc<Self>, _node: i64, _message: &str) {}

    /// Does periodic work. The store calls this about every ten seconds after [`GameStore::listen`].
    fn tick(&self) {}
}

/// The progress of saving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saving {
    /// Everything is on the disk.
    Quiet,
    /// Events have been waiting for a sync since this time.
    Behind { since: Instant },
    /// Saving failed. The store retries it.
    Failing {
        /// The time of the oldest event that is not on the disk. `None` if only the snapshot is behind.
        at: Option<DateTime<Utc>>,
        /// The reason, for a message.
        reason: String,
    },
}

/// The options for opening a game.
#[derive(Debug, Clone)]
pub struct Options {
    /// The present time. The lock file shows it to other processes.
    pub at: DateTime<Utc>,
    /// Opens the game for reading only, even if another process has it open. Writes no files.
    pub view: bool,
    /// The minimum number of events to read from the end of the journal.
    pub tail: u64,
    /// If the journal is damaged, continue from the last good event, and keep the rest in another file. Without this
    /// option, opening a damaged journal fails. A database ignores this option, and refuses a damaged journal.
    pub cut_damage: bool,
    /// Begin with the previous snapshot. The next save keeps the newest one under another name. A database
    /// ignores this option, because it has no previous snapshot.
    pub from_before: bool,
    pub on_mismatch: OnMismatch,
    /// How often a snapshot is written while the game changes.
    pub snapshot_every: Duration,
    /// Copies of the rules for a new game, as pairs of file name and text.
    pub rules: Vec<(String, &'static str)>,
}

impl Options {
    /// Returns the options for playing, with the last 200 events.
    pub fn new(at: DateTime<Utc>) -> Self {
        Self {
            at,
            view: false,
            tail: 200,
            cut_damage: false,
            from_before: false,
            on_mismatch: OnMismatch::Refuse,
            snapshot_every: SNAPSHOT_INTERVAL,
            rules: Vec::new(),
        }
    }

    /// Returns the options for checking a game: read only, and only the events after the snapshot.
    pub(crate) fn check() -> Self {
        Self {
            view: true,
            tail: 0,
            ..Self::new(DateTime::UNIX_EPOCH)
        }
    }
}

/// How to handle a journal that does not belong to the snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnMismatch {
    /// Opening fails. A game that is opened for reading only, or whose snapshot was edited, opens and reports the
    /// mismatch.
    #[default]
    Refuse,
    /// The files of the journal are kept under other names, and the game continues from the snapshot alone.
    SetJournalAside,
}

/// A game that was opened.
#[derive(Debug)]
pub struct Opened {
    pub store: Arc<dyn GameStore>,
    /// The saved state.
    pub snapshot: Snapshot,
    /// The events since the snapshot and some before it, oldest first.
    pub records: Vec<Record>,
    /// Messages for the user.
    pub notices: Vec<String>,
    /// The first damage of the journal. Only set if the game was opened for reading only.
    pub damage: Option<Damage>,
    /// Describes the events that the snapshot contains and the journal has lost.
    pub loss: Option<String>,
    /// Set if the journal does not belong to the snapshot. Only possible if the game was opened for reading only, or if
    /// the snapshot was edited. The events are those of the journal, and must not be applied to the snapshot.
    pub mismatch: Option<Mismatch>,
}

/// An event for the journal of a new game.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'a, E> {
    pub at: DateTime<Utc>,
    pub by: By<'a>,
    pub event: E,
}
