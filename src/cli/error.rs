//! Errors of the command line: a sentence, what to do next, and the exit code.

use std::io::Write;

use color_eyre::Report;

use super::Exit;
use super::sample::SampleError;
use crate::config::ConfigError;
use crate::rules::{Refused, RuleError};
use crate::screen::run::RunError;
use crate::screen::terminal::TerminalError;
use crate::session::CommandError;
use crate::store::StoreError;
use crate::table::{OpenError, Problem, RequestError};
use crate::text::{nearest, sanitise};

/// The longest sentence that is written, in characters.
const LONGEST: usize = 4_000;

/// Why a command came to nothing.
#[derive(Debug)]
pub(super) enum CliError {
    Said {
        exit: Exit,
        /// What is wrong and what would be right.
        what: String,
        /// What to do next.
        hint: Option<String>,
    },
    /// The session is open elsewhere.
    Held(StoreError),
    /// An error without a sentence of its own.
    Unexpected(Report),
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
        Self::said(Exit::Misused, what.into(), None)
    }

    /// It could not be done.
    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self::said(Exit::Failed, what.into(), None)
    }

    /// A name that is not known: the nearest of those that are, or all of them in words.
    pub(super) fn unknown<'a>(
        what: &str,
        given: &str,
        known: impl IntoIterator<Item = &'a str>,
        all: &str,
    ) -> Self {
        Self::usage(match nearest(given, known) {
            Some(near) => format!("{what}; did you mean {near}?"),
            None => format!("{what}; {all}"),
        })
    }

    fn said(exit: Exit, what: String, hint: Option<String>) -> Self {
        Self::Said { exit, what, hint }
    }

    /// The same with what to do next.
    #[must_use]
    pub(super) fn hint(mut self, next: impl Into<String>) -> Self {
        if let Self::Said { hint, .. } = &mut self {
            *hint = Some(next.into());
        }
        self
    }

    /// What is wrong, in a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Said { what, .. } => what.clone(),
            Self::Held(error) => error.to_string(),
            Self::Unexpected(report) => report.to_string(),
            Self::Closed | Self::Ended(_) | Self::Shown(_) => String::new(),
        }
    }

    /// Says it on standard error.
    pub(super) fn report(self, err: &mut dyn Write) -> Exit {
        let words = self.words();
        let (exit, more) = match self {
            Self::Closed | Self::Shown(_) => return Exit::Success,
            Self::Ended(code) => return Exit::Ended(code),
            Self::Said { exit, hint, .. } => (exit, hint_line(hint)),
            Self::Held(error) => (Exit::Failed, hint_line(error.hint())),
            Self::Unexpected(report) => {
                let causes = report.chain().skip(1);
                let causes = causes.map(|cause| format!("caused by: {cause}"));
                (Exit::Failed, causes.collect())
            }
        };
        for line in [words].iter().chain(&more) {
            // When not even this can be written, the exit code still says it.
            writeln!(err, "{}", sanitise(line, LONGEST)).unwrap_or_default();
        }
        exit
    }
}

fn hint_line(hint: Option<String>) -> Vec<String> {
    hint.into_iter()
        .map(|hint| format!("hint: {hint}"))
        .collect()
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
            error => Self::said(Exit::Failed, error.to_string(), error.hint()),
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
        RequestError::from(refusal).into()
    }
}

impl From<RequestError> for CliError {
    fn from(error: RequestError) -> Self {
        let exit = if error.misspoken {
            Exit::Misused
        } else {
            Exit::Failed
        };
        Self::said(exit, error.what, error.hint)
    }
}

impl From<RuleError> for CliError {
    fn from(error: RuleError) -> Self {
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
