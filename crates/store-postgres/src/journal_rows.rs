//! The journal of a game in a database. It is read in blocks that have as many events as a journal file.

use std::ops::Range;
use std::path::{Path, PathBuf};

use tableside_store::EVENTS_PER_FILE;
use tableside_store::backend::{ChainEnd, JournalSource, Result, last_stated_end};

use crate::database::TextRow;
use crate::game_row::GameRow;

/// The journal of a game.
#[derive(Debug)]
pub(crate) struct JournalRows {
    game: GameRow,
    /// The path for messages.
    path: PathBuf,
}

impl JournalRows {
    pub(crate) fn new(game: GameRow) -> Self {
        let path = game.display_path().join("journal");
        Self { game, path }
    }

    fn last_event(&self) -> Result<u64> {
        let sql = "select max(n)::text from journal where game = GAME";
        let rows = self.game.read(sql, &[])?;
        Ok(rows.first().map_or(0, |row| row.number(0)))
    }

    fn read_lines(&self, numbers: &Range<u64>) -> Result<Vec<u8>> {
        let sql = "select line from journal where game = GAME and n >= $3::bigint and n < $4::bigint order by n";
        let start = numbers.start.to_string();
        let end = numbers.end.min(i64::MAX as u64).to_string();
        let rows = self.game.read(sql, &[&start, &end])?;
        Ok(join_lines(&rows))
    }
}

/// Returns the number of the last event before a block.
fn last_before(sequence: u64) -> u64 {
    (sequence - 1) * EVENTS_PER_FILE
}

/// Joins the lines to one text, as in a journal file.
pub(crate) fn join_lines(rows: &[TextRow]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in rows {
        bytes.extend_from_slice(row.text(0).as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

impl JournalSource for JournalRows {
    fn path(&self) -> &Path {
        &self.path
    }

    fn files(&self) -> Result<Vec<u64>> {
        let count = self.last_event()?.div_ceil(EVENTS_PER_FILE);
        Ok((1..=count).collect())
    }

    fn length(&self, _sequence: u64) -> Result<u64> {
        self.last_event()
    }

    fn bytes(&self, sequence: u64) -> Result<Vec<u8>> {
        let first = last_before(sequence) + 1;
        self.read_lines(&(first..first + EVENTS_PER_FILE))
    }

    fn first_event(&self, sequence: u64) -> Option<u64> {
        Some(last_before(sequence) + 1)
    }

    fn chain_before(&self, sequence: u64) -> Result<Option<ChainEnd>> {
        let sql = "select line from journal where game = GAME and n <= $3::bigint order by n desc limit 1";
        let rows = self.game.read(sql, &[&last_before(sequence).to_string()])?;
        if rows.is_empty() {
            return Ok(Some(ChainEnd::default()));
        }
        Ok(last_stated_end(&join_lines(&rows)))
    }

    fn lines(&self, numbers: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.read_lines(&numbers).map(Some)
    }
}
