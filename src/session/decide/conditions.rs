//! Conditions, and what a round does to them.

use crate::rules::Value;
use crate::session::change::Part;
use crate::session::{
    Change, CharacterId, CommandError, Condition, Event, EventKind, LONGEST_NAME, MOST, Session,
};
use crate::text::sanitise;

impl Session {
    pub(super) fn decide_conditions(
        &self,
        who: CharacterId,
        conditions: &[Condition],
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let after = cleaned(conditions)?;
        let gained = after
            .iter()
            .filter(|one| !character.conditions.contains(one));
        let lost = character
            .conditions
            .iter()
            .filter(|one| !after.contains(one));
        let how: Vec<String> = gained
            .map(|one| format!("now {}", describe_condition(one)))
            .chain(lost.map(|one| format!("no longer {}", describe_condition(one))))
            .collect();
        let changes = vec![Change::Conditions {
            who,
            from: character.conditions.clone(),
            to: after,
        }];
        if how.is_empty() {
            return Err(CommandError::Unchanged);
        }
        self.edited(character, &how.join(", "), changes)
    }

    pub(super) fn decide_next_round(&self) -> Event {
        let mut changes = vec![Change::Round {
            from: self.round,
            to: self.round + 1,
        }];
        changes.extend(self.nobody_has_acted());
        let mut over = Vec::new();
        for character in &self.roster {
            let left: Vec<Condition> = character.conditions.iter().filter_map(run_down).collect();
            let gone = character.conditions.iter();
            let gone = gone.filter(|one| run_down(one).is_none());
            over.extend(gone.map(|one| format!("{} is no longer {}", character.name, one.name)));
            if left != character.conditions {
                changes.push(Change::Conditions {
                    who: character.id,
                    from: character.conditions.clone(),
                    to: left,
                });
            }
        }
        Event {
            what: EventKind::Round {
                round: self.round + 1,
                over: over.join(", "),
            },
            changes,
        }
    }

    pub(super) fn nobody_has_acted(&self) -> Vec<Change> {
        let acted = self.roster.iter().filter(|character| character.acted);
        acted
            .map(|character| Change::About {
                who: character.id,
                part: Part::Acted,
                from: Value::Flag(true),
                to: Value::Flag(false),
            })
            .collect()
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
