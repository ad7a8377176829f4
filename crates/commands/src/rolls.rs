//! Commands for rolls: to roll, to call for a roll, to answer a choice, and to correct a roll afterwards.

use std::sync::Arc;

use super::check_reader::{read_check, read_faces};
use super::error::{gone, list_choices};
use super::free_dice::request_free_dice;
use super::known_names::random_table_named;
use super::pending_rolls::find_pending_roll;
use super::roll_options::hidden_from_all;
use super::roll_request::chosen_by;
use super::slots::combine;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, ParseError};
use tableside_game::{
    Call, CallCommand, CharacterId, Command, CommandError, EntityRef, Faces, Filled, FreeRoll,
    FreeRollCommand, GroupKind, RandomTable, Roll, RollCommand,
};
use tableside_rules::{CheckSpec, Refused, Value, ValueSource};
use tableside_table::{Act, Entry, SeatView};

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

fn roll_act(roll: RollCommand) -> Act {
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
            return Err(CommandError::from(Refused(reason.to_owned())).into());
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

fn group_kind(args: &Args<'_>) -> Option<GroupKind> {
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
    Ok(throw_on_table(table, is_hidden, args.view))
}

/// Builds the act that rolls on a random table. Players see the roll unless the table is hidden.
pub fn roll_on_table(table: &RandomTable, view: &SeatView<'_>) -> Act {
    let is_hidden = view.random_tables().is_hidden(table);
    throw_on_table(table, is_hidden, view)
}

fn throw_on_table(table: &RandomTable, is_hidden: bool, view: &SeatView<'_>) -> Act {
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

fn call_for_roll(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let request = read_check(args.text(), args.first_character(), None, view)?;
    request.allow_only("call", &["help", "shown"])?;
    let check = request.spec(view)?;

    let call = match group_kind(args) {
        Some(kind) => {
            let pick = view.group(check, kind, &request.fields, &[])?;
            let mut helpers = request.helper_ids(view)?;
            for id in &pick.helpers {
                if !helpers.contains(id) {
                    helpers.push(*id);
                }
            }
            CallCommand {
                fields: view.called_with(&pick, &request.fields),
                who: vec![pick.who],
                check: request.check,
                helpers,
                group: kind == GroupKind::Worst,
                shown: request.options.shown,
            }
        }
        None => CallCommand {
            who: args.character_ids().collect(),
            helpers: request.helper_ids(view)?,
            check: request.check,
            fields: request.fields,
            group: false,
            shown: request.options.shown,
        },
    };
    Ok(Command::Call(call).into())
}

/// Cancels the calls of the named character, or the only call.
fn cancel_call(args: &Args<'_>) -> ActResult {
    let named = args.first_character();
    let calls: Vec<&Call> = args
        .view
        .calls()
        .filter(|call| named.is_none() || Some(call.who) == named)
        .collect();

    if calls.is_empty() {
        let reason = match named {
            Some(_) => format!("{} has no open call to cancel", args.view.owner_name(named)),
            None => "there is no open call to cancel".to_owned(),
        };
        return Err(CommandError::from(Refused(reason)).into());
    }
    if calls.len() > 1 && named.is_none() {
        let mut names: Vec<String> = Vec::new();
        for call in &calls {
            let name = args.view.owner_name(Some(call.who));
            if !names.iter().any(|listed| listed == name) {
                names.push(name.to_owned());
            }
        }
        let choices = list_choices(&names);
        let reason = format!("several calls are open; name the character: {choices}");
        return Err(CommandError::from(Refused(reason)).into());
    }

    let removals = calls
        .iter()
        .map(|call| Command::Remove(EntityRef::Call(call.id)));
    combine(removals)
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

/// Returns an entry of the log, or an error if the entry must be read from the journal first.
fn read_entry(number: u64, view: &SeatView<'_>) -> Result<Arc<Entry>, ParseError> {
    if let Some(entry) = view.entry(number) {
        return Ok(entry);
    }

    let is_older = (1..view.log_reaches_to()).contains(&number) && !view.has(number);
    if is_older {
        Err(ParseError::EntryNotLoaded(number))
    } else {
        Err(gone("entry"))
    }
}

/// Returns the resolved roll of an entry. For any other entry, the error names the command `verb`.
fn resolved_roll<'a>(entry: &'a Entry, verb: &str) -> Result<&'a Roll, CommandError> {
    match entry.event.what.resolved() {
        Some(roll) => Ok(roll),
        None => {
            let number = entry.number;
            let reason = format!(
                "#{number} is not a finished roll; give {verb} the number of a finished roll"
            );
            Err(Refused(reason).into())
        }
    }
}

/// Repeats a roll under the current rules, with the current tokens and the current fill of its clock.
fn repeat_roll(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let entry = match args.slots.entry {
        Some(number) => read_entry(number, view)?,
        None => find_last_roll(view)?,
    };
    let roll = Roll {
        rules: None,
        ..resolved_roll(&entry, "repeat")?.clone()
    };

    let mut filled = roll.filled(view.system())?;
    use_present_tokens(&mut filled, roll.id, view)?;
    for (id, value) in view.counted_on(filled.fields.spec(), roll.clock) {
        let field = filled.field(&id)?;
        view.fill_in(&mut filled, roll.id, field, &value)?;
    }

    let mut helpers = Vec::new();
    for helper in &roll.helpers {
        if let Some(character) = view.character(helper.id) {
            helpers.push(character.id);
        }
    }

    Ok(roll_act(RollCommand {
        who: roll.id,
        filled,
        faces: Faces::Rolled,
        choose: Vec::new(),
        by: chosen_by(view),
        wait: false,
        hidden_from: roll.hidden_from,
        noticed: roll.noticed,
        clock: roll.clock.filter(|id| view.clock(*id).is_some()),
        helpers,
        group: roll.group,
    }))
}

fn find_last_roll(view: &SeatView<'_>) -> Result<Arc<Entry>, ParseError> {
    let last_roll = view
        .log()
        .find(|entry| entry.event.what.resolved().is_some());
    if let Some(entry) = last_roll {
        return Ok(entry);
    }

    let first_loaded = view.log_reaches_to();
    if first_loaded > 1 && view.seat().sees_all() {
        Err(ParseError::EntryNotLoaded(first_loaded - 1))
    } else {
        let reason = "no finished roll can be repeated yet; make a roll first";
        Err(CommandError::from(Refused(reason.to_owned())).into())
    }
}

/// Fills the fields that count tokens with the current tokens of their pools. A typed number of bonus tokens stays if
/// the pool still has as many; penalty tokens are always used.
fn use_present_tokens(
    filled: &mut Filled,
    who: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Result<(), CommandError> {
    let present = view.fill(filled.fields.spec(), who).fields;
    for (field, value) in present.iter() {
        let (ValueSource::Tokens { owed, .. }, Some(value)) = (field.source, value) else {
            continue;
        };

        let typed = if !owed && filled.is_given(field) {
            filled.fields.maybe_number(field.id)
        } else {
            None
        };
        let tokens = match (typed, value.number()) {
            (Some(typed), Some(available)) => Value::Number(typed.min(available)),
            _ => value.clone(),
        };
        filled.fields.set(field.id, tokens)?;
    }
    Ok(())
}

fn amend_roll(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let number = args.entry()?;
    let entry = read_entry(number, view)?;
    let roll = resolved_roll(&entry, "amend")?;

    let check = roll.spec(view.system())?;
    let request = read_check(args.text(), roll.id, Some(check), view)?;
    request.allow_only("amend", &["faces", "choose"])?;

    let faces = request.faces();
    let mut fields = request.fields;
    for answer in request.choose {
        fields.push(("choose".to_owned(), answer));
    }
    Ok(Act::Amend {
        entry: number,
        fields,
        faces,
    })
}

fn reroll(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let number = args.entry()?;
    let entry = read_entry(number, view)?;
    let check = match entry.roll() {
        Some(roll) => Some(roll.spec(view.system())?),
        None => None,
    };

    let request = read_check(args.text(), None, check, view)?;
    request.allow_only("reroll", &["faces"])?;
    if let Some((field, _)) = request.fields.first() {
        let reason = format!(
            "reroll keeps the fields of the roll; leave {field} out, or change it afterwards with amend"
        );
        return Err(CommandError::from(Refused(reason)).into());
    }
    Ok(Act::Reroll {
        entry: number,
        faces: request.faces(),
    })
}
