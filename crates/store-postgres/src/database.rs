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

use crate::connection::{DatabaseConnection, QUERY_TIMEOUT};
use crate::notifications::GameListener;

/// The version of the tables. A newer version is refused.
pub(crate) const SCHEMA: &str = "2";

/// Brings the tables from version 1 to version 2, in which the host's own game has another name. `HOST` and `FORMER_HOST`
/// are the two names.
pub(crate) const MIGRATE_TO_2: &str = "
update game set name = 'HOST' where name = 'FORMER_HOST'
    and not exists (select from game where name = 'HOST');
update tableside set schema = 2 where schema = 1;";

/// The lock under which a process changes the tables.
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

/// How long an event waits for a lost connection, and a query for an answer while the connection is lost.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// A row of a result. Every value is text, and null is the empty text.
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
    /// Identifies this attempt. After a lost answer, it shows whether this attempt or another process inserted the event.
    /// The column is called `act`, its name in the first version.
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
    /// There is another event under the number, or the game no longer exists.
    Conflict,
    /// The event was not sent.
    NotSent,
    /// The event was sent, and no answer arrived in time.
    Unknown,
    /// The database refused the event.
    Refused(String),
}

impl AppendOutcome {
    /// Describes why an event of a game was not saved.
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

/// A message of the connection.
#[derive(Debug, PartialEq)]
pub(crate) enum ConnectionEvent {
    /// The connection was established, for the first time or again.
    Restored,
    /// The connection broke. It is sent once, however many attempts to connect fail.
    Lost,
    /// The payload of a `NOTIFY`, of this process or another one.
    Notified(String),
    /// An event of this game was saved after its caller had stopped waiting.
    SavedLate(i64),
}

/// A database. Each instance has one connection and is a separate node; its clones are the same node.
#[derive(Clone, derive_more::Debug)]
#[debug("{}", _0.display_url)]
pub(crate) struct Database(pub(crate) Arc<SharedDatabase>);

pub(crate) struct SharedDatabase {
    pub(crate) connection: DatabaseConnection,
    /// The address without the user and the password.
    display_url: String,
    /// Identifies the messages of this node.
    pub(crate) node: i64,
    attempts: AtomicI64,
    /// The open games by id. A game may be open several times.
    pub(crate) listeners: Mutex<HashMap<i64, Vec<Weak<dyn GameListener>>>>,
    /// Taken by the notification thread, which starts with the first listener.
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

    /// Returns the path for messages.
    pub(crate) fn display_path(&self) -> PathBuf {
        PathBuf::from(&self.0.display_url)
    }

    pub(crate) fn node(&self) -> i64 {
        self.0.node
    }

    /// Runs a statement that changes no rows. It is repeated if the connection breaks.
    pub(crate) fn read(&self, sql: &str, values: &[&str]) -> Result<Vec<TextRow>> {
        self.0.connection.query(sql, values, true, QUERY_TIMEOUT)
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
        self.0.connection.query(sql, values, false, limit)
    }

    /// Returns a number that no other attempt has.
    pub(crate) fn new_attempt(&self) -> i64 {
        self.0.attempts.fetch_add(1, Ordering::Relaxed)
    }

    /// Inserts an event, in one statement with other events that wait. A lost connection is waited for during
    /// [`PATIENCE`], counted from the moment when it was lost.
    pub(crate) fn append(&self, request: AppendRequest) -> AppendOutcome {
        let began = self.lost_since().unwrap_or_else(Instant::now);
        self.0.connection.append(request, began + PATIENCE)
    }

    /// Returns when the connection was lost, or `None` if it works.
    pub(crate) fn lost_since(&self) -> Option<Instant> {
        self.0.connection.lost_since()
    }

    /// Sends a message to the other nodes that have the game open. The message is lost while there is no connection.
    pub(crate) fn send_message(&self, game: i64, message: &str) {
        let payload = serde_json::json!({"game": game, "node": self.node(), "says": message});
        self.0.connection.notify(payload.to_string());
    }
}
