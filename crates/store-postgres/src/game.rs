//! An open game.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde_json::value::RawValue;
use tableside_store::backend::{
    ChainEnd, Checksums, Result, describe_lost_events, encode, seal_snapshot, stored_crc,
};
use tableside_store::{
    Block, By, GameLocation, GameStore, Name, OnMismatch, Opened, Options, Record, Saving,
    StoreClient, StoreError,
};

use crate::connection::QUERY_TIMEOUT;
use crate::database::{AppendOutcome, AppendRequest, Database};
use crate::game_row::{GameRow, Shelf, parse_snapshot};
use crate::journal_end::{find_mismatch, read_end, scan_lines, set_journal_aside};
use crate::notifications::{GameListener, GameNotification};
use crate::save_progress::{OpeningTime, SaveProgress};

/// An open game.
#[derive(derive_more::Debug)]
#[debug("{}", self.display_path().display())]
pub(crate) struct PostgresGame {
    id: i64,
    row: Mutex<GameRow>,
    opened: OpeningTime,
    options: Options,
    progress: Mutex<SaveProgress>,
    client: OnceLock<Weak<dyn StoreClient>>,
    is_listening: OnceLock<()>,
}

impl PostgresGame {
    /// Opens a game.
    pub(crate) fn open(row: &GameRow, options: &Options) -> Result<Opened> {
        let display_path = row.display_path();
        let rows = row.read("select id::text, state from game where id = GAME", &[])?;
        let Some(found) = rows.first() else {
            return Err(StoreError::Missing(display_path));
        };
        let id = found.number(0);
        let snapshot = parse_snapshot(&display_path, found.text(1))?;

        let mut block = read_end(row, snapshot.last, options.tail)?;
        let mut notices = Vec::new();
        let mut mismatch = find_mismatch(&block, &snapshot, &display_path);
        if let Some(found) = &mismatch
            && !options.view
        {
            if options.on_mismatch == OnMismatch::SetJournalAside {
                notices.push(set_journal_aside(row)?);
                mismatch = None;
                block = read_end(row, snapshot.last, options.tail)?;
            } else if snapshot.is_sealed {
                return Err(StoreError::Mismatched(Box::new(found.clone())));
            }
        }

        let damage = block.first_damage();
        if let Some(damage) = &damage
            && !options.view
        {
            return Err(StoreError::Damaged(damage.clone()));
        }

        let last_good = damage.as_ref().map_or(u64::MAX, |damage| damage.last_good);
        let mut records = block.records().collect::<Result<Vec<_>, _>>()?;
        records.retain(|record| record.n <= last_good);

        let journal_last = block.end().unwrap_or_default().n;
        let loss = if journal_last < snapshot.last && damage.is_none() && mismatch.is_none() {
            let sentence = describe_lost_events(&display_path, journal_last, snapshot.last);
            Some(sentence)
        } else {
            None
        };

        let game = Self {
            id,
            row: Mutex::new(row.clone()),
            opened: OpeningTime {
                date: options.at,
                instant: Instant::now(),
            },
            options: options.clone(),
            progress: Mutex::new(SaveProgress::new(&block, &snapshot)),
            client: OnceLock::new(),
            is_listening: OnceLock::new(),
        };
        Ok(Opened {
            store: Arc::new(game),
            snapshot,
            records,
            notices,
            damage,
            loss,
            mismatch,
        })
    }

    fn database(&self) -> Database {
        self.row.lock().database.clone()
    }

    fn display_path(&self) -> PathBuf {
        self.row.lock().display_path()
    }

    fn client(&self) -> Option<Arc<dyn StoreClient>> {
        self.client.get().and_then(Weak::upgrade)
    }

    /// Records that an event was saved, and schedules a snapshot.
    fn note_saved(&self, end: ChainEnd) {
        let mut progress = self.progress.lock();
        let checksums = Checksums {
            end: end.crc,
            before: progress.end.crc,
        };
        progress.checksums.insert(end.n, checksums);
        progress.end = end;
        progress.is_end_in_journal = true;
        progress
            .snapshot_due
            .get_or_insert_with(|| Instant::now() + self.options.snapshot_every);
    }

    /// Reads the last known event and all later events.
    fn read_new_lines(&self, last_known: u64) -> Result<Block> {
        let sql = "select line from journal where game = $1::bigint and n >= $2::bigint order by n";
        let values = [&*self.id.to_string(), &*last_known.to_string()];
        let rows = self.database().read(sql, &values)?;
        Ok(scan_lines(&self.display_path(), &rows))
    }

    /// Writes a snapshot if the newest one lacks events. Waits for at most `limit`.
    fn save_snapshot(&self, limit: Duration) -> Result<()> {
        let needs_snapshot = {
            let mut progress = self.progress.lock();
            progress.snapshot_due = None;
            progress.end.n > progress.snapshot_last
        };
        if !needs_snapshot || self.options.view {
            return Ok(());
        }
        let Some(client) = self.client() else {
            return Ok(());
        };

        let (state, last) = client.snapshot();
        let checksums = self.progress.lock().checksums.get(&last).copied();
        let written = self.write_snapshot(&state, last, checksums, limit);

        let mut progress = self.progress.lock();
        match &written {
            Ok(()) => {
                progress.snapshot_last = last;
                progress.checksums = progress.checksums.split_off(&last);
            }
            Err(_) => {
                progress.snapshot_due = Some(Instant::now() + self.options.snapshot_every);
            }
        }
        drop(progress);

        written.map_err(|error| StoreError::StateBehind {
            path: self.display_path(),
            reason: error.to_string(),
        })
    }

    fn write_snapshot(
        &self,
        state: &str,
        last: u64,
        checksums: Option<Checksums>,
        limit: Duration,
    ) -> Result<()> {
        // If the database was restored from a backup, it may not contain the last event. A snapshot must never contain
        // events that the journal lacks, so the statement also looks for the line of the last event.
        let sql = "
            with present as (select id, last from game where id = $1::bigint),
            written as (
                update game set state = $3, last = $2::bigint, saved = now()
                where id = $1::bigint and last < $2::bigint
                and exists (select from journal where game = $1::bigint and n = $2::bigint and line like $4)
                returning id)
            select (last >= $2::bigint or exists (select from written))::text from present";
        let line_pattern = match checksums {
            Some(checksums) => format!("%\"{:08x}\"}}", checksums.end),
            None => "%".to_owned(),
        };
        let values = [
            &*self.id.to_string(),
            &*last.to_string(),
            &*seal_snapshot(state, last, checksums),
            &*line_pattern,
        ];

        let rows = self.database().write_within(sql, &values, limit)?;
        match rows.first() {
            // The snapshot was written, or the database already had this snapshot or a newer one.
            Some(row) if row.text(0) == "true" => Ok(()),
            Some(_) => Err(lost_event(&self.display_path(), last)),
            None => Err(StoreError::Missing(self.display_path())),
        }
    }

    fn write_due_snapshot(&self) {
        let due = self.progress.lock().snapshot_due;
        if due.is_some_and(|due| due <= Instant::now()) {
            // If this fails, `save_snapshot` schedules the next attempt.
            let _written = self.save_snapshot(QUERY_TIMEOUT);
        }
    }
}

impl GameStore for PostgresGame {
    fn attach(&self, client: Weak<dyn StoreClient>) {
        // Later calls have no effect.
        let _is_first = self.client.set(client);
    }

    fn append_json(&self, at: DateTime<Utc>, by: By<'_>, event: &RawValue) -> Result<u64> {
        if self.options.view {
            return Err(StoreError::ViewOnly);
        }

        let previous = self.progress.lock().end;
        let line = encode(previous, at, by, event)?;
        let line_text = String::from_utf8_lossy(line.bytes.trim_ascii_end());
        let database = self.database();
        let outcome = database.append(AppendRequest {
            game: self.id,
            n: line.end.n,
            line: line_text.into_owned(),
            attempt: database.new_attempt(),
            node: database.node(),
        });

        if let AppendOutcome::Done = outcome {
            self.note_saved(line.end);
            return Ok(line.end.n);
        }
        Err(outcome.into_error(self.display_path()))
    }

    fn saving(&self) -> Saving {
        match self.database().lost_since() {
            None => Saving::Quiet,
            Some(lost) => {
                let time_since_opening = lost.saturating_duration_since(self.opened.instant);
                Saving::Failing {
                    at: Some(self.opened.date + time_since_opening),
                    reason: "the database does not answer".to_owned(),
                }
            }
        }
    }

    fn snapshot_soon(&self) {
        self.progress.lock().snapshot_due = Some(Instant::now());
    }

    fn flush(&self, limit: Duration) -> Result<()> {
        self.save_snapshot(limit)
    }

    fn rename(&self, to: &Name) -> Result<()> {
        let row = self.row.lock().clone();
        let target = GameRow {
            name: to.as_str().to_owned(),
            shelf: Shelf::Games,
            ..row.clone()
        };
        row.rename(&target)?;
        *self.row.lock() = target;
        Ok(())
    }

    fn location(&self) -> GameLocation {
        self.row.lock().location()
    }

    fn last(&self) -> u64 {
        self.progress.lock().end.n
    }

    fn is_view(&self) -> bool {
        self.options.view
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn listen(self: Arc<Self>) {
        self.is_listening.get_or_init(|| {
            let game: Arc<dyn GameListener> = Arc::<Self>::clone(&self);
            self.database().subscribe(self.id, Arc::downgrade(&game));
        });
    }

    fn node(&self) -> Option<i64> {
        Some(self.database().node())
    }

    fn send_message(&self, message: &str) {
        if self.is_listening.get().is_some() {
            self.database().send_message(self.id, message);
        }
    }

    fn catch_up(&self, _after: u64) -> Result<Vec<Record>> {
        let (last_known, is_in_journal) = {
            let progress = self.progress.lock();
            (progress.end, progress.is_end_in_journal)
        };
        let block = self.read_new_lines(last_known.n)?;
        if let Some(damage) = block.first_damage() {
            return Err(StoreError::Damaged(damage));
        }

        if is_in_journal && !begins_with(&block, last_known) {
            return Err(lost_event(&self.display_path(), last_known.n));
        }

        let records = block
            .records_from(last_known.n + 1)
            .collect::<Result<Vec<_>, _>>()?;
        for end in block.ends().filter(|end| end.n > last_known.n) {
            self.note_saved(end);
        }
        Ok(records)
    }
}

/// Returns the error of a journal that has lost an event, for example because the database was restored from a backup.
fn lost_event(game: &Path, number: u64) -> StoreError {
    StoreError::Database {
        what: format!(
            "{} does not contain all saved events: event {number} is missing or different",
            game.display()
        ),
        hint: Some("open the game again to continue with the events that it still contains"),
    }
}

/// Returns true if a block begins with this event.
fn begins_with(block: &Block, event: ChainEnd) -> bool {
    match block.lines().next() {
        Some((n, line)) => n == event.n && stored_crc(line) == Some(event.crc),
        None => false,
    }
}

impl GameListener for PostgresGame {
    fn receive(&self, notification: &GameNotification<'_>) {
        let Some(client) = self.client() else {
            return;
        };
        match *notification {
            GameNotification::Changed => client.changed_elsewhere(),
            GameNotification::Renamed(name) => {
                name.clone_into(&mut self.row.lock().name);
                client.changed_elsewhere();
            }
            GameNotification::Message { node, text } => client.receive_message(node, text),
            GameNotification::ConnectionLost => {
                client.saving_changed(&Saving::Quiet, &self.saving());
            }
            GameNotification::ConnectionRestored => {
                let before = Saving::Failing {
                    at: None,
                    reason: String::new(),
                };
                client.saving_changed(&before, &Saving::Quiet);
                client.changed_elsewhere();
                client.tick();
            }
            GameNotification::Tick => {
                self.write_due_snapshot();
                client.tick();
            }
        }
    }
}
