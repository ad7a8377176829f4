//! `tableside sessions`: the known sessions.

use std::time::SystemTime;

use chrono::{DateTime, Local, SecondsFormat, Utc};
use serde_json::{Value as Json, json};

use super::output::Ink;
use super::{App, CliError};
use crate::rules::System;
use crate::store::{Listed, sessions};
use crate::table::Seat;
use crate::text::{fit, width};

/// The widest name in the list.
const WIDEST: usize = 32;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Their names alone, the last played first
    #[arg(long, conflicts_with = "json")]
    names: bool,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// A session as the list shows it.
struct Row {
    name: String,
    played: SystemTime,
    /// System, characters, clocks, rolls; or why it cannot be opened.
    about: Result<(&'static str, usize, usize, usize), String>,
}

/// A session in a few words: what is played, and by how many.
pub(super) fn describe(app: &mut App<'_>, listed: &Listed) -> String {
    let row = look_at(app, listed.clone());
    match &row.about {
        Ok((system, characters, ..)) => {
            let name = system.parse::<System>().map(|system| system.spec().name);
            let name = name.unwrap_or(system);
            format!("{name}, {}", many(*characters, "character"))
        }
        Err(_) => row.words(),
    }
}

/// Lists the known sessions.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let data = app.config.data()?.to_owned();
    if args.names {
        let known = sessions(&data)?;
        return known
            .iter()
            .try_for_each(|listed| app.out.line(&listed.name));
    }
    let rows: Vec<Row> = sessions(&data)?
        .into_iter()
        .map(|listed| look_at(app, listed))
        .collect();
    if args.json {
        let rows: Vec<Json> = rows.iter().map(to_json).collect();
        return app.out.json(&rows);
    }
    if rows.is_empty() {
        app.out
            .line(&format!("no sessions yet in {}", data.display()))?;
        return app
            .out
            .line("`tableside new NAME --system SYSTEM` makes one");
    }
    let names = rows.iter().map(|row| width(&row.name));
    let column = names.max().unwrap_or(0).min(WIDEST);
    for row in &rows {
        let name = fit(&row.name, column);
        let gap = " ".repeat(column + 2 - width(&name));
        let about = format!("{gap}{}, ", row.words());
        let played = format!("last played {}", day(row.played));
        app.out.inked(&[
            (Ink::Strong, &name),
            (Ink::Plain, &about),
            (Ink::Plain, &played),
        ])?;
    }
    Ok(())
}

impl Row {
    fn words(&self) -> String {
        match &self.about {
            Ok((system, characters, clocks, rolls)) => format!(
                "{system}, {}, {}, {}",
                many(*characters, "character"),
                many(*clocks, "clock"),
                many(*rolls, "roll")
            ),
            Err(problem) => format!("cannot be opened: {problem}"),
        }
    }
}

fn look_at(app: &mut App<'_>, listed: Listed) -> Row {
    let opened = app.open(&listed.name, true);
    let about = opened.map(|(table, _)| {
        table.read(&Seat::gm(), |seen| {
            let rolls = usize::try_from(seen.rolls()).unwrap_or(usize::MAX);
            let system = seen.system().spec().id;
            (system, seen.roster().count(), seen.clocks().count(), rolls)
        })
    });
    Row {
        name: listed.name,
        played: listed.played,
        about: about.map_err(|trouble| trouble.words()),
    }
}

fn to_json(row: &Row) -> Json {
    let played = DateTime::<Utc>::from(row.played).to_rfc3339_opts(SecondsFormat::Secs, true);
    match &row.about {
        Ok((system, characters, clocks, rolls)) => json!({
            "name": row.name,
            "system": system,
            "characters": characters,
            "clocks": clocks,
            "rolls": rolls,
            "last-played": played,
        }),
        Err(problem) => json!({
            "name": row.name,
            "problem": problem,
            "last-played": played,
        }),
    }
}

/// So many things: `1 clock`, `3 clocks`.
pub(super) fn many(count: usize, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// The day and time, where the user is.
fn day(at: SystemTime) -> String {
    DateTime::<Local>::from(at)
        .format("%Y-%m-%d %H:%M")
        .to_string()
}
