//! The library of games: what the picker shows, and what it does with whole sessions.

use std::path::Path;

use chrono::{DateTime, Utc};

use super::sessions::{describe, many};
use super::{App, CliError, new, open};
use crate::rules::System;
use crate::screen::run::{Game, Library};
use crate::store::{self, Name, SavedSession, StoreError, sessions};
use crate::table::{OnEdit, Opening, Seat, SeatView, Table};

/// The most of a kind that a look into a game names.
const MOST: usize = 12;

/// The sessions of the data folder.
pub(super) struct Sessions<'a, 'd>(pub(super) &'a mut App<'d>);

impl Sessions<'_, '_> {
    fn try_to<T>(
        &mut self,
        act: impl FnOnce(&mut App<'_>) -> Result<T, CliError>,
    ) -> Result<T, String> {
        act(self.0).map_err(|error| error.words())
    }

    /// Moves a session's folder.
    fn keep(
        &mut self,
        name: &str,
        act: impl FnOnce(&Path, &Name, DateTime<Utc>) -> Result<(), StoreError>,
    ) -> Result<(), String> {
        self.try_to(|app| Ok(act(app.config.data()?, &open::name(name)?, (app.clock)())?))
    }

    fn listed(&self, archived: bool) -> Vec<SavedSession> {
        let Ok(data) = self.0.config.data() else {
            return Vec::new();
        };
        let known = if archived {
            store::archived(data)
        } else {
            sessions(data)
        };
        known.unwrap_or_default()
    }
}

impl Library for Sessions<'_, '_> {
    fn games(&mut self) -> Vec<Game> {
        let known = self.listed(false).into_iter();
        known
            .map(|listed| Game {
                about: describe(self.0, &listed),
                played: Some(listed.played.into()),
                name: listed.name,
            })
            .collect()
    }

    fn archived(&mut self) -> Vec<Game> {
        let known = self.listed(true).into_iter();
        known
            .map(|listed| Game {
                about: "put away".to_owned(),
                played: Some(listed.played.into()),
                name: listed.name,
            })
            .collect()
    }

    fn preview(&mut self, name: &str, in_archive: bool) -> Vec<String> {
        let listed = self.listed(in_archive);
        let Some(listed) = listed.into_iter().find(|listed| listed.name == name) else {
            return Vec::new();
        };
        let opened = self.try_to(|app| {
            let opening = Opening {
                clock: app.clock,
                dice: open::luck()?,
                view: true,
                on_edit: OnEdit::Ask,
            };
            Ok(Table::open(&listed.path, opening)?.0)
        });
        match opened {
            Ok(table) => table.read(&Seat::gm(), |seen| look_into(seen, listed.played.into())),
            Err(why) => vec!["It cannot be opened:".to_owned(), format!("  {why}")],
        }
    }

    fn create(&mut self, name: &str, system: System, sample: bool) -> Result<(), String> {
        self.try_to(|app| new::make(app, &open::name(name)?, system, sample))
    }

    fn duplicate(&mut self, name: &str, to: &str) -> Result<(), String> {
        self.try_to(|app| {
            let (from, to) = (open::name(name)?, open::name(to)?);
            let made = store::duplicate(app.config.data()?, &from, &to, (app.clock)());
            made.map_err(|error| CliError::failed(error.to_string()))
        })
    }

    fn rename(&mut self, name: &str, to: &str) -> Result<(), String> {
        let to = self.try_to(|_| open::name(to))?;
        self.keep(name, |data, name, at| store::rename(data, name, &to, at))
    }

    fn archive(&mut self, name: &str) -> Result<(), String> {
        self.keep(name, store::archive)
    }

    fn restore(&mut self, name: &str) -> Result<(), String> {
        self.keep(name, store::restore)
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
