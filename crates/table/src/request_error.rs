//! The error of a failed request to a game. One process can send it to another.

use serde::{Deserialize, Serialize};

use super::Problem;
use tableside_dice::notation::NotationError;
use tableside_game::CommandError;
use tableside_rules::{Refused, RuleError};
use tableside_store::StoreError;

/// The error of a failed request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RequestError {
    /// True if the request would be wrong in any game. The command line then exits with code 2.
    #[serde(rename = "misspoken")]
    pub is_usage_error: bool,
    /// The error in words.
    pub what: String,
    /// The next step for the user.
    pub hint: Option<String>,
}

impl RequestError {
    /// Returns the error of a request that would be wrong in any game.
    pub fn usage(what: impl Into<String>) -> Self {
        Self {
            is_usage_error: true,
            ..Self::failed(what)
        }
    }

    /// Returns the error of a request that this game cannot perform.
    pub fn failed(what: impl Into<String>) -> Self {
        Self {
            is_usage_error: false,
            what: what.into(),
            hint: None,
        }
    }
}

impl From<CommandError> for RequestError {
    fn from(refusal: CommandError) -> Self {
        Self {
            is_usage_error: is_usage_error(&refusal),
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
            Problem::UndoStopped { ref reason, .. } => Self {
                hint: reason.hint(),
                ..Self::failed(problem.to_string())
            },
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

/// Returns true if the command would be wrong in any game.
const fn is_usage_error(refusal: &CommandError) -> bool {
    use CommandError::{Notation, Rule, Segments, Unknown};
    matches!(
        refusal,
        Rule(_) | Segments(_) | Unknown { .. } | Notation(_)
    )
}
