//! `tableside new`: makes a game.

use super::sample::sample;
use super::{App, CliError, close, unsaved};
use tableside_game::Game;
use tableside_rules::System;
use tableside_store::{Name, Storage};
use tableside_table::{TimeSource, keep_origin};
use tableside_text::quote_for_shell;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What it is called
    name: String,
    /// The rule system; `tableside systems` lists them
    #[arg(long)]
    system: String,
    /// With that system's sample game
    #[arg(long)]
    sample: bool,
}

/// Makes a game with an empty party, or with a sample game.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = app.new_name(&args.name)?;
    let system = app.system(&args.system)?;
    make(&app.storage()?, app.clock, &name, (system, args.sample))?;
    if let Some(file) = app.config.system_file(&args.system) {
        keep_origin(&app.storage()?.location(&name), &file.path)?;
    }
    let what = if args.sample {
        "the sample game"
    } else {
        "an empty party"
    };
    tell_made(app, &name, system, what)
}

/// Tells what was made, and how it is opened.
pub(super) fn tell_made(
    app: &mut App<'_>,
    name: &Name,
    system: System,
    with: &str,
) -> Result<(), CliError> {
    let quoted = quote_for_shell(name.as_str());
    let system = system.spec().name;
    app.out.line(&format!(
        "{name}: {system}, with {with}; `tableside {quoted}` opens it"
    ))
}

/// Makes it.
pub(super) fn make(
    storage: &Storage,
    clock: TimeSource,
    name: &Name,
    (system, with_sample): (System, bool),
) -> Result<(), CliError> {
    let game = if with_sample {
        let sample = sample(system)?;
        (sample.game, sample.entries)
    } else {
        (Game::new(system), Vec::new())
    };
    let table = unsaved(name.as_str(), game, None, clock)?;
    table.rename(storage, name)?;
    close(&table)
}
