//! Acts of a seat, and why an act is refused.

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
    /// Redo the act that this seat undid last, until it acts again.
    Redo,
    /// Undo an entry with its effects.
    Strike {
        entry: u64,
        /// May be empty.
        reason: String,
    },
    /// Read the faces of a resolved check again with other fields, and correct the effects. The log keeps both readings.
    Amend {
        entry: u64,
        /// The changed fields, as a player types them; under `choose` the answer to a choice.
        fields: Vec<(String, String)>,
        /// The source of missing faces. Faces that were rolled stay.
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

/// Why an act was not done.
#[derive(Debug, Error)]
pub enum Problem {
    /// The rules, or the rights of the seat.
    #[error(transparent)]
    Refused(#[from] CommandError),
    /// The disk or the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Some acts were undone, but not all that were asked for.
    #[error("undid only {undone} of {wanted} changes; {reason}")]
    UndoStopped {
        undone: u32,
        wanted: u32,
        /// Why the next act was not undone.
        reason: Box<Self>,
    },
    /// The host is out of reach.
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
