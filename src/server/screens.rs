//! The screens of those who joined: which are open, and what a seat's next screen goes on with.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use russh::keys::PublicKey;

use super::access::{Access, SeatEntry};
use super::admission;
use super::client_task::Start;
use super::mailbox::{CloseReason, Mailbox};
use super::state::{ServerState, lock};
use crate::screen::{SavedState, Whereabouts};
use crate::table::{Role, Seat, SeatId};

/// The screens that are open, and what is kept of those that were.
#[derive(Default)]
pub(super) struct Screens {
    next: u64,
    pub(super) open: Vec<OpenScreen>,
    /// How many have not said goodbye yet.
    shown: usize,
    pub(super) kept: HashMap<SeatId, (Role, SavedState)>,
}

pub(super) struct OpenScreen {
    number: u64,
    pub(super) seat: Seat,
    /// Its place, for somebody without a seat.
    pub(super) visit: Option<Arc<admission::Place>>,
    /// The key that opened it.
    key: Option<PublicKey>,
    pub(super) mailbox: Arc<Mailbox>,
    /// Where it is, for a screen of the same seat that takes over.
    place: Whereabouts,
}

impl OpenScreen {
    /// Why it may not stay, if it may not.
    pub(super) fn ends(&self, access: &Access) -> Option<CloseReason> {
        let is_known = |entry: &SeatEntry| self.key.as_ref().is_none_or(|key| entry.knows(key));
        match access.by_id(self.seat.id) {
            _ if self.visit.is_some() => None,
            None => Some(CloseReason::Dismissed),
            Some(entry) if entry.role == self.seat.role && is_known(entry) => None,
            Some(_) => Some(CloseReason::Changed),
        }
    }
}

impl ServerState {
    /// A screen opens; answers with its number, and how to go on where the seat was; or why it may not.
    pub(super) fn open_screen(
        &self,
        start: &Start,
    ) -> Result<(u64, Option<SavedState>, Option<Whereabouts>), CloseReason> {
        let (seat, mailbox) = (&start.seat, &start.mailbox);
        let mut screens = lock(&self.screens);
        screens.next += 1;
        let number = screens.next;
        let other = screens
            .open
            .iter()
            .rev()
            .find(|open| open.seat.id == seat.id);
        let place = other.map(|open| open.place.clone());
        let open = OpenScreen {
            number,
            seat: seat.clone(),
            visit: start.is_visitor.then(|| Arc::clone(&start.place)),
            key: start.key.clone(),
            mailbox: Arc::clone(mailbox),
            place: place.clone().unwrap_or_default(),
        };
        if let Some(why) = open.ends(&self.access()) {
            return Err(why);
        }
        let kept = screens.kept.remove(&seat.id);
        screens.open.push(open);
        drop(screens);
        if start.is_visitor {
            self.spread();
        }
        // From now on the file is looked at.
        self.worker.hand_in(Self::look);
        let kept = kept.filter(|(role, _)| *role == seat.role);
        Ok((number, kept.map(|(_, kept)| kept), place))
    }

    /// A screen is at another place.
    pub(super) fn note_place(&self, number: u64, place: Whereabouts) {
        let mut screens = lock(&self.screens);
        if let Some(open) = screens.open.iter_mut().find(|open| open.number == number) {
            open.place = place;
        }
    }

    /// A screen is closed; what it remembers is kept for the next one of its seat.
    pub(super) fn close_screen(&self, number: u64, kept: Option<SavedState>) {
        let mut screens = lock(&self.screens);
        let Some(at) = screens.open.iter().position(|open| open.number == number) else {
            return;
        };
        let open = screens.open.remove(at);
        if open.visit.is_some() {
            drop(screens);
            self.spread();
        } else if let Some(kept) = kept
            && open.ends(&self.access()).is_none()
        {
            screens.kept.insert(open.seat.id, (open.seat.role, kept));
        }
    }

    /// A connection shows a screen until the answer is dropped, and has said goodbye then.
    pub(super) fn show(self: &Arc<Self>) -> Showing {
        lock(&self.screens).shown += 1;
        Showing(Arc::clone(self))
    }

    pub(super) fn close_seat(&self, seat: SeatId, why: CloseReason) {
        let mut screens = lock(&self.screens);
        screens.kept.remove(&seat);
        let of_seat = screens.open.iter().filter(|open| open.seat.id == seat);
        of_seat.for_each(|open| open.mailbox.close(why));
    }

    /// Sends somebody off who watches without a seat; answers whether it is one.
    pub(super) fn send_off(&self, seat: SeatId) -> bool {
        let screens = lock(&self.screens);
        let found = screens.open.iter().find(|open| open.seat.id == seat);
        let Some((open, place)) = found.and_then(|open| Some((open, open.visit.as_ref()?))) else {
            return false;
        };
        place.bar();
        open.mailbox.close(CloseReason::Dismissed);
        true
    }

    /// Tells every screen that the table closes, and waits until they have said goodbye, or so long.
    pub(super) fn close_all(&self, limit: Duration) {
        let screens = lock(&self.screens);
        for open in &screens.open {
            open.mailbox.close(CloseReason::Over);
        }
        let waited = self
            .all_closed
            .wait_timeout_while(screens, limit, |screens| screens.shown > 0);
        drop(waited);
    }
}

/// A connection that shows a screen.
pub(super) struct Showing(Arc<ServerState>);

impl Drop for Showing {
    fn drop(&mut self) {
        let mut screens = lock(&self.0.screens);
        screens.shown -= 1;
        if screens.shown == 0 {
            self.0.all_closed.notify_all();
        }
    }
}
