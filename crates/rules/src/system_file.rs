//! Rule systems in files: how one is read, tried and played.
//!
//! `layout` reads what a file has, with `field_reader` and `sheet_reader`; a `CheckReader` reads a check: its steps, their
//! throws, what follows. `check` walks the steps, and `rolling` rolls for it.

mod check;
mod compile;
pub(super) mod outline;
mod program;
mod read;
mod rolling;
mod stage;
mod validate;

use toml::de::DeTable;

use super::{RuleError, System, SystemSpec};
pub(super) use check::{FileCheck, holds, looks_at};
pub(super) use program::effect_rule::EffectRule;
pub(super) use program::expression::{Known, Name};
pub(super) use program::sheet_rules::{SheetPart, SheetRules};
pub(super) use program::{Bearing, Program};
pub(super) use read::{Reader, Table};

/// A file is at most so large, in bytes.
const LARGEST: usize = 256 * 1024;

/// So many faults at most are told of a text that is no TOML.
const MOST_UNREAD: usize = 3;

/// Reads the description of a system. Every fault is found at once.
pub(super) fn read(system: System, text: &'static str) -> Result<SystemSpec, RuleError> {
    with_file(text, |file| compile::read(file, system))
}

/// Tries the examples and the odds of a system's checks.
pub(super) fn try_out(spec: &SystemSpec, text: &'static str) -> Result<(), RuleError> {
    with_file(text, |file| {
        file.leave_rest();
        validate::try_checks(file, spec.checks);
    })
}

fn with_file<T>(text: &'static str, act: impl FnOnce(&Table<'_>) -> T) -> Result<T, RuleError> {
    if text.len() > LARGEST {
        let size = text.len() / 1024;
        return Err(RuleError::Said(format!(
            "a system's file has at most 256 KiB, and this has {size}"
        )));
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let reader = Reader::new(text);
    // A lost brace makes a fault of every line behind it: the first few are enough.
    for error in errors.into_iter().take(MOST_UNREAD) {
        let at = error.span().map_or(0, |span| span.start);
        reader.fault(at, error.message());
    }
    let is_good = reader.faults.borrow().is_empty();
    let done = is_good.then(|| act(&Table::new(&reader, root.get_ref(), 0, "")));
    let faults = reader.into_faults();
    match done {
        Some(done) if faults.is_empty() => Ok(done),
        Some(_) | None => Err(RuleError::Faults(faults)),
    }
}

#[cfg(test)]
mod tests {
    use crate::System;

    #[test]
    fn every_file_that_comes_with_the_program_is_read_and_its_examples_hold() {
        let mut refused = String::new();
        for system in System::shipped() {
            let text = format!("{}# tried", system.text());
            if let Err(faults) = System::of_file(&text, true) {
                refused += format!("{system}:\n{faults}\n").as_str();
            }
        }
        assert!(refused.is_empty(), "{refused}");
    }
}
