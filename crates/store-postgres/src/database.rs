//! A database with saved games.

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
use tableside_store::StoreError;
use tableside_store::backend::Result;

use crate::connection::{Access, DatabaseConnection, QUERY_TIMEOUT};
use crate::notifications::GameListener;

/// The version of the tables that this program uses. A database with a newer version is refused.
pub(crate) const SCHEMA: &str = "2";

/// Migrates the tables from version 1 to version 2, in which the host's own game has another name. `HOST` stands for
/// the new name, and `FORMER_HOST` for the old one.
pub(crate) const MIGRATE_TO_2: &str = "
update game set name = 'HOST' where name = 'FORMER_HOST'
    and not exists (select from game where name = 'HOST');
update tableside set schema = 2 where schema = 1;";

/// Locks the tables against changes by other processes until the transaction ends.
pub(crate) const SCHEMA_LOCK: &str = "select pg_advisory_xact_lock(7236587265)";

/// Creates the tables.
pub(crate) const TABLES: &str = "
create table if not exists tableside (schema bigint not null);
insert into tableside select 2 where not exists (select from tableside);
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

/// How long an event waits for a new connection after the old one is lost, and how long a query waits for its answer
/// while there is no connection.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// A row of a result. Every value is text; null becomes the empty text.
#[derive(Debug)]
pub(crate) struct TextRow(pub(crate) Vec<String>);

impl TextRow {
    pub(crate) fn text(&self, column: usize) -> &str {
        self.0.get(column).map_or("", String::as_str)
    }

    pub(crate) fn number<T: FromStr + Default>(&self, column: usize) -> T {
        self.text(column).parse().unwrap_or_default()
    }
}

/// An event to be inserted into the journal.
#[derive(Serialize)]
pub(crate) struct AppendRequest {
    pub(crate) game: i64,
    pub(crate) n: u64,
    pub(crate) line: String,
    /// Identifies this attempt to insert the event. If the answer is lost, the number shows whether this attempt or
    /// another process inserted the event. The column has the name `act` for compatibility with the first version.
    #[serde(rename = "act")]
    pub(crate) attempt: i64,
    /// The node that appends the event.
    #[serde(skip)]
    pub(crate) node: i64,
}

/// The result of inserting an event.
#[derive(Debug)]
pub(crate) enum AppendOutcome {
    Done,
    /// Another event has the number, or the game no longer exists.
    Conflict,
    /// The event was not sent.
    NotSent,
    /// The event was sent, but no answer arrived in time.
    Unknown,
    /// The database refused the event.
    Refused(String),
}

impl AppendOutcome {
    /// Returns the error for an event that was not saved, or that may not have been saved. `game` is the path for
    /// messages.
    pub(crate) fn into_error(self, game: PathBuf) -> StoreError {
        let (what, hint) = match self {
            Self::Done | Self::Conflict => return StoreError::Moved(game),
            Self::NotSent => (
                "the database does not answer, and the change was not made".to_owned(),
                "the program keeps trying to connect; repeat the change when saving works again",
            ),
            Self::Unknown => (
                "the connection to the database broke before it confirmed the change".to_owned(),
                "when the connection works again, check in the log whether the change was made before you repeat it",
            ),
            Self::Refused(reason) => (
                format!("the change was not made, because the database refused it: {reason}"),
                "read the log of the database server for the cause",
            ),
        };
        StoreError::Database {
            what,
            hint: Some(hint),
        }
    }
}

/// An event of the connection, for the notification thread.
#[derive(Debug, PartialEq)]
pub(crate) enum ConnectionEvent {
    /// The connection was established, for the first time or again.
    Restored,
    /// The connection broke. This is sent once for each outage.
    Lost,
    /// The payload of a `NOTIFY`, of this process or another one.
    Notified(String),
    /// An event of this game was saved after its caller had stopped waiting.
    SavedLate(i64),
}

/// A database. Each call of `open` creates a new connection and a new node. Clones share them.
#[derive(Clone, derive_more::Debug)]
#[debug("{}", _0.display_url)]
pub(crate) struct Database(pub(crate) Arc<SharedDatabase>);

pub(crate) struct SharedDatabase {
    pub(crate) connection: DatabaseConnection,
    /// The address without the user and the password.
    display_url: String,
    /// Identifies this node in notifications.
    pub(crate) node: i64,
    attempts: AtomicI64,
    /// The open games by id. A game may be open several times.
    pub(crate) listeners: Mutex<HashMap<i64, Vec<Weak<dyn GameListener>>>>,
    /// The notification thread takes this receiver when the first game subscribes.
    pub(crate) events: Mutex<Option<Receiver<ConnectionEvent>>>,
}

impl Database {
    pub(crate) fn open(url: &str) -> Result<Self> {
        let opened = DatabaseConnection::open(url)?;
        let mut random: rand::rngs::StdRng = rand::make_rng();
        Ok(Self(Arc::new(SharedDatabase {
            connection: opened.connection,
            display_url: opened.display_url,
            node: random.random_range(1..=i64::MAX),
            attempts: AtomicI64::new(random.random()),
            listeners: Mutex::default(),
            events: Mutex::new(Some(opened.events)),
        })))
    }

    /// Returns the address as a path, for messages.
    pub(crate) fn display_path(&self) -> PathBuf {
        PathBuf::from(&self.0.display_url)
    }

    pub(crate) fn node(&self) -> i64 {
        self.0.node
    }

    /// Runs a statement that changes no rows. If the connection breaks, the statement is run again.
    pub(crate) fn read(&self, sql: &str, values: &[&str]) -> Result<Vec<TextRow>> {
        self.0
            .connection
            .query(sql, values, Access::Read, QUERY_TIMEOUT)
    }

    /// Runs a statement that changes rows.
    pub(crate) fn write(&self, sql: &str, values: &[&str]) -> Result<Vec<TextRow>> {
        self.write_within(sql, values, QUERY_TIMEOUT)
    }

    /// Runs a statement that changes rows, and waits for its answer for at most `limit`.
    pub(crate) fn write_within(
        &self,
        sql: &str,
        values: &[&str],
        limit: Duration,
    ) -> Result<Vec<TextRow>> {
        self.0.connection.query(sql, values, Access::Write, limit)
    }

    /// Returns a number that no other attempt has.
    pub(crate) fn new_attempt(&self) -> i64 {
        self.0.attempts.fetch_add(1, Ordering::Relaxed)
    }

    /// Inserts an event, in one statement with all other waiting events. If the connection is lost, waits for a new one
    /// until [`PATIENCE`] has passed since the loss.
    pub(crate) fn append(&self, request: AppendRequest) -> AppendOutcome {
        let began = self.lost_since().unwrap_or_else(Instant::now);
        self.0.connection.append(request, began + PATIENCE)
    }

    /// Returns the time at which the connection was lost, or `None` while it works.
    pub(crate) fn lost_since(&self) -> Option<Instant> {
        self.0.connection.lost_since()
    }

    /// Sends a message to the other nodes that have the game open. Without a connection, the message is dropped.
    pub(crate) fn send_message(&self, game: i64, message: &str) {
        let payload = serde_json::json!({"game": game, "node": self.node(), "says": message});
        self.0.connection.notify(payload.to_string());
    }
}
