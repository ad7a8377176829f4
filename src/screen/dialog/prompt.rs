//! One line of text.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::table::Seen;

/// One line of text.
#[derive(Clone, Debug)]
pub struct PromptDialog {
    _what: Prompted,
}

impl PromptDialog {
    /// Asks for it.
    pub fn new(what: Prompted) -> Self {
        Self { _what: what }
    }
}

impl Manner for PromptDialog {
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
        (&dialog::Dialog::new("One line of text", 40, 6, *look)).render(area, buffer);
        None
    }
}

/// What a line of text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompted {
    /// The name of the next scene.
    Scene,
    /// A note, about an entry of the log or about nothing in particular.
    Note {
        /// The entry.
        about: Option<u64>,
    },
    /// Why an entry is struck.
    Strike {
        /// The entry.
        entry: u64,
    },
    /// The name of the game; `now` is what it is called.
    Game {
        /// The name so far.
        now: String,
    },
}
