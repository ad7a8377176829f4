//! The library of games: what the picker shows, and what it does with whole sessions.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::error::CliError;
use super::find_system::{all_systems, find_system};
use super::new::make;
use super::{many, system_dice};
use crate::config::Config;
use crate::rules::System;
use crate::screen::{Game, Library};
use crate::store::{self, Name, SavedSession, StoreError};
use crate::table::{OnEdit, Opening, Seat, SeatView, Table, TimeSource, status};

/// The sessions of the data folder.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) config: Config,
    pub(super) clock: TimeSource,
    /// Names that no session may have.
    pub(super) reserved: &'static [&'static str],
}

impl Sessions {
    /// Does something to a session's folder.
    fn with_folder(
        &self,
        name: &str,
        act: impl FnOnce(&Path, &Name, DateTime<Utc>) -> Result<(), StoreError>,
    ) -> Result<(), String> {
        let name = self.name(name)?;
        let data = self.config.data().map_err(|error| error.to_string())?;
        act(data, &name, (self.clock)()).map_err(|error| error.to_string())
    }

    fn name(&self, given: &str) -> Result<Name, String> {
        Name::new(given, self.reserved).map_err(|error| error.to_string())
    }

    fn listed(&self, in_archive: bool) -> Vec<SavedSession> {
        let Ok(data) = self.config.data() else {
            return Vec::new();
        };
        let known = if in_archive {
            store::archived(data)
        } else {
            store::sessions(data)
        };
        known.unwrap_or_default()
    }

    /// Opens a session to look at it.
    fn look_at(&self, listed: &SavedSession) -> Result<Arc<Table>, CliError> {
        let opening = Opening {
            clock: self.clock,
            dice: system_dice()?,
            view: true,
            on_edit: OnEdit::Ask,
        };
        Ok(Table::open(&listed.path, opening)?.0)
    }
}

impl Library for Sessions {
    fn games(&self, in_archive: bool) -> Vec<Game> {
        let about = |seen: &SeatView<'_>| {
            let characters = many(seen.roster().count(), "character");
            format!("{}, {characters}", seen.system().spec().name)
        };
        let game = |listed: SavedSession| Game {
            about: match self.look_at(&listed) {
                _ if in_archive => "put away".to_owned(),
                Ok(table) => table.read(&Seat::gm(), about),
                Err(why) => why.words(),
            },
            played: listed.played.into(),
            name: listed.name,
        };
        self.listed(in_archive).into_iter().map(game).collect()
    }

    fn preview(&self, name: &str, in_archive: bool) -> Vec<String> {
        let mut listed = self.listed(in_archive).into_iter();
        let Some(listed) = listed.find(|listed| listed.name == name) else {
            return Vec::new();
        };
        match self.look_at(&listed) {
            Ok(table) => table.read(&Seat::gm(), |seen| {
                let lines = status(name, seen).into_iter();
                lines
                    .map(|line| line.strong + line.plain.as_str())
                    .collect()
            }),
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
        let made = make(
            (&self.config, self.clock),
            &self.name(name)?,
            system,
            sample,
        );
        made.map_err(|error| error.words())
    }

    fn duplicate(&self, name: &str, to: &str) -> Result<(), String> {
        let to = self.name(to)?;
        self.with_folder(name, |data, name, at| store::duplicate(data, name, &to, at))
    }

    fn rename(&self, name: &str, to: &str) -> Result<(), String> {
        let to = self.name(to)?;
        self.with_folder(name, |data, name, at| store::rename(data, name, &to, at))
    }

    fn archive(&self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::archive)
    }

    fn restore(&self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::restore)
    }

    fn redeem(&self, _: &str) -> Result<String, String> {
        Err("codes are for the lobby of a house".to_owned())
    }
}
