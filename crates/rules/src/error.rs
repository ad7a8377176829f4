//! Errors about values, names and answers. Each message explains how to correct the mistake.

use thiserror::Error;

use super::words::join;
use tableside_text::nearest;

/// A refusal by the rules, with the reason. It is not an error of the program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// A fault in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileFault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The fault, and how to correct it.
    pub what: String,
}

/// A required value that is not given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingValue {
    /// The id of the field or stat.
    pub id: &'static str,
    /// The name in messages.
    pub name: String,
    /// A description of the values that it accepts.
    pub takes: String,
}

/// A value, a name or an answer that does not fit the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    /// A value that a field, stat or house rule does not accept.
    #[error("{name} must be {takes}, and {given:?} was given")]
    Wrong {
        /// The name of the field, stat or house rule.
        name: String,
        /// A description of the accepted values.
        takes: String,
        /// The start of the given value.
        given: String,
    },
    /// Missing values.
    #[error("{}", list_missing(.0))]
    Missing(Vec<MissingValue>),
    /// Two fields that exclude each other were given.
    #[error("{0} and {1} exclude each other; give only one of them")]
    Both(&'static str, &'static str),
    /// Neither of two fields was given, although one is needed: the name of each, and a description of the values that
    /// it accepts.
    #[error("{0} or {2} is missing; give {0}, {1}, or {2}, {3}")]
    Neither(String, String, String, String),
    /// All faults of a rule file.
    #[error("{}", list_faults(.0))]
    Faults(Vec<FileFault>),
    /// Another error, such as an unknown name, wrong faces or a wrong answer.
    #[error("{0}")]
    Said(String),
}

fn list_faults(faults: &[FileFault]) -> String {
    let lines = faults.iter().map(|fault| {
        format!(
            "line {}, column {}: {}",
            fault.line, fault.column, fault.what
        )
    });
    join(lines, "\n")
}

fn list_missing(missing: &[MissingValue]) -> String {
    if let [MissingValue { name, takes, .. }] = missing {
        return format!("{name} is missing; it must be {takes}");
    }

    let fields = missing
        .iter()
        .map(|value| format!("{}, {}", value.name, value.takes));
    format!("these fields are missing: {}", join(fields, "; "))
}

impl RuleError {
    /// Creates the error for a value that is not accepted. The message quotes only the first 40 characters of the
    /// value.
    pub fn wrong(name: impl Into<String>, takes: String, given: &str) -> Self {
        Self::Wrong {
            name: name.into(),
            takes,
            given: given.chars().take(40).collect(),
        }
    }

    /// Creates the error for an unknown name. It suggests the nearest name: `acs has no field "skil"; did you mean skill?`. If
    /// no name is similar, it lists all names: `acs has no field "x"; its fields are attribute, competency`.
    ///
    /// `problem` is the part before the given name, such as `acs has no field`. `list_intro` is the part before the list.
    pub(super) fn unknown<'a>(
        problem: &str,
        given: &str,
        list_intro: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        let nearest = nearest(given, names.iter().copied());

        let message = if let Some(nearest) = nearest {
            format!("{problem} {given:?}; did you mean {nearest}?")
        } else if names.is_empty() {
            format!("{problem} {given:?}")
        } else {
            let list = names.join(", ");
            format!("{problem} {given:?}; {list_intro} {list}")
        };
        Self::Said(message)
    }
}

impl From<tableside_dice::FaceError> for RuleError {
    fn from(error: tableside_dice::FaceError) -> Self {
        Self::Said(error.to_string())
    }
}
