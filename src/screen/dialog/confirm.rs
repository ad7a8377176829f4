//! A question.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::table::Act;
use crate::table::Seen;

/// A question.
#[derive(Clone, Debug)]
pub struct ConfirmDialog {
    _question: String,
    _then: Agreed,
}

impl ConfirmDialog {
    /// Asks it.
    pub fn new(question: impl Into<String>, then: Agreed) -> Self {
        Self {
            _question: question.into(),
            _then: then,
        }
    }
}

impl Manner for ConfirmDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Confirm.chain()
    }

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        match heard {
            Heard::Action(Action::Close) => Reply::Close,
            _ => Reply::Stay,
        }
    }

    fn view(
        &self,
        _seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        (&dialog::Dialog::new("A question", 40, 6, *look)).render(area, buffer);
        None
    }
}

/// What happens when the answer is yes.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreed {
    /// That is submitted.
    Do(Act),
    /// This screen leaves the table.
    Quit,
}
