//! A form: rows of values, one of which is being entered. Every dialog in which something is filled in
//! is a table of such rows; moving, typing, the mouse and drawing are here.

mod draw;
mod entry;

use std::borrow::Cow;

use self::entry::Digits;
pub(super) use self::entry::{Entry, around};
use super::{Canvas, Dialog, DialogAction, DialogEvent, Touched};
use crate::screen::action::{Action, Context};
use crate::screen::dialog::reading::{Block, Scroll, sign};
use crate::screen::dialog::typeahead::Jump;
use crate::screen::widget::Look;
use crate::screen::widget::field::Field;
use crate::table::{Entry as LogEntry, SeatId, SeatView};
use ratatui::layout::Position;

/// So many values further is the next page.
const PAGE: isize = 8;

/// Which row of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    /// One of the dialog's own.
    Row(&'static str),
    /// That field of a check.
    Field(&'static str),
    /// That outcome of a check.
    Outcome(&'static str),
    /// One of several alike, by its number.
    Nth(&'static str, u32),
    Seat(SeatId),
}

impl From<&'static str> for Id {
    fn from(name: &'static str) -> Self {
        Self::Row(name)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: Id,
    pub(super) label: Cow<'static, str>,
    /// One sentence about it.
    pub(super) help: Cow<'static, str>,
    /// What stands in it while it is empty.
    hint: Cow<'static, str>,
    pub(super) entry: Entry,
    /// The bounds of a number.
    bounds: (i32, i32),
    /// What stands beside it: where it comes from, or what it comes to.
    pub(super) beside: String,
    pub(super) problem: Option<String>,
    /// Whether it is as it always is, and stands back.
    pub(super) is_quiet: bool,
    /// What it was when the form opened, in words.
    before: String,
}

impl Row {
    pub(super) fn new(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        entry: Entry,
    ) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            help: "".into(),
            hint: "".into(),
            before: entry.words().into_owned(),
            entry,
            bounds: (i32::MIN, i32::MAX),
            beside: String::new(),
            problem: None,
            is_quiet: false,
        }
    }

    /// A line of text of at most `limit` letters.
    pub(super) fn text(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        value: &str,
        limit: usize,
    ) -> Self {
        Self::new(id, label, Entry::Text(Field::new(value, limit)))
    }

    pub(super) fn number(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        value: Option<i32>,
        bounds: (i32, i32),
    ) -> Self {
        let no_words: [&str; 0] = [];
        Self::choice(id, label, no_words, 0).or_number(value, bounds)
    }

    /// One of these words.
    pub(super) fn choice<W: Into<String>>(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        words: impl IntoIterator<Item = W>,
        at: usize,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        let digits = None;
        Self::new(id, label, Entry::Choice { words, at, digits })
    }

    pub(super) fn one_of<T: Copy + PartialEq, W: Into<String>>(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        all: &[T],
        one: T,
        word: impl Fn(T) -> W,
    ) -> Self {
        let at = all.iter().position(|known| *known == one).unwrap_or(0);
        Self::choice(id, label, all.iter().copied().map(word), at)
    }

    pub(super) fn flag(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        is_on: bool,
    ) -> Self {
        Self::new(id, label, Entry::Flag(is_on))
    }

    /// A value that the dialog keeps and steps itself.
    pub(super) fn shown(
        id: impl Into<Id>,
        label: impl Into<Cow<'static, str>>,
        words: impl Into<String>,
    ) -> Self {
        let (words, typed, is_typed) = (words.into(), None, false);
        let shown = Entry::Shown {
            words,
            typed,
            is_typed,
        };
        Self::new(id, label, shown)
    }

    /// A number within bounds may be typed instead of one of its words.
    pub(super) fn or_number(mut self, value: Option<i32>, bounds: (i32, i32)) -> Self {
        let value = value.map_or_else(String::new, |value| value.to_string());
        if let Entry::Choice { digits, .. } = &mut self.entry {
            *digits = Some(Digits::new(&value));
        }
        self.before = self.entry.words().into_owned();
        Self { bounds, ..self }
    }

    /// Digits may be typed over what is shown.
    pub(super) fn typed_over(mut self) -> Self {
        if let Entry::Shown { is_typed, .. } = &mut self.entry {
            *is_typed = true;
        }
        self
    }

    pub(super) fn help(self, help: impl Into<Cow<'static, str>>) -> Self {
        let help = help.into();
        Self { help, ..self }
    }

    /// What stands in it while it is empty.
    pub(super) fn hint(self, hint: impl Into<Cow<'static, str>>) -> Self {
        let hint = hint.into();
        Self { hint, ..self }
    }

    pub(super) fn beside(self, beside: impl Into<String>) -> Self {
        let beside = beside.into();
        Self { beside, ..self }
    }

    pub(super) fn quiet(self, is_quiet: bool) -> Self {
        Self { is_quiet, ..self }
    }

    pub(super) fn wrong(self, problem: Option<String>) -> Self {
        Self { problem, ..self }
    }

    /// Whether somebody changed it since the form opened.
    pub(super) fn is_changed(&self) -> bool {
        *self.entry.words() != self.before
    }

    /// What was entered, in words.
    pub(super) fn words(&self) -> String {
        self.entry.words().trim().to_owned()
    }

    /// The number in it, `None` while it is empty.
    pub(super) fn maybe_number(&self) -> Result<Option<i32>, String> {
        let Some(digits) = self.entry.digits() else {
            return Ok(None);
        };
        let (min, max) = self.bounds;
        let number = digits.number();
        match number.filter(|number| (min..=max).contains(number)) {
            None if digits.text().trim().is_empty() => Ok(None),
            None => Err(format!("must be a number from {min} to {max}")),
            number => Ok(number),
        }
    }

    /// The number that must be in it.
    pub(super) fn needed_number(&self) -> Result<i32, String> {
        let (min, max) = self.bounds;
        self.maybe_number()?
            .ok_or_else(|| format!("must be a number from {min} to {max}"))
    }
}

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Went {
    /// The form is as it was, but for what has the focus.
    On,
    Changed,
    /// A value that the dialog keeps is to be stepped.
    Stepped(i32),
    Submitted,
    Left,
}

/// Rows of values, one of which has the focus.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
    /// Rows that are not wanted now, with what was entered in them.
    spare: Vec<Row>,
    /// Which row keys act on.
    focus: usize,
    /// The letters that led to it.
    jump: Jump,
    /// What is wrong with the whole.
    pub(super) problem: Option<String>,
    /// What is said while there are no rows.
    pub(super) none: &'static str,
    /// Lines that are wanted beneath: at the least, and for all of it.
    pub(super) tail: (u16, u16),
    /// Columns that are wanted.
    pub(super) width: u16,
}

/// Columns that most forms want, and those that hold lists and sentences.
const WIDTH: u16 = 68;
const WIDE: u16 = 100;

impl Form {
    /// A form with the focus on its first row.
    pub(super) fn new(title: impl Into<String>, rows: Vec<Row>) -> Self {
        Self {
            title: title.into(),
            rows,
            spare: Vec::new(),
            focus: 0,
            jump: Jump::default(),
            problem: None,
            none: "",
            tail: (0, 0),
            width: WIDTH,
        }
    }

    /// It holds lists and sentences.
    pub(super) fn wide(self) -> Self {
        let width = WIDE;
        Self { width, ..self }
    }

    /// Shows these rows from now on. What was entered in a row stays with its id, also while the row is
    /// not shown; so does the focus.
    pub(super) fn lay_out(&mut self, rows: Vec<Row>) {
        let focused = self.focused();
        let mut known = std::mem::take(&mut self.rows);
        known.append(&mut self.spare);
        for mut row in rows {
            if let Some(at) = known.iter().position(|one| one.id == row.id) {
                let before = known.swap_remove(at);
                if before.bounds == row.bounds {
                    before.entry.carry_into(&mut row.entry);
                    row.before = before.before;
                }
            }
            self.rows.push(row);
        }
        self.spare = known;
        let place = self.rows.iter().position(|row| Some(row.id) == focused);
        self.focus = place.unwrap_or_else(|| self.focus.min(self.rows.len().saturating_sub(1)));
    }

    /// Forgets what was entered there.
    pub(super) fn forget(&mut self, id: Id) {
        let focused = self.focused();
        self.rows.retain(|row| row.id != id);
        self.spare.retain(|row| row.id != id);
        let place = self.rows.iter().position(|row| Some(row.id) == focused);
        self.focus = place.unwrap_or(self.focus);
    }

    /// Forgets what is typed over shown values.
    pub(super) fn untype(&mut self, of: impl Fn(Id) -> bool) {
        for row in self.rows.iter_mut().chain(&mut self.spare) {
            if let Entry::Shown { typed, .. } = &mut row.entry
                && of(row.id)
            {
                *typed = None;
            }
        }
    }

    /// The row of that id, also while it is not shown.
    pub(super) fn row(&self, id: impl Into<Id>) -> Option<&Row> {
        let id = id.into();
        let mut rows = self.rows.iter().chain(&self.spare);
        rows.find(|row| row.id == id)
    }

    pub(super) fn row_mut(&mut self, id: impl Into<Id>) -> Option<&mut Row> {
        let id = id.into();
        self.rows.iter_mut().find(|row| row.id == id)
    }

    /// What was entered there, in words.
    pub(super) fn text(&self, id: impl Into<Id>) -> String {
        self.row(id).map_or_else(String::new, Row::words)
    }

    /// Which word stands there.
    pub(super) fn choice(&self, id: impl Into<Id>) -> usize {
        match self.row(id).map(|row| &row.entry) {
            Some(Entry::Choice { at, .. }) => *at,
            _ => 0,
        }
    }

    /// Which of these stands there.
    pub(super) fn picked<T: Copy + Default>(&self, id: impl Into<Id>, all: &[T]) -> T {
        all.get(self.choice(id)).copied().unwrap_or_default()
    }

    /// Whether it is on.
    pub(super) fn is_on(&self, id: impl Into<Id>) -> bool {
        matches!(self.row(id).map(|row| &row.entry), Some(Entry::Flag(true)))
    }

    /// Whether somebody changed that value.
    pub(super) fn is_changed(&self, id: impl Into<Id>) -> bool {
        self.row(id).is_some_and(Row::is_changed)
    }

    /// Whether nothing was changed.
    fn is_untouched(&self) -> bool {
        !self.rows.iter().any(Row::is_changed)
    }

    /// What is typed over a shown value.
    pub(super) fn typed(&self, id: impl Into<Id>) -> Option<&str> {
        Some(self.row(id)?.entry.digits()?.text())
    }

    /// The row that has the focus.
    pub(super) fn focused(&self) -> Option<Id> {
        Some(self.rows.get(self.focus)?.id)
    }

    pub(super) fn place(&self) -> usize {
        self.focus
    }

    pub(super) fn contexts(&self) -> &'static [Context] {
        Context::chain_of_form(self.takes_letters())
    }

    /// What matters in it now.
    pub(super) fn hints(&self) -> &'static [Action] {
        let focused = self.rows.get(self.focus).map(|row| &row.entry);
        let is_empty = focused.is_some_and(|entry| entry.words().is_empty());
        match (self.takes_letters(), self.rows.len() > 1, is_empty) {
            (true, true, false) => &[Action::Submit, Action::NextField, Action::DeleteLine],
            (true, true, true) => &[Action::Submit, Action::NextField],
            (true, false, false) => &[Action::Submit, Action::DeleteLine],
            (true, false, true) => &[Action::Submit],
            (false, true, _) => &[
                Action::Submit,
                Action::NextField,
                Action::Lower,
                Action::Raise,
            ],
            (false, false, _) => &[Action::Submit, Action::Lower, Action::Raise],
        }
    }

    /// Whether keys that write a letter write it.
    pub(super) fn takes_letters(&self) -> bool {
        let focused = self.rows.get(self.focus);
        focused.is_some_and(|row| row.entry.is_text())
    }

    pub(super) fn handle(&mut self, event: &DialogEvent) -> Went {
        let last = self.rows.len().saturating_sub(1);
        let went = match event {
            DialogEvent::Action(Action::Close) => return Went::Left,
            DialogEvent::Action(Action::Submit) => return Went::Submitted,
            DialogEvent::Action(Action::PreviousField | Action::Up) => self.walk(-1),
            DialogEvent::Action(Action::NextField | Action::Down) => self.walk(1),
            DialogEvent::Action(Action::PageUp) => {
                self.focus_on(self.focus.saturating_add_signed(-PAGE))
            }
            DialogEvent::Action(Action::PageDown) => {
                self.focus_on(self.focus.saturating_add_signed(PAGE))
            }
            DialogEvent::Action(Action::First) => self.focus_on(0),
            DialogEvent::Action(Action::Last) => self.focus_on(last),
            DialogEvent::Action(Action::Lower | Action::Left) => self.step(-1),
            DialogEvent::Action(Action::Raise | Action::Right | Action::Toggle) => self.step(1),
            DialogEvent::Click { at, touched } => self.click(*touched, *at),
            event => self.enter(event),
        };
        if !matches!(went, Went::On) {
            self.problem = None;
        }
        went
    }

    fn enter(&mut self, event: &DialogEvent) -> Went {
        let Some(row) = self.rows.get_mut(self.focus) else {
            return Went::On;
        };
        let changed = match event {
            DialogEvent::Action(action) => row.entry.apply(*action),
            DialogEvent::Key(key) => {
                let typed = row.entry.type_key(*key);
                if !typed && let Some(letter) = key.letter() {
                    self.jump_to(letter);
                }
                typed
            }
            DialogEvent::Paste(text) => row.entry.paste(text),
            DialogEvent::Click { .. } => false,
        };
        if changed { Went::Changed } else { Went::On }
    }

    fn step(&mut self, by: i32) -> Went {
        let Some(row) = self.rows.get_mut(self.focus) else {
            return Went::On;
        };
        row.entry.step(by, row.bounds);
        match row.entry {
            Entry::Shown { .. } => Went::Stepped(by),
            _ => Went::Changed,
        }
    }

    fn walk(&mut self, by: i32) -> Went {
        self.focus_on(around(self.focus, by, self.rows.len()))
    }

    /// Moves to a row whose label begins with all letters typed so far, else to the next one that begins
    /// with the last letter alone.
    fn jump_to(&mut self, letter: char) {
        let labels: Vec<&str> = self.rows.iter().map(|row| &*row.label).collect();
        let mut jump = std::mem::take(&mut self.jump);
        if let Some(place) = jump.to(letter, self.focus, &labels) {
            self.focus_on(place);
        }
        self.jump = jump;
    }

    /// Moves the focus to that row, or to the last one.
    pub(super) fn focus_on(&mut self, place: usize) -> Went {
        let place = place.min(self.rows.len().saturating_sub(1));
        self.jump.forget();
        if place != self.focus
            && let Some(row) = self.rows.get_mut(self.focus)
        {
            let is_wrong = row.problem.is_some();
            match &mut row.entry {
                // What was typed and understood is the value from now on.
                Entry::Shown { typed, .. } if !is_wrong => *typed = None,
                entry => {
                    if let Some(digits) = entry.digits_mut() {
                        digits.freshen();
                    }
                }
            }
        }
        self.focus = place;
        Went::On
    }

    /// Moves the focus to that row, if it is there.
    pub(super) fn go_to(&mut self, id: impl Into<Id>) {
        let id = id.into();
        if let Some(place) = self.rows.iter().position(|row| row.id == id) {
            self.focus_on(place);
        }
    }

    /// What the mouse pressed: the focus goes there, and a press on the focus steps it.
    fn click(&mut self, touched: Option<Touched>, at: Position) -> Went {
        match touched {
            Some(Touched::Value(row, by)) if row == self.focus => self.step(by),
            Some(Touched::Row(row) | Touched::Value(row, _)) => self.focus_on(row),
            Some(Touched::Text(row, area)) => {
                self.focus_on(row);
                if let Some(Entry::Text(field)) = self.rows.get_mut(row).map(|row| &mut row.entry) {
                    field.click(area, at.x);
                }
                Went::On
            }
            _ => Went::On,
        }
    }

    /// Says what is wrong with each value.
    pub(super) fn check(&mut self, problem: impl Fn(&Self, &Row) -> Option<String>) {
        let problems: Vec<Option<String>> =
            self.rows.iter().map(|row| problem(self, row)).collect();
        for (row, problem) in self.rows.iter_mut().zip(problems) {
            row.problem = problem;
        }
    }
}

/// What tells one form from the others.
pub(super) trait FormSpec: std::fmt::Debug + Send {
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
    pub(super) fn new(form: Form, spec: T, seen: &SeatView<'_>) -> Self {
        let scroll = Scroll::default();
        let mut dialog = Self { form, spec, scroll };
        dialog.refresh(seen);
        dialog
    }

    /// The same with the focus on that row.
    pub(super) fn at(mut self, id: impl Into<Id>) -> Self {
        self.form.go_to(id);
        self
    }

    /// Says what is wrong before anything is entered.
    pub(super) fn because(mut self, why: String) -> Self {
        self.form.problem = Some(why);
        self
    }

    /// The same with the focus on that row, counted from the first.
    pub(super) fn at_place(mut self, place: usize) -> Self {
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
        let more = self.scroll.draw(&blocks, below, canvas);
        sign(more, below, canvas);
        cursor
    }
}
