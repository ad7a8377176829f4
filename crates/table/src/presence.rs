//! The seats at the table and the seats that may join.
//!
//! This data is not part of the game: it is not in the journal, and it is lost when the program ends.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::{
    Allowed, Gatekeeper, ListedSeat, PublicPage, Seat, SeatId, Suggestion, Table, TokenBucket,
};
use tableside_game::{CommandError, EntityKind};

/// The maximum number of messages in memory.
const MOST_MESSAGES: usize = 30;

/// The burst size of the rate limit: a seat may use up the acts of this many seconds at once.
const BURST_SECONDS: f64 = 4.0;

/// The seats that other processes have reported, by the number of the process, with the time of its last report.
type SeatsElsewhere = BTreeMap<i64, (Instant, Vec<Seat>)>;

/// The seats at the table, their suggestions, and the seats that may join.
#[derive(Default)]
pub struct Presence {
    /// The seats at the table of this process. A seat with two screens is listed twice.
    sitting: Vec<SittingSeat>,
    pub(super) elsewhere: SeatsElsewhere,
    pub(super) suggestions: Vec<Suggestion>,
    messages: Vec<Message>,
    pub(super) allowed: Allowed,
    /// The seats that may join. `None` while the table is closed.
    pub(super) listed: Option<Vec<ListedSeat>>,
    gatekeeper: Option<Weak<dyn Gatekeeper>>,
    page: Option<Weak<dyn PublicPage>>,
    /// The last number that was given to a sitting seat, a suggestion or a message.
    last_number: u64,
    /// The number of acts that each seat may still do at once.
    acts: HashMap<SeatId, TokenBucket>,
}

/// A seat that has a screen in this process.
struct SittingSeat {
    number: u64,
    seat: Seat,
}

/// A message to a player or to the GM.
struct Message {
    number: u64,
    /// The seat that receives the message. `None` for a message to every GM.
    to: Option<SeatId>,
    text: String,
}

impl Message {
    fn is_to(&self, seat: &Seat) -> bool {
        match self.to {
            Some(id) => id == seat.id,
            None => seat.sees_all(),
        }
    }
}

impl Presence {
    /// Every seat at the table once, in the order of joining.
    pub(super) fn present(&self) -> impl Iterator<Item = &Seat> {
        let elsewhere = self.elsewhere.values().flat_map(|(_, seats)| seats);
        let mut present: Vec<&Seat> = Vec::new();
        for seat in self.sitting().chain(elsewhere) {
            let is_listed = present.iter().any(|listed| listed.id == seat.id);
            if !is_listed {
                present.push(seat);
            }
        }
        present.into_iter()
    }

    /// The seats at the table of this process.
    pub(super) fn sitting(&self) -> impl Iterator<Item = &Seat> + Clone {
        self.sitting.iter().map(|sitting| &sitting.seat)
    }

    /// The web page that shows the table, while the page is open.
    pub(super) fn page(&self) -> Option<Arc<dyn PublicPage>> {
        let page = self.page.as_ref()?;
        page.upgrade()
    }

    /// The last message to a seat after number `since`, with its number.
    pub(super) fn message_to(&self, seat: &Seat, since: u64) -> Option<(u64, &str)> {
        let message = self
            .messages
            .iter()
            .rev()
            .take_while(|message| message.number > since)
            .find(|message| message.is_to(seat))?;
        Some((message.number, &message.text))
    }

    /// Counts an act of a seat against its rate limit. The user who opened the game on this computer has no limit.
    pub(super) fn count_act(&mut self, seat: &Seat) -> Result<(), CommandError> {
        let Some(limit) = self.allowed.acts_per_second else {
            return Ok(());
        };
        if seat.id == SeatId::HOST {
            return Ok(());
        }

        let per_second = f64::from(limit);
        let burst = BURST_SECONDS * per_second;
        let now = Instant::now();
        let bucket = self
            .acts
            .entry(seat.id)
            .or_insert_with(|| TokenBucket::full(burst, now));
        if bucket.take(1.0, (per_second, burst), now) {
            Ok(())
        } else {
            Err(CommandError::TooFast)
        }
    }

    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Sends a message to a seat, or to every GM if `to` is `None`.
    pub(super) fn add_message(&mut self, to: Option<SeatId>, text: String) {
        let number = self.next_number();
        self.messages.push(Message { number, to, text });
        if self.messages.len() > MOST_MESSAGES {
            self.messages.remove(0);
        }
    }
}

/// Keeps a seat at the table until it is dropped.
#[derive(Debug)]
#[must_use = "the seat leaves the table when this is dropped"]
pub struct PresenceGuard {
    table: Weak<Table>,
    number: u64,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        if let Some(table) = self.table.upgrade() {
            table.change_presence(|presence| {
                let sitting = &mut presence.sitting;
                sitting.retain(|sitting| sitting.number != self.number);
            });
            table.send_seats();
        }
    }
}

impl Table {
    /// Changes the presence and wakes every screen.
    pub(super) fn change_presence<T>(&self, change: impl FnOnce(&mut Presence) -> T) -> T {
        let mut inner = self.inner();
        let result = change(&mut inner.presence);
        self.notify_change(inner, EntityKind::Game);
        result
    }

    /// Adds a seat to the table until the result is dropped.
    pub fn sit(self: &Arc<Self>, seat: &Seat) -> PresenceGuard {
        let number = self.change_presence(|presence| {
            let number = presence.next_number();
            presence.sitting.push(SittingSeat {
                number,
                seat: seat.clone(),
            });
            number
        });
        self.send_seats();
        let table = Arc::downgrade(self);
        PresenceGuard { table, number }
    }

    /// The number of screens at the table.
    pub fn sitting(&self) -> usize {
        // A thread that holds the lock for reading may wait for the caller, so do not wait behind a writer.
        self.inner.read_recursive().presence.sitting.len()
    }

    /// Wakes every screen, so that it reads the seats, the messages and the other files of the game again.
    pub fn refresh_screens(&self) {
        self.change_presence(|_| ());
    }

    /// Sets the rights that players and watchers have in addition to those for their own characters.
    pub fn allow(&self, allowed: Allowed) {
        if self.inner().presence.allowed != allowed {
            self.change_presence(|presence| presence.allowed = allowed);
        }
    }

    /// Sets the seats that may join; `None` if the table is closed. Suggestions of seats that may no longer join are removed.
    pub fn list(&self, listed: Option<Vec<ListedSeat>>) {
        if self.inner().presence.listed == listed {
            return;
        }
        self.change_presence(|presence| {
            if let Some(listed) = &listed {
                let may_join = |id: SeatId| {
                    let mut seats = listed.iter();
                    seats.any(|seat| seat.id == id)
                };
                presence
                    .suggestions
                    .retain(|suggestion| may_join(suggestion.seat));
                presence.acts.retain(|id, _| may_join(*id));
            }
            presence.listed = listed;
        });
    }

    /// Sends a message to every GM.
    pub fn message_gm(&self, text: String) {
        self.change_presence(|presence| presence.add_message(None, text));
    }

    /// Sets the server that admits players.
    pub fn set_gatekeeper(&self, gatekeeper: Weak<dyn Gatekeeper>) {
        self.inner().presence.gatekeeper = Some(gatekeeper);
    }

    /// Sets the page that shows the table.
    pub fn set_page(&self, page: Weak<dyn PublicPage>) {
        self.inner().presence.page = Some(page);
    }

    /// Returns the server that admits players. Fails for every seat except the GM's.
    pub fn gatekeeper(&self, seat: &Seat) -> Result<Arc<dyn Gatekeeper>, String> {
        if !seat.sees_all() {
            return Err("only the GM can admit players".to_owned());
        }

        let inner = self.inner();
        let gatekeeper = inner.presence.gatekeeper.as_ref();
        gatekeeper.and_then(Weak::upgrade).ok_or_else(|| {
            "the game is not open to other players; start the program with --listen, or use `tableside serve`".to_owned()
        })
    }
}
