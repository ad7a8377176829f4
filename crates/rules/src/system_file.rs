//! Rule systems that are described by TOML files.
//!
//! A file passes through four stages, each a module:
//!
//! 1. `read` parses the TOML and gives access to its tables and values. Each keeps its position, for faults.
//! 2. `compile` turns the tables into a [`SystemSpec`] with a [`Program`] for each check. It reports every fault of
//!    the file at once, with line, column and a suggestion.
//! 3. `validate` plays the compiled checks: the file's own examples, and rolls and odds at the limits of the fields.
//!    It is skipped for shipped files and for copies in saved games.
//! 4. `run` is the state machine that plays a [`Program`], for dice, replay and odds alike.
//!
//! `program` defines the compiled form of a check, which the machine plays: steps, expressions, templates and effects.
//! `outline` reads the name and the checks of a shipped file without compiling it.

mod abbreviations;
mod compile;
pub(super) mod outline;
mod program;
mod read;
mod run;
mod validate;

use super::{RuleError, System, SystemSpec};
pub(super) use program::effect_rule::EffectRule;
pub(super) use program::expression::{ExpressionValue, ResolvedName};
pub use program::harmed_check::HarmedCheck;
pub(super) use program::sheet_rules::{SheetPart, SheetRules};
pub(super) use program::{Bearing, Program};
pub(super) use read::{TomlTable, TomlValue, unknown_name, with_tables};
pub(super) use run::{FileCheck, holds, looks_at};

/// The largest file, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Refuses a text that is too large for a system file.
pub(super) fn check_size(text: &str) -> Result<(), RuleError> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }

    Err(RuleError::Said(format!(
        "the system file is too large: it has {} KiB, and the limit is 256 KiB",
        text.len() / 1024
    )))
}

/// Reads and compiles the file of a system. The error holds every fault.
pub(super) fn compile(system: System, text: &'static str) -> Result<SystemSpec, RuleError> {
    with_tables(text, |file| compile::system(file, system))
}

/// Plays the examples of a compiled file, computes the odds of its checks, and checks its abbreviations. The error holds
/// every fault.
pub(super) fn validate(spec: &SystemSpec, text: &'static str) -> Result<(), RuleError> {
    with_tables(text, |file| {
        file.ignore_other_keys();
        abbreviations::validate_abbreviations(file, spec);
        validate::validate_checks(file, spec.checks);
    })
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
