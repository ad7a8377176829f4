//! A number of tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::session::PoolId;
use crate::table::Seen;

/// A number of tokens.
#[derive(Clone, Debug)]
pub struct AmountDialog {
    _pool: PoolId,
    _typed: String,
}

impl AmountDialog {
    /// Asks for a number for that pool; `begun` is what was typed already.
    pub fn new(pool: PoolId, begun: &str) -> Self {
        Self {
            _pool: pool,
            _typed: begun.to_owned(),
        }
    }
}

impl Manner for AmountDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Field.chain()
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
        (&dialog::Dialog::new("A number of tokens", 40, 6, *look)).render(area, buffer);
        None
    }
}
