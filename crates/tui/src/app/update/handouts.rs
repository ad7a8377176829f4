//! Handouts and requests to pause, which open on a screen without a key.

use crate::app::notice::Notice;
use crate::app::state::ScreenState;
use crate::dialog::{DialogAction, handout_dialog};
use crate::terminal::input::{Key, KeyCode};
use crate::{Action, Zone};
use tableside_game::{EventKind, NoteId};
use tableside_table::SeatView;

impl ScreenState {
    /// Rings for handouts that are new, and opens the oldest unread one.
    pub(crate) fn notice_handouts(&mut self, zone: Zone, view: &SeatView<'_>) {
        let unread: Vec<NoteId> = view.unread_handouts().map(|note| note.id).collect();
        if unread.iter().any(|id| !self.known_handouts.contains(id)) {
            self.rings = Some("a handout for you".to_owned());
        }
        self.known_handouts.clone_from(&unread);

        // Another screen of this seat may have marked it as read, or the GM took it back.
        self.layers.retain(|dialog| {
            dialog
                .spec
                .unread_handout()
                .is_none_or(|id| unread.contains(&id))
        });
        self.show_handout(zone, view);
    }

    /// Opens the oldest unread handout. While a text is being written, a notice announces it instead.
    pub(crate) fn show_handout(&mut self, zone: Zone, view: &SeatView<'_>) {
        let is_closed = |id: &NoteId| self.closed_handouts.contains(id);
        let unread: Vec<_> = view
            .unread_handouts()
            .filter(|note| !is_closed(&note.id))
            .collect();
        let Some(first) = unread.first() else {
            return;
        };

        let is_open = |dialog: &crate::dialog::Dialog| dialog.spec.unread_handout().is_some();
        if self.layers.iter().any(is_open) {
            return;
        }
        let is_writing = |dialog: &crate::dialog::Dialog| dialog.form.is_being_written();
        if self.layers.last().is_some_and(is_writing) {
            let words = "a handout waits: you see it once this dialog is closed";
            self.notice.get_or_insert_with(|| Notice::plain(words));
            return;
        }
        self.layers
            .push(handout_dialog(first, unread.len(), zone, view));
    }

    /// Shows the request to pause, if one has come since the last look.
    pub(crate) fn notice_pause(&mut self, view: &SeatView<'_>) {
        let last_event = view.last_event();
        let Some(last_known) = self.pause_checked_to.replace(last_event) else {
            return;
        };

        let mut new_entries = view.log_since(last_known + 1);
        if new_entries.any(|entry| matches!(entry.event.what, EventKind::Paused)) {
            self.is_paused = true;
            self.rings = Some("Let's pause".to_owned());
        }
    }

    /// Handles a key while the request to pause covers the screen. Dialogs beneath do not get the key.
    pub(super) fn handle_key_in_pause(&mut self, key: Key) -> DialogAction {
        let action = self.keymap.action(self.contexts(), key);
        let is_enter = key.code == KeyCode::Enter || key == Key::ctrl('j');
        match action {
            Some(Action::QuitNow) => DialogAction::Quit,
            Some(Action::Suspend) => DialogAction::Suspend,
            Some(Action::Redraw) => DialogAction::Redraw,
            Some(Action::Close) => self.end_pause(),
            _ if is_enter => self.end_pause(),
            _ => DialogAction::Stay,
        }
    }

    /// Uncovers the screen.
    pub(super) fn end_pause(&mut self) -> DialogAction {
        self.is_paused = false;
        DialogAction::Stay
    }
}
