//! What the processes that have a game of a database open tell each other besides acts: who sits there, what is
//! suggested, and what came of it. What is suggested is done where it was suggested; acts are read from the log.

use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::presence::{Presence, Suggested, Suggestion};
use super::{Seat, SeatId, Table};
use tableside_game::EntityKind;
use tableside_store::StoreClient as _;

/// A process that is not heard for so long is gone, and so is who sits there.
const SILENCE: Duration = Duration::from_secs(30);

/// So many seats are told at a time: a message has at most 8,000 bytes.
const SEATS: usize = 20;

/// What a process tells the others.
#[derive(Serialize, Deserialize)]
enum Says {
    /// It has just opened the game.
    Hello,
    /// Who sits there: all, or those who did not fit before.
    Sitting { more: bool, seats: Vec<Seat> },
    /// Somebody there would like something to be done.
    Suggests {
        id: u64,
        by: String,
        seat: SeatId,
        words: String,
    },
    /// A GM answers what somebody at that process suggested.
    Answers { node: i64, id: u64, yes: bool },
    /// It is off the list.
    Settled { id: u64 },
    /// Why what a GM agreed to could not be.
    Failed { words: String },
}

impl Table {
    fn say(&self, says: &Says) {
        let store = self.look().store.clone();
        if let Some(store) = store.filter(|store| store.is_shared()) {
            store.tell(&serde_json::to_string(says).unwrap_or_default());
        }
    }

    /// Asks the other processes who is there, and takes in what was written before they are heard.
    pub(super) fn greet(&self) {
        self.changed_elsewhere();
        self.say(&Says::Hello);
    }

    /// Says who sits here.
    pub(super) fn say_who_sits(&self) {
        let seats: Vec<Seat> = self.look().presence.sitting().cloned().collect();
        let (first, more) = seats.split_at(seats.len().min(SEATS));
        let parts = iter::once(first).chain(more.chunks(SEATS));
        for (place, seats) in parts.enumerate() {
            let (more, seats) = (place > 0, seats.to_vec());
            self.say(&Says::Sitting { more, seats });
        }
    }

    /// Says that it lives, who sits here and what is suggested; who was not heard for long is gone.
    pub(super) fn say_all(&self) {
        let (is_empty, is_old) = {
            let presence = &self.look().presence;
            let mut heard = presence.elsewhere.values();
            let is_old = heard.any(|(heard, _)| heard.elapsed() > SILENCE);
            (presence.sitting().next().is_none(), is_old)
        };
        if is_old {
            self.change_presence(|presence| {
                let is_heard = |(heard, _): &mut (Instant, _)| heard.elapsed() <= SILENCE;
                presence.elsewhere.retain(|_, of_node| is_heard(of_node));
                let Presence {
                    elsewhere,
                    suggestions,
                    ..
                } = presence;
                suggestions
                    .retain(|one| one.node().is_none_or(|node| elsewhere.contains_key(&node)));
            });
        }
        if !is_empty {
            self.say_who_sits();
        }
        let waiting = self.look().presence.suggestions.clone();
        for one in waiting.iter().filter(|one| one.node().is_none()) {
            self.say_suggested(one);
        }
    }

    pub(super) fn say_suggested(&self, one: &Suggestion) {
        self.say(&Says::Suggests {
            id: one.id,
            by: one.by.clone(),
            seat: one.seat,
            words: tableside_text::fit(&one.words, 500).into_owned(),
        });
    }

    /// Says that a suggestion is off the list, or has the process answer at which it was made.
    pub(super) fn say_settled(&self, one: &Suggestion, yes: bool) {
        self.say(&match one.elsewhere() {
            Some((node, id)) => Says::Answers { node, id, yes },
            None => Says::Settled { id: one.id },
        });
    }

    /// Takes in what another process tells.
    pub(super) fn hear(self: &Arc<Self>, from: i64, says: &str) {
        let Ok(says) = serde_json::from_str::<Says>(says) else {
            // A newer version says more.
            return;
        };
        match says {
            Says::Hello => self.say_all(),
            Says::Sitting { more, seats } => self.seat_elsewhere(from, more, seats),
            Says::Suggests {
                id,
                by,
                seat,
                words,
            } => self.change_presence(|presence| {
                let of = (from, id);
                let mut known = presence.suggestions.iter();
                if !known.any(|one| one.elsewhere() == Some(of)) {
                    let id = presence.next();
                    presence.suggestions.push(Suggestion {
                        id,
                        by,
                        seat,
                        words,
                        act: Suggested::At(of),
                    });
                }
            }),
            Says::Answers { node, id, yes } if Some(node) == self.own_node() => {
                let gm = Seat::gm();
                let done = if yes {
                    self.accept(&gm, id).map(drop)
                } else {
                    self.decline(&gm, id).map(drop)
                };
                if let Err(why) = done {
                    self.say(&Says::Failed {
                        words: why.to_string(),
                    });
                }
            }
            Says::Answers { .. } => {}
            Says::Settled { id } => self.change_presence(|presence| {
                let suggestions = &mut presence.suggestions;
                suggestions.retain(|one| one.elsewhere() != Some((from, id)));
            }),
            Says::Failed { words } => self.tell_gm(words),
        }
    }

    fn own_node(&self) -> Option<i64> {
        self.look().store.as_ref()?.node()
    }

    fn seat_elsewhere(&self, node: i64, more: bool, seats: Vec<Seat>) {
        let mut inner = self.inner();
        let now = Instant::now();
        let empty = || (now, Vec::new());
        let (heard, known) = inner.presence.elsewhere.entry(node).or_insert_with(empty);
        *heard = now;
        let before = known.clone();
        if !more {
            known.clear();
        }
        known.extend(seats);
        let is_new = *known != before;
        if is_new {
            self.tell_change(inner, EntityKind::Game);
        }
    }
}
