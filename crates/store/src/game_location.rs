//! Where one game is kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::database::{Database, Row};
use super::error::StoreError;
use super::moment::from_epoch;
use super::{disk, snapshot};

/// Where a game is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameLocation {
    /// A folder of its own.
    Folder(PathBuf),
    /// A row of a database.
    Database(GameRow),
}

/// A game in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    pub(super) database: Database,
    pub(super) name: String,
    /// Whether it is put away.
    pub(super) in_archive: bool,
}

impl GameRow {
    /// What the column `kept` says.
    pub(super) fn kept(&self) -> &'static str {
        if self.in_archive { "archive" } else { "open" }
    }

    /// The statement with the game's id in the place of `GAME`, and the values, these from `$3` on.
    fn about<'a>(&'a self, sql: &str, values: &[&'a str]) -> (String, Vec<&'a str>) {
        let id = "(select id from game where kept = $1 and game.name = $2)";
        let values = [&[self.kept(), &self.name], values].concat();
        (sql.replace("GAME", id), values)
    }

    /// Reads something of the game.
    pub(super) fn read(&self, sql: &str, values: &[&str]) -> Result<Vec<Row>, StoreError> {
        let (sql, values) = self.about(sql, values);
        self.database.read(&sql, &values)
    }

    /// Changes something of the game.
    pub(super) fn write(&self, sql: &str, values: &[&str]) -> Result<Vec<Row>, StoreError> {
        let (sql, values) = self.about(sql, values);
        self.database.write(&sql, &values)
    }

    /// Its newest snapshot.
    pub(super) fn state(&self) -> Result<String, StoreError> {
        let found = self.read("select state from game where id = GAME", &[])?;
        let found = found.first().map(|row| row.text(0).to_owned());
        found.ok_or_else(|| StoreError::Missing(self.display_path()))
    }

    fn display_path(&self) -> PathBuf {
        self.database.display_path().join(&self.name)
    }
}

impl GameLocation {
    /// The game's name.
    pub fn name(&self) -> String {
        match self {
            Self::Folder(folder) => {
                let name = folder.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
            Self::Database(row) => row.name.clone(),
        }
    }

    /// Whether a game is kept there.
    pub fn exists(&self) -> bool {
        match self {
            Self::Folder(folder) => folder.join(snapshot::FILE).exists(),
            Self::Database(row) => row.state().is_ok(),
        }
    }

    /// When the game was last saved; none where no game is kept there.
    pub fn last_saved(&self) -> Option<SystemTime> {
        match self {
            Self::Folder(folder) => {
                let saved = fs::symlink_metadata(folder.join(snapshot::FILE)).ok()?;
                saved.modified().ok()
            }
            Self::Database(row) => {
                let saved =
                    "select extract(epoch from saved)::bigint::text from game where id = GAME";
                let found = row.read(saved, &[]).ok()?;
                let seconds = found.first()?.number(0);
                Some(from_epoch(seconds))
            }
        }
    }

    /// The text of the newest snapshot, whatever is wrong with it.
    pub fn snapshot_text(&self) -> Option<String> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(snapshot::FILE);
                let bytes = disk::read_file(&path, snapshot::LARGEST).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            Self::Database(row) => row.state().ok(),
        }
    }

    /// The game's folder, where it has one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Database(_) => None,
        }
    }

    /// How messages name it, and a file beside the game in front of that file's name.
    pub fn display_path(&self) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.clone(),
            Self::Database(row) => row.display_path(),
        }
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for GameLocation {
    fn from(folder: &P) -> Self {
        Self::Folder(folder.as_ref().to_path_buf())
    }
}

impl From<&Self> for GameLocation {
    fn from(place: &Self) -> Self {
        place.clone()
    }
}
