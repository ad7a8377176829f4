//! `tableside sessions`: the known sessions.

use chrono::{DateTime, Local, SecondsFormat, Utc};
use serde::Serialize;

use super::App;
use super::error::CliError;
use super::output::many;
use crate::rules::System;
use crate::store::sessions;
use crate::table::Seat;
use crate::text::fit;

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
        system: System,
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
    let known = sessions(&data)?;
    if args.names {
        let mut names = known.iter().map(|listed| &listed.name);
        return names.try_for_each(|name| app.out.line(name));
    }
    let about = known.iter().map(|listed| look_at(app, &listed.name));
    let about: Vec<About> = about.collect();
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
    if rows.len() == 0 {
        let nothing = format!("no sessions yet in {}", data.display());
        app.out.line(&nothing)?;
        let hint = "`tableside new NAME --system SYSTEM` makes one";
        return app.out.line(hint);
    }
    let rows = rows.map(|(listed, about)| {
        let played = DateTime::<Local>::from(listed.played).format("%Y-%m-%d %H:%M");
        let name = fit(&listed.name, WIDEST).into_owned();
        (name, format!("{}, last played {played}", about.words()))
    });
    app.out.columns(&rows.collect::<Vec<_>>())
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
                "{}, {}, {}, {}",
                system.spec().id,
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
            system: seen.system(),
            characters: seen.roster().count(),
            clocks: seen.clocks().count(),
            rolls: seen.rolls(),
        }),
        Err(error) => {
            let problem = error.words();
            About::Problem { problem }
        }
    }
}
