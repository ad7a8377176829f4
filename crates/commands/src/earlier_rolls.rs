//! The functions of the commands that change or repeat an earlier roll: `repeat`, `amend` and `reroll`.

use std::sync::Arc;

use super::check_reader::read_check;
use super::error::{gone, refused};
use super::roll_request::chosen_by;
use super::rolls::roll_act;
use super::spec::ActResult;
use super::{Args, ParseError};
use tableside_game::{CharacterId, CommandError, Faces, Filled, Roll, RollCommand};
use tableside_rules::{Refused, Value, ValueSource};
use tableside_table::{Act, Entry, SeatView};

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
pub(super) fn repeat_roll(args: &Args<'_>) -> ActResult {
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
    for (id, value) in view.fields_from_clock(filled.fields.spec(), roll.clock) {
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
    if first_loaded == 1 {
        let reason = "no finished roll can be repeated yet; make a roll first";
        return Err(refused(reason));
    }

    // Players can refer only to entries in memory, so older entries are not loaded for them.
    if view.seat().sees_all() {
        Err(ParseError::EntryNotLoaded(first_loaded - 1))
    } else {
        let reason =
            "the newest entries contain no finished roll that you can see; make a roll first";
        Err(refused(reason))
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

pub(super) fn amend_roll(args: &Args<'_>) -> ActResult {
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

pub(super) fn reroll(args: &Args<'_>) -> ActResult {
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
        return Err(refused(reason));
    }
    Ok(Act::Reroll {
        entry: number,
        faces: request.faces(),
    })
}
