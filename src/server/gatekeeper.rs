//! Makes and redeems invitations, and removes seats.

use std::net::SocketAddr;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::access::{AccessFile, SeatEntry, fresh_id, seat_name};
use super::game::Game;
use super::invitation::{Invitation, TRIES};
use super::mailbox::CloseReason;
use super::shared::Shared;
use crate::store::Place;
use crate::table::{Gatekeeper, Invited, RequestError, Seat, SeatId, SeatRole};

impl AccessFile {
    /// Redeems an invitation to a seat there. All refusals look and take the same. With it goes whether the code was
    /// wrong once too often, and the invitation does not hold any more.
    pub(super) fn redeem(
        &self,
        place: &Place,
        (name, code): (&str, &str),
        now: DateTime<Utc>,
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
            let refused = || RequestError::misspoken(String::new());
            let invitation = invitation.ok_or_else(refused)?;
            invitation.wrong += u32::from(!fits);
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

impl Game {
    /// Redeems an invitation and returns its seat.
    pub(super) fn redeem(&self, name: &str, code: &str) -> Option<SeatEntry> {
        let now = (self.shared().clock)();
        let (entry, has_ended) = self.access.redeem(&self.place(), (name, code), now);
        if has_ended || entry.is_some() {
            self.publish_access();
        }
        if let Some(table) = self.table().filter(|_| has_ended) {
            table.tell_gm(format!(
                "{TRIES} wrong codes ended the invitation of {name}; invite again if you meant somebody"
            ));
        }
        entry
    }
}

/// Makes an invitation, and the seat if there is none of that name.
pub(super) fn invite_in(
    file: &AccessFile,
    place: &Place,
    (name, role, plays): (&str, Option<SeatRole>, Option<&str>),
    now: DateTime<Utc>,
    (address, game, fingerprint): (Option<SocketAddr>, &str, &str),
) -> Result<Invited, RequestError> {
    file.change(place, |access| {
        let known = access.by_name(name).map(|entry| entry.role);
        let role = role.or(known).unwrap_or_default();
        let name = seat_name(name, role).map_err(RequestError::misspoken)?;
        let (invitation, code) = Invitation::make(now, access.limits.invitation_hours);
        let until = invitation.expires;
        if known.is_none() {
            access.seats.push(SeatEntry {
                name: name.clone(),
                id: Some(fresh_id()),
                characters: plays.into_iter().map(str::to_owned).collect(),
                ..SeatEntry::default()
            });
        }
        let no_seat = || RequestError::misspoken("there is no such seat".to_owned());
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

impl Gatekeeper for Game {
    fn describe(&self) -> String {
        let problem = self.access.problem();
        let problem = problem.map_or(String::new(), |problem| format!(" BUT: {problem}"));
        let Shared {
            address,
            fingerprint,
            ..
        } = self.shared();
        format!("The table is open at {address}; its host key is {fingerprint}.{problem}")
    }

    fn invite(&self, name: &str, role: SeatRole) -> Result<Invited, String> {
        let name = name.to_owned();
        self.write(move |game| {
            game.look();
            let most = f64::from(game.access().limits.invitations_per_minute);
            if !game
                .invitations
                .lock()
                .take(1.0, (most / 60.0, most), Instant::now())
            {
                let words = format!("{most} invitations in a minute are enough; wait a little");
                return Err(RequestError::misspoken(words));
            }
            // Where a character without a player is named, the seat plays it.
            let plays = game.table().and_then(|table| {
                table.read(&Seat::gm(), |seen| {
                    let named = seen.character_named(&name)?;
                    let is_free = named.player.is_empty() && role == SeatRole::Player;
                    is_free.then(|| named.name.clone())
                })
            });
            let (place, asked) = (game.place(), (&*name, Some(role), plays.as_deref()));
            let shared = game.shared();
            let whence = (Some(shared.address), &*game.name, &*shared.fingerprint);
            let made = invite_in(&game.access, &place, asked, (shared.clock)(), whence)?;
            game.publish_access();
            Ok(made)
        })
    }

    fn dismiss(&self, seat: SeatId) -> Result<(), String> {
        if self.send_off(seat) {
            return Ok(());
        }
        self.write(move |game| {
            game.change(|access| {
                access.seats.retain(|entry| entry.id != Some(seat));
                Ok(())
            })
        })
    }

    fn revoke(&self, seat: SeatId) -> Result<(), String> {
        self.write(move |game| {
            game.change(|access| {
                let entry = access.by_id_mut(seat)?;
                entry.keys.clear();
                entry.invitation = None;
                Ok(())
            })?;
            game.close_seat(seat, CloseReason::Changed);
            Ok(())
        })
    }
}

impl Game {
    /// Changes files on the worker's thread.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, String> {
        let game = self.handle();
        let written = game.and_then(|game| self.shared().worker.ask_and_wait(move || work(&game)));
        let silent = "the game's folder does not answer; look whether its disk is there";
        written
            .ok_or_else(|| silent.to_owned())?
            .map_err(|error| error.what)
    }
}

/// What somebody types to join there, in the game of that name where a door leads to several. `HOST` stands for a name or an address that only the people know: this machine
/// listens at all of its own, or at none as yet.
pub fn join_command(address: Option<SocketAddr>, game: &str, name: &str) -> String {
    let name = match game {
        "" => name.to_owned(),
        game => format!("{game}+{name}"),
    };
    let port = address.map_or_else(|| "PORT".to_owned(), |address| address.port().to_string());
    let host = address.map(|address| address.ip());
    let host = host.filter(|host| !host.is_unspecified());
    let host = host.map_or_else(|| "HOST".to_owned(), |host| host.to_string());
    if name.contains([' ', '\'']) {
        let name = name.replace('\'', r"'\''");
        format!("ssh -p {port} -l '{name}' {host}")
    } else {
        format!("ssh -p {port} {name}@{host}")
    }
}
