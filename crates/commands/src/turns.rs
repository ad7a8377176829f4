//! Commands for rounds, the turn order and attendance.
#![expect(
    clippy::unnecessary_wraps,
    reason = "the functions of all commands have the same type"
)]

use super::error::{refused, shorten};
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, Target};
use tableside_game::{Character, Command, Initiative, InitiativeError};
use tableside_table::SeatView;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::MarkActed,
        "acted WHO…",
        "Mark characters as having acted this round",
        mark_acted,
    )
    .applies_if(has_not_acted),
    CommandSpec::new(
        CommandId::MarkWaiting,
        "waits/unacted WHO…",
        "Mark characters as not having acted this round",
        mark_waiting,
    )
    .applies_if(has_acted),
    // This form precedes the one with a value, because a value is a text and accepts the word `none` as well.
    CommandSpec::new(
        CommandId::ClearInitiative,
        "initiative ~of WHO… none",
        "Remove characters from the turn order",
        clear_initiative,
    )
    .applies_if(has_initiative),
    CommandSpec::new(
        CommandId::SetInitiative,
        "initiative ~of WHO… ~is VALUE",
        "Set the initiative of characters; the highest initiative acts first",
        set_initiative,
    ),
    CommandSpec::new(
        CommandId::EndTurn,
        "end/next ~the turn",
        "End the current turn; after the last turn a new round starts",
        end_turn,
    ),
    CommandSpec::new(
        CommandId::NextRound,
        "next/new round",
        "Start the next round: characters can act again, and conditions lose one round",
        next_round,
    ),
    CommandSpec::new(
        CommandId::MarkAbsent,
        "absent WHO…",
        "Mark characters as absent today",
        mark_absent,
    )
    .applies_if(is_present),
    CommandSpec::new(
        CommandId::MarkPresent,
        "present/here WHO…",
        "Mark characters as present again",
        mark_present,
    )
    .applies_if(is_absent),
];

fn has_not_acted(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| !character.acted)
}

fn has_acted(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| character.acted)
}

fn has_initiative(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| character.initiative.is_some())
}

fn is_present(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| !character.absent)
}

fn is_absent(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| character.absent)
}

fn mark_acted(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.acted = true)
}

fn mark_waiting(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.acted = false)
}

fn mark_absent(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.absent = true)
}

fn mark_present(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.absent = false)
}

fn clear_initiative(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.initiative = None)
}

/// Sets the initiative of characters. If no round is running, also starts the first round.
fn set_initiative(args: &Args<'_>) -> ActResult {
    let initiative: Initiative = args.text().parse().map_err(|error: InitiativeError| {
        let typed = shorten(args.text());
        let reason = format!("initiative {error}, not \"{typed}\"");
        refused(reason)
    })?;

    let mut commands = Vec::new();
    for character in args.characters() {
        commands.push(Command::edit(Character {
            initiative: Some(initiative),
            ..character.clone()
        }));
    }
    if args.view.round == 0 {
        commands.push(Command::NextRound);
    }
    Ok(Command::together(commands).into())
}

/// Ends the current turn. After the last turn a new round starts.
fn end_turn(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let turns = view.turns();
    if let [current, _, ..] = turns.as_slice() {
        let character = Character {
            acted: true,
            ..(*current).clone()
        };
        return Ok(Command::edit(character).into());
    }

    let has_turn_order = view
        .roster()
        .any(|character| character.initiative.is_some());
    if turns.is_empty() && !has_turn_order {
        let reason = "no character has an initiative yet; set one with: initiative WHO VALUE";
        return Err(refused(reason));
    }
    Ok(Command::NextRound.into())
}

fn next_round(_: &Args<'_>) -> ActResult {
    Ok(Command::NextRound.into())
}
