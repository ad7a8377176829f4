//! `tableside games`: the known games.

use chrono::{Local, SecondsFormat};
use serde_json::{Value as Json, json};

use super::{App, CliError, object, pluralise};
use tableside_rules::System;
use tableside_store::date_of;
use tableside_table::Seat;
use tableside_text::fit;

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

/// What is told of a game, or why it cannot be opened.
type About = Result<Contents, String>;

/// What a game holds.
struct Contents {
    system: System,
    counts: [(&'static str, u64); 3],
    /// Why it cannot be shown whole.
    problem: Option<String>,
}

/// Lists the known games.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let storage = app.storage()?;
    let known = storage.games()?;
    if args.names {
        return app.out.lines(known.iter().map(|listed| &listed.name));
    }
    let about = known.iter().map(|listed| look_at(app, &listed.name));
    let about: Vec<About> = about.collect();
    let rows = known.into_iter().zip(about);
    if args.json {
        let rows = rows.map(|(listed, about)| {
            let played = date_of(listed.last_saved);
            let played = played.to_rfc3339_opts(SecondsFormat::Secs, true);
            let about = match about {
                Ok(Contents {
                    system,
                    counts: [characters, clocks, rolls],
                    problem,
                }) => object([
                    json!({
                        "system": system.id(),
                        characters.0: characters.1,
                        clocks.0: clocks.1,
                        rolls.0: rolls.1,
                    }),
                    problem.map_or(Json::Null, |problem| json!({"problem": problem})),
                ]),
                Err(problem) => json!({"problem": problem}),
            };
            object([
                json!({"name": listed.name}),
                about,
                json!({"last-played": played}),
            ])
        });
        return app.out.json(&rows.collect::<Vec<_>>());
    }
    if rows.len() == 0 {
        let nothing = format!("no games yet in {}", storage.display_path().display());
        app.out.line(&nothing)?;
        let hint = "`tableside new NAME --system SYSTEM` makes one";
        return app.out.line(hint);
    }
    let rows = rows.map(|(listed, about)| {
        let about = match about {
            Ok(contents) => {
                let counts = contents.counts;
                let counts =
                    counts.map(|(what, count)| pluralise(count, what.trim_end_matches('s')));
                let about = format!("{}, {}", contents.system.spec().id, counts.join(", "));
                match contents.problem {
                    Some(_) => format!("{about}, not whole"),
                    None => about,
                }
            }
            Err(problem) => format!("cannot be opened: {problem}"),
        };
        let played = date_of(listed.last_saved)
            .with_timezone(&Local)
            .format("%Y-%m-%d %H:%M");
        let name = fit(&listed.name, WIDEST).into_owned();
        (name, format!("{about}, last played {played}"))
    });
    app.out.columns(&rows.collect::<Vec<_>>())
}

fn look_at(app: &mut App<'_>, name: &str) -> About {
    let opened = app.name(name).and_then(|name| app.look_at(&name));
    let table = opened.map_err(|error| error.words())?;
    let problem = table.incomplete().map(|incomplete| incomplete.to_string());
    Ok(table.read(&Seat::gm(), |seen| {
        let (characters, clocks) = (seen.roster().count(), seen.clocks().count());
        let counts = [
            ("characters", characters as u64),
            ("clocks", clocks as u64),
            ("rolls", seen.rolls()),
        ];
        Contents {
            system: seen.system(),
            counts,
            problem,
        }
    }))
}
