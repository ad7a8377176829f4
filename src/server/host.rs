//! What all connections share: the table, who may come, who is there.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use russh::keys::{PrivateKey, PublicKey};
use tokio::runtime::Handle;

use super::Opening;
use super::access::{Access, AccessError, AccessFile, Chair, fingerprint, fresh_id, seat_name};
use super::clerk::Clerk;
use super::client_task::Start;
use super::invitation::{Invitation, TRIES};
use super::mailbox::{Closed, Ears};
use super::rate_limit::{self, Gate};
use crate::screen::{Kept, Place, Setup};
use crate::table::{Gatekeeper, Invited, Listed, Role, Seat, SeatId, Table};

/// A disk that takes so long to show a file hangs, and a login goes on with what is known.
const HANGING: Duration = Duration::from_secs(1);

/// What all connections share.
pub(super) struct Host {
    pub(super) table: Arc<Table>,
    pub(super) address: SocketAddr,
    pub(super) fingerprint: String,
    pub(super) open_watchers: bool,
    pub(super) pq_only: bool,
    pub(super) gate: Arc<Gate>,
    pub(super) clerk: Clerk,
    pub(super) setup: Setup,
    /// Where screens hear and draw: no connection waits for one that has much to do.
    pub(super) painters: Handle,
    #[cfg(debug_assertions)]
    pub(super) panic_seat: Option<String>,
    access: AccessFile,
    /// Where the folder was when it was asked for last.
    folder: Mutex<PathBuf>,
    screens: Mutex<Screens>,
    /// Told when the last screen has said goodbye.
    empty: Condvar,
    invited: Mutex<VecDeque<Instant>>,
}

/// The screens that are open, and what is kept of those that were.
#[derive(Default)]
struct Screens {
    next: u64,
    open: Vec<Open>,
    /// How many have not said goodbye yet.
    shown: usize,
    kept: HashMap<SeatId, (Role, Kept)>,
}

struct Open {
    number: u64,
    seat: Seat,
    /// Its place at the gate, for somebody without a seat.
    passing: Option<Arc<rate_limit::Place>>,
    /// The key that opened it.
    key: Option<PublicKey>,
    ears: Arc<Ears>,
    /// Where it is, for a screen of the same seat that takes over.
    place: Place,
}

impl Open {
    /// Why it may not stay, if it may not.
    fn ends(&self, access: &Access) -> Option<Closed> {
        let is_known = |chair: &Chair| self.key.as_ref().is_none_or(|key| chair.knows(key));
        match access.by_id(self.seat.id) {
            _ if self.passing.is_some() => None,
            None => Some(Closed::Dismissed),
            Some(chair) if chair.role == self.seat.role && is_known(chair) => None,
            Some(_) => Some(Closed::Changed),
        }
    }
}

/// An invitation as it is handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitation {
    /// The seat.
    pub name: String,
    /// What the person will be.
    pub role: Role,
    /// Whom the seat plays, besides those whose player has its name.
    pub characters: Vec<String>,
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
        (clerk, painters): (Clerk, Handle),
        opening: Opening,
    ) -> Self {
        Self {
            table: Arc::clone(table),
            address,
            fingerprint: fingerprint(key.public_key()),
            open_watchers: opening.open_watchers,
            pq_only: opening.pq_only,
            gate: Arc::default(),
            clerk,
            painters,
            setup: opening.setup,
            #[cfg(debug_assertions)]
            panic_seat: opening.panic_seat,
            access,
            folder: Mutex::new(table.folder().unwrap_or_default()),
            screens: Mutex::default(),
            empty: Condvar::new(),
            invited: Mutex::default(),
        }
    }

    pub(super) fn folder(&self) -> PathBuf {
        let mut folder = lock(&self.folder);
        if let Some(now) = self.table.folder() {
            *folder = now;
        }
        folder.clone()
    }

    /// Who may join, as the file said when it was looked at last.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.known()
    }

    /// Who may join, as the file says now, or said last where the disk hangs.
    pub(super) async fn access_now(&self) -> Arc<Access> {
        let looked = tokio::time::timeout(HANGING, self.clerk.ask(Self::look));
        looked.await.ok();
        self.access()
    }

    /// Looks whether the file says something else; what follows from it holds from now on. It is the clerk's.
    pub(super) fn look(&self) {
        if self.access.look(&self.folder()) {
            self.spread();
        }
    }

    /// Whether somebody has a screen here.
    pub(super) fn has_guests(&self) -> bool {
        !lock(&self.screens).open.is_empty()
    }

    /// Tells everybody whom it concerns who may join and what they may.
    pub(super) fn spread(&self) {
        let access = self.access();
        self.gate.limit(access.limits);
        self.table.allow(access.allowed());
        let mut listed = access.listed();
        let mut screens = lock(&self.screens);
        let has_role = |id: &SeatId, role| access.by_id(*id).is_some_and(|one| one.role == role);
        screens.kept.retain(|id, (role, _)| has_role(id, *role));
        for open in &screens.open {
            match open.ends(&access) {
                Some(why) => open.ears.close(why),
                // Its name or its characters may be others.
                None => open.ears.change(),
            }
            if open.passing.is_some() {
                listed.push(Listed {
                    id: open.seat.id,
                    is_passing: true,
                    name: open.seat.name.clone(),
                    role: open.seat.role,
                    characters: Vec::new(),
                    keys: Vec::new(),
                    invited_until: None,
                });
            }
        }
        // Whoever spreads after this says what is newer.
        self.table.list(Some(listed));
        drop(screens);
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&mut Access) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let answer = self.access.change(&self.folder(), change)?;
        self.spread();
        Ok(answer)
    }

    /// Follows an invitation; answers with the seat. Whatever is wrong, it says no in the same way.
    pub(super) fn redeem(&self, name: &str, code: &str) -> Option<Seat> {
        let now = self.table.now();
        self.look();
        let access = self.access();
        let chair = access.by_name(name);
        let invitation = chair.and_then(|chair| chair.invitation.as_ref());
        // A seat without an invitation takes as long to refuse.
        let spare = Invitation::make(now, 1).0;
        let fits = invitation.unwrap_or(&spare).is(code);
        let invitation = invitation.filter(|invitation| invitation.holds(now))?;
        let meant = invitation.clone();
        let mut has_ended = false;
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
                    has_ended = true;
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
        if has_ended {
            self.table.tell_gm(format!(
                "{TRIES} wrong codes ended the invitation of {name}; invite again whom you meant"
            ));
        }
        redeemed.ok().flatten().map(|chair| self.seat_of(&chair))
    }

    /// Whether a seat of that name waits for somebody with a code.
    pub(super) async fn expects(&self, name: &str) -> bool {
        let now = self.table.now();
        let access = self.access_now().await;
        let chair = access.by_name(name);
        let invitation = chair.and_then(|chair| chair.invitation.as_ref());
        invitation.is_some_and(|invitation| invitation.holds(now))
    }

    /// Lets a key open a seat from now on.
    pub(super) fn remember(&self, seat: SeatId, key: &PublicKey) -> Result<(), AccessError> {
        self.change(|access| access.remember(seat, key))
    }

    /// A seat as the file said when it was looked at last; nothing where it was taken away.
    pub(super) fn seat(&self, seat: SeatId) -> Option<Seat> {
        Some(self.seat_of(self.access().by_id(seat)?))
    }

    pub(super) fn seat_of(&self, chair: &Chair) -> Seat {
        self.table.read(&Seat::gm(), |seen| chair.seat(seen))
    }

    /// A screen opens; answers with its number, and how to go on where the seat was; or why it may not.
    pub(super) fn open_screen(
        &self,
        start: &Start,
    ) -> Result<(u64, Option<Kept>, Option<Place>), Closed> {
        let (seat, ears) = (&start.seat, &start.ears);
        let mut screens = lock(&self.screens);
        screens.next += 1;
        let number = screens.next;
        let other = screens
            .open
            .iter()
            .rev()
            .find(|open| open.seat.id == seat.id);
        let place = other.map(|open| open.place.clone());
        let open = Open {
            number,
            seat: seat.clone(),
            passing: start.passing.clone(),
            key: start.key.clone(),
            ears: Arc::clone(ears),
            place: place.clone().unwrap_or_default(),
        };
        if let Some(why) = open.ends(&self.access()) {
            return Err(why);
        }
        let kept = screens.kept.remove(&seat.id);
        screens.open.push(open);
        drop(screens);
        if start.passing.is_some() {
            self.spread();
        }
        // From now on the file is looked at.
        self.clerk.hand_in(Self::look);
        let kept = kept.filter(|(role, _)| *role == seat.role);
        Ok((number, kept.map(|(_, kept)| kept), place))
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
        if open.passing.is_some() {
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

    fn close_seat(&self, seat: SeatId, why: Closed) {
        let mut screens = lock(&self.screens);
        screens.kept.remove(&seat);
        let of_seat = screens.open.iter().filter(|open| open.seat.id == seat);
        of_seat.for_each(|open| open.ears.close(why));
    }

    /// Sends somebody off who watches without a seat; answers whether it is one.
    fn send_off(&self, seat: SeatId) -> bool {
        let screens = lock(&self.screens);
        let found = screens.open.iter().find(|open| open.seat.id == seat);
        let Some((open, place)) = found.and_then(|open| Some((open, open.passing.as_ref()?)))
        else {
            return false;
        };
        place.bar();
        open.ears.close(Closed::Dismissed);
        true
    }

    /// Tells every screen that the table closes, and waits until they have said goodbye, or so long.
    pub(super) fn close_all(&self, limit: Duration) {
        let screens = lock(&self.screens);
        for open in &screens.open {
            open.ears.close(Closed::Over);
        }
        let waited = self
            .empty
            .wait_timeout_while(screens, limit, |screens| screens.shown > 0);
        drop(waited);
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

/// A connection that shows a screen.
pub(super) struct Showing(Arc<Host>);

impl Drop for Showing {
    fn drop(&mut self) {
        let mut screens = lock(&self.0.screens);
        screens.shown -= 1;
        if screens.shown == 0 {
            self.0.empty.notify_all();
        }
    }
}

/// Makes an invitation, and the seat where there is none of that name.
pub(super) fn invite_in(
    file: &AccessFile,
    folder: &Path,
    (name, role, plays): (&str, Option<Role>, Option<&str>),
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
                characters: plays.into_iter().map(str::to_owned).collect(),
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
            characters: chair.characters.clone(),
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
        let name = name.to_owned();
        let made = self.write(move |host| {
            host.look();
            host.may_invite(host.access().limits.invitations_per_minute)?;
            let now = host.table.now();
            let made = invite_in(&host.access, &host.folder(), (&name, Some(role), None), now);
            let made = made.map_err(|error| error.to_string())?;
            host.spread();
            Ok(made)
        })?;
        Ok(Invited {
            command: join_command(self.address, &made.name),
            name: made.name,
            code: made.code,
            until: made.until,
            fingerprint: self.fingerprint.clone(),
        })
    }

    fn dismiss(&self, seat: SeatId) -> Result<(), String> {
        if self.send_off(seat) {
            return Ok(());
        }
        self.write(move |host| {
            let taken = host.change(|access| {
                access.seats.retain(|chair| chair.id != Some(seat));
                Ok(())
            });
            taken.map_err(|error| error.to_string())?;
            host.close_seat(seat, Closed::Dismissed);
            Ok(())
        })
    }

    fn revoke(&self, seat: SeatId) -> Result<(), String> {
        self.write(move |host| {
            let taken = host.change(|access| {
                let chair = access.by_id_mut(seat)?;
                chair.keys.clear();
                chair.invitation = None;
                Ok(())
            });
            taken.map_err(|error| error.to_string())?;
            host.close_seat(seat, Closed::Changed);
            Ok(())
        })
    }
}

impl Host {
    /// Has the clerk write something.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let written = self.clerk.ask_and_wait(work);
        written.unwrap_or_else(|| {
            Err("the game's folder does not answer; look whether its disk is there".to_owned())
        })
    }
}

/// What somebody types to join there.
pub fn join_command(address: SocketAddr, name: &str) -> String {
    let (port, host) = (address.port(), address.ip());
    // At all addresses of this machine, one is as good as the other: those who come know which they reach.
    let host = if host.is_unspecified() {
        "HOST".to_owned()
    } else {
        host.to_string()
    };
    if name.contains(' ') {
        format!("ssh -p {port} -l '{name}' {host}")
    } else {
        format!("ssh -p {port} {name}@{host}")
    }
}
