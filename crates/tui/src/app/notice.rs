//! A word from the program in passing, on the bottom line.

use crate::Role;
use tableside_game::{EntityKind, EventKind};
use tableside_table::{Entry, SeatView};

/// A word from the program in passing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Notice {
    /// What it says.
    pub(crate) text: String,
    /// What it is.
    pub(crate) role: Role,
}

impl Notice {
    /// Something good to know.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        let (text, role) = (text.into(), Role::Notice);
        Self { text, role }
    }

    /// Something that did not happen, and why.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        let (text, role) = (text.into(), Role::Warning);
        Self { text, role }
    }

    /// The log's words for an act that shows too little of itself where one is; none for a step that one sees, and for
    /// a roll, whose dialog tells what it led to.
    pub(crate) fn of_act(entry: &Entry, view: &SeatView<'_>) -> Option<Self> {
        let is_seen = match &entry.event.what {
            EventKind::Ticked { filled, of, .. } => filled != of,
            EventKind::Tokens { note, .. } => note.is_empty(),
            EventKind::Edited { kind, .. } => *kind != EntityKind::Prepared,
            EventKind::Rolled(_) | EventKind::Incomplete(_) => true,
            _ => false,
        };
        // While the screen is covered, words may name what is.
        let shown = view.entry(entry.number);
        let words = shown.map(|entry| entry.event.text(view.system()));
        (!is_seen).then(|| Self::plain(words.unwrap_or_else(|| "Done.".to_owned())))
    }
}
