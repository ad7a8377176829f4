//! Checks: made, called for, answered, and what is done about them afterwards.

use std::sync::Arc;

use super::{Made, all, gone, phrase};
use crate::rules::{Kind, Source};
use crate::session::{
    CharacterId, Command, CommandError, Faces, GroupKind, RollCommand, ThrowCommand, UnfinishedId,
    Who,
};
use crate::table::command_language::roll::{ask, by, dice, read_faces};
use crate::table::command_language::said::Parsed;
use crate::table::command_language::{ParseError, Phrase, Place};
use crate::table::{Act, Entry, SeatView};

const HERE: Place = Place::Checks;

pub(super) const PHRASES: &[Phrase] = &[
    phrase(
        HERE,
        "roll WHO [CHECK…]",
        "makes a check: its name or what stands on the sheet, then fields as in cn=12, faces=5,7, choose=fail, help=Bo, for CLOCK, hidden",
        "roll Mira agility cn=12",
        roll,
    ),
    phrase(
        HERE,
        "roll DICE…",
        "rolls free dice, nobody's in particular; those of a character as in roll Mira 2d6",
        "roll 2d6+1",
        roll_dice,
    ),
    phrase(
        HERE,
        "roll worst|best CHECK…",
        "the one of the party with the lowest or the highest odds makes the check",
        "roll worst skill cn=12",
        roll_group,
    ),
    phrase(
        HERE,
        "roll nobody CHECK…",
        "makes a check that is nobody's in particular",
        "roll nobody skill heart=d8 ability=d6 cn=9",
        roll_nobody,
    ),
    phrase(
        HERE,
        "call ~on ~for WHO… CHECK…",
        "calls on characters to make a check; with the word shown, all players see it",
        "call all skill cn=12",
        call,
    ),
    phrase(
        HERE,
        "call worst|best CHECK…",
        "calls on the one of the party with the lowest or the highest odds; the others help",
        "call worst skill cn=12",
        call_group,
    ),
    phrase(
        HERE,
        "cancel call [~of WHO]",
        "takes back the call on a character, or the only one",
        "cancel call Mira",
        cancel_call,
    ),
    phrase(
        HERE,
        "answer [~for WHO] VALUE",
        "answers the choice that a check waits for",
        "answer complication",
        answer,
    ),
    phrase(
        HERE,
        "faces [WHO] VALUE",
        "types in the faces that a check waits for",
        "faces 5,7",
        faces,
    ),
    phrase(
        HERE,
        "abandon ~check [~of WHO]",
        "gives up a check that waits",
        "abandon Mira",
        abandon,
    ),
    phrase(
        HERE,
        "repeat [ENTRY]",
        "rolls the same again, with the same fields; without a number, the last roll",
        "repeat 12",
        repeat,
    ),
    phrase(
        HERE,
        "amend ENTRY FIELD=VALUE…",
        "reads the same faces again under other fields; both readings stay in the log",
        "amend 12 modifier=1",
        amend,
    ),
    phrase(
        HERE,
        "reroll ENTRY [FIELD=VALUE…]",
        "rolls a check again for a Favor, and accepts the second roll",
        "reroll 12",
        reroll,
    ),
];

fn rolled(command: RollCommand) -> Act {
    Command::Roll(Box::new(command)).into()
}

fn roll(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let (who, words) = (said.who(), said.text("CHECK…"));
    if let Some(thrown) = thrown(words, who) {
        return Ok(thrown);
    }
    // Without another word it is what was called for.
    let called = seen.calls().find(|call| Some(call.who) == who);
    let called = called.filter(|_| words.is_empty());
    let called = called.and_then(|call| seen.system().check(&call.check).ok());
    let asked = ask(words, who, called, seen)?;
    Ok(rolled(asked.by(who, seen)?))
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

fn roll_dice(said: &Parsed, _: &SeatView<'_>) -> Made {
    thrown(said.text("DICE…"), None).ok_or(ParseError::Nothing)
}

fn kind_of_group(said: &Parsed) -> GroupKind {
    if said.has("worst") {
        GroupKind::Worst
    } else {
        GroupKind::Best
    }
}

fn roll_group(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let kind = kind_of_group(said);
    let first = seen.roster().next().map(|one| one.id);
    let asked = ask(said.text("CHECK…"), first, None, seen)?;
    Ok(rolled(asked.by_group(kind, seen)?))
}

fn roll_nobody(said: &Parsed, seen: &SeatView<'_>) -> Made {
    if let Some(thrown) = thrown(said.text("CHECK…"), None) {
        return Ok(thrown);
    }
    let asked = ask(said.text("CHECK…"), None, None, seen)?;
    Ok(rolled(asked.by(None, seen)?))
}

fn call(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let asked = ask(said.text("CHECK…"), said.who(), None, seen)?;
    let command = Command::Call {
        who: said.all().to_vec(),
        check: asked.check.id.to_owned(),
        fields: asked.as_words(),
        shown: asked.is("shown") || asked.is("openly"),
        helpers: asked.helpers.clone(),
        group: false,
    };
    Ok(command.into())
}

fn call_group(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let kind = kind_of_group(said);
    let first = seen.roster().next().map(|one| one.id);
    let asked = ask(said.text("CHECK…"), first, None, seen)?;
    let given = asked.as_words();
    let pick = seen.group(asked.check, kind, &given, &[])?;
    let command = Command::Call {
        who: vec![pick.who],
        check: asked.check.id.to_owned(),
        fields: seen.called_with(&pick, &given),
        shown: asked.is("shown") || asked.is("openly"),
        helpers: pick.helpers,
        group: kind == GroupKind::Worst,
    };
    Ok(command.into())
}

fn cancel_call(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let calls: Vec<_> = match said.who() {
        Some(who) => seen.calls().filter(|call| call.who == who).collect(),
        None => seen.calls().collect(),
    };
    match (calls.as_slice(), said.who()) {
        ([], _) => Err(CommandError::NothingTo("cancel").into()),
        ([call], _) => Ok(Command::CancelCall(call.id).into()),
        (calls, Some(_)) => all(calls
            .iter()
            .map(|call| Command::CancelCall(call.id))
            .collect()),
        (calls, None) => Err(ParseError::Several {
            given: "cancel call".to_owned(),
            names: calls
                .iter()
                .map(|call| seen.owner_name(Some(call.who)).to_owned())
                .collect(),
        }),
    }
}

/// The check that waits: of that character, or the only one.
fn waiting(who: Option<CharacterId>, seen: &SeatView<'_>) -> Result<UnfinishedId, ParseError> {
    let all: Vec<_> = seen.unfinished().collect();
    let own: Vec<_> = all
        .iter()
        .filter(|one| who.is_none() || one.roll.id == who)
        .collect();
    match own.as_slice() {
        [] => Err(CommandError::NothingTo("answer: no check waits").into()),
        [one] => Ok(one.id),
        several if who.is_none() => Err(ParseError::Several {
            given: "the check that waits".to_owned(),
            names: several.iter().map(|one| one.roll.who.clone()).collect(),
        }),
        // The oldest first, as they were asked.
        [first, ..] => Ok(first.id),
    }
}

fn answer(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let command = Command::Answer {
        check: waiting(said.who(), seen)?,
        chose: said.text("VALUE").to_lowercase(),
        by: by(seen),
        faces: Faces::Rolled,
    };
    Ok(command.into())
}

fn faces(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let command = Command::TypeFaces {
        check: waiting(said.who(), seen)?,
        faces: read_faces(said.text("VALUE"))?,
    };
    Ok(command.into())
}

fn abandon(said: &Parsed, seen: &SeatView<'_>) -> Made {
    Ok(Command::Abandon(waiting(said.who(), seen)?).into())
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

fn repeat(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let is_roll = |number: &u64| {
        let entry = seen.entry(*number);
        entry.is_some_and(|entry| entry.event.what.resolved().is_some())
    };
    let last = || seen.log().map(|entry| entry.number).find(is_roll);
    let number = said.entry().or_else(last);
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

fn amend(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let number = said.entry().ok_or(gone("entry"))?;
    let entry = read_entry(number, seen)?;
    let roll = entry.event.what.resolved();
    let Some(roll) = roll else {
        return Err(CommandError::NothingTo("amend there; name the entry of a roll").into());
    };
    let check = roll.spec(seen.system())?;
    let asked = ask(said.text("FIELD=VALUE…"), roll.id, Some(check), seen)?;
    let mut fields: Vec<(String, String)> = asked
        .given
        .iter()
        .map(|(field, value)| {
            let value = if field.kind == Kind::Flag && value.is_empty() {
                "yes"
            } else {
                value
            };
            (field.id.to_owned(), value.to_owned())
        })
        .collect();
    fields.extend(
        asked
            .choose
            .into_iter()
            .map(|chose| ("choose".to_owned(), chose)),
    );
    Ok(Act::Amend {
        entry: number,
        fields,
        faces: asked.faces,
    })
}

fn reroll(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let entry = said.entry().ok_or(gone("entry"))?;
    let found = read_entry(entry, seen)?;
    let roll = found.roll();
    let check = roll.map(|roll| roll.spec(seen.system())).transpose()?;
    let asked = ask(said.text("FIELD=VALUE…"), None, check, seen)?;
    Ok(Act::Reroll {
        entry,
        faces: asked.faces,
    })
}
