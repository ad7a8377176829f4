//! HFRPG: dice that explode and implode, and tokens that push them.

mod acs;
mod exploding;
mod token_allocation;

use super::{Code, machine};

/// The rules of HFRPG that are no description.
pub(super) const CODE: Code = Code {
    prepare: |fields, house| Ok(machine(fields, acs::Acs::new(fields, house)?)),
    ..Code::PLAIN
};
