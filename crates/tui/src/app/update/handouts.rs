//! Handouts and requests to pause, which open on a screen without a key.

use crate::app::notice::Notice;
use crate::app::state::ScreenState;
use crate::dialog::{DialogAction, handout_dialog};
use crate::terminal::input::{Key, KeyCode};
use crate::{Action, Zone};
use tableside_game::{EventKind, NoteId};
use tableside_table::SeatView;

impl ScreenState {
    /// Rings for new handouts, and opens the oldest unread one.
    pub(crate) fn notice_handouts(&mut self, zone: Zone, view: &SeatView<'_>) {
        let handouts = view.unread_handouts();
        let unread: Vec<NoteId> = handouts.map(|note| note.id).collect();
        let known = &self.noticed.handouts;
        let has_new = unread.iter().any(|id| !known.contains(id));
        if has_new {
            self.bell_reason = Some("a handout for you".to_owned());
        }
        self.noticed.handouts.clone_from(&unread);

        // Another screen of this seat may have marked a handout as read, or the GM may have withdrawn it.
        self.layers
            .retain(|dialog| match dialog.spec.unread_handout() {
                Some(handout) => unread.contains(&handout),
                None => true,
            });
        self.show_handout(zone, view);
    }

    /// Opens the oldest unread handout. While the user writes a text, a message announces the handout instead.
    pub(crate) fn show_handout(&mut self, zone: Zone, view: &SeatView<'_>) {
        let unread: Vec<_> = view
            .unread_handouts()
            .filter(|note| !self.noticed.closed_handouts.contains(&note.id))
            .collect();
        let Some(oldest) = unread.first() else {
            return;
        };

        let is_open = self
            .layers
            .iter()
            .any(|dialog| dialog.spec.unread_handout().is_some());
        if is_open {
            return;
        }
        if let Some(dialog) = self.layers.last()
            && dialog.form.is_being_written()
        {
            let message = "a handout is waiting: close this dialog to read it";
            self.notice.get_or_insert_with(|| Notice::plain(message));
            return;
        }
        let dialog = handout_dialog(oldest, unread.len(), zone, view);
        self.layers.push(dialog);
    }

    /// Shows the request to pause, if a player made one since the last look.
    pub(crate) fn notice_pause(&mut self, view: &SeatView<'_>) {
        let last_event = view.last_event();
        let Some(last_known) = self.noticed.pause_checked_to.replace(last_event) else {
            return;
        };

        let mut new_entries = view.log_since(last_known + 1);
        if new_entries.any(|entry| matches!(entry.event.what, EventKind::Paused)) {
            self.is_paused = true;
            self.bell_reason = Some("Let's pause".to_owned());
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

    /// Hides the request to pause.
    pub(super) fn end_pause(&mut self) -> DialogAction {
        self.is_paused = false;
        DialogAction::Stay
    }
}
