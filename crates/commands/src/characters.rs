//! Characters, what befalls them, and what one does to anything with a name.

use super::{ActResult, Args, CommandSpec, Thing, all, command, cut, gone, surely};
use tableside_game::{
    Allegiance, Blow, Character, Command, CommandError, Condition, Initiative, InitiativeError,
    Rest, Visibility,
};
use tableside_rules::{Id, Refused, Sheet};
use tableside_table::SeatView;
use tableside_text::{fold, is_same_name};

pub(super) const COMMANDS: &[CommandSpec] = &[
    command("acted WHO…", |it| it.edit(|one| one.acted = true))
        .key("acted")
        .when(|thing, seen| is(thing, seen, |one| !one.acted)),
    command("waits|unacted WHO…", |it| {
        it.edit(|one| one.acted = false)
    })
    .key("acted")
    .when(|thing, seen| is(thing, seen, |one| one.acted)),
    // Before the form with a value, which is a text and takes the word `none` as well.
    command("initiative ~of WHO… none", |it| {
        it.edit(|one| one.initiative = None)
    })
    .when(|thing, seen| is(thing, seen, |one| one.initiative.is_some())),
    command("initiative ~of WHO… ~is VALUE", initiative),
    command("end|next ~the turn", end_turn),
    command("next|new round", |_| Ok(Command::NextRound.into())).key("next-round"),
    command("absent WHO…", |it| it.edit(|one| one.absent = true))
        .key("absent")
        .when(|thing, seen| is(thing, seen, |one| !one.absent)),
    command("present|here WHO…", |it| {
        it.edit(|one| one.absent = false)
    })
    .key("absent")
    .when(|thing, seen| is(thing, seen, |one| one.absent)),
    command(
        "condition WHO… ~is NAME [AMOUNT] [~for ROUNDS rounds|round]",
        condition,
    ),
    command("cure|uncondition WHO… [~of NAME]", cure)
        .when(|thing, seen| is(thing, seen, |one| !one.conditions.is_empty())),
    command(
        "damage WHO… AMOUNT [critical|knockout] [~and shrug ~off]",
        damage,
    ),
    command(
        "WHO… takes|take AMOUNT ~points ~of ~damage [~and shrug ~off]",
        damage,
    ),
    command("heal WHO… ~by AMOUNT", heal),
    command("WHO… heals|heal AMOUNT", heal),
    command("rest WHO… short|long|failed", |it| {
        let rest = match (it.has("short"), it.has("long")) {
            (true, _) => Rest::Short,
            (_, true) => Rest::Long,
            _ => Rest::LongFailed,
        };
        it.each(|who| Command::Rest { who, rest })
    }),
    command("aid WHO wounds|traumas LEVELS", |it| {
        let of = if it.has("wounds") {
            Id::new("blood")
        } else {
            Id::new("stress")
        };
        let levels = it.amount();
        it.each(|who| Command::FirstAid { who, of, levels })
    }),
    command("treat WHO ~with TOTAL", |it| {
        let total = it.amount();
        it.each(|who| Command::TreatWounds { who, total })
    }),
    command("unlock WHO [NAME]", unlock).when(|thing, seen| {
        seen.locks()
            .any(|(one, _)| *thing == Thing::Character(one.id))
    }),
    command("set WHO… STAT ~to VALUE", |it| {
        let stat = it.stat()?;
        let sheet = Sheet::new(it.seen.system());
        let known = sheet.stat(stat).map_err(CommandError::from)?;
        let value = known.kind.parse(known.label, &it.text);
        let value = value.map_err(CommandError::from)?;
        it.each(|who| Command::SetStat {
            who,
            stat: stat.to_owned(),
            value: value.clone(),
        })
    }),
    command("raise WHO… STAT [~by AMOUNT]", |it| step(it, it.amount())),
    command("lower WHO… STAT [~by AMOUNT]", |it| {
        step(it, it.amount().saturating_neg())
    }),
    command("side WHO… party|ally|adversary|apathetic", |it| {
        it.edit(|one| one.side = side(it))
    }),
    command("player ~of WHO NAME", |it| {
        it.edit(|one| one.player.clone_from(&it.name))
    }),
    command("notes ~of WHO TEXT", |it| {
        it.edit(|one| one.notes.clone_from(&it.text))
    }),
    command(
        "add|new character NAME [party|ally|adversary|apathetic] [hidden]",
        |it| {
            let character = Character {
                side: side(it),
                hidden: it.has("hidden"),
                ..Character::new(&it.name, Sheet::new(it.seen.system()))
            };
            Ok(Command::add(character).into())
        },
    ),
    command("hide THING", |it| show(it, Visibility::Hidden))
        .key("visibility")
        .when(|thing, seen| differs(thing, seen, Visibility::Hidden)),
    command("show|reveal THING", |it| show(it, Visibility::Visible))
        .key("visibility")
        .when(|thing, seen| differs(thing, seen, Visibility::Visible)),
    command("rename THING to NAME", rename),
    command("duplicate|copy THING", |it| {
        it.every(|thing| thing.subject().map(Command::Duplicate))
    })
    .key("duplicate"),
    command("delete|remove THING", |it| {
        it.every(|thing| thing.subject().map(Command::Remove))
    })
    .key("delete"),
];

/// Gives places in the turn order. Turns are taken in rounds, so the first round begins with the first of them.
fn initiative(it: &Args<'_>) -> ActResult {
    let initiative: Initiative = it.text.parse().map_err(|error: InitiativeError| {
        let why = format!("initiative {error}, and \"{}\" was given", cut(&it.text));
        CommandError::from(Refused(why))
    })?;

    let characters = it.characters().filter_map(|who| it.seen.character(who));
    let mut commands: Vec<Command> = characters
        .map(|character| {
            Command::edit(Character {
                initiative: Some(initiative),
                ..character.clone()
            })
        })
        .collect();
    if it.seen.round == 0 {
        commands.push(Command::NextRound);
    }
    Ok(Command::together(commands).into())
}

/// Ends the current turn. After the last one a new round begins.
fn end_turn(it: &Args<'_>) -> ActResult {
    let turns = it.seen.turns();
    match turns.as_slice() {
        [now, _, ..] => {
            let acted = Character {
                acted: true,
                ..(*now).clone()
            };
            Ok(Command::edit(acted).into())
        }
        [] if it.seen.roster().all(|one| one.initiative.is_none()) => {
            let why = "nobody has an initiative yet; initiative WHO VALUE gives one";
            Err(CommandError::from(Refused(why.to_owned())).into())
        }
        _ => Ok(Command::NextRound.into()),
    }
}

fn is(thing: &Thing, seen: &SeatView<'_>, test: fn(&Character) -> bool) -> bool {
    thing.character(seen).is_some_and(test)
}

/// Whether it has a visibility, and another one than that.
fn differs(thing: &Thing, seen: &SeatView<'_>, from: Visibility) -> bool {
    thing.visibility(seen).is_some_and(|now| now != from)
}

fn damage(it: &Args<'_>) -> ActResult {
    let (amount, shrug_off) = (it.amount(), it.has("shrug"));
    let blow = if it.has("critical") {
        Blow::Critical
    } else if it.has("knockout") {
        Blow::KnockOut
    } else {
        Blow::Ordinary
    };
    it.each(|who| Command::Damage {
        who,
        amount,
        shrug_off,
        blow,
    })
}

fn heal(it: &Args<'_>) -> ActResult {
    let amount = it.amount();
    it.each(|who| Command::Heal { who, amount })
}

fn condition(it: &Args<'_>) -> ActResult {
    conditions(it, |conditions| {
        conditions.retain(|known| !is_same_name(&known.name, &it.name));
        let rounds = it.rounds.map(|rounds| rounds.max(1).unsigned_abs());
        conditions.push(Condition::new(&it.name, it.amount, rounds));
    })
}

fn cure(it: &Args<'_>) -> ActResult {
    if it.name.is_empty() {
        return conditions(it, Vec::clear);
    }
    let known = it.known().flat_map(|one| &one.conditions);
    let mut known: Vec<(String, &str)> = known.map(|one| (one.name.clone(), &*one.name)).collect();
    known.sort_by_key(|(name, _)| fold(name));
    known.dedup_by(|(one, _), (other, _)| is_same_name(one, other));
    let ended = surely("condition", &it.name, &known)?;
    conditions(it, |all| all.retain(|one| !is_same_name(&one.name, ended)))
}

/// The conditions of each character named, changed.
fn conditions(it: &Args<'_>, change: impl Fn(&mut Vec<Condition>)) -> ActResult {
    all(it.known().map(|one| with_conditions(one, &change)))
}

/// The conditions of a character, changed.
pub fn with_conditions(one: &Character, change: impl FnOnce(&mut Vec<Condition>)) -> Command {
    let (who, mut conditions) = (one.id, one.conditions.clone());
    change(&mut conditions);
    Command::SetConditions { who, conditions }
}

fn unlock(it: &Args<'_>) -> ActResult {
    let who = it.who().ok_or(gone("character"))?;
    let locks = it.seen.locks().filter(|(one, _)| one.id == who);
    let locks: Vec<(String, &str)> = locks.map(|(_, about)| (about.to_owned(), about)).collect();
    if locks.is_empty() {
        return Err(CommandError::NothingTo("unlock").into());
    }
    let about = match locks.as_slice() {
        [(only, _)] if it.name.is_empty() => only,
        _ => surely("locked challenge", &it.name, &locks)?,
    };
    let (about, why) = (about.to_owned(), String::new());
    Ok(Command::Unlock { who, about, why }.into())
}

fn step(it: &Args<'_>, by: i32) -> ActResult {
    let stat = it.stat()?;
    it.each(|who| Command::StepStat {
        who,
        stat: stat.to_owned(),
        by,
    })
}

fn side(it: &Args<'_>) -> Allegiance {
    it.said(Allegiance::ALL, Into::into).unwrap_or_default()
}

fn show(it: &Args<'_>, visibility: Visibility) -> ActResult {
    match it.things.first() {
        Some(Thing::Clock(_)) => it.edit_clocks(|clock| clock.visibility = visibility),
        Some(Thing::Pool(_)) => {
            let why = "a pool is seen with its owner; hide the owner instead";
            Err(CommandError::Rules(Refused(why.to_owned())).into())
        }
        _ => it.edit(|one| one.hidden = visibility == Visibility::Hidden),
    }
}

fn rename(it: &Args<'_>) -> ActResult {
    let name = &it.name;
    match it.things.first() {
        Some(Thing::Clock(_)) => it.edit_clocks(|clock| clock.name.clone_from(name)),
        Some(Thing::Pool(_)) => it.edit_pool(|pool| pool.name.clone_from(name)),
        _ => it.edit(|one| one.name.clone_from(name)),
    }
}
