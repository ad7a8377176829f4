//! Questions of sheets, whose form opens on the GM's screen without a key.

use crate::app::state::ScreenState;
use crate::dialog::{open_questions, question_text, sheet_question_form};
use tableside_table::{SeatRole, SeatView};

impl ScreenState {
    /// Looks for new questions of sheets. The form of the first one opens as soon as no dialog is open.
    ///
    /// The forms of questions from before the screen opened do not open.
    pub(crate) fn notice_questions(&mut self, view: &SeatView<'_>) {
        if view.role() != SeatRole::Gm {
            return;
        }

        let open = open_questions(view);
        let Some(known) = self.noticed.questions.replace(open.clone()) else {
            return;
        };
        let is_new = |(id, missing): &(_, usize)| {
            let missing_before = known.iter().find(|(known_id, _)| known_id == id);
            missing_before.is_none_or(|(_, before)| before < missing)
        };
        if let Some((id, _)) = open.iter().find(|question| is_new(question)) {
            self.noticed.question_to_show = Some(*id);
        }
        self.show_question(view);
    }

    /// Opens the form of a new question. While another dialog is open, a message shows the question instead.
    pub(crate) fn show_question(&mut self, view: &SeatView<'_>) {
        let Some(id) = self.noticed.question_to_show else {
            return;
        };
        let form = sheet_question_form(id, view);
        let text = question_text(id, view);
        let (Some(dialog), Some(text)) = (form, text) else {
            self.noticed.question_to_show = None;
            return;
        };

        if self.is_browsing() {
            self.noticed.question_to_show = None;
            self.open(dialog);
        } else {
            self.warn(text);
        }
    }
}
