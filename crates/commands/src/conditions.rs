//! The functions of the commands that give characters conditions or end them.

use super::name_lookup::{KnownName, find_name_surely};
use super::slots::combine;
use super::spec::ActResult;
use super::{Args, ParseError};
use tableside_game::{Character, Command, Condition, ConditionEnd};
use tableside_text::{fold, is_same_name};

/// Gives each named character a condition, which replaces a condition of the same name.
pub(super) fn add_condition(args: &Args<'_>) -> ActResult {
    let rounds = args.slots.rounds.map(|rounds| rounds.max(1).unsigned_abs());
    change_conditions(args, |conditions| {
        conditions.retain(|condition| !is_same_name(&condition.name, args.name()));
        let ends = if args.has("start") {
            ConditionEnd::TurnStart
        } else if args.has("end") {
            ConditionEnd::TurnEnd
        } else {
            ConditionEnd::Round
        };
        conditions.push(Condition {
            ends,
            ..Condition::new(args.name(), args.slots.amount, rounds)
        });
    })
}

/// Ends the named condition of each named character, or all their conditions if the command names none.
pub(super) fn end_conditions(args: &Args<'_>) -> ActResult {
    if args.name().is_empty() {
        return change_conditions(args, Vec::clear);
    }

    let ended = find_condition(args)?;
    combine(args.characters().map(|character| {
        match args.view.standing_of(character) {
            // The rules see this state, so the values behind it change.
            Some(standing) if standing.can_end && is_same_name(standing.word, ended) => {
                Command::EndStanding {
                    who: character.id,
                    word: standing.word.to_owned(),
                }
            }
            _ => with_conditions(character, |conditions| {
                conditions.retain(|condition| !is_same_name(&condition.name, ended));
            }),
        }
    }))
}

/// Finds the named condition among the conditions and states of the named characters.
fn find_condition<'a>(args: &Args<'a>) -> Result<&'a str, ParseError> {
    let mut names: Vec<&str> = Vec::new();
    for character in args.characters() {
        let standing = args.view.standing_of(character);
        let standing = standing.filter(|standing| standing.can_end);
        let conditions = character
            .conditions
            .iter()
            .map(|condition| condition.name.as_str());
        for word in conditions.chain(standing.map(|standing| standing.word)) {
            let is_known = names.iter().any(|name| is_same_name(name, word));
            if !is_known {
                names.push(word);
            }
        }
    }
    names.sort_by_key(|name| fold(name));

    let known_names: Vec<_> = names
        .into_iter()
        .map(|name| KnownName::new(name, name))
        .collect();
    find_name_surely("condition", args.name(), &known_names)
}

/// Changes the conditions of each named character.
fn change_conditions(args: &Args<'_>, change: impl Fn(&mut Vec<Condition>)) -> ActResult {
    let characters = args.characters();
    combine(characters.map(|character| with_conditions(character, &change)))
}

/// Builds the command that changes the conditions of a character.
pub fn with_conditions(character: &Character, change: impl FnOnce(&mut Vec<Condition>)) -> Command {
    let mut conditions = character.conditions.clone();
    change(&mut conditions);
    Command::SetConditions {
        who: character.id,
        conditions,
    }
}
