//! A check: set up, rolled, chosen, read.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::{Look, dialog};
use crate::session::{CharacterId, UnfinishedId};
use crate::table::Seen;

/// A check: set up, rolled, chosen, read.
#[derive(Clone, Debug)]
pub struct RollDialog {
    _who: Option<CharacterId>,
}

impl RollDialog {
    /// Opens it on that character.
    pub fn open(who: Option<CharacterId>, _seen: &Seen<'_>) -> Self {
        Self { _who: who }
    }

    /// Opens a check that waits for somebody.
    pub fn resume(check: UnfinishedId, seen: &Seen<'_>) -> Option<Self> {
        let waiting = seen.unfinished().find(|waiting| waiting.id == check)?;
        Some(Self {
            _who: waiting.roll.id,
        })
    }

    /// Opens the same check as that entry of the log was.
    pub fn repeat(entry: u64, seen: &Seen<'_>) -> Option<Self> {
        Some(Self {
            _who: seen.entry(entry)?.roll()?.id,
        })
    }

    /// What is to be worked out beside the screen.
    pub fn wonder(&mut self) -> Option<Wonder> {
        None
    }

    /// Takes what was worked out beside the screen.
    pub fn learn(&mut self, _wondered: Wondered) {}
}

impl Manner for RollDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Roll.chain()
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
        (&dialog::Dialog::new("A check: set up, rolled, chosen, read", 40, 6, *look))
            .render(area, buffer);
        None
    }
}

/// A question whose answer takes too long for a key: what one more of something would be worth.
#[derive(Clone, Debug)]
pub struct Wonder {}

impl Wonder {
    /// Works it out.
    pub fn answer(self) -> Wondered {
        Wondered {}
    }
}

/// The answer to a [`Wonder`].
#[derive(Clone, Debug)]
pub struct Wondered {}
