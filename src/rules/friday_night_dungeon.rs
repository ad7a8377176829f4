//! Friday Night Dungeon: two six-sided dice, and never more than one step above yourself.

mod challenge;
mod combat;
mod sheet;

use super::{Code, Fields, House, PreparedCheck, machine};

/// The rules of Friday Night Dungeon that are no description.
pub(super) const CODE: Code = Code {
    prepare,
    derive: sheet::derive,
    standing: sheet::standing,
    harm: sheet::harm,
    means: sheet::means,
    ..Code::PLAIN
};

fn prepare(fields: &Fields, house: &House) -> PreparedCheck {
    Ok(match fields.spec().id {
        "combat" => machine(fields, combat::Combat::new(fields, house)),
        _ => machine(fields, challenge::Challenge::new(fields, house)?),
    })
}
