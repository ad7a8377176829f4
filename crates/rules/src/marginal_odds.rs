//! The gain in the chance of success when one field is raised by one step, for the line under the odds.

use super::{Asked, CheckSpec, Field, Fields, HouseRules, Odds, Policy, Value};
use tableside_dice::Fraction;

/// The chance of success with one field a step higher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginalOdds {
    /// The field's id.
    pub field: &'static str,
    /// The value after the step or steps: the next number, the next larger die, or a flag that is on.
    pub to: Value,
    /// The chance of success with that value.
    pub success: Fraction,
    /// The difference from the present chance. Always above 0.
    pub gain: Fraction,
}

/// The most steps by which a field is raised if the check cannot succeed yet.
const MOST_STEPS: u32 = 8;

/// Returns every field whose next step raises the chance of success, in the order of the fields. If the check cannot
/// succeed yet and several steps of a field make success possible, the field is raised by the fewest such steps.
///
/// The list is empty if the check has no success, or if the rules refuse it with the present fields. Fields that are
/// seldom asked for and fields of words are left out.
pub fn marginal_odds(
    spec: &'static CheckSpec,
    fields: &Fields,
    house: &HouseRules,
    policy: &Policy,
) -> Vec<MarginalOdds> {
    let success_with = |fields: &Fields| {
        let check = spec.prepare(fields, house).ok()?;
        Odds::of(spec, &*check, policy).ok()?.success
    };
    let Some(present_success) = success_with(fields) else {
        return Vec::new();
    };

    let mut marginal_odds = Vec::new();
    for field in spec.fields {
        // Fields that are seldom asked for are mostly conditions. Some raise the chance of success at a price that the
        // chance does not show, such as Vulnerability, which lets a 2 be rolled again.
        if field.asked == Asked::Seldom {
            continue;
        }

        let most_steps = if present_success == Fraction::ZERO {
            MOST_STEPS
        } else {
            1
        };
        let mut stepped_fields = fields.clone();
        for _ in 0..most_steps {
            let Some(value) = step_field(&mut stepped_fields, field) else {
                break;
            };
            let Some(success) = success_with(&stepped_fields) else {
                break;
            };
            if success > present_success {
                marginal_odds.push(MarginalOdds {
                    field: field.id,
                    to: value,
                    gain: &success - &present_success,
                    success,
                });
                break;
            }
        }
    }
    marginal_odds
}

/// Raises a field by one step, and returns its new value. `None` if it has no next step; the words of a field have no
/// order.
fn step_field(fields: &mut Fields, field: &Field) -> Option<Value> {
    let present = fields.value(field.id)?;
    let value = field.kind.stepped(present, 1)?;
    if value == *present || value.text().is_some() {
        return None;
    }

    fields.set(field.id, value.clone()).ok()?;
    Some(value)
}
