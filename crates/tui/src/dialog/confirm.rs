//! A question that is answered by yes or no.

use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form};
use crate::widget::{columns, wrap};
use crate::{Action, Context, Role};
use tableside_table::SeatView;

/// Columns that a question wants at most, and at the least.
const WIDTHS: [u16; 2] = [48, 20];

/// A question, and what happens when the answer is yes: `None` once it was done, and refused.
struct Question(String, Option<DialogAction>);

/// Asks, and does that when the answer is yes; Enter says yes.
pub fn ask_default_yes(question: impl Into<String>, then: DialogAction) -> Dialog {
    ask(question.into(), then, 0)
}

/// The same, but Enter leaves everything as it is.
pub fn ask_default_no(question: impl Into<String>, then: DialogAction) -> Dialog {
    ask(question.into(), then, 1)
}

fn ask(question: String, then: DialogAction, focus: usize) -> Dialog {
    let lines = wrap(&question, WIDTHS[0]);
    let widest = lines.iter().map(|line| columns(line)).max();
    let buttons = vec![Button::new("Yes", 'y'), Button::new("No", 'n')];
    let form = Form {
        width: Some(widest.unwrap_or(0).max(WIDTHS[1])),
        buttons: ButtonRow { buttons, focus },
        place: Some(Context::Confirm),
        hinted_actions: &[Action::Yes, Action::No],
        ..Form::default()
    };
    Dialog::without_view(form, Question(question, Some(then)))
}

impl DialogSpec for Question {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match event {
            DialogEvent::Action(Action::Yes) => Some(self.press(0, form, view)),
            DialogEvent::Action(Action::No) => Some(DialogAction::Close),
            // A letter is bound to an answer, or means nothing here.
            DialogEvent::Key(_) => Some(DialogAction::Stay),
            _ => None,
        }
    }

    fn press(&mut self, button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        let then = self.1.take().filter(|_| button == 0);
        then.unwrap_or(DialogAction::Close)
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        vec![Block::words(Role::Text, &self.0)]
    }
}
