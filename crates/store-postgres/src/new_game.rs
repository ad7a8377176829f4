//! Creates a game completely or not at all.
//!
//! Until all its files are in the database, the game has `kept = 'making'`, and no other process lists it.

use std::path::Path;

use tableside_store::backend::{ChainEnd, FillGame, Result, SNAPSHOT_FILE};
use tableside_store::{Block, Mismatch, MismatchFinding, Snapshot, StoreError};

use crate::database::Database;
use crate::game_row::GameRow;

/// Deletes the unfinished game `$1`, and unfinished games that are older than a day.
const DELETE_UNFINISHED: &str = "
with old as (delete from game where kept = 'making'
    and (id = $1::bigint or saved < now() - interval '1 day') returning id),
lines as (delete from journal where game in (select id from old))
delete from file where game in (select id from old)";

/// An unfinished game.
struct UnfinishedGame<'a> {
    database: &'a Database,
    id: String,
    /// The last event that was inserted.
    chain: ChainEnd,
    snapshot: Option<Snapshot>,
    /// The chain positions of all inserted events. They are compared with the snapshot after the last file, because the
    /// snapshot may come before or after the journal.
    ends: Vec<ChainEnd>,
}

/// Creates a game with the files that `fill` writes.
pub(crate) fn create_game(game: &GameRow, fill: &mut FillGame<'_>) -> Result<()> {
    if game.snapshot_text().is_ok() {
        return Err(StoreError::Exists(game.display_path()));
    }

    let mut unfinished = UnfinishedGame::begin(game)?;
    let result = fill(&mut |name, text| unfinished.put(name, text))
        .and_then(|()| unfinished.check_journal_matches_snapshot())
        .and_then(|()| unfinished.finish(game));

    if result.is_err() {
        // If the statement fails, the next `create_game` after a day deletes the unfinished game.
        let _deleted = game.database.write(DELETE_UNFINISHED, &[&unfinished.id]);
    }
    result
}

impl<'a> UnfinishedGame<'a> {
    fn begin(game: &'a GameRow) -> Result<Self> {
        let database = &game.database;
        let no_game = "0";
        database.write(DELETE_UNFINISHED, &[no_game])?;

        let insert = "insert into game (name, kept, state, last) values ($1, 'making', '', 0) returning id::text";
        let rows = database.write(insert, &[&game.name])?;
        let id = rows.first().map_or("", |row| row.text(0));
        Ok(Self {
            database,
            id: id.to_owned(),
            chain: ChainEnd::default(),
            snapshot: None,
            ends: Vec::new(),
        })
    }

    /// Adds a file that a folder would contain: the snapshot, a part of the journal, or a file next to the game.
    fn put(&mut self, name: &str, text: &str) -> Result<()> {
        if name == SNAPSHOT_FILE {
            self.put_snapshot(text)
        } else if name.starts_with("journal/") {
            self.put_journal(name, text)
        } else {
            let insert = "insert into file (game, name, text) values ($1::bigint, $2, $3)";
            self.database.write(insert, &[&self.id, name, text])?;
            Ok(())
        }
    }

    fn put_snapshot(&mut self, text: &str) -> Result<()> {
        let snapshot = Snapshot::parse(Path::new(SNAPSHOT_FILE), text.into())?;
        let update = "update game set state = $2, last = $3::bigint where id = $1::bigint";
        let last = snapshot.last.to_string();
        self.database.write(update, &[&self.id, text, &last])?;
        self.snapshot = Some(snapshot);
        Ok(())
    }

    fn put_journal(&mut self, name: &str, text: &str) -> Result<()> {
        let block = Block::scan(Path::new(name).into(), text.into(), Some(self.chain));
        if let Some(damage) = block.first_damage() {
            return Err(StoreError::Damaged(damage));
        }

        let lines: Vec<(u64, String)> = block
            .lines()
            .map(|(n, line)| (n, String::from_utf8_lossy(line).into_owned()))
            .collect();
        let lines_json = serde_json::to_string(&lines).unwrap_or_default();
        let insert = "insert into journal select $1::bigint, (line->>0)::bigint, line->>1, 0
            from json_array_elements($2::json) as line";
        self.database.write(insert, &[&self.id, &lines_json])?;

        self.chain = block.end().unwrap_or(self.chain);
        self.ends.extend(block.ends());
        Ok(())
    }

    /// Fails if the journal does not belong to the snapshot.
    fn check_journal_matches_snapshot(&self) -> Result<()> {
        let Some(snapshot) = &self.snapshot else {
            return Ok(());
        };
        let Some(checksums) = snapshot.checksums else {
            return Ok(());
        };

        let newest = self
            .ends
            .iter()
            .rev()
            .find(|end| end.n <= snapshot.last)
            .copied()
            .unwrap_or_default();
        if newest.crc == checksums.end {
            return Ok(());
        }

        Err(StoreError::Mismatched(Box::new(Mismatch {
            snapshot: SNAPSHOT_FILE.into(),
            journal: "journal".into(),
            reached: snapshot.last,
            finding: MismatchFinding::new(newest.n, self.chain.n, snapshot.last),
            before_belongs: false,
        })))
    }

    /// Publishes the game under its name. Fails if another process has created a game of this name in the meantime.
    fn finish(&self, game: &GameRow) -> Result<()> {
        let exists = || StoreError::Exists(game.display_path());
        let update = "update game set kept = 'open' where id = $1::bigint
            and not exists (select from game where kept = 'open' and name = $2) returning name";

        match self.database.write(update, &[&self.id, &game.name]) {
            Ok(rows) if rows.is_empty() => Err(exists()),
            Ok(_) => Ok(()),
            // The unique index refused the name: another process created the game during the statement.
            Err(_) if game.snapshot_text().is_ok() => Err(exists()),
            Err(error) => Err(error),
        }
    }
}
