//! What other processes tell, passed on to the games that are open here, and what is done from time to time: all on
//! one thread, which may wait for a game without holding up the connection.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::{Database, Event, Shared};

/// How often a game is told that time passes.
const TICK: Duration = Duration::from_secs(10);

/// The most events that are heard before the tick is looked at.
const MOST_AT_ONCE: usize = 1000;

/// What a game is told.
pub(crate) enum Told<'a> {
    /// Something was written that it may not know.
    Moved,
    /// It has another name.
    Named(&'a str),
    /// Another node says something.
    Said(i64, &'a str),
    /// The connection was lost.
    Lost,
    /// It is there again.
    Back,
    /// Time passes.
    Tick,
}

/// A game that is open here.
pub(crate) trait Listener: Send + Sync {
    fn hear(&self, news: &Told<'_>);
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
    pub(crate) fn listen(&self, game: i64, listener: Weak<dyn Listener>) {
        self.0
            .listeners
            .lock()
            .entry(game)
            .or_default()
            .push(listener);
        // There is one receiver, and so one thread.
        if let Some(events) = self.0.events.lock().take() {
            let shared = Arc::downgrade(&self.0);
            let thread = thread::Builder::new().name("news".to_owned());
            // Without it only what others do comes late.
            thread.spawn(move || run(&shared, &events)).map(drop).ok();
            self.0.connection.listen();
        }
    }
}

impl Shared {
    /// Tells all games, or one, that are open here.
    fn tell(&self, game: Option<i64>, news: &Told<'_>) {
        let mut all = self.listeners.lock();
        all.retain(|_, of_game| {
            of_game.retain(|one| one.strong_count() > 0);
            !of_game.is_empty()
        });
        let meant = all
            .iter()
            .filter(|(id, _)| game.is_none_or(|game| game == **id));
        let meant = meant.flat_map(|(_, of_game)| of_game.iter().filter_map(Weak::upgrade));
        let meant: Vec<Arc<dyn Listener>> = meant.collect();
        drop(all);
        for one in meant {
            one.hear(news);
        }
    }

    fn hear(&self, event: Event, moved: &mut BTreeSet<i64>) {
        let text = match event {
            Event::Back => return self.tell(None, &Told::Back),
            Event::Lost => return self.tell(None, &Told::Lost),
            Event::Late(game) => {
                moved.insert(game);
                return;
            }
            Event::Notified(text) => text,
        };
        let message = serde_json::from_str::<Message>(&text).ok();
        let Some(message) = message.filter(|message| message.node != self.node) else {
            return;
        };
        match (&message.says, &message.name) {
            (Some(says), _) => self.tell(Some(message.game), &Told::Said(message.node, says)),
            (None, Some(name)) => self.tell(Some(message.game), &Told::Named(name)),
            (None, None) => _ = moved.insert(message.game),
        }
    }
}

fn run(shared: &Weak<Shared>, events: &Receiver<Event>) {
    let mut next = Instant::now() + TICK;
    loop {
        let first = events.recv_timeout(next.saturating_duration_since(Instant::now()));
        let is_over = first == Err(RecvTimeoutError::Disconnected);
        let Some(shared) = shared.upgrade().filter(|_| !is_over) else {
            return;
        };
        let mut moved = BTreeSet::new();
        for event in first
            .into_iter()
            .chain(events.try_iter().take(MOST_AT_ONCE))
        {
            shared.hear(event, &mut moved);
        }
        // Of many events of a game one look brings all.
        for game in moved {
            shared.tell(Some(game), &Told::Moved);
        }
        if next <= Instant::now() {
            shared.tell(None, &Told::Tick);
            next = Instant::now() + TICK;
        }
    }
}
