//! Why words are no act, and what would be right.

use thiserror::Error;

use tableside_dice::notation::NotationError;
use tableside_game::{CommandError, RollCommand, TableError};
use tableside_table::Act;
use tableside_text::sanitise;

/// What a command comes to.
pub(super) type ActResult = Result<Act, ParseError>;

/// Why words are no act.
#[derive(Debug, Error)]
pub enum ParseError {
    /// No command begins so.
    #[error("{0}")]
    Verb(String),
    /// The words do not have the form that was begun.
    #[error("{what}; say it as in: {form}")]
    Form { what: String, form: String },
    /// There is nothing of that name; `near` is the rest of the sentence: `; did you mean The alarm?`
    #[error("there is no {kind} \"{given}\"{near}")]
    Unknown {
        kind: &'static str,
        given: String,
        near: String,
    },
    /// A dice expression with a mistake.
    #[error("\"{expression}\": {mistake}")]
    Dice {
        expression: String,
        mistake: NotationError,
    },
    #[error("\"{given}\" could be {}; say which", one_of(names))]
    Several { given: String, names: Vec<String> },
    /// Several rolls wait; each of them with its number.
    #[error(
        "several rolls wait: {}; say which by its number, as in: {example}",
        one_of(rolls)
    )]
    SeveralWait { rolls: Vec<String>, example: String },
    /// An entry that has to be read from the journal first; from that number on is enough.
    #[error("entry {0} lies further back than what was read so far; go to it in the log first")]
    Far(u64),
    /// A check that is not complete yet: a dialog asks for the rest of what was begun.
    #[error("{source}")]
    Open {
        source: CommandError,
        begun: Box<RollCommand>,
    },
    /// The file of a random table is not as it should be.
    #[error(transparent)]
    Table(TableError),
    /// It is clear, and cannot be.
    #[error(transparent)]
    Refused(#[from] CommandError),
}

impl ParseError {
    /// True if the words were not understood, so that a mistake in a dice expression can be the cause.
    pub(super) const fn may_be_about_dice(&self) -> bool {
        match self {
            Self::Verb(_) | Self::Form { .. } | Self::Unknown { .. } => true,
            Self::Dice { .. }
            | Self::Several { .. }
            | Self::SeveralWait { .. }
            | Self::Far(_)
            | Self::Open { .. }
            | Self::Table(_)
            | Self::Refused(_) => false,
        }
    }
}

/// What a form promised and is not there any more.
pub(super) const fn gone(what: &'static str) -> ParseError {
    ParseError::Refused(CommandError::Gone(what))
}

/// As much of what was typed as an error repeats.
pub(super) fn cut(text: &str) -> String {
    // Composed, so that an accent is not shown as a code.
    sanitise(text, 60).into_owned()
}

/// Several names as a choice: `Goblin, Goblin 2 or Goblin 3`, cut after the first dozen.
pub(super) fn one_of(names: &[String]) -> String {
    const MOST: usize = 12;
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [.., _] if names.len() > MOST => {
            let first = names.get(..MOST).unwrap_or_default();
            format!("{} or {} others", first.join(", "), names.len() - MOST)
        }
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
