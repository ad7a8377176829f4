//! Passes the messages of other nodes to the open games.
//!
//! One thread does this for all games of a node, so that a slow game does not delay the connection.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::database::{ConnectionEvent, Database, SharedDatabase};

/// How often each open game gets a [`Tick`](GameNotification::Tick).
const TICK_INTERVAL: Duration = Duration::from_secs(10);

/// The maximum number of events that are handled before the time is checked.
const MOST_EVENTS_AT_ONCE: usize = 1000;

/// A message to an open game.
pub(crate) enum GameNotification<'a> {
    /// Another node may have appended events.
    Changed,
    /// Another node renamed the game.
    Renamed(&'a str),
    /// The client of another node sent a message.
    Message {
        node: i64,
        text: &'a str,
    },
    ConnectionLost,
    ConnectionRestored,
    Tick,
}

/// An open game that receives notifications.
pub(crate) trait GameListener: Send + Sync {
    fn receive(&self, notification: &GameNotification<'_>);
}

/// The payload of a `NOTIFY`. A payload without a message and a name announces new events.
#[derive(Deserialize)]
struct NodePayload {
    game: i64,
    node: i64,
    says: Option<String>,
    name: Option<String>,
}

impl Database {
    /// Passes notifications to a game until it is dropped.
    pub(crate) fn subscribe(&self, game: i64, listener: Weak<dyn GameListener>) {
        self.0
            .listeners
            .lock()
            .entry(game)
            .or_default()
            .push(listener);

        // The first subscription takes the receiver and starts the thread.
        if let Some(events) = self.0.events.lock().take() {
            let shared = Arc::downgrade(&self.0);
            // If the thread cannot start, this node reads other nodes' events only when it appends its next event.
            let _thread = thread::Builder::new()
                .name("notifications".to_owned())
                .spawn(move || run_notifications(&shared, &events));
            self.0.connection.listen();
        }
    }
}

impl SharedDatabase {
    /// Notifies all open games, or those with the given id.
    fn notify(&self, game: Option<i64>, notification: &GameNotification<'_>) {
        for listener in self.open_games(game) {
            listener.receive(notification);
        }
    }

    /// Returns the open games, and forgets closed ones.
    fn open_games(&self, game: Option<i64>) -> Vec<Arc<dyn GameListener>> {
        let mut listeners = self.listeners.lock();
        listeners.retain(|_, of_game| {
            of_game.retain(|listener| listener.strong_count() > 0);
            !of_game.is_empty()
        });

        let mut open_games = Vec::new();
        for (id, of_game) in listeners.iter() {
            if game.is_none_or(|wanted| wanted == *id) {
                open_games.extend(of_game.iter().filter_map(Weak::upgrade));
            }
        }
        open_games
    }

    /// Handles an event of the connection. Games with new events are added to `changed`.
    fn handle(&self, event: ConnectionEvent, changed: &mut BTreeSet<i64>) {
        match event {
            ConnectionEvent::Restored => self.notify(None, &GameNotification::ConnectionRestored),
            ConnectionEvent::Lost => self.notify(None, &GameNotification::ConnectionLost),
            ConnectionEvent::SavedLate(game) => {
                changed.insert(game);
            }
            ConnectionEvent::Notified(payload) => self.handle_payload(&payload, changed),
        }
    }

    fn handle_payload(&self, payload: &str, changed: &mut BTreeSet<i64>) {
        let Ok(payload) = serde_json::from_str::<NodePayload>(payload) else {
            return;
        };
        if payload.node == self.node {
            return;
        }

        if let Some(text) = &payload.says {
            let node = payload.node;
            self.notify(
                Some(payload.game),
                &GameNotification::Message { node, text },
            );
        } else if let Some(name) = &payload.name {
            self.notify(Some(payload.game), &GameNotification::Renamed(name));
        } else {
            changed.insert(payload.game);
        }
    }
}

fn run_notifications(shared: &Weak<SharedDatabase>, events: &Receiver<ConnectionEvent>) {
    let mut next_tick = Instant::now() + TICK_INTERVAL;
    loop {
        let time_left = next_tick.saturating_duration_since(Instant::now());
        let first_event = match events.recv_timeout(time_left) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Some(shared) = shared.upgrade() else {
            return;
        };

        // A game reads all its new events at once, so one notification is enough for it.
        let mut changed_games = BTreeSet::new();
        let more_events = events.try_iter().take(MOST_EVENTS_AT_ONCE);
        for event in first_event.into_iter().chain(more_events) {
            shared.handle(event, &mut changed_games);
        }
        for game in changed_games {
            shared.notify(Some(game), &GameNotification::Changed);
        }

        if next_tick <= Instant::now() {
            shared.notify(None, &GameNotification::Tick);
            next_tick = Instant::now() + TICK_INTERVAL;
        }
    }
}
