//! The library of games: what the picker shows, and what it does with whole sessions.

use std::path::Path;

use chrono::{DateTime, Utc};

use super::App;
use super::new::make;
use super::sessions::describe;
use crate::rules::System;
use crate::screen::run::{Game, Library};
use crate::store::{self, Name, SavedSession, StoreError};
use crate::table::{Seat, Table, status};

/// The sessions of the data folder.
pub(super) struct Sessions<'a, 'd>(pub(super) &'a mut App<'d>);

impl Sessions<'_, '_> {
    /// Does something to a session's folder.
    fn with_folder(
        &mut self,
        name: &str,
        act: impl FnOnce(&Path, &Name, DateTime<Utc>) -> Result<(), StoreError>,
    ) -> Result<(), String> {
        let app = &self.0;
        let name = app.name(name).map_err(|error| error.words())?;
        let data = app.config.data().map_err(|error| error.to_string())?;
        act(data, &name, (app.clock)()).map_err(|error| error.to_string())
    }

    fn listed(
        &self,
        list: fn(&Path) -> Result<Vec<SavedSession>, StoreError>,
    ) -> Vec<SavedSession> {
        let data = self.0.config.data();
        let known = data.ok().and_then(|data| list(data).ok());
        known.unwrap_or_default()
    }
}

fn game(listed: SavedSession, about: String) -> Game {
    Game {
        about,
        played: Some(listed.played.into()),
        name: listed.name,
    }
}

impl Library for Sessions<'_, '_> {
    fn games(&mut self) -> Vec<Game> {
        let known = self.listed(store::sessions).into_iter();
        let known = known.map(|listed| {
            let about = describe(self.0, &listed);
            game(listed, about)
        });
        known.collect()
    }

    fn archived(&mut self) -> Vec<Game> {
        let known = self.listed(store::archived).into_iter();
        let known = known.map(|listed| game(listed, "put away".to_owned()));
        known.collect()
    }

    fn preview(&mut self, name: &str, in_archive: bool) -> Vec<String> {
        let list = if in_archive {
            store::archived
        } else {
            store::sessions
        };
        let mut listed = self.listed(list).into_iter();
        let Some(listed) = listed.find(|listed| listed.name == name) else {
            return Vec::new();
        };
        let opening = self.0.opening(true);
        let opened = opening.and_then(|opening| Ok(Table::open(&listed.path, opening)?));
        match opened {
            Ok((table, _)) => table.read(&Seat::gm(), |seen| {
                let lines = status(name, seen).into_iter();
                lines.map(|line| line.strong + &line.plain).collect()
            }),
            Err(why) => vec![
                "It cannot be opened:".to_owned(),
                format!("  {}", why.words()),
            ],
        }
    }

    fn create(&mut self, name: &str, system: System, sample: bool) -> Result<(), String> {
        let name = self.0.name(name).map_err(|error| error.words())?;
        make(self.0, &name, system, sample).map_err(|error| error.words())
    }

    fn duplicate(&mut self, name: &str, to: &str) -> Result<(), String> {
        let to = self.0.name(to).map_err(|error| error.words())?;
        let from = self.0.name(name).map_err(|error| error.words())?;
        let data = self.0.config.data().map_err(|error| error.to_string())?;
        let made = store::duplicate(data, &from, &to, (self.0.clock)());
        made.map_err(|error| error.to_string())
    }

    fn rename(&mut self, name: &str, to: &str) -> Result<(), String> {
        let to = self.0.name(to).map_err(|error| error.words())?;
        self.with_folder(name, |data, name, at| store::rename(data, name, &to, at))
    }

    fn archive(&mut self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::archive)
    }

    fn restore(&mut self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::restore)
    }
}
