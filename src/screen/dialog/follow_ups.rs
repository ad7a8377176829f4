//! What the pages say follows a roll, as far as a person may do it with one key: damage taken or
//! shrugged off, wounds treated, First Aid, the stance that won, the one who fell, clocks ticked.

use std::sync::Arc;

use crate::rules::{Ask, Consequence, Effect, FirstAid, Key, Value};
use crate::session::{
    Change, Character, CharacterId, ClockKind, Command, Condition, EventKind, Roll, Subject,
    opponent_of, part,
};
use crate::table::{Entry, Role as SeatRole, SeatView, read_again};

/// So many people are offered to be helped.
const MOST_PEOPLE: usize = 2;

/// So many clocks are offered to be ticked.
const MOST_CLOCKS: usize = 3;

/// A stance that won dazes, or the like, by so many levels (Heart Rush, Combat, Stances).
const STANCE_LEVELS: i32 = 2;

/// What follows from that entry and was not done since, each with what its button says.
pub(super) fn follow_ups(entry: &Entry, seen: &SeatView<'_>) -> Vec<(Command, String)> {
    let holds = !seen.is_struck(entry.number) && seen.seat().role == SeatRole::Gm;
    let Some(roll) = entry.event.what.resolved().filter(|_| holds) else {
        return Vec::new();
    };
    let mut offered = all(roll, seen);
    if !offered.is_empty() {
        let later = seen.log_since(entry.number + 1);
        // What took something back did nothing that follows the roll.
        let later = later.filter(|one| one.event.what.is_an_act() && !seen.is_struck(one.number));
        let is_strike = |one: &Arc<Entry>| matches!(one.event.what, EventKind::Struck { .. });
        let later: Vec<Arc<Entry>> = later.filter(|one| !is_strike(one)).collect();
        offered.retain(|(command, _)| !is_done(command, &later, seen));
    }
    offered
}

/// Whether the log tells of it. Damage counts for the newest roll that dealt as much: of two equal hits
/// one may be taken, and the other not.
fn is_done(command: &Command, later: &[Arc<Entry>], seen: &SeatView<'_>) -> bool {
    let Command::Damage { who, amount, .. } = command else {
        let acts = later.iter().filter(|entry| entry.roll().is_none());
        return acts
            .flat_map(|entry| &entry.event.changes)
            .any(|change| touches(command, change));
    };
    let mut open = 0;
    later.iter().any(|entry| {
        if let Some(roll) = entry.event.what.resolved() {
            open += i32::from(hit(roll, seen) == Some((*who, *amount)));
            return false;
        }
        open -= i32::from(takes(&entry.event.changes, *who, *amount));
        open < 0
    })
}

/// Whether somebody took so much damage: the hit points went down by it, or by half of it for a step of
/// the heart die; at the lowest they stop.
fn takes(changes: &[Change], who: CharacterId, amount: i32) -> bool {
    let of = |stat| {
        changes
            .iter()
            .find(|change| change.stat() == Some((who, stat)))
    };
    let Some((from, to)) = of("hit-points").and_then(Change::numbers) else {
        return false;
    };
    let (amount, lost) = (i64::from(amount), from - to);
    let halves = amount / 2..=(amount + 1) / 2;
    lost == amount
        || (to == 0 && (1..amount).contains(&lost))
        || (of("heart-now").is_some() && halves.contains(&lost))
}

/// Whether a change is to what the command would change.
fn touches(command: &Command, change: &Change) -> bool {
    let stat_of = |who: &CharacterId, name: &str| change.stat() == Some((*who, name));
    match command {
        Command::SetConditions { who, .. } => {
            change.is_part(Subject::Character(*who), part::CONDITIONS)
        }
        Command::SetStat { who, stat, .. } => stat_of(who, stat),
        Command::TreatWounds { who, .. } => stat_of(who, "wounds"),
        Command::FirstAid { who, of, .. } => stat_of(who, treated(*of)),
        Command::Tick { clock, .. } => change.is_part(Subject::Clock(*clock), part::FILLED),
        Command::All(all) => all.iter().any(|one| touches(one, change)),
        _ => false,
    }
}

/// Everything of the kind.
fn all(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
    let mut offered = hurt(roll, seen);
    offered.extend(stance(roll, seen));
    match seen.system().spec().first_aid {
        FirstAid::TreatsWounds => offered.extend(treatment(roll, seen)),
        FirstAid::RemovesHarm => offered.extend(first_aid(roll, seen)),
        FirstAid::EndsDying => offered.extend(fallen(roll, seen)),
        FirstAid::None => {}
    }
    offered.extend(ticks(roll, seen));
    offered
}

/// Who is to take how much damage.
fn hit(roll: &Roll, seen: &SeatView<'_>) -> Option<(CharacterId, i32)> {
    let (amount, own) = roll.effects.iter().find_map(|effect| match effect {
        Effect::Damage { amount, own } => Some((*amount, *own)),
        _ => None,
    })?;
    let who = if own { roll.id } else { opponent(roll, seen) };
    Some((who?, amount))
}

/// The damage that somebody takes, with the wound that it leaves, whole or half of it shrugged off.
fn hurt(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
    let hit = hit(roll, seen).and_then(|(id, amount)| Some((seen.character(id)?, amount)));
    let Some((who, amount)) = hit else {
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
fn opponent(roll: &Roll, seen: &SeatView<'_>) -> Option<CharacterId> {
    let spec = roll.spec(seen.system()).ok()?;
    let whom = opponent_of(spec, &roll.sources)?;
    Some(seen.character(whom)?.id)
}

/// Cunning that beats Agility dazes, unbalances or weakens (Heart Rush, Combat, Stances); whether it
/// did beat it, the table knows.
fn stance(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
    let cunning = roll
        .sources
        .iter()
        .any(|(field, source)| field == "ability" && source.name() == Some("Cunning"));
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
fn treatment(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
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
fn first_aid(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
    let Ok(fields) = roll.all_fields(seen.system()) else {
        return Vec::new();
    };
    let (of, word) = match (fields.text("risk"), fields.maybe_number("difficulty")) {
        ("safe", Some(16)) => (Consequence::Stress, "Traumas"),
        ("safe", Some(20)) => (Consequence::Blood, "Wounds"),
        _ => return Vec::new(),
    };
    let stat = treated(of);
    let Some(levels) = effect_levels(roll, seen) else {
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

/// The levels of effect that a roll came to, if it came to any.
pub(super) fn effect_levels(roll: &Roll, seen: &SeatView<'_>) -> Option<i32> {
    let (_, outcome) = read_again(roll, seen.system())?;
    outcome.keys.iter().find_map(|(key, value)| match value {
        Key::Number(number) if *key == "effect-levels" && *number > 0 => Some(*number),
        _ => None,
    })
}

/// What First Aid removes.
const fn treated(of: Consequence) -> &'static str {
    match of {
        Consequence::Stress => "traumas",
        Consequence::Blood => "wounds",
        Consequence::None => "",
    }
}

/// The challenge of one who is down: success is one more wound, and dying; failure is death (Friday
/// Night Dungeon, Health, Healing, Wounds).
fn fallen(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
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

/// The clocks that what came of it would fill, where it was rolled for none.
fn ticks(roll: &Roll, seen: &SeatView<'_>) -> Vec<(Command, String)> {
    let wounding = roll
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Damage { .. }));
    if roll.clock.is_some() || wounding {
        return Vec::new();
    }
    let Some((_, outcome)) = read_again(roll, seen.system()) else {
        return Vec::new();
    };
    let machine = roll.machine(seen.system()).ok();
    let end = machine.and_then(|machine| machine.after(&roll.trail).ok());
    let levels = match end {
        Some(Ask::Done(_, tally)) => tally.levels.max(0),
        _ => 0,
    };
    let trouble = outcome.success == Some(false) || roll.effects.contains(&Effect::Complication);
    let by = |kind| match kind {
        ClockKind::Countdown => i32::from(trouble),
        ClockKind::TugOfWar if outcome.success == Some(false) => -1,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => levels,
    };
    let clocks = seen.clocks().map(|seen| seen.clock);
    let open = clocks.filter(|clock| {
        let moves = clock.after(by(clock.kind)) != clock.filled;
        clock.rule.is_none() && moves
    });
    open.take(MOST_CLOCKS)
        .map(|clock| {
            let by = by(clock.kind);
            let tick = Command::Tick {
                clock: clock.id,
                by,
            };
            let sign = if by < 0 { '−' } else { '+' };
            (tick, format!("{} {sign}{}", clock.name, by.abs()))
        })
        .collect()
}
