//! Acts of a seat, and the errors of acts.

use thiserror::Error;

use super::{GameRequest, HostUpdate, RequestError};
use tableside_game::{Command, CommandError, Faces};
use tableside_store::StoreError;

/// An act of a seat: a command, or a correction of an earlier entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Change the game.
    Do(Box<Command>),
    /// Undo the newest act that this seat may undo.
    Undo,
    /// Undo this many acts, at least one.
    UndoSeveral(u32),
    /// Redo the act that this seat undid last. Impossible once the seat has done another act.
    Redo,
    /// Undo an entry with its effects.
    Strike {
        entry: u64,
        /// The reason that the log shows. May be empty.
        reason: String,
    },
    /// Interpret the dice of a resolved check again with other fields, and correct the effects. The log keeps both
    /// results.
    Amend {
        entry: u64,
        /// The changed fields, as a player types them. The field `choose` is the answer to a choice.
        fields: Vec<(String, String)>,
        /// The source of the further faces that the new result needs. The faces that were rolled stay.
        faces: Faces,
    },
    /// Roll a resolved check again for a Favor, and accept the second roll.
    Reroll {
        entry: u64,
        /// The source of the new faces.
        faces: Faces,
    },
    /// Perform a request of another game. Only the table of the host's own game performs it.
    ForGame(Box<GameRequest>),
    /// Follow an update of the host; only the host's thread submits it.
    FollowHost(Box<HostUpdate>),
}

impl From<Command> for Act {
    fn from(command: Command) -> Self {
        Self::Do(Box::new(command))
    }
}

/// The reason why an act was not done.
#[derive(Debug, Error)]
pub enum Problem {
    /// The rules or the rights of the seat forbid the act.
    #[error(transparent)]
    Refused(#[from] CommandError),
    /// The disk or the database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Some acts were undone, but not all that were asked for.
    #[error("undid only {undone} of {wanted} changes; {reason}")]
    UndoStopped {
        undone: u32,
        wanted: u32,
        /// The reason why the next act was not undone.
        reason: Box<Self>,
    },
    /// The host's game cannot be reached.
    #[error("{}", .0.what)]
    HostUnreachable(RequestError),
}

impl Problem {
    /// Suggests an action to the user, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Refused(_) => None,
            Self::Store(error) => error.hint(),
            Self::UndoStopped { reason, .. } => reason.hint(),
            Self::HostUnreachable(error) => error.hint.clone(),
        }
    }
}
