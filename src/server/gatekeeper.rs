//! Makes and redeems invitations, and removes seats.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::access::{AccessFile, SeatEntry, fresh_id, seat_name};
use super::invitation::{Invitation, TRIES};
use super::mailbox::CloseReason;
use super::state::ServerState;
use crate::table::{Gatekeeper, Invited, RequestError, Seat, SeatId, SeatRole};

impl ServerState {
    /// Redeems an invitation and returns its seat. All refusals look and take the same.
    pub(super) fn redeem(&self, name: &str, code: &str) -> Option<Seat> {
        let now = self.table.now();
        // A seat without an invitation takes as long to refuse.
        let spare = Invitation::make(now, 1).0;
        let mut has_ended = false;
        let redeemed = self.change(|access| {
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
        if has_ended {
            self.table.tell_gm(format!(
                "{TRIES} wrong codes ended the invitation of {name}; invite again if you meant somebody"
            ));
        }
        redeemed.ok().flatten().map(|entry| self.seat_of(&entry))
    }

    /// Whether a seat of that name waits for somebody with a code.
    pub(super) async fn expects(&self, name: &str) -> bool {
        let now = self.table.now();
        let access = self.access_now().await;
        let entry = access.by_name(name);
        let invitation = entry.and_then(|entry| entry.invitation.as_ref());
        invitation.is_some_and(|invitation| invitation.holds(now))
    }
}

/// Makes an invitation, and the seat if there is none of that name.
pub(super) fn invite_in(
    file: &AccessFile,
    folder: &Path,
    (name, role, plays): (&str, Option<SeatRole>, Option<&str>),
    now: DateTime<Utc>,
    (address, fingerprint): (Option<SocketAddr>, &str),
) -> Result<Invited, RequestError> {
    file.change(folder, |access| {
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
            command: join_command(address, &entry.name),
            name: entry.name.clone(),
            role: entry.role,
            characters: entry.characters.clone(),
            code,
            until,
            fingerprint: fingerprint.to_owned(),
        })
    })
}

impl Gatekeeper for ServerState {
    fn describe(&self) -> String {
        let problem = self.access.problem();
        let problem = problem.map_or(String::new(), |problem| format!(" BUT: {problem}"));
        format!(
            "The table is open at {}; its host key is {}.{problem}",
            self.address, self.fingerprint
        )
    }

    fn invite(&self, name: &str, role: SeatRole) -> Result<Invited, String> {
        let name = name.to_owned();
        self.write(move |state| {
            state.look();
            let most = f64::from(state.access().limits.invitations_per_minute);
            if !state
                .invitations
                .lock()
                .take(1.0, (most / 60.0, most), Instant::now())
            {
                let words = format!("{most} invitations in a minute are enough; wait a little");
                return Err(RequestError::misspoken(words));
            }
            // Where a character without a player is named, the seat plays it.
            let plays = state.table.read(&Seat::gm(), |seen| {
                let named = seen.character_named(&name);
                let named = named.filter(|one| one.player.is_empty() && role == SeatRole::Player);
                named.map(|one| one.name.clone())
            });
            let (folder, asked) = (state.folder(), (&*name, Some(role), plays.as_deref()));
            let whence = (Some(state.address), &*state.fingerprint);
            let made = invite_in(&state.access, &folder, asked, state.table.now(), whence)?;
            state.publish_access();
            Ok(made)
        })
    }

    fn dismiss(&self, seat: SeatId) -> Result<(), String> {
        if self.send_off(seat) {
            return Ok(());
        }
        self.write(move |state| {
            state.change(|access| {
                access.seats.retain(|entry| entry.id != Some(seat));
                Ok(())
            })
        })
    }

    fn revoke(&self, seat: SeatId) -> Result<(), String> {
        self.write(move |state| {
            state.change(|access| {
                let entry = access.by_id_mut(seat)?;
                entry.keys.clear();
                entry.invitation = None;
                Ok(())
            })?;
            state.close_seat(seat, CloseReason::Changed);
            Ok(())
        })
    }
}

impl ServerState {
    /// Changes files on the worker's thread.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, String> {
        let written = self.worker.ask_and_wait(work);
        let silent = "the game's folder does not answer; look whether its disk is there";
        written
            .ok_or_else(|| silent.to_owned())?
            .map_err(|error| error.what)
    }
}

/// What somebody types to join there. `HOST` stands for a name or an address that only the people know: this machine
/// listens at all of its own, or at none as yet.
pub fn join_command(address: Option<SocketAddr>, name: &str) -> String {
    let port = address.map_or_else(|| "PORT".to_owned(), |address| address.port().to_string());
    let host = address.map(|address| address.ip());
    let host = host.filter(|host| !host.is_unspecified());
    let host = host.map_or_else(|| "HOST".to_owned(), |host| host.to_string());
    if name.contains(' ') {
        format!("ssh -p {port} -l '{name}' {host}")
    } else {
        format!("ssh -p {port} {name}@{host}")
    }
}
