//! Implements the stratagem roll (Heart Rush, Types of Rolls, 4; Stratagem CNs).
//!
//! 1. The player makes a basic roll of a d8 and the ability die.
//! 2. Each asset lowers the Challenge Number by 3, and each hindrance raises it by 3.
//! 3. The roll succeeds if its total reaches the Challenge Number. By a house rule, a 1 causes a crisis.

use super::basic::{BasicRoll, highest_low_face, name_challenge_number, single_die};
use super::save::ChallengeRoll;
use crate::die_roles;
use crate::words::terms;
use crate::{Fields, HouseRules, Refused};
use tableside_dice::{Die, DieRole, Measure, Pool};

/// The change of the Challenge Number for each asset or hindrance.
const SHIFT: i32 = 3;

/// Prepares the stratagem roll for these fields.
pub(super) fn prepare(fields: &Fields, house: &HouseRules) -> Result<ChallengeRoll, Refused> {
    // The d8 is not a heart die, so stamina does not change it.
    let dice = vec![
        single_die(Die::D8, DieRole::POOL),
        single_die(fields.die("ability"), die_roles::ABILITY),
    ];
    let pool = Pool::all(dice, Measure::Sum);

    let base_number = fields.number("cn");
    let lowered = SHIFT * fields.number("assets");
    let raised = SHIFT * fields.number("hindrances");
    let challenge_number = base_number - lowered + raised;

    let shifts = terms(&[("assets", -lowered), ("hindrances", raised)]);
    let number_explanation = if shifts.is_empty() {
        None
    } else {
        let base_name = name_challenge_number(base_number);
        Some(format!(
            "Challenge Number {base_name}{shifts} makes {challenge_number}."
        ))
    };

    let crisis_face = if house.is("stratagem-crisis", "on") {
        Some(highest_low_face(fields))
    } else {
        None
    };
    Ok(ChallengeRoll {
        roll: BasicRoll::new(pool, fields, house)?,
        challenge_number,
        number_explanation,
        crisis_face,
    })
}
