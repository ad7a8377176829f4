//! The modifiers that a character's conditions give to a check: dazed is a disadvantage on Cunning.

use super::filled::SourcedValue;
use super::group::bounded;
use super::{Character, Condition, Filled, Game};
use tableside_rules::{ConditionSpec, Field, Kind, MOST_LEVELS, Value};
use tableside_text::is_same_name;

/// The modifier that a character's conditions give to a field.
struct ConditionModifier {
    amount: i32,
    /// The names of the conditions, with their levels.
    names: String,
}

impl Game {
    /// Fills in the fields that conditions modify, unless a player typed a value.
    ///
    /// The modifiers depend on the tested ability, so this must run again after another ability is picked.
    pub(super) fn apply_condition_modifiers(&self, character: &Character, filled: &mut Filled) {
        let conditions = self.system.spec().conditions;
        for field in filled.fields.spec().fields {
            let is_modifiable = conditions
                .iter()
                .filter_map(|condition| condition.weighs)
                .any(|modifier| modifier.field == field.id);
            if !is_modifiable {
                continue;
            }

            match condition_modifier(conditions, character, field, filled) {
                Some(modifier) => {
                    if filled.is_given(field) {
                        continue;
                    }
                    let value = match field.kind {
                        Kind::Flag => Value::Flag(modifier.amount > 0),
                        _ => Value::Number(modifier.amount),
                    };
                    // A modifier that the field does not accept is left out.
                    filled
                        .put(field, SourcedValue::new(value, modifier.names))
                        .ok();
                }
                None => {
                    if comes_from_conditions(filled, field, conditions) {
                        filled.clear(field);
                    }
                }
            }
        }
    }
}

/// True if the value of a field comes from conditions.
fn comes_from_conditions(filled: &Filled, field: &Field, conditions: &[ConditionSpec]) -> bool {
    let Some(names) = filled.name_of(field.id) else {
        return false;
    };
    names.split(", ").all(|name| {
        conditions
            .iter()
            .any(|condition| name.starts_with(condition.name))
    })
}

/// Computes the modifier of all conditions for one field. `None` if no condition modifies it.
///
/// The levels of the conditions add up. A condition with a maximum instead limits the value of the field.
fn condition_modifier(
    specs: &[ConditionSpec],
    character: &Character,
    field: &Field,
    filled: &Filled,
) -> Option<ConditionModifier> {
    let mut names = Vec::new();
    let mut levels_sum = 0;
    let mut maximum: Option<i32> = None;

    for condition in &character.conditions {
        let Some(spec) = affecting_spec(specs, condition, filled) else {
            continue;
        };
        let Some(modifier) = spec.weighs else {
            continue;
        };
        if modifier.field != field.id {
            continue;
        }

        if let Some(limit) = modifier.most {
            maximum = Some(match maximum {
                Some(maximum) => maximum.min(limit),
                None => limit,
            });
            names.push(spec.name.to_owned());
        } else if modifier.ability.is_none() || modifier.ability == filled.name_of("ability") {
            let levels = condition.value.unwrap_or(1).clamp(0, MOST_LEVELS);
            levels_sum += levels;
            names.push(format!("{} {levels}", spec.name));
        }
    }
    if names.is_empty() {
        return None;
    }

    let amount = match (maximum, filled.fields.value(field.id)) {
        (Some(maximum), Some(Value::Number(number))) => maximum.min(*number),
        (Some(maximum), _) => maximum,
        (None, _) => levels_sum,
    };
    Some(ConditionModifier {
        amount: bounded(field, amount),
        names: names.join(", "),
    })
}

/// The rules' description of a condition, if the condition affects this check.
fn affecting_spec<'a>(
    specs: &'a [ConditionSpec],
    condition: &Condition,
    filled: &Filled,
) -> Option<&'a ConditionSpec> {
    let index = specs
        .iter()
        .position(|spec| is_same_name(spec.name, &condition.name))?;
    let check = filled.fields.spec();
    if check.is_affected_by(index, &filled.fields) {
        Some(&specs[index])
    } else {
        None
    }
}
