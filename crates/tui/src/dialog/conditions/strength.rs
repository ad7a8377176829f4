//! Stepping the level and the duration of a condition, and describing them.

use super::MAX_STRENGTH;
use super::list::ConditionItem;
use crate::app::action::Action;
use tableside_game::{Condition, ConditionEnd};

/// Changes the level or the rounds by one.
pub(super) fn step(action: Action, item: &mut ConditionItem) {
    if item.standing.is_some() {
        return;
    }
    let was_on = item.is_on;
    item.is_on = true;
    match action {
        Action::StepUp if was_on => raise_level(&mut item.condition),
        Action::StepUp => item.condition.value = Some(1),
        Action::StepDown => match item.condition.value {
            Some(level) if level > 1 => item.condition.value = Some(level - 1),
            Some(_) if was_on => item.condition.value = None,
            _ => item.is_on = false,
        },
        Action::MoreRounds => add_round(&mut item.condition),
        Action::EndsAt => item.condition.ends = next_end(item.condition.ends),
        _ => remove_round(&mut item.condition),
    }
}

fn raise_level(condition: &mut Condition) {
    // A condition without a number counts as one level.
    let level = condition.value.unwrap_or(1);
    condition.value = Some(level.saturating_add(1));
}

/// Returns the next moment at which a condition can end.
const fn next_end(ends: ConditionEnd) -> ConditionEnd {
    match ends {
        ConditionEnd::Round => ConditionEnd::TurnEnd,
        ConditionEnd::TurnEnd => ConditionEnd::TurnStart,
        ConditionEnd::TurnStart => ConditionEnd::Round,
    }
}

fn add_round(condition: &mut Condition) {
    if condition.fades {
        condition.fades = false;
        return;
    }
    let rounds = condition.rounds.unwrap_or(0);
    condition.rounds = Some(rounds.saturating_add(1).min(MAX_STRENGTH));
}

/// Removes a round. A condition without rounds begins to fade.
fn remove_round(condition: &mut Condition) {
    match condition.rounds {
        Some(rounds) if rounds > 1 => condition.rounds = Some(rounds - 1),
        Some(_) => condition.rounds = None,
        None => condition.fades = true,
    }
}

/// Describes the level and the duration of a condition: `yes, level 2, 3 rounds`.
pub(super) fn describe_strength(condition: &Condition) -> String {
    let mut text = "yes".to_owned();
    if let Some(level) = condition.value {
        text.push_str(&format!(", level {level}"));
    }
    if condition.fades {
        text.push_str(", fading");
    }
    if let Some(duration) = condition.duration() {
        text.push_str(", ");
        text.push_str(&duration);
    }
    text
}
