//! How an open game lets people in: who runs it invites, removes seats and takes keys away, and a code is redeemed.

use std::time::Instant;

use super::access::{SeatEntry, WrongCode};
use super::game::HostedGame;
use super::invitation::TRIES;
use super::mailbox::CloseReason;
use tableside_table::{Gatekeeper, Invited, RequestError, Seat, SeatId, SeatRole};

impl HostedGame {
    /// Redeems an invitation and returns its seat.
    pub(super) fn redeem(
        &self,
        name: &str,
        code: &str,
        wrong_code: WrongCode,
    ) -> Option<SeatEntry> {
        let now = (self.shared().clock)();
        let typed = (name, code);
        let (entry, has_ended) = self.access.redeem(&self.place(), typed, now, wrong_code);
        if has_ended || entry.is_some() {
            self.publish_access();
        }
        if let Some(table) = self.table().filter(|_| has_ended) {
            table.message_gm(format!(
                "{TRIES} wrong codes ended the invitation of {name}; invite the player again"
            ));
        }
        entry
    }
}

impl Gatekeeper for HostedGame {
    fn describe(&self) -> String {
        let problem = self.access.problem();
        let problem = problem.map_or(String::new(), |problem| format!(" BUT: {problem}"));
        let shared = self.shared();
        let (address, fingerprint) = (shared.address, &shared.fingerprint);
        format!("The table is open at {address}; its host key is {fingerprint}.{problem}")
    }

    fn invite(&self, name: &str, role: SeatRole) -> Result<Invited, String> {
        let name = name.to_owned();
        self.write(move |game| {
            game.reread();
            let most = f64::from(game.access().limits.invitations_per_minute);
            if !game
                .invitations
                .lock()
                .take(1.0, (most / 60.0, most), Instant::now())
            {
                let words = format!("at most {most} invitations in a minute; wait a little");
                return Err(RequestError::usage(words));
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
            let made = game
                .access
                .invite(&place, asked, (shared.clock)(), whence)?;
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

impl HostedGame {
    /// Changes files on the worker's thread.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, String> {
        let game = self.handle();
        let written = game.and_then(|game| self.shared().worker.ask_and_wait(move || work(&game)));
        let silent = "the game's folder does not respond; check its disk";
        let written = written.ok_or_else(|| silent.to_owned())?;
        written.map_err(|error| error.what)
    }
}
