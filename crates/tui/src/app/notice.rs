//! Messages on the bottom line.

use crate::Role;
use tableside_game::{EntityKind, EventKind};
use tableside_table::{Entry, SeatView};

/// A message on the bottom line, which the next key clears.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Notice {
    pub(crate) text: String,
    /// The role of the text, which sets its colour.
    pub(crate) role: Role,
}

impl Notice {
    /// Creates a message about something that was done.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Notice,
        }
    }

    /// Creates a message with the reason why something was not done.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Warning,
        }
    }

    /// Returns the text of an entry of the log, unless the screen shows the change anyway: a stepped value, or a roll in
    /// its dialog.
    pub(crate) fn of_act(entry: &Entry, view: &SeatView<'_>) -> Option<Self> {
        let is_shown_anyway = match &entry.event.what {
            EventKind::Ticked { filled, of, .. } => filled != of,
            EventKind::Tokens { note, .. } => note.is_empty(),
            EventKind::Edited { kind, .. } => *kind != EntityKind::Prepared,
            EventKind::Rolled(_) | EventKind::Incomplete(_) => true,
            _ => false,
        };
        if is_shown_anyway {
            return None;
        }

        // While the screen is covered, the entry may be hidden, so its text is read from the view.
        let text = match view.entry(entry.number) {
            Some(visible_entry) => visible_entry.event.text(view.system()),
            None => "Done.".to_owned(),
        };
        Some(Self::plain(text))
    }
}
