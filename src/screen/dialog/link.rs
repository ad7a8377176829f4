//! What happens to another clock when one is full.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::clock::{picked, place};
use super::entry::Entry;
use super::form::{Form, Item, Went};
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::{ClockId, Command, Link, Then};
use crate::table::{Entry as Told, Seen};

/// The link of a clock.
#[derive(Clone, Debug)]
pub struct LinkForm {
    clock: ClockId,
    title: String,
    /// The clocks that it may be linked to.
    others: Vec<ClockId>,
    form: Form,
}

impl LinkForm {
    /// Opens it for that clock; nothing where there is no other.
    pub fn open(clock: ClockId, seen: &Seen<'_>) -> Option<Self> {
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
            title: format!("Link {}", known.name),
            others,
            form: Form::new(items),
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

    fn submit(&mut self, seen: &Seen<'_>) -> Reply {
        let Some(now) = seen.clock(self.clock) else {
            self.form.problem = Some("that clock is not there any more".to_owned());
            return Reply::Stay;
        };
        let to = self.others.get(self.form.choice("to")).copied();
        let link = self.then().zip(to).map(|(then, to)| Link { to, then });
        if now.clock.link == link {
            return Reply::Close;
        }
        let mut clock = now.clock.clone();
        clock.link = link;
        Reply::SubmitAndClose(Command::EditClock(Box::new(clock)).into())
    }
}

impl Manner for LinkForm {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        self.form.hints()
    }

    fn hear(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        let went = self.form.hear(heard);
        self.explain();
        match went {
            Went::On | Went::Changed => Reply::Stay,
            Went::Left => Reply::Close,
            Went::Submitted => self.submit(seen),
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
        self.form.draw(&self.title, look, area, buffer)
    }
}
