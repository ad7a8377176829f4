//! The errors for words that are not a command. Their messages name the mistake and its correction.

use thiserror::Error;

use tableside_dice::notation::NotationError;
use tableside_game::{CommandError, RollCommand, TableError};
use tableside_rules::Refused;
use tableside_table::RequestError;
use tableside_text::{pluralise, sanitise};

/// The reason why words are not a command.
#[derive(Debug, Error)]
pub enum ParseError {
    /// No command begins with the first word.
    #[error("{0}")]
    UnknownCommand(String),

    /// The words begin with the verb of a command, but do not fit its form.
    #[error("{mistake}; write it as: {form}")]
    WrongForm { mistake: String, form: String },

    /// No target has this name. `suggestion` ends the message: `; did you mean The alarm?`
    #[error("there is no {kind} \"{typed}\"{suggestion}")]
    UnknownName {
        kind: &'static str,
        typed: String,
        suggestion: String,
    },

    /// A dice expression with a mistake.
    #[error("\"{expression}\": {mistake}")]
    Dice {
        expression: String,
        mistake: NotationError,
    },

    /// The name can mean several targets.
    #[error("\"{typed}\" could be {}; name one of them", list_choices(names))]
    AmbiguousName { typed: String, names: Vec<String> },

    /// Several rolls are pending, and the command names none of them. `rolls` describes each of them with its number.
    #[error(
        "several rolls are pending: {}; give the number, as in: {example}",
        list_choices(rolls)
    )]
    AmbiguousRoll { rolls: Vec<String>, example: String },

    /// The command refers to an entry that is not in memory. The caller reads the journal from this entry on and retries.
    #[error("entry {0} is older than the entries in memory; go to it in the log first")]
    EntryNotLoaded(u64),

    /// Required fields of the roll are missing. A dialog can ask for them.
    #[error("{source}")]
    IncompleteRoll {
        source: CommandError,
        roll: Box<RollCommand>,
    },

    /// The file of a random table has mistakes.
    #[error(transparent)]
    RandomTable(TableError),

    /// The words are a command, but the rules or the state of the game forbid it.
    #[error(transparent)]
    Refused(#[from] CommandError),
}

impl ParseError {
    /// True if a mistake in a dice expression can be the cause of the error.
    pub(super) const fn may_be_about_dice(&self) -> bool {
        match self {
            Self::UnknownCommand(_) | Self::WrongForm { .. } | Self::UnknownName { .. } => true,
            Self::Dice { .. }
            | Self::AmbiguousName { .. }
            | Self::AmbiguousRoll { .. }
            | Self::EntryNotLoaded(_)
            | Self::IncompleteRoll { .. }
            | Self::RandomTable(_)
            | Self::Refused(_) => false,
        }
    }
}

impl From<ParseError> for RequestError {
    fn from(error: ParseError) -> Self {
        let is_usage_error = match error {
            ParseError::Refused(refusal) => return refusal.into(),
            ParseError::IncompleteRoll { .. }
            | ParseError::UnknownCommand(_)
            | ParseError::WrongForm { .. }
            | ParseError::Dice { .. } => true,
            ParseError::UnknownName { .. }
            | ParseError::AmbiguousName { .. }
            | ParseError::AmbiguousRoll { .. }
            | ParseError::EntryNotLoaded(_)
            | ParseError::RandomTable(_) => false,
        };

        let hint = match error {
            ParseError::UnknownCommand(_) => {
                Some("`tableside do --list` lists all actions".to_owned())
            }
            _ => None,
        };

        Self {
            is_usage_error,
            what: error.to_string(),
            hint,
        }
    }
}

/// The error for a slot whose target was removed.
pub(super) const fn gone(kind: &'static str) -> ParseError {
    ParseError::Refused(CommandError::Gone(kind))
}

/// The error for a command that the rules or the state of the game forbid.
pub(super) fn refused(reason: impl Into<String>) -> ParseError {
    let refusal = Refused(reason.into());
    ParseError::Refused(refusal.into())
}

/// Shortens typed text for an error message.
pub(super) fn shorten(text: &str) -> String {
    /// The maximum length of the shown text, in characters.
    const LONGEST: usize = 60;
    sanitise(text, LONGEST).into_owned()
}

/// Lists names as a choice: `Goblin, Goblin 2 or Goblin 3`. Names beyond the twelfth are only counted.
pub(super) fn list_choices(names: &[String]) -> String {
    const MAX_LISTED: usize = 12;

    match names {
        [] => String::new(),
        [name] => name.clone(),
        [listed @ .., last] if names.len() <= MAX_LISTED => {
            format!("{} or {last}", listed.join(", "))
        }
        [..] => {
            let listed = names.get(..MAX_LISTED).unwrap_or_default();
            let unlisted = pluralise(names.len() - MAX_LISTED, "other");
            format!("{} or {unlisted}", listed.join(", "))
        }
    }
}
