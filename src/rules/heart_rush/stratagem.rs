//! The stratagem roll (Heart Rush, Types of Rolls, 4; Stratagem CNs).

use super::STRATAGEM_CRISIS;
use super::basic::{
    ABILITY, ASPECT, BasicRoll, CN, PROFESSION, TANGENTIAL, VULNERABILITY, counts_like_a_one,
    name_number, one,
};
use super::save::{OUTCOMES, Plain};
use crate::dice::{Die, Pool, Projection, Role};
use crate::rules::words::terms;
use crate::rules::{CheckSpec, Field, Fields, House, Refused, System, machine};

/// By how much one asset or hindrance shifts the Challenge Number.
const STEP: i32 = 3;

/// The stratagem roll, described.
pub(super) static SPEC: CheckSpec = CheckSpec {
    system: System::HeartRush,
    id: "stratagem",
    label: "Stratagem",
    help: "Many coordinated actions over time, from naval battles to campaigns. A flat d8 instead of the heart die; \
           nobody helps, and circumstances are assets and hindrances.",
    fields: &[
        ABILITY,
        CN,
        PROFESSION,
        TANGENTIAL,
        ASPECT,
        Field::number("assets", "Assets", (0, 9), 0)
            .help("Advantages of your forces: each lowers the Challenge Number by 3."),
        Field::number("hindrances", "Hindrances", (0, 9), 0)
            .help("Disadvantages of your forces: each raises the Challenge Number by 3."),
        VULNERABILITY,
    ],
    outcomes: OUTCOMES,
    prepare: |fields, house| Ok(machine(fields, prepare(fields, house)?)),
    ..CheckSpec::PLAIN
};

fn prepare(fields: &Fields, house: &House) -> Result<Plain, Refused> {
    let base = fields.number("cn");
    let lowered = STEP * fields.number("assets");
    let raised = STEP * fields.number("hindrances");
    let cn = base - lowered + raised;
    let shifts = terms(&[("assets", -lowered), ("hindrances", raised)]);
    let before = (!shifts.is_empty())
        .then(|| format!("Challenge Number {}{shifts} makes {cn}.", name_number(base)));
    // The d8 stands in for the heart die and is none: stamina does not touch it.
    let dice = vec![
        one(Die::D8, Role::POOL),
        one(fields.die("ability"), Role::ABILITY),
    ];
    Ok(Plain {
        roll: BasicRoll::new(Pool::all(dice, Projection::Sum), fields, house)?,
        cn,
        before,
        crisis: house
            .departs(&STRATAGEM_CRISIS)
            .then(|| counts_like_a_one(fields)),
    })
}
