//! A question that the player answers with yes or no.

use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form};
use crate::widget::{columns, wrap};
use crate::{Action, Context};
use tableside_table::SeatView;

/// The maximum width of a question, in columns.
const MAX_QUESTION_COLUMNS: u16 = 48;

/// The minimum width of a question, in columns.
const MIN_QUESTION_COLUMNS: u16 = 20;

/// The index of the button Yes.
pub(super) const YES: usize = 0;

/// The index of the button No.
const NO: usize = 1;

struct Question {
    text: String,
    /// The action of Yes. `None` once it was performed, even if the table refused it.
    action: Option<DialogAction>,
}

/// Asks a question. Enter presses Yes, which performs the action.
pub fn ask_default_yes(question: impl Into<String>, action: DialogAction) -> Dialog {
    question_dialog(question.into(), action, YES)
}

/// Asks a question. Enter presses No.
pub fn ask_default_no(question: impl Into<String>, action: DialogAction) -> Dialog {
    question_dialog(question.into(), action, NO)
}

fn question_dialog(text: String, action: DialogAction, focus: usize) -> Dialog {
    let mut form = question_form(&text);
    form.buttons.focus = focus;
    let question = Question {
        text,
        action: Some(action),
    };
    Dialog::without_view(form, question)
}

/// Returns the form of a question. Enter presses No.
pub(super) fn question_form(text: &str) -> Form {
    let lines = wrap(text, MAX_QUESTION_COLUMNS);
    let widest_line = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
    let buttons = vec![Button::new("Yes", 'y'), Button::new("No", 'n')];

    Form {
        buttons: ButtonRow { buttons, focus: NO },
        ..Form::default()
    }
    .with_width(widest_line.max(MIN_QUESTION_COLUMNS))
    .with_context(Context::Confirm, &[Action::Yes, Action::No])
}

/// Handles the keys of a question. Its first button is Yes.
pub(super) fn question_event(
    spec: &mut dyn DialogSpec,
    event: &DialogEvent,
    form: &mut Form,
    view: &SeatView<'_>,
) -> Option<DialogAction> {
    match event {
        DialogEvent::Action(Action::Yes) => Some(spec.press(YES, form, view)),
        DialogEvent::Action(Action::No) => Some(DialogAction::Close),
        // A letter without a key binding presses no button.
        DialogEvent::Key(_) => Some(DialogAction::Stay),
        _ => None,
    }
}

pub(super) fn question_blocks(text: &str) -> Vec<Block> {
    vec![Block::text(text)]
}

impl DialogSpec for Question {
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

    fn press(&mut self, button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        match self.action.take() {
            Some(action) if button == YES => action,
            _ => DialogAction::Close,
        }
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        question_blocks(&self.text)
    }
}
