//! `tableside creatures`: the templates of creatures of a system and the user's own.

use serde_json::json;

use super::{App, CliError, Ink};
use tableside_game::Bestiary;
use tableside_rules::{Creature, Sheet, System};
use tableside_table::Seat;
use tableside_text::{did_you_mean, nearest};

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    /// The creature whose values are printed; otherwise all are listed
    name: Option<String>,
    /// The rule system
    #[arg(long, default_value = "5e")]
    system: String,
    /// As one JSON document
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    action: Option<CreatureAction>,
}

#[derive(Debug, clap::Subcommand)]
enum CreatureAction {
    /// Saves a character of a game as a template
    Save {
        /// The game
        game: String,
        /// The character
        character: String,
    },
}

/// Lists the creatures, prints one, or does what a subcommand says.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    if let Some(CreatureAction::Save { game, character }) = &args.action {
        return save(app, game, character);
    }

    let system = app.system(&args.system)?;
    let creatures = app.config.creatures(system);
    match &args.name {
        Some(name) => print(app, name, &creatures, system, args.json),
        None => list(app, &creatures, system, args.json),
    }
}

fn list(
    app: &mut App<'_>,
    creatures: &Bestiary,
    system: System,
    json: bool,
) -> Result<(), CliError> {
    if json {
        let all: Vec<_> = creatures
            .creatures
            .iter()
            .map(|creature| creature_json(creature, system))
            .collect();
        return app.out.json(&json!({
            "system": system.id(),
            "creatures": all,
            "unreadable": creatures.unreadable,
        }));
    }

    let mut rows = Vec::new();
    for creature in &creatures.creatures {
        let values = describe_values(creature, system);
        rows.push((creature.name.clone(), values));
    }
    app.out.columns(&rows)?;
    app.out.lines(creatures.unreadable.iter())
}

fn print(
    app: &mut App<'_>,
    name: &str,
    creatures: &Bestiary,
    system: System,
    json: bool,
) -> Result<(), CliError> {
    let found = creatures.named(name);
    let first = creatures.find(name).into_iter().next();
    let Some(creature) = found.or(first).map(|found| found.creature) else {
        let system = system.spec().name;
        let error = CliError::failed(format!("{system} has no creature named {name:?}"));
        return Err(error.hint("`tableside creatures` lists them"));
    };
    if json {
        return app.out.json(&creature_json(creature, system));
    }

    app.out.inked(&[(Ink::Strong, &creature.name)])?;
    app.out.line(&describe_values(creature, system))?;
    for pool in &creature.pools {
        app.out.line(&format!("{} {}", pool.name, pool.start))?;
    }
    if !creature.notes.is_empty() {
        app.out.line(&creature.notes)?;
    }
    Ok(())
}

/// Lists the values of a creature by the labels of its stats.
fn describe_values(creature: &Creature, system: System) -> String {
    let sheet = Sheet::new(system);
    let mut values = Vec::new();
    for (id, value) in &creature.stats {
        if let Ok(stat) = sheet.stat(id) {
            let label = if stat.short.is_empty() {
                stat.label
            } else {
                stat.short
            };
            values.push(format!("{label} {value}"));
        }
    }
    values.join(", ")
}

fn creature_json(creature: &Creature, system: System) -> serde_json::Value {
    json!({
        "name": creature.name,
        "side": creature.side.into_str(),
        "sheet": creature.sheet(system),
        "notes": creature.notes,
    })
}

/// Saves a character of a game as a template in the user's file for the system.
pub(super) fn save(app: &mut App<'_>, game: &str, character: &str) -> Result<(), CliError> {
    let name = app.name(game)?;
    let table = app.look_at(&name)?;
    let (creature, system) = table.read(&Seat::gm(), |view| {
        let found = view.game().character_named(character);
        let creature = found.and_then(|found| view.game().creature_of(found.id));
        match creature {
            Some(creature) => Ok((creature, view.system())),
            None => {
                let names = view.roster().map(|character| character.name.as_str());
                let suggestion = did_you_mean(nearest(character, names));
                Err(CliError::failed(format!(
                    "{name} has no character named {character}{suggestion}"
                )))
            }
        }
    })?;

    let path = app
        .config
        .save_creatures(system.id(), system, std::slice::from_ref(&creature))
        .map_err(|error| CliError::failed(error.to_string()))?;
    app.out.line(&format!(
        "{} is a template in {}",
        creature.name,
        path.display()
    ))
}
