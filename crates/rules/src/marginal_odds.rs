//! What one more of something would be worth: the small line under the odds.

use super::{Asked, CheckSpec, Fields, HouseRules, Odds, Policy, Value};
use tableside_dice::Fraction;

/// One step of one field, and what it does for the chance of success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginalOdds {
    /// The field.
    pub field: &'static str,
    /// Its value after the step: one more, the next larger die, on.
    pub to: Value,
    /// The chance of success with it.
    pub success: Fraction,
    /// How much more that is; never nothing.
    pub gain: Fraction,
}

/// Every field of which one more raises the chance of success, in the order of the fields; nothing
/// where the check knows no success or is refused as it stands.
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
    // Nobody asks for one more of a condition, though some make success likelier (a 2 that Vulnerability
    // lets roll again), at a price that success does not tell.
    let offered = spec.fields.iter();
    let offered = offered.filter(|field| field.asked != Asked::Seldom);
    let steps = offered.filter_map(|field| {
        // Of words nobody knows which is more.
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
