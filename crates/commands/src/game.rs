//! Commands for scenes and sessions, for undo, and for the rules of the game.
#![expect(
    clippy::unnecessary_wraps,
    reason = "the functions of all commands have the same type"
)]

use super::error::refused;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec};
use tableside_game::{Command, CommandError, EntityRef, PrepareCommand};
use tableside_table::{Act, SeatId};

/// The maximum number of changes that one command undoes.
const MAX_UNDONE: i32 = 100;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::PrepareScene,
        "prepare THINGS… as NAME [~and away]",
        "Store copies of characters and clocks as a prepared scene; with the word \"away\", the originals are removed from the game",
        prepare_scene,
    ),
    CommandSpec::new(
        CommandId::BringScene,
        "bring ~scene SCENE",
        "Bring the characters and clocks of a prepared scene into play, hidden until you reveal them",
        bring_scene,
    ),
    CommandSpec::new(
        CommandId::RevealScene,
        "reveal scene SCENE",
        "Show players all characters and clocks that a prepared scene brought into play",
        reveal_scene,
    ),
    CommandSpec::new(
        CommandId::DropScene,
        "drop scene SCENE",
        "Delete a prepared scene; characters and clocks that it brought into play stay there",
        drop_scene,
    ),
    CommandSpec::new(CommandId::Undo, "undo", "Undo the last change", undo),
    CommandSpec::new(
        CommandId::Undo,
        "undo AMOUNT",
        "Undo the last AMOUNT changes, at most 100",
        undo_several,
    ),
    CommandSpec::new(
        CommandId::Redo,
        "redo",
        "Redo the change that was undone last",
        redo,
    ),
    CommandSpec::new(
        CommandId::UndoEntry,
        "undo entry ENTRY [WHY]",
        "Undo an entry of the log and its effects",
        undo_entry,
    ),
    CommandSpec::new(
        CommandId::UndoEntry,
        "undo #ENTRY [WHY]",
        "Undo the entry with this number in the log, as in: undo #12 wrong target",
        undo_entry,
    ),
    CommandSpec::new(
        CommandId::NextScene,
        "next/new scene [NAME]",
        "End the scene and start the next one",
        next_scene,
    ),
    CommandSpec::new(
        CommandId::NextScene,
        "scene ~is NAME",
        "End the scene and start one named NAME",
        next_scene,
    ),
    CommandSpec::new(
        CommandId::EndSession,
        "end ~the session",
        "End the session; pools that reset with each session go back to their start",
        end_session,
    ),
    CommandSpec::new(
        CommandId::TakeRules,
        "load/take ~the new rules [from NAME]",
        "Load the changed rules file of the system, or the file NAME; the game keeps values that the new rules do not define",
        take_rules,
    ),
    CommandSpec::new(
        CommandId::SetHouseRule,
        "house ~rule NAME VALUE",
        "Set a house rule; `tableside systems SYSTEM` lists the house rules",
        set_house_rule,
    ),
];

fn prepare_scene(args: &Args<'_>) -> ActResult {
    let command = PrepareCommand {
        characters: args.character_ids().collect(),
        clocks: args.clocks().map(|clock| clock.id).collect(),
        put_away: args.has("away"),
        ..PrepareCommand::new(args.name())
    };
    Ok(Command::PrepareScene(command).into())
}

fn bring_scene(args: &Args<'_>) -> ActResult {
    args.for_prepared_scene(Command::BringScene)
}

fn reveal_scene(args: &Args<'_>) -> ActResult {
    args.for_prepared_scene(Command::RevealScene)
}

fn drop_scene(args: &Args<'_>) -> ActResult {
    args.for_prepared_scene(|scene| Command::Remove(EntityRef::Prepared(scene)))
}

fn undo(_: &Args<'_>) -> ActResult {
    Ok(Act::Undo)
}

fn undo_several(args: &Args<'_>) -> ActResult {
    let count = args.amount();
    if !(1..=MAX_UNDONE).contains(&count) {
        let reason = format!("undo accepts 1 to {MAX_UNDONE} changes at once, not {count}");
        return Err(refused(reason));
    }
    Ok(Act::UndoSeveral(count.unsigned_abs()))
}

fn redo(_: &Args<'_>) -> ActResult {
    Ok(Act::Redo)
}

fn undo_entry(args: &Args<'_>) -> ActResult {
    Ok(Act::Strike {
        entry: args.entry()?,
        reason: args.text().to_owned(),
    })
}

fn next_scene(args: &Args<'_>) -> ActResult {
    let name = args.name().to_owned();
    Ok(Command::NextScene { name }.into())
}

fn end_session(_: &Args<'_>) -> ActResult {
    Ok(Command::EndSession.into())
}

fn take_rules(args: &Args<'_>) -> ActResult {
    let seat = args.view.seat();
    let file = args.name();
    if !seat.sees_all() {
        let gm = args.view.system().spec().gm;
        let reason = format!("only the {gm} can load new rules");
        return Err(CommandError::NotAllowed(reason).into());
    }
    if !file.is_empty() && seat.id != SeatId::HOST {
        let reason = "only the GM at the host's computer can name a rules file".to_owned();
        return Err(CommandError::NotAllowed(reason).into());
    }

    let command = Command::TakeRules {
        system: args.view.rules_to_take(file)?,
        from: file.to_owned(),
    };
    Ok(command.into())
}

fn set_house_rule(args: &Args<'_>) -> ActResult {
    let command = Command::SetHouse {
        rule: args.name().to_lowercase(),
        value: args.text().to_owned(),
    };
    Ok(command.into())
}
