//! A game in a database: opened, appended to and saved from any number of processes at once.

use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde::Serialize;

use super::database::{Append, Appended, Database, Listener, Value, signed};
use super::error::StoreError;
use super::journal::{Block, By, Record, Seed, line};
use super::place::{GameRow, Place};
use super::snapshot::{FILE, Snapshot, sealed};
use super::writer::{Host, Saving};
use super::{Damage, Options};

/// An open game.
pub(super) struct Game {
    database: Database,
    id: i64,
    row: Mutex<GameRow>,
    is_view: bool,
    /// When it was opened, by the clock and as time goes on.
    opened: (DateTime<Utc>, Instant),
    snapshot_every: Duration,
    end: Mutex<End>,
    host: OnceLock<Weak<dyn Host>>,
    is_listening: OnceLock<()>,
}

/// How far the game is known here.
#[derive(Debug)]
struct End {
    /// The last event, and its checksum.
    seed: Seed,
    /// The last event in the newest snapshot that was written here.
    snapshot_last: u64,
    snapshot_due: Option<Instant>,
}

/// What was found when a game was opened.
pub(super) struct Found {
    pub(super) game: Arc<Game>,
    pub(super) snapshot: Snapshot,
    pub(super) records: Vec<Record>,
    /// The last event of the journal.
    pub(super) last: u64,
    pub(super) damage: Option<Damage>,
}

impl Game {
    /// Opens a game of a database.
    pub(super) fn open(row: &GameRow, options: &Options) -> Result<Found, StoreError> {
        let (place, database) = (Place::Database(row.clone()), &row.database);
        let found = row.read("select id, state from game where id = GAME", &[])?;
        let missing = || StoreError::Missing(place.shown());
        let found = found.first().ok_or_else(missing)?;
        let (id, state) = (found.number(0), found.text(1));
        let snapshot = Snapshot::parse(&place.shown().join(FILE), state.into())?;
        // One before those that are wanted: its checksum is continued.
        let lines = "select line from journal where game = $1 and n >= least($2,
            (select max(n) from journal where game = $1) - $3) order by n";
        let values = [id.into(), snapshot.last.into(), options.tail.into()];
        let block = scan(
            &place,
            database.read(lines, &values)?.iter().map(|row| row.text(0)),
        );
        let damage = block.damage().into_iter().next();
        let until = damage.as_ref().map_or(u64::MAX, |damage| damage.last_good);
        if let Some(damage) = damage.clone().filter(|_| !options.view) {
            return Err(StoreError::Damaged(damage));
        }
        let records = block
            .records()
            .filter(|one| one.as_ref().is_ok_and(|one| one.n <= until));
        let records = records.collect::<Result<_, _>>()?;
        let mut seed = block.end().unwrap_or_default();
        let last = seed.n;
        seed.n = last.max(snapshot.last);
        let end = End {
            seed,
            snapshot_last: snapshot.last,
            snapshot_due: None,
        };
        let game = Self {
            database: database.clone(),
            id,
            row: Mutex::new(row.clone()),
            is_view: options.view,
            opened: (options.at, Instant::now()),
            snapshot_every: options.snapshot_every,
            end: Mutex::new(end),
            host: OnceLock::new(),
            is_listening: OnceLock::new(),
        };
        Ok(Found {
            game: Arc::new(game),
            snapshot,
            records,
            last,
            damage,
        })
    }

    pub(super) fn serve(&self, host: Weak<dyn Host>) {
        let _first = self.host.set(host);
    }

    /// Has the host told what other processes do, from now on.
    pub(super) fn listen(self: &Arc<Self>) {
        self.is_listening.get_or_init(|| {
            let weak = Arc::downgrade(self);
            self.database.listen(self.id, weak);
        });
    }

    pub(super) fn place(&self) -> Place {
        Place::Database(self.row.lock().clone())
    }

    pub(super) fn is_view(&self) -> bool {
        self.is_view
    }

    pub(super) fn last(&self) -> u64 {
        self.end.lock().seed.n
    }

    /// Writes an event under the next number, and waits until it is saved. Where another stands there, nothing
    /// is done.
    pub(super) fn append<E: Serialize + ?Sized>(
        &self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<u64, StoreError> {
        let seed = self.end.lock().seed;
        let n = seed.n.saturating_add(1);
        let (line, crc) = line::write(seed.crc, n, at, by, event)?;
        let mut line = String::from_utf8(line).expect("JSON is text");
        line.truncate(line.trim_end().len());
        let (game, act, node) = (self.id, self.database.new_act(), self.database.node());
        let refused = |what: String, hint| {
            Err(StoreError::Database {
                what,
                hint: Some(hint),
            })
        };
        match self.database.append(Append {
            game,
            n,
            line,
            act,
            node,
        }) {
            Appended::Done => {
                let mut end = self.end.lock();
                end.seed = Seed { n, crc };
                let due = Instant::now() + self.snapshot_every;
                end.snapshot_due.get_or_insert(due);
                Ok(n)
            }
            Appended::Moved => Err(StoreError::Moved(self.place().shown())),
            Appended::NotSent => refused(
                "the database does not answer, and nothing was done".to_owned(),
                "it is asked again by itself; try again when the table says no more that it is not there",
            ),
            Appended::Unknown => refused(
                "the connection to the database broke: whether this was done shows when it is back"
                    .to_owned(),
                "look at the log then, before you do it again",
            ),
            Appended::Refused(why) => refused(
                format!("nothing was done, for the database says: {why}"),
                "look what its own log says",
            ),
        }
    }

    /// What was written since, oldest first.
    pub(super) fn catch_up(&self) -> Result<Vec<Record>, StoreError> {
        let seed = self.end.lock().seed;
        let place = self.place();
        let lines = "select line from journal where game = $1 and n >= $2 order by n";
        let rows = self
            .database
            .read(lines, &[self.id.into(), seed.n.into()])?;
        let block = scan(&place, rows.iter().map(|row| row.text(0)));
        if let Some(damage) = block.damage().into_iter().next() {
            return Err(StoreError::Damaged(damage));
        }
        let is_ours = block
            .lines()
            .next()
            .is_none_or(|(n, line)| n != seed.n || line::stored_crc(line) == Some(seed.crc));
        let Some(end) = block.end().filter(|end| end.n >= seed.n && is_ours) else {
            if seed.crc == 0 {
                return Ok(Vec::new());
            }
            let what = format!(
                "{} does not hold what was saved in it: event {} is gone or another one",
                place.shown().display(),
                seed.n
            );
            let hint = Some("open the game again to go on with what it holds");
            return Err(StoreError::Database { what, hint });
        };
        let records = block
            .records_from(seed.n + 1)
            .collect::<Result<Vec<_>, _>>()?;
        let mut known = self.end.lock();
        known.seed = end;
        if !records.is_empty() {
            known
                .snapshot_due
                .get_or_insert_with(|| Instant::now() + self.snapshot_every);
        }
        Ok(records)
    }

    pub(super) fn saving(&self) -> Saving {
        let (at, opened) = self.opened;
        self.database
            .lost_since()
            .map_or(Saving::Quiet, |lost| Saving::Failing {
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
            end.seed.n > end.snapshot_last && !self.is_view
        };
        let Some(host) = self.host.get().and_then(Weak::upgrade).filter(|_| needs) else {
            return Ok(());
        };
        let (state, last) = host.snapshot();
        let text = sealed(&state, last);
        let update =
            "update game set state = $3, last = $2, saved = now() where id = $1 and last < $2";
        let values = [self.id.into(), last.into(), Value::Text(text)];
        let written = self.database.write(update, &values);
        let mut end = self.end.lock();
        match written {
            Ok(_) => end.snapshot_last = last,
            Err(_) => end.snapshot_due = Some(Instant::now() + self.snapshot_every),
        }
        written.map(drop).map_err(|error| StoreError::StateBehind {
            path: self.row.lock().database.shown(),
            reason: error.to_string(),
        })
    }

    /// Gives the game another name.
    pub(super) fn rename(&self, to: &GameRow) -> Result<(), StoreError> {
        let row = self.row.lock().clone();
        rename(&row, &to.name, row.in_archive)?;
        *self.row.lock() = to.clone();
        Ok(())
    }

    pub(super) fn node(&self) -> i64 {
        self.database.node()
    }

    /// Tells the other nodes that have the game open.
    pub(super) fn tell(&self, says: &str) {
        if self.is_listening.get().is_some() {
            self.database.tell(self.id, says);
        }
    }

    fn host(&self) -> Option<Arc<dyn Host>> {
        self.host.get().and_then(Weak::upgrade)
    }
}

impl Listener for Game {
    fn moved(&self) {
        if let Some(host) = self.host() {
            host.moved();
        }
    }

    fn named(&self, name: &str) {
        name.clone_into(&mut self.row.lock().name);
        self.moved();
    }

    fn heard(&self, node: i64, says: &str) {
        if let Some(host) = self.host() {
            host.heard(node, says);
        }
    }

    fn connection_changed(&self, is_lost: bool) {
        if let Some(host) = self.host() {
            let failing = || Saving::Failing {
                at: None,
                reason: String::new(),
            };
            let before = if is_lost { Saving::Quiet } else { failing() };
            host.saving_changed(&before, &self.saving());
        }
    }

    fn tick(&self) {
        let due = self.end.lock().snapshot_due;
        if due.is_some_and(|due| due <= Instant::now()) {
            // It is tried again by itself.
            self.save_snapshot().ok();
        }
        if let Some(host) = self.host() {
            host.tick();
        }
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.place().shown().to_string_lossy())
    }
}

/// Checks lines of a journal that follow each other; the first one may continue any other.
fn scan<'a>(place: &Place, lines: impl Iterator<Item = &'a str>) -> Block {
    let bytes: Vec<u8> = lines
        .flat_map(|line| [line, "\n"])
        .collect::<String>()
        .into();
    let is_first = bytes.starts_with(b"{\"n\":1,");
    Block::scan(
        place.shown().join("journal"),
        bytes,
        is_first.then(Seed::default),
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
         select pg_notify('tableside', json_build_object('game', id, 'node', $5::bigint, 'name', $4::text)::text)::text from new",
        &[to.kept().into(), name.into(), row.database.node().into()],
    )?;
    if renamed.is_empty() {
        row.state()?;
        return Err(StoreError::Exists(Place::Database(to).shown()));
    }
    Ok(())
}

/// A game that is being made: nobody sees it before it is whole.
pub(super) struct Making<'a> {
    row: &'a GameRow,
    id: i64,
    seed: Seed,
}

impl Making<'_> {
    /// Adds a file as a folder would have it: the state, a part of the journal, or one beside the game.
    pub(super) fn put(&mut self, name: &str, text: &str) -> Result<(), StoreError> {
        let (database, id) = (&self.row.database, self.id.into());
        if name == FILE {
            let place = Place::Database(self.row.clone());
            let last = Snapshot::parse(&place.shown().join(FILE), text.into())?.last;
            let state = "update game set state = $2, last = $3 where id = $1";
            return database
                .write(state, &[id, text.into(), last.into()])
                .map(drop);
        }
        if !name.starts_with("journal/") {
            let file = "insert into file (game, name, text) values ($1, $2, $3)";
            return database
                .write(file, &[id, name.into(), text.into()])
                .map(drop);
        }
        let block = Block::scan(Path::new(name).into(), text.into(), Some(self.seed));
        if let Some(damage) = block.damage().into_iter().next() {
            return Err(StoreError::Damaged(damage));
        }
        self.seed = block.end().unwrap_or(self.seed);
        let (ns, lines) = block
            .lines()
            .map(|(n, line)| (signed(n), String::from_utf8_lossy(line).into_owned()))
            .unzip();
        let journal =
            "insert into journal select $1, one.*, 0 from unnest($2::bigint[], $3::text[]) as one";
        database
            .write(journal, &[id, Value::Numbers(ns), Value::Texts(lines)])
            .map(drop)
    }
}

/// Makes a game whole or not at all: `fill` puts files into it before it has its name.
pub(super) fn make(
    row: &GameRow,
    fill: impl FnOnce(&mut Making<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let exists = || StoreError::Exists(Place::Database(row.clone()).shown());
    if row.state().is_ok() {
        return Err(exists());
    }
    let database = &row.database;
    let forget = "with old as (delete from game where kept = 'making' and (id = $1 or saved < now() - interval '1 day') returning id),
        lines as (delete from journal where game in (select id from old)),
        files as (delete from file where game in (select id from old)) select id from old";
    database.write(forget, &[0_i64.into()])?;
    let begun =
        "insert into game (name, kept, state, last) values ($1, 'making', '', 0) returning id";
    let begun = database.write(begun, &[row.name.as_str().into()])?;
    let id = begun.first().map_or(0, |begun| begun.number(0));
    let mut making = Making {
        row,
        id,
        seed: Seed::default(),
    };
    let filled = fill(&mut making).and_then(|()| {
        let named = "update game set kept = 'open' where id = $1
            and not exists (select from game where kept = 'open' and name = $2) returning id";
        let named = database.write(named, &[id.into(), row.name.as_str().into()]);
        // Another process may have been first between the two.
        let named = named.map_err(|error| row.state().map_or(error, |_| exists()))?;
        named.first().map(drop).ok_or_else(exists)
    });
    if filled.is_err() {
        // What is left is removed by whoever makes a game tomorrow.
        database.write(forget, &[id.into()]).ok();
    }
    filled
}
