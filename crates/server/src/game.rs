//! A game that people join: who may come, who is there, its screens, and its table while it is open.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use russh::keys::PublicKey;

use super::access::{Access, AccessFile, SeatEntry};
use super::admission::ConnectionSlot;
use super::mailbox::{CloseReason, Mailbox};
use super::shared::Shared;
use tableside_store::GameLocation;
use tableside_table::{ListedSeat, RequestError, Seat, SeatId, SeatRole, Table, TokenBucket};
use tableside_tui::{CursorPosition, SavedState};

/// How long a login waits for the disk before it goes on with what is known.
const HANGING: Duration = Duration::from_secs(1);

/// A table, and what goes on beside it for as long as this is kept.
pub type OpenTable = (Arc<Table>, Box<dyn Any + Send>);

/// A game that people join.
pub(super) struct HostedGame {
    me: Weak<Self>,
    shared: Arc<Shared>,
    /// What people type before a `+` to come here; empty where the door leads to one game alone.
    pub(super) name: String,
    /// Where it was when it was first asked for.
    place: GameLocation,
    pub(super) access: AccessFile,
    pub(super) screens: Mutex<Screens>,
    pub(super) invitations: Mutex<TokenBucket>,
    table: Mutex<Option<OpenTable>>,
    /// Since when nobody has had a screen here.
    idle: Mutex<Instant>,
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
    pub(super) slot: Arc<ConnectionSlot>,
    pub(super) mailbox: Arc<Mailbox>,
    /// Tab and cursor, for another screen of the same seat.
    pub(super) cursor_position: Mutex<CursorPosition>,
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

impl HostedGame {
    /// The game that is kept there, which nobody has opened yet.
    pub(super) fn new(
        place: GameLocation,
        name: String,
        access: AccessFile,
        shared: Arc<Shared>,
    ) -> Arc<Self> {
        let invitations = access.known().limits.invitations_per_minute;
        Arc::new_cyclic(|me| Self {
            me: Weak::clone(me),
            shared,
            name,
            place,
            access,
            screens: Mutex::default(),
            invitations: Mutex::new(TokenBucket::full(invitations.into(), Instant::now())),
            table: Mutex::default(),
            idle: Mutex::new(Instant::now()),
        })
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The game itself, for work that is done elsewhere.
    pub(super) fn handle(&self) -> Option<Arc<Self>> {
        self.me.upgrade()
    }

    /// Its table, if it is open.
    pub(super) fn table(&self) -> Option<Arc<Table>> {
        let table = self.table.lock();
        table.as_ref().map(|(table, _)| Arc::clone(table))
    }

    /// Its table, which is opened where it is not. It waits for the disk.
    pub(super) fn open(
        &self,
        open: impl FnOnce() -> Result<OpenTable, RequestError>,
    ) -> Result<Arc<Table>, RequestError> {
        let mut place = self.table.lock();
        if let Some((table, _)) = &*place {
            return Ok(Arc::clone(table));
        }
        *self.idle.lock() = Instant::now();
        let (table, beside) = open()?;
        let gatekeeper: Weak<Self> = Weak::clone(&self.me);
        table.set_gatekeeper(gatekeeper);
        *place = Some((Arc::clone(&table), beside));
        drop(place);
        self.publish_access();
        Ok(table)
    }

    /// Puts the table away where nobody has been for so long; whether it did. It waits for the disk.
    pub(super) fn put_away(&self, after: Duration) -> bool {
        let mut place = self.table.lock();
        let is_idle = self.screens.lock().open.is_empty() && self.idle.lock().elapsed() >= after;
        // Who is just coming or still going holds it, too.
        let is_alone = |table: &Arc<Table>| Arc::strong_count(table) == 1;
        let Some((table, beside)) = place.take_if(|(table, _)| is_idle && is_alone(table)) else {
            return false;
        };
        drop(beside);
        table.retire();
        table.flush(HANGING).is_ok()
    }

    /// Where the game is kept.
    pub(super) fn place(&self) -> GameLocation {
        let of_table = self.table().and_then(|table| table.place());
        of_table.unwrap_or_else(|| self.place.clone())
    }

    /// `access.toml` as it was read last.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.known()
    }

    /// `access.toml` as it is now, or as it was if the disk hangs.
    pub(super) async fn access_now(&self) -> Arc<Access> {
        if let Some(me) = self.handle() {
            let rereading = self.shared.worker.ask(move || me.reread());
            tokio::time::timeout(HANGING, rereading).await.ok();
        }
        self.access()
    }

    /// Reads the file again if it changed. Only the worker calls it.
    pub(super) fn reread(&self) {
        if self.access.reread(&self.place()) {
            self.publish_access();
        }
    }

    /// Passes on what `access.toml` says: to the table, to the limits, and to screens that must close.
    pub(super) fn publish_access(&self) {
        let access = self.access();
        // Where the door leads here alone, its limits are the game's.
        if self.name.is_empty() {
            self.shared.admission.lock().limits = access.limits;
        }
        if let Some(lobby) = &self.shared.lobby
            && !self.name.is_empty()
        {
            let version = self.access.version();
            lobby.seats.put(&self.name, version.stamp, &version.access);
        }
        let table = self.table();
        if let Some(table) = &table {
            table.allow(access.allowed());
        }
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
                let seat = &open.seat;
                let visitor = SeatEntry::new(&seat.name, seat.id, seat.role);
                listed.push(ListedSeat {
                    is_passing: true,
                    ..visitor.listed()
                });
            }
        }
        // Still under the lock, so that an older list never replaces a newer one.
        if let Some(table) = &table {
            table.list(Some(listed));
        }
        drop(screens);
    }

    pub(super) fn change<T>(
        &self,
        change: impl FnMut(&mut Access) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        let answer = self.access.change(&self.place(), change)?;
        self.publish_access();
        Ok(answer)
    }

    /// A seat as the file had it last; `None` if it is gone.
    pub(super) fn seat(&self, seat: SeatId, table: &Table) -> Option<Seat> {
        let access = self.access();
        let entry = access.by_id(seat)?;
        Some(table.read(&Seat::gm(), |seen| entry.seat(seen)))
    }

    /// Registers a screen. Returns the kept state of its seat and where another screen of the seat is, or why it may
    /// not open.
    pub(super) fn open_screen(
        &self,
        guest: &Arc<Guest>,
    ) -> Result<(Option<SavedState>, Option<CursorPosition>), CloseReason> {
        let seat = &guest.seat;
        let mut screens = self.screens.lock();
        let access = self.access();
        if let Some(why) = guest.ends(&access) {
            return Err(why);
        }
        let most = if guest.is_visitor {
            access.limits.watchers
        } else {
            access.limits.connections
        };
        let same = screens.open.iter();
        let same = same.filter(|open| open.is_visitor == guest.is_visitor);
        if seat.role != SeatRole::Gm && same.count() >= usize::try_from(most).unwrap_or(usize::MAX)
        {
            return Err(CloseReason::Full);
        }
        let mut others = screens.open.iter().rev();
        let other = others.find(|open| open.seat.id == seat.id);
        let place = other.map(|open| open.cursor_position.lock().clone());
        let own = place.as_ref();
        own.inspect(|place| guest.cursor_position.lock().clone_from(place));
        let kept = screens.kept.remove(&seat.id);
        screens.open.push(Arc::clone(guest));
        drop(screens);
        if guest.is_visitor {
            self.publish_access();
        }
        if let Some(me) = self.handle() {
            // It wakes the worker, which then reads the file each second.
            self.shared.worker.hand_in(move || me.reread());
        }
        self.shared.tell_lobby();
        let kept = kept.filter(|(role, _)| *role == seat.role);
        Ok((kept.map(|(_, kept)| kept), place))
    }

    /// Removes a screen and keeps its state for the next one of its seat.
    pub(super) fn close_screen(&self, guest: &Arc<Guest>, kept: Option<SavedState>) {
        let mut screens = self.screens.lock();
        screens.open.retain(|open| !Arc::ptr_eq(open, guest));
        *self.idle.lock() = Instant::now();
        if guest.is_visitor {
            drop(screens);
            self.publish_access();
        } else if let Some(kept) = kept
            && guest.ends(&self.access()).is_none()
        {
            screens.kept.insert(guest.seat.id, (guest.seat.role, kept));
        }
        self.shared.tell_lobby();
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
            visitor.slot.bar();
            visitor.mailbox.close(CloseReason::Dismissed);
        }
        found.is_some()
    }
}
