//! The stratagem roll (Heart Rush, Types of Rolls, 4; Stratagem CNs).

use super::basic::{BasicRoll, counts_like_a_one, name_number, one};
use super::save::Plain;
use crate::words::terms;
use crate::{Fields, HouseRules, Refused};
use tableside_dice::{Die, DieRole, Measure, Pool};

/// By how much one asset or hindrance shifts the Challenge Number.
const STEP: i32 = 3;

/// The stratagem roll of these fields.
pub(super) fn prepare(fields: &Fields, house: &HouseRules) -> Result<Plain, Refused> {
    let base = fields.number("cn");
    let lowered = STEP * fields.number("assets");
    let raised = STEP * fields.number("hindrances");
    let cn = base - lowered + raised;
    let shifts = terms(&[("assets", -lowered), ("hindrances", raised)]);
    let before = (!shifts.is_empty())
        .then(|| format!("Challenge Number {}{shifts} makes {cn}.", name_number(base)));
    // The d8 stands in for the heart die and is none: stamina does not touch it.
    let dice = vec![
        one(Die::D8, DieRole::POOL),
        one(fields.die("ability"), DieRole::ABILITY),
    ];
    let crisis = house.is("stratagem-crisis", "on");
    Ok(Plain {
        roll: BasicRoll::new(Pool::all(dice, Measure::Sum), fields, house)?,
        cn,
        before,
        crisis: crisis.then(|| counts_like_a_one(fields)),
    })
}
