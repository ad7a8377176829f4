//! The library of games: what the picker shows, and what it does with whole games.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::App;
use super::find_system::{all_systems, find_system};
use super::game_list::{GameContents, ListedGame, list_games};
use super::new::make;
use super::open_game::open_place;
use crate::config::Config;
use tableside_rules::System;
use tableside_store::{GameLocation, Name, SavedGame, Storage, StoreError, date_of};
use tableside_table::{Seat, TimeSource};
use tableside_tui::{AboutGame, GameEntry, GamePreview, Library, NewGame};

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
        storage.ok_or_else(|| "there is no folder for saved games".to_owned())
    }

    /// The name for a game that is created, or that is called `before` now.
    fn new_name(&self, given: &str, before: Option<&str>) -> Result<Name, String> {
        let name = self.storage()?.new_name(given, before, self.reserved);
        name.map_err(|error| error.to_string())
    }

    /// Returns where a game is saved. Returns `None` if there is no such game.
    fn location(&self, name: &str, in_archive: bool) -> Option<GameLocation> {
        let storage = self.storage.as_ref()?;
        let name = Name::of_game(name).ok()?;
        let location = if in_archive {
            storage.archived_location(&name).ok()?
        } else {
            storage.location(&name)
        };
        if location.exists() {
            Some(location)
        } else {
            None
        }
    }
}

fn archived_game(game: SavedGame) -> GameEntry {
    GameEntry {
        name: game.name,
        about: AboutGame::Text("archived".to_owned()),
        played: date_of(game.last_saved),
    }
}

fn picked_game(game: ListedGame) -> GameEntry {
    let about = match game.contents {
        GameContents::Complete(summary)
        | GameContents::Incomplete {
            summary,
            problem: None,
            ..
        } => AboutGame::Facts {
            system: summary.system_name,
            characters: summary.characters,
            session: summary.sessions + 1,
        },
        GameContents::Incomplete {
            problem: Some(problem),
            ..
        }
        | GameContents::Unreadable(problem) => AboutGame::Text(problem),
    };
    GameEntry {
        name: game.name,
        about,
        played: date_of(game.last_saved),
    }
}

impl Library for SavedGames {
    fn games(&self, in_archive: bool) -> Vec<GameEntry> {
        let Some(storage) = &self.storage else {
            return Vec::new();
        };
        // If the games cannot be listed, opening one of them reports the reason.
        if in_archive {
            let games = storage.archived_games().unwrap_or_default();
            return games.into_iter().map(archived_game).collect();
        }
        let games = list_games(storage, self.clock).unwrap_or_default();
        games.into_iter().map(picked_game).collect()
    }

    fn preview(&self, name: &str, in_archive: bool) -> GamePreview {
        let Some(location) = self.location(name, in_archive) else {
            return GamePreview::default();
        };
        match open_place(&location, self.clock, true) {
            Ok(table) => {
                let preview = table.read(&Seat::gm(), GamePreview::of);
                match table.incomplete() {
                    Some(incomplete) => preview.with_warning(format!("{incomplete}.")),
                    None => preview,
                }
            }
            Err(error) => {
                GamePreview::default().with_warning(format!("Cannot open it: {}", error.words()))
            }
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

    fn create(&self, game: &NewGame) -> Result<(), String> {
        let storage = self.storage()?;
        let name = self.new_name(&game.name, None)?;
        make(storage, self.clock, &name, game).map_err(|error| error.words())
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
        Err("Invitation codes are entered in the lobby of a host.".to_owned())
    }
}
