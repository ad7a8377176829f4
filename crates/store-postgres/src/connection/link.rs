//! Connects to the database, and reconnects when the connection breaks.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tableside_store::backend::{FORMER_HOST_GAME, Result};
use tableside_store::{Name, StoreError};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, Client, Error};

use crate::connection::address::DatabaseAddress;
use crate::connection::statement::{describe_error, run_statement};
use crate::connection::{CONNECTION_TIMEOUT, no_answer, unavailable};
use crate::database::{ConnectionEvent, MIGRATE_TO_2, SCHEMA, SCHEMA_LOCK, TABLES};

/// The shortest and the longest pause before the next attempt to connect.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Subscribes a connection to the notifications of all nodes.
pub(super) const LISTEN: &str = "listen tableside";

/// An established connection.
pub(super) struct LiveConnection {
    pub(super) client: Client,
    driver: AbortHandle,
}

/// An established connection and the task that drives it.
pub(super) struct DrivenConnection {
    live: Arc<LiveConnection>,
    driver: JoinHandle<()>,
}

type CurrentConnection = Option<Arc<LiveConnection>>;

/// Gives access to the current connection. A broken connection is replaced.
#[derive(Clone)]
pub(super) struct ConnectionLink(watch::Receiver<CurrentConnection>);

impl ConnectionLink {
    pub(super) fn new() -> (Self, watch::Sender<CurrentConnection>) {
        let (sender, receiver) = watch::channel(None);
        (Self(receiver), sender)
    }

    pub(super) fn current(&self) -> CurrentConnection {
        self.0.borrow().clone()
    }

    /// Waits for a working connection. Returns `None` if the node shuts down.
    pub(super) async fn live(&self) -> CurrentConnection {
        let mut receiver = self.0.clone();
        let current = receiver.wait_for(Option::is_some).await.ok()?;
        current.clone()
    }

    /// Closes a broken connection, and waits until it is no longer the current one.
    pub(super) async fn replace(&self, broken: &Arc<LiveConnection>) {
        broken.driver.abort();

        let is_replaced = |current: &CurrentConnection| match current {
            Some(current) => !Arc::ptr_eq(current, broken),
            None => true,
        };
        let mut receiver = self.0.clone();
        // The wait fails only if the node shuts down.
        let _replaced = receiver.wait_for(is_replaced).await;
    }
}

/// The state of the connection, shared with the other threads.
#[derive(Clone)]
pub(super) struct ConnectionHealth {
    lost_since: Arc<Mutex<Option<Instant>>>,
    is_listening: Arc<AtomicBool>,
    events: mpsc::Sender<ConnectionEvent>,
}

impl ConnectionHealth {
    pub(super) fn new(events: mpsc::Sender<ConnectionEvent>) -> Self {
        Self {
            lost_since: Arc::default(),
            is_listening: Arc::default(),
            events,
        }
    }

    pub(super) fn events(&self) -> mpsc::Sender<ConnectionEvent> {
        self.events.clone()
    }

    pub(super) fn lost_since(&self) -> Option<Instant> {
        *self.lost_since.lock()
    }

    /// Makes every later connection subscribe to notifications.
    pub(super) fn set_listening(&self) {
        self.is_listening.store(true, Ordering::Relaxed);
    }

    fn is_listening(&self) -> bool {
        self.is_listening.load(Ordering::Relaxed)
    }

    fn note_restored(&self) {
        *self.lost_since.lock() = None;
        self.send(ConnectionEvent::Restored);
    }

    /// Records that the connection broke. Games are notified once for each outage, not for each failed attempt to
    /// reconnect.
    fn note_lost(&self) {
        let mut lost_since = self.lost_since.lock();
        if lost_since.is_none() {
            *lost_since = Some(Instant::now());
            self.send(ConnectionEvent::Lost);
        }
    }

    fn send(&self, event: ConnectionEvent) {
        // The send fails only if no game listens.
        let _sent = self.events.send(event);
    }
}

/// The reason why an attempt to connect failed.
enum ConnectError {
    /// The server did not answer in time, or this machine's clock is before 1970.
    Unreachable,
    Database(Error),
}

/// Tries to connect, and starts a task that drives the connection.
async fn try_connect(
    address: &DatabaseAddress,
    health: &ConnectionHealth,
) -> Result<DrivenConnection, ConnectError> {
    if address.is_clock_too_early() {
        return Err(ConnectError::Unreachable);
    }

    let connecting = address.config.connect(address.tls.clone());
    let (client, mut connection) = match timeout(CONNECTION_TIMEOUT, connecting).await {
        Ok(Ok(connected)) => connected,
        Ok(Err(error)) => return Err(ConnectError::Database(error)),
        Err(_) => return Err(ConnectError::Unreachable),
    };

    let health_of_driver = health.clone();
    let driver = tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message {
                let payload = notification.payload().to_owned();
                health_of_driver.send(ConnectionEvent::Notified(payload));
            }
        }
    });
    let live = Arc::new(LiveConnection {
        client,
        driver: driver.abort_handle(),
    });

    Ok(DrivenConnection { live, driver })
}

/// Connects for the first time, and creates the tables if they are missing.
pub(super) async fn connect_first(
    address: &DatabaseAddress,
    display_url: &str,
    health: &ConnectionHealth,
) -> Result<DrivenConnection> {
    let connected = match try_connect(address, health).await {
        Ok(connected) => connected,
        Err(ConnectError::Unreachable) => return Err(no_answer(display_url)),
        Err(ConnectError::Database(error)) => return Err(connection_error(display_url, &error)),
    };

    let client = &connected.live.client;
    let schema = prepare_tables(client)
        .await
        .map_err(|error| connection_error(display_url, &error))?;
    if schema == SCHEMA {
        Ok(connected)
    } else {
        Err(StoreError::Database {
            what: format!(
                "the database {display_url} has schema {schema}; this version supports schema {SCHEMA}"
            ),
            hint: Some("open it with a newer version of tableside"),
        })
    }
}

/// Creates missing tables, and migrates tables of version 1. Returns the version that the tables have now.
async fn prepare_tables(client: &Client) -> Result<String, Error> {
    create_missing_tables(client).await?;

    let schema = read_schema(client).await?;
    if schema != "1" {
        return Ok(schema);
    }
    migrate_from_1(client).await?;
    read_schema(client).await
}

/// Migrates the tables from version 1. The statements have no effect if another process has migrated the tables
/// already.
async fn migrate_from_1(client: &Client) -> Result<(), Error> {
    let migration = MIGRATE_TO_2
        .replace("FORMER_HOST", FORMER_HOST_GAME)
        .replace("HOST", Name::host_game().as_str());
    client
        .batch_execute(&format!("begin; {SCHEMA_LOCK}; {migration}; commit"))
        .await
}

async fn create_missing_tables(client: &Client) -> Result<(), Error> {
    // `file` is the last table, so all tables exist if it exists.
    let find_table = "select 1::text from pg_class where oid = to_regclass('file')";
    let found = run_statement(client, find_table, &[]).await?;
    if found.is_empty() {
        let create = format!("begin; {SCHEMA_LOCK}; {TABLES}; commit");
        client.batch_execute(&create).await?;
    }
    Ok(())
}

async fn read_schema(client: &Client) -> Result<String, Error> {
    let rows = run_statement(client, "select max(schema)::text from tableside", &[]).await?;
    let schema = rows.first().map_or("", |row| row.text(0));
    Ok(schema.to_owned())
}

/// Describes why the first connection failed.
fn connection_error(display_url: &str, error: &Error) -> StoreError {
    let reason = describe_error(error);
    match error.code().map(SqlState::code) {
        // 28: invalid authorization; 3D000: no such database.
        Some(code) if code.starts_with("28") || code == "3D000" => StoreError::Database {
            what: format!("the database {display_url} refuses the login: {reason}"),
            hint: Some("check the user, the password and the database name in --database"),
        },
        Some(_) => unavailable(format!(
            "the database {display_url} reports an error: {reason}"
        )),
        None if reason.contains("certificate") => StoreError::Database {
            what: format!("the database {display_url} cannot be trusted: {reason}"),
            hint: Some(
                "connect with the host name that the server's certificate contains, and add sslrootcert=FILE with the root certificate that signed it",
            ),
        },
        None => unavailable(format!(
            "the database {display_url} cannot be reached: {reason}"
        )),
    }
}

/// Subscribes a new connection to notifications if an open game needs them.
async fn subscribe(live: &LiveConnection, health: &ConnectionHealth) -> Result<(), Error> {
    if health.is_listening() {
        run_statement(&live.client, LISTEN, &[]).await?;
    }
    Ok(())
}

/// Reconnects whenever the connection breaks, and publishes the current connection.
pub(super) async fn keep_connected(
    address: DatabaseAddress,
    first: DrivenConnection,
    current: watch::Sender<CurrentConnection>,
    health: ConnectionHealth,
) {
    let mut connected = Some(first);
    let mut pause = FIRST_PAUSE;
    loop {
        if let Some(DrivenConnection { live, driver }) = connected {
            // Publish the connection before `subscribe` reads the flag. A game that sets the flag later finds this
            // connection and sends LISTEN itself.
            current.send_replace(Some(Arc::clone(&live)));
            if subscribe(&live, &health).await.is_ok() {
                health.note_restored();
            } else {
                driver.abort();
            }

            // The driver ends when the connection breaks.
            let _ended = driver.await;
            current.send_replace(None);
            pause = FIRST_PAUSE;
        }

        health.note_lost();
        sleep(pause).await;
        pause = LONGEST_PAUSE.min(pause * 2);
        connected = try_connect(&address, &health).await.ok();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
    use tokio_postgres::{Config, NoTls};

    use super::*;

    #[test]
    fn games_learn_once_that_the_connection_is_lost() {
        let (sender, events) = channel();
        let health = ConnectionHealth::new(sender);
        health.note_lost();
        let lost_since = health.lost_since();
        health.note_lost();
        health.note_restored();
        health.note_lost();

        assert!(lost_since.is_some());
        let received: Vec<_> = events.try_iter().collect();
        let expected = [
            ConnectionEvent::Lost,
            ConnectionEvent::Restored,
            ConnectionEvent::Lost,
        ];
        assert_eq!(received, expected);
    }

    /// Connects to a server that accepts the login and never answers a statement. Returns its end of the connection.
    async fn connect_to_silent_server() -> (DrivenConnection, tokio::io::DuplexStream) {
        let (near, mut far) = duplex(4096);
        // The messages AuthenticationOk and ReadyForQuery.
        far.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")
            .await
            .unwrap();

        let mut config = Config::new();
        config.user("gm");
        let (client, connection) = config.connect_raw(near, NoTls).await.unwrap();
        let driver = tokio::spawn(async move {
            let _ended = connection.await;
        });
        let live = Arc::new(LiveConnection {
            client,
            driver: driver.abort_handle(),
        });
        (DrivenConnection { live, driver }, far)
    }

    #[test]
    fn a_game_that_subscribes_before_the_connection_is_published_is_not_forgotten() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(check_subscription());
    }

    async fn check_subscription() {
        let (connected, mut server) = connect_to_silent_server().await;
        let (sender, _events) = channel();
        let health = ConnectionHealth::new(sender);
        health.set_listening();

        let address = DatabaseAddress::parse("postgres://gm@/tableside?host=/nowhere").unwrap();
        let (_link, published) = ConnectionLink::new();
        let connecting = tokio::spawn(keep_connected(address, connected, published, health));

        let mut received = Vec::new();
        let has_listened = async {
            while !received
                .windows(LISTEN.len())
                .any(|bytes| bytes == LISTEN.as_bytes())
            {
                server.read_buf(&mut received).await.unwrap();
            }
        };
        let limit = Duration::from_mins(1);
        assert!(timeout(limit, has_listened).await.is_ok());
        connecting.abort();
    }
}
