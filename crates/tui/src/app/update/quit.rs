//! Leaving the table, after a question if a change or a roll could be lost or players are connected.

use crate::Role;
use crate::app::roll_requests;
use crate::app::state::ScreenState;
use crate::dialog::{DialogAction, ask_default_no, ask_default_yes};
use tableside_table::SeatView;

impl ScreenState {
    /// Leaves the table. If a change is unsaved, if other players are at the table, or if a roll is pending, a dialog
    /// asks first.
    pub(super) fn quit(&mut self, exit: DialogAction, view: &SeatView<'_>) -> DialogAction {
        let unsaved = self.warn_of_unsaved();
        let is_unsaved = unsaved.is_some();

        let mut warnings = Vec::new();
        warnings.extend(unsaved);
        if self.label.serves {
            warnings.push(warn_of_closing(view));
        }
        warnings.extend(warn_of_pending_rolls(view));
        if warnings.is_empty() {
            return exit;
        }

        let question = format!("{} Quit?", warnings.join(" "));
        let dialog = if is_unsaved {
            ask_default_no(question, exit)
        } else {
            ask_default_yes(question, exit)
        };
        self.open(dialog)
    }

    fn warn_of_unsaved(&self) -> Option<String> {
        let unsaved = self.unsaved.as_ref()?;
        if unsaved.role != Role::Danger {
            return None;
        }
        Some(format!(
            "{}. If you quit now, it may be lost.",
            unsaved.text
        ))
    }
}

/// Warns that the game closes for the other players too.
fn warn_of_closing(view: &SeatView<'_>) -> String {
    let own_name = view.seat().name.as_str();
    let others: Vec<&str> = view
        .present()
        .map(|seat| seat.name.as_str())
        .filter(|name| *name != own_name)
        .collect();

    if others.is_empty() {
        "Other players can join, and the game closes with this screen.".to_owned()
    } else {
        let names = others.join(", ");
        format!("The game closes for {names} too.")
    }
}

fn warn_of_pending_rolls(view: &SeatView<'_>) -> Option<String> {
    let pending = roll_requests::describe_pending_for_seat(view)?;
    Some(format!("{pending} for an answer."))
}
