//! Why a request to a game failed, in a form that one process can send to another.

use serde::{Deserialize, Serialize};

use super::Problem;
use tableside_dice::notation::NotationError;
use tableside_game::CommandError;
use tableside_rules::{Refused, RuleError};
use tableside_store::StoreError;

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RequestError {
    /// Whether it was not said rightly, as far as one can know without the game.
    pub misspoken: bool,
    /// What is wrong, and what would be right.
    pub what: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl RequestError {
    /// It was not said rightly.
    pub fn misspoken(what: impl Into<String>) -> Self {
        Self {
            misspoken: true,
            ..Self::failed(what)
        }
    }

    /// It could not be done.
    pub fn failed(what: impl Into<String>) -> Self {
        Self {
            misspoken: false,
            what: what.into(),
            hint: None,
        }
    }
}

impl From<CommandError> for RequestError {
    fn from(refusal: CommandError) -> Self {
        Self {
            misspoken: is_misuse(&refusal),
            ..Self::failed(refusal.to_string())
        }
    }
}

impl From<RuleError> for RequestError {
    fn from(error: RuleError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<Refused> for RequestError {
    fn from(refusal: Refused) -> Self {
        CommandError::from(refusal).into()
    }
}

impl From<NotationError> for RequestError {
    fn from(error: NotationError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<Problem> for RequestError {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Refused(refusal) => refusal.into(),
            Problem::Store(error) => error.into(),
            Problem::HostUnreachable(error) => error,
        }
    }
}

impl From<StoreError> for RequestError {
    fn from(error: StoreError) -> Self {
        Self {
            hint: error.hint(),
            ..Self::failed(error.to_string())
        }
    }
}

/// Whether what was said cannot be so whatever the game is: exit code 2 on the command line.
const fn is_misuse(refusal: &CommandError) -> bool {
    use CommandError::{Notation, Rule, Segments, Unknown};
    matches!(
        refusal,
        Rule(_) | Segments(_) | Unknown { .. } | Notation(_)
    )
}
