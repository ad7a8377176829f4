//! What all connections share: the table, who may come, who is there.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use russh::keys::{PrivateKey, PublicKey};

use super::Opening;
use super::access::{Access, AccessError, AccessFile, Chair, fingerprint, fresh_id, seat_name};
use super::ears::{Closed, Ears};
use super::gate::Gate;
use super::invitation::{Invitation, TRIES};
use super::register::Register;
use crate::screen::{Kept, Place, Setup};
use crate::table::{Gatekeeper, Invited, Role, Seat, SeatId, Table};

/// What all connections share.
pub(super) struct Host {
    pub(super) table: Arc<Table>,
    pub(super) address: SocketAddr,
    pub(super) fingerprint: String,
    pub(super) open_watchers: bool,
    pub(super) pq_only: bool,
    pub(super) gate: Arc<Gate>,
    pub(super) register: Register,
    pub(super) setup: Setup,
    #[cfg(debug_assertions)]
    pub(super) panic_seat: Option<String>,
    access: AccessFile,
    /// Where the folder was when it was asked for last.
    folder: Mutex<PathBuf>,
    screens: Mutex<Screens>,
    invited: Mutex<VecDeque<Instant>>,
}

/// The screens that are open, and what is kept of those that were.
#[derive(Default)]
struct Screens {
    next: u64,
    open: Vec<Open>,
    kept: HashMap<SeatId, Kept>,
}

struct Open {
    number: u64,
    seat: SeatId,
    ears: Arc<Ears>,
    /// Where it is, for a screen of the same seat that takes over.
    place: Place,
}

/// An invitation as it is handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitation {
    /// The seat.
    pub name: String,
    /// What the person will be.
    pub role: Role,
    /// The code; it is told once, here.
    pub code: String,
    /// Until when it holds.
    pub until: DateTime<Utc>,
    /// The fingerprint of the host's key.
    pub fingerprint: String,
}

impl fmt::Debug for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Host")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host {
    pub(super) fn new(
        table: &Arc<Table>,
        access: AccessFile,
        (address, key): (SocketAddr, &PrivateKey),
        opening: Opening,
    ) -> Self {
        Self {
            table: Arc::clone(table),
            address,
            fingerprint: fingerprint(key.public_key()),
            open_watchers: opening.open_watchers,
            pq_only: opening.pq_only,
            gate: Arc::default(),
            register: Register::new(Arc::clone(table), opening.echo),
            setup: opening.setup,
            #[cfg(debug_assertions)]
            panic_seat: opening.panic_seat,
            access,
            folder: Mutex::new(table.folder().unwrap_or_default()),
            screens: Mutex::default(),
            invited: Mutex::default(),
        }
    }

    fn folder(&self) -> PathBuf {
        let mut folder = lock(&self.folder);
        if let Some(now) = self.table.folder() {
            *folder = now;
        }
        folder.clone()
    }

    /// Who may join, as the file says now; what follows from it holds from now on.
    pub(super) fn access(&self) -> Access {
        let access = self.access.now(&self.folder());
        self.spread(&access);
        access
    }

    fn spread(&self, access: &Access) {
        self.gate.limit(access.limits);
        self.table.allow(access.allowed());
        self.table.list(Some(access.listed()));
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&mut Access) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let answer = self.access.change(&self.folder(), change)?;
        self.access();
        Ok(answer)
    }

    /// Follows an invitation; answers with the seat. Whatever is wrong, it says no in the same way.
    pub(super) fn redeem(&self, name: &str, code: &str) -> Option<Seat> {
        let now = self.table.now();
        let access = self.access();
        let chair = access.by_name(name);
        let invitation = chair.and_then(|chair| chair.invitation.as_ref());
        // A seat without an invitation takes as long to refuse.
        let spare = Invitation::make(now, 1).0;
        let fits = invitation.unwrap_or(&spare).is(code);
        let invitation = invitation.filter(|invitation| invitation.holds(now))?;
        let meant = invitation.clone();
        let redeemed = self.change(|access| {
            let chair = access.by_name_mut(name);
            let Some(chair) = chair.filter(|chair| chair.invitation.is_some()) else {
                return Ok(None);
            };
            let Some(invitation) = &mut chair.invitation else {
                return Ok(None);
            };
            if !fits {
                invitation.wrong += 1;
                if invitation.wrong >= TRIES {
                    chair.invitation = None;
                }
                return Ok(None);
            }
            // Somebody else may have been quicker, or it may be another invitation by now.
            let is_same = invitation.is_that(&meant);
            if !is_same || !invitation.holds(now) {
                return Ok(None);
            }
            chair.invitation = None;
            Ok(Some(chair.clone()))
        });
        redeemed.ok().flatten().map(|chair| self.seat_of(&chair))
    }

    /// Whether a seat of that name waits for somebody with a code.
    pub(super) fn expects(&self, name: &str) -> bool {
        let now = self.table.now();
        let access = self.access();
        let chair = access.by_name(name);
        let invitation = chair.and_then(|chair| chair.invitation.as_ref());
        invitation.is_some_and(|invitation| invitation.holds(now))
    }

    /// Lets a key open a seat from now on.
    pub(super) fn remember(&self, seat: SeatId, key: &PublicKey) -> Result<(), AccessError> {
        self.change(|access| access.remember(seat, key))
    }

    /// A seat as it is now; nothing where it was taken away.
    pub(super) fn seat(&self, seat: SeatId) -> Option<Seat> {
        let access = self.access();
        let chair = access.by_id(seat)?;
        Some(self.seat_of(chair))
    }

    /// The same as the file said when it was read last: for every change of the game.
    pub(super) fn seat_now(&self, seat: SeatId) -> Option<Seat> {
        self.access.with(|access| {
            let chair = access.by_id(seat)?;
            Some(self.seat_of(chair))
        })
    }

    pub(super) fn seat_of(&self, chair: &Chair) -> Seat {
        self.table.read(&Seat::gm(), |seen| chair.seat(seen))
    }

    /// A screen opens; answers with its number, and how to go on where the seat was.
    pub(super) fn open_screen(
        &self,
        seat: SeatId,
        ears: &Arc<Ears>,
    ) -> (u64, Option<Kept>, Option<Place>) {
        let mut screens = lock(&self.screens);
        screens.next += 1;
        let number = screens.next;
        let kept = screens.kept.remove(&seat);
        let other = screens.open.iter().rev().find(|open| open.seat == seat);
        let place = other.map(|open| open.place.clone());
        screens.open.push(Open {
            number,
            seat,
            ears: Arc::clone(ears),
            place: place.clone().unwrap_or_default(),
        });
        (number, kept, place)
    }

    /// A screen is at another place.
    pub(super) fn note_place(&self, number: u64, place: Place) {
        let mut screens = lock(&self.screens);
        if let Some(open) = screens.open.iter_mut().find(|open| open.number == number) {
            open.place = place;
        }
    }

    /// A screen is closed; what it remembers is kept for the next one of its seat.
    pub(super) fn close_screen(&self, number: u64, kept: Option<Kept>) {
        let mut screens = lock(&self.screens);
        let Some(at) = screens.open.iter().position(|open| open.number == number) else {
            return;
        };
        let open = screens.open.remove(at);
        if let Some(kept) = kept {
            screens.kept.insert(open.seat, kept);
        }
    }

    fn close_seat(&self, seat: SeatId) {
        let mut screens = lock(&self.screens);
        screens.kept.remove(&seat);
        let of_seat = screens.open.iter().filter(|open| open.seat == seat);
        of_seat.for_each(|open| open.ears.close(Closed::Dismissed));
    }

    /// Tells every screen that the table closes, and waits until they have, or so long.
    pub(super) async fn close_all(&self, limit: Duration) {
        for open in &lock(&self.screens).open {
            open.ears.close(Closed::Over);
        }
        let all_gone = async {
            while !lock(&self.screens).open.is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(limit, all_gone)
            .await
            .unwrap_or_default();
    }

    /// Counts an invitation; not too many in a minute.
    fn may_invite(&self, most: u32) -> Result<(), String> {
        let mut invited = lock(&self.invited);
        let now = Instant::now();
        let minute = Duration::from_mins(1);
        while invited
            .front()
            .is_some_and(|at| now.saturating_duration_since(*at) > minute)
        {
            invited.pop_front();
        }
        if invited.len() >= usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(format!(
                "{most} invitations in a minute are enough; wait a little"
            ));
        }
        invited.push_back(now);
        Ok(())
    }
}

/// Makes an invitation, and the seat where there is none of that name.
pub(super) fn invite_in(
    file: &AccessFile,
    folder: &Path,
    name: &str,
    role: Option<Role>,
    now: DateTime<Utc>,
) -> Result<NewInvitation, AccessError> {
    file.change(folder, |access| {
        let found = access.seats.iter().position(|chair| chair.is_called(name));
        let known = found.and_then(|at| access.seats.get(at));
        let role = role.unwrap_or_else(|| known.map_or_else(Role::default, |chair| chair.role));
        let name = seat_name(name, role).map_err(AccessError::Refused)?;
        let hours = access.limits.invitation_hours;
        let (invitation, code) = Invitation::make(now, hours);
        let until = invitation.expires;
        let at = found.unwrap_or_else(|| {
            access.seats.push(Chair {
                name,
                id: Some(fresh_id()),
                ..Chair::default()
            });
            access.seats.len() - 1
        });
        let Some(chair) = access.seats.get_mut(at) else {
            return Err(AccessError::Refused("there is no such seat".to_owned()));
        };
        chair.role = role;
        chair.invitation = Some(invitation);
        Ok(NewInvitation {
            name: chair.name.clone(),
            role: chair.role,
            code,
            until,
            fingerprint: String::new(),
        })
    })
}

impl Gatekeeper for Host {
    fn describe(&self) -> String {
        let problem = self.access.problem();
        let problem = problem.map_or(String::new(), |problem| format!(" BUT: {problem}"));
        format!(
            "The table is open at {}; its host key is {}.{problem}",
            self.address, self.fingerprint
        )
    }

    fn invite(&self, name: &str, role: Role) -> Result<Invited, String> {
        let access = self.access();
        self.may_invite(access.limits.invitations_per_minute)?;
        let now = self.table.now();
        let made = invite_in(&self.access, &self.folder(), name, Some(role), now);
        let made = made.map_err(|error| error.to_string())?;
        self.access();
        Ok(Invited {
            command: format!("ssh -p {} {}@HOST", self.address.port(), made.name),
            name: made.name,
            code: made.code,
            until: made.until,
            fingerprint: self.fingerprint.clone(),
        })
    }

    fn dismiss(&self, seat: SeatId) -> Result<(), String> {
        self.change(|access| {
            access.seats.retain(|chair| chair.id != Some(seat));
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        self.close_seat(seat);
        Ok(())
    }

    fn revoke(&self, seat: SeatId) -> Result<(), String> {
        self.change(|access| {
            let chair = access.by_id_mut(seat)?;
            chair.keys.clear();
            chair.invitation = None;
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        self.close_seat(seat);
        Ok(())
    }
}
