//! How many more of something: a goblin four times.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::form::{Form, Item, Went};
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::{CharacterId, ClockId, Command, PoolId};
use crate::table::{Entry as Told, Seen};

/// What there are to be more of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    /// Characters.
    Characters(Vec<CharacterId>),
    /// Clocks.
    Clocks(Vec<ClockId>),
    /// Pools.
    Pools(Vec<PoolId>),
}

/// How many more of something.
#[derive(Clone, Debug)]
pub struct CopiesDialog {
    of: Copied,
    form: Form,
}

/// So many at once are enough.
const MOST: i32 = 50;

impl CopiesDialog {
    /// Asks how many.
    pub fn new(of: Copied) -> Self {
        let help = "So many more, each with the next free number behind its name.";
        let item = Item::new("count", "How many more", Entry::number(Some(3)), help);
        Self {
            of,
            form: Form::new(vec![item.within(1, MOST)]),
        }
    }

    fn submit(&mut self) -> Reply {
        self.form.check(|_, item| item.number().err());
        let count = self.form.item("count").map_or(Ok(1), Item::number);
        let built = count.map(|count| {
            let each = match &self.of {
                Copied::Characters(ids) => each(ids, Command::DuplicateCharacter),
                Copied::Clocks(ids) => each(ids, Command::DuplicateClock),
                Copied::Pools(ids) => each(ids, Command::DuplicatePool),
            };
            let times = usize::try_from(count).unwrap_or(1);
            let all = (0..times).flat_map(|_| each.iter().cloned());
            Command::together(all.collect())
        });
        self.form.finish(built)
    }
}

fn each<Id: Copy>(ids: &[Id], copy: fn(Id) -> Command) -> Vec<Command> {
    ids.iter().copied().map(copy).collect()
}

impl Manner for CopiesDialog {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        self.form.hints()
    }

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        match self.form.hear(heard) {
            Went::On => Reply::Stay,
            Went::Left => Reply::Close,
            Went::Changed => {
                self.form.check(|_, item| item.number().err());
                Reply::Stay
            }
            Went::Submitted => self.submit(),
        }
    }

    fn told(&mut self, told: Result<&Told, &str>, _seen: &Seen<'_>) {
        self.form.problem = told.err().map(str::to_owned);
    }

    fn view(
        &self,
        _seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.form.draw("More like it", look, area, buffer)
    }
}
