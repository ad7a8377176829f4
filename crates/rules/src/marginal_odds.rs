//! How much the chance of success rises with one more step of a field, for the line under the odds.

use super::{Asked, CheckSpec, Fields, HouseRules, Odds, Policy, Value};
use tableside_dice::Fraction;

/// The chance of success with one field a step higher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginalOdds {
    /// The field's id.
    pub field: &'static str,
    /// The value after the step: the next number, the next larger die, or a flag that is on.
    pub to: Value,
    /// The chance of success with that value.
    pub success: Fraction,
    /// How much higher that is than the present chance. Always above 0.
    pub gain: Fraction,
}

/// Returns every field whose next step raises the chance of success, in the order of the fields.
///
/// The list is empty if the check has no success, or if the rules refuse it with the present fields. Fields that are
/// seldom asked for and fields of words are left out.
pub fn marginal_odds(
    spec: &'static CheckSpec,
    fields: &Fields,
    house: &HouseRules,
    policy: &Policy,
) -> Vec<MarginalOdds> {
    let success = |fields: &Fields| {
        let check = spec.prepare(fields, house).ok()?;
        Odds::of(spec, &*check, policy).ok()?.success
    };
    let Some(now) = success(fields) else {
        return Vec::new();
    };
    // Fields that are seldom asked for are mostly conditions. Some raise the chance of success at a price that the chance
    // does not show, such as Vulnerability, which lets a 2 be rolled again.
    let offered = spec.fields.iter();
    let offered = offered.filter(|field| field.asked != Asked::Seldom);
    let steps = offered.filter_map(|field| {
        // The words of a field have no order.
        let now_is = fields.value(field.id)?;
        let to = field.kind.stepped(now_is, 1);
        let to = to.filter(|to| to != now_is && to.text().is_none())?;
        let mut more = fields.clone();
        more.set(field.id, to.clone()).ok()?;
        let success = success(&more)?;
        let gain = &success - &now;
        (success > now).then_some(MarginalOdds {
            field: field.id,
            to,
            success,
            gain,
        })
    });
    steps.collect()
}
