//! Messages between the processes that have a game in a database open, called nodes: their seats, and suggestions with
//! their answers.
//!
//! Acts are not sent, because every process reads them from the log. The process of the player does a suggested act.

use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::suggestion::{SuggestedAct, Suggestion};
use super::{Seat, SeatId, Table};
use tableside_game::EntityKind;
use tableside_store::StoreClient as _;

/// A process that has sent no message for this long counts as closed, and its seats are removed.
const SILENCE: Duration = Duration::from_secs(30);

/// The maximum number of seats in a message, which may have at most 8,000 bytes.
const SEATS_PER_MESSAGE: usize = 20;

/// The longest description of a suggestion in a message, in columns.
const LONGEST_WORDS: usize = 500;

/// A message to all other processes.
#[derive(Serialize, Deserialize)]
enum NodeMessage {
    /// The sender has just opened the game.
    Hello,
    /// The seats at the sender. If `more` is true, they are added to the seats of the previous message.
    Sitting { more: bool, seats: Vec<Seat> },
    /// A player at the sender made a suggestion.
    Suggests {
        id: u64,
        by: String,
        seat: SeatId,
        words: String,
    },
    /// A GM at the sender answers a suggestion that was made at `node`.
    Answers { node: i64, id: u64, yes: bool },
    /// A suggestion that was made at the sender was answered.
    Settled { id: u64 },
    /// The sender could not do an accepted suggestion.
    Failed { words: String },
}

/// Methods that send messages.
impl Table {
    fn send_to_nodes(&self, message: &NodeMessage) {
        let store = self.look().store.clone();
        if let Some(store) = store
            && store.is_shared()
        {
            // A message consists of numbers and texts, so serialising it cannot fail.
            store.send_message(&serde_json::to_string(message).unwrap_or_default());
        }
    }

    /// Reads the new events of the other processes, and asks the processes for their seats.
    pub(super) fn greet(&self) {
        self.changed_elsewhere();
        self.send_to_nodes(&NodeMessage::Hello);
    }

    /// Sends the seats at this process.
    pub(super) fn send_seats(&self) {
        let seats: Vec<Seat> = {
            let inner = self.look();
            inner.presence.sitting().cloned().collect()
        };
        let first_count = seats.len().min(SEATS_PER_MESSAGE);
        let (first, later) = seats.split_at(first_count);
        // The first message is sent even if it has no seats, because it replaces the list.
        let later_parts = later.chunks(SEATS_PER_MESSAGE);
        let parts = iter::once(first).chain(later_parts);
        for (index, seats) in parts.enumerate() {
            self.send_to_nodes(&NodeMessage::Sitting {
                more: index > 0,
                seats: seats.to_vec(),
            });
        }
    }

    /// Sends the seats and suggestions of this process, and removes those of closed processes.
    pub(super) fn send_seats_and_suggestions(&self) {
        self.forget_silent_nodes();

        let (has_seats, suggestions) = {
            let inner = self.look();
            let presence = &inner.presence;
            let has_seats = presence.sitting().next().is_some();
            (has_seats, presence.suggestions.clone())
        };
        if has_seats {
            self.send_seats();
        }
        for suggestion in &suggestions {
            if suggestion.node().is_none() {
                self.send_suggestion(suggestion);
            }
        }
    }

    pub(super) fn send_suggestion(&self, suggestion: &Suggestion) {
        let description = tableside_text::fit(&suggestion.words, LONGEST_WORDS);
        self.send_to_nodes(&NodeMessage::Suggests {
            id: suggestion.id,
            by: suggestion.by.clone(),
            seat: suggestion.seat,
            words: description.into_owned(),
        });
    }

    /// Sends the answer to a suggestion to the process of its player. If the player is at this process, announces that
    /// the suggestion was answered.
    pub(super) fn send_answer(&self, suggestion: &Suggestion, is_accepted: bool) {
        let message = match suggestion.elsewhere() {
            Some((node, id)) => NodeMessage::Answers {
                node,
                id,
                yes: is_accepted,
            },
            None => NodeMessage::Settled { id: suggestion.id },
        };
        self.send_to_nodes(&message);
    }
}

/// Methods that receive messages.
impl Table {
    /// Receives a message of another process. Messages of a newer version that cannot be parsed are ignored.
    pub(super) fn handle_message(self: &Arc<Self>, from: i64, message: &str) {
        let Ok(message) = serde_json::from_str::<NodeMessage>(message) else {
            return;
        };
        match message {
            NodeMessage::Hello => self.send_seats_and_suggestions(),
            NodeMessage::Sitting { more, seats } => self.update_seats_of_node(from, more, seats),
            NodeMessage::Suggests {
                id,
                by,
                seat,
                words,
            } => self.add_suggestion(Suggestion {
                id: 0,
                by,
                seat,
                words,
                act: SuggestedAct::At((from, id)),
            }),
            NodeMessage::Answers { node, id, yes } => {
                if Some(node) == self.own_node() {
                    self.answer_suggestion(id, yes);
                }
            }
            NodeMessage::Settled { id } => self.change_presence(|presence| {
                presence
                    .suggestions
                    .retain(|suggestion| suggestion.elsewhere() != Some((from, id)));
            }),
            NodeMessage::Failed { words } => self.message_gm(words),
        }
    }

    /// Adds a suggestion of another process with a new number, unless it is known.
    fn add_suggestion(&self, suggestion: Suggestion) {
        self.change_presence(|presence| {
            let mut origins = presence.suggestions.iter().map(Suggestion::elsewhere);
            let is_listed = origins.any(|origin| origin == suggestion.elsewhere());
            if is_listed {
                return;
            }
            let id = presence.next_number();
            presence.suggestions.push(Suggestion { id, ..suggestion });
        });
    }

    /// Accepts or declines an own suggestion that a GM answered in another process.
    fn answer_suggestion(self: &Arc<Self>, id: u64, is_accepted: bool) {
        let gm = Seat::gm();
        let result = if is_accepted {
            self.accept(&gm, id).map(drop)
        } else {
            self.decline(&gm, id).map(drop)
        };
        if let Err(problem) = result {
            self.send_to_nodes(&NodeMessage::Failed {
                words: problem.to_string(),
            });
        }
    }

    fn own_node(&self) -> Option<i64> {
        self.look().store.as_ref()?.node()
    }

    /// Updates the list of the seats at another process.
    fn update_seats_of_node(&self, node: i64, more: bool, seats: Vec<Seat>) {
        let mut inner = self.inner();
        let now = Instant::now();
        let elsewhere = &mut inner.presence.elsewhere;
        let new_node = || (now, Vec::new());
        let (heard, node_seats) = elsewhere.entry(node).or_insert_with(new_node);
        *heard = now;

        let earlier_seats = node_seats.clone();
        if !more {
            node_seats.clear();
        }
        node_seats.extend(seats);
        if *node_seats != earlier_seats {
            self.notify_change(inner, EntityKind::Game);
        }
    }

    /// Removes the seats and the suggestions of processes that have been silent for too long.
    fn forget_silent_nodes(&self) {
        let has_silent = {
            let inner = self.look();
            let mut nodes = inner.presence.elsewhere.values();
            nodes.any(|(heard, _)| heard.elapsed() > SILENCE)
        };
        if !has_silent {
            return;
        }

        self.change_presence(|presence| {
            presence
                .elsewhere
                .retain(|_, (heard, _)| heard.elapsed() <= SILENCE);
            let elsewhere = &presence.elsewhere;
            presence.suggestions.retain(|suggestion| {
                let node = suggestion.node();
                node.is_none_or(|node| elsewhere.contains_key(&node))
            });
        });
    }
}
