//! All games of a database.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use tableside_store::backend::{Result, StorageBackend, from_epoch};
use tableside_store::{FileStamp, GameFile, GameLocation, Name, SavedGame};

use crate::database::Database;
use crate::game_row::GameRow;

/// All games of a database.
#[derive(Debug)]
pub(crate) struct PostgresStorage {
    database: Database,
}

impl PostgresStorage {
    pub(crate) fn new(database: Database) -> Self {
        Self { database }
    }

    fn row(&self, name: &str, is_archived: bool) -> GameRow {
        GameRow {
            database: self.database.clone(),
            name: name.to_owned(),
            is_archived,
        }
    }

    /// Lists games, the last saved first. Names that begin with a dot are not games of users.
    fn list(&self, is_archived: bool) -> Result<Vec<SavedGame>> {
        let sql = "select name, extract(epoch from saved)::bigint::text from game
            where kept = $1 and name not like '.%' order by saved desc, name";
        let kept = self.row("", is_archived).kept();

        let mut games = Vec::new();
        for row in self.database.read(sql, &[kept])? {
            let name = row.text(0);
            games.push(SavedGame {
                name: name.to_owned(),
                location: self.row(name, is_archived).location(),
                last_saved: from_epoch(row.number(1)),
            });
        }
        Ok(games)
    }

    fn is_free(&self, name: &str, is_archived: bool) -> Result<bool> {
        let games = self.list(is_archived)?;
        Ok(games.iter().all(|game| game.name != name))
    }

    /// Returns the first free name of `prefix` with a number appended, from `first_number` on.
    fn free_numbered_name(
        &self,
        prefix: &str,
        first_number: u32,
        is_archived: bool,
    ) -> Result<String> {
        let games = self.list(is_archived)?;
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
        self.row(name.as_str(), false).location()
    }

    fn archived_location(&self, name: &Name) -> Result<GameLocation> {
        Ok(self.row(name.as_str(), true).location())
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
        self.list(false)
    }

    fn archived_games(&self) -> Result<Vec<SavedGame>> {
        self.list(true)
    }

    fn files_beside_games(&self, file: &str) -> Result<Vec<GameFile>> {
        let sql = "select game.name, file.version::text from game join file on file.game = game.id
            where game.kept = $1 and file.name = $2 and game.name not like '.%'";
        let kept = self.row("", false).kept();

        let mut files = Vec::new();
        for row in self.database.read(sql, &[kept, file])? {
            let name = row.text(0);
            files.push(GameFile {
                game: name.to_owned(),
                location: self.row(name, false).location(),
                stamp: FileStamp::from_version(row.number(1)),
            });
        }
        Ok(files)
    }

    fn unsaved_location(&self) -> Result<GameLocation> {
        let name = self.free_numbered_name("unsaved-", 1, false)?;
        Ok(self.row(&name, false).location())
    }

    fn rename(&self, from: &Name, to: &Name, _at: DateTime<Utc>) -> Result<()> {
        let target = self.row(to.as_str(), false);
        self.row(from.as_str(), false).rename(&target)
    }

    fn archive(&self, name: &Name, _at: DateTime<Utc>) -> Result<String> {
        let archived_name = if self.is_free(name.as_str(), true)? {
            name.as_str().to_owned()
        } else {
            self.free_numbered_name(&format!("{name} "), 2, true)?
        };
        let target = self.row(&archived_name, true);
        self.row(name.as_str(), false).rename(&target)?;
        Ok(archived_name)
    }

    fn restore(&self, name: &Name, _at: DateTime<Utc>) -> Result<()> {
        let target = self.row(name.as_str(), false);
        self.row(name.as_str(), true).rename(&target)
    }
}
