//! `tableside games`: the known games.

use chrono::{DateTime, Local, SecondsFormat, Utc};
use serde_json::{Value as Json, json};

use super::game_list::{GameContents, ListedGame, list_games};
use super::{App, CliError, object, pluralise};
use tableside_store::date_of;
use tableside_table::GameSummary;
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

/// Lists the known games.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let storage = app.storage()?;
    if args.names {
        let games = storage.games()?;
        return app.out.lines(games.iter().map(|game| &game.name));
    }

    let games = list_games(&storage, app.clock)?;
    for game in &games {
        report_problems(app, &game.contents);
    }
    if args.json {
        let documents: Vec<Json> = games.iter().map(json_of).collect();
        return app.out.json(&documents);
    }
    if games.is_empty() {
        let nothing = format!("no games yet in {}", storage.display_path().display());
        app.out.line(&nothing)?;
        let hint = "`tableside new NAME --system SYSTEM` makes one";
        return app.out.line(hint);
    }
    let rows: Vec<(String, String)> = games.iter().map(row_of).collect();
    app.out.columns(&rows)
}

/// Keeps the notices of a game for the end, and makes the command fail if a game cannot be shown completely.
fn report_problems(app: &mut App<'_>, contents: &GameContents) {
    if let GameContents::Incomplete {
        problem, notices, ..
    } = contents
    {
        app.notices.extend(notices.iter().cloned());
        app.incomplete.extend(problem.iter().cloned());
    }
}

fn json_of(game: &ListedGame) -> Json {
    let last_played = json_of_time(date_of(game.last_saved));
    let contents = match &game.contents {
        GameContents::Complete(summary)
        | GameContents::Incomplete {
            summary,
            problem: None,
            ..
        } => json_of_summary(summary),
        GameContents::Incomplete {
            summary,
            problem: Some(problem),
            ..
        } => object([json_of_summary(summary), json!({"problem": problem})]),
        GameContents::Unreadable(problem) => json!({"problem": problem}),
    };
    object([
        json!({"name": game.name}),
        contents,
        json!({"last-played": last_played}),
    ])
}

fn json_of_summary(summary: &GameSummary) -> Json {
    json!({
        "system": summary.system,
        "characters": summary.characters,
        "clocks": summary.clocks,
        "rolls": summary.rolls,
        "sessions": summary.sessions,
        "last-session": summary.last_session.map(json_of_time),
    })
}

fn json_of_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Returns the name of a game and its description.
fn row_of(game: &ListedGame) -> (String, String) {
    let description = match &game.contents {
        GameContents::Complete(summary)
        | GameContents::Incomplete {
            summary,
            problem: None,
            ..
        } => describe_summary(summary),
        GameContents::Incomplete { summary, .. } => {
            format!("{}, not whole", describe_summary(summary))
        }
        GameContents::Unreadable(problem) => format!("cannot be opened: {problem}"),
    };
    let last_played = date_of(game.last_saved)
        .with_timezone(&Local)
        .format("%Y-%m-%d %H:%M");
    let name = fit(&game.name, WIDEST).into_owned();
    (name, format!("{description}, last played {last_played}"))
}

fn describe_summary(summary: &GameSummary) -> String {
    let characters = pluralise(summary.characters, "character");
    let clocks = pluralise(summary.clocks, "clock");
    let rolls = pluralise(summary.rolls, "roll");
    let contents = format!("{}, {characters}, {clocks}, {rolls}", summary.system);

    let Some(last_session) = summary.last_session else {
        return contents;
    };
    let sessions = pluralise(summary.sessions, "session");
    let last_session = last_session.with_timezone(&Local).format("%Y-%m-%d");
    format!("{contents}, {sessions}, the last on {last_session}")
}
