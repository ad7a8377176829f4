//! The screens of those who joined: which are open, and what a seat's next screen goes on with.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use russh::keys::PublicKey;

use super::access::{Access, SeatEntry};
use super::admission::Place;
use super::mailbox::{CloseReason, Mailbox};
use super::state::ServerState;
use crate::screen::{SavedState, Whereabouts};
use crate::table::{Role, Seat, SeatId};

/// The screens that are open, the oldest first, and what is kept of those that were.
#[derive(Default)]
pub(super) struct Screens {
    pub(super) open: Vec<Arc<Guest>>,
    pub(super) kept: HashMap<SeatId, (Role, SavedState)>,
}

/// Somebody who joined, and asked for a screen.
pub(super) struct Guest {
    pub(super) seat: Seat,
    /// Whether it watches without a seat of its own.
    pub(super) is_visitor: bool,
    /// The key that opened the seat.
    pub(super) key: Option<PublicKey>,
    pub(super) place: Arc<Place>,
    pub(super) mailbox: Mailbox,
    /// Where its screen is, for another one of the same seat.
    pub(super) whereabouts: Mutex<Whereabouts>,
}

impl Guest {
    /// Why it may not stay, if it may not.
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

impl ServerState {
    /// A screen opens: how it goes on where the seat was, and where another screen of the seat is; or why it may
    /// not open.
    pub(super) fn open_screen(
        &self,
        guest: &Arc<Guest>,
    ) -> Result<(Option<SavedState>, Option<Whereabouts>), CloseReason> {
        let seat = &guest.seat;
        let mut screens = self.screens.lock();
        if let Some(why) = guest.ends(&self.access()) {
            return Err(why);
        }
        let mut others = screens.open.iter().rev();
        let other = others.find(|open| open.seat.id == seat.id);
        let place = other.map(|open| open.whereabouts.lock().clone());
        if let Some(place) = &place {
            guest.whereabouts.lock().clone_from(place);
        }
        let kept = screens.kept.remove(&seat.id);
        screens.open.push(Arc::clone(guest));
        drop(screens);
        if guest.is_visitor {
            self.spread();
        }
        // From now on the file is looked at.
        self.worker.hand_in(Self::look);
        let kept = kept.filter(|(role, _)| *role == seat.role);
        Ok((kept.map(|(_, kept)| kept), place))
    }

    /// A screen is closed; what it remembers is kept for the next one of its seat.
    pub(super) fn close_screen(&self, guest: &Arc<Guest>, kept: Option<SavedState>) {
        let mut screens = self.screens.lock();
        screens.open.retain(|open| !Arc::ptr_eq(open, guest));
        if guest.is_visitor {
            drop(screens);
            self.spread();
        } else if let Some(kept) = kept
            && guest.ends(&self.access()).is_none()
        {
            screens.kept.insert(guest.seat.id, (guest.seat.role, kept));
        }
    }

    pub(super) fn close_seat(&self, seat: SeatId, why: CloseReason) {
        let mut screens = self.screens.lock();
        screens.kept.remove(&seat);
        let of_seat = screens.open.iter().filter(|open| open.seat.id == seat);
        of_seat.for_each(|open| open.mailbox.close(why));
    }

    /// Sends somebody off who watches without a seat; false if nobody does so by that id.
    pub(super) fn send_off(&self, seat: SeatId) -> bool {
        let screens = self.screens.lock();
        let mut visitors = screens.open.iter().filter(|open| open.is_visitor);
        let found = visitors.find(|open| open.seat.id == seat);
        if let Some(visitor) = found {
            visitor.place.bar();
            visitor.mailbox.close(CloseReason::Dismissed);
        }
        found.is_some()
    }
}
