//! All games of one data folder or database.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use tableside_text::is_same_name;

use crate::bundle::{self, ExportOptions, ImportOptions, Imported};
use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::game_location::GameLocation;
use crate::game_name::Name;
use crate::sidecar::FileStamp;

/// A data folder or a database with any number of games.
#[derive(Debug, Clone)]
pub struct Storage {
    backend: Arc<dyn StorageBackend>,
}

/// A saved game in a list of games.
#[derive(Debug, Clone)]
pub struct SavedGame {
    pub name: String,
    pub location: GameLocation,
    /// The time of the last snapshot.
    pub last_saved: SystemTime,
}

/// A file next to a game, in a list of such files.
#[derive(Debug, Clone)]
pub struct GameFile {
    /// The name of the game.
    pub game: String,
    pub location: GameLocation,
    /// The version of the file.
    pub stamp: FileStamp,
}

/// Access to a data folder or a database. [`Storage`] documents the methods.
pub trait StorageBackend: fmt::Debug + Send + Sync {
    fn location(&self, name: &Name) -> GameLocation;
    fn archived_location(&self, name: &Name) -> Result<GameLocation>;
    fn host_files(&self) -> GameLocation;
    fn has(&self, name: &Name) -> bool;
    fn display_path(&self) -> PathBuf;
    fn games(&self) -> Result<Vec<SavedGame>>;
    fn archived_games(&self) -> Result<Vec<SavedGame>>;
    fn files_beside_games(&self, file: &str) -> Result<Vec<GameFile>>;
    fn unsaved_location(&self) -> Result<GameLocation>;
    fn rename(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<()>;
    fn archive(&self, name: &Name, at: DateTime<Utc>) -> Result<String>;
    fn restore(&self, name: &Name, at: DateTime<Utc>) -> Result<()>;

    /// Returns the data folder. A database has none.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// Creates an empty file without a name, on a disk with room for a game.
    fn temporary_file(&self) -> io::Result<File> {
        tempfile::tempfile()
    }
}

impl Storage {
    pub fn from_backend(backend: impl StorageBackend + 'static) -> Self {
        Self {
            backend: Arc::new(backend),
        }
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        self.backend.folder()
    }

    /// Returns the location of a game, whether or not it exists.
    pub fn location(&self, name: &Name) -> GameLocation {
        self.backend.location(name)
    }

    /// Returns the location of an archived game.
    pub fn archived_location(&self, name: &Name) -> Result<GameLocation> {
        self.backend.archived_location(name)
    }

    /// Finds the game that a user means by `given`: the game with exactly this name, or the only game whose name looks
    /// the same. If no game matches, returns the name for a new game.
    pub fn find(&self, given: &str, reserved: &[&str]) -> Result<Name> {
        let name = Name::new(given, reserved)?;

        // An older version may have saved a game under a name that new games cannot have.
        if let Ok(exact) = Name::of_game(given)
            && self.has(&exact)
        {
            return Ok(exact);
        }
        if self.has(&name) {
            return Ok(name);
        }

        let similar_names = self.names_that_look_like(&name);
        match similar_names.as_slice() {
            [only] => Name::of_game(only),
            _ => Ok(name),
        }
    }

    /// Returns the name for a game that is created, or that is renamed from `before`. If the name of another game looks
    /// the same, returns the name of that game, so that the caller reports a conflict.
    pub fn new_name(&self, given: &str, before: Option<&str>, reserved: &[&str]) -> Result<Name> {
        let name = Name::new(given, reserved)?;
        for similar_name in self.names_that_look_like(&name) {
            if before != Some(similar_name.as_str()) {
                return Name::of_game(&similar_name);
            }
        }
        Ok(name)
    }

    fn names_that_look_like(&self, name: &Name) -> Vec<String> {
        // If the games cannot be listed, the error is ignored here, because opening the game reports it.
        let games = self.games().unwrap_or_default();
        games
            .into_iter()
            .map(|game| game.name)
            .filter(|other| is_same_name(other, name.as_str()))
            .collect()
    }

    /// Returns the location of the host's files that belong to no game, such as its host key.
    pub fn host_files(&self) -> GameLocation {
        self.backend.host_files()
    }

    /// Returns true if the name is in use. In a data folder, a file or folder with the name also counts.
    pub fn has(&self, name: &Name) -> bool {
        self.backend.has(name)
    }

    /// Returns the path for messages.
    pub fn display_path(&self) -> PathBuf {
        self.backend.display_path()
    }

    /// Lists the games, the last saved first.
    pub fn games(&self) -> Result<Vec<SavedGame>> {
        self.backend.games()
    }

    /// Lists the archived games, the last saved first.
    pub fn archived_games(&self) -> Result<Vec<SavedGame>> {
        self.backend.archived_games()
    }

    /// Lists the files with this name next to all games, with their stamps. Games without such a file are left out.
    pub fn files_beside_games(&self, file: &str) -> Result<Vec<GameFile>> {
        self.backend.files_beside_games(file)
    }

    /// Returns the location for a game without a name: the first free `unsaved-N`.
    pub fn unsaved_location(&self) -> Result<GameLocation> {
        self.backend.unsaved_location()
    }

    /// Renames a game. A game in a data folder must not be open.
    pub fn rename(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<()> {
        self.backend.rename(from, to, at)
    }

    /// Moves a game into the archive, under its own name or the first free name that begins with it. Returns the name in
    /// the archive.
    pub fn archive(&self, name: &Name, at: DateTime<Utc>) -> Result<String> {
        self.backend.archive(name, at)
    }

    /// Moves a game out of the archive.
    pub fn restore(&self, name: &Name, at: DateTime<Utc>) -> Result<()> {
        let similar_names = self.names_that_look_like(name);
        if let Some(similar_name) = similar_names.first() {
            let existing = Name::of_game(similar_name)?;
            let location = self.location(&existing);
            return Err(StoreError::Exists(location.display_path()));
        }
        self.backend.restore(name, at)
    }

    /// Copies a game with its history, even while it is open. The seats are not copied.
    pub fn duplicate(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<()> {
        let path = self.display_path();
        let copy_error = |error| StoreError::io("copy into", &path, error);
        let mut file = self.backend.temporary_file().map_err(copy_error)?;

        let export_options = ExportOptions {
            name: to.as_str(),
            with_seats: false,
            at,
        };
        let source = self.location(from);
        bundle::export(&source, &export_options, &mut file)?;

        file.rewind().map_err(copy_error)?;
        let import_options = ImportOptions {
            name: Some(to),
            with_seats: false,
            reserved: &[],
        };
        let mut input = BufReader::new(file);
        self.import(&mut input, &import_options)?;
        Ok(())
    }

    /// Creates a game from an exported file. Never overwrites an existing game. If anything fails, no game is created.
    pub fn import(&self, from: &mut dyn BufRead, options: &ImportOptions<'_>) -> Result<Imported> {
        bundle::import(from, options, |name| {
            match self.new_name(name.as_str(), None, &[]) {
                Ok(free_or_taken) => self.location(&free_or_taken),
                Err(_) => self.location(name),
            }
        })
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Storage {
    fn from(data: &P) -> Self {
        Self::from_backend(DataFolder::new(data.as_ref()))
    }
}
