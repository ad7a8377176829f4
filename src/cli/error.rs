//! Errors of the command line: a sentence, what to do next, and the exit code.

use std::io::Write;
use std::process::ExitCode;

use crate::config::ConfigError;
use tableside_commands::ParseError;
use tableside_dice::notation::NotationError;
use tableside_game::CommandError;
use tableside_rules::{Refused, RuleError};
use tableside_store::StoreError;
use tableside_table::{OpenError, Problem, RequestError};
use tableside_text::sanitise;
use tableside_tui::terminal::run::RunError;

/// The longest sentence that is written, in characters.
const LONGEST: usize = 4_000;

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// As it should.
    Success,
    /// With an error.
    Failed,
    /// It was not called rightly.
    Misused,
    /// By a signal; 128 and its number.
    Ended(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Failed => Self::FAILURE,
            Exit::Misused => Self::from(2),
            Exit::Ended(code) => Self::from(code),
        }
    }
}

/// Why a command came to nothing.
#[derive(Debug)]
pub(super) enum CliError {
    /// What is wrong, and what would be right.
    Said(RequestError),
    /// The game is open elsewhere.
    Held(RequestError),
    /// The reader of the output has gone.
    Closed,
    /// The screen was ended from outside; the exit code says by what.
    Ended(u8),
    /// No error: help was asked for, and this is it.
    Shown(String),
}

impl CliError {
    /// The call is wrong.
    pub(super) fn usage(what: impl Into<String>) -> Self {
        Self::Said(RequestError::usage(what))
    }

    /// It could not be done.
    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self::Said(RequestError::failed(what))
    }

    /// The same with what to do next.
    pub(super) fn hint(mut self, next: impl Into<String>) -> Self {
        if let Self::Said(error) = &mut self {
            error.hint = Some(next.into());
        }
        self
    }

    /// What is wrong, in a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Said(error) | Self::Held(error) => error.what.clone(),
            Self::Closed | Self::Ended(_) | Self::Shown(_) => String::new(),
        }
    }

    /// Says it on standard error.
    pub(super) fn report(self, err: &mut dyn Write) -> Exit {
        let error = match self {
            Self::Closed | Self::Shown(_) => return Exit::Success,
            Self::Ended(code) => return Exit::Ended(code),
            Self::Said(error) | Self::Held(error) => error,
        };
        let hint = error.hint.map(|hint| format!("hint: {hint}"));
        let lines = error.what.lines().map(str::to_owned);
        for line in lines.chain(hint) {
            // When not even this can be written, the exit code still says it.
            writeln!(err, "{}", sanitise(&line, LONGEST)).unwrap_or_default();
        }
        if error.is_usage_error {
            Exit::Misused
        } else {
            Exit::Failed
        }
    }
}

/// Errors that a request to a game can fail with are reported as that request's error.
macro_rules! from_request_errors {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for CliError {
            fn from(error: $error) -> Self {
                Self::Said(error.into())
            }
        })+
    };
}

from_request_errors!(
    CommandError,
    NotationError,
    ParseError,
    Problem,
    Refused,
    RequestError,
    RuleError,
    StoreError,
);

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<OpenError> for CliError {
    fn from(error: OpenError) -> Self {
        let hint = match error {
            OpenError::Store(error @ StoreError::Held { .. }) => return Self::Held(error.into()),
            OpenError::Store(error) => return Self::Said(error.into()),
            OpenError::File { .. } => {
                "correct it there; the state before the last save is in the file with the same name and .before"
            }
            OpenError::Edited { .. } => {
                "open it on a terminal to keep the edit or to restore the saved state"
            }
        };
        Self::failed(error.to_string()).hint(hint)
    }
}
