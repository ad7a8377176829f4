//! HEARTS: roll under a value, count successes, sing of it later.

mod opposed;
mod sheet;
mod skill;
mod target;

use super::{Code, Fields, House, PreparedCheck, machine};

/// The rules of HEARTS that are no description.
pub(super) const CODE: Code = Code {
    prepare,
    derive: sheet::derive,
    ..Code::PLAIN
};

fn prepare(fields: &Fields, house: &House) -> PreparedCheck {
    match fields.spec().id {
        "opposed" => Ok(machine(
            fields,
            opposed::Opposed::new(fields, house, "skill")?,
        )),
        "opposed-trait" => {
            let own = fields.text("own-check");
            Ok(machine(fields, opposed::Opposed::new(fields, house, own)?))
        }
        _ => Ok(machine(fields, skill::Single::new(fields, house)?)),
    }
}
