//! Heart Rush: a heart die that shrinks with the hero, an ability die, and aspects that cut both ways.

mod approval;
mod attack;
mod basic;
mod save;
mod sheet;
mod skill;
mod stratagem;

use super::{Code, Fields, HouseRules, PreparedCheck};

/// The rules of Heart Rush that are no description.
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
