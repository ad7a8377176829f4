//! Checks: made, called for, answered, and what is done about them afterwards.

use std::sync::Arc;

use super::check_reader::{ask, dice, read_faces};
use super::{ActResult, Args, CommandSpec, ParseError, all, command, gone, table_named};
use crate::roll_request::{chosen_by, closed_to_all};
use tableside_game::{
    CallCommand, CharacterId, Command, CommandError, EntityRef, Faces, Filled, GroupKind, Roll,
    RollCommand, Throw, ThrowCommand, Unfinished, UnfinishedId,
};
use tableside_rules::{Answer, Refused, Value, ValueSource};
use tableside_table::{Act, Entry, SeatView};
use tableside_text::join;

pub(super) const COMMANDS: &[CommandSpec] = &[
    command("roll WHO [CHECK…]", roll),
    command("roll DICE…", roll),
    command("table NAME [shown|hidden]", roll_table),
    command("roll worst|best CHECK…", roll),
    command("roll nobody CHECK…", roll),
    command("call ~on ~for WHO… CHECK…", call),
    command("call worst|best CHECK…", call),
    command("cancel call [~of WHO]", cancel_call),
    command("answer [#ENTRY] [~for WHO] VALUE", |it| {
        let check = waiting(it)?;
        let mut all = it.seen.unfinished();
        let is_by_hand = all.any(|one| one.id == check && one.by_hand);
        let asked = Faces::Typed(Vec::new());
        let command = Command::Answer {
            check,
            chose: it.text.to_lowercase(),
            by: chosen_by(it.seen),
            faces: if is_by_hand { asked } else { Faces::Rolled },
        };
        Ok(command.into())
    }),
    command("faces [#ENTRY] [WHO] VALUE", |it| {
        let (check, faces) = (waiting(it)?, read_faces(&it.text)?);
        Ok(Command::TypeFaces { check, faces }.into())
    }),
    command("abandon ~check [#ENTRY] [~of WHO]", |it| {
        Ok(Command::Abandon(waiting(it)?).into())
    }),
    command("repeat [ENTRY]", repeat),
    command("amend ENTRY FIELD=VALUE…", amend),
    command("reroll ENTRY [FIELD=VALUE…]", reroll),
];

fn rolled(command: RollCommand) -> Act {
    Command::Roll(Box::new(command)).into()
}

fn roll(it: &Args<'_>) -> ActResult {
    let (who, seen) = (it.who(), it.seen);
    // Free dice, where the words say some; a player's are the own character's.
    let roller = who.or_else(|| seen.seat().characters.first().copied());
    if let Some(thrown) = dice(&it.text, seen)?.and_then(|asked| asked.thrown_by(roller)) {
        return Ok(thrown.into());
    }
    if let Some(kind) = group(it) {
        let asked = ask(&it.text, None, None, seen)?;
        return Ok(rolled(asked.made_by_group(kind, seen)?));
    }
    // Without another word it is what was called for.
    let called = seen.calls().find(|call| Some(call.who) == who);
    let called = called.filter(|_| it.text.is_empty());
    let called = called.and_then(|call| seen.system().check(&call.check).ok());
    let asked = ask(&it.text, who, called, seen)?;
    Ok(rolled(asked.made_by(who, seen)?))
}

fn roll_table(it: &Args<'_>) -> ActResult {
    let tables = it.seen.random_tables();
    let table = table_named(&it.name, &tables)?;
    let is_hidden = (tables.is_hidden(table) || it.has("hidden")) && !it.has("shown");
    let command = Command::Throw(Box::new(ThrowCommand {
        who: None,
        what: Throw::Table {
            name: table.name.clone(),
            tables: Arc::clone(&tables),
        },
        hidden_from: closed_to_all(is_hidden),
        noticed: false,
    }));
    Ok(command.into())
}

fn group(it: &Args<'_>) -> Option<GroupKind> {
    let kinds = [("worst", GroupKind::Worst), ("best", GroupKind::Best)];
    it.said(kinds, |(word, _)| word).map(|(_, kind)| kind)
}

fn call(it: &Args<'_>) -> ActResult {
    let (kind, seen) = (group(it), it.seen);
    let asked = ask(&it.text, it.who(), None, seen)?;
    asked.keep_only("call", &["help", "shown"])?;
    let (who, fields, helpers) = if let Some(kind) = kind {
        let pick = seen.group(asked.spec(seen)?, kind, &asked.fields, &[])?;
        let fields = seen.called_with(&pick, &asked.fields);
        (vec![pick.who], fields, pick.helpers)
    } else {
        let helpers = asked.helpers(seen)?;
        (it.characters().collect(), asked.fields, helpers)
    };
    let command = Command::Call(CallCommand {
        who,
        check: asked.check,
        fields,
        helpers,
        group: kind == Some(GroupKind::Worst),
        shown: asked.shown,
    });
    Ok(command.into())
}

fn cancel_call(it: &Args<'_>) -> ActResult {
    let calls = it.seen.calls();
    let calls = calls.map(|call| (Some(call.who), it.seen.owner_name(Some(call.who)), call.id));
    let calls = of_one(it, "cancel call", "cancel", calls)?;
    all(calls.into_iter().map(EntityRef::Call).map(Command::Remove))
}

/// The roll that waits: the one of that number, else the only one, or the only one of that character.
fn waiting(it: &Args<'_>) -> Result<UnfinishedId, ParseError> {
    let seen = it.seen;
    let named = it.who();
    let mut all = Vec::new();
    for one in seen.unfinished() {
        if named.is_none() || one.roll.id == named {
            all.push(one);
        }
    }

    if let Some(number) = it.waiting {
        let id = seen.waiting_numbered(number);
        let meant = all.iter().find(|one| Some(one.id) == id);
        return meant.map(|one| one.id).ok_or_else(|| {
            let known: Vec<String> = all.iter().map(|one| describe_waiting(one, seen)).collect();
            let known = if known.is_empty() {
                "no roll waits".to_owned()
            } else {
                format!("the rolls that wait are {}", known.join(", "))
            };
            let why = format!("#{number} is no roll that waits; {known}");
            CommandError::from(Refused(why)).into()
        });
    }

    match all.as_slice() {
        [] => Err(CommandError::NothingTo("answer: no check waits").into()),
        [only] => Ok(only.id),
        [first, ..] => {
            let tag = seen.waiting_tag(first.id);
            Err(ParseError::SeveralWait {
                rolls: all.iter().map(|one| describe_waiting(one, seen)).collect(),
                example: format!("{} {tag} {}", it.verb(), it.text)
                    .trim_end()
                    .to_owned(),
            })
        }
    }
}

/// A roll that waits, with its number: `#12 (Mira, Skill check: 1, 5)`.
fn describe_waiting(waiting: &Unfinished, seen: &SeatView<'_>) -> String {
    let roll = &waiting.roll;
    let label = roll.spec(seen.system()).map_or("", |spec| spec.label);
    let who = match roll.who.as_str() {
        "" => String::new(),
        who => format!("{who}, "),
    };
    let faces = roll.trail.iter().filter_map(|answer| match answer {
        Answer::Faces(faces) => Some(join(faces, ", ")),
        Answer::Chose { .. } => None,
    });
    let faces = match join(faces, ", ") {
        none if none.is_empty() => none,
        faces => format!(": {faces}"),
    };
    format!("{} ({who}{label}{faces})", seen.waiting_tag(waiting.id))
}

/// Those of the character named, where one was; else there may be but one. There is at least one; else there is
/// nothing to do that to.
fn of_one<'a, T>(
    it: &Args<'_>,
    what: &str,
    to: &'static str,
    all: impl Iterator<Item = (Option<CharacterId>, &'a str, T)>,
) -> Result<Vec<T>, ParseError> {
    let named = it.who();
    let is_meant = |who| named.is_none() || who == named;
    let all = all.filter(|(who, ..)| is_meant(*who));
    let all = all.map(|(_, name, one)| (name.to_owned(), one));
    let (names, all): (Vec<String>, Vec<T>) = all.unzip();
    match all.len() {
        0 => Err(CommandError::NothingTo(to).into()),
        2.. if named.is_none() => Err(ParseError::Several {
            given: what.to_owned(),
            names,
        }),
        _ => Ok(all),
    }
}

/// The entry of that number; one that is not in memory is asked for.
fn read_entry(number: u64, seen: &SeatView<'_>) -> Result<Arc<Entry>, ParseError> {
    seen.entry(number).ok_or_else(|| {
        if (1..seen.log_reaches_to()).contains(&number) && !seen.has(number) {
            ParseError::Far(number)
        } else {
            gone("entry")
        }
    })
}

fn repeat(it: &Args<'_>) -> ActResult {
    let seen = it.seen;
    let is_roll = |entry: &Arc<Entry>| entry.event.what.resolved().is_some();
    let entry = match it.entry {
        Some(number) => Some(read_entry(number, seen)?),
        None => seen.log().find(is_roll),
    };
    let Some(entry) = entry else {
        return Err(match seen.log_reaches_to() {
            more @ 2.. if seen.seat().sees_all() => ParseError::Far(more - 1),
            _ => CommandError::NothingTo("roll again; name the entry of a roll").into(),
        });
    };
    let roll = resolved(&entry, "roll again; name the entry of a roll")?;
    // By the rules of today, whichever it was made under.
    let roll = &Roll {
        rules: None,
        ..roll.clone()
    };
    let mut filled = roll.filled(seen.system())?;
    // Tokens and clocks are those of today.
    take_todays_tokens(&mut filled, roll.id, seen)?;
    for (id, text) in seen.counted_on(filled.fields.spec(), roll.clock) {
        let field = filled.field(&id)?;
        seen.fill_in(&mut filled, roll.id, field, &text)?;
    }
    let helpers = roll.helpers.iter();
    let helpers = helpers.filter_map(|helper| seen.character(helper.id));
    Ok(rolled(RollCommand {
        who: roll.id,
        filled,
        faces: Faces::Rolled,
        choose: Vec::new(),
        by: chosen_by(seen),
        wait: false,
        hidden_from: roll.hidden_from.clone(),
        noticed: roll.noticed,
        clock: roll.clock.filter(|id| seen.clock(*id).is_some()),
        helpers: helpers.map(|one| one.id).collect(),
        group: roll.group,
    }))
}

/// Fills the fields that are read from a pool of tokens with what the pool holds now. A number of bonus tokens that a
/// person gave stays, as far as the pool still has them; penalty tokens are always used.
fn take_todays_tokens(
    filled: &mut Filled,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Result<(), CommandError> {
    let today = seen.fill(filled.fields.spec(), who).fields;
    for (field, value) in today.iter() {
        let (ValueSource::Tokens { owed, .. }, Some(value)) = (field.source, value) else {
            continue;
        };
        let given = filled.fields.maybe_number(field.id);
        let given = given.filter(|_| !owed && filled.is_given(field));
        let tokens = match (given, value.number()) {
            (Some(given), Some(available)) => Value::Number(given.min(available)),
            _ => value.clone(),
        };
        filled.fields.set(field.id, tokens)?;
    }
    Ok(())
}

fn resolved<'a>(entry: &'a Entry, to: &'static str) -> Result<&'a Roll, CommandError> {
    let roll = entry.event.what.resolved();
    roll.ok_or(CommandError::NothingTo(to))
}

fn amend(it: &Args<'_>) -> ActResult {
    let entry = it.entry()?;
    let read = read_entry(entry, it.seen)?;
    let roll = resolved(&read, "amend there; name the entry of a roll")?;
    let check = roll.spec(it.seen.system())?;
    let asked = ask(&it.text, roll.id, Some(check), it.seen)?;
    asked.keep_only("amend", &["faces", "choose"])?;
    let faces = asked.faces();
    let mut fields = asked.fields;
    let chosen = asked.choose.into_iter();
    fields.extend(chosen.map(|chose| ("choose".to_owned(), chose)));
    Ok(Act::Amend {
        entry,
        fields,
        faces,
    })
}

fn reroll(it: &Args<'_>) -> ActResult {
    let entry = it.entry()?;
    let read = read_entry(entry, it.seen)?;
    let check = read.roll().map(|roll| roll.spec(it.seen.system()));
    let asked = ask(&it.text, None, check.transpose()?, it.seen)?;
    asked.keep_only("reroll", &["faces"])?;
    Ok(Act::Reroll {
        entry,
        faces: asked.faces(),
    })
}
