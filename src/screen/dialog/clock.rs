//! The form of a clock.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::session::ClockId;
use crate::table::Seen;

/// The form of a clock.
#[derive(Clone, Debug)]
pub struct ClockForm {
    _id: Option<ClockId>,
}

impl ClockForm {
    /// Opens it for a new one, or for that one.
    pub fn open(id: Option<ClockId>, _seen: &Seen<'_>) -> Self {
        Self { _id: id }
    }
}

impl Manner for ClockForm {
    fn contexts(&self) -> &'static [Context] {
        Context::Form.chain()
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
        (&dialog::Dialog::new("The form of a clock", 40, 6, *look)).render(area, buffer);
        None
    }
}
