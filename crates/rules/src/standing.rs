//! States of a character that the rules have a word for.

use crate::Severity;

/// A state of a character, derived from the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The word, such as `down`, `dead` or `taken out`.
    pub word: &'static str,
    /// The consequences of the state for play, as a phrase.
    pub means: &'static str,
    /// The check that the state asks for; empty for the first check of the system.
    pub check: &'static str,
    /// The fields of that check that are filled in: their ids, with their values as a player would type them.
    pub asks: &'static [(&'static str, &'static str)],
    /// How much the state leaves the character able to do.
    pub severity: Severity,
    /// True if the rules say which values a sheet gets if a GM ends the state.
    pub can_end: bool,
}
