//! What happens to another clock when one is full.

use super::DialogAction;
use super::form::{Form, FormDialog, FormSpec, Row};
use crate::session::{ClockId, Command, Link, Then};
use crate::table::SeatView;

#[derive(Debug)]
pub struct LinkForm {
    clock: ClockId,
    /// The clocks that it may be linked to.
    others: Vec<ClockId>,
}

impl LinkForm {
    /// Opens it for that clock; `None` if there is no other.
    pub fn open(clock: ClockId, seen: &SeatView<'_>) -> Option<FormDialog<Self>> {
        let known = seen.clock(clock)?.clock;
        let others = seen.clocks().map(|one| one.clock);
        let others = others.filter(|one| one.id != clock && one.rule.is_none());
        let (others, names): (Vec<ClockId>, Vec<String>) =
            others.map(|one| (one.id, one.name.clone())).unzip();
        if others.is_empty() {
            return None;
        }
        let words = ["nothing happens", "it advances", "it reveals", "it starts"];
        let at = |link: Link| Then::ALL.iter().position(|then| *then == link.then);
        let at = known.link.and_then(at).map_or(0, |at| at + 1);
        let to = |link: Link| others.iter().position(|id| *id == link.to);
        let to = known.link.and_then(to).unwrap_or(0);
        let rows = vec![
            Row::choice("then", "When it is full", words, at),
            Row::choice("to", "Which clock", names, to)
                .help("The other clock. Links go on from clock to clock, and never in a circle."),
        ];
        let form = Form::new(format!("Link {}", known.name), rows);
        Some(FormDialog::new(form, Self { clock, others }, seen))
    }
}

fn then(form: &Form) -> Option<Then> {
    let at = form.choice("then").checked_sub(1)?;
    Then::ALL.get(at).copied()
}

impl FormSpec for LinkForm {
    fn refresh(&mut self, form: &mut Form, _seen: &SeatView<'_>) {
        let help = then(form).map_or("Full, it leads to nothing else.", Then::explain);
        if let Some(row) = form.row_mut("then") {
            row.help = help.into();
        }
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let now = seen.clock(self.clock);
        let mut clock = now.ok_or("that clock is not there any more")?.clock.clone();
        let to = self.others.get(form.choice("to")).copied();
        let link = then(form).zip(to).map(|(then, to)| Link { to, then });
        if clock.link == link {
            return Ok(DialogAction::Close);
        }
        clock.link = link;
        Ok(Command::edit(clock).into())
    }
}
