//! What the pages say follows a roll, as far as a person may do it with one key: damage taken or
//! shrugged off, wounds treated, First Aid, the stance that won, the one who fell.

use crate::rules::{Consequence, Effect, Key, System, Value, Whose};
use crate::session::{Character, CharacterId, Command, Condition, Roll};
use crate::table::{Role as SeatRole, Seen, read_again};

/// So many people are offered to be helped.
const MOST_PEOPLE: usize = 2;

/// A stance that won dazes, or the like, by so many levels (Heart Rush, Combat, Stances).
const STANCE_LEVELS: i32 = 2;

/// Everything of the kind, each with what its button says.
pub(super) fn follow_ups(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    if seen.seat().role != SeatRole::Gm {
        return Vec::new();
    }
    let mut offered = hurt(roll, seen);
    match seen.system() {
        System::HeartRush => {
            offered.extend(stance(roll, seen));
            offered.extend(treatment(roll, seen));
        }
        System::Gnosis => offered.extend(first_aid(roll, seen)),
        System::FridayNightDungeon => offered.extend(fallen(roll, seen)),
        System::Hearts | System::Hfrpg => {}
    }
    offered
}

/// The damage that somebody takes, with the wound that it leaves, whole or half of it shrugged off.
fn hurt(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    let hurt = roll.effects.iter().find_map(|effect| match effect {
        Effect::Damage { amount, own } => Some((*amount, *own)),
        _ => None,
    });
    let Some((amount, own)) = hurt else {
        return Vec::new();
    };
    let who = if own { roll.id } else { opponent(roll, seen) };
    let Some(who) = who.and_then(|id| seen.character(id)) else {
        return Vec::new();
    };
    let take = |shrug_off| Command::Damage {
        who: who.id,
        amount,
        shrug_off,
    };
    let all = [
        (take(false), format!("{} takes {amount}", who.name)),
        (take(true), format!("{} shrugs off half", who.name)),
    ];
    // Where the heart die is a d4 already, or there is none, half of it is no choice.
    let open = all.into_iter().filter(|(one, _)| seen.foresee(one).is_ok());
    open.collect()
}

/// Whose sheet the other side's values came from.
fn opponent(roll: &Roll, seen: &Seen<'_>) -> Option<CharacterId> {
    let spec = roll.spec(seen.system()).ok()?;
    let theirs = spec
        .fields
        .iter()
        .filter(|field| field.whose == Whose::Opponent);
    let mut sources = theirs.filter_map(|field| {
        let source = roll.sources.iter().find(|(id, _)| id == field.id);
        source.map(|(_, source)| source.as_str())
    });
    let name = super::super::setup::owner_of(sources.next()?);
    Some(seen.character_named(name)?.id)
}

/// Cunning that beats Agility dazes, unbalances or weakens (Heart Rush, Combat, Stances); whether it
/// did beat it, the table knows.
fn stance(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    let cunning = roll
        .sources
        .iter()
        .any(|(field, source)| field == "ability" && source == "Cunning");
    let landed = matches!(roll.outcome.as_str(), "wound" | "hit");
    if roll.check != "attack" || !cunning || !landed {
        return Vec::new();
    }
    let Some(whom) = opponent(roll, seen).and_then(|id| seen.character(id)) else {
        return Vec::new();
    };
    let names = ["dazed", "off-balanced", "weakened"];
    let each = names.into_iter().map(|name| {
        let command = with(whom, name, STANCE_LEVELS);
        (command, format!("{} {name} {STANCE_LEVELS}", whom.name))
    });
    each.collect()
}

/// The same conditions and this one, by so many levels more.
fn with(whom: &Character, name: &str, levels: i32) -> Command {
    let mut conditions = whom.conditions.clone();
    match conditions.iter_mut().find(|known| known.name == name) {
        Some(known) => {
            known.value = Some((known.value.unwrap_or(1) + levels).min(crate::rules::MOST_LEVELS));
        }
        None => conditions.push(Condition {
            name: name.to_owned(),
            value: Some(levels),
            ..Condition::default()
        }),
    }
    Command::SetConditions {
        who: whom.id,
        conditions,
    }
}

/// A skill check that succeeded may have been the treatment of wounds (Heart Rush, Treating Wounds).
fn treatment(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    let total = roll.total.filter(|_| roll.outcome.starts_with("success"));
    let Some(total) = total.filter(|_| roll.check == "skill") else {
        return Vec::new();
    };
    let treat = |who: &Character| {
        let command = Command::TreatWounds { who: who.id, total };
        let open = seen.foresee(&command).is_ok();
        open.then(|| (command, format!("Treat {}'s wounds", who.name)))
    };
    let people = seen.roster().filter(|one| one.is_here());
    people.filter_map(treat).take(MOST_PEOPLE).collect()
}

/// A Safe roll against the difficulty of Traumas or of Wounds may have been First Aid (Gnosis, First
/// Aid).
fn first_aid(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    let Ok(fields) = roll.all_fields(seen.system()) else {
        return Vec::new();
    };
    let (of, stat, word) = match (fields.text("risk"), fields.maybe_number("difficulty")) {
        ("safe", Some(16)) => (Consequence::Stress, "traumas", "Traumas"),
        ("safe", Some(20)) => (Consequence::Blood, "wounds", "Wounds"),
        _ => return Vec::new(),
    };
    let outcome = read_again(roll, seen.system()).map(|(_, outcome)| outcome);
    let levels = outcome.and_then(|outcome| {
        outcome.keys.iter().find_map(|(key, value)| match value {
            Key::Number(number) if *key == "effect-levels" && *number > 0 => Some(*number),
            _ => None,
        })
    });
    let Some(levels) = levels else {
        return Vec::new();
    };
    let hurt = seen.roster().filter(|one| seen.treatable(one, stat) > 0);
    hurt.take(MOST_PEOPLE)
        .map(|one| {
            let command = Command::FirstAid {
                who: one.id,
                of,
                levels,
            };
            let fewer = levels.min(seen.treatable(one, stat));
            (command, format!("{}: {word} −{fewer}", one.name))
        })
        .collect()
}

/// The challenge of one who is down: success is one more wound, and dying; failure is death (Friday
/// Night Dungeon, Health, Healing, Wounds).
fn fallen(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    let who = roll.id.and_then(|id| seen.character(id));
    let is_down = |one: &&Character| {
        let dying = one.conditions.iter().any(|known| known.name == "dying");
        one.sheet.number("hit-points") == Some(0) && !dying
    };
    let Some(who) = who.filter(is_down).filter(|_| roll.check == "challenge") else {
        return Vec::new();
    };
    let wounds = |number: i32| Command::SetStat {
        who: who.id,
        stat: "wounds".to_owned(),
        value: Value::Number(number),
    };
    if roll.outcome == "failure" {
        return vec![(wounds(4), format!("{} is dead", who.name))];
    }
    let now = who.sheet.number("wounds").unwrap_or(0);
    let mut conditions = who.conditions.clone();
    conditions.push(Condition {
        name: "unconscious".to_owned(),
        ..Condition::default()
    });
    conditions.push(Condition {
        name: "dying".to_owned(),
        rounds: Some(3),
        ..Condition::default()
    });
    let command = Command::All(vec![
        wounds((now + 1).min(4)),
        Command::SetConditions {
            who: who.id,
            conditions,
        },
    ]);
    vec![(command, format!("{} is wounded and dying", who.name))]
}
