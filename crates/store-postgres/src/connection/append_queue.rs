//! The queue of events to insert. One statement inserts all events that are waiting.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, sync_channel};
use std::time::Instant;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;
use tokio_postgres::{Client, Error};

use crate::connection::CONNECTION_TIMEOUT;
use crate::connection::link::{ConnectionLink, LiveConnection};
use crate::connection::statement::{describe_error, is_connection_lost, run_statement};
use crate::database::{AppendOutcome, AppendRequest, ConnectionEvent};

/// The maximum number of events in one statement.
const LARGEST_BATCH: usize = 500;

/// Inserts events and notifies all nodes. Returns the attempts whose events were inserted. All processes insert in the
/// same order, which prevents deadlocks.
const APPEND: &str = "
with new as (
    insert into journal (game, n, line, act)
    select one.* from json_to_recordset($1::json) as one (game bigint, n bigint, line text, act bigint)
    join game on game.id = one.game and game.kept = 'open'
    order by one.game, one.n, one.act
    on conflict do nothing
    returning game, n, act)
select act::text, pg_notify('tableside', json_build_object('game', game, 'node', $2::bigint)::text)::text from new";

/// Returns the attempts whose events are in the journal.
const FIND_INSERTED: &str = "
select journal.act::text from journal
join json_to_recordset($1::json) as one (game bigint, n bigint, act bigint) using (game, n, act)";

/// An event in the queue.
pub(super) struct QueuedAppend {
    request: AppendRequest,
    /// The queue sets this flag before it sends the event, and the caller sets it when it stops waiting. If the caller
    /// is first, the event is not sent.
    is_taken: Arc<AtomicBool>,
    /// After this time, the event is no longer sent.
    deadline: Instant,
    answer: SyncSender<AppendOutcome>,
}

/// The caller's end of a queued event, which receives the answer.
pub(super) struct AppendTicket {
    is_taken: Arc<AtomicBool>,
    deadline: Instant,
    answer: Receiver<AppendOutcome>,
}

impl QueuedAppend {
    pub(super) fn new(request: AppendRequest, deadline: Instant) -> (Self, AppendTicket) {
        let (answer_sender, answer) = sync_channel(1);
        let is_taken = Arc::new(AtomicBool::new(false));
        let queued = Self {
            request,
            is_taken: Arc::clone(&is_taken),
            deadline,
            answer: answer_sender,
        };
        let ticket = AppendTicket {
            is_taken,
            deadline,
            answer,
        };
        (queued, ticket)
    }

    /// Claims the event for sending. Returns false if its caller has stopped waiting.
    fn claim(&self) -> bool {
        !self.is_taken.swap(true, Ordering::AcqRel)
    }

    /// Sends the outcome to the caller. Returns false if the caller has stopped waiting.
    fn answer(&self, outcome: AppendOutcome) -> bool {
        self.answer.send(outcome).is_ok()
    }
}

impl AppendTicket {
    pub(super) fn wait(&self) -> AppendOutcome {
        let patience = self.deadline.saturating_duration_since(Instant::now());
        if let Ok(outcome) = self.answer.recv_timeout(patience) {
            return outcome;
        }

        // From now on the queue does not send the event, unless it has sent the event before.
        let was_sent = self.is_taken.swap(true, Ordering::AcqRel);
        if !was_sent {
            return AppendOutcome::NotSent;
        }
        self.answer
            .recv_timeout(CONNECTION_TIMEOUT * 2)
            .unwrap_or(AppendOutcome::Unknown)
    }
}

/// Events that are inserted together.
#[derive(Default)]
struct AppendBatch {
    events: Vec<QueuedAppend>,
    /// True if the batch was sent before, and the answer was lost.
    is_retry: bool,
}

/// Inserts queued events until the connection of the node is dropped.
pub(super) async fn run_append_queue(
    link: ConnectionLink,
    mut queue: UnboundedReceiver<QueuedAppend>,
    connection_events: Sender<ConnectionEvent>,
) {
    let mut batch = AppendBatch::default();
    loop {
        if batch.events.is_empty() {
            batch.is_retry = false;
            let received = queue.recv_many(&mut batch.events, LARGEST_BATCH).await;
            if received == 0 {
                return;
            }
        }

        let live = batch.wait_for_connection(&link).await;
        batch.remove_expired(live.is_some());
        let Some(live) = live else {
            continue;
        };
        if batch.events.is_empty() {
            continue;
        }

        match timeout(CONNECTION_TIMEOUT, batch.insert(&live.client)).await {
            Ok(Ok(inserted)) => batch.answer_inserted(&inserted, &connection_events),
            Ok(Err(error)) if !is_connection_lost(&error) => batch.answer_refused(&error),
            _ => {
                batch.is_retry = true;
                link.replace(&live).await;
            }
        }
    }
}

impl AppendBatch {
    /// Waits for a connection, at most until the latest deadline in the batch.
    async fn wait_for_connection(&self, link: &ConnectionLink) -> Option<Arc<LiveConnection>> {
        let last_deadline = self.events.iter().map(|event| event.deadline).max()?;
        let patience = last_deadline.saturating_duration_since(Instant::now());
        timeout(patience, link.live()).await.ok().flatten()
    }

    /// Removes the events whose callers have stopped waiting, and all events if there is no connection. In a retry, a
    /// removed event may be in the journal, so its outcome is unknown.
    fn remove_expired(&mut self, is_connected: bool) {
        let now = Instant::now();
        for event in std::mem::take(&mut self.events) {
            let is_in_time = is_connected && event.deadline > now;
            // The first attempt claims an event. A retry has claimed it already.
            let may_send = is_in_time && (self.is_retry || event.claim());
            if may_send {
                self.events.push(event);
            } else if self.is_retry {
                event.answer(AppendOutcome::Unknown);
            }
        }
    }

    /// Inserts the events, and returns the attempt numbers of the events that are in the journal. If the batch is sent
    /// again, the first statement may already have inserted some of them.
    async fn insert(&self, client: &Client) -> Result<HashSet<String>, Error> {
        let requests: Vec<&AppendRequest> =
            self.events.iter().map(|event| &event.request).collect();
        let requests_json = serde_json::to_string(&requests).unwrap_or_default();
        let node = requests.first().map_or(0, |request| request.node);

        let values = [requests_json.clone(), node.to_string()];
        let mut rows = run_statement(client, APPEND, &values).await?;
        if self.is_retry {
            rows.extend(run_statement(client, FIND_INSERTED, &[requests_json]).await?);
        }
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }

    fn answer_inserted(
        &mut self,
        inserted: &HashSet<String>,
        connection_events: &Sender<ConnectionEvent>,
    ) {
        for event in self.events.drain(..) {
            let is_inserted = inserted.contains(&event.request.attempt.to_string());
            let outcome = if is_inserted {
                AppendOutcome::Done
            } else {
                AppendOutcome::Conflict
            };

            let was_heard = event.answer(outcome);
            if is_inserted && !was_heard {
                // The send fails only if no game listens.
                let _sent = connection_events.send(ConnectionEvent::SavedLate(event.request.game));
            }
        }
    }

    fn answer_refused(&mut self, error: &Error) {
        for event in self.events.drain(..) {
            event.answer(AppendOutcome::Refused(describe_error(error)));
        }
    }
}
