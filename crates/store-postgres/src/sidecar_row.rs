//! Sidecar files of a game, as rows of the database.

use std::fs::File;

use tableside_store::backend::{LARGEST_SIDECAR, Result, SidecarFile};
use tableside_store::{FileStamp, StoreError};

use crate::game_row::GameRow;

/// A sidecar file of a game.
#[derive(Debug)]
pub(crate) struct SidecarRow {
    game: GameRow,
    name: String,
}

impl SidecarRow {
    pub(crate) fn new(game: GameRow, name: &str) -> Self {
        Self {
            game,
            name: name.to_owned(),
        }
    }

    /// Runs a statement with the file's name as `$3`. Returns true if it changed the row.
    fn write(&self, sql: &str, values: &[&str]) -> Result<bool> {
        let sql = format!("{sql} returning version::text");
        let all_values = [&[self.name.as_str()], values].concat();
        let changed_rows = self.game.write(&sql, &all_values)?;
        Ok(!changed_rows.is_empty())
    }

    /// Creates the file. Returns false if it exists already.
    fn insert(&self, text: &str) -> Result<bool> {
        let sql = "insert into file (game, name, text) select GAME, $3, $4 on conflict do nothing";
        self.write(sql, &[text])
    }
}

impl SidecarFile for SidecarRow {
    fn stamp(&self) -> Option<FileStamp> {
        let sql = "select version::text from file where game = GAME and name = $3";
        let rows = self.game.read(sql, &[&self.name]).ok()?;
        let version = rows.first()?.number(0);
        Some(FileStamp::from_version(version))
    }

    fn read(&self) -> Result<Option<String>> {
        let sql = "select text from file where game = GAME and name = $3";
        let rows = self.game.read(sql, &[&self.name])?;
        Ok(rows.first().map(|row| row.text(0).to_owned()))
    }

    fn create(&self, text: &str) -> Result<()> {
        if self.insert(text)? {
            Ok(())
        } else {
            let path = self.game.display_path().join(&self.name);
            Err(StoreError::Exists(path))
        }
    }

    fn replace(&self, text: &str) -> Result<()> {
        self.write(
            "insert into file (game, name, text) select GAME, $3, $4 on conflict (game, name)
             do update set text = $4, version = nextval('file_version')",
            &[text],
        )?;
        Ok(())
    }

    fn replace_from(&self, stamp: Option<FileStamp>, text: &str) -> Result<bool> {
        let Some(stamp) = stamp else {
            return self.insert(text);
        };
        self.write(
            "update file set text = $4, version = nextval('file_version')
             where game = GAME and name = $3 and version = $5::bigint",
            &[text, &stamp.version().to_string()],
        )
    }

    fn append(&self, line: &str) -> Result<()> {
        let sql = format!(
            "insert into file (game, name, text) select GAME, $3, $4 || chr(10) on conflict (game, name)
             do update set text = right(file.text, {LARGEST_SIDECAR}) || excluded.text, version = nextval('file_version')"
        );
        self.write(&sql, &[line])?;
        Ok(())
    }

    fn remove(&self) {
        let sql = "delete from file where game = GAME and name = $3";
        // If the statement fails, the next write replaces the file.
        let _removed = self.game.write(sql, &[&self.name]);
    }

    fn lock(&self) -> Result<Option<File>> {
        Ok(None)
    }
}
