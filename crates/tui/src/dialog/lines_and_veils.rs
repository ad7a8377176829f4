//! The lines and veils of the table, which every seat may read and change.

use crate::app::action::{Action, Context};
use crate::dialog::text_lines::{TextLines, text_of};
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, markdown_blocks,
};
use tableside_game::{Command, LONGEST_HANDOUT};
use tableside_table::SeatView;

const LINES: TextLines = TextLines {
    label: "Text",
    hint: "Lines: never in this game. Veils: only off screen.",
    help: "All seats may read and change this text. The log does not name the author.",
    longest: LONGEST_HANDOUT,
    is_needed: false,
};

struct LinesAndVeilsForm {
    /// The text that this screen shows. The table refuses a change that is based on another text.
    shown_text: String,
}

/// Opens the form of the lines and veils.
pub fn lines_and_veils_form(view: &SeatView<'_>) -> Dialog {
    let shown_text = view.lines_and_veils.clone();
    let form = Form::new("Lines and veils", LINES.rows(&shown_text)).wide();
    let hints = &[Action::Submit, Action::NewLine, Action::Editor];
    let mut form = form.with_context(Context::Note, hints);
    form.has_preview = true;
    form.is_reading = view.is_view();
    Dialog::new(form, LinesAndVeilsForm { shown_text }, view)
}

impl LinesAndVeilsForm {
    /// Returns true if another seat has changed the text since this screen showed it.
    fn is_outdated(&self, view: &SeatView<'_>) -> bool {
        view.lines_and_veils != self.shown_text
    }
}

fn is_changed(form: &Form) -> bool {
    form.changed().next().is_some()
}

impl DialogSpec for LinesAndVeilsForm {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        form.lay_out(LINES.rows_again(form));
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let is_submit = *event == DialogEvent::Action(Action::Submit);
        if is_submit && self.is_outdated(view) {
            self.shown_text.clone_from(&view.lines_and_veils);
            let problem = "another player changed the text while you wrote. The new text is below. Complete \
                           yours, then submit again.";
            form.problem = Some(problem.to_owned());
            return Some(DialogAction::Stay);
        }
        LINES.handle(event, form)
    }

    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let command = Command::SetLinesAndVeils {
            was: Some(self.shown_text.clone()),
            text: text_of(form),
        };
        Ok(DialogAction::SubmitAndReturn(command.into()))
    }

    /// Shows the new text, unless the player changed the text in the form.
    fn on_change(&mut self, form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        if self.is_outdated(view) && !is_changed(form) {
            Some(lines_and_veils_form(view))
        } else {
            None
        }
    }

    /// Shows the current text, if the form has an older text or a draft.
    fn blocks(&self, form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let is_of_older_text =
            self.is_outdated(view) || form.problem.is_some() || form.caption.is_draft;
        let differs = text_of(form) != view.lines_and_veils;
        if !is_of_older_text || !differs || !is_changed(form) {
            return Vec::new();
        }

        let mut blocks = vec![Block::heading("The text now")];
        if view.lines_and_veils.is_empty() {
            blocks.push(Block::muted("(empty)"));
        }
        blocks.extend(markdown_blocks(&view.lines_and_veils));
        blocks
    }
}
