//! A dialog that is a form: its rows, and what they come to, as its [`FormSpec`] says.

use std::fmt::{Debug, Formatter};

use ratatui::layout::Position;

use super::{Form, Id, Row, Went};
use crate::screen::action::{Action, Context};
use crate::screen::dialog::reading::{Block, Scroll};
use crate::screen::dialog::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::theme::Role;
use crate::screen::widget::Look;
use crate::session::{Command, CommandError};
use crate::table::{Act, Entry, SeatView};

/// What tells one form from the others.
pub(in crate::screen::dialog) trait FormSpec: Send {
    /// Lays the rows out, and says what is wrong and what stands beside them: after the form opened,
    /// something was entered, or the table changed.
    fn refresh(&mut self, _form: &mut Form, _seen: &SeatView<'_>) {}

    /// Takes what was entered or stepped, before the rows are laid out anew.
    fn take(&mut self, _went: Went, _form: &mut Form, _seen: &SeatView<'_>) {}

    /// What is to be done, or what is still wrong.
    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String>;

    /// Whether what it would lead to is worked out while it is filled in.
    fn is_foreseen(&self) -> bool {
        false
    }

    /// What the rules say before one does what it is for.
    fn advice(&self) -> &'static [&'static str] {
        &[]
    }

    /// What stands beside the title.
    fn note(&self, _seen: &SeatView<'_>) -> String {
        String::new()
    }

    /// What is drawn beneath the rows; paging scrolls it.
    fn tail(&self, _form: &Form, _seen: &SeatView<'_>, _look: Look<'_>) -> Option<Vec<Block>> {
        None
    }
}

/// What most forms are: how they are laid out, and what is done with them.
impl<L, S> FormSpec for (L, S)
where
    L: Fn(&mut Form, &SeatView<'_>) + Send,
    S: Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send,
{
    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        (self.0)(form, seen);
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        (self.1)(form, seen)
    }

    fn is_foreseen(&self) -> bool {
        true
    }
}

pub struct FormDialog {
    form: Form,
    spec: Box<dyn FormSpec>,
    /// Whether it is only read so far: what is typed by mistake goes nowhere.
    is_reading: bool,
    /// How far the tail is scrolled.
    scroll: Scroll,
}

/// Lines for what a form would lead to: at the least, and at most.
const FORESEEN: (u16, u16) = (1, 3);

/// More commands than that are not worked out beforehand.
const MOST_FORESEEN: usize = 20;

/// A form of these rows, and what is done with them.
pub(in crate::screen::dialog) fn ask(
    title: impl Into<String>,
    rows: Vec<Row>,
    seen: &SeatView<'_>,
    submit: impl Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send + 'static,
) -> FormDialog {
    ask_over(Form::new(title, rows), seen, |_, _| {}, submit)
}

/// A form that is laid out anew whenever something is entered, and what is done with it.
pub(in crate::screen::dialog) fn ask_over(
    form: Form,
    seen: &SeatView<'_>,
    refresh: impl Fn(&mut Form, &SeatView<'_>) + Send + 'static,
    submit: impl Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send + 'static,
) -> FormDialog {
    FormDialog::new(form, (refresh, submit), seen)
}

impl FormDialog {
    pub(in crate::screen::dialog) fn new(
        form: Form,
        spec: impl FormSpec + 'static,
        seen: &SeatView<'_>,
    ) -> Self {
        let mut dialog = Self {
            form,
            spec: Box::new(spec),
            is_reading: false,
            scroll: Scroll::default(),
        };
        dialog.refresh(seen);
        dialog
    }

    /// Is only read until something is changed on purpose.
    pub(in crate::screen::dialog) fn read_first(self, is_reading: bool) -> Self {
        Self { is_reading, ..self }
    }

    /// Says beneath the rows what they would lead to.
    pub(in crate::screen::dialog) fn foretells(mut self) -> Self {
        self.form.tail = FORESEEN;
        self
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
        let form = &mut self.form;
        for row in &mut form.rows {
            row.problem = None;
        }
        self.spec.refresh(form, seen);
        for row in &mut form.rows {
            let number = row.maybe_number().err();
            row.problem = row.problem.take().or(number);
        }
        let is_whole = |row: &Row| row.problem.is_none() && !row.is_missing();
        let is_ready = self.spec.is_foreseen() && form.rows.iter().all(is_whole);
        form.foreseen = Ok(String::new());
        if is_ready {
            let submitted = self.spec.submit(form, seen);
            let foreseen = submitted.and_then(|action| foresee(&action, seen));
            form.foreseen = foreseen.map(Option::unwrap_or_default);
        }
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.refresh(seen);
        let rows = &mut self.form.rows;
        if let Some(missing) = rows.iter_mut().find(|row| row.is_missing()) {
            missing.problem = Some(format!("{} is still to be said", missing.label));
        }
        if let Some(wrong) = rows.iter().position(|row| row.problem.is_some()) {
            self.form.focus_on(wrong);
            return DialogAction::Stay;
        }
        let submitted = self.spec.submit(&self.form, seen);
        let foreseen = submitted.and_then(|action| Ok((foresee(&action, seen)?, action)));
        match foreseen {
            // Nothing would be otherwise.
            Ok((None, _)) => DialogAction::Close,
            Ok((Some(_), action)) => action,
            Err(problem) => {
                self.form.problem = Some(problem);
                DialogAction::Stay
            }
        }
    }
}

/// What it would lead to, `None` if to nothing. What this seat may not do, it may still suggest.
fn foresee(action: &DialogAction, seen: &SeatView<'_>) -> Result<Option<String>, String> {
    let DialogAction::SubmitAndClose(Act::Do(command)) = action else {
        return Ok(Some(String::new()));
    };
    if matches!(&**command, Command::All(all) if all.len() > MOST_FORESEEN) {
        return Ok(Some(String::new()));
    }
    match seen.foresee(command) {
        Ok(words) => Ok(Some(words)),
        Err(CommandError::Unchanged) => Ok(None),
        Err(CommandError::NotAllowed(_)) => Ok(Some(String::new())),
        Err(refusal) => Err(refusal.to_string()),
    }
}

impl Debug for FormDialog {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let mut form = f.debug_struct("FormDialog");
        form.field("form", &self.form).finish_non_exhaustive()
    }
}

impl Dialog for FormDialog {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        if self.is_reading {
            &[Action::NextField, Action::Close]
        } else {
            self.form.hints()
        }
    }

    fn takes_letters(&self) -> bool {
        self.form.takes_letters()
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let typed = matches!(event, DialogEvent::Key(_) | DialogEvent::Paste(_));
        let begins = matches!(event, DialogEvent::Action(Action::Submit));
        let was_reading = self.is_reading;
        self.is_reading &= typed;
        if was_reading && (typed || begins) {
            return DialogAction::Stay;
        }
        if let DialogEvent::Action(action @ (Action::PageUp | Action::PageDown)) = event
            && self.scroll.has_more()
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
            Went::Changed | Went::Stepped(_) => {
                self.spec.take(went, &mut self.form, seen);
                self.refresh(seen);
            }
            Went::Left => return DialogAction::Close,
            Went::Submitted => return self.submit(seen),
        }
        DialogAction::Stay
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, _seen: &SeatView<'_>) {
        self.form.problem = result.err().map(str::to_owned);
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.refresh(seen);
    }

    fn advice(&self) -> &'static [&'static str] {
        self.spec.advice()
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let how = if self.is_reading { ", Enter edits" } else { "" };
        let title = format!("{}{how}", self.form.title);
        let (note, scroll) = (self.spec.note(seen), &self.scroll);
        let tail = self.spec.tail(&self.form, seen, canvas.look);
        if let Some(blocks) = tail.as_ref().filter(|_| self.form.tail == (0, 0)) {
            let titles = (title.as_str(), note.as_str());
            return self.form.draw_over(titles, blocks, scroll, canvas);
        }
        let blocks = tail.unwrap_or_else(|| {
            vec![match &self.form.foreseen {
                Ok(words) => Block::words(Role::Info, words),
                Err(problem) if self.form.problem.is_some() => Block::words(Role::Muted, problem),
                Err(problem) => Block::words(Role::Danger, format!("! {problem}")),
            }]
        });
        let wanted = (self.form.width, self.form.tail);
        self.form
            .draw_in((&title, &note), wanted, &blocks, scroll, canvas)
    }
}
