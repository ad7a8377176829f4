//! Changes at the table: new events, and the state of saving.

use super::{SLOW_SAVING, Screen};
use crate::app::notice::Notice;
use crate::theme::Role;
use tableside_store::Saving;

impl Screen {
    /// Handles changes of the table since the last look.
    pub(super) fn refresh(&mut self) {
        self.watch_saving();
        let revision = self.table.revision();
        if revision == self.revision {
            return;
        }

        self.read_label();
        self.revision = revision;
        self.is_stale = true;
        self.notice_answer();
        let zone = self.setup.zone;
        self.with_view(|state, view| {
            for dialog in &mut state.layers {
                dialog.on_change(view);
            }
            state.notice_calls(view);
            state.notice_rolls(view);
            state.notice_handouts(zone, view);
            state.notice_questions(view);
            state.notice_pause(view);
            state.notice_turn(view);
        });
        self.ring();
    }

    /// Rings for a call, a handout or a pause, or else for a new suggestion to the GM.
    fn ring(&mut self) {
        let reason = match self.state.bell_reason.take() {
            Some(reason) => Some(reason),
            None => self.new_suggestion(),
        };
        if let Some(reason) = reason {
            let game = &self.state.label.name;
            self.attention
                .ring(self.setup.notify, game, &reason, self.setup.ascii);
        }
    }

    /// Describes a new suggestion. The bottom line then shows the suggestion instead of an older message.
    fn new_suggestion(&mut self) -> Option<String> {
        let attention = &mut self.attention;
        let suggestion = self
            .table
            .read(&self.setup.seat, |view| attention.suggestion(view))?;
        self.state.notice = None;
        Some(suggestion)
    }

    /// Updates the warning that saving is slow or fails.
    pub(super) fn watch_saving(&mut self) {
        let saving = self.read_view(|view| view.saving());
        self.saving_since = None;

        let unsaved = match saving {
            Saving::Quiet => None,
            Saving::Behind { since } if since.elapsed() >= SLOW_SAVING => Some(Notice::warning(
                "saving is slow: the last change is not on disk yet",
            )),
            Saving::Behind { since } => {
                self.saving_since = Some(since);
                self.state.unsaved.clone()
            }
            Saving::Failing {
                at: Some(time),
                reason,
            } => {
                let time = self.setup.zone.time(time);
                Some(Notice {
                    text: format!("NOT SAVED since {time}: {reason}; retrying"),
                    role: Role::Danger,
                })
            }
            // Without a time no event is unsaved, only a snapshot that can be computed again.
            Saving::Failing { at: None, reason } => {
                Some(Notice::warning(format!("NOT SAVED: {reason}; retrying")))
            }
        };
        if unsaved != self.state.unsaved {
            self.state.unsaved = unsaved;
            self.is_stale = true;
        }
    }
}
