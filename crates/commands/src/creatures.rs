//! Commands that add creatures from templates, such as `4 goblins`.

use super::error::{list_choices, refused, shorten};
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, ParseError};
use tableside_game::{
    AddCreaturesCommand, Allegiance, Bestiary, Character, Command, CreatureMatch, MOST_COPIES,
    PrepareCommand, TypedCreatures, plural_of_creature,
};
use tableside_rules::System;
use tableside_table::SeatView;
use tableside_text::{did_you_mean, nearest};

/// The most names that an error lists.
const MOST_LISTED: usize = 6;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::AddCreatures,
        "add/new AMOUNT NAME [party|ally|adversary/enemy|neutral] [hidden]",
        "Add creatures from a template, as in: add 4 goblins; several are numbered",
        add_creatures,
    ),
    CommandSpec::new(
        CommandId::AddCreatures,
        "add/new creature/creatures NAME [party|ally|adversary/enemy|neutral] [hidden]",
        "Add a creature from a template; `tableside creatures` lists the templates",
        add_creatures,
    ),
    CommandSpec::new(
        CommandId::AddCreatures,
        "AMOUNT NAME [hidden]",
        "Add creatures from a template, as in: 4 goblins",
        add_creatures,
    ),
    CommandSpec::new(
        CommandId::PrepareScene,
        "prepare scene NAME with TEXT",
        "Prepare a scene of creatures, as in: prepare scene Ambush with 4 goblins, an ogre",
        prepare_creatures,
    ),
];

fn add_creatures(args: &Args<'_>) -> ActResult {
    let typed = TypedCreatures {
        count: u32::try_from(args.amount()).unwrap_or(0),
        is_counted: true,
        name: args.name().to_owned(),
    };
    let mut command = creatures_command(&typed, args.view)?;
    if let Some(side) = chosen_side(args) {
        command.character.side = side;
    }
    command.character.hidden = args.has("hidden");
    Ok(Command::AddCreatures(Box::new(command)).into())
}

fn prepare_creatures(args: &Args<'_>) -> ActResult {
    let command = PrepareCommand {
        creatures: read_creatures(args.text(), args.view)?,
        ..PrepareCommand::new(args.name())
    };
    Ok(Command::PrepareScene(command).into())
}

fn chosen_side(args: &Args<'_>) -> Option<Allegiance> {
    if args.has("party") {
        Some(Allegiance::Party)
    } else if args.has("ally") {
        Some(Allegiance::Ally)
    } else if args.has("adversary") {
        Some(Allegiance::Adversary)
    } else if args.has("neutral") {
        Some(Allegiance::Neutral)
    } else {
        None
    }
}

/// Reads a list of creatures: `4 goblins, 2 wolves and an ogre`.
///
/// # Errors
/// If a name fits no template.
pub fn read_creatures(
    text: &str,
    view: &SeatView<'_>,
) -> Result<Vec<AddCreaturesCommand>, ParseError> {
    let mut commands = Vec::new();
    for listed in text.split([',', ';']) {
        for part in listed.split(" and ") {
            let part = part.trim();
            let without_article = ["a ", "an ", "the "]
                .into_iter()
                .find_map(|article| part.strip_prefix(article));
            let typed = TypedCreatures::read(without_article.unwrap_or(part));
            if !typed.name.is_empty() {
                commands.push(creatures_command(&typed, view)?);
            }
        }
    }
    Ok(commands)
}

/// Finds the template of typed creatures and returns the command that adds them.
///
/// # Errors
/// If the name fits no template, or the number is too large.
pub fn creatures_command(
    typed: &TypedCreatures,
    view: &SeatView<'_>,
) -> Result<AddCreaturesCommand, ParseError> {
    if !(1..=MOST_COPIES).contains(&typed.count) {
        let count = typed.count;
        return Err(refused(format!(
            "one command adds from 1 to {MOST_COPIES} creatures, not {count}"
        )));
    }

    let creatures = view.creatures();
    let found = find_creature(&creatures, &typed.name)?;
    Ok(command_for(&found, typed.count, view.system()))
}

/// Returns the command that adds copies of a template.
pub fn command_for(found: &CreatureMatch<'_>, count: u32, system: System) -> AddCreaturesCommand {
    AddCreaturesCommand {
        character: Character::from_creature(found.creature, &found.name, system),
        pools: found.creature.pools.clone(),
        count,
    }
}

/// Finds the one template that a typed name means.
fn find_creature<'a>(
    creatures: &'a Bestiary,
    typed: &str,
) -> Result<CreatureMatch<'a>, ParseError> {
    if let Some(found) = creatures.named(typed) {
        return Ok(found);
    }

    let mut candidates = creatures.find(typed);
    match candidates.len() {
        1 => Ok(candidates.swap_remove(0)),
        0 => {
            // A misspelt plural is nearer to the name without its ending.
            let singular = typed.strip_suffix('s').unwrap_or(typed).to_lowercase();
            let near = nearest_creature(&singular, creatures);
            Err(ParseError::UnknownName {
                kind: "creature",
                typed: shorten(typed),
                suggestion: match near {
                    Some(_) => did_you_mean(near),
                    None => match describe_creatures(creatures) {
                        names if names.is_empty() => "; there are no templates".to_owned(),
                        names => format!("; try {names}"),
                    },
                },
            })
        }
        _ => {
            candidates.truncate(MOST_LISTED);
            let names: Vec<String> = candidates
                .iter()
                .map(|candidate| candidate.creature.name.clone())
                .collect();
            Err(refused(format!(
                "\"{}\" could be {}; name one of them",
                shorten(typed),
                list_choices(&names)
            )))
        }
    }
}

/// Lists the templates: `Goblin, Orc or Wolf`. Those beyond the twelfth are only counted.
pub fn describe_creatures(creatures: &Bestiary) -> String {
    let names: Vec<String> = creatures
        .creatures
        .iter()
        .map(|creature| creature.name.clone())
        .collect();
    list_choices(&names)
}

/// Returns a list of creatures that [`read_creatures`] understands: `4 goblins, an orc`. Empty without templates.
pub fn example_creatures(creatures: &Bestiary) -> String {
    let mut names = creatures
        .creatures
        .iter()
        .map(|creature| creature.name.to_lowercase());
    let Some(first) = names.next() else {
        return String::new();
    };

    let several = format!("4 {}", plural_of_creature(&first));
    match names.next() {
        Some(second) => {
            let is_vowel = second.starts_with(['a', 'e', 'i', 'o', 'u']);
            let article = if is_vowel { "an" } else { "a" };
            format!("{several}, {article} {second}")
        }
        None => several,
    }
}

/// Returns the name of a creature whose first word or whole name resembles the typed one.
fn nearest_creature<'a>(typed: &str, creatures: &'a Bestiary) -> Option<&'a str> {
    let lower_case: Vec<(String, &str)> = creatures
        .creatures
        .iter()
        .map(|creature| (creature.name.to_lowercase(), creature.name.as_str()))
        .collect();
    let whole_names = lower_case.iter().map(|(lower, _)| lower.as_str());
    let first_words = whole_names
        .clone()
        .filter_map(|name| name.split(' ').next());
    let near = nearest(typed, whole_names.chain(first_words))?;
    lower_case
        .iter()
        .find(|(lower, _)| lower.starts_with(near))
        .map(|(_, name)| *name)
}
