//! The rules of HFRPG in code: the ACS roll, its exploding and imploding dice, and the tokens that change dice.

mod acs;
mod exploding;
mod token_allocation;

use super::{Code, machine};

/// The parts of the rules that the system file cannot express.
pub(super) const CODE: Code = Code {
    prepare: |fields, house| Ok(machine(fields, acs::Acs::new(fields, house)?)),
    ..Code::PLAIN
};
