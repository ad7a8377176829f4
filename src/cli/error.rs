//! Errors of the command line: a sentence, what to do next, and the exit code.

use std::io::Write;
use std::process::ExitCode;

use color_eyre::Report;

use super::sample::SampleError;
use crate::config::ConfigError;
use crate::rules::{CheckSpec, System};
use crate::screen::run::RunError;
use crate::screen::terminal::TerminalError;
use crate::server::ServerError;
use crate::store::StoreError;
use crate::table::{OpenError, RequestError};
use crate::text::{nearest, sanitise};

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
        Self::Said(RequestError::misspoken(what))
    }

    /// It could not be done.
    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self::Said(RequestError::failed(what))
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

    /// The same with what to do next.
    #[must_use]
    pub(super) fn hint(mut self, next: impl Into<String>) -> Self {
        if let Self::Said(error) = &mut self {
            error.hint = Some(next.into());
        }
        self
    }

    /// What is wrong, in a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Said(error) => error.what.clone(),
            Self::Held(error) => error.to_string(),
            Self::Unexpected(report) => report.to_string(),
            Self::Closed | Self::Ended(_) | Self::Shown(_) => String::new(),
        }
    }

    /// Says it on standard error.
    pub(super) fn report(self, err: &mut dyn Write) -> Exit {
        let mut lines = vec![self.words()];
        let hint = |hint: Option<String>| hint.map(|hint| format!("hint: {hint}"));
        let exit = match self {
            Self::Closed | Self::Shown(_) => return Exit::Success,
            Self::Ended(code) => return Exit::Ended(code),
            Self::Said(error) => {
                lines.extend(hint(error.hint));
                if error.misspoken {
                    Exit::Misused
                } else {
                    Exit::Failed
                }
            }
            Self::Held(error) => {
                lines.extend(hint(error.hint()));
                Exit::Failed
            }
            Self::Unexpected(report) => {
                let causes = report.chain().skip(1);
                lines.extend(causes.map(|cause| format!("caused by: {cause}")));
                Exit::Failed
            }
        };
        for line in lines {
            // When not even this can be written, the exit code still says it.
            writeln!(err, "{}", sanitise(&line, LONGEST)).unwrap_or_default();
        }
        exit
    }
}

/// The system of that name.
pub(super) fn system_named(given: &str) -> Result<System, CliError> {
    given.parse().map_err(|_unknown| {
        let ids = System::ALL.map(System::id);
        let all = format!("the systems are {}", ids.join(", "));
        CliError::unknown(&format!("there is no system {given:?}"), given, ids, &all)
    })
}

/// The check of that name.
pub(super) fn check_named(system: System, given: &str) -> Result<&'static CheckSpec, CliError> {
    system.check(given).map_err(|_unknown| {
        let id = system.spec().id;
        let all = format!("its checks are {}", checks(system).join(", "));
        let what = format!("{id} has no check {given:?}");
        CliError::unknown(&what, given, checks(system), &all)
    })
}

pub(super) fn checks(system: System) -> Vec<&'static str> {
    system.spec().checks.iter().map(|check| check.id).collect()
}

impl<E: Into<RequestError>> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Said(error.into())
    }
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

impl From<SampleError> for CliError {
    fn from(error: SampleError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<ServerError> for CliError {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::Store(error) => error.into(),
            error => Self::failed(error.to_string()),
        }
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
            error => {
                let hint = error.hint();
                Self::Said(RequestError {
                    hint,
                    ..RequestError::failed(error.to_string())
                })
            }
        }
    }
}

impl From<OpenError> for CliError {
    fn from(error: OpenError) -> Self {
        let hint = match error {
            OpenError::Store(error) => return error.into(),
            OpenError::File { .. } => {
                "mend it there; the state before the last save is kept beside it as session.toml.before"
            }
            OpenError::Edited { .. } => {
                "open it on a terminal to keep the edit or to go back to what was saved"
            }
        };
        Self::failed(error.to_string()).hint(hint)
    }
}
