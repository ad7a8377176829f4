//! What an event says to a person: one line, as the log and the bottom line show it.

use super::{Event, Roll, Thing, What};
use crate::rules::{Fields, System};

impl Event {
    /// The event in one line.
    pub fn text(&self, system: System) -> String {
        match &self.what {
            What::Rolled(roll) => describe_roll(roll, system),
            What::Begun(roll) => {
                format!("{} begun; it waits for an answer", check_of(roll, system))
            }
            What::Amended { entry, roll, .. } => {
                format!("Amended #{entry}: {}", describe_roll(roll, system))
            }
            What::Rerolled { entry, roll } => {
                format!("Rolled #{entry} again: {}", describe_roll(roll, system))
            }
            What::Abandoned(roll) => format!("{} given up", check_of(roll, system)),
            What::Ticked {
                clock,
                by,
                filled,
                of,
                then,
            } => {
                format!("{clock} {}: {}", signed(*by), stands(*filled, *of, then))
            }
            What::Tokens {
                owner,
                pool,
                by,
                now,
                note,
            } => {
                format!("{owner}: {}", moved(pool, *by, *now, note))
            }
            What::Added { kind, name } => format!("New {}: {name}", kind.word()),
            What::Removed { kind, name } => format!("Removed the {} {name}", kind.word()),
            What::Edited {
                kind: Thing::House,
                name,
                how,
            } => format!("House rule {name}: {how}"),
            What::Edited { name, how, .. } if name.is_empty() => how.clone(),
            What::Edited { name, how, .. } => format!("{name}: {how}"),
            What::Round { round, over } if over.is_empty() => format!("Round {round}"),
            What::Round { round, over } => format!("Round {round}: {over}"),
            What::Scene { name } if name.is_empty() => "A new scene".to_owned(),
            What::Scene { name } => format!("Scene: {name}"),
            What::Ended => "The session ended".to_owned(),
            What::Noted { text, about: None } => text.clone(),
            What::Noted {
                text,
                about: Some(about),
            } => format!("{text} (about #{about})"),
            What::Struck { entry, reason } if reason.is_empty() => format!("Struck #{entry}"),
            What::Struck { entry, reason } => format!("Struck #{entry}: {reason}"),
            What::Undone { event, text } => format!("Took back #{event}: {text}"),
            What::Redone { event, text } => format!("Brought back #{event}: {text}"),
        }
    }
}

/// A resolved check in one line: who, which, outcome, total and target.
pub fn describe_roll(roll: &Roll, system: System) -> String {
    let outcome = roll.told(system);
    let outcome = outcome.map_or(roll.outcome.as_str(), |told| told.label);
    let numbers = match (roll.total, target(roll, system)) {
        (Some(total), Some(target)) => format!(", {total} against {target}"),
        (Some(total), None) => format!(", {total}"),
        (None, _) => String::new(),
    };
    format!("{}: {outcome}{numbers}", check_of(roll, system))
}

fn target(roll: &Roll, system: System) -> Option<i32> {
    roll.derive(system).ok()?.target
}

fn check_of(roll: &Roll, system: System) -> String {
    let label = roll
        .spec(system)
        .map_or(roll.check.as_str(), |spec| spec.label);
    let about = roll
        .all_fields(system)
        .map(|fields: Fields| fields.text("about").to_owned())
        .unwrap_or_default();
    let about = if about.is_empty() {
        String::new()
    } else {
        format!(" ({about})")
    };
    if roll.who.is_empty() {
        format!("{label}{about}")
    } else {
        format!("{}, {label}{about}", roll.who)
    }
}

/// How a clock stands, and what that led to.
pub(super) fn stands(filled: u8, of: u8, then: &str) -> String {
    let full = if filled == of { ", full" } else { "" };
    let link = if then.is_empty() { "" } else { "; " };
    format!("{filled} of {of}{full}{link}{then}")
}

/// How many tokens came or went, how many there are now, and why.
pub(super) fn moved(pool: &str, by: i32, now: i32, note: &str) -> String {
    let note = if note.is_empty() {
        String::new()
    } else {
        format!(" ({note})")
    };
    format!("{pool} {}, now {now}{note}", signed(by))
}

pub(super) fn signed(by: i32) -> String {
    if by < 0 {
        format!("−{}", by.unsigned_abs())
    } else {
        format!("+{by}")
    }
}
