//! How many more of something: a goblin four times.

use super::DialogAction;
use super::form::{Form, FormDialog, FormSpec, Row};
use crate::session::{CharacterId, ClockId, Command, PoolId, Subject};
use crate::table::SeatView;

/// What there are to be more of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    Characters(Vec<CharacterId>),
    Clocks(Vec<ClockId>),
    Pools(Vec<PoolId>),
}

/// How many more of something.
#[derive(Debug)]
pub struct CopiesDialog {
    of: Copied,
}

/// So many at once are enough.
const MOST: i32 = 50;

impl CopiesDialog {
    pub fn open(of: Copied, seen: &SeatView<'_>) -> FormDialog<Self> {
        let help = "So many more, each with the next free number behind its name.";
        let row = Row::number("count", "How many more", Some(3), (1, MOST)).help(help);
        FormDialog::new(Form::new("More like it", vec![row]), Self { of }, seen)
    }
}

fn each<Id: Copy>(ids: &[Id], of: fn(Id) -> Subject) -> Vec<Command> {
    let of = ids.iter().copied().map(of);
    of.map(Command::Duplicate).collect()
}

impl FormSpec for CopiesDialog {
    fn refresh(&mut self, form: &mut Form, _seen: &SeatView<'_>) {
        form.check(|_, row| row.needed_number().err());
    }

    fn submit(&mut self, form: &Form, _seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let count = form.row("count").map_or(Ok(1), Row::needed_number)?;
        let each = match &self.of {
            Copied::Characters(ids) => each(ids, Subject::Character),
            Copied::Clocks(ids) => each(ids, Subject::Clock),
            Copied::Pools(ids) => each(ids, Subject::Pool),
        };
        let all = (0..count).flat_map(|_| each.iter().cloned());
        Ok(Command::together(all.collect()).into())
    }
}
