//! The library of games: what the picker shows, and what it does with whole sessions.

use std::path::Path;

use chrono::{DateTime, Utc};

use super::App;
use super::error::CliError;
use super::new::make;
use super::output::many;
use super::sessions::describe;
use crate::rules::System;
use crate::screen::run::{Game, Library};
use crate::store::{self, Name, SavedSession, StoreError};
use crate::table::{Seat, SeatView, Table};

/// The most of a kind that a look into a game names.
const MOST: usize = 12;

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
        let name = app.name(name).map_err(said)?;
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

fn said(error: CliError) -> String {
    error.words()
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
        let mut listed = self
            .listed(if in_archive {
                store::archived
            } else {
                store::sessions
            })
            .into_iter();
        let Some(listed) = listed.find(|listed| listed.name == name) else {
            return Vec::new();
        };
        let opening = self.0.opening(true);
        let opened = opening.and_then(|opening| Ok(Table::open(&listed.path, opening)?));
        match opened {
            Ok((table, _)) => table.read(&Seat::gm(), |seen| look_into(seen, listed.played.into())),
            Err(why) => vec![
                "It cannot be opened:".to_owned(),
                format!("  {}", said(why)),
            ],
        }
    }

    fn create(&mut self, name: &str, system: System, sample: bool) -> Result<(), String> {
        let name = self.0.name(name).map_err(said)?;
        make(self.0, &name, system, sample).map_err(said)
    }

    fn duplicate(&mut self, name: &str, to: &str) -> Result<(), String> {
        let to = self.0.name(to).map_err(said)?;
        let from = self.0.name(name).map_err(said)?;
        let data = self.0.config.data().map_err(|error| error.to_string())?;
        let made = store::duplicate(data, &from, &to, (self.0.clock)());
        made.map_err(|error| error.to_string())
    }

    fn rename(&mut self, name: &str, to: &str) -> Result<(), String> {
        let to = self.0.name(to).map_err(said)?;
        self.with_folder(name, |data, name, at| store::rename(data, name, &to, at))
    }

    fn archive(&mut self, name: &str) -> Result<(), String> {
        self.with_folder(name, store::archive)
    }

    fn restore(&mut self, name: &str) -> Result<(), String> {
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
    let party = seen.roster().map(|one| match one.player.as_str() {
        "" => one.name.clone(),
        player => format!("{} ({player})", one.name),
    });
    let party: Vec<String> = party.collect();
    list(&mut lines, &many(party.len(), "character"), &party);
    let clocks = seen.clocks().map(|one| one.clock);
    let clocks = clocks.filter(|clock| clock.owner.is_none()).map(|clock| {
        let of = clock.segments.count();
        format!("{} {} of {of}", clock.name, clock.filled)
    });
    let clocks: Vec<String> = clocks.collect();
    list(&mut lines, &many(clocks.len(), "clock"), &clocks);
    let last = seen.log().take(3);
    let last = last.map(|entry| entry.event.text(seen.system()));
    list(&mut lines, "Last", &last.collect::<Vec<_>>());
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
