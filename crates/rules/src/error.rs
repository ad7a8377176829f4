//! What is wrong with a value, a name or an answer, as a sentence that says what would be right.

use thiserror::Error;

use super::words::join;
use tableside_text::nearest;

/// A rule said no; not an error of the program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// A fault of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileFault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong and what would be right.
    pub what: String,
}

/// A value, a name or an answer that does not fit what the rules describe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    /// The value is not one that this field, stat or house rule takes.
    #[error("{name} must be {takes}, and {given:?} was given")]
    Wrong {
        /// The field, stat or house rule.
        name: String,
        /// What it takes, in words.
        takes: String,
        /// What was given, cut short.
        given: String,
    },
    /// What has to be given was not: each with what it takes.
    #[error("{}", missing(.0))]
    Missing(Vec<(String, String)>),
    /// Two fields of which only one may be given.
    #[error("{0} and {1} exclude each other; give only one of them")]
    Both(&'static str, &'static str),
    /// Two fields of which one must be given: each with what it takes.
    #[error("{0} or {2} is missing; give one of them: {0} {1}, {2} {3}")]
    Neither(&'static str, String, &'static str, String),
    /// A system's file that can't be used: every fault of it.
    #[error("{}", faults(.0))]
    Faults(Vec<FileFault>),
    /// A name that is not known, or faces and answers that are not what was asked for.
    #[error("{0}")]
    Said(String),
}

fn faults(all: &[FileFault]) -> String {
    let told = |FileFault { line, column, what }: &FileFault| {
        format!("line {line}, column {column}: {what}")
    };
    join(all.iter().map(told), "\n")
}

fn missing(all: &[(String, String)]) -> String {
    if let [(name, takes)] = all {
        return format!("{name} is missing; it must be {takes}");
    }
    let each = all.iter().map(|(name, takes)| format!("{name}, {takes}"));
    format!("these fields are missing: {}", join(each, "; "))
}

impl RuleError {
    /// A value that is not taken.
    pub fn wrong(name: impl Into<String>, takes: String, given: &str) -> Self {
        Self::Wrong {
            name: name.into(),
            takes,
            given: given.chars().take(40).collect(),
        }
    }

    /// `acs has no field "skil"; its fields are attribute, competency`, or the nearest of them.
    pub(super) fn unknown<'a>(
        no: &str,
        given: &str,
        known: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        Self::Said(match nearest(given, names.iter().copied()) {
            Some(near) => format!("{no} {given:?}; did you mean {near}?"),
            None if names.is_empty() => format!("{no} {given:?}; there are none"),
            None => format!("{no} {given:?}; {known} {}", names.join(", ")),
        })
    }
}

impl From<tableside_dice::FaceError> for RuleError {
    fn from(error: tableside_dice::FaceError) -> Self {
        Self::Said(error.to_string())
    }
}
