//! All games of a database.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use tableside_store::backend::{Result, StorageBackend, from_epoch};
use tableside_store::{FileStamp, GameFile, GameLocation, Name, SavedGame};

use crate::database::Database;
use crate::game_row::{GameRow, Shelf};

/// All games of a database.
#[derive(Debug)]
pub(crate) struct PostgresStorage {
    database: Database,
}

impl PostgresStorage {
    pub(crate) fn new(database: Database) -> Self {
        Self { database }
    }

    fn row(&self, name: &str, shelf: Shelf) -> GameRow {
        GameRow {
            database: self.database.clone(),
            name: name.to_owned(),
            shelf,
        }
    }

    /// Lists games, the last saved first. Skips the host's own game, whose name begins with a dot.
    fn list(&self, shelf: Shelf) -> Result<Vec<SavedGame>> {
        let sql = "select name, extract(epoch from saved)::bigint::text from game
            where kept = $1 and name not like '.%' order by saved desc, name";
        let kept = shelf.kept();

        let mut games = Vec::new();
        for row in self.database.read(sql, &[kept])? {
            let name = row.text(0);
            games.push(SavedGame {
                name: name.to_owned(),
                location: self.row(name, shelf).location(),
                last_saved: from_epoch(row.number(1)),
            });
        }
        Ok(games)
    }

    fn is_free(&self, name: &str, shelf: Shelf) -> Result<bool> {
        let games = self.list(shelf)?;
        Ok(games.iter().all(|game| game.name != name))
    }

    /// Returns the first free name that consists of `prefix` and a number. The numbers begin with `first_number`.
    fn free_numbered_name(&self, prefix: &str, first_number: u32, shelf: Shelf) -> Result<String> {
        let games = self.list(shelf)?;
        for number in first_number..=u32::MAX {
            let name = format!("{prefix}{number}");
            if games.iter().all(|game| game.name != name) {
                return Ok(name);
            }
        }
        Ok(prefix.to_owned())
    }
}

impl StorageBackend for PostgresStorage {
    fn location(&self, name: &Name) -> GameLocation {
        self.row(name.as_str(), Shelf::Games).location()
    }

    fn archived_location(&self, name: &Name) -> Result<GameLocation> {
        Ok(self.row(name.as_str(), Shelf::Archive).location())
    }

    fn host_files(&self) -> GameLocation {
        self.location(&Name::host_game())
    }

    fn has(&self, name: &Name) -> bool {
        self.location(name).exists()
    }

    fn display_path(&self) -> PathBuf {
        self.database.display_path()
    }

    fn games(&self) -> Result<Vec<SavedGame>> {
        self.list(Shelf::Games)
    }

    fn archived_games(&self) -> Result<Vec<SavedGame>> {
        self.list(Shelf::Archive)
    }

    fn files_beside_games(&self, file: &str) -> Result<Vec<GameFile>> {
        let sql = "select game.name, file.version::text from game join file on file.game = game.id
            where game.kept = $1 and file.name = $2 and game.name not like '.%'";
        let kept = Shelf::Games.kept();

        let mut files = Vec::new();
        for row in self.database.read(sql, &[kept, file])? {
            let name = row.text(0);
            files.push(GameFile {
                game: name.to_owned(),
                location: self.row(name, Shelf::Games).location(),
                stamp: FileStamp::from_version(row.number(1)),
            });
        }
        Ok(files)
    }

    fn unsaved_location(&self) -> Result<GameLocation> {
        let name = self.free_numbered_name("unsaved-", 1, Shelf::Games)?;
        Ok(self.row(&name, Shelf::Games).location())
    }

    fn rename(&self, from: &Name, to: &Name, _at: DateTime<Utc>) -> Result<()> {
        let target = self.row(to.as_str(), Shelf::Games);
        self.row(from.as_str(), Shelf::Games).rename(&target)
    }

    fn archive(&self, name: &Name, _at: DateTime<Utc>) -> Result<String> {
        let archived_name = if self.is_free(name.as_str(), Shelf::Archive)? {
            name.as_str().to_owned()
        } else {
            self.free_numbered_name(&format!("{name} "), 2, Shelf::Archive)?
        };
        let target = self.row(&archived_name, Shelf::Archive);
        self.row(name.as_str(), Shelf::Games).rename(&target)?;
        Ok(archived_name)
    }

    fn restore(&self, name: &Name, _at: DateTime<Utc>) -> Result<()> {
        let target = self.row(name.as_str(), Shelf::Games);
        self.row(name.as_str(), Shelf::Archive).rename(&target)
    }
}
