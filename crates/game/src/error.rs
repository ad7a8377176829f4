//! The reasons why a command is refused.

use thiserror::Error;

use super::EntityPart;
use tableside_dice::notation::NotationError;

use tableside_rules::{Refused, RuleError};

/// The reason why a command is refused. Each message names the problem, and the solution if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A value, a name, faces or an answer is not valid.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The text is not a dice expression.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The rules or the state of the game forbid the command.
    #[error(transparent)]
    Rules(#[from] Refused),
    /// The value is already at its bound, so the command would have no effect.
    #[error("{0}")]
    AtEnd(String),
    /// A seat sends too many commands per second.
    #[error("too many commands at once; wait a second, then try again")]
    TooFast,
    /// No clock has this number of segments.
    #[error("a clock must have 2 to 128 segments, not {0}")]
    Segments(i32),
    /// The entity was removed.
    #[error("that {0} no longer exists")]
    Gone(&'static str),
    /// No entity has this name.
    #[error("there is no {kind} {given:?}{known}")]
    Unknown {
        kind: &'static str,
        given: String,
        /// The known names, as the end of the sentence.
        known: String,
    },
    /// The entry cannot be amended or rolled again. It may be undone or replaced, may not be a finished roll, or may
    /// belong to a character without Favor.
    #[error("#{entry} {state}")]
    NotHolding {
        entry: u64,
        /// The reason, as a verb phrase: `was undone`.
        state: String,
    },
    /// The game is in this state already.
    #[error("nothing changed")]
    Unchanged,
    /// The seat has no act to undo, or no undone act to redo.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// A value that the event set has changed since, or an entity that the restored value refers to was removed.
    #[error("#{event} cannot be undone: {what} since{later}")]
    ChangedSince {
        event: u64,
        /// The change, as a clause: `Mira: notes has changed`, `the owner of Stress has been removed`.
        what: String,
        target: Box<EntityPart>,
        /// `, by #17`, if the later change is known.
        later: String,
    },
    /// The seat does not have the right to run the command.
    #[error("{0}")]
    NotAllowed(String),
}

pub(super) type Result<T, E = CommandError> = std::result::Result<T, E>;

/// Creates a refusal with a message.
pub(super) fn refused(why: impl Into<String>) -> CommandError {
    Refused(why.into()).into()
}
