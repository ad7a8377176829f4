//! The first message on a new screen.

use super::Screen;
use crate::Action;
use crate::app::notice::Notice;
use crate::app::roll_requests;
use crate::app::state::ScreenState;
use tableside_table::{SeatRole, SeatView};
use tableside_text::join_with_and;

impl Screen {
    /// Shows pending rolls, or the player's characters.
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

    fn greeting(&mut self) -> Option<String> {
        let pending = self.with_view(|_, view| roll_requests::describe_pending_for_seat(view));
        let identity = self.with_view(|_, view| describe_seat(view));
        let resume_key = self.state.key(Action::Resume);
        let help_key = self.state.key(Action::Help);

        match (pending, identity) {
            (Some(pending), Some(identity)) => Some(format!(
                "{identity}; {pending} for an answer: {resume_key} continues"
            )),
            (Some(pending), None) => {
                Some(format!("{pending} for an answer: {resume_key} continues"))
            }
            (None, Some(identity)) => Some(format!("{identity}: {help_key} shows your keys")),
            (None, None) => None,
        }
    }
}

/// Describes the seat of a player or a watcher: `You are Tom, playing Sir Alric`. `None` for the GM.
fn describe_seat(view: &SeatView<'_>) -> Option<String> {
    let seat = view.seat();
    match seat.role {
        SeatRole::Gm => None,
        SeatRole::Watcher => Some("You are watching".to_owned()),
        SeatRole::Player => {
            let characters: Vec<&str> = view
                .roster()
                .filter(|character| seat.characters.contains(&character.id))
                .map(|character| character.name.as_str())
                .collect();
            let player = &seat.name;
            if characters.is_empty() {
                let gm = view.system().spec().gm;
                Some(format!(
                    "You are {player}. The {gm} has not given you a character yet"
                ))
            } else {
                let characters = join_with_and(&characters);
                Some(format!("You are {player}, playing {characters}"))
            }
        }
    }
}
