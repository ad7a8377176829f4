//! The form of a pool of tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::session::PoolId;
use crate::table::Seen;

/// The form of a pool of tokens.
#[derive(Clone, Debug)]
pub struct PoolForm {
    _id: Option<PoolId>,
}

impl PoolForm {
    /// Opens it for a new one, or for that one.
    pub fn open(id: Option<PoolId>, _seen: &Seen<'_>) -> Self {
        Self { _id: id }
    }
}

impl Manner for PoolForm {
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
        (&dialog::Dialog::new("The form of a pool of tokens", 40, 6, *look)).render(area, buffer);
        None
    }
}
