//! Characters, what befalls them, and what one does to anything with a name.

use super::super::names::one;
use super::super::slots::{Slots, all, gone};
use super::super::{CommandSpec, Made, Thing, command};
use crate::rules::{Consequence, Refused, Sheet};
use crate::session::{
    Allegiance, Character, Command, CommandError, Condition, Rest, Subject, Visibility,
};
use crate::table::SeatView;

pub(in super::super) const COMMANDS: &[CommandSpec] = &[
    command(
        "acted WHO…",
        "notes that they have acted this round",
        "acted Mira",
        |slots, _| slots.each(|who| Command::SetActed { who, acted: true }),
    )
    .key("acted")
    .when(|thing, seen| is(thing, seen, |one| !one.acted)),
    command(
        "waits|unacted WHO…",
        "notes that they have yet to act this round",
        "waits Mira",
        |slots, _| slots.each(|who| Command::SetActed { who, acted: false }),
    )
    .key("acted")
    .when(|thing, seen| is(thing, seen, |one| one.acted)),
    command(
        "next|new round",
        "begins the next round: nobody has acted, conditions run down",
        "next round",
        |_, _| Ok(Command::NextRound.into()),
    )
    .key("next-round"),
    command(
        "absent WHO…",
        "notes that they are not here today",
        "absent Mira",
        |slots, _| slots.each(|who| Command::SetAbsent { who, absent: true }),
    )
    .key("absent")
    .when(|thing, seen| is(thing, seen, |one| !one.absent)),
    command(
        "present|here WHO…",
        "notes that they are here again",
        "present Mira",
        |slots, _| slots.each(|who| Command::SetAbsent { who, absent: false }),
    )
    .key("absent")
    .when(|thing, seen| is(thing, seen, |one| one.absent)),
    command(
        "condition WHO… ~is NAME [AMOUNT] [~for ROUNDS rounds|round]",
        "gives a condition, with a level and a number of rounds where it has them",
        "condition Mira dazed 2 rounds",
        condition,
    ),
    command(
        "cure|uncondition WHO… [~of NAME]",
        "ends a condition, or all",
        "cure Mira dazed",
        cure,
    )
    .when(|thing, seen| is(thing, seen, |one| !one.conditions.is_empty())),
    command(
        "damage WHO… AMOUNT [~and shrug ~off]",
        "they take damage; with shrug, half of it for a step of the heart die",
        "damage Goblin 3",
        |slots, _| {
            slots.each(|who| Command::Damage {
                who,
                amount: slots.amount(),
                shrug_off: slots.has("shrug"),
            })
        },
    ),
    command(
        "rest WHO… short|long|failed",
        "they rest, and get back what the rules give",
        "rest all long",
        |slots, _| {
            let mut rests = [("short", Rest::Short), ("long", Rest::Long)].into_iter();
            let rest = rests.find(|(word, _)| slots.has(word));
            let rest = rest.map_or(Rest::LongFailed, |(_, rest)| rest);
            slots.each(|who| Command::Rest { who, rest })
        },
    ),
    command(
        "aid WHO wounds|traumas LEVELS",
        "First Aid: each effect level removes a Wound or a Trauma",
        "aid Mira wounds 2",
        |slots, _| {
            slots.each(|who| Command::FirstAid {
                who,
                of: if slots.has("wounds") {
                    Consequence::Blood
                } else {
                    Consequence::Stress
                },
                levels: slots.amount(),
            })
        },
    ),
    command(
        "treat WHO ~with TOTAL",
        "treats wounds: the total of a medicine check comes off each one's rank",
        "treat Mira 12",
        |slots, _| {
            slots.each(|who| Command::TreatWounds {
                who,
                total: slots.amount(),
            })
        },
    ),
    command(
        "unlock WHO [NAME]",
        "lets a character try again what failed: inspiration, a clue, or rest",
        "unlock Mira the riddle",
        unlock,
    )
    .when(|thing, seen| {
        seen.locks()
            .any(|(one, _)| *thing == Thing::Character(one.id))
    }),
    command(
        "set WHO… STAT ~to VALUE",
        "gives a stat of the sheet a value",
        "set Mira agility d8",
        |slots, seen| {
            let stat = slots.stat()?;
            let sheet = Sheet::new(seen.system());
            let known = sheet.stat(stat).map_err(CommandError::from)?;
            let value = known.parse(&slots.text).map_err(CommandError::from)?;
            slots.each(|who| Command::SetStat {
                who,
                stat: stat.to_owned(),
                value: value.clone(),
            })
        },
    ),
    command(
        "raise WHO… STAT [~by AMOUNT]",
        "raises a stat by a step, or by so many",
        "raise Mira heart-now",
        |slots, _| step(slots, slots.amount()),
    ),
    command(
        "lower WHO… STAT [~by AMOUNT]",
        "lowers a stat by a step, or by so many",
        "lower Mira hit-points 3",
        |slots, _| step(slots, slots.amount().saturating_neg()),
    ),
    command(
        "side WHO… party|ally|adversary|apathetic",
        "says whose side they are on",
        "side Goblin ally",
        |slots, seen| slots.edit(seen, |one| one.side = side_in(slots)),
    ),
    command(
        "player ~of WHO NAME",
        "says who plays a character",
        "player Mira Ana",
        |slots, seen| slots.edit(seen, |one| one.player.clone_from(&slots.name)),
    ),
    command(
        "notes ~of WHO TEXT",
        "the GM's notes on a character, instead of those there are",
        "notes Mira owes the smith",
        |slots, seen| slots.edit(seen, |one| one.notes.clone_from(&slots.text)),
    ),
    command(
        "add|new character NAME [party|ally|adversary|apathetic] [hidden]",
        "adds a character with the system's usual sheet",
        "add character Goblin adversary",
        |slots, seen| {
            let character = Character {
                side: side_in(slots),
                hidden: slots.has("hidden"),
                ..Character::new(&slots.name, Sheet::new(seen.system()))
            };
            Ok(Command::add(character).into())
        },
    ),
    command(
        "hide THING",
        "hides a character or a clock from players",
        "hide The alarm",
        |slots, seen| show(slots, seen, Visibility::Hidden),
    )
    .key("visibility")
    .when(|thing, seen| {
        let seen = thing.visibility(seen);
        seen.is_some_and(|now| now != Visibility::Hidden)
    }),
    command(
        "show|reveal THING",
        "shows a character or a clock to players",
        "show The alarm",
        |slots, seen| show(slots, seen, Visibility::Visible),
    )
    .key("visibility")
    .when(|thing, seen| {
        let seen = thing.visibility(seen);
        seen.is_some_and(|now| now != Visibility::Visible)
    }),
    command(
        "rename THING to NAME",
        "gives a character, a clock or a pool another name",
        "rename Goblin to Gark",
        rename,
    ),
    command(
        "duplicate|copy THING",
        "adds another one like it",
        "duplicate Goblin",
        |slots, _| {
            all(slots
                .things
                .iter()
                .filter_map(subject)
                .map(Command::Duplicate))
        },
    )
    .key("duplicate"),
    command(
        "delete|remove THING",
        "deletes a character, a clock or a pool; undo brings it back",
        "delete Goblin 2",
        |slots, _| all(slots.things.iter().filter_map(subject).map(Command::Remove)),
    )
    .key("delete"),
];

/// What is duplicated and deleted as a whole.
const fn subject(thing: &Thing) -> Option<Subject> {
    match *thing {
        Thing::Character(id) => Some(Subject::Character(id)),
        Thing::Clock(id) => Some(Subject::Clock(id)),
        Thing::Pool(id) => Some(Subject::Pool(id)),
        Thing::Scene(_) | Thing::Stat(_) | Thing::Table => None,
    }
}

fn is(thing: &Thing, seen: &SeatView<'_>, test: fn(&Character) -> bool) -> bool {
    thing.character(seen).is_some_and(test)
}

fn condition(slots: &Slots, seen: &SeatView<'_>) -> Made {
    all(slots.known(seen).map(|character| {
        let mut conditions = character.conditions.clone();
        conditions.retain(|known| known.name.to_lowercase() != slots.name.to_lowercase());
        conditions.push(Condition {
            name: slots.name.clone(),
            value: slots.amount,
            rounds: slots.rounds.map(|rounds| rounds.max(1).unsigned_abs()),
            fades: false,
        });
        Command::SetConditions {
            who: character.id,
            conditions,
        }
    }))
}

fn cure(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let name = slots.name.to_lowercase();
    let ends = |known: &Condition| known.name.to_lowercase().starts_with(&name);
    for character in slots.known(seen) {
        if !character.conditions.iter().any(ends) {
            let known = character.conditions.iter().map(|one| one.name.as_str());
            let known: Vec<&str> = known.collect();
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
    }
    all(slots.known(seen).map(|character| {
        let left = character.conditions.iter().filter(|known| !ends(known));
        Command::SetConditions {
            who: character.id,
            conditions: left.cloned().collect(),
        }
    }))
}

fn unlock(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let who = slots.who().ok_or(gone("character"))?;
    let locks = seen.locks().filter(|(one, _)| one.id == who);
    let locks: Vec<(String, &str)> = locks.map(|(_, about)| (about.to_owned(), about)).collect();
    if locks.is_empty() {
        return Err(CommandError::NothingTo("unlock").into());
    }
    let (about, _) = one("locked challenge", &slots.name, &locks)?;
    Ok(Command::Unlock {
        who,
        about: about.to_owned(),
        why: String::new(),
    }
    .into())
}

fn step(slots: &Slots, by: i32) -> Made {
    let stat = slots.stat()?;
    slots.each(|who| Command::StepStat {
        who,
        stat: stat.to_owned(),
        by,
    })
}

fn side_in(slots: &Slots) -> Allegiance {
    let side = Allegiance::ALL
        .into_iter()
        .find(|side| slots.has(side.id()));
    side.unwrap_or_default()
}

fn show(slots: &Slots, seen: &SeatView<'_>, visibility: Visibility) -> Made {
    match slots.things.first() {
        Some(Thing::Clock(_)) => slots.edit_clocks(seen, |clock| clock.visibility = visibility),
        Some(Thing::Pool(_)) => {
            let why = "whoever sees a pool's owner sees the pool; hide the owner instead";
            Err(CommandError::Rules(Refused(why.to_owned())).into())
        }
        _ => slots.each(|who| Command::SetHidden {
            who,
            hidden: visibility == Visibility::Hidden,
        }),
    }
}

fn rename(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let name = &slots.name;
    match slots.things.first() {
        Some(Thing::Clock(_)) => slots.edit_clocks(seen, |clock| clock.name.clone_from(name)),
        Some(Thing::Pool(id)) => {
            let known = seen.pools().find(|pool| pool.id == *id);
            let mut pool = known.ok_or(gone("pool"))?.clone();
            pool.name.clone_from(name);
            Ok(Command::edit(pool).into())
        }
        _ => slots.edit(seen, |one| one.name.clone_from(name)),
    }
}
