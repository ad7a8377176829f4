//! What the conditions of a character weigh in a check: dazed is a disadvantage on Cunning.

use super::{Character, Condition, Filled, Session};
use crate::rules::{ConditionSpec, Field, Kind, MOST_LEVELS, Value, Weighs};

impl Session {
    /// Lets conditions speak in the fields that nobody gave otherwise. Asked again after another
    /// ability was picked, for it may be another's affair then.
    pub(super) fn weigh_conditions(&self, character: &Character, filled: &mut Filled) {
        let known = self.system.spec().conditions;
        let fields = filled.fields.spec().fields.iter();
        for field in fields.filter(|field| known.iter().any(|one| field_of(one) == Some(field.id)))
        {
            let weighed = weight(known, character, field, filled);
            let mine = filled
                .name_of(field.id)
                .is_some_and(|source| is_a_condition(known, source));
            let free = mine || is_free(field, filled);
            match weighed {
                Some((amount, words)) if free => {
                    filled.put(field, (Value::Number(amount), words)).ok();
                }
                None if mine => {
                    let plain = field.preset_value().unwrap_or(Value::Number(0));
                    filled.put(field, (plain, String::new())).ok();
                }
                _ => {}
            }
        }
    }
}

/// Whether nobody gave the field by hand: it is as it always is, or as the sheet says.
fn is_free(field: &Field, filled: &Filled) -> bool {
    filled.source(field.id).is_some()
        || filled.fields.value(field.id) == field.preset_value().as_ref()
}

fn field_of(one: &ConditionSpec) -> Option<&'static str> {
    match one.weighs {
        Weighs::On { field, .. } | Weighs::Always { field } | Weighs::AtMost { field, .. } => {
            Some(field)
        }
        Weighs::Told => None,
    }
}

/// Whether the words are those of a condition: `dazed 2`.
fn is_a_condition(known: &[ConditionSpec], source: &str) -> bool {
    source.split(", ").all(|part| {
        known
            .iter()
            .any(|one| part.split(' ').next() == Some(one.name))
    })
}

/// What the conditions make of a field, and which they are.
fn weight(
    known: &[ConditionSpec],
    character: &Character,
    field: &Field,
    filled: &Filled,
) -> Option<(i32, String)> {
    let mut words = Vec::new();
    let (mut sum, mut most) = (0, None);
    for condition in &character.conditions {
        let name = condition.name.to_lowercase();
        let Some(spec) = known.iter().find(|one| one.name == name) else {
            continue;
        };
        let levels = levels(condition);
        match spec.weighs {
            Weighs::On { field: on, ability }
                if on == field.id && filled.name_of("ability") == Some(ability) =>
            {
                sum += levels;
            }
            Weighs::Always { field: on } if on == field.id => sum += levels,
            Weighs::AtMost {
                field: on,
                most: cap,
            } if on == field.id => {
                most = Some(most.map_or(cap, |least: i32| least.min(cap)));
            }
            Weighs::On { .. } | Weighs::Always { .. } | Weighs::AtMost { .. } | Weighs::Told => {
                continue;
            }
        }
        words.push(match spec.weighs {
            Weighs::AtMost { .. } => spec.name.to_owned(),
            _ => format!("{} {levels}", spec.name),
        });
    }
    if words.is_empty() {
        return None;
    }
    let amount = match (most, filled.fields.value(field.id)) {
        (Some(most), Some(Value::Number(now))) => most.min(*now),
        (Some(most), _) => most,
        (None, _) => sum,
    };
    let amount = match field.kind {
        Kind::Number { min, max } => amount.clamp(min, max),
        Kind::Die | Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Ranks { .. } => amount,
    };
    Some((amount, words.join(", ")))
}

fn levels(condition: &Condition) -> i32 {
    condition.value.unwrap_or(1).clamp(0, MOST_LEVELS)
}
