//! A question that is answered by yes or no.

use ratatui::layout::Position;

use super::press::{Button, Press};
use super::reading::{Block, Reading, Scroll};
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::columns;
use crate::screen::widget::wrap::wrap;
use crate::table::{Entry, SeatView};

/// Columns that a question wants at most, and at the least.
const WIDTHS: [u16; 2] = [48, 20];

/// A question, and what happens when the answer is yes.
#[derive(Debug)]
pub struct ConfirmDialog {
    words: String,
    press: Press<bool>,
    problem: Option<String>,
    /// `None` once it was done, and refused.
    then: Option<DialogAction>,
}

impl ConfirmDialog {
    pub fn new(question: impl Into<String>, then: impl Into<DialogAction>) -> Self {
        let yes = Button::new(true, "Yes", 'y');
        let mut press = Press::new(vec![yes, Button::new(false, "No", 'n')]);
        press.focus = 0;
        Self {
            words: question.into(),
            press,
            problem: None,
            then: Some(then.into()),
        }
    }

    /// The same, but Enter leaves everything as it is.
    #[must_use]
    pub fn wary(mut self) -> Self {
        self.press.focus = 1;
        self
    }
}

impl Dialog for ConfirmDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Confirm.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Yes, Action::No, Action::Close]
    }

    fn handle(&mut self, event: &DialogEvent, _seen: &SeatView<'_>) -> DialogAction {
        let answer = match event {
            DialogEvent::Action(Action::Yes) => Some(true),
            DialogEvent::Action(Action::No | Action::Close) => Some(false),
            // A letter is bound to an answer, or means nothing here.
            DialogEvent::Key(_) => None,
            event => self.press.handle(event).copied(),
        };
        match answer {
            Some(true) => self.then.take().unwrap_or(DialogAction::Close),
            Some(false) => DialogAction::Close,
            None => DialogAction::Stay,
        }
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, _seen: &SeatView<'_>) {
        self.problem = result.err().map(str::to_owned);
    }

    fn view(&self, _seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let mut blocks = vec![Block::words(Role::Text, &self.words)];
        if let Some(problem) = &self.problem {
            blocks.push(Block::words(Role::Danger, format!("! {problem}")));
        }
        let most = WIDTHS[0].min(canvas.area.width.saturating_sub(4));
        let lines = wrap(&self.words, most);
        let wide = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        let wide = if self.problem.is_some() { most } else { wide };
        let reading = Reading {
            title: String::new(),
            note: String::new(),
            blocks,
            width: wide.max(WIDTHS[1]),
        };
        reading.draw(&self.press, None, &Scroll::default(), canvas);
        None
    }
}
