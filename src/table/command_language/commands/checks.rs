//! Checks: made, called for, answered, and what is done about them afterwards.

use std::sync::Arc;

use super::super::roll::{ask, by, dice, read_faces};
use super::super::slots::{Slots, all, gone};
use super::super::{CommandSpec, Made, ParseError, command};
use crate::rules::Source;
use crate::session::{
    CallCommand, CharacterId, Command, CommandError, Faces, GroupKind, RollCommand, Subject,
    ThrowCommand, UnfinishedId, Who,
};
use crate::table::{Act, Entry, SeatView};

pub(in super::super) const COMMANDS: &[CommandSpec] = &[
    command(
        "roll WHO [CHECK…]",
        "makes a check: its name or what stands on the sheet, then fields as in cn=12, faces=5,7, choose=fail, help=Bo, for CLOCK, hidden",
        "roll Mira agility cn=12",
        roll,
    ),
    command(
        "roll DICE…",
        "rolls free dice, nobody's in particular; those of a character as in roll Mira 2d6",
        "roll 2d6+1",
        roll,
    ),
    command(
        "roll worst|best CHECK…",
        "the one of the party with the lowest or the highest odds makes the check",
        "roll worst skill cn=12",
        roll,
    ),
    command(
        "roll nobody CHECK…",
        "makes a check that is nobody's in particular",
        "roll nobody skill heart=d8 ability=d6 cn=9",
        roll,
    ),
    command(
        "call ~on ~for WHO… CHECK…",
        "calls on characters to make a check; with the word shown, all players see it",
        "call all skill cn=12",
        call,
    ),
    command(
        "call worst|best CHECK…",
        "calls on the one of the party with the lowest or the highest odds; the others help",
        "call worst skill cn=12",
        call,
    ),
    command(
        "cancel call [~of WHO]",
        "takes back the call on a character, or the only one",
        "cancel call Mira",
        cancel_call,
    ),
    command(
        "answer [~for WHO] VALUE",
        "answers the choice that a check waits for",
        "answer complication",
        |slots, seen| {
            let command = Command::Answer {
                check: waiting(slots.who(), seen)?,
                chose: slots.text.to_lowercase(),
                by: by(seen),
                faces: Faces::Rolled,
            };
            Ok(command.into())
        },
    ),
    command(
        "faces [WHO] VALUE",
        "types in the faces that a check waits for",
        "faces 5,7",
        |slots, seen| {
            let command = Command::TypeFaces {
                check: waiting(slots.who(), seen)?,
                faces: read_faces(&slots.text)?,
            };
            Ok(command.into())
        },
    ),
    command(
        "abandon ~check [~of WHO]",
        "gives up a check that waits",
        "abandon Mira",
        |slots, seen| Ok(Command::Abandon(waiting(slots.who(), seen)?).into()),
    ),
    command(
        "repeat [ENTRY]",
        "rolls the same again, with the same fields; without a number, the last roll",
        "repeat 12",
        repeat,
    ),
    command(
        "amend ENTRY FIELD=VALUE…",
        "reads the same faces again under other fields; both readings stay in the log",
        "amend 12 modifier=1",
        amend,
    ),
    command(
        "reroll ENTRY [FIELD=VALUE…]",
        "rolls a check again for a Favor, and accepts the second roll",
        "reroll 12",
        reroll,
    ),
];

fn rolled(command: RollCommand) -> Act {
    Command::Roll(Box::new(command)).into()
}

fn roll(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let who = slots.who();
    if let Some(thrown) = thrown(&slots.text, who) {
        return Ok(thrown);
    }
    if let Some(kind) = kind_of_group(slots) {
        let asked = ask(&slots.text, anybody(seen), None, seen)?;
        return Ok(rolled(asked.by_group(kind, seen)?));
    }
    // Without another word it is what was called for.
    let called = seen.calls().find(|call| Some(call.who) == who);
    let called = called.filter(|_| slots.text.is_empty());
    let called = called.and_then(|call| seen.system().check(&call.check).ok());
    Ok(rolled(ask(&slots.text, who, called, seen)?.by(who, seen)?))
}

fn kind_of_group(slots: &Slots) -> Option<GroupKind> {
    let mut kinds = [("worst", GroupKind::Worst), ("best", GroupKind::Best)].into_iter();
    kinds
        .find(|(word, _)| slots.has(word))
        .map(|(_, kind)| kind)
}

/// One whose sheet is like those of the others.
fn anybody(seen: &SeatView<'_>) -> Option<CharacterId> {
    seen.roster().next().map(|one| one.id)
}

/// Free dice, where the words say some.
fn thrown(words: &str, who: Option<CharacterId>) -> Option<Act> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let thrown = ThrowCommand {
        who: who.map_or(Who::Nobody, Who::Character),
        ..dice(&words)?
    };
    Some(Command::Throw(Box::new(thrown)).into())
}

fn call(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let kind = kind_of_group(slots);
    let like = slots.who().or_else(|| anybody(seen));
    let asked = ask(&slots.text, like, None, seen)?;
    let (check, shown) = (
        asked.check.id.to_owned(),
        asked.is("shown") || asked.is("openly"),
    );
    let given = asked.as_words();
    let (who, fields, helpers) = match kind {
        Some(kind) => {
            let pick = seen.group(asked.check, kind, &given, &[])?;
            (
                vec![pick.who],
                seen.called_with(&pick, &given),
                pick.helpers,
            )
        }
        None => (slots.characters().collect(), given, asked.helpers),
    };
    let command = Command::Call(CallCommand {
        who,
        check,
        fields,
        helpers,
        group: kind == Some(GroupKind::Worst),
        shown,
    });
    Ok(command.into())
}

fn cancel_call(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let who = slots.who();
    let calls = seen
        .calls()
        .filter(|call| who.is_none_or(|who| call.who == who));
    let calls: Vec<_> = calls.collect();
    match calls.as_slice() {
        [] => Err(CommandError::NothingTo("cancel").into()),
        [_, _, ..] if who.is_none() => Err(ParseError::Several {
            given: "cancel call".to_owned(),
            names: calls
                .iter()
                .map(|call| seen.owner_name(Some(call.who)).to_owned())
                .collect(),
        }),
        calls => all(calls
            .iter()
            .map(|call| Command::Remove(Subject::Call(call.id)))),
    }
}

/// The check that waits: the oldest of that character, or the only one.
fn waiting(who: Option<CharacterId>, seen: &SeatView<'_>) -> Result<UnfinishedId, ParseError> {
    let all = seen
        .unfinished()
        .filter(|one| who.is_none() || one.roll.id == who);
    let all: Vec<_> = all.collect();
    match all.as_slice() {
        [] => Err(CommandError::NothingTo("answer: no check waits").into()),
        [_, _, ..] if who.is_none() => Err(ParseError::Several {
            given: "the check that waits".to_owned(),
            names: all.iter().map(|one| one.roll.who.clone()).collect(),
        }),
        [first, ..] => Ok(first.id),
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

fn repeat(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let is_roll = |number: &u64| {
        let entry = seen.entry(*number);
        entry.is_some_and(|entry| entry.event.what.resolved().is_some())
    };
    let last = || seen.log().map(|entry| entry.number).find(is_roll);
    let number = slots.entry.or_else(last);
    let entry = match number {
        Some(number) => Some(read_entry(number, seen)?),
        None if seen.log_reaches_to() > 1 => {
            return Err(ParseError::Far(seen.log_reaches_to() - 1));
        }
        None => None,
    };
    let roll = entry.as_ref().and_then(|entry| entry.event.what.resolved());
    let Some(roll) = roll else {
        return Err(CommandError::NothingTo("roll again; name the entry of a roll").into());
    };
    let helpers = roll
        .helpers
        .iter()
        .filter_map(|helper| seen.character(helper.id));
    let mut fields = roll.all_fields(seen.system())?;
    fields.decide(seen.house());
    // Tokens are those of today.
    let today = seen.fill(fields.spec(), roll.id).fields;
    for (field, value) in today.iter() {
        if let (Source::Tokens { .. }, Some(value)) = (field.source, value) {
            fields
                .set(field.id, value.clone())
                .map_err(CommandError::from)?;
        }
    }
    Ok(rolled(RollCommand {
        who: roll.id.map_or(Who::Nobody, Who::Character),
        fields,
        sources: roll.sources.clone(),
        faces: Faces::Rolled,
        choose: Vec::new(),
        by: by(seen),
        wait: false,
        hidden_from: roll.hidden_from.clone(),
        noticed: roll.noticed,
        clock: roll.clock.filter(|id| seen.clock(*id).is_some()),
        helpers: helpers.map(|one| one.id).collect(),
        group: roll.group,
    }))
}

fn amend(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let number = slots.entry.ok_or(gone("entry"))?;
    let entry = read_entry(number, seen)?;
    let roll = entry.event.what.resolved();
    let Some(roll) = roll else {
        return Err(CommandError::NothingTo("amend there; name the entry of a roll").into());
    };
    let check = roll.spec(seen.system())?;
    let asked = ask(&slots.text, roll.id, Some(check), seen)?;
    let mut fields = asked.as_words();
    let chosen = asked.choose.into_iter();
    fields.extend(chosen.map(|chose| ("choose".to_owned(), chose)));
    Ok(Act::Amend {
        entry: number,
        fields,
        faces: asked.faces,
    })
}

fn reroll(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let entry = slots.entry.ok_or(gone("entry"))?;
    let found = read_entry(entry, seen)?;
    let roll = found.roll();
    let check = roll.map(|roll| roll.spec(seen.system())).transpose()?;
    let asked = ask(&slots.text, None, check, seen)?;
    Ok(Act::Reroll {
        entry,
        faces: asked.faces,
    })
}
