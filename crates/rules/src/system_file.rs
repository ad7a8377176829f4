//! Rule systems that are described by TOML files.
//!
//! A file passes through four stages, each a module:
//!
//! 1. [`read`] parses the TOML and gives access to its tables and values. Each keeps its position, for faults.
//! 2. [`compile`] turns the tables into a [`SystemSpec`] with a [`Program`] for each check. It reports every fault of
//!    the file at once, with line, column and a suggestion.
//! 3. [`validate`] plays the compiled checks: the file's own examples, and rolls and odds at the limits of the fields.
//!    It is skipped for shipped files and for copies in saved games.
//! 4. [`check`] is the state machine that plays a [`Program`], for dice, replay and odds alike.
//!
//! [`program`] defines what the compiler makes and the machine plays: steps, expressions, templates and effects.
//! [`outline`] reads the name and the checks of a shipped file without compiling it.

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

/// The largest file, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Refuses a text that is too large for a system file.
pub(super) fn check_size(text: &str) -> Result<(), RuleError> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }

    Err(RuleError::Said(format!(
        "a system's file has at most 256 KiB, and this has {}",
        text.len() / 1024
    )))
}

/// Reads and compiles the file of a system. The error holds every fault.
pub(super) fn compile(system: System, text: &'static str) -> Result<SystemSpec, RuleError> {
    with_file(text, |file| compile::read(file, system))
}

/// Plays the examples of a compiled file and computes the odds of its checks. The error holds every fault.
pub(super) fn validate(spec: &SystemSpec, text: &'static str) -> Result<(), RuleError> {
    with_file(text, |file| {
        file.leave_rest();
        validate::try_checks(file, spec.checks);
    })
}

/// The most syntax errors that are reported. A lost brace makes an error of every line behind it.
const MAX_SYNTAX_ERRORS: usize = 3;

fn with_file<T>(text: &'static str, act: impl FnOnce(&Table<'_>) -> T) -> Result<T, RuleError> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let reader = Reader::new(text);
    for error in errors.into_iter().take(MAX_SYNTAX_ERRORS) {
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
    fn every_shipped_file_compiles_and_its_examples_hold() {
        let mut faults = Vec::new();
        for system in System::shipped() {
            // A shipped text is never validated, so change it.
            let text = format!("{}# changed", system.text());
            if let Err(error) = System::of_file(&text, true) {
                faults.push(format!("{system}:\n{error}"));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
