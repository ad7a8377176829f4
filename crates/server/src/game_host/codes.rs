//! Invitation codes that are typed in the lobby.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use russh::keys::ssh_key::Fingerprint;
use russh::keys::{HashAlg, PublicKey};

use super::GameHost;
use crate::access::{SeatEntry, WrongCode};
use crate::game::HostedGame;
use crate::invitation::TRIES;
use tableside_table::TokenBucket;

/// The time in which all tries come back.
const REFILL: Duration = Duration::from_mins(1);

/// The number of keys after which entries of keys with all their tries are removed.
const MOST_KEYS: usize = 1000;

/// The seat of a redeemed code.
pub(crate) struct RedeemedCode {
    /// The game of the seat; `None` for a seat of the host itself.
    pub(crate) game: Option<Arc<HostedGame>>,
    pub(crate) seat: SeatEntry,
}

/// The number of wrong codes that each player in the lobby may still type, by key.
#[derive(Default)]
pub(super) struct CodeTries(Mutex<HashMap<Fingerprint, TokenBucket>>);

impl CodeTries {
    fn take(&self, key: &PublicKey, now: Instant) -> bool {
        let mut buckets = self.0.lock();
        if buckets.len() > MOST_KEYS {
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.filled) < REFILL);
        }

        let most = f64::from(TRIES);
        let per_second = most / REFILL.as_secs_f64();
        let bucket = buckets
            .entry(key.fingerprint(HashAlg::Sha256))
            .or_insert_with(|| TokenBucket::full(most, now));
        bucket.take(1.0, (per_second, most), now)
    }

    fn give_back(&self, key: &PublicKey) {
        let fingerprint = key.fingerprint(HashAlg::Sha256);
        if let Some(bucket) = self.0.lock().get_mut(&fingerprint) {
            bucket.left += 1.0;
        }
    }
}

impl GameHost {
    /// Redeems a code of the host, or of a seat of that name in any game. Waits for the disk.
    ///
    /// In the lobby a wrong code counts against no invitation, because several seats may have the same name: players
    /// would exhaust each other's invitations, and an attacker all of them. The number of guesses is limited, because
    /// each wrong code delays its connection by a second and the number of connections that log in is limited.
    pub(crate) fn redeem(&self, name: &str, code: &str) -> Option<RedeemedCode> {
        let now = (self.shared.clock)();

        self.read_access();
        if self.access().has_code(name, code, now) {
            let typed = (name, code);
            let uncounted = WrongCode::IsNotCounted;
            let (seat, _) = self.access.redeem(&self.place(), typed, now, uncounted);
            return Some(RedeemedCode {
                game: None,
                seat: seat?,
            });
        }

        let game = self.game(&self.seats.invited_by(name, code, now)?)?;
        let seat = game.redeem(name, code, WrongCode::IsNotCounted)?;
        Some(RedeemedCode {
            game: Some(game),
            seat,
        })
    }

    /// Takes one of the tries that a player in the lobby has for wrong codes. False if none is left.
    pub(crate) fn take_code_try(&self, key: &PublicKey) -> bool {
        self.code_tries.take(key, Instant::now())
    }

    /// Gives back a try after a correct code.
    pub(crate) fn return_code_try(&self, key: &PublicKey) {
        self.code_tries.give_back(key);
    }
}
