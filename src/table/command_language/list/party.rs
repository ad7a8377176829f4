//! Characters, and what befalls them.

use super::befalls::{aid, condition, cure, damage, rest, those, treat, unlock};
use super::{Made, all, each, gone, phrase};
use crate::rules::Sheet;
use crate::session::{Allegiance, Character, Clock, Command, CommandError, Visibility};
use crate::table::SeatView;
use crate::table::command_language::said::{Parsed, Thing};
use crate::table::command_language::{Phrase, Place};

const HERE: Place = Place::Party;

pub(super) const PHRASES: &[Phrase] = &[
    phrase(
        HERE,
        "acted WHO…",
        "notes that they have acted this round",
        "acted Mira",
        acted,
    ),
    phrase(
        HERE,
        "waits|unacted WHO…",
        "notes that they have yet to act this round",
        "waits Mira",
        waits,
    ),
    phrase(
        HERE,
        "next|new round",
        "begins the next round: nobody has acted, conditions run down",
        "next round",
        next_round,
    ),
    phrase(
        HERE,
        "absent WHO…",
        "notes that they are not here today",
        "absent Mira",
        absent,
    ),
    phrase(
        HERE,
        "present|here WHO…",
        "notes that they are here again",
        "present Mira",
        present,
    ),
    phrase(
        HERE,
        "condition WHO… ~is NAME [AMOUNT] [~for ROUNDS rounds|round]",
        "gives a condition, with a level and a number of rounds where it has them",
        "condition Mira dazed 2 rounds",
        condition,
    ),
    phrase(
        HERE,
        "cure|uncondition WHO… [~of NAME]",
        "ends a condition, or all",
        "cure Mira dazed",
        cure,
    ),
    phrase(
        HERE,
        "damage WHO… AMOUNT [~and shrug ~off]",
        "they take damage; with shrug, half of it for a step of the heart die",
        "damage Goblin 3",
        damage,
    ),
    phrase(
        HERE,
        "rest WHO… short|long|failed",
        "they rest, and get back what the rules give",
        "rest all long",
        rest,
    ),
    phrase(
        HERE,
        "aid WHO wounds|traumas LEVELS",
        "First Aid: each effect level removes a Wound or a Trauma",
        "aid Mira wounds 2",
        aid,
    ),
    phrase(
        HERE,
        "treat WHO ~with TOTAL",
        "treats wounds: the total of a medicine check comes off each one's rank",
        "treat Mira 12",
        treat,
    ),
    phrase(
        HERE,
        "unlock WHO [NAME]",
        "lets a character try again what failed: inspiration, a clue, or rest",
        "unlock Mira the riddle",
        unlock,
    ),
    phrase(
        HERE,
        "set WHO… STAT ~to VALUE",
        "gives a stat of the sheet a value",
        "set Mira agility d8",
        set,
    ),
    phrase(
        HERE,
        "raise WHO… STAT [~by AMOUNT]",
        "raises a stat by a step, or by so many",
        "raise Mira heart-now",
        raise,
    ),
    phrase(
        HERE,
        "lower WHO… STAT [~by AMOUNT]",
        "lowers a stat by a step, or by so many",
        "lower Mira hit-points 3",
        lower,
    ),
    phrase(
        HERE,
        "side WHO… party|ally|adversary|apathetic",
        "says whose side they are on",
        "side Goblin ally",
        side,
    ),
    phrase(
        HERE,
        "player ~of WHO NAME",
        "says who plays a character",
        "player Mira Ana",
        player,
    ),
    phrase(
        HERE,
        "notes ~of WHO TEXT",
        "the GM's notes on a character, instead of those there are",
        "notes Mira owes the smith",
        notes,
    ),
    phrase(
        HERE,
        "add|new character NAME [party|ally|adversary|apathetic] [hidden]",
        "adds a character with the system's usual sheet",
        "add character Goblin adversary",
        add,
    ),
    phrase(
        HERE,
        "hide THING",
        "hides a character or a clock from players",
        "hide The alarm",
        hide,
    ),
    phrase(
        HERE,
        "show|reveal THING",
        "shows a character or a clock to players",
        "show The alarm",
        show,
    ),
    phrase(
        HERE,
        "rename THING to NAME",
        "gives a character, a clock or a pool another name",
        "rename Goblin to Gark",
        rename,
    ),
    phrase(
        HERE,
        "duplicate|copy THING",
        "adds another one like it",
        "duplicate Goblin",
        duplicate,
    ),
    phrase(
        HERE,
        "delete|remove THING",
        "deletes a character, a clock or a pool; undo brings it back",
        "delete Goblin 2",
        delete,
    ),
];

fn acted(said: &Parsed, _: &SeatView<'_>) -> Made {
    each(said, |who| Command::SetActed { who, acted: true })
}

fn waits(said: &Parsed, _: &SeatView<'_>) -> Made {
    each(said, |who| Command::SetActed { who, acted: false })
}

fn next_round(_: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Command::NextRound.into())
}

fn absent(said: &Parsed, _: &SeatView<'_>) -> Made {
    each(said, |who| Command::SetAbsent { who, absent: true })
}

fn present(said: &Parsed, _: &SeatView<'_>) -> Made {
    each(said, |who| Command::SetAbsent { who, absent: false })
}

fn set(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let stat = said.stat().ok_or(gone("stat"))?;
    let known = Sheet::new(seen.system())
        .stat(stat)
        .map_err(CommandError::from)?;
    let value = known
        .parse(said.text("VALUE"))
        .map_err(CommandError::from)?;
    each(said, |who| Command::SetStat {
        who,
        stat: stat.to_owned(),
        value: value.clone(),
    })
}

fn step(said: &Parsed, by: i32) -> Made {
    let stat = said.stat().ok_or(gone("stat"))?;
    let by = said.number("AMOUNT").unwrap_or(1).saturating_mul(by);
    each(said, |who| Command::StepStat {
        who,
        stat: stat.to_owned(),
        by,
    })
}

fn raise(said: &Parsed, _: &SeatView<'_>) -> Made {
    step(said, 1)
}

fn lower(said: &Parsed, _: &SeatView<'_>) -> Made {
    step(said, -1)
}

fn edited(said: &Parsed, seen: &SeatView<'_>, edit: impl Fn(&mut Character)) -> Made {
    let edited = those(said, seen).into_iter().map(|character| {
        let mut character = character.clone();
        edit(&mut character);
        Command::EditCharacter(Box::new(character))
    });
    all(edited.collect())
}

fn side_in(said: &Parsed) -> Option<Allegiance> {
    Allegiance::ALL.into_iter().find(|side| said.has(side.id()))
}

fn side(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let side = side_in(said).unwrap_or_default();
    edited(said, seen, |character| character.side = side)
}

fn player(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let name = said.text("NAME");
    edited(said, seen, |character| {
        name.clone_into(&mut character.player);
    })
}

fn notes(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let text = said.text("TEXT");
    edited(said, seen, |character| {
        text.clone_into(&mut character.notes);
    })
}

fn add(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let character = Character {
        side: side_in(said).unwrap_or_default(),
        hidden: said.has("hidden"),
        ..Character::new(said.text("NAME"), Sheet::new(seen.system()))
    };
    Ok(Command::AddCharacter(Box::new(character)).into())
}

/// Changes a clock.
fn with_clock(
    id: crate::session::ClockId,
    seen: &SeatView<'_>,
    edit: impl FnOnce(&mut Clock),
) -> Made {
    let mut clock = seen.clock(id).ok_or(gone("clock"))?.clock.clone();
    edit(&mut clock);
    Ok(Command::EditClock(Box::new(clock)).into())
}

fn see(said: &Parsed, seen: &SeatView<'_>, hidden: bool) -> Made {
    match said.thing().ok_or(gone("thing"))? {
        Thing::Character(who) => Ok(Command::SetHidden { who, hidden }.into()),
        Thing::Clock(id) => with_clock(id, seen, |clock| {
            clock.visibility = if hidden {
                Visibility::Hidden
            } else {
                Visibility::Visible
            };
        }),
        Thing::Pool(_) => Err(CommandError::Rules(crate::rules::Refused(
            "whoever sees a pool's owner sees the pool; hide the owner instead".to_owned(),
        ))
        .into()),
    }
}

fn hide(said: &Parsed, seen: &SeatView<'_>) -> Made {
    see(said, seen, true)
}

fn show(said: &Parsed, seen: &SeatView<'_>) -> Made {
    see(said, seen, false)
}

fn rename(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let name = said.text("NAME");
    match said.thing().ok_or(gone("thing"))? {
        Thing::Character(id) => {
            let mut character = seen.character(id).ok_or(gone("character"))?.clone();
            name.clone_into(&mut character.name);
            Ok(Command::EditCharacter(Box::new(character)).into())
        }
        Thing::Clock(id) => with_clock(id, seen, |clock| name.clone_into(&mut clock.name)),
        Thing::Pool(id) => {
            let mut pool = seen
                .pools()
                .find(|pool| pool.id == id)
                .ok_or(gone("pool"))?
                .clone();
            name.clone_into(&mut pool.name);
            Ok(Command::EditPool(Box::new(pool)).into())
        }
    }
}

fn duplicate(said: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(match said.thing().ok_or(gone("thing"))? {
        Thing::Character(id) => Command::DuplicateCharacter(id),
        Thing::Clock(id) => Command::DuplicateClock(id),
        Thing::Pool(id) => Command::DuplicatePool(id),
    }
    .into())
}

fn delete(said: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(match said.thing().ok_or(gone("thing"))? {
        Thing::Character(id) => Command::RemoveCharacter(id),
        Thing::Clock(id) => Command::RemoveClock(id),
        Thing::Pool(id) => Command::RemovePool(id),
    }
    .into())
}
