//! How somebody stands, in the word of the rules.

/// A state that the rules have a word for, read off a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The word: `down`, `dead`, `taken out`.
    pub word: &'static str,
    /// What it means at the table.
    pub means: &'static str,
    /// The check that it asks for; empty for the first of the system.
    pub check: &'static str,
    /// The fields of the check that it asks for at once, as a person writes them.
    pub asks: &'static [(&'static str, &'static str)],
}
