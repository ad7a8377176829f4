//! A form: named values, one of which is being entered.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::page::{Page, Row, bare, longest, text_area};
use super::typeahead::Jump;
use super::{DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::Command;

/// So many values further is the next page.
const PAGE: isize = 8;

/// One value of a form.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its name within the form.
    pub(super) id: &'static str,
    /// What it is called.
    pub(super) label: String,
    /// One sentence about it.
    pub(super) help: String,
    /// What stands in it while it is empty.
    pub(super) hint: Cow<'static, str>,
    /// The value.
    pub(super) entry: Entry,
    /// The bounds, where it is a number.
    pub(super) bounds: (i32, i32),
    /// What stands beside it.
    pub(super) beside: String,
    /// What is wrong with it.
    pub(super) problem: Option<String>,
    /// What it was when the form opened, in words.
    before: String,
}

impl Item {
    /// A value with its name and a sentence about it.
    pub(super) fn new(
        id: &'static str,
        label: impl Into<String>,
        entry: Entry,
        help: impl Into<String>,
    ) -> Self {
        let before = entry.words().into_owned();
        Self {
            id,
            label: label.into(),
            help: help.into(),
            hint: Cow::Borrowed(""),
            entry,
            bounds: (i32::MIN, i32::MAX),
            beside: String::new(),
            problem: None,
            before,
        }
    }

    /// The same, within bounds.
    pub(super) fn within(self, min: i32, max: i32) -> Self {
        Self {
            bounds: (min, max),
            ..self
        }
    }

    /// The same, with what stands in it while it is empty.
    pub(super) fn hint(self, hint: impl Into<Cow<'static, str>>) -> Self {
        let hint = hint.into();
        Self { hint, ..self }
    }

    /// The same, with what stands beside it.
    pub(super) fn beside(self, beside: String) -> Self {
        Self { beside, ..self }
    }

    /// Whether somebody changed it since the form opened.
    pub(super) fn is_changed(&self) -> bool {
        *self.entry.words() != self.before
    }

    /// The number in it: nothing where it is empty, and a sentence where it is none.
    pub(super) fn maybe_number(&self) -> Result<Option<i32>, String> {
        let (Entry::Number(digits) | Entry::Named { digits, .. }) = &self.entry else {
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

    /// The same where a number must be given.
    pub(super) fn number(&self) -> Result<i32, String> {
        let (min, max) = self.bounds;
        self.maybe_number()?
            .ok_or_else(|| format!("must be a number from {min} to {max}"))
    }
}

/// What came of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Went {
    /// The form is as it was, but for what has the focus.
    On,
    /// A value changed.
    Changed,
    /// It is finished.
    Submitted,
    /// It is left.
    Left,
}

/// Named values, one of which has the focus.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// What stands above it.
    pub(super) title: String,
    /// The values.
    pub(super) items: Vec<Item>,
    /// Which one keys act on.
    pub(super) focus: usize,
    jump: Jump,
    /// What is wrong with the whole.
    pub(super) problem: Option<String>,
    /// Rows that are wanted beneath: at the least, and for all of it.
    pub(super) tail: (u16, u16),
    /// Columns that are wanted.
    width: u16,
}

/// Columns that most forms want, and those that hold lists and sentences.
const WIDTH: u16 = 68;
const WIDE: u16 = 100;

impl Form {
    /// A form with the focus on its first value.
    pub(super) fn new(items: Vec<Item>) -> Self {
        Self {
            title: String::new(),
            items,
            focus: 0,
            jump: Jump::default(),
            problem: None,
            tail: (0, 0),
            width: WIDTH,
        }
    }

    /// It holds lists and sentences.
    pub(super) fn wide(self) -> Self {
        Self {
            width: WIDE,
            ..self
        }
    }

    /// The same, with what stands above it.
    pub(super) fn titled(self, title: impl Into<String>) -> Self {
        let title = title.into();
        Self { title, ..self }
    }

    /// The value of that name.
    pub(super) fn item(&self, id: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    /// The text of that name.
    pub(super) fn text(&self, id: &str) -> String {
        let found = self.item(id);
        found.map_or_else(String::new, |item| item.entry.words().trim().to_owned())
    }

    /// Which word stands there.
    pub(super) fn choice(&self, id: &str) -> usize {
        match self.item(id).map(|item| &item.entry) {
            Some(Entry::Word { at, .. }) => *at,
            _ => 0,
        }
    }

    /// Whether it is on.
    pub(super) fn flag(&self, id: &str) -> bool {
        matches!(
            self.item(id).map(|item| &item.entry),
            Some(Entry::Flag(true))
        )
    }

    /// Whether somebody changed that value.
    pub(super) fn is_changed(&self, id: &str) -> bool {
        self.item(id).is_some_and(Item::is_changed)
    }

    /// The places whose keys count.
    pub(super) fn contexts(&self) -> &'static [Context] {
        Context::chain_of_form(self.takes_letters())
    }

    /// What matters in it now.
    pub(super) fn hints(&self) -> &'static [Action] {
        let focused = self.items.get(self.focus).map(|item| &item.entry);
        let is_empty = focused.is_some_and(|entry| entry.words().is_empty());
        match (self.takes_letters(), self.items.len() > 1, is_empty) {
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
        let focused = self.items.get(self.focus);
        focused.is_some_and(|item| item.entry.is_text())
    }

    /// Hears what a person did.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> Went {
        let went = match event {
            DialogEvent::Action(Action::Close) => return Went::Left,
            DialogEvent::Action(Action::Submit) => return Went::Submitted,
            DialogEvent::Action(Action::PreviousField | Action::Up) => self.move_focus(-1),
            DialogEvent::Action(Action::NextField | Action::Down) => self.move_focus(1),
            DialogEvent::Action(Action::PageUp) => self.leap(-PAGE),
            DialogEvent::Action(Action::PageDown) => self.leap(PAGE),
            DialogEvent::Click { at, area } => self.click(*at, *area),
            event => self.enter(event),
        };
        if went == Went::Changed {
            self.problem = None;
        }
        went
    }

    fn enter(&mut self, event: &DialogEvent) -> Went {
        let Some(item) = self.items.get_mut(self.focus) else {
            return Went::On;
        };
        let changed = match event {
            DialogEvent::Action(Action::Lower) => {
                item.entry.step(-1, item.bounds);
                true
            }
            DialogEvent::Action(Action::Raise | Action::Toggle) => {
                item.entry.step(1, item.bounds);
                true
            }
            DialogEvent::Action(action) => item.entry.apply(*action),
            DialogEvent::Key(key) => {
                let typed = item.entry.type_key(*key);
                if !typed && let Some(letter) = key.letter() {
                    self.jump_to(letter);
                }
                typed
            }
            DialogEvent::Paste(text) => item.entry.paste(text),
            DialogEvent::Click { .. } => false,
        };
        if changed { Went::Changed } else { Went::On }
    }

    fn move_focus(&mut self, by: i32) -> Went {
        self.focus_on(super::entry::around(self.focus, by, self.items.len()));
        Went::On
    }

    /// Moves to the next value whose label begins with the letter, or with it and those before it.
    fn jump_to(&mut self, letter: char) {
        let labels: Vec<&str> = self.items.iter().map(|item| item.label.as_str()).collect();
        let mut jump = std::mem::take(&mut self.jump);
        if let Some(index) = jump.to(letter, self.focus, &labels) {
            self.focus_on(index);
        }
        self.jump = jump;
    }

    /// Moves the focus as far, but not round and round.
    fn leap(&mut self, by: isize) -> Went {
        self.focus_on(self.focus.saturating_add_signed(by));
        Went::On
    }

    /// Moves the focus there.
    pub(super) fn focus_on(&mut self, index: usize) {
        self.jump.forget();
        if let Some(Entry::Number(digits) | Entry::Named { digits, .. }) =
            self.items.get_mut(self.focus).map(|item| &mut item.entry)
        {
            digits.freshen();
        }
        self.focus = index.min(self.items.len().saturating_sub(1));
    }

    /// Says what is wrong with each value.
    pub(super) fn check(&mut self, problem: impl Fn(&Self, &Item) -> Option<String>) {
        let problems: Vec<Option<String>> =
            self.items.iter().map(|item| problem(self, item)).collect();
        for (item, problem) in self.items.iter_mut().zip(problems) {
            item.problem = problem;
        }
    }

    /// Whether nothing was changed.
    pub(super) fn is_untouched(&self) -> bool {
        !self.items.iter().any(Item::is_changed)
    }

    /// Submits what was built, unless a value cannot be as it is: then the focus goes there.
    pub(super) fn finish(&mut self, built: Result<Command, String>) -> DialogAction {
        if let Some(wrong) = self.items.iter().position(|item| item.problem.is_some()) {
            self.focus_on(wrong);
            return DialogAction::Stay;
        }
        match built {
            Ok(command) => DialogAction::SubmitAndClose(command.into()),
            Err(problem) => {
                self.problem = Some(problem);
                DialogAction::Stay
            }
        }
    }

    /// What the mouse pressed: the focus goes there, and a press on the focus steps it.
    fn click(&mut self, at: Position, area: Rect) -> Went {
        let words = self.words();
        let rows = self.rows(&words);
        let found = bare(|look| {
            let page = self.page("", &rows, look);
            let index = page.row_at(area, at)?;
            Some((index, page.value_area(page.parts(area).list)))
        });
        let Some((index, value)) = found else {
            return Went::On;
        };
        let before = self.focus;
        self.focus_on(index);
        match self.items.get_mut(index) {
            Some(item) => match &mut item.entry {
                Entry::Text(field) => {
                    field.click(text_area(value, &item.beside), at.x);
                    Went::On
                }
                entry if before == index && at.x >= value.x => {
                    entry.step(if at.x == value.x { -1 } else { 1 }, item.bounds);
                    Went::Changed
                }
                _ => Went::On,
            },
            None => Went::On,
        }
    }

    /// The values in words, for [`Self::rows`] to point at.
    fn words(&self) -> Vec<String> {
        let items = self.items.iter();
        items.map(|item| item.entry.words().into_owned()).collect()
    }

    fn rows<'a>(&'a self, words: &'a [String]) -> Vec<Row<'a>> {
        let rows = self.items.iter().zip(words);
        rows.map(|(item, words)| Row {
            beside: item.beside.as_str().into(),
            problem: item.problem.as_deref(),
            ..Row::new(item.label.as_str(), item.entry.cell(words, &item.hint))
        })
        .collect()
    }

    fn page<'a>(&'a self, title: &'a str, rows: &'a [Row<'a>], look: Look<'a>) -> Page<'a> {
        Page {
            focus: self.focus,
            help: self
                .items
                .get(self.focus)
                .map_or("", |item| item.help.as_str()),
            longest: longest(self.items.iter().map(|item| item.help.as_str())),
            problem: self.problem.as_deref(),
            tail: self.tail,
            width: self.width,
            ..Page::new(title, rows, look)
        }
    }

    /// Draws it; answers with where the cursor belongs.
    pub(super) fn draw(
        &self,
        title: &str,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.draw_above(title, look, area, buffer).1
    }

    /// Draws it; answers with the room beneath it, and where the cursor belongs.
    pub(super) fn draw_above(
        &self,
        title: &str,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> (Rect, Option<Position>) {
        let words = self.words();
        let rows = self.rows(&words);
        let (parts, cursor) = self.page(title, &rows, *look).draw(area, buffer);
        (parts.tail, cursor)
    }
}
