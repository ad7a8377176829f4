//! An entry of the log, step by step.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::table::Seen;

/// An entry of the log, step by step.
#[derive(Clone, Debug)]
pub struct ExplainDialog {
    _entry: u64,
}

impl ExplainDialog {
    /// Explains that entry.
    pub fn new(entry: u64) -> Self {
        Self { _entry: entry }
    }
}

impl Manner for ExplainDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Help.chain()
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
        (&dialog::Dialog::new("An entry of the log, step by step", 40, 6, *look))
            .render(area, buffer);
        None
    }
}
