//! Messages on the bottom line.

use crate::Role;
use tableside_game::EventKind;
use tableside_table::{Entry, SeatView};

/// A message on the bottom line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Notice {
    pub(crate) text: String,
    /// The role of the text, which sets its colour.
    pub(crate) role: Role,
}

impl Notice {
    /// Creates an ordinary message.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Notice,
        }
    }

    /// Creates a warning, such as the reason why an action was refused.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Warning,
        }
    }

    /// Creates a message with the text of a log entry. `None` for a roll, which has its own dialog.
    pub(crate) fn of_act(entry: &Entry, view: &SeatView<'_>) -> Option<Self> {
        if let EventKind::Rolled(_) | EventKind::Incomplete(_) = entry.event.what {
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
