//! What all dialogs have in common that are a form to be filled in, and nothing else.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::form::{Form, Went};
use super::{Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::table::{Entry as Told, SeatView};

/// Says that the dialog's form is in its field `form`.
macro_rules! its_form {
    () => {
        fn form(&self) -> &$crate::screen::dialog::form::Form {
            &self.form
        }

        fn form_mut(&mut self) -> &mut $crate::screen::dialog::form::Form {
            &mut self.form
        }
    };
}

pub(super) use its_form;

/// A dialog that is a form.
pub(super) trait Filled {
    fn form(&self) -> &Form;

    fn form_mut(&mut self) -> &mut Form;

    /// What stands above it.
    fn title(&self, _seen: &SeatView<'_>) -> Cow<'_, str> {
        Cow::Borrowed(&self.form().title)
    }

    /// What matters in it now.
    fn hints(&self) -> &'static [Action] {
        self.form().hints()
    }

    /// Whether it changes what is there already: where nothing was entered, nothing is submitted then.
    fn is_an_edit(&self) -> bool {
        false
    }

    /// Hears what is its own affair and none of the form's; answers with whether it was that.
    fn takes(&mut self, _heard: &DialogEvent) -> bool {
        false
    }

    /// Takes in that another value has the focus.
    fn moved(&mut self) {}

    /// Takes in that a value was entered.
    fn entered(&mut self, seen: &SeatView<'_>);

    /// Takes in that the game changed meanwhile.
    fn followed(&mut self, _seen: &SeatView<'_>) {}

    /// What is to be done, or what is still wrong.
    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction;

    /// What the rules say before one does what it is for.
    fn rules_say(&self) -> &'static [&'static str] {
        &[]
    }

    fn draw(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.form().draw(&self.title(seen), look, area, buffer)
    }
}

impl<T: Filled + std::fmt::Debug + Send> Dialog for T {
    fn contexts(&self) -> &'static [Context] {
        self.form().contexts()
    }

    fn hints(&self) -> &'static [Action] {
        Filled::hints(self)
    }

    fn takes_letters(&self) -> bool {
        self.form().takes_letters()
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        if self.takes(event) {
            return DialogAction::Stay;
        }
        let before = self.form().focus;
        let went = self.form_mut().handle(event);
        if self.form().focus != before {
            self.moved();
        }
        match went {
            Went::On => DialogAction::Stay,
            Went::Left => DialogAction::Close,
            Went::Changed => {
                self.entered(seen);
                DialogAction::Stay
            }
            Went::Submitted if self.is_an_edit() && self.form().is_untouched() => {
                DialogAction::Close
            }
            Went::Submitted => self.submit(seen),
        }
    }

    fn on_result(&mut self, told: Result<&Told, &str>, _seen: &SeatView<'_>) {
        self.form_mut().problem = told.err().map(str::to_owned);
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.followed(seen);
    }

    fn advice(&self) -> &'static [&'static str] {
        self.rules_say()
    }

    fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.draw(seen, look, area, buffer)
    }
}
