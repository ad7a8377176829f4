//! Calls for a roll as a seat reads them, and who of the group is meant by the worst and the best.

use crate::app::offered::is_own;
use crate::widget::odds::percent;
use tableside_dice::Fraction;
use tableside_game::{Call, CharacterId, EventKind, GroupKind, GroupPick, Unfinished};
use tableside_rules::{Side, System, Value, ValueSource};
use tableside_table::{Entry, SeatRole, SeatView};

/// What is called for: the check, and the fields that the caller gave.
pub(crate) fn describe_call(call: &Call, view: &SeatView<'_>) -> String {
    let Ok(check) = view.system().check(&call.check) else {
        return call.check.clone();
    };
    let mut words = check.label.to_owned();
    for (id, given) in &call.fields {
        let Some(field) = check.field(id) else {
            continue;
        };
        let number = given.trim().parse().ok();
        let name = number.and_then(|number| field.name_of(number));
        let name = name.map(|name| format!(" {name}")).unwrap_or_default();
        let given = given.replace('-', " ");
        for part in [", ", field.label, " ", &given, &name] {
            words.push_str(part);
        }
    }
    words
}

/// The calls that this seat may answer, the oldest first.
pub(crate) fn to_answer<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Call> {
    let seat = view.seat();
    view.calls().filter(move |call| match seat.role {
        SeatRole::Gm => true,
        SeatRole::Player => seat.characters.contains(&call.who),
        SeatRole::Watcher => false,
    })
}

/// The unfinished rolls that this seat may go on with.
pub(crate) fn to_resume<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Unfinished> {
    view.unfinished().filter(move |waiting| {
        let is_gms = view.game().decider(waiting.id) == Some(Side::Gm);
        let may_answer = view.seat().sees_all() || !is_gms;
        may_answer && is_own(waiting.roll.id, false, view)
    })
}

/// Whose check waits for an answer; `None` where none does.
pub(crate) fn describe_pending(view: &SeatView<'_>) -> Option<String> {
    let waiting = view.unfinished().map(|one| one.roll.who.as_str());
    match waiting.collect::<Vec<_>>().as_slice() {
        [] => None,
        [""] => Some("a check waits".to_owned()),
        [who] => Some(format!("{who}'s check waits")),
        many => Some(format!("{} checks wait", many.len())),
    }
}

/// What the rules of that system call the one who rolls for all.
pub(crate) fn group_name(system: System, kind: GroupKind) -> &'static str {
    let group = &system.spec().group;
    match kind {
        GroupKind::Worst => group.worst,
        GroupKind::Best => group.best,
    }
}

/// Who was found to roll for all, and why: `Bo has the lowest chance: Bo 23%, Mira 41%.`
pub(crate) fn describe_pick(pick: &GroupPick, kind: GroupKind, view: &SeatView<'_>) -> String {
    let told = |(id, share): &(CharacterId, Option<Fraction>)| {
        let name = view.owner_name(Some(*id));
        let share = share.as_ref().map(|share| share.to_f64().value());
        let share = share.map(|share| format!(" {}", percent(share)));
        format!("{name}{}", share.unwrap_or_default())
    };
    let of = |id| pick.chances.iter().find(|(known, _)| *known == id);
    let others = pick.chances.iter().filter(|(id, _)| *id != pick.who);
    let all: Vec<String> = of(pick.who).into_iter().chain(others).map(told).collect();
    let who = view.owner_name(Some(pick.who));
    let share = |id| of(id).and_then(|(_, share)| share.as_ref());
    let same = |(id, other): &(CharacterId, Option<Fraction>)| {
        *id != pick.who && other.as_ref() == share(pick.who)
    };
    let tie = pick.chances.iter().any(same);
    let highest = view.system().spec().group.highest;
    let why = match (highest, kind) {
        _ if pick.chances.len() < 2 => return format!("{who} is alone."),
        (Some(highest), GroupKind::Best) => highest,
        (_, GroupKind::Worst) if tie => "is among those with the lowest chance",
        (_, GroupKind::Best) if tie => "is among those with the highest chance",
        (_, GroupKind::Worst) => "has the lowest chance",
        (_, GroupKind::Best) => "has the highest chance",
    };
    format!("{who} {why}: {}.", all.join(", "))
}

/// What somebody else's roll spent on an aspect, which the GM approves (Heart
/// Rush, Positive Invocation).
pub(crate) fn spent_on_an_aspect(entry: &Entry, view: &SeatView<'_>) -> Option<String> {
    let (EventKind::Rolled(roll) | EventKind::Incomplete(roll)) = &entry.event.what else {
        return None;
    };
    let spec = roll.spec(view.system()).ok()?;
    spec.fields.iter().find_map(|field| {
        let kind = field.spends?;
        let named = roll.sources.get(field.id);
        let given = roll.fields.get(field.id);
        let is_aspect = matches!(field.source, ValueSource::Ranked { .. });
        let Value::Number(points) = given.filter(|_| is_aspect)? else {
            return None;
        };
        let on = named.map_or_else(|| "an aspect".to_owned(), ToString::to_string);
        (*points > 0).then(|| {
            let words = view.system().spec().tokens(kind, *points);
            let (who, number) = (&roll.who, entry.number);
            format!("{who} spends {words} on {on}: amend or strike #{number} if it does not apply")
        })
    })
}
