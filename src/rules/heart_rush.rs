//! Heart Rush: a heart die that shrinks with the hero, an ability die, and aspects that cut both ways.

mod attack;
mod basic;
mod save;
mod sheet;
mod skill;
mod stratagem;

use super::{Code, Fields, HouseRules, PreparedCheck, machine};

/// The rules of Heart Rush that are no description.
pub(super) const CODE: Code = Code {
    prepare,
    derive: sheet::derive,
    means: sheet::means,
    ..Code::PLAIN
};

fn prepare(fields: &Fields, house: &HouseRules) -> PreparedCheck {
    Ok(match fields.spec().id {
        "skill" => machine(fields, skill::Skill::new(fields, house)?),
        "save" => machine(fields, save::prepare(fields, house)?),
        "attack" => machine(fields, attack::Attack::new(fields, house)?),
        _ => machine(fields, stratagem::prepare(fields, house)?),
    })
}
