//! A dialog that is a form, and nothing else: what tells one from the others is its [`FormSpec`].

use ratatui::layout::Position;

use super::{Form, Id, Went};
use crate::screen::action::{Action, Context};
use crate::screen::dialog::reading::{Block, Scroll};
use crate::screen::dialog::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::widget::Look;
use crate::table::{Entry as LogEntry, SeatView};

/// What tells one form from the others.
pub(in crate::screen::dialog) trait FormSpec:
    std::fmt::Debug + Send
{
    /// Whether paging scrolls what is drawn beneath, instead of moving the focus by pages.
    const PAGES_TAIL: bool = false;

    /// Lays the rows out, and says what is wrong and what stands beside them: after the form opened,
    /// something was entered, or the table changed.
    fn refresh(&mut self, _form: &mut Form, _seen: &SeatView<'_>) {}

    /// What is to be done, or what is still wrong.
    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String>;

    /// Whether it changes what is there already: if nothing was entered, nothing is submitted then.
    fn is_an_edit(&self) -> bool {
        false
    }

    /// Handles an event that is none of the form's; returns whether it was one.
    fn takes(&mut self, _form: &mut Form, _event: &DialogEvent) -> bool {
        false
    }

    fn hints(&self, form: &Form) -> &'static [Action] {
        form.hints()
    }

    /// What the rules say before one does what it is for.
    fn advice(&self) -> &'static [&'static str] {
        &[]
    }

    /// What is drawn beneath the rows.
    fn tail(&self, _form: &Form, _look: Look<'_>) -> Vec<Block> {
        Vec::new()
    }
}

#[derive(Debug)]
pub struct FormDialog<T> {
    form: Form,
    spec: T,
    /// How far the tail is scrolled.
    scroll: Scroll,
}

#[expect(
    private_bounds,
    reason = "what a form is made of is the dialogs' own affair"
)]
impl<T: FormSpec> FormDialog<T> {
    pub(in crate::screen::dialog) fn new(form: Form, spec: T, seen: &SeatView<'_>) -> Self {
        let scroll = Scroll::default();
        let mut dialog = Self { form, spec, scroll };
        dialog.refresh(seen);
        dialog
    }

    /// The same with the focus on that row.
    pub(in crate::screen::dialog) fn at(mut self, id: impl Into<Id>) -> Self {
        self.form.go_to(id);
        self
    }

    /// Says what is wrong before anything is entered.
    pub(in crate::screen::dialog) fn because(mut self, why: String) -> Self {
        self.form.problem = Some(why);
        self
    }

    /// The same with the focus on that row, counted from the first.
    pub(in crate::screen::dialog) fn at_place(mut self, place: usize) -> Self {
        self.form.focus_on(place);
        self
    }

    fn refresh(&mut self, seen: &SeatView<'_>) {
        self.spec.refresh(&mut self.form, seen);
        // What is still missing is no mistake before anybody is done.
        let rows = self.form.rows.iter_mut();
        for row in rows.filter(|row| row.entry.is_text() && !row.is_changed()) {
            if row.entry.words().is_empty() {
                row.problem = None;
            }
        }
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        if self.spec.is_an_edit() && self.form.is_untouched() {
            return DialogAction::Close;
        }
        self.spec.refresh(&mut self.form, seen);
        let submitted = self.spec.submit(&self.form, seen);
        if let Some(wrong) = self.form.rows.iter().position(|row| row.problem.is_some()) {
            self.form.focus_on(wrong);
            return DialogAction::Stay;
        }
        submitted.unwrap_or_else(|problem| {
            self.form.problem = Some(problem);
            DialogAction::Stay
        })
    }
}

impl<T: FormSpec> Dialog for FormDialog<T> {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        self.spec.hints(&self.form)
    }

    fn takes_letters(&self) -> bool {
        self.form.takes_letters()
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        if self.spec.takes(&mut self.form, event) {
            return DialogAction::Stay;
        }
        if let DialogEvent::Action(action @ (Action::PageUp | Action::PageDown)) = event
            && T::PAGES_TAIL
        {
            self.scroll.apply(*action);
            return DialogAction::Stay;
        }
        let before = self.form.focus;
        let went = self.form.handle(event);
        if self.form.focus != before {
            self.scroll = Scroll::default();
        }
        match went {
            Went::On => {}
            Went::Changed | Went::Stepped(_) => self.refresh(seen),
            Went::Left => return DialogAction::Close,
            Went::Submitted => return self.submit(seen),
        }
        DialogAction::Stay
    }

    fn on_result(&mut self, result: Result<&LogEntry, &str>, _seen: &SeatView<'_>) {
        self.form.problem = result.err().map(str::to_owned);
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.refresh(seen);
    }

    fn advice(&self) -> &'static [&'static str] {
        self.spec.advice()
    }

    fn view(&self, _seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (below, cursor) = self.form.draw(&self.form.title, "", canvas);
        let blocks = self.spec.tail(&self.form, canvas.look);
        self.scroll.draw(&blocks, below, canvas);
        cursor
    }
}
