//! The first look of a new screen at the table, and its first message.

use super::Screen;
use crate::Action;
use crate::app::notice::Notice;
use crate::app::roll_requests;
use crate::app::state::ScreenState;

impl Screen {
    /// Reads the state of the table for a new screen, and shows the pending rolls of the seat.
    pub(super) fn greet(&mut self) {
        self.read_label();
        self.with_view(ScreenState::notice_calls);
        self.with_view(ScreenState::notice_rolls);
        self.with_view(ScreenState::notice_questions);
        let zone = self.setup.zone;
        self.with_view(|state, view| state.notice_handouts(zone, view));
        // A newly joined player is already looking at the screen, so do not ring the bell.
        self.state.bell_reason = None;

        if let Some(greeting) = self.greeting() {
            self.state
                .notice
                .get_or_insert_with(|| Notice::plain(greeting));
        }
    }

    /// Describes the pending rolls of the seat, with the key that continues them.
    fn greeting(&mut self) -> Option<String> {
        let pending = self.read_view(|view| roll_requests::describe_pending_for_seat(&view))?;
        let resume_key = self.state.key(Action::Resume);
        Some(format!("{pending} for an answer: {resume_key} continues"))
    }
}
