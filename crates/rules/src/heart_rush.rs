//! The rules of Heart Rush in code: skill checks, saving throws, attacks and stratagems.
//!
//! All four begin with the basic roll ([`basic`]): a heart die, which shrinks when the hero is hurt, and an ability die.

mod approval;
mod attack;
mod basic;
mod save;
mod sheet;
mod skill;
mod stratagem;

use super::{Code, Fields, HouseRules, PreparedCheck};

/// The parts of the rules that the system file cannot express.
pub(super) const CODE: Code = Code {
    prepare,
    derive: sheet::derive,
    means: sheet::means,
    ..Code::PLAIN
};

fn prepare(fields: &Fields, house: &HouseRules) -> PreparedCheck {
    match fields.spec().id {
        "skill" => approval::prepare(fields, house, |fields| skill::Skill::new(fields, house)),
        "save" => approval::prepare(fields, house, |fields| save::prepare(fields, house)),
        "attack" => approval::prepare(fields, house, |fields| attack::Attack::new(fields, house)),
        _ => approval::prepare(fields, house, |fields| stratagem::prepare(fields, house)),
    }
}
