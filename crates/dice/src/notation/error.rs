//! Errors in dice expressions.

use thiserror::Error;

/// The error for a text that is no dice expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}{} (column {column})", suggestion.as_ref().map(|words| format!("; {words}")).unwrap_or_default())]
pub struct NotationError {
    /// The column of the first wrong character, counted from 1.
    pub(super) column: usize,
    /// The problem, as a sentence.
    pub(super) problem: String,
    /// A correction: `did you mean 2d6+3?`
    pub(super) suggestion: Option<String>,
}

impl NotationError {
    /// An error at a character, counted from 0.
    pub(super) fn new(index: usize, problem: impl Into<String>) -> Self {
        Self {
            column: index + 1,
            problem: problem.into(),
            suggestion: None,
        }
    }

    pub(super) fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The column of the first wrong character, counted from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}
