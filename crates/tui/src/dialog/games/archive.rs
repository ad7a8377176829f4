//! The archive: moving games into it and out of it.

use std::sync::Arc;

use super::{GamesDialog, Library, PreviousGame};
use crate::Action;
use crate::dialog::confirm::{YES, question_blocks, question_event, question_form};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form};
use tableside_table::SeatView;

impl GamesDialog {
    pub(super) fn switch_archive(&mut self, form: &mut Form) {
        self.in_archive = !self.in_archive;
        form.caption.filter.clear();
        self.read(form);
    }

    pub(super) fn message_if_empty(&self) -> &'static str {
        if self.in_archive {
            "The archive is empty."
        } else if self.library.offers(Action::Code) {
            "You have no seat in a game yet. ⟨code⟩ enters an invitation code."
        } else if !self.library.offers(Action::New) {
            "You have no seat in a game yet. Log in with an SSH key to enter an invitation code."
        } else if self.library.games(true).is_empty() {
            "There are no saved games yet. ⟨new⟩ creates one."
        } else {
            "All games are in the archive, which ⟨archived⟩ shows. ⟨new⟩ creates a new one."
        }
    }

    /// Moves a game into the archive or out of it. The same key reverses the move, except for the game that was open: a
    /// dialog asks before it is archived.
    pub(super) fn archive_or_restore(&mut self, name: String, form: &mut Form) -> DialogAction {
        let was_open = matches!(&self.previous, PreviousGame::Open(previous) if *previous == name);
        if was_open && !self.in_archive {
            let library = Arc::clone(&self.library);
            return DialogAction::open(archive_question(name, library));
        }

        let result = if self.in_archive {
            let restored = self.library.restore(&name);
            restored.map(|()| format!("{name} is among the games again."))
        } else {
            let archived = self.library.archive(&name);
            archived.map(|new_name| describe_archived(&name, &new_name))
        };
        match result {
            Ok(message) => self.message = message,
            Err(problem) => form.problem = Some(problem),
        }
        self.read(form);
        DialogAction::Stay
    }
}

fn describe_archived(name: &str, new_name: &str) -> String {
    if name == new_name {
        format!("{name} is in the archive now.")
    } else {
        format!("The archive already has a game {name}, so it is archived as {new_name}.")
    }
}

/// Asks whether to archive the game that was open.
fn archive_question(name: String, library: Arc<dyn Library>) -> Dialog {
    let text = format!("You just left {name}. Move it into the archive?");
    let form = question_form(&text);
    let question = ArchiveQuestion {
        library,
        name,
        text,
    };
    Dialog::without_view(form, question)
}

struct ArchiveQuestion {
    library: Arc<dyn Library>,
    name: String,
    text: String,
}

impl DialogSpec for ArchiveQuestion {
    fn shows_dialog_beneath(&self) -> bool {
        true
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        question_event(self, event, form, view)
    }

    fn press(&mut self, button: usize, form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        if button != YES {
            return DialogAction::Close;
        }
        match self.library.archive(&self.name) {
            Ok(new_name) if new_name == self.name => DialogAction::Close,
            Ok(new_name) => {
                self.text = describe_archived(&self.name, &new_name);
                form.buttons.buttons.clear();
                DialogAction::Stay
            }
            Err(problem) => {
                form.problem = Some(problem);
                DialogAction::Stay
            }
        }
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        question_blocks(&self.text)
    }
}
