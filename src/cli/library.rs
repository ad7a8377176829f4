//! The library of games: what the picker shows, and what it does with whole games.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::find_system::{all_systems, find_system};
use super::new::make;
use super::open_game::open_place;
use super::{App, pluralise};
use crate::config::Config;
use tableside_rules::System;
use tableside_store::{Name, SavedGame, Storage, StoreError, date_of};
use tableside_table::{Seat, SeatView, Table, TimeSource, plain_status};
use tableside_tui::{GameEntry, Library};

/// The games that are kept.
#[derive(Debug)]
struct SavedGames {
    config: Config,
    /// Where they are; none where there is no place to keep any.
    storage: Option<Storage>,
    clock: TimeSource,
    /// Names that no game may have.
    reserved: &'static [&'static str],
}

impl App<'_> {
    /// The games that are kept there, to be picked from.
    pub(super) fn library(&self, storage: Option<Storage>) -> Arc<dyn Library> {
        Arc::new(SavedGames {
            config: self.config.clone(),
            storage,
            clock: self.clock,
            reserved: self.reserved,
        })
    }
}

impl SavedGames {
    /// Does something to a game.
    fn with_storage<T>(
        &self,
        name: &str,
        act: impl FnOnce(&Storage, &Name, DateTime<Utc>) -> Result<T, StoreError>,
    ) -> Result<T, String> {
        let name = Name::of_game(name).map_err(|error| error.to_string())?;
        act(self.storage()?, &name, (self.clock)()).map_err(|error| error.to_string())
    }

    fn storage(&self) -> Result<&Storage, String> {
        let storage = self.storage.as_ref();
        storage.ok_or_else(|| "there is nowhere to keep games".to_owned())
    }

    /// The name for a game that is created, or that is called `before` now.
    fn new_name(&self, given: &str, before: Option<&str>) -> Result<Name, String> {
        let name = self.storage()?.new_name(given, before, self.reserved);
        name.map_err(|error| error.to_string())
    }

    fn listed(&self, in_archive: bool) -> Vec<SavedGame> {
        let Some(storage) = &self.storage else {
            return Vec::new();
        };
        let known = if in_archive {
            storage.archived_games()
        } else {
            storage.games()
        };
        known.unwrap_or_default()
    }
}

impl Library for SavedGames {
    fn games(&self, in_archive: bool) -> Vec<GameEntry> {
        let about = |seen: &SeatView<'_>| {
            let characters = pluralise(seen.roster().count(), "character");
            format!("{}, {characters}", seen.system().spec().name)
        };
        let describe = |table: &Table| match table.incomplete() {
            None => table.read(&Seat::gm(), about),
            Some(incomplete) => incomplete.to_string(),
        };
        let game = |listed: SavedGame| GameEntry {
            about: match open_place(&listed.location, self.clock, true) {
                _ if in_archive => "put away".to_owned(),
                Ok(table) => describe(&table),
                Err(why) => why.words(),
            },
            played: date_of(listed.last_saved),
            name: listed.name,
        };
        self.listed(in_archive).into_iter().map(game).collect()
    }

    fn preview(&self, name: &str, in_archive: bool) -> Vec<String> {
        let mut listed = self.listed(in_archive).into_iter();
        let Some(listed) = listed.find(|listed| listed.name == name) else {
            return Vec::new();
        };
        match open_place(&listed.location, self.clock, true) {
            Ok(table) => {
                let mut lines = table.read(&Seat::gm(), |seen| plain_status(name, seen));
                if let Some(incomplete) = table.incomplete() {
                    lines.insert(0, format!("{incomplete}."));
                }
                lines
            }
            Err(why) => vec![
                "It cannot be opened:".to_owned(),
                format!("  {}", why.words()),
            ],
        }
    }

    fn systems(&self) -> Vec<(String, Result<System, String>)> {
        let all = all_systems(&self.config).into_iter();
        all.map(|(id, _)| {
            let system = find_system(&self.config, &id).map_err(|error| error.words());
            (id, system)
        })
        .collect()
    }

    fn create(&self, name: &str, system: System, sample: bool) -> Result<(), String> {
        let storage = self.storage()?;
        let made = make(
            storage,
            self.clock,
            &self.new_name(name, None)?,
            (system, sample),
        );
        made.map_err(|error| error.words())
    }

    fn duplicate(&self, name: &str, to: &str) -> Result<(), String> {
        let to = self.new_name(to, None)?;
        self.with_storage(name, |all, name, at| all.duplicate(name, &to, at))
    }

    fn rename(&self, name: &str, to: &str) -> Result<(), String> {
        let to = self.new_name(to, Some(name))?;
        self.with_storage(name, |all, name, at| all.rename(name, &to, at))
    }

    fn archive(&self, name: &str) -> Result<String, String> {
        self.with_storage(name, Storage::archive)
    }

    fn restore(&self, name: &str) -> Result<(), String> {
        self.with_storage(name, Storage::restore)
    }

    fn redeem(&self, _: &str) -> Result<(), String> {
        Err("codes are for the lobby of a host".to_owned())
    }
}
