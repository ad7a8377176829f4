//! Reads TOML and keeps the position of each value, so that all faults of a file are reported at once with their lines.
//!
//! The accessors of [`TomlTable`] and [`TomlValue`] return `None` or a neutral value for faulty input and log the fault.
//! The result of compiling a file with faults is dropped, so callers need not handle them.

mod table;
mod value;

use std::cell::RefCell;

use toml::de::DeTable;

pub(crate) use table::TomlTable;
pub(crate) use value::TomlValue;

use crate::{FileFault, RuleError};

/// The most syntax errors that are reported. A missing brace causes an error in every later line.
const MAX_SYNTAX_ERRORS: usize = 3;

/// Parses a text and passes its top table to `use_file`. The error holds every fault that was logged.
pub(crate) fn with_tables<T>(
    text: &str,
    use_file: impl FnOnce(&TomlTable<'_>) -> T,
) -> Result<T, RuleError> {
    let (root, syntax_errors) = DeTable::parse_recoverable(text);
    let log = FaultLog::new(text);

    for error in syntax_errors.into_iter().take(MAX_SYNTAX_ERRORS) {
        let position = error.span().map_or(0, |span| span.start);
        log.report(position, error.message());
    }
    if !log.is_empty() {
        return Err(RuleError::Faults(log.into_faults()));
    }

    // The table logs its unknown keys when it is dropped, at the end of this block.
    let result = {
        let file = TomlTable::new(&log, root.get_ref(), 0, String::new());
        use_file(&file)
    };

    let faults = log.into_faults();
    if faults.is_empty() {
        Ok(result)
    } else {
        Err(RuleError::Faults(faults))
    }
}

/// Collects the faults of a file.
struct FaultLog<'t> {
    text: &'t str,
    faults: RefCell<Vec<LoggedFault>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct LoggedFault {
    /// The number of bytes before the fault in the file.
    position: usize,
    message: String,
}

impl LoggedFault {
    /// Returns the message without its suggestion.
    fn cause(&self) -> &str {
        self.message.split(';').next().unwrap_or_default()
    }
}

impl<'t> FaultLog<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            faults: RefCell::default(),
        }
    }

    fn report(&self, position: usize, message: impl Into<String>) {
        self.faults.borrow_mut().push(LoggedFault {
            position,
            message: message.into(),
        });
    }

    fn is_empty(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// Returns the faults in the order of the file.
    fn into_faults(self) -> Vec<FileFault> {
        let mut faults = self.faults.into_inner();
        faults.sort();

        // Shared steps are compiled for each check that uses them, so a fault in them is reported several times. The reports
        // differ in the suggestions after the semicolon.
        faults.dedup_by(|fault, previous| {
            fault.position == previous.position && fault.cause() == previous.cause()
        });

        let mut file_faults = Vec::new();
        for fault in faults {
            let text_before = self.text.get(..fault.position).unwrap_or(self.text);
            let line_before = text_before.rsplit('\n').next().unwrap_or_default();
            file_faults.push(FileFault {
                line: text_before.matches('\n').count() + 1,
                column: line_before.chars().count() + 1,
                what: fault.message,
            });
        }
        file_faults
    }
}

/// Returns the message for an unknown name: `unknown stat "nerv"; did you mean nerve?`. If no known name is similar, the
/// message lists all of them.
pub(crate) fn unknown_name(problem: &str, given: &str, known: &[&str]) -> String {
    let list_intro = match known {
        [_] => "expected",
        _ => "expected one of",
    };
    let known = known.iter().copied();
    RuleError::unknown(problem, given, list_intro, known).to_string()
}
