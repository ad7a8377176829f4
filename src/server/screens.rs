//! The open screens of players and watchers, and the kept state of closed ones.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use russh::keys::PublicKey;

use super::access::{Access, SeatEntry};
use super::admission::Place;
use super::mailbox::{CloseReason, Mailbox};
use crate::screen::{SavedState, Whereabouts};
use crate::table::{Role, Seat, SeatId};

/// Open screens, the oldest first, and the state that a seat's next screen goes on with.
#[derive(Default)]
pub(super) struct Screens {
    pub(super) open: Vec<Arc<Guest>>,
    pub(super) kept: HashMap<SeatId, (Role, SavedState)>,
}

/// Somebody who joined and has a screen.
pub(super) struct Guest {
    pub(super) seat: Seat,
    /// Whether it watches without a seat of its own.
    pub(super) is_visitor: bool,
    /// The key that opened the seat.
    pub(super) key: Option<PublicKey>,
    pub(super) place: Arc<Place>,
    pub(super) mailbox: Mailbox,
    /// Tab and cursor, for another screen of the same seat.
    pub(super) whereabouts: Mutex<Whereabouts>,
}

impl Guest {
    /// Why it must leave, if `access.toml` no longer allows it.
    pub(super) fn ends(&self, access: &Access) -> Option<CloseReason> {
        let is_known = |entry: &SeatEntry| self.key.as_ref().is_none_or(|key| entry.knows(key));
        match access.by_id(self.seat.id) {
            _ if self.is_visitor => None,
            None => Some(CloseReason::Dismissed),
            Some(entry) if entry.role == self.seat.role && is_known(entry) => None,
            Some(_) => Some(CloseReason::Changed),
        }
    }
}
