//! Who sits at the table, what they suggest to the GM, and who else may come.
//!
//! Nothing of this is part of the game: it is not in the journal, and it is gone when the program ends.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::{Act, Allowed, Role, Seat, SeatId, Table};
use crate::session::{CommandError, Session};

/// So many answers to suggestions are remembered.
const ANSWERS: usize = 30;

/// Somebody who sits at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    pub id: SeatId,
    /// The seat's name.
    pub name: String,
    /// What the person is at the table.
    pub role: Role,
    number: u64,
}

/// What a person would like to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Which one; they count up.
    pub id: u64,
    /// Whose it is.
    pub by: String,
    pub(super) seat: SeatId,
    /// What would be done.
    pub act: Act,
    /// The session as the person saw it: what is otherwise there is what the person means.
    pub(super) seen_as: Arc<Session>,
    /// The same in words, as the GM reads it.
    pub words: String,
    /// The same in words, as the person may know it.
    pub(super) own_words: String,
}

/// A seat as the list of those who may come has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which one it is.
    pub id: SeatId,
    /// Whether it is none, but somebody who watches without one, and is gone with the connection.
    pub is_passing: bool,
    pub name: String,
    /// What the person is at the table.
    pub role: Role,
    /// Whom the person plays.
    pub characters: Vec<String>,
    /// The fingerprints of the keys that open it.
    pub keys: Vec<String>,
    /// Until when an invitation to it holds.
    pub invited_until: Option<DateTime<Utc>>,
}

/// A fresh invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// The seat that it opens.
    pub name: String,
    pub role: Role,
    /// Whom the seat plays, besides those whose player has its name.
    pub characters: Vec<String>,
    /// The code to be typed; it is told once, here.
    pub code: String,
    /// What the person types to come, or as much of it as is known here.
    pub command: String,
    /// Until when it holds.
    pub until: DateTime<Utc>,
    /// How the person knows that it is this table.
    pub fingerprint: String,
}

/// Lets people in and out: the server, as screens know it.
pub trait Gatekeeper: Send + Sync {
    /// Where people join, and the fingerprint of the host's key, in a sentence.
    fn describe(&self) -> String;
    /// Makes an invitation for a seat, and the seat where there is none of that name.
    fn invite(&self, name: &str, role: Role) -> Result<Invited, String>;
    /// Takes a seat away, with its keys and its invitation; whoever sits on it leaves.
    fn dismiss(&self, seat: SeatId) -> Result<(), String>;
    /// Takes a seat's keys and its invitation away; whoever sits on it leaves.
    fn revoke(&self, seat: SeatId) -> Result<(), String>;
}

/// Who sits at the table, what they suggest, and who may come.
#[derive(Debug, Default)]
pub struct Presence {
    sitting: Vec<Present>,
    pub(super) suggestions: Vec<Suggestion>,
    /// What was told: to whom, or to every GM, and in what words.
    answers: Vec<(u64, Option<SeatId>, String)>,
    pub(super) allowed: Allowed,
    /// Who may come; none while the table is not open.
    pub(super) listed: Option<Vec<Listed>>,
    gatekeeper: Option<Weak<dyn Gatekeeper>>,
    count: u64,
    /// How many acts are left to those who did something, and since when that is counted.
    acts: HashMap<SeatId, (f64, Instant)>,
}

impl fmt::Debug for dyn Gatekeeper {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.describe())
    }
}

impl Presence {
    /// Everybody once, in the order of coming.
    pub(super) fn present(&self) -> impl Iterator<Item = &Present> + '_ {
        self.sitting.iter().enumerate().filter_map(|(place, one)| {
            let before = self.sitting.iter().take(place);
            let again = before.into_iter().any(|other| other.id == one.id);
            (!again).then_some(one)
        })
    }

    /// What that person was told last, since that number.
    pub(super) fn answer(&self, to: &Seat, since: u64) -> Option<(u64, &str)> {
        let mut answers = self.answers.iter().rev();
        let is_meant = |seat: &Option<SeatId>| seat.map_or(to.sees_all(), |seat| seat == to.id);
        let found = answers.find(|(number, seat, _)| *number > since && is_meant(seat));
        found.map(|(number, _, words)| (*number, words.as_str()))
    }

    /// Counts an act of a seat: it may do so much in a second, and four times as much at once.
    pub(super) fn count_act(&mut self, seat: &Seat) -> Result<(), CommandError> {
        let most = self
            .allowed
            .acts_per_second
            .filter(|_| seat.id != SeatId::HOST);
        let Some(most) = most.map(f64::from) else {
            return Ok(());
        };
        let now = Instant::now();
        let (left, since) = self.acts.entry(seat.id).or_insert((4.0 * most, now));
        let gained = now.saturating_duration_since(*since).as_secs_f64() * most;
        *left = (*left + gained).min(4.0 * most);
        *since = now;
        if *left < 1.0 {
            return Err(CommandError::TooFast);
        }
        *left -= 1.0;
        Ok(())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Has somebody told something, or every GM.
    pub(super) fn tell(&mut self, to: Option<SeatId>, words: String) {
        let number = self.next();
        self.answers.push((number, to, words));
        if self.answers.len() > ANSWERS {
            self.answers.remove(0);
        }
    }
}

/// Somebody sits at the table for as long as this is kept.
#[derive(Debug)]
#[must_use = "dropping it is getting up at once"]
pub struct PresenceGuard {
    table: Weak<Table>,
    number: u64,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        if let Some(table) = self.table.upgrade() {
            table.change_presence(|presence| {
                presence.sitting.retain(|one| one.number != self.number);
            });
        }
    }
}

impl Table {
    /// Changes something about the presence, and has every screen told.
    pub(super) fn change_presence<T>(&self, change: impl FnOnce(&mut Presence) -> T) -> T {
        let mut inner = self.inner();
        let answer = change(&mut inner.presence);
        self.tell_change(inner);
        answer
    }

    /// Sits somebody down at the table until the answer is dropped.
    pub fn sit(self: &Arc<Self>, seat: &Seat) -> PresenceGuard {
        let number = self.change_presence(|presence| {
            let number = presence.next();
            presence.sitting.push(Present {
                id: seat.id,
                name: seat.name.clone(),
                role: seat.role,
                number,
            });
            number
        });
        PresenceGuard {
            table: Arc::downgrade(self),
            number,
        }
    }

    /// Says what players and watchers may do beyond their own.
    pub fn allow(&self, allowed: Allowed) {
        if self.inner().presence.allowed != allowed {
            self.change_presence(|presence| presence.allowed = allowed);
        }
    }

    /// Says who may come; none where the table is closed. Whoever may not come suggests nothing any more.
    pub fn list(&self, listed: Option<Vec<Listed>>) {
        if self.inner().presence.listed != listed {
            self.change_presence(|presence| {
                if let Some(listed) = &listed {
                    let may_come = |seat| listed.iter().any(|one| one.id == seat);
                    presence.suggestions.retain(|one| may_come(one.seat));
                    presence.acts.retain(|seat, _| may_come(*seat));
                }
                presence.listed = listed;
            });
        }
    }

    /// Has every GM told something.
    pub fn tell_gm(&self, words: String) {
        self.change_presence(|presence| presence.tell(None, words));
    }

    /// Says who lets people in and out.
    pub fn set_gatekeeper(&self, door: Weak<dyn Gatekeeper>) {
        self.inner().presence.gatekeeper = Some(door);
    }

    /// Who lets people in and out, for a seat that may ask for it.
    pub fn gatekeeper(&self, seat: &Seat) -> Result<Arc<dyn Gatekeeper>, String> {
        if !seat.sees_all() {
            return Err("only the GM decides who sits at the table".to_owned());
        }
        let inner = self.inner();
        let door = inner.presence.gatekeeper.as_ref();
        door.and_then(Weak::upgrade).ok_or_else(|| {
            "nobody can join: the game is not open to others; start it with --listen, or with `tableside serve`".to_owned()
        })
    }
}
