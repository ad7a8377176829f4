//! What happens to another clock when one is full.

use super::DialogAction;
use super::clock::{picked, place};
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::session::{ClockId, Command, Link, Then};
use crate::table::SeatView;

/// The link of a clock.
#[derive(Clone, Debug)]
pub struct LinkForm {
    clock: ClockId,
    /// The clocks that it may be linked to.
    others: Vec<ClockId>,
    form: Form,
}

impl LinkForm {
    /// Opens it for that clock; nothing where there is no other.
    pub fn open(clock: ClockId, seen: &SeatView<'_>) -> Option<Self> {
        let known = seen.clock(clock)?.clock;
        let others = seen.clocks().map(|one| one.clock);
        let others = others.filter(|one| one.id != clock && one.rule.is_none());
        let (others, names): (Vec<ClockId>, Vec<String>) =
            others.map(|one| (one.id, one.name.clone())).unzip();
        if others.is_empty() {
            return None;
        }
        let then = known.link.map(|link| link.then);
        let words = ["nothing happens", "it advances", "it reveals", "it starts"];
        let at = then.map_or(0, |then| 1 + place(&Then::ALL, then));
        let to = known
            .link
            .and_then(|link| others.iter().position(|id| *id == link.to));
        let items = vec![
            Item::new("then", "When it is full", Entry::word(words, at), ""),
            Item::new(
                "to",
                "Which clock",
                Entry::word(names, to.unwrap_or(0)),
                "The other clock. Links go on from clock to clock, and never in a circle.",
            ),
        ];
        let mut form = Self {
            clock,
            others,
            form: Form::new(items).titled(format!("Link {}", known.name)),
        };
        form.explain();
        Some(form)
    }

    fn then(&self) -> Option<Then> {
        let at = self.form.choice("then").checked_sub(1)?;
        Some(picked(&Then::ALL, at))
    }

    fn explain(&mut self) {
        let help = self
            .then()
            .map_or("Full, it leads to nothing else.", Then::explain);
        if let Some(item) = self.form.items.first_mut() {
            help.clone_into(&mut item.help);
        }
    }
}

impl Filled for LinkForm {
    its_form!();

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.explain();
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        let Some(now) = seen.clock(self.clock) else {
            self.form.problem = Some("that clock is not there any more".to_owned());
            return DialogAction::Stay;
        };
        let to = self.others.get(self.form.choice("to")).copied();
        let link = self.then().zip(to).map(|(then, to)| Link { to, then });
        if now.clock.link == link {
            return DialogAction::Close;
        }
        let mut clock = now.clock.clone();
        clock.link = link;
        DialogAction::SubmitAndClose(Command::EditClock(Box::new(clock)).into())
    }
}
