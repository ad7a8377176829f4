//! What can go wrong on the command line, and how it is said: a sentence, where it comes from, and what
//! next.

use std::io::Write;

use color_eyre::Report;

use super::Exit;
use super::sample::SampleError;
use crate::config::ConfigError;
use crate::rules::{FieldError, HouseError, Refused, UnknownName, WalkError};
use crate::screen::run::RunError;
use crate::screen::terminal::TerminalError;
use crate::session::CommandError;
use crate::store::StoreError;
use crate::table::{OpenError, Problem, is_misuse};
use crate::text::sanitise;

/// The longest sentence that is written, in characters.
const LONGEST: usize = 4_000;

/// Why a command came to nothing.
#[derive(Debug)]
pub(super) enum CliError {
    /// It was not called rightly.
    Usage {
        /// What is wrong and what would be right.
        what: String,
        /// What next.
        hint: Option<String>,
    },
    /// It could not be done.
    Failed {
        /// What is wrong and what would be right.
        what: String,
        /// What next.
        hint: Option<String>,
    },
    /// Somebody else has the session open.
    Held(StoreError),
    /// Something that nobody foresaw.
    Unexpected(Report),
    /// Whoever read the output has gone.
    Closed,
    /// The screen was ended from outside; the exit code says by what.
    Ended(u8),
    /// No trouble: help was asked for, and this is it.
    Shown(String),
}

impl CliError {
    /// It was not called rightly.
    pub(super) fn usage(what: impl Into<String>) -> Self {
        Self::Usage {
            what: what.into(),
            hint: None,
        }
    }

    /// It could not be done.
    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self::Failed {
            what: what.into(),
            hint: None,
        }
    }

    /// The same with what to do next.
    #[must_use]
    pub(super) fn hint(mut self, next: impl Into<String>) -> Self {
        if let Self::Usage { hint, .. } | Self::Failed { hint, .. } = &mut self {
            *hint = Some(next.into());
        }
        self
    }

    /// What is wrong, in a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Usage { what, .. } | Self::Failed { what, .. } => what.clone(),
            Self::Held(error) => error.to_string(),
            Self::Unexpected(report) => report.to_string(),
            Self::Closed | Self::Ended(_) | Self::Shown(_) => String::new(),
        }
    }

    /// Says it on standard error.
    pub(super) fn report(self, err: &mut dyn Write) -> Exit {
        let (exit, lines) = match self {
            Self::Closed | Self::Shown(_) => return Exit::Success,
            Self::Ended(code) => return Exit::Ended(code),
            Self::Usage { what, hint } => (Exit::Misused, said(what, hint)),
            Self::Failed { what, hint } => (Exit::Failed, said(what, hint)),
            Self::Held(error) => (Exit::Failed, said(error.to_string(), error.hint())),
            Self::Unexpected(report) => {
                let causes = report.chain().skip(1);
                let causes = causes.map(|cause| format!("caused by: {cause}"));
                let mut lines = vec![report.to_string()];
                lines.extend(causes);
                (Exit::Failed, lines)
            }
        };
        for line in lines {
            // When not even this can be written, the exit code still says it.
            writeln!(err, "{}", sanitise(&line, LONGEST)).unwrap_or_default();
        }
        exit
    }
}

fn said(what: String, hint: Option<String>) -> Vec<String> {
    let hint = hint.map(|hint| format!("hint: {hint}"));
    [Some(what), hint].into_iter().flatten().collect()
}

impl From<Report> for CliError {
    fn from(report: Report) -> Self {
        Self::Unexpected(report)
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Terminal(TerminalError::NoTerminal(_)) => Self::failed(error.to_string()),
            error => Self::Unexpected(error.into()),
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Held { .. } => Self::Held(error),
            error => Self::Failed {
                what: error.to_string(),
                hint: error.hint(),
            },
        }
    }
}

impl From<OpenError> for CliError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Store(error) => error.into(),
            OpenError::File { .. } => Self::failed(error.to_string()).hint(
                "mend it there; the state before the last save is kept beside it as session.toml.before",
            ),
            OpenError::Edited { .. } => Self::failed(error.to_string())
                .hint("open it on a terminal to keep the edit or to go back to what was saved"),
        }
    }
}

impl From<Problem> for CliError {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Refused(refusal) => refusal.into(),
            Problem::Store(error) => error.into(),
        }
    }
}

impl From<CommandError> for CliError {
    fn from(refusal: CommandError) -> Self {
        if is_misuse(&refusal) {
            Self::usage(refusal.to_string())
        } else {
            Self::failed(refusal.to_string())
        }
    }
}

impl From<FieldError> for CliError {
    fn from(error: FieldError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<WalkError> for CliError {
    fn from(error: WalkError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<HouseError> for CliError {
    fn from(error: HouseError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<UnknownName> for CliError {
    fn from(error: UnknownName) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<Refused> for CliError {
    fn from(refused: Refused) -> Self {
        Self::failed(refused.to_string())
    }
}

impl From<SampleError> for CliError {
    fn from(error: SampleError) -> Self {
        Self::failed(error.to_string())
    }
}
