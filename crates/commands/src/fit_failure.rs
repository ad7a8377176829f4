//! The reasons why words do not fit a form, and the choice of the most helpful one.

use super::ParseError;
use super::form::SlotKind;

/// The progress of an attempt before it failed. The matcher reports the error of the attempt with the most progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Progress {
    /// The index of the word that did not fit.
    pub(super) word: usize,
    /// True if the words that were tried as a name end where the form expects a word and that word follows.
    pub(super) is_delimited: bool,
    pub(super) failure: Failure,
    /// The number of words that were tried as a name.
    pub(super) name_words: usize,
}

/// The reason why an attempt failed. The variants are ordered from the least to the most helpful error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failure {
    WordExpected,
    /// An unknown name, or words after the end of the form.
    UnknownWords,
    /// An unknown name that resembles a known one.
    MisspelledName,
    AmbiguousName,
    /// A name that the matcher understood, but that the command cannot use.
    UnusableName,
}

/// An attempt that failed, with its error.
pub(super) struct FailedFit {
    pub(super) progress: Progress,
    pub(super) error: ParseError,
}

/// Describes what a slot expects, for an error message.
pub(super) fn describe_slot(slot: &str, kind: SlotKind) -> String {
    match kind {
        SlotKind::Number => format!("{slot} (a number)"),
        SlotKind::NumberOrDice => format!("{slot} (a number, or dice such as 4+d4)"),
        SlotKind::Dice => format!("{slot} (dice such as 2d6+1)"),
        SlotKind::Entry => format!("{slot} (the number of an entry, or \"last\")"),
        SlotKind::EntryTag => format!("{slot} (the number of an entry, such as #12)"),
        _ => slot.to_owned(),
    }
}

/// Describes a choice of words, for an error message: `short or long`.
pub(super) fn describe_choice(choice: &str) -> String {
    let mut alternatives = Vec::new();
    for option in choice.split('|') {
        alternatives.extend(option.split('/').next());
    }
    alternatives.join(" or ")
}

pub(super) fn classify_failure(error: &ParseError) -> Failure {
    match error {
        ParseError::AmbiguousName { .. } => Failure::AmbiguousName,
        ParseError::Refused(_) => Failure::UnusableName,
        ParseError::UnknownName { suggestion, .. } if !suggestion.is_empty() => {
            Failure::MisspelledName
        }
        _ => Failure::UnknownWords,
    }
}
