//! What all connections share: the table, `access.toml`, the open screens of players and watchers, and the kept
//! state of closed ones.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use russh::keys::PublicKey;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::Opening;
use super::access::{Access, AccessFile, SeatEntry};
use super::admission::{Admission, ConnectionSlot};
use super::audit_log::AuditLog;
use super::file_worker::FileWorker;
use super::mailbox::{CloseReason, Mailbox};
use crate::screen::{SavedState, Whereabouts};
use crate::table::{Listed, RequestError, Seat, SeatId, SeatRole, Table, TokenBucket};

/// How long a login waits for the disk before it goes on with what is known.
const HANGING: Duration = Duration::from_secs(1);

pub(super) struct ServerState {
    pub(super) table: Arc<Table>,
    pub(super) address: SocketAddr,
    pub(super) fingerprint: String,
    pub(super) opening: Opening,
    pub(super) admission: Arc<Mutex<Admission>>,
    pub(super) worker: FileWorker,
    pub(super) audit_log: Mutex<AuditLog>,
    /// Runs the screens, apart from the connections.
    pub(super) painters: Handle,
    pub(super) access: AccessFile,
    pub(super) screens: Mutex<Screens>,
    /// Each connection with a screen subscribes until it has said goodbye.
    pub(super) showing: watch::Sender<()>,
    pub(super) invitations: Mutex<TokenBucket>,
}

/// Open screens, the oldest first, and the state that a seat's next screen goes on with.
#[derive(Default)]
pub(super) struct Screens {
    pub(super) open: Vec<Arc<Guest>>,
    pub(super) kept: HashMap<SeatId, (SeatRole, SavedState)>,
}

/// Somebody who joined and has a screen.
pub(super) struct Guest {
    pub(super) seat: Seat,
    /// Whether it watches without a seat of its own.
    pub(super) is_visitor: bool,
    /// The key that opened the seat.
    pub(super) key: Option<PublicKey>,
    pub(super) place: Arc<ConnectionSlot>,
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

impl ServerState {
    /// The game's folder; a served game always has one.
    pub(super) fn folder(&self) -> PathBuf {
        self.table.folder().unwrap_or_default()
    }

    /// `access.toml` as it was read last.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.known()
    }

    /// `access.toml` as it is now, or as it was if the disk hangs.
    pub(super) async fn access_now(&self) -> Arc<Access> {
        let looked = tokio::time::timeout(HANGING, self.worker.ask(Self::look));
        looked.await.ok();
        self.access()
    }

    /// Reads the file again if it changed. Only the worker calls it.
    pub(super) fn look(&self) {
        if self.access.look(&self.folder()) {
            self.publish_access();
        }
    }

    /// Passes on what `access.toml` says: to the table, to the limits, and to screens that must close.
    pub(super) fn publish_access(&self) {
        let access = self.access();
        self.admission.lock().limits = access.limits;
        self.table.allow(access.allowed());
        let mut listed = access.listed();
        let mut screens = self.screens.lock();
        let has_role = |id: &SeatId, role| access.by_id(*id).is_some_and(|one| one.role == role);
        screens.kept.retain(|id, (role, _)| has_role(id, *role));
        for open in &screens.open {
            match open.ends(&access) {
                Some(why) => open.mailbox.close(why),
                // Its name or its characters may have changed.
                None => open.mailbox.change(),
            }
            if open.is_visitor {
                let visitor = SeatEntry {
                    name: open.seat.name.clone(),
                    id: Some(open.seat.id),
                    role: open.seat.role,
                    ..SeatEntry::default()
                };
                listed.push(Listed {
                    is_passing: true,
                    ..visitor.listed()
                });
            }
        }
        // Still under the lock, so that an older list never replaces a newer one.
        self.table.list(Some(listed));
        drop(screens);
    }

    pub(super) fn change<T>(
        &self,
        change: impl FnOnce(&mut Access) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        let answer = self.access.change(&self.folder(), change)?;
        self.publish_access();
        Ok(answer)
    }

    /// A seat as the file had it last; `None` if it is gone.
    pub(super) fn seat(&self, seat: SeatId) -> Option<Seat> {
        Some(self.seat_of(self.access().by_id(seat)?))
    }

    pub(super) fn seat_of(&self, entry: &SeatEntry) -> Seat {
        self.table.read(&Seat::gm(), |seen| entry.seat(seen))
    }

    /// Registers a screen. Returns the kept state of its seat and where another screen of the seat is, or why it may
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
            self.publish_access();
        }
        // It wakes the worker, which then reads the file each second.
        self.worker.hand_in(Self::look);
        let kept = kept.filter(|(role, _)| *role == seat.role);
        Ok((kept.map(|(_, kept)| kept), place))
    }

    /// Removes a screen and keeps its state for the next one of its seat.
    pub(super) fn close_screen(&self, guest: &Arc<Guest>, kept: Option<SavedState>) {
        let mut screens = self.screens.lock();
        screens.open.retain(|open| !Arc::ptr_eq(open, guest));
        if guest.is_visitor {
            drop(screens);
            self.publish_access();
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

    /// Sends a watcher without a seat away; returns false if there is none of that id.
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
