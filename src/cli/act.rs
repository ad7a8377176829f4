//! `tableside do`: any action of the palette, in plain English.

use std::path::Path;

use super::roll::Venue;
use super::{App, CliError};
use crate::store::Name;
use crate::table::command_language::PLACES;
use crate::table::{Request, log_json};
use crate::text::joined;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "As in `tableside do friday tick the alarm 2`, `… roll Mira agility cn=12`, `… next scene The \
                  warehouse`, `… undo`."
)]
pub(super) struct Args {
    /// The session
    session: Option<String>,
    /// In the house instead, made if there is none: its clocks stand in all sessions
    #[arg(long)]
    house: bool,
    /// What is to be done; `tableside do --list` lists all that can be
    #[arg(allow_negative_numbers = true)]
    action: Vec<String>,
    /// Lists every action with its form
    #[arg(long)]
    list: bool,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command and prints what came of it.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let first = args.session.iter().filter(|_| args.house);
    let mut words = joined(first.chain(&args.action), " ");
    if let Some((take, file)) = words
        .rsplit_once(" from ")
        .filter(|(take, _)| take.starts_with("take"))
    {
        words = format!("{take} from {}", whole_path(file));
    }
    if args.list || words.trim().eq_ignore_ascii_case("help") {
        return list(app);
    }
    let session = match &args.session {
        _ if args.house => {
            app.make_house()?;
            Name::house()
        }
        Some(session) => app.name(session)?,
        None => {
            return Err(CliError::usage("SESSION is missing").hint(
                "`tableside do --list` lists all actions, `tableside sessions` all sessions",
            ));
        }
    };
    let wait = app.can_ask && !args.json;
    let mut done = app.send(&session, &Request::Say { words, wait })?;
    if wait {
        done = app.put_choices(&Venue::Session(&session), done)?;
    }
    if args.json {
        let document = log_json(&done.entry, &done.scene, false, done.system);
        app.out.json(&document)?;
    } else {
        app.out.lines(&done.aloud)?;
    }
    app.out.finish()?;
    Ok(done.saved()?)
}

/// A system's file by its whole path: the game may be open in another folder.
fn whole_path(word: &str) -> String {
    let path =
        Some(Path::new(word)).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let whole = path.and_then(|path| std::fs::canonicalize(path).ok());
    whole.map_or_else(
        || word.to_owned(),
        |whole| whole.to_string_lossy().into_owned(),
    )
}

/// Prints every action with its form.
fn list(app: &mut App<'_>) -> Result<(), CliError> {
    for (title, commands) in PLACES {
        let items = commands.iter();
        let items = items.map(|spec| (spec.form(), vec![spec.help().to_owned()]));
        app.out.section(title, items.collect())?;
    }
    app.out.line("")?;
    app.out.line(
        "Names are found by their beginning, or by some of their letters in order. WHO… takes several: \
         Mira and Bo, or all.",
    )
}
