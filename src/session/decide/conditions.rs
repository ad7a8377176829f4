//! Conditions, and what a round does to them.

use crate::session::{
    CharacterId, CommandError, Condition, Event, EventKind, LONGEST_NAME, MOST, Session,
};
use crate::text::sanitise;

impl Session {
    pub(super) fn decide_conditions(
        &self,
        who: CharacterId,
        conditions: &[Condition],
    ) -> Result<Event, CommandError> {
        let conditions = cleaned(conditions)?;
        self.change_one(who, |one| one.conditions = conditions)
    }

    pub(super) fn decide_next_round(&self) -> Event {
        let mut after = self.clone();
        after.round += 1;
        let mut over = Vec::new();
        for character in &mut after.roster {
            character.acted = false;
            let before = std::mem::take(&mut character.conditions);
            character.conditions = before.iter().filter_map(run_down).collect();
            let gone = before.iter().filter(|one| run_down(one).is_none());
            over.extend(gone.map(|one| format!("{} is no longer {}", character.name, one.name)));
        }
        let (round, over) = (after.round, over.join(", "));
        self.event(EventKind::Round { round, over }, &after)
    }
}

/// A condition after one more round; gone when its rounds are over, or its last level faded (Heart
/// Rush, Conditions).
fn run_down(condition: &Condition) -> Option<Condition> {
    let value = match (condition.fades, condition.value) {
        (true, None | Some(..=1)) => return None,
        (true, Some(value)) => Some(value - 1),
        (false, value) => value,
    };
    let rounds = match condition.rounds {
        Some(0 | 1) => return None,
        Some(rounds) => Some(rounds - 1),
        None => None,
    };
    Some(Condition {
        value,
        rounds,
        ..condition.clone()
    })
}

pub(crate) fn describe_condition(condition: &Condition) -> String {
    let value = condition
        .value
        .map(|value| format!(" {value}"))
        .unwrap_or_default();
    let rounds = match condition.rounds {
        Some(1) => " (1 round)".to_owned(),
        Some(rounds) => format!(" ({rounds} rounds)"),
        None => String::new(),
    };
    let fades = if condition.fades { ", fading" } else { "" };
    format!("{}{value}{fades}{rounds}", condition.name)
}

/// Conditions with names that may be stored and shown.
pub(super) fn cleaned(conditions: &[Condition]) -> Result<Vec<Condition>, CommandError> {
    let clean = |condition: &Condition| {
        let name = sanitise(condition.name.trim(), LONGEST_NAME).into_owned();
        if name.is_empty() {
            return Err(CommandError::NoName("condition"));
        }
        Ok(Condition {
            name,
            ..condition.clone()
        })
    };
    conditions.iter().take(MOST).map(clean).collect()
}
