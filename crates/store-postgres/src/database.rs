//! A database that games are kept in, spoken to by one thread and one connection a process.
//!
//! Any number of processes serve the same games. The fence between them is the primary key of the journal: an
//! event is inserted under its number, and whoever comes second reads what came first and decides again. Everything
//! that stands beside a game as files elsewhere stands in `file`, under the same names, `access.toml` too: one form
//! for both sides.

use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rand::RngExt as _;
use serde::Serialize;

use super::error::StoreError;

#[cfg_attr(feature = "postgres", path = "connection.rs")]
#[cfg_attr(
    not(feature = "postgres"),
    path = "../../store/src/without_postgres.rs"
)]
mod connection;
#[path = "notifications.rs"]
mod news;

use connection::Connection;
pub(super) use news::{Listener, Told};

/// What is made on first use. A newer schema is refused.
pub(super) const SCHEMA: &str = "1";

/// The tables, made under a lock that other processes respect.
pub(super) const TABLES: &str = "
create table if not exists tableside (schema bigint not null);
insert into tableside select 1 where not exists (select from tableside);
create sequence if not exists file_version;
create table if not exists game (
    id bigint generated always as identity primary key,
    name text not null,
    kept text not null check (kept in ('open', 'archive', 'making')),
    state text not null,
    last bigint not null,
    saved timestamptz not null default now());
create unique index if not exists game_name on game (kept, name) where kept <> 'making';
create table if not exists journal (
    game bigint not null, n bigint not null, line text not null, act bigint not null,
    primary key (game, n));
create table if not exists file (
    game bigint not null, name text not null, text text not null,
    version bigint not null default nextval('file_version'),
    primary key (game, name));";

/// How long an act, and what is read, waits for a database that does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A row of an answer. Every value is a text; null is the empty text.
#[derive(Debug)]
pub(super) struct Row(pub(super) Vec<String>);

impl Row {
    pub(super) fn text(&self, column: usize) -> &str {
        self.0.get(column).map_or("", String::as_str)
    }

    pub(super) fn number<T: FromStr + Default>(&self, column: usize) -> T {
        self.text(column).parse().unwrap_or_default()
    }
}

/// An event on its way.
#[derive(Serialize)]
pub(super) struct Append {
    pub(super) game: i64,
    pub(super) n: u64,
    pub(super) line: String,
    /// Tells this attempt from every other, so that an answer that never came can be settled. Its column is
    /// called `act`, and databases that are there keep that.
    #[serde(rename = "act")]
    pub(super) attempt: i64,
    /// Who appends it.
    #[serde(skip)]
    pub(super) node: i64,
}

/// What became of an event.
#[derive(Debug)]
pub(super) enum Appended {
    Done,
    /// Another stands under its number, or the game is gone.
    Moved,
    /// It was not sent.
    NotSent,
    /// It was sent, and no answer came in time.
    Unknown,
    /// The database said no.
    Refused(String),
}

/// What the connection tells.
#[derive(Debug, PartialEq)]
pub(super) enum Event {
    /// It is there, after it was not.
    Back,
    /// It is lost.
    Lost,
    /// A message of another process, or of this one.
    Notified(String),
    /// An event was saved of which nobody heard any more.
    Late(i64),
}

/// A database that games are kept in. Each is a node of its own, also in one process.
#[derive(Clone, derive_more::Debug)]
#[debug("{}", _0.shown)]
pub struct Database(Arc<Shared>);

struct Shared {
    connection: Connection,
    shown: String,
    /// By which others know the messages of this one.
    node: i64,
    attempts: AtomicI64,
    listeners: Mutex<HashMap<i64, Vec<Weak<dyn Listener>>>>,
    /// Handed to the thread that passes on what is told, once somebody listens.
    events: Mutex<Option<Receiver<Event>>>,
}

impl PartialEq for Database {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Database {}

impl Database {
    /// Connects to the database at a `postgres://` address, and makes its tables where they are missing.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let (connection, shown, events) = Connection::open(url)?;
        let mut luck: rand::rngs::StdRng = rand::make_rng();
        Ok(Self(Arc::new(Shared {
            connection,
            shown,
            node: luck.random_range(1..=i64::MAX),
            attempts: AtomicI64::new(luck.random()),
            listeners: Mutex::default(),
            events: Mutex::new(Some(events)),
        })))
    }

    /// How messages name it: without the password.
    pub(super) fn display_path(&self) -> PathBuf {
        PathBuf::from(&self.0.shown)
    }

    pub(super) fn node(&self) -> i64 {
        self.0.node
    }

    /// Asks for something without changing anything; asked again where the connection breaks.
    pub(super) fn read(&self, sql: &str, values: &[&str]) -> Result<Vec<Row>, StoreError> {
        self.0.connection.query(sql, values, true)
    }

    /// Changes something in one statement.
    pub(super) fn write(&self, sql: &str, values: &[&str]) -> Result<Vec<Row>, StoreError> {
        self.0.connection.query(sql, values, false)
    }

    /// A number that no other attempt has.
    pub(super) fn new_attempt(&self) -> i64 {
        self.0.attempts.fetch_add(1, Ordering::Relaxed)
    }

    /// Inserts an event under its number, together with whatever else waits to be. It waits for a connection that is
    /// lost at most [`PATIENCE`], and not at all where others have done so before.
    pub(super) fn append(&self, append: Append) -> Appended {
        let until = self.lost_since().unwrap_or_else(Instant::now) + PATIENCE;
        self.0.connection.append(append, until)
    }

    /// Since when it does not answer.
    pub(super) fn lost_since(&self) -> Option<Instant> {
        self.0.connection.lost_since()
    }

    /// Tells the other nodes that have a game open; lost where the connection is.
    pub(super) fn tell(&self, game: i64, says: &str) {
        let message = serde_json::json!({"game": game, "node": self.node(), "says": says});
        self.0.connection.notify(message.to_string());
    }
}
