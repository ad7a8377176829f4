//! The modifiers that a character's conditions give to a check: dazed is a disadvantage on Cunning.

use super::filled::SourcedValue;
use super::group::bounded;
use super::{Character, Condition, Filled, Game};
use tableside_rules::{
    ConditionBearer, ConditionEffect, ConditionSpec, Field, Kind, MOST_LEVELS, Value,
};
use tableside_text::is_same_name;

/// The modifier that a character's conditions give to a field.
struct ConditionModifier {
    amount: i32,
    /// The names of the conditions, with their levels.
    names: String,
}

/// The characters whose conditions have effects on a roll.
#[derive(Clone, Copy)]
struct Bearers<'a> {
    roller: Option<&'a Character>,
    opponent: Option<&'a Character>,
}

impl Game {
    /// Fills in the fields that conditions of the roller and of the opponent modify, unless a player typed a value.
    ///
    /// The modifiers depend on the tested ability and on the opponent, so this must run again after another one is picked.
    pub(super) fn apply_condition_modifiers(
        &self,
        roller: Option<&Character>,
        filled: &mut Filled,
    ) {
        let conditions = self.system.spec().conditions;
        let check = filled.fields.spec();
        let bearers = Bearers {
            roller,
            opponent: self.opponent(check, &filled.sources),
        };
        for field in check.fields {
            let is_modifiable = conditions
                .iter()
                .flat_map(|condition| condition.effects)
                .any(|effect| effect.field == field.id);
            if !is_modifiable {
                continue;
            }

            match condition_modifier(conditions, bearers, field, filled) {
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
    bearers: Bearers<'_>,
    field: &Field,
    filled: &Filled,
) -> Option<ConditionModifier> {
    let mut names = Vec::new();
    let mut levels_sum = 0;
    let mut maximum: Option<i32> = None;

    let roller_effects = effects_of(bearers.roller, ConditionBearer::Roller, specs, filled);
    let opponent_effects = effects_of(bearers.opponent, ConditionBearer::Opponent, specs, filled);
    for ActiveEffect {
        condition,
        spec,
        effect,
    } in roller_effects.into_iter().chain(opponent_effects)
    {
        if effect.field != field.id {
            continue;
        }

        if let Some(limit) = effect.most {
            maximum = Some(match maximum {
                Some(maximum) => maximum.min(limit),
                None => limit,
            });
            names.push(spec.name.to_owned());
        } else if effect.ability.is_none() || effect.ability == filled.name_of("ability") {
            let highest = spec.levels.max(MOST_LEVELS);
            let levels = condition.value.unwrap_or(1).clamp(0, highest);
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

/// An effect of a condition that a character has.
struct ActiveEffect<'a> {
    condition: &'a Condition,
    spec: &'a ConditionSpec,
    effect: &'a ConditionEffect,
}

/// The effects of a character's conditions that apply to this check. A roll without the character has none.
fn effects_of<'a>(
    character: Option<&'a Character>,
    of: ConditionBearer,
    specs: &'a [ConditionSpec],
    filled: &Filled,
) -> Vec<ActiveEffect<'a>> {
    let Some(character) = character else {
        return Vec::new();
    };
    let check = filled.fields.spec();

    let mut active = Vec::new();
    for condition in &character.conditions {
        let index = specs
            .iter()
            .position(|spec| is_same_name(spec.name, &condition.name));
        let Some(index) = index else {
            continue;
        };
        let spec = &specs[index];
        for (place, effect) in spec.effects.iter().enumerate() {
            if effect.of == of && check.is_affected_by(index, place, &filled.fields) {
                active.push(ActiveEffect {
                    condition,
                    spec,
                    effect,
                });
            }
        }
    }
    active
}
