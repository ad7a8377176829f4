//! Commands for rolls: to roll, to call for a roll, to answer a choice, and to correct a roll afterwards.

use super::calls::{call_for_roll, cancel_call};
use super::check_reader::{read_check, read_faces};
use super::earlier_rolls::{amend_roll, repeat_roll, reroll};
use super::error::refused;
use super::free_dice::request_free_dice;
use super::known_names::random_table_named;
use super::pending_rolls::find_pending_roll;
use super::roll_options::hidden_from_all;
use super::roll_request::chosen_by;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec};
use tableside_game::{
    CharacterId, Command, Faces, FreeRoll, FreeRollCommand, GroupKind, RandomTable, RollCommand,
};
use tableside_rules::CheckSpec;
use tableside_table::{Act, SeatView};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::Roll,
        "roll WHO [CHECK…]",
        "Roll a check: name the check or an entry of the sheet, then give fields as in cn=12, faces=5,7, choose=fail, help=Bo; \
         add against OPPONENT, for CLOCK, hidden or hidden from Kim, or wait to answer its choices later",
        roll,
    ),
    CommandSpec::new(
        CommandId::Roll,
        "roll DICE…",
        "Roll free dice, as in: roll 2d6+1; for a character, as in: roll Mira 2d6",
        roll,
    ),
    CommandSpec::new(
        CommandId::RollOnTable,
        "table NAME [shown|hidden]",
        "Roll on a random table; `tableside tables` lists the tables",
        roll_on_random_table,
    ),
    CommandSpec::new(
        CommandId::Roll,
        "roll worst|best CHECK…",
        "Roll a check for the party member with the lowest or highest odds",
        roll,
    ),
    CommandSpec::new(
        CommandId::Roll,
        "roll nobody CHECK…",
        "Roll a check without a character",
        roll,
    ),
    CommandSpec::new(
        CommandId::CallForRoll,
        "call ~on ~for WHO… CHECK…",
        "Call on characters to roll a check; add shown to let all players see the call",
        call_for_roll,
    ),
    CommandSpec::new(
        CommandId::CallForRoll,
        "call worst|best CHECK…",
        "Call on the party member with the lowest or highest odds to roll; the others help",
        call_for_roll,
    ),
    CommandSpec::new(
        CommandId::CancelCall,
        "cancel call [~of ~on WHO]",
        "Withdraw the call to a character; WHO can be left out if there is only one call",
        cancel_call,
    ),
    CommandSpec::new(
        CommandId::AnswerRoll,
        "answer [#ENTRY] [~for WHO] VALUE",
        "Answer the choice of a pending roll; if several are pending, give the number: answer #12 fail",
        answer,
    ),
    CommandSpec::new(
        CommandId::EnterFaces,
        "faces [#ENTRY] [WHO] VALUE",
        "Enter the faces that a pending roll waits for; if several are pending, give the number: faces #12 5,7",
        enter_faces,
    ),
    CommandSpec::new(
        CommandId::CancelRoll,
        "cancel roll/check [#ENTRY] [~of WHO]",
        "Cancel a pending roll; if several are pending, give the number: cancel roll #12",
        cancel_roll,
    ),
    CommandSpec::new(
        CommandId::RepeatRoll,
        "repeat [ENTRY]",
        "Repeat the roll of an entry with the same fields, or the last roll if no entry is given",
        repeat_roll,
    ),
    CommandSpec::new(
        CommandId::AmendRoll,
        "amend ENTRY FIELD=VALUE…",
        "Change the fields of a roll but keep its dice; the log keeps both results",
        amend_roll,
    ),
    CommandSpec::new(
        CommandId::Reroll,
        "reroll ENTRY [FACES]",
        "Spend a Favor to roll a check again with the same fields; add FACES if you roll real dice, as in faces=5,7",
        reroll,
    ),
];

/// The values that a roll accepts besides the fields of its check. The word `shown` is only for calls.
const ROLL_VALUES: &[&str] = &["faces", "choose", "help", "for CLOCK", "wait", "hidden"];

pub(super) fn roll_act(roll: RollCommand) -> Act {
    Command::Roll(Box::new(roll)).into()
}

fn roll(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let roller = args.first_character();

    // Free dice of a player belong to the player's own character, unless the player typed `nobody`.
    let dice_roller = if args.has("nobody") {
        None
    } else {
        roller.or_else(|| view.seat().characters.first().copied())
    };
    if let Some(request) = request_free_dice(args.text(), view)?
        && let Some(throw) = request.free_roll_by(dice_roller)
    {
        if group_kind(args).is_some() {
            let reason = "free dice cannot choose the worst or best of the party; name a character or a check";
            return Err(refused(reason));
        }
        return Ok(Command::FreeRoll(Box::new(throw)).into());
    }

    if let Some(kind) = group_kind(args) {
        let request = read_check(args.text(), None, None, view)?;
        request.allow_only("roll", ROLL_VALUES)?;
        return Ok(roll_act(request.roll_by_group(kind, view)?));
    }

    let called_check = if args.text().is_empty() {
        find_called_check(roller, view)
    } else {
        None
    };
    let request = read_check(args.text(), roller, called_check, view)?;
    request.allow_only("roll", ROLL_VALUES)?;
    Ok(roll_act(request.roll_by(roller, view)?))
}

/// Returns the check of the oldest call on the character.
fn find_called_check(
    roller: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<&'static CheckSpec> {
    let call = view.calls().find(|call| Some(call.who) == roller)?;
    view.system().check(&call.check).ok()
}

/// Returns the typed kind of a group roll, `worst` or `best`.
pub(super) fn group_kind(args: &Args<'_>) -> Option<GroupKind> {
    if args.has("worst") {
        Some(GroupKind::Worst)
    } else if args.has("best") {
        Some(GroupKind::Best)
    } else {
        None
    }
}

fn roll_on_random_table(args: &Args<'_>) -> ActResult {
    let tables = args.view.random_tables();
    let table = random_table_named(args.name(), &tables)?;

    let is_hidden = if args.has("shown") {
        false
    } else {
        args.has("hidden") || tables.is_hidden(table)
    };
    Ok(roll_on_table(table, is_hidden, args.view))
}

/// Builds the act that rolls on a random table.
pub fn roll_on_table(table: &RandomTable, is_hidden: bool, view: &SeatView<'_>) -> Act {
    let throw = FreeRollCommand {
        who: None,
        what: FreeRoll::Table {
            name: table.name.clone(),
            tables: view.random_tables(),
        },
        hidden_from: hidden_from_all(is_hidden),
        noticed: false,
    };
    Command::FreeRoll(Box::new(throw)).into()
}

fn answer(args: &Args<'_>) -> ActResult {
    let id = find_pending_roll(args)?;
    let mut pending = args.view.unfinished();
    let is_by_hand = pending.any(|roll| roll.id == id && roll.by_hand);
    let faces = if is_by_hand {
        Faces::Typed(Vec::new())
    } else {
        Faces::Rolled
    };

    let command = Command::Answer {
        check: id,
        chose: args.text().to_lowercase(),
        by: chosen_by(args.view),
        faces,
    };
    Ok(command.into())
}

fn enter_faces(args: &Args<'_>) -> ActResult {
    let command = Command::TypeFaces {
        check: find_pending_roll(args)?,
        faces: read_faces(args.text())?,
    };
    Ok(command.into())
}

fn cancel_roll(args: &Args<'_>) -> ActResult {
    let id = find_pending_roll(args)?;
    Ok(Command::Abandon(id).into())
}
