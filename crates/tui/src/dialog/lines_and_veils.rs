//! The lines and veils of the table, which every seat may read and change.

use crate::Role;
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

struct LinesAndVeils {
    /// The text that this screen has shown. The table refuses a change of any other text.
    read: String,
}

/// Shows the lines and veils, to be changed.
pub fn lines_and_veils_form(view: &SeatView<'_>) -> Dialog {
    let read = view.lines_and_veils.clone();
    let form = Form::new("Lines and veils", LINES.rows(&read)).wide();
    let named = &[Action::Submit, Action::NewLine, Action::Editor];
    let mut form = form.with_context(Context::Note, named);
    form.has_preview = true;
    form.is_reading = view.is_view();
    Dialog::new(form, LinesAndVeils { read }, view)
}

impl DialogSpec for LinesAndVeils {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        form.lay_out(LINES.rows_again(form));
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let is_outdated = view.lines_and_veils != self.read;
        if *event == DialogEvent::Action(Action::Submit) && is_outdated {
            self.read.clone_from(&view.lines_and_veils);
            let problem = "somebody else changed them while you wrote. The new text is below. Complete yours, \
                           then finish again.";
            form.problem = Some(problem.to_owned());
            return Some(DialogAction::Stay);
        }
        LINES.handle(event, form)
    }

    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let command = Command::SetLinesAndVeils {
            was: Some(self.read.clone()),
            text: text_of(form),
        };
        Ok(DialogAction::SubmitAndReturn(command.into()))
    }

    /// Shows the new text at once if the text in the form is unchanged.
    fn on_change(&mut self, form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        let is_outdated = view.lines_and_veils != self.read;
        let is_changed = form.changed().next().is_some();
        (is_outdated && !is_changed).then(|| lines_and_veils_form(view))
    }

    /// The present text, if the form shows an older one or a draft.
    fn blocks(&self, form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let is_changed = form.changed().next().is_some();
        let is_same = text_of(form) == view.lines_and_veils;
        let is_outdated = view.lines_and_veils != self.read || form.problem.is_some();
        let is_draft = !form.note.is_empty();
        if is_same || !is_changed || !(is_outdated || is_draft) {
            return Vec::new();
        }

        let mut blocks = vec![Block::words(Role::Heading, "The text now")];
        if view.lines_and_veils.is_empty() {
            blocks.push(Block::words(Role::Muted, "(empty)"));
        }
        blocks.extend(markdown_blocks(&view.lines_and_veils));
        blocks
    }
}
