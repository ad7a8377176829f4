//! The differences between two states: how an edit by hand becomes an event.

use std::collections::BTreeSet;

use super::{Change, Session};
use crate::rules::Value;

/// Every difference that makes `from` into `to`.
pub fn differences(from: &Session, to: &Session) -> Vec<Change> {
    let mut changes = Vec::new();
    things(
        &from.roster,
        &to.roster,
        |one| one.id,
        &mut |at, from, to| {
            changes.push(Change::Character { at, from, to });
        },
    );
    things(
        &from.clocks,
        &to.clocks,
        |one| one.id,
        &mut |at, from, to| {
            changes.push(Change::Clock { at, from, to });
        },
    );
    things(&from.pools, &to.pools, |one| one.id, &mut |at, from, to| {
        changes.push(Change::Pool { at, from, to });
    });
    things(
        &from.prepared,
        &to.prepared,
        |one| one.id,
        &mut |at, from, to| {
            changes.push(Change::Prepared { at, from, to });
        },
    );
    for rule in from.system.spec().house {
        let (before, after): (Value, Value) = (from.house.value(rule), to.house.value(rule));
        if before != after {
            changes.push(Change::House {
                rule: rule.id.to_owned(),
                from: before,
                to: after,
            });
        }
    }
    if from.round != to.round {
        changes.push(Change::Round {
            from: from.round,
            to: to.round,
        });
    }
    called_and_locked(from, to, &mut changes);
    let longest = from.scenes.len().max(to.scenes.len());
    for at in 0..longest {
        let (before, after) = (from.scenes.get(at).cloned(), to.scenes.get(at).cloned());
        if before != after {
            changes.push(Change::Scene {
                at,
                from: before,
                to: after,
            });
        }
    }
    changes
}

fn called_and_locked(from: &Session, to: &Session, changes: &mut Vec<Change>) {
    let ids = from.calls.iter().chain(&to.calls).map(|call| call.id);
    for id in ids.collect::<BTreeSet<_>>() {
        let (before, after) = (from.call(id), to.call(id));
        if before != after {
            changes.push(Change::Called {
                id,
                from: before.cloned().map(Box::new),
                to: after.cloned().map(Box::new),
            });
        }
    }
    let locks: BTreeSet<_> = from.locks.iter().chain(&to.locks).collect();
    for lock in locks {
        let on = to.locks.contains(lock);
        if from.locks.contains(lock) != on {
            changes.push(Change::Lock {
                who: lock.0,
                about: lock.1.clone(),
                on,
            });
        }
    }
}

type Told<'a, T> = &'a mut dyn FnMut(usize, Option<Box<T>>, Option<Box<T>>);

fn things<T: Clone + PartialEq, I: PartialEq>(
    from: &[T],
    to: &[T],
    id: impl Fn(&T) -> I,
    told: Told<'_, T>,
) {
    let boxed = |thing: &T| Some(Box::new(thing.clone()));
    for (at, before) in from.iter().enumerate().rev() {
        if !to.iter().any(|after| id(after) == id(before)) {
            told(at, boxed(before), None);
        }
    }
    for (at, after) in to.iter().enumerate() {
        match from.iter().find(|before| id(before) == id(after)) {
            Some(before) if before == after => {}
            Some(before) => told(at, boxed(before), boxed(after)),
            None => told(at, None, boxed(after)),
        }
    }
}

/// The differences in words, a line each.
pub fn describe_differences(changes: &[Change]) -> Vec<String> {
    changes.iter().map(describe).collect()
}

fn describe(change: &Change) -> String {
    fn came_or_went<T>(
        kind: &str,
        (from, to): (Option<&T>, Option<&T>),
        name: impl Fn(&T) -> String,
    ) -> String {
        match (from, to) {
            (None, Some(to)) => format!("{kind} {} is new", name(to)),
            (Some(from), None) => format!("{kind} {} is gone", name(from)),
            (Some(from), Some(_)) => format!("{kind} {} is otherwise", name(from)),
            (None, None) => format!("{kind} unchanged"),
        }
    }
    match change {
        Change::Character { from, to, .. } => {
            let both = (from.as_deref(), to.as_deref());
            came_or_went("the character", both, |one| one.name.clone())
        }
        Change::Clock { from, to, .. } => {
            let both = (from.as_deref(), to.as_deref());
            came_or_went("the clock", both, |one| {
                format!("{} ({} of {})", one.name, one.filled, one.segments.count())
            })
        }
        Change::Pool { from, to, .. } => {
            let both = (from.as_deref(), to.as_deref());
            came_or_went("the pool", both, |one| {
                format!("{} ({})", one.name, one.tokens)
            })
        }
        Change::Prepared { from, to, .. } => {
            let both = (from.as_deref(), to.as_deref());
            came_or_went("the prepared scene", both, |one| one.name.clone())
        }
        Change::Brought { .. } => "what a prepared scene brought".to_owned(),
        Change::House { rule, from, to } => format!("the house rule {rule}: {from} → {to}"),
        Change::Round { from, to } => format!("the round: {from} → {to}"),
        Change::Scene { from, to, .. } => {
            came_or_went("the scene", (from.as_ref(), to.as_ref()), |one| {
                one.name.clone()
            })
        }
        Change::Stat { stat, from, to, .. } => format!("{stat}: {from} → {to}"),
        Change::About { from, to, .. } => format!("{from} → {to}"),
        Change::Conditions { .. } => "the conditions".to_owned(),
        Change::Fresh { from, to, .. } => format!("what First Aid may remove: {from} → {to}"),
        Change::Shown { from, to, .. } => format!("visibility: {} → {}", from.id(), to.id()),
        Change::Link { .. } => "a clock's link".to_owned(),
        Change::Attached { .. } => "a clock's check".to_owned(),
        Change::Filled { from, to, .. } => format!("filled: {from} → {to}"),
        Change::Tokens { from, to, .. } | Change::Gained { from, to, .. } => {
            format!("tokens: {from} → {to}")
        }
        Change::Lock { about, .. } => format!("what may not be tried again: {about}"),
        Change::Called { .. } => "a call for a roll".to_owned(),
        Change::Waiting { .. } => "a check that waits".to_owned(),
    }
}
