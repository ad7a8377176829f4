//! Reads `access.toml` again when somebody edited it, and writes its seats and invitations, one process at a time.

use std::net::SocketAddr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde::Serialize;
use toml_edit::DocumentMut;

use super::{Access, SeatEntry, fresh_id, seat_name};
use crate::invitation::{Invitation, TRIES, join_command};
use tableside_store::{ACCESS_FILE, FileStamp, GameLocation, Sidecar, StoreError};
use tableside_table::{Invited, RequestError, SeatRole};

/// The file of a game, and that of a host: their names, and those of their locks.
const OF_GAME: (&str, &str) = (ACCESS_FILE, "access.lock");
const OF_HOST: (&str, &str) = ("host.toml", "host.lock");

/// What a new file begins with.
const PREAMBLE: &str = "\
# Who may join this game over SSH. You may edit it, also while the game is open: what it says counts within
# a second. `tableside invite`, the invitations on the screen and remembered keys rewrite the seats, and each
# gets an `id`, by which it keeps what is its own. A seat plays its `characters`, and those whose player has
# its name. Roles: gm, player, watcher. If a seat is taken out or gets another role, its connections close.

";

/// What the file of a new host begins with.
const PREAMBLE_OF_HOST: &str = "\
# Who may begin games on this host, and its limits. You may edit this file, also while the host is open. `gms`
# names the seats below that may begin a game in the lobby: `gms = [\"ana\"]`, and `tableside invite --host ana`
# invites Ana. The keys of all seats below lead to the lobby.

";

/// `access.toml` beside a game, or `host.toml` beside all of them.
#[derive(Debug)]
pub(crate) struct AccessFile {
    /// Its name, and that of its lock.
    names: (&'static str, &'static str),
    last: Mutex<Known>,
}

/// What a wrong code does to the invitation of the seat that it was typed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrongCode {
    /// The invitation has one try less.
    Counts,
    /// Nothing.
    IsNotCounted,
}

/// What the file said, and its stamp when it said so.
#[derive(Debug)]
pub(crate) struct AccessVersion {
    pub(crate) stamp: Option<FileStamp>,
    pub(crate) access: Arc<Access>,
}

/// The file as it was read last.
#[derive(Debug, Default)]
struct Known {
    stamp: Option<FileStamp>,
    access: Arc<Access>,
    /// Why a later edit could not be read.
    problem: Option<String>,
}

impl Known {
    fn new(stamp: Option<FileStamp>, access: Access) -> Self {
        Self {
            stamp,
            access: Arc::new(access),
            problem: None,
        }
    }
}

#[derive(Serialize)]
struct Seats<'a> {
    seat: &'a [SeatEntry],
}

impl AccessFile {
    /// Reads the file of a game, or makes one with the defaults.
    pub(crate) fn open(place: &GameLocation) -> Result<Self, RequestError> {
        Self::open_or_make(place, OF_GAME, PREAMBLE, &Access::default())
    }

    /// Reads that of a host, or makes one.
    pub(crate) fn of_host(place: &GameLocation) -> Result<Self, RequestError> {
        Self::open_or_make(place, OF_HOST, PREAMBLE_OF_HOST, &Access::of_host())
    }

    fn open_or_make(
        place: &GameLocation,
        names: (&'static str, &'static str),
        preamble: &str,
        fresh: &Access,
    ) -> Result<Self, RequestError> {
        let file = Sidecar::new(place, names.0);
        let _lock = Sidecar::new(place, names.1).lock()?;
        if file.read()?.is_none() {
            let text = toml::to_string(fresh).unwrap_or_default();
            match file.create(&format!("{preamble}{text}")) {
                // Another process was first.
                Err(StoreError::Exists(_)) => {}
                made => made?,
            }
        }
        let mut access = read(&file)?;
        if access.number() {
            write(&file, &access, file.stamp())?;
        }
        let last = Mutex::new(Known::new(file.stamp(), access));
        Ok(Self { names, last })
    }

    /// Reads the file if it changed; returns whether it did. While an edit cannot be read, the file counts as it
    /// was before.
    pub(crate) fn reread(&self, place: &GameLocation) -> bool {
        let file = Sidecar::new(place, self.names.0);
        let stamp = file.stamp();
        let is_other = stamp.is_some() && stamp != self.last.lock().stamp;
        if is_other {
            // The lock is not held while the disk is read.
            match read(&file) {
                Ok(mut access) => {
                    let is_numbered = !access.number();
                    // New ids that cannot be written hold until the table closes.
                    if is_numbered || self.change(place, |_| Ok(())).is_err() {
                        *self.last.lock() = Known::new(stamp, access);
                    }
                }
                Err(error) => {
                    let mut last = self.last.lock();
                    last.stamp = stamp;
                    last.problem = Some(error.what);
                }
            }
        }
        is_other
    }

    pub(crate) fn known(&self) -> Arc<Access> {
        Arc::clone(&self.last.lock().access)
    }

    /// The file as it was read or written last, with its stamp at that time.
    pub(crate) fn version(&self) -> AccessVersion {
        let last = self.last.lock();
        AccessVersion {
            stamp: last.stamp,
            access: Arc::clone(&last.access),
        }
    }

    /// What is wrong with the file as it is now.
    pub(crate) fn problem(&self) -> Option<String> {
        self.last.lock().problem.clone()
    }

    /// Changes the seats under a lock that other processes respect; in a database it is done again where another
    /// process was first.
    pub(crate) fn change<T>(
        &self,
        place: &GameLocation,
        mut change: impl FnMut(&mut Access) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        let file = Sidecar::new(place, self.names.0);
        let _lock = Sidecar::new(place, self.names.1).lock()?;
        loop {
            let stamp = file.stamp();
            let mut access = read(&file)?;
            access.number();
            let answer = change(&mut access)?;
            access.check().map_err(|why| wrong(&file, &why))?;
            if write(&file, &access, stamp)? {
                *self.last.lock() = Known::new(file.stamp(), access);
                return Ok(answer);
            }
        }
    }

    /// Makes an invitation, and the seat if there is none of that name.
    pub(crate) fn invite(
        &self,
        place: &GameLocation,
        (name, role, plays): (&str, Option<SeatRole>, Option<&str>),
        now: DateTime<Utc>,
        (address, game, fingerprint): (Option<SocketAddr>, &str, &str),
    ) -> Result<Invited, RequestError> {
        self.change(place, |access| {
            let known = access.by_name(name).map(|entry| entry.role);
            let role = role.or(known).unwrap_or_default();
            let name = seat_name(name, role).map_err(RequestError::usage)?;
            let (invitation, code) = Invitation::make(now, access.limits.invitation_hours);
            let until = invitation.expires;
            if known.is_none() {
                let mut entry = SeatEntry::new(&name, fresh_id(), role);
                entry.characters.extend(plays.map(str::to_owned));
                access.seats.push(entry);
            }
            let no_seat = || RequestError::usage("there is no such seat".to_owned());
            let entry = access.by_name_mut(&name).ok_or_else(no_seat)?;
            entry.role = role;
            entry.invitation = Some(invitation);
            Ok(Invited {
                command: join_command(address, game, &entry.name),
                name: entry.name.clone(),
                role: entry.role,
                characters: entry.characters.clone(),
                code,
                until,
                fingerprint: fingerprint.to_owned(),
            })
        })
    }

    /// Redeems an invitation to a seat there. All refusals look and take the same. With it goes whether the code was
    /// wrong once too often, and the invitation does not hold any more.
    pub(crate) fn redeem(
        &self,
        place: &GameLocation,
        (name, code): (&str, &str),
        now: DateTime<Utc>,
        wrong_code: WrongCode,
    ) -> (Option<SeatEntry>, bool) {
        // A seat without an invitation takes as long to refuse.
        let spare = Invitation::make(now, 1).0;
        let mut has_ended = false;
        let redeemed = self.change(place, |access| {
            let mut entry = access.by_name_mut(name);
            let invitation = entry.as_mut().and_then(|entry| entry.invitation.as_mut());
            let fits = invitation.as_deref().unwrap_or(&spare).is(code);
            let invitation = invitation.filter(|invitation| invitation.holds(now));
            // Without an invitation nothing is written.
            let refused = || RequestError::usage(String::new());
            let invitation = invitation.ok_or_else(refused)?;
            if !fits {
                if wrong_code == WrongCode::IsNotCounted {
                    return Err(refused());
                }
                invitation.wrong += 1;
            }
            has_ended = invitation.wrong >= TRIES;
            let entry = entry.ok_or_else(refused)?;
            if fits || has_ended {
                entry.invitation = None;
            }
            Ok(fits.then(|| entry.clone()))
        });
        let entry = redeemed.ok().flatten();
        let has_ended = has_ended && entry.is_none();
        (entry, has_ended)
    }
}

/// Replaces the seats in the file, if it still has that stamp; everything else in it stays.
fn write(file: &Sidecar, access: &Access, stamp: Option<FileStamp>) -> Result<bool, RequestError> {
    let wrong = |problem: String| wrong(file, &problem);
    let text = file.read()?.unwrap_or_default();
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| wrong(error.to_string()))?;
    document.remove("seat");
    // The seats go to the end, before a closing comment.
    let last_words = document.trailing().as_str().unwrap_or_default().to_owned();
    document.set_trailing("");
    let mut text = document.to_string();
    if !access.seats.is_empty() {
        let seats = Seats {
            seat: &access.seats,
        };
        let seats = toml::to_string(&seats).map_err(|error| wrong(error.to_string()))?;
        text = format!("{text}\n{seats}");
    }
    Ok(file.replace_from(stamp, &(text + last_words.as_str()))?)
}

pub(crate) fn wrong(file: &Sidecar, problem: &str) -> RequestError {
    RequestError::failed(format!("{}: {problem}", file.path().display()))
}

/// Reads the `access.toml` of the game that is kept there, and makes none where there is none.
pub(crate) fn read_access(place: &GameLocation) -> Result<Access, RequestError> {
    read(&Sidecar::new(place, OF_GAME.0))
}

fn read(file: &Sidecar) -> Result<Access, RequestError> {
    let wrong = |problem: String| wrong(file, &problem);
    if let Some(open) = file.open_to_others() {
        return Err(wrong(open.describe("who joins this game")));
    }
    let text = file.read()?.unwrap_or_default();
    let access: Access = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    access.check().map_err(wrong)?;
    if file.path().ends_with(OF_GAME.0) && access.is_of_host() {
        return Err(wrong(
            "gms, open-games, most-games and new-games-per-minute belong in host.toml, in the folder of the games"
                .to_owned(),
        ));
    }
    Ok(access)
}
