//! Creating games in the lobby.

use std::collections::HashMap;
use std::time::Instant;

use parking_lot::Mutex;
use russh::keys::PublicKey;

use super::GameHost;
use crate::access::{Access, SeatEntry, fresh_id};
use tableside_table::{SeatId, SeatRole, TokenBucket};
use tableside_tui::NewGame;

/// The creator of a game, who becomes its GM.
pub(crate) struct NewGm<'a> {
    pub(crate) name: &'a str,
    /// The key of the login; `None` after a login with an invitation code.
    pub(crate) key: Option<&'a PublicKey>,
}

/// The number of games that each GM may create now, by the GM's seat at the host.
#[derive(Default)]
pub(super) struct NewGameLimits(Mutex<HashMap<SeatId, TokenBucket>>);

impl GameHost {
    /// Creates a game and gives its GM a seat.
    pub(crate) fn create_game(&self, new_game: &NewGame, gm: &NewGm<'_>) -> Result<(), String> {
        let access = self.access();
        let seat = gm
            .key
            .and_then(|key| access.gm_seat(key, gm.name))
            .ok_or("only a GM listed in host.toml can create a game, with a known key")?;

        self.create_within_limits(new_game, seat.id(), &access)?;

        let game = self.game(&new_game.name);
        let game = game.ok_or("the game was created, but cannot be found")?;
        game.change(|access| {
            let id = fresh_id();
            access.seats.push(SeatEntry::new(gm.name, id, SeatRole::Gm));
            match gm.key {
                Some(key) => access.remember(id, key),
                None => Ok(()),
            }
        })
        .map_err(|error| error.what)
    }

    /// Creates a game, unless its creator has used up `new-games-per-minute` of `host.toml`.
    fn create_within_limits(
        &self,
        new_game: &NewGame,
        creator: SeatId,
        access: &Access,
    ) -> Result<(), String> {
        // The lock is held until the game exists, so that two GMs cannot both create the last one.
        let mut buckets = self.new_games.0.lock();
        let now = Instant::now();
        let most_per_minute = f64::from(access.new_games_per_minute());
        let per_second = most_per_minute / 60.0;
        let bucket = buckets
            .entry(creator)
            .or_insert_with(|| TokenBucket::full(most_per_minute, now));
        if !bucket.take(1.0, (per_second, most_per_minute), now) {
            return Err(format!(
                "you created {most_per_minute} games in a minute, which is the limit; wait a minute"
            ));
        }

        let created = self.create_if_there_is_room(new_game, access);
        if created.is_err() {
            bucket.left += 1.0;
        }
        created
    }

    /// Creates a game, unless the host has `most-games` of `host.toml`.
    fn create_if_there_is_room(&self, new_game: &NewGame, access: &Access) -> Result<(), String> {
        let listed = self.opening.storage.games();
        let count = listed.map_err(|error| error.to_string())?.len();
        if count >= usize::try_from(access.most_games()).unwrap_or(usize::MAX) {
            return Err(format!(
                "there are {count} games here, which is the limit; ask the administrator to archive some, or to raise most-games in host.toml"
            ));
        }
        self.opening.library.create(new_game)
    }
}
