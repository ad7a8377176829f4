//! A game as a row of the database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tableside_store::backend::{
    FillGame, JournalSource, LocationBackend, Result, SNAPSHOT_FILE, SidecarFile, from_epoch,
};
use tableside_store::{GameLocation, Opened, Options, Snapshot, StoreError};

use crate::database::{Database, TextRow};
use crate::game::PostgresGame;
use crate::journal_end::check_history;
use crate::journal_rows::JournalRows;
use crate::new_game::create_game;
use crate::sidecar_row::SidecarRow;

/// The list that contains a game.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shelf {
    Games,
    Archive,
}

impl Shelf {
    /// Returns the value of the column `kept`.
    pub(crate) fn kept(self) -> &'static str {
        match self {
            Self::Games => "open",
            Self::Archive => "archive",
        }
    }
}

/// The row of a game in a database. The row may not exist yet.
#[derive(Debug, Clone)]
pub(crate) struct GameRow {
    pub(crate) database: Database,
    pub(crate) name: String,
    pub(crate) shelf: Shelf,
}

impl GameRow {
    pub(crate) fn location(&self) -> GameLocation {
        GameLocation::from_backend(self.clone())
    }

    /// Runs a statement that changes no rows. `GAME` in the statement is the id of the game, and the values begin with
    /// `$3`.
    pub(crate) fn read(&self, sql: &str, values: &[&str]) -> Result<Vec<TextRow>> {
        self.database
            .read(&with_game_id(sql), &self.with_key(values))
    }

    /// Runs a statement that changes rows, with the same placeholders as [`read`](Self::read).
    pub(crate) fn write(&self, sql: &str, values: &[&str]) -> Result<Vec<TextRow>> {
        self.database
            .write(&with_game_id(sql), &self.with_key(values))
    }

    /// Puts the key of the game before the values.
    fn with_key<'a>(&'a self, values: &[&'a str]) -> Vec<&'a str> {
        [&[self.shelf.kept(), &self.name], values].concat()
    }

    pub(crate) fn display_path(&self) -> PathBuf {
        self.database.display_path().join(&self.name)
    }

    /// Reads the newest snapshot.
    pub(crate) fn snapshot_text(&self) -> Result<String> {
        let rows = self.read("select state from game where id = GAME", &[])?;
        match rows.first() {
            Some(row) => Ok(row.text(0).to_owned()),
            None => Err(StoreError::Missing(self.display_path())),
        }
    }

    /// Renames the game, and moves it into the archive or out of it.
    pub(crate) fn rename(&self, to: &Self) -> Result<()> {
        let renamed = self.write(
            "with new as (update game set kept = $3, name = $4 where id = GAME
                and not exists (select from game where kept = $3 and name = $4) returning id)
             select pg_notify('tableside', json_build_object('game', id, 'node', $5::bigint, 'name', $4)::text)::text
             from new",
            &[to.shelf.kept(), &to.name, &self.database.node().to_string()],
        )?;

        if renamed.is_empty() {
            // Either this game is missing, which `snapshot_text` reports, or the new name is in use.
            self.snapshot_text()?;
            return Err(StoreError::Exists(to.display_path()));
        }
        Ok(())
    }
}

fn with_game_id(sql: &str) -> String {
    let id = "(select id from game where kept = $1 and game.name = $2)";
    sql.replace("GAME", id)
}

impl LocationBackend for GameRow {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn exists(&self) -> bool {
        self.snapshot_text().is_ok()
    }

    fn last_saved(&self) -> Option<SystemTime> {
        let sql = "select extract(epoch from saved)::bigint::text from game where id = GAME";
        let rows = self.read(sql, &[]).ok()?;
        let seconds = rows.first()?.number(0);
        Some(from_epoch(seconds))
    }

    fn display_path(&self) -> PathBuf {
        Self::display_path(self)
    }

    fn open(&self, options: &Options) -> Result<Opened> {
        PostgresGame::open(self, options)
    }

    fn create(&self, options: &Options, fill: &mut FillGame<'_>) -> Result<Opened> {
        create_game(self, fill)?;
        self.open(options)
    }

    fn import(&self, fill: &mut FillGame<'_>) -> Result<()> {
        create_game(self, fill)
    }

    fn read_snapshot(&self) -> Result<Vec<u8>> {
        Ok(self.snapshot_text()?.into_bytes())
    }

    fn check_history(&self, snapshot: &Snapshot) -> Result<u64> {
        check_history(self, snapshot)
    }

    fn journal(&self) -> Arc<dyn JournalSource> {
        Arc::new(JournalRows::new(self.clone()))
    }

    fn sidecar_names(&self) -> Result<Vec<String>> {
        let rows = self.read("select name from file where game = GAME", &[])?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }

    fn sidecar(&self, name: &str) -> Arc<dyn SidecarFile> {
        Arc::new(SidecarRow::new(self.clone(), name))
    }
}

/// Parses the snapshot of a game.
pub(crate) fn parse_snapshot(game: &Path, text: &str) -> Result<Snapshot> {
    Snapshot::parse(&game.join(SNAPSHOT_FILE), text.as_bytes().to_vec())
}
