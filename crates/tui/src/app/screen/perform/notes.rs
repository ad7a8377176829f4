//! The list of notes, read handouts, and the request to pause.

use super::describe_problem;
use crate::Screen;
use crate::dialog::notes_form;
use tableside_game::{Command, CommandError, NoteId};
use tableside_table::Problem;

impl Screen {
    pub(super) fn show_notes(&mut self) {
        let zone = self.setup.zone;
        let list = self.read_view(|view| notes_form(zone, &view));
        self.state.open(list);
    }

    /// Closes the dialog of a handout and marks the handout as read.
    pub(super) fn read_handout(&mut self, note: NoteId) {
        self.with_view(|state, view| {
            state.close_dialog(view);
            // If the table refuses, this screen does not show the handout again.
            state.noticed.closed_handouts.push(note);
        });

        let act = Command::ReadHandout(note).into();
        match self.table.submit(&self.setup.seat, &act) {
            Ok(_) | Err(Problem::Refused(CommandError::Unchanged)) => {}
            Err(problem) => self.state.warn(describe_problem(&problem)),
        }
        self.refresh();
    }

    /// Asks all players to pause. This screen shows the request when it receives the event, like all other screens.
    pub(super) fn pause(&mut self) {
        let act = Command::Pause.into();
        if let Err(problem) = self.table.submit(&self.setup.seat, &act) {
            self.state.warn(describe_problem(&problem));
        }
        self.refresh();
    }
}
