//! The library of games: what the picker shows, and what it does with whole sessions.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::sessions::many;
use super::{CliError, new, open};
use crate::config::Config;
use crate::rules::System;
use crate::screen::{Game, Library};
use crate::store::{self, Name, SavedSession, StoreError, sessions};
use crate::table::{Clock, OnEdit, Opening, Seat, SeatView, Table};

/// The most of a kind that a look into a game names.
const MOST: usize = 12;

/// The sessions of the data folder.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) config: Config,
    pub(super) clock: Clock,
}

impl Sessions {
    /// Does something to the folder of that session.
    fn with_folder(
        &self,
        name: &str,
        act: impl FnOnce(&Path, &Name, DateTime<Utc>) -> Result<(), StoreError>,
    ) -> Result<(), String> {
        let done = || {
            let (data, name) = (self.config.data()?, open::name(name)?);
            Ok(act(data, &name, (self.clock)())?)
        };
        done().map_err(|error: CliError| error.words())
    }

    fn listed(&self, in_archive: bool) -> Vec<SavedSession> {
        let Ok(data) = self.config.data() else {
            return Vec::new();
        };
        let known = if in_archive {
            store::archived(data)
        } else {
            sessions(data)
        };
        known.unwrap_or_default()
    }

    /// Opens a session to look at it.
    fn look_at(&self, listed: &SavedSession) -> Result<Arc<Table>, String> {
        let opened = || {
            let opening = Opening {
                clock: self.clock,
                dice: open::luck()?,
                view: true,
                on_edit: OnEdit::Ask,
            };
            Ok(Table::open(&listed.path, opening)?.0)
        };
        opened().map_err(|error: CliError| error.words())
    }

    /// A session in a few words: its system and the number of characters.
    fn describe(&self, listed: &SavedSession) -> String {
        let about = |seen: &SeatView<'_>| {
            let characters = many(seen.roster().count(), "character");
            format!("{}, {characters}", seen.system().spec().name)
        };
        let opened = self.look_at(listed);
        opened.map_or_else(|why| why, |table| table.read(&Seat::gm(), about))
    }
}

impl Library for Sessions {
    fn games(&self, in_archive: bool) -> Vec<Game> {
        let known = self.listed(in_archive).into_iter();
        known
            .map(|listed| Game {
                about: if in_archive {
                    "put away".to_owned()
                } else {
                    self.describe(&listed)
                },
                played: listed.played.into(),
                name: listed.name,
            })
            .collect()
    }

    fn preview(&self, name: &str, in_archive: bool) -> Vec<String> {
        let mut listed = self.listed(in_archive).into_iter();
        let Some(listed) = listed.find(|listed| listed.name == name) else {
            return Vec::new();
        };
        match self.look_at(&listed) {
            Ok(table) => table.read(&Seat::gm(), |seen| look_into(seen, listed.played.into())),
            Err(why) => vec!["It cannot be opened:".to_owned(), format!("  {why}")],
        }
    }

    fn create(&self, name: &str, system: System, sample: bool) -> Result<(), String> {
        let name = open::name(name).map_err(|error| error.words())?;
        let made = new::make((&self.config, self.clock), &name, system, sample);
        made.map_err(|error| error.words())
    }

    fn duplicate(&self, name: &str, to: &str) -> Result<(), String> {
        let to = open::name(to).map_err(|error| error.words())?;
        let from = open::name(name).map_err(|error| error.words())?;
        let data = self.config.data().map_err(|error| error.to_string())?;
        let made = store::duplicate(data, &from, &to, (self.clock)());
        made.map_err(|error| error.to_string())
    }

    fn rename(&self, name: &str, to: &str) -> Result<(), String> {
        let to = open::name(to).map_err(|error| error.words())?;
        self.with_folder(name, |data, name, at| store::rename(data, name, &to, at))
    }

    fn archive(&self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::archive)
    }

    fn restore(&self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::restore)
    }
}

/// A game in a few lines: system and scene, party, clocks, what happened last.
fn look_into(seen: &SeatView<'_>, at: DateTime<Utc>) -> Vec<String> {
    let mut lines = vec![seen.system().spec().name.to_owned()];
    if !seen.scene().name.is_empty() {
        lines.push(format!("Scene: {}", seen.scene().name));
    }
    let local = at.with_timezone(&chrono::Local);
    lines.push(format!("Last played {}", local.format("%Y-%m-%d %H:%M")));
    let party: Vec<String> = seen
        .roster()
        .map(|one| match one.player.as_str() {
            "" => one.name.clone(),
            player => format!("{} ({player})", one.name),
        })
        .collect();
    list(&mut lines, &many(party.len(), "character"), &party);
    let clocks: Vec<String> = seen
        .clocks()
        .filter(|one| one.clock.owner.is_none())
        .map(|one| {
            format!(
                "{} {} of {}",
                one.clock.name,
                one.clock.filled,
                one.clock.segments.count()
            )
        })
        .collect();
    list(&mut lines, &many(clocks.len(), "clock"), &clocks);
    let last: Vec<String> = seen
        .log()
        .take(3)
        .map(|entry| entry.event.text(seen.system()))
        .collect();
    list(&mut lines, "Last", &last);
    lines
}

fn list(lines: &mut Vec<String>, title: &str, all: &[String]) {
    if all.is_empty() {
        return;
    }
    lines.push(title.to_owned());
    lines.extend(all.iter().take(MOST).map(|one| format!("  {one}")));
    if all.len() > MOST {
        lines.push(format!("  and {} more", all.len() - MOST));
    }
}
