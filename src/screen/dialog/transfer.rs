//! Tokens from one pool to another.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::session::PoolId;
use crate::table::Seen;

/// Tokens from one pool to another.
#[derive(Clone, Debug)]
pub struct TransferForm {
    _from: PoolId,
}

impl TransferForm {
    /// Opens it for that pool.
    pub fn open(from: PoolId, _seen: &Seen<'_>) -> Self {
        Self { _from: from }
    }
}

impl Manner for TransferForm {
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
        (&dialog::Dialog::new("Tokens from one pool to another", 40, 6, *look))
            .render(area, buffer);
        None
    }
}
