//! `tableside sessions`: the known sessions.

use chrono::{DateTime, Local, SecondsFormat, Utc};
use serde::Serialize;

use super::output::Ink;
use super::{App, CliError};
use crate::store::{SavedSession, sessions};
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
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Row {
    name: String,
    #[serde(flatten)]
    about: About,
    last_played: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum About {
    Game {
        system: &'static str,
        characters: usize,
        clocks: usize,
        rolls: u64,
    },
    Problem {
        problem: String,
    },
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
    let known = sessions(&data)?;
    let looked = known.iter().map(|listed| look_at(app, &listed.name));
    let about: Vec<About> = looked.collect();
    let rows = known.into_iter().zip(about);
    if args.json {
        let rows = rows.map(|(listed, about)| Row {
            last_played: DateTime::<Utc>::from(listed.played)
                .to_rfc3339_opts(SecondsFormat::Secs, true),
            name: listed.name,
            about,
        });
        return app.out.json(&rows.collect::<Vec<_>>());
    }
    let rows: Vec<(SavedSession, About)> = rows.collect();
    if rows.is_empty() {
        app.out
            .line(&format!("no sessions yet in {}", data.display()))?;
        return app
            .out
            .line("`tableside new NAME --system SYSTEM` makes one");
    }
    let names = rows.iter().map(|(listed, _)| width(&listed.name));
    let column = names.max().unwrap_or(0).min(WIDEST);
    for (listed, about) in &rows {
        let name = fit(&listed.name, column);
        let gap = " ".repeat(column + 2 - width(&name));
        let played = DateTime::<Local>::from(listed.played).format("%Y-%m-%d %H:%M");
        let about = format!("{gap}{}, last played {played}", about.words());
        app.out
            .inked(&[(Ink::Strong, &name), (Ink::Plain, &about)])?;
    }
    Ok(())
}

impl About {
    fn words(&self) -> String {
        match self {
            Self::Game {
                system,
                characters,
                clocks,
                rolls,
            } => format!(
                "{system}, {}, {}, {}",
                many(*characters, "character"),
                many(*clocks, "clock"),
                many(usize::try_from(*rolls).unwrap_or(usize::MAX), "roll")
            ),
            Self::Problem { problem } => format!("cannot be opened: {problem}"),
        }
    }
}

fn look_at(app: &mut App<'_>, name: &str) -> About {
    match app.open(name, true) {
        Ok((table, _)) => table.read(&Seat::gm(), |seen| About::Game {
            system: seen.system().spec().id,
            characters: seen.roster().count(),
            clocks: seen.clocks().count(),
            rolls: seen.rolls(),
        }),
        Err(error) => About::Problem {
            problem: error.words(),
        },
    }
}

/// A number of things: `1 clock`, `3 clocks`.
pub(super) fn many(count: usize, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}
