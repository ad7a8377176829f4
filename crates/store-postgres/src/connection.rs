//! The connection to a database.
//!
//! A thread with its own runtime speaks the protocol and connects again when the connection breaks. Other threads send
//! their statements to it and wait.

mod address;
mod append_queue;
mod link;
mod statement;

use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tableside_store::StoreError;
use tableside_store::backend::Result;
use tokio::runtime::{Builder, Handle, RuntimeFlavor};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::block_in_place;

use crate::database::{AppendOutcome, AppendRequest, ConnectionEvent, PATIENCE, TextRow};

use address::DatabaseAddress;
use append_queue::{QueuedAppend, run_append_queue};
use link::{ConnectionHealth, ConnectionLink, LISTEN};
use statement::{describe_error, is_connection_lost, run_statement};

/// The time limit for connecting and for inserting events. After it, the connection counts as lost.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit for the answer to a query while the connection works.
pub(crate) const QUERY_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether a statement changes rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// The database connection of one node. Dropping it ends the connection's thread.
pub(crate) struct DatabaseConnection {
    runtime: Handle,
    link: ConnectionLink,
    appends: UnboundedSender<QueuedAppend>,
    health: ConnectionHealth,
    display_url: String,
    /// Dropping this sender ends the thread.
    _end: oneshot::Sender<()>,
}

/// A new connection with the receiver of its events.
pub(crate) struct OpenedConnection {
    pub(crate) connection: DatabaseConnection,
    /// The address without the user and the password.
    pub(crate) display_url: String,
    pub(crate) events: Receiver<ConnectionEvent>,
}

/// The handles that the thread returns when the first connection is established.
struct StartedThread {
    runtime: Handle,
    link: ConnectionLink,
}

impl DatabaseConnection {
    /// Connects for the first time. Fails if the address is wrong or the database cannot be used.
    pub(crate) fn open(url: &str) -> Result<OpenedConnection> {
        let address = DatabaseAddress::parse(url)?;
        let display_url = address.display_url();
        let (event_sender, events) = channel();
        let (append_sender, append_receiver) = unbounded_channel();
        let (end_sender, end_receiver) = oneshot::channel();
        let health = ConnectionHealth::new(event_sender);

        let started = start_thread(
            address,
            &display_url,
            health.clone(),
            append_receiver,
            end_receiver,
        )?;
        Ok(OpenedConnection {
            connection: Self {
                runtime: started.runtime,
                link: started.link,
                appends: append_sender,
                health,
                display_url: display_url.clone(),
                _end: end_sender,
            },
            display_url,
            events,
        })
    }

    /// Returns the time at which the connection was lost, or `None` while it works.
    pub(crate) fn lost_since(&self) -> Option<Instant> {
        self.health.lost_since()
    }

    /// Subscribes to the notifications of other nodes.
    pub(crate) fn listen(&self) {
        self.health.set_listening();
        self.run_in_background(LISTEN, Vec::new());
    }

    /// Sends a notification to all nodes. Without a connection, the notification is dropped.
    pub(crate) fn notify(&self, payload: String) {
        self.run_in_background("select pg_notify('tableside', $1)::text", vec![payload]);
    }

    fn run_in_background(&self, sql: &'static str, values: Vec<String>) {
        if let Some(live) = self.link.current() {
            self.runtime.spawn(async move {
                // If the connection breaks, the link notices and connects again.
                let _rows = run_statement(&live.client, sql, &values).await;
            });
        }
    }

    /// Runs a statement, and waits for its answer for at most `limit`. If the connection breaks, a statement that only
    /// reads is run again.
    pub(crate) fn query(
        &self,
        sql: &str,
        values: &[&str],
        access: Access,
        limit: Duration,
    ) -> Result<Vec<TextRow>> {
        let (answer_sender, answer) = sync_channel(1);
        let link = self.link.clone();
        let sql = sql.to_owned();
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();

        let task = self.runtime.spawn(async move {
            while let Some(live) = link.live().await {
                let result = run_statement(&live.client, &sql, &values).await;
                match result {
                    Err(error) if access == Access::Read && is_connection_lost(&error) => {
                        link.replace(&live).await;
                    }
                    result => {
                        // The send fails if the caller has stopped waiting.
                        let _sent = answer_sender.send(result);
                        return;
                    }
                }
            }
        });

        let timeout = if self.lost_since().is_some() {
            PATIENCE
        } else {
            QUERY_TIMEOUT
        };
        let display_url = &self.display_url;
        match block(|| answer.recv_timeout(timeout.min(limit))) {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) => {
                let reason = describe_error(&error);
                Err(unavailable(format!(
                    "the database {display_url} reports an error: {reason}"
                )))
            }
            Err(_) => {
                task.abort();
                Err(no_answer(display_url))
            }
        }
    }

    /// Inserts an event. If the event cannot be sent by `deadline`, it is not inserted. Once it is sent, waits for the
    /// answer.
    pub(crate) fn append(&self, request: AppendRequest, deadline: Instant) -> AppendOutcome {
        let (queued, ticket) = QueuedAppend::new(request, deadline);
        if self.appends.send(queued).is_err() {
            return AppendOutcome::NotSent;
        }
        block(|| ticket.wait())
    }
}

/// Starts the thread, and waits until the first connection is established.
fn start_thread(
    address: DatabaseAddress,
    display_url: &str,
    health: ConnectionHealth,
    appends: UnboundedReceiver<QueuedAppend>,
    end: oneshot::Receiver<()>,
) -> Result<StartedThread> {
    let start_error = |error| {
        unavailable(format!(
            "cannot start the connection to the database: {error}"
        ))
    };
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(start_error)?;
    let (started_sender, started) = sync_channel(1);
    let url_of_thread = display_url.to_owned();

    let run = async move {
        let first = match link::connect_first(&address, &url_of_thread, &health).await {
            Ok(first) => first,
            Err(error) => {
                // The send fails only if the opening thread has panicked.
                let _sent = started_sender.send(Err(error));
                return;
            }
        };

        let (link, link_sender) = ConnectionLink::new();
        tokio::spawn(run_append_queue(link.clone(), appends, health.events()));
        tokio::spawn(link::keep_connected(address, first, link_sender, health));

        let handles = StartedThread {
            runtime: Handle::current(),
            link,
        };
        if started_sender.send(Ok(handles)).is_ok() {
            // This wait ends when the `DatabaseConnection` is dropped.
            let _ended = end.await;
        }
    };
    thread::Builder::new()
        .name("database".to_owned())
        .spawn(move || runtime.block_on(run))
        .map_err(start_error)?;

    match started.recv() {
        Ok(result) => result,
        Err(_) => Err(no_answer(display_url)),
    }
}

/// Runs a blocking function. On a multi-threaded runtime, tokio first moves the other tasks of this thread to other
/// threads.
fn block<T>(wait: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(wait),
        _ => wait(),
    }
}

fn unavailable(what: String) -> StoreError {
    StoreError::Database {
        what,
        hint: Some(
            "check that the database server runs and can be reached; the saved events are safe",
        ),
    }
}

fn no_answer(display_url: &str) -> StoreError {
    unavailable(format!("the database {display_url} does not answer"))
}
