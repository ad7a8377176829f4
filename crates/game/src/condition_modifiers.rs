//! What the conditions of a character weigh in a check: dazed is a disadvantage on Cunning.

use super::group::bounded;
use super::{Character, Filled, Game};
use tableside_rules::{ConditionSpec, Field, Kind, MOST_LEVELS, Value};
use tableside_text::is_same_name;

impl Game {
    /// Lets conditions speak in the fields that nobody gave otherwise. Asked again after another
    /// ability was picked, for it may be another's affair then.
    pub(super) fn weigh_conditions(&self, character: &Character, filled: &mut Filled) {
        let known = self.system.spec().conditions;
        let is_condition = |part: &str| known.iter().any(|one| part.starts_with(one.name));
        for field in filled.fields.spec().fields {
            let mut weighs = known.iter().filter_map(|one| one.weighs);
            if !weighs.any(|weighs| weighs.field == field.id) {
                continue;
            }
            let source = filled.name_of(field.id);
            let mine = source.is_some_and(|source| source.split(", ").all(is_condition));
            let free = !filled.is_given(field);
            match weight(known, character, field, filled) {
                Some((amount, words)) if free => {
                    let value = match field.kind {
                        Kind::Flag => Value::Flag(amount > 0),
                        _ => Value::Number(amount),
                    };
                    filled.put(field, (value, words)).ok();
                }
                None if mine => {
                    filled.clear(field);
                }
                _ => {}
            }
        }
    }
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
        let place = known
            .iter()
            .position(|one| is_same_name(one.name, &condition.name));
        let place =
            place.filter(|place| filled.fields.spec().is_affected_by(*place, &filled.fields));
        let spec = place.map(|place| &known[place]);
        let weighs = spec.and_then(|spec| spec.weighs);
        let Some((spec, weighs)) = spec.zip(weighs.filter(|weighs| weighs.field == field.id))
        else {
            continue;
        };
        if let Some(cap) = weighs.most {
            most = Some(most.map_or(cap, |least: i32| least.min(cap)));
            words.push(spec.name.to_owned());
        } else if weighs.ability.is_none() || weighs.ability == filled.name_of("ability") {
            let levels = condition.value.unwrap_or(1).clamp(0, MOST_LEVELS);
            sum += levels;
            words.push(format!("{} {levels}", spec.name));
        }
    }
    if words.is_empty() {
        return None;
    }
    let amount = match (most, filled.fields.value(field.id)) {
        (Some(most), Some(Value::Number(now))) => most.min(*now),
        (Some(most), _) => most,
        (None, _) => sum,
    };
    Some((bounded(field, amount), words.join(", ")))
}
