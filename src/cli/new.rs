//! `tableside new`: makes a game.

use super::sample::sample;
use super::{App, CliError, close, unsaved};
use tableside_game::{Character, Command, Game};
use tableside_rules::{Sheet, System};
use tableside_store::{Name, Storage};
use tableside_table::{Seat, TimeSource, keep_origin};
use tableside_text::{pluralise, quote_for_shell};
use tableside_tui::NewGame;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of the game
    name: String,
    /// The rule system; `tableside systems` lists them
    #[arg(long)]
    system: String,
    /// With the system's sample game
    #[arg(long)]
    sample: bool,
    /// Names of the party, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    characters: Vec<String>,
}

/// Makes a game with an empty party, or with a sample game.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = app.new_name(&args.name)?;
    let system = app.system(&args.system)?;
    let new_game = NewGame {
        name: args.name.clone(),
        system,
        sample: args.sample,
        characters: args.characters.clone(),
    };
    make(&app.storage()?, app.clock, &name, &new_game)?;
    if let Some(file) = app.config.system_file(&args.system) {
        keep_origin(&app.storage()?.location(&name), &file.path)?;
    }
    let party = match args.characters.len() {
        0 => "an empty party".to_owned(),
        count => pluralise(count, "character"),
    };
    let contents = if args.sample {
        "the sample game".to_owned()
    } else {
        party
    };
    tell_made(app, &name, system, &contents)
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

/// Makes a game, with the characters as party members.
pub(super) fn make(
    storage: &Storage,
    clock: TimeSource,
    name: &Name,
    new_game: &NewGame,
) -> Result<(), CliError> {
    let system = new_game.system;
    let game = if new_game.sample {
        let sample = sample(system)?;
        (sample.game, sample.entries)
    } else {
        (Game::new(system), Vec::new())
    };
    let table = unsaved(name.as_str(), game, None, clock)?;

    for character in &new_game.characters {
        let character = Character::new(character, Sheet::new(system));
        let command = Command::add(character);
        table
            .submit(&Seat::gm(), &command.into())
            .map_err(|problem| CliError::failed(problem.to_string()))?;
    }

    table.rename(storage, name)?;
    close(&table)
}
