//! A game in a database: opened, appended to and saved from any number of processes at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde::Serialize;

use super::database::{Append, Appended, Database, Listener, Row, Told};
use super::error::StoreError;
use super::game_location::{GameLocation, GameRow};
use super::journal::{Block, By, ChainEnd, Record, line};
use super::snapshot::{Checksums, FILE, Snapshot, sealed};
use super::writer::{Saving, StoreClient};
use super::{Damage, Mismatch, MismatchFinding, OnMismatch, Options};

/// An open game.
#[derive(derive_more::Debug)]
#[debug("{}", self.display_path().display())]
pub(super) struct DatabaseGame {
    id: i64,
    row: Mutex<GameRow>,
    /// When it was opened, by the clock and as time goes on.
    opened: (DateTime<Utc>, Instant),
    options: Options,
    end: Mutex<End>,
    client: OnceLock<Weak<dyn StoreClient>>,
    is_listening: OnceLock<()>,
}

/// How far the game is known here.
struct End {
    /// The last event, and its checksum.
    chain: ChainEnd,
    /// Whether it stands in the journal: the state may know more than what is left of that.
    is_there: bool,
    /// The checksums at each event since the newest snapshot: a snapshot names those of its last event.
    checksums: BTreeMap<u64, Checksums>,
    /// The last event in the newest snapshot that was written here.
    snapshot_last: u64,
    snapshot_due: Option<Instant>,
}

/// What was found when a game was opened.
pub(super) struct Found {
    pub(super) game: Arc<DatabaseGame>,
    pub(super) snapshot: Snapshot,
    pub(super) records: Vec<Record>,
    /// The last event of the journal.
    pub(super) last: u64,
    pub(super) damage: Option<Damage>,
    pub(super) mismatch: Option<Mismatch>,
    /// What the user is to be told.
    pub(super) notices: Vec<String>,
}

impl DatabaseGame {
    /// Opens a game of a database.
    pub(super) fn open(row: &GameRow, options: &Options) -> Result<Found, StoreError> {
        let shown = GameLocation::Database(row.clone()).display_path();
        let found = row.read("select id::text, state from game where id = GAME", &[])?;
        let Some(found) = found.first() else {
            return Err(StoreError::Missing(shown));
        };
        let snapshot = Snapshot::parse(&shown.join(FILE), found.text(1).into())?;
        let read = || read_end(row, snapshot.last, options.tail);
        let mut block = read()?;
        let mut notices = Vec::new();
        let mut mismatch = find_mismatch(&block, &snapshot, &shown);
        if let Some(found) = mismatch.clone().filter(|_| !options.view) {
            if options.on_mismatch == OnMismatch::SetJournalAside {
                notices.push(set_journal_aside(row, &shown)?);
                mismatch = None;
                block = read()?;
            } else if snapshot.is_sealed {
                return Err(StoreError::Mismatched(Box::new(found)));
            }
        }
        let damage = block.damage().into_iter().next();
        if let Some(damage) = damage.clone().filter(|_| !options.view) {
            return Err(StoreError::Damaged(damage));
        }
        let until = damage.as_ref().map_or(u64::MAX, |damage| damage.last_good);
        let mut records = block.records().collect::<Result<Vec<_>, _>>()?;
        records.retain(|record| record.n <= until);
        let mut chain = block.end().unwrap_or_default();
        let last = chain.n;
        chain.n = last.max(snapshot.last);
        let checksums = Checksums {
            end: chain.crc,
            before: block.before_end().crc,
        };
        let game = Self {
            id: found.number(0),
            row: Mutex::new(row.clone()),
            opened: (options.at, Instant::now()),
            options: options.clone(),
            end: Mutex::new(End {
                chain,
                is_there: last > 0 && last == chain.n,
                checksums: BTreeMap::from([(chain.n, checksums)]),
                snapshot_last: snapshot.last,
                snapshot_due: None,
            }),
            client: OnceLock::new(),
            is_listening: OnceLock::new(),
        };
        Ok(Found {
            game: Arc::new(game),
            snapshot,
            records,
            last,
            damage,
            mismatch,
            notices,
        })
    }

    pub(super) fn attach(&self, client: Weak<dyn StoreClient>) {
        let _first = self.client.set(client);
    }

    /// Has the host told what other processes do, from now on.
    pub(super) fn listen(self: &Arc<Self>) {
        self.is_listening.get_or_init(|| {
            let listener = Arc::downgrade(self);
            self.database().listen(self.id, listener);
        });
    }

    pub(super) fn row(&self) -> GameRow {
        self.row.lock().clone()
    }

    fn database(&self) -> Database {
        self.row.lock().database.clone()
    }

    pub(super) fn is_view(&self) -> bool {
        self.options.view
    }

    pub(super) fn last(&self) -> u64 {
        self.end.lock().chain.n
    }

    /// How messages name it.
    fn display_path(&self) -> PathBuf {
        GameLocation::Database(self.row()).display_path()
    }

    /// So much was saved, and a snapshot is due when it is time.
    fn note_end(&self, chain: ChainEnd) {
        let mut end = self.end.lock();
        let checksums = Checksums {
            end: chain.crc,
            before: end.chain.crc,
        };
        end.checksums.insert(chain.n, checksums);
        (end.chain, end.is_there) = (chain, true);
        let due = Instant::now() + self.options.snapshot_every;
        end.snapshot_due.get_or_insert(due);
    }

    /// Writes an event under the next number, and waits until it is saved. Where another stands there, nothing
    /// is done.
    pub(super) fn append<E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<u64, StoreError> {
        let (chain, database) = (self.end.lock().chain, self.database());
        let n = chain.n.saturating_add(1);
        let (line, crc) = line::write(chain.crc, n, at, by, event)?;
        let append = Append {
            game: self.id,
            n,
            line: String::from_utf8_lossy(line.trim_ascii_end()).into_owned(),
            attempt: database.new_attempt(),
            node: database.node(),
        };
        let (what, hint) = match database.append(append) {
            Appended::Done => {
                self.note_end(ChainEnd { n, crc });
                return Ok(n);
            }
            Appended::Moved => return Err(StoreError::Moved(self.display_path())),
            Appended::NotSent => (
                "the database does not answer, and nothing was done".to_owned(),
                "it is asked again by itself; do it again when the table is saved again",
            ),
            Appended::Unknown => (
                "the connection to the database broke: whether this was done shows when it is back"
                    .to_owned(),
                "look at the log then, before you do it again",
            ),
            Appended::Refused(why) => (
                format!("nothing was done, for the database says: {why}"),
                "look what its own log says",
            ),
        };
        let hint = Some(hint);
        Err(StoreError::Database { what, hint })
    }

    /// What was written since, oldest first.
    pub(super) fn catch_up(&self) -> Result<Vec<Record>, StoreError> {
        let (chain, is_there) = {
            let end = self.end.lock();
            (end.chain, end.is_there)
        };
        let lines =
            "select line from journal where game = $1::bigint and n >= $2::bigint order by n";
        let values = [&*self.id.to_string(), &*chain.n.to_string()];
        let block = scan(&self.display_path(), &self.database().read(lines, &values)?);
        if let Some(damage) = block.damage().into_iter().next() {
            return Err(StoreError::Damaged(damage));
        }
        let is_ours =
            |(n, line): (u64, &[u8])| n == chain.n && line::stored_crc(line) == Some(chain.crc);
        if is_there && !block.lines().next().is_some_and(is_ours) {
            return Err(StoreError::Database {
                what: format!(
                    "{} does not hold what was saved in it: event {} is gone or another one",
                    self.display_path().display(),
                    chain.n
                ),
                hint: Some("open the game again to go on with what it holds"),
            });
        }
        let records = block
            .records_from(chain.n + 1)
            .collect::<Result<Vec<_>, _>>()?;
        for end in block.ends().filter(|end| end.n > chain.n) {
            self.note_end(end);
        }
        Ok(records)
    }

    pub(super) fn saving(&self) -> Saving {
        let (at, opened) = self.opened;
        let lost = self.database().lost_since();
        lost.map_or(Saving::Quiet, |lost| Saving::Failing {
            at: Some(at + lost.saturating_duration_since(opened)),
            reason: "no database".to_owned(),
        })
    }

    pub(super) fn snapshot_soon(&self) {
        self.end.lock().snapshot_due = Some(Instant::now());
    }

    /// Writes a snapshot if something changed, and no newer one is there.
    pub(super) fn save_snapshot(&self) -> Result<(), StoreError> {
        let needs = {
            let mut end = self.end.lock();
            end.snapshot_due = None;
            end.chain.n > end.snapshot_last && !self.is_view()
        };
        let Some(client) = self.client().filter(|_| needs) else {
            return Ok(());
        };
        let (state, last) = client.snapshot();
        let checksums = self.end.lock().checksums.get(&last).copied();
        // A database that went back to an older backup does not have this event. The state must not reach beyond
        // its journal.
        let update = "update game set state = $3, last = $2::bigint, saved = now()
            where id = $1::bigint and last < $2::bigint
            and exists (select from journal where game = $1::bigint and n = $2::bigint and line like $4)";
        let line = checksums.map_or_else(
            || "%".to_owned(),
            |checksums| format!("%\"{:08x}\"}}", checksums.end),
        );
        let values = [
            &*self.id.to_string(),
            &*last.to_string(),
            &*sealed(&state, last, checksums),
            &*line,
        ];
        let written = self.database().write(update, &values);
        let mut end = self.end.lock();
        match written {
            Ok(_) => {
                end.snapshot_last = last;
                end.checksums = end.checksums.split_off(&last);
            }
            Err(_) => end.snapshot_due = Some(Instant::now() + self.options.snapshot_every),
        }
        drop(end);
        written.map(drop).map_err(|error| StoreError::StateBehind {
            path: self.display_path(),
            reason: error.to_string(),
        })
    }

    /// Gives the game another name.
    pub(super) fn rename(&self, to: &GameRow) -> Result<(), StoreError> {
        rename(&self.row(), &to.name, to.in_archive)?;
        *self.row.lock() = to.clone();
        Ok(())
    }

    pub(super) fn node(&self) -> i64 {
        self.database().node()
    }

    /// Tells the other nodes that have the game open.
    pub(super) fn tell(&self, says: &str) {
        if self.is_listening.get().is_some() {
            self.database().tell(self.id, says);
        }
    }

    fn client(&self) -> Option<Arc<dyn StoreClient>> {
        self.client.get().and_then(Weak::upgrade)
    }
}

impl Listener for DatabaseGame {
    fn hear(&self, news: &Told<'_>) {
        let Some(client) = self.client() else { return };
        match *news {
            Told::Moved => client.changed_elsewhere(),
            Told::Named(name) => {
                name.clone_into(&mut self.row.lock().name);
                client.changed_elsewhere();
            }
            Told::Said(node, says) => client.receive_message(node, says),
            Told::Lost => client.saving_changed(&Saving::Quiet, &self.saving()),
            Told::Back => {
                let reason = String::new();
                let before = Saving::Failing { at: None, reason };
                client.saving_changed(&before, &Saving::Quiet);
                client.changed_elsewhere();
                client.tick();
            }
            Told::Tick => {
                let due = self.end.lock().snapshot_due;
                if due.is_some_and(|due| due <= Instant::now()) {
                    // It is tried again by itself.
                    self.save_snapshot().ok();
                }
                client.tick();
            }
        }
    }
}

/// Reads the end of a journal: the newest event of the state, so many of the last events, and all that follow. One
/// more is read before those that are wanted, for its checksum is continued.
fn read_end(row: &GameRow, reached: u64, tail: u64) -> Result<Block, StoreError> {
    let lines = "select line from journal where game = GAME and n >= least(
        coalesce((select n from journal where game = GAME and n <= $3::bigint order by n desc offset 1 limit 1), 1),
        (select max(n) from journal where game = GAME) - $4::bigint) order by n";
    let rows = row.read(lines, &[&reached.to_string(), &tail.to_string()])?;
    Ok(scan(
        &GameLocation::Database(row.clone()).display_path(),
        &rows,
    ))
}

/// Fails if the end of a journal is damaged, or does not belong to the state; else returns its last event.
pub(super) fn check(row: &GameRow, state: &Snapshot) -> Result<u64, StoreError> {
    let block = read_end(row, state.last, 0)?;
    let shown = GameLocation::Database(row.clone()).display_path();
    if let Some(mismatch) = find_mismatch(&block, state, &shown) {
        return Err(StoreError::Mismatched(Box::new(mismatch)));
    }
    match block.damage().into_iter().next() {
        Some(damage) => Err(StoreError::Damaged(damage)),
        None => Ok(block.end().unwrap_or_default().n),
    }
}

/// What is wrong if the lines, which begin with the newest event up to the last one of the state, do not belong to it.
fn find_mismatch(block: &Block, state: &Snapshot, shown: &Path) -> Option<Mismatch> {
    let end = block.end().unwrap_or_default();
    let newest = block.ends().take_while(|end| end.n <= state.last).last();
    let newest = newest.unwrap_or_default();

    let is_same = match state.checksums {
        Some(checksums) => newest.crc == checksums.end,
        None => end.n >= state.last,
    };
    if is_same {
        return None;
    }

    Some(Mismatch {
        state: state.path.clone(),
        journal: shown.join("journal"),
        reached: state.last,
        finding: MismatchFinding::of(newest.n, end.n, state.last),
        before_belongs: false,
    })
}

/// Moves all events of a game from its journal into a file beside it.
fn set_journal_aside(row: &GameRow, shown: &Path) -> Result<String, StoreError> {
    let name = "journal.torn";
    let sql = "with lines as (delete from journal where game = GAME returning n, line)
        insert into file (game, name, text)
        select GAME, $3, string_agg(line, chr(10) order by n) from lines having count(*) > 0
        on conflict (game, name) do update
        set text = file.text || chr(10) || excluded.text, version = nextval('file_version')";
    row.write(sql, &[name])?;
    Ok(format!(
        "The journal did not belong to the state. Its events are kept as {}, and the log begins with the next event.",
        shown.join(name).display()
    ))
}

/// Checks lines of a journal that follow each other; the first one may continue any other.
fn scan(shown: &Path, rows: &[Row]) -> Block {
    let lines = rows.iter().flat_map(|row| [row.text(0), "\n"]);
    let bytes: Vec<u8> = lines.collect::<String>().into();
    let is_first = bytes.starts_with(b"{\"n\":1,");
    Block::scan(
        shown.join("journal"),
        bytes,
        is_first.then(ChainEnd::default),
    )
}

/// Gives a game that name, there or in the archive.
pub(super) fn rename(row: &GameRow, name: &str, in_archive: bool) -> Result<(), StoreError> {
    let to = GameRow {
        name: name.to_owned(),
        in_archive,
        ..row.clone()
    };
    let renamed = row.write(
        "with new as (update game set kept = $3, name = $4 where id = GAME
            and not exists (select from game where kept = $3 and name = $4) returning id)
         select pg_notify('tableside', json_build_object('game', id, 'node', $5::bigint, 'name', $4)::text)::text
         from new",
        &[to.kept(), name, &row.database.node().to_string()],
    )?;
    if renamed.is_empty() {
        row.state()?;
        return Err(StoreError::Exists(
            GameLocation::Database(to).display_path(),
        ));
    }
    Ok(())
}

/// A game that is being made: nobody sees it before it is whole.
pub(super) struct Making<'a> {
    database: &'a Database,
    id: String,
    chain: ChainEnd,
    state: Option<Snapshot>,
    /// Every event of the journal with its checksum. The state may be put before or after the journal.
    ends: Vec<ChainEnd>,
}

impl Making<'_> {
    /// Adds a file as a folder would have it: the state, a part of the journal, or one beside the game.
    pub(super) fn put(&mut self, name: &str, text: &str) -> Result<(), StoreError> {
        let write = |sql: &str, values: &[&str]| {
            let values = [&[self.id.as_str()], values].concat();
            self.database.write(sql, &values).map(drop)
        };
        if name == FILE {
            let state = Snapshot::parse(Path::new(name), text.into())?;
            let last = state.last.to_string();
            self.state = Some(state);
            let update = "update game set state = $2, last = $3::bigint where id = $1::bigint";
            return write(update, &[text, &last]);
        }
        if !name.starts_with("journal/") {
            let file = "insert into file (game, name, text) values ($1::bigint, $2, $3)";
            return write(file, &[name, text]);
        }
        let block = Block::scan(Path::new(name).into(), text.into(), Some(self.chain));
        if let Some(damage) = block.damage().into_iter().next() {
            return Err(StoreError::Damaged(damage));
        }
        let lines = block.lines();
        let lines = lines.map(|(n, line)| (n, String::from_utf8_lossy(line)));
        let lines = serde_json::to_string(&lines.collect::<Vec<_>>()).unwrap_or_default();
        let journal = "insert into journal select $1::bigint, (line->>0)::bigint, line->>1, 0
            from json_array_elements($2::json) as line";
        write(journal, &[&lines])?;
        self.chain = block.end().unwrap_or(self.chain);
        self.ends.extend(block.ends());
        Ok(())
    }

    /// Fails if the journal that was put does not belong to the state.
    fn check(&self) -> Result<(), StoreError> {
        let Some(Snapshot {
            checksums: Some(checksums),
            last,
            ..
        }) = self.state
        else {
            return Ok(());
        };
        let reached = self
            .ends
            .iter()
            .rev()
            .find(|end| end.n <= last)
            .copied()
            .unwrap_or_default();
        if checksums.end == reached.crc {
            return Ok(());
        }

        Err(StoreError::Mismatched(Box::new(Mismatch {
            state: FILE.into(),
            journal: "journal".into(),
            reached: last,
            finding: MismatchFinding::of(reached.n, self.chain.n, last),
            before_belongs: false,
        })))
    }
}

/// Makes a game whole or not at all: `fill` puts files into it before it has its name.
pub(super) fn make(
    row: &GameRow,
    fill: impl FnOnce(&mut Making<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let exists = || StoreError::Exists(GameLocation::Database(row.clone()).display_path());
    let (database, name) = (&row.database, &*row.name);
    if row.state().is_ok() {
        return Err(exists());
    }
    // A program that ended while it made a game left a part of one: the next game that is made removes it, after a day.
    let forget = "with old as (delete from game where kept = 'making'
            and (id = $1::bigint or saved < now() - interval '1 day') returning id),
        lines as (delete from journal where game in (select id from old))
        delete from file where game in (select id from old)";
    database.write(forget, &["0"])?;
    let begun = "insert into game (name, kept, state, last) values ($1, 'making', '', 0) returning id::text";
    let begun = database.write(begun, &[name])?;
    let id = begun.first().map_or("", |begun| begun.text(0)).to_owned();
    let mut making = Making {
        database,
        id: id.clone(),
        chain: ChainEnd::default(),
        state: None,
        ends: Vec::new(),
    };
    let filled = fill(&mut making).and_then(|()| {
        making.check()?;
        let named = "update game set kept = 'open' where id = $1::bigint
            and not exists (select from game where kept = 'open' and name = $2) returning name";
        let named = database.write(named, &[&id, name]);
        // Another process may have been first between the two.
        let named = named.map_err(|error| row.state().map_or(error, |_| exists()))?;
        named.first().map(drop).ok_or_else(exists)
    });
    if filled.is_err() {
        database.write(forget, &[&id]).ok();
    }
    filled
}
