//! What befalls characters: conditions, harm, and what heals.

use super::{Made, all, each, gone};
use crate::rules::Consequence;
use crate::session::{Character, Command, CommandError, Condition, Rest};
use crate::table::SeatView;
use crate::table::command_language::reader::one;
use crate::table::command_language::said::Parsed;

pub(super) fn those<'a>(said: &Parsed, seen: &SeatView<'a>) -> Vec<&'a Character> {
    let known = said.all().iter().filter_map(|id| seen.character(*id));
    known.collect()
}

pub(super) fn condition(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let name = said.text("NAME");
    let rounds = said
        .number("ROUNDS")
        .map(|rounds| rounds.max(1).unsigned_abs());
    let given = those(said, seen).into_iter().map(|character| {
        let mut conditions = character.conditions.clone();
        conditions.retain(|known| known.name.to_lowercase() != name.to_lowercase());
        conditions.push(Condition {
            name: name.to_owned(),
            value: said.number("AMOUNT"),
            rounds,
            fades: false,
        });
        Command::SetConditions {
            who: character.id,
            conditions,
        }
    });
    all(given.collect())
}

pub(super) fn cure(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let name = said.text("NAME").to_lowercase();
    let mut cured = Vec::new();
    for character in those(said, seen) {
        let ends = |known: &Condition| known.name.to_lowercase().starts_with(&name);
        if !character.conditions.iter().any(ends) {
            let known: Vec<&str> = character
                .conditions
                .iter()
                .map(|one| one.name.as_str())
                .collect();
            return Err(CommandError::Unknown {
                kind: "condition",
                given: name,
                known: if known.is_empty() {
                    format!("; {} has none", character.name)
                } else {
                    format!("; {} is {}", character.name, known.join(", "))
                },
            }
            .into());
        }
        let left = character.conditions.iter().filter(|known| !ends(known));
        cured.push(Command::SetConditions {
            who: character.id,
            conditions: left.cloned().collect(),
        });
    }
    all(cured)
}

pub(super) fn damage(said: &Parsed, _: &SeatView<'_>) -> Made {
    let amount = said.number("AMOUNT").unwrap_or(0);
    let shrug_off = said.has("shrug");
    each(said, |who| Command::Damage {
        who,
        amount,
        shrug_off,
    })
}

pub(super) fn rest(said: &Parsed, _: &SeatView<'_>) -> Made {
    let rest = if said.has("short") {
        Rest::Short
    } else if said.has("long") {
        Rest::Long
    } else {
        Rest::LongFailed
    };
    each(said, |who| Command::Rest { who, rest })
}

pub(super) fn aid(said: &Parsed, _: &SeatView<'_>) -> Made {
    let of = if said.has("wounds") {
        Consequence::Blood
    } else {
        Consequence::Stress
    };
    let levels = said.number("LEVELS").unwrap_or(0);
    each(said, |who| Command::FirstAid { who, of, levels })
}

pub(super) fn treat(said: &Parsed, _: &SeatView<'_>) -> Made {
    let who = said.who().ok_or(gone("character"))?;
    let total = said.number("TOTAL").unwrap_or(0);
    Ok(Command::TreatWounds { who, total }.into())
}

pub(super) fn unlock(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let who = said.who().ok_or(gone("character"))?;
    let locks = seen.locks().filter(|(one, _)| one.id == who);
    let locks: Vec<(String, &str)> = locks.map(|(_, about)| (about.to_owned(), about)).collect();
    if locks.is_empty() {
        return Err(CommandError::NothingTo("unlock").into());
    }
    let (about, _) = one("locked challenge", said.text("NAME"), &locks)?;
    Ok(Command::Unlock {
        who,
        about: about.to_owned(),
        why: String::new(),
    }
    .into())
}
