//! The ways in which a request is refused.

use thiserror::Error;

use super::EntityPart;
use tableside_dice::notation::NotationError;

use tableside_rules::{Refused, RuleError};

/// A rule said no; not an error of the program. Each says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A value, a name, faces or an answer cannot be so.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// What is to be rolled is no dice.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The rules, or the state of the game, forbid it.
    #[error(transparent)]
    Rules(#[from] Refused),
    /// It is at its end already, or stands still: there is nothing to do.
    #[error("{0}")]
    AtEnd(String),
    /// Somebody does more in a second than a table of people could.
    #[error("that was too much at once, and this was not done; wait a second, then go on")]
    TooFast,
    /// Not a number of segments.
    #[error("a clock has 2–128 segments, and {0} were given")]
    Segments(i32),
    /// The thing is not there any more.
    #[error("that {0} is not there any more")]
    Gone(&'static str),
    /// There is nobody or nothing of that name.
    #[error("there is no {kind} {given:?}{known}")]
    Unknown {
        /// What was looked for.
        kind: &'static str,
        /// The name given.
        given: String,
        /// What there is, as the rest of the sentence.
        known: String,
    },
    /// An entry does not hold, so that it cannot be read or rolled again.
    #[error("#{entry} {state}")]
    NotHolding {
        entry: u64,
        /// `was struck or taken back`, `was amended as #9; amend that one`.
        state: String,
    },
    /// The command would change nothing.
    #[error("nothing changed")]
    Unchanged,
    /// There is nothing to take back, or nothing to bring back.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// What an event changed was changed again since.
    #[error("#{event} cannot be taken back: {what} was changed again since{later}")]
    ChangedSince {
        event: u64,
        /// What was changed, in words.
        what: String,
        target: Box<EntityPart>,
        /// `, by #17`, where it is known.
        later: String,
    },
    /// This seat may not.
    #[error("{0}")]
    NotAllowed(String),
}

/// What a request comes to, or why it is refused.
pub(super) type Result<T, E = CommandError> = std::result::Result<T, E>;

/// What the state of the game forbids, in a sentence that says what would be right.
pub(super) fn refused(why: impl Into<String>) -> CommandError {
    Refused(why.into()).into()
}
