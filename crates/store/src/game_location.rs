//! The location of a saved game.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde::Serialize;

use crate::error::Result;
use crate::folder::GameFolder;
use crate::game_index::GameStamp;
use crate::game_store::{NewEvent, Opened, Options};
use crate::journal::reader::JournalSource;
use crate::new_game::NewGame;
use crate::sidecar::SidecarFile;
use crate::snapshot::Snapshot;

/// The location of a saved game: a folder, or a row of a database. The game may not exist yet.
#[derive(Debug, Clone)]
pub struct GameLocation {
    backend: Arc<dyn LocationBackend>,
}

/// Receives a file of a new game: its name and its text.
pub type PutFile<'a> = dyn FnMut(&str, &str) -> Result<()> + 'a;

/// Writes all files of a new game.
pub type FillGame<'a> = dyn FnMut(&mut PutFile<'_>) -> Result<()> + 'a;

/// Access to a location. [`GameLocation`] documents most of the methods.
pub trait LocationBackend: fmt::Debug + Send + Sync {
    fn name(&self) -> String;
    fn exists(&self) -> bool;
    fn last_saved(&self) -> Option<SystemTime>;
    fn display_path(&self) -> PathBuf;
    fn open(&self, options: &Options) -> Result<Opened>;

    /// Creates a game completely or not at all, and opens it.
    fn create(&self, options: &Options, fill: &mut FillGame<'_>) -> Result<Opened>;

    /// Creates a game from the files of an exported game, and checks that they belong together.
    fn import(&self, fill: &mut FillGame<'_>) -> Result<()>;

    /// Reads the newest snapshot without checking it.
    fn read_snapshot(&self) -> Result<Vec<u8>>;

    /// Fails if the end of the journal is damaged or does not belong to the snapshot. Returns the number of the last
    /// event.
    fn check_history(&self, snapshot: &Snapshot) -> Result<u64>;

    /// Returns the journal.
    fn journal(&self) -> Arc<dyn JournalSource>;

    /// Lists the names of the files next to the game.
    fn sidecar_names(&self) -> Result<Vec<String>>;

    /// Returns the file of that name next to the game.
    fn sidecar(&self, name: &str) -> Arc<dyn SidecarFile>;

    fn folder(&self) -> Option<&Path> {
        None
    }

    fn stamp(&self) -> Option<GameStamp> {
        None
    }

    fn has_stamp(&self, stamp: &GameStamp) -> bool {
        self.stamp().as_ref() == Some(stamp)
    }
}

impl GameLocation {
    pub fn from_backend(backend: impl LocationBackend + 'static) -> Self {
        Self {
            backend: Arc::new(backend),
        }
    }

    pub(crate) fn backend(&self) -> &dyn LocationBackend {
        &*self.backend
    }

    /// Opens the game.
    pub fn open(&self, options: &Options) -> Result<Opened> {
        self.backend.open(options)
    }

    /// Creates a game from a state and the events that led to it, and opens the game. The state must contain the
    /// effects of all events.
    ///
    /// A thread of the store syncs the files later. [`flush`](crate::GameStore::flush) waits until they are on the
    /// disk.
    pub fn create<E: Serialize>(
        &self,
        options: &Options,
        state: &str,
        events: &[NewEvent<'_, E>],
    ) -> Result<Opened> {
        let new_game = NewGame {
            state,
            events,
            rules: &options.rules,
        };
        self.backend
            .create(options, &mut |put| new_game.write_files(put))
    }

    /// Returns the name of the game.
    pub fn name(&self) -> String {
        self.backend.name()
    }

    /// Returns true if the game exists.
    pub fn exists(&self) -> bool {
        self.backend.exists()
    }

    /// Returns the time of the last snapshot, or `None` if there is no game.
    pub fn last_saved(&self) -> Option<SystemTime> {
        self.backend.last_saved()
    }

    /// Returns the text of the newest snapshot, even if it is damaged. Returns `None` if it cannot be read.
    pub fn snapshot_text(&self) -> Option<String> {
        let bytes = self.backend.read_snapshot().ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the folder of the game. Games in a database have none.
    pub fn folder(&self) -> Option<&Path> {
        self.backend.folder()
    }

    /// Returns the path for messages. Names of files next to the game can be appended to it.
    pub fn display_path(&self) -> PathBuf {
        self.backend.display_path()
    }

    /// Returns a stamp of all files that describe the game. A summary of the game is valid as long as the stamp is the
    /// same. Returns `None` if the location has no stamps.
    pub fn stamp(&self) -> Option<GameStamp> {
        self.backend.stamp()
    }

    /// Returns true if the game has not changed since it had this stamp. Faster than [`stamp`](Self::stamp).
    pub fn has_stamp(&self, stamp: &GameStamp) -> bool {
        self.backend.has_stamp(stamp)
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for GameLocation {
    fn from(folder: &P) -> Self {
        Self::from_backend(GameFolder::new(folder.as_ref()))
    }
}

impl From<&Self> for GameLocation {
    fn from(location: &Self) -> Self {
        location.clone()
    }
}
