//! One value of a form, with what stands around it.

use std::borrow::Cow;

use crate::dialog::form::entry::{Choice, Digits, TypedValue};
use crate::widget::field::Field;
use tableside_game::{Initiative, LONGEST_NAME};
use tableside_table::SeatId;

type Label = Cow<'static, str>;

/// Which row of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, derive_more::From)]
pub(crate) enum RowId {
    /// One of the dialog's own.
    #[from]
    Row(&'static str),
    /// That field of a check.
    Field(&'static str),
    /// That outcome of a check.
    Outcome(&'static str),
    /// One of several alike, by its number.
    Nth(&'static str, u32),
    Seat(SeatId),
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub id: RowId,
    pub label: Label,
    /// One sentence about it.
    pub help: Label,
    /// What stands in it while it is empty.
    pub(super) hint: Label,
    /// The heading that it stands under, with those around it that have the same.
    pub(super) group: &'static str,
    pub entry: TypedValue,
    /// The bounds of a number.
    pub(in crate::dialog) bounds: (i32, i32),
    /// What stands beside it: where it comes from, or what it comes to.
    pub beside: String,
    pub problem: Option<String>,
    /// Whether it is as it always is, and stands back.
    pub is_quiet: bool,
    /// Whether it may not stay empty.
    pub(super) is_needed: bool,
    /// Whether it is a thing of a list, which opens and has no value to step.
    pub is_item: bool,
    /// What it was when the form opened, in words.
    pub(super) before: String,
}

impl Row {
    fn new(id: impl Into<RowId>, label: impl Into<Label>, entry: TypedValue) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            help: "".into(),
            hint: "".into(),
            group: "",
            before: entry.text().into_owned(),
            entry,
            bounds: (i32::MIN, i32::MAX),
            beside: String::new(),
            problem: None,
            is_quiet: false,
            is_needed: false,
            is_item: false,
        }
    }

    /// A thing of a list.
    pub(crate) fn item(id: RowId, name: String, about: String) -> Self {
        Self {
            is_item: true,
            ..Self::managed(id, name, about)
        }
    }

    /// A line of text of at most `limit` letters.
    pub(crate) fn text(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        value: &str,
        limit: usize,
    ) -> Self {
        Self::new(id, label, TypedValue::Text(Field::new(value, limit)))
    }

    /// The name of a thing, which it needs.
    pub(crate) fn name(value: &str, hint: &'static str) -> Self {
        let row = Self::text("name", "Name", value, LONGEST_NAME);
        row.needed().hint(hint)
    }

    pub(crate) fn number(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        value: Option<i32>,
        bounds: (i32, i32),
    ) -> Self {
        let no_words: [&str; 0] = [];
        Self::choice(id, label, no_words, 0).or_number(value, bounds)
    }

    /// A number in the order of turns.
    pub(crate) fn initiative(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        value: Option<Initiative>,
    ) -> Self {
        let mut row = Self::number(id, label, None, (i32::MIN, i32::MAX));
        if let TypedValue::Choice(choice) = &mut row.entry {
            choice.digits = Some(Digits::of_initiative(value));
        }
        row.before = row.entry.text().into_owned();
        row
    }

    /// One of these words.
    pub(crate) fn choice<W: Into<String>>(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        words: impl IntoIterator<Item = W>,
        at: usize,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        let choice = Choice {
            words,
            at,
            digits: None,
            led: String::new(),
            is_kept: false,
        };
        Self::new(id, label, TypedValue::Choice(choice))
    }

    /// One of all these, to be read by [`Form::picked`](crate::dialog::form::Form::picked).
    pub(crate) fn one_of<T: Copy + PartialEq, W: Into<String>>(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        all: &[T],
        one: T,
        word: impl Fn(T) -> W,
    ) -> Self {
        let at = all.iter().position(|known| *known == one).unwrap_or(0);
        Self::choice(id, label, all.iter().copied().map(word), at)
    }

    pub(crate) fn flag(id: impl Into<RowId>, label: impl Into<Label>, is_on: bool) -> Self {
        Self::choice(id, label, ["no", "yes"], usize::from(is_on))
    }

    /// A value that the dialog keeps and steps itself.
    pub(crate) fn managed(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        words: impl Into<String>,
    ) -> Self {
        let mut row = Self::choice(id, label, [words], 0);
        if let TypedValue::Choice(choice) = &mut row.entry {
            choice.is_kept = true;
        }
        row
    }

    /// A number within bounds may be typed instead of its word; of a die, its number alone.
    pub(crate) fn or_number(mut self, value: Option<i32>, bounds: (i32, i32)) -> Self {
        let value = value.map_or_else(String::new, |value| value.to_string());
        if let TypedValue::Choice(choice) = &mut self.entry {
            choice.digits = Some(Digits::new(&value));
        }
        self.before = self.entry.text().into_owned();
        Self { bounds, ..self }
    }

    pub(crate) fn help(self, help: impl Into<Label>) -> Self {
        let help = help.into();
        Self { help, ..self }
    }

    /// What stands in it while it is empty.
    pub(crate) fn hint(self, hint: impl Into<Label>) -> Self {
        let hint = hint.into();
        Self { hint, ..self }
    }

    pub(crate) fn under(self, group: &'static str) -> Self {
        Self { group, ..self }
    }

    pub(crate) fn beside(self, beside: impl Into<String>) -> Self {
        let beside = beside.into();
        Self { beside, ..self }
    }

    pub(crate) fn quiet(self, is_quiet: bool) -> Self {
        Self { is_quiet, ..self }
    }

    pub(crate) fn wrong(self, problem: Option<String>) -> Self {
        Self { problem, ..self }
    }

    /// It may not stay empty.
    pub(crate) fn needed(self) -> Self {
        let is_needed = true;
        Self { is_needed, ..self }
    }

    /// Counts the row as changed, whatever is in it.
    pub(crate) fn mark_as_changed(&mut self) {
        // No value contains this character.
        "\0".clone_into(&mut self.before);
    }

    /// Whether somebody changed it since the form opened.
    pub(crate) fn is_changed(&self) -> bool {
        *self.entry.text() != self.before
    }

    /// What was entered, in words.
    pub(crate) fn value(&self) -> String {
        self.entry.text().trim().to_owned()
    }

    /// Whether something that is needed is not there yet.
    pub(crate) fn is_missing(&self) -> bool {
        self.is_needed && self.value().is_empty()
    }

    /// What is wrong with the number in it, if it takes one.
    pub(crate) fn number_problem(&self) -> Option<String> {
        match self.entry.digits() {
            Some(digits) if digits.is_initiative() => digits.initiative().err(),
            _ => self.maybe_number().err(),
        }
    }

    /// The number in the order of turns in it, `None` while it is empty.
    pub(crate) fn maybe_initiative(&self) -> Result<Option<Initiative>, String> {
        self.entry.digits().map_or(Ok(None), Digits::initiative)
    }

    /// The number in it, `None` while it is empty.
    pub(crate) fn maybe_number(&self) -> Result<Option<i32>, String> {
        let Some(digits) = self.entry.digits() else {
            return Ok(None);
        };
        let (min, max) = self.bounds;
        let number = digits.number();
        match number.filter(|number| (min..=max).contains(number)) {
            None if digits.text().trim().is_empty() => Ok(None),
            None if number.is_none() => Err(format!("must be a whole number from {min} to {max}")),
            None => Err(format!("must be a number from {min} to {max}")),
            number => Ok(number),
        }
    }
}
