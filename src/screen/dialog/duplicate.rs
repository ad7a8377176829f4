//! How many more of something: a goblin four times.

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::session::{CharacterId, ClockId, Command, PoolId};
use crate::table::SeatView;

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
            form: Form::new(vec![item.within(1, MOST)]).titled("More like it"),
        }
    }
}

fn each<Id: Copy>(ids: &[Id], copy: fn(Id) -> Command) -> Vec<Command> {
    ids.iter().copied().map(copy).collect()
}

impl Filled for CopiesDialog {
    its_form!();

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.form.check(|_, item| item.number().err());
    }

    fn submit(&mut self, _seen: &SeatView<'_>) -> DialogAction {
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
