//! What other processes tell, passed on to the games that are open here, and what is done from time to time: all on
//! one thread, which may wait for a game without holding up the connection.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::{Database, Event, Shared};

/// How often it is looked whether a snapshot is due, and a game told that time passes.
const TICK: Duration = Duration::from_secs(10);

/// A game that is open here.
pub(in crate::store) trait Listener: Send + Sync {
    /// Something was written that it may not know.
    fn moved(&self);
    /// It has another name.
    fn named(&self, name: &str);
    /// Another node says something.
    fn heard(&self, node: i64, says: &str);
    /// The connection was lost, or is back.
    fn connection_changed(&self, is_lost: bool);
    /// Time passes.
    fn tick(&self);
}

/// What is told to all.
#[derive(Deserialize)]
struct Message {
    game: i64,
    node: i64,
    says: Option<String>,
    name: Option<String>,
}

impl Database {
    /// Has a game told of what other nodes do, for as long as it is there.
    pub(in crate::store) fn listen(&self, game: i64, listener: Weak<dyn Listener>) {
        self.0
            .listeners
            .lock()
            .entry(game)
            .or_default()
            .push(listener);
        self.begin();
    }

    /// Begins the connection that appends and hears, and the thread that passes on what it hears.
    pub(super) fn begin(&self) {
        self.0.is_listening.get_or_init(|| {
            let events = self.0.events.lock().take();
            let shared = Arc::downgrade(&self.0);
            let thread = thread::Builder::new().name("news".to_owned());
            if let Some(events) = events {
                // Without it only what others do comes late.
                thread.spawn(move || run(&shared, &events)).map(drop).ok();
            }
            self.0.connection.begin();
        });
    }
}

impl Shared {
    fn listeners(&self, game: Option<i64>) -> Vec<Arc<dyn Listener>> {
        let mut all = self.listeners.lock();
        all.retain(|_, of_game| {
            of_game.retain(|one| one.strong_count() > 0);
            !of_game.is_empty()
        });
        let meant = all
            .iter()
            .filter(|(id, _)| game.is_none_or(|game| game == **id));
        meant
            .flat_map(|(_, of_game)| of_game.iter().filter_map(Weak::upgrade))
            .collect()
    }
}

fn run(shared: &Weak<Shared>, events: &Receiver<Event>) {
    let mut next = Instant::now() + TICK;
    loop {
        let first = events.recv_timeout(next.saturating_duration_since(Instant::now()));
        if matches!(first, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let mut moved = BTreeSet::new();
        for event in first.ok().into_iter().chain(events.try_iter()) {
            hear(&shared, event, &mut moved);
        }
        // Of many events of a game one look brings all.
        for game in moved {
            shared
                .listeners(Some(game))
                .iter()
                .for_each(|one| one.moved());
        }
        if next <= Instant::now() {
            shared.listeners(None).iter().for_each(|one| one.tick());
            next = Instant::now() + TICK;
        }
    }
}

fn hear(shared: &Shared, event: Event, moved: &mut BTreeSet<i64>) {
    match event {
        Event::Back => {
            for one in shared.listeners(None) {
                one.connection_changed(false);
                one.moved();
            }
        }
        Event::Lost => {
            shared
                .listeners(None)
                .iter()
                .for_each(|one| one.connection_changed(true));
        }
        Event::Late(game) => drop(moved.insert(game)),
        Event::Notified(text) => {
            let Ok(message) = serde_json::from_str::<Message>(&text) else {
                return;
            };
            if message.node == shared.node {
                return;
            }
            match (message.says, message.name) {
                (Some(says), _) => shared
                    .listeners(Some(message.game))
                    .iter()
                    .for_each(|one| one.heard(message.node, &says)),
                (None, Some(name)) => shared
                    .listeners(Some(message.game))
                    .iter()
                    .for_each(|one| one.named(&name)),
                (None, None) => drop(moved.insert(message.game)),
            }
        }
    }
}
