//! A row of a form: a label, a value, and the texts around them.

use std::borrow::Cow;

use crate::dialog::form::digits::{Digits, NumberWithMaximum};
use crate::dialog::form::entry::{Choice, TypedValue};
use crate::widget::field::Field;
use tableside_game::{Initiative, LONGEST_NAME};
use tableside_table::SeatId;

type Label = Cow<'static, str>;

/// Identifies a row within its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, derive_more::From)]
pub(crate) enum RowId {
    /// A row of the dialog itself.
    #[from]
    Row(&'static str),
    /// A field of a check.
    Field(&'static str),
    /// An outcome of a check.
    Outcome(&'static str),
    /// A row of a numbered list.
    Nth(&'static str, u32),
    Seat(SeatId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// A value that the player edits.
    Value,
    /// An item of a list. Enter opens it, and its value cannot be stepped.
    Item,
    /// A text of several numbers. A question mark opens the help, because it cannot be part of a number.
    Numbers,
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub id: RowId,
    pub label: Label,
    /// A sentence that is shown while the row has the focus.
    pub help: Label,
    /// Shown while the value is empty.
    pub(in crate::dialog) hint: Label,
    /// The heading above the row. Consecutive rows of the same group share one heading.
    pub(super) group: &'static str,
    pub entry: TypedValue,
    /// The smallest and the largest number.
    pub(in crate::dialog) bounds: (i32, i32),
    /// A text next to the value, for example the source of the value.
    pub beside: String,
    pub problem: Option<String>,
    /// True if the row is drawn dim, because its value is the usual one.
    pub is_quiet: bool,
    /// True if the value must not be empty.
    pub(in crate::dialog) is_needed: bool,
    pub(super) kind: RowKind,
    /// The value when the form opened.
    pub(super) initial_value: String,
}

impl Row {
    fn new(id: impl Into<RowId>, label: impl Into<Label>, entry: TypedValue) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            help: "".into(),
            hint: "".into(),
            group: "",
            initial_value: entry.text().into_owned(),
            entry,
            bounds: (i32::MIN, i32::MAX),
            beside: String::new(),
            problem: None,
            is_quiet: false,
            is_needed: false,
            kind: RowKind::Value,
        }
    }

    /// An item of a list, with a description next to its name.
    pub(crate) fn item(id: RowId, name: String, description: String) -> Self {
        Self {
            kind: RowKind::Item,
            ..Self::managed(id, name, description)
        }
    }

    /// A line of text with at most `limit` characters.
    pub(crate) fn text(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        value: &str,
        limit: usize,
    ) -> Self {
        Self::new(id, label, TypedValue::Text(Field::new(value, limit)))
    }

    /// A name, which must not be empty.
    pub(crate) fn name(value: &str, hint: &'static str) -> Self {
        Self::text("name", "Name", value, LONGEST_NAME)
            .needed()
            .hint(hint)
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

    /// A number with its maximum, shown as `26/30`. The bounds are those of the number.
    pub(in crate::dialog) fn number_with_maximum(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        pair: NumberWithMaximum,
        bounds: (i32, i32),
    ) -> Self {
        let mut row = Self::number(id, label, Some(pair.number), bounds);
        if let TypedValue::Choice(choice) = &mut row.entry {
            choice.digits = Some(Digits::with_maximum(pair));
        }
        row.initial_value = row.entry.text().into_owned();
        row
    }

    pub(crate) fn initiative(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        value: Option<Initiative>,
    ) -> Self {
        let mut row = Self::number(id, label, None, (i32::MIN, i32::MAX));
        if let TypedValue::Choice(choice) = &mut row.entry {
            choice.digits = Some(Digits::of_initiative(value));
        }
        row.initial_value = row.entry.text().into_owned();
        row
    }

    /// A choice of several words. The word at `selected` is selected.
    pub(crate) fn choice<W: Into<String>>(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        words: impl IntoIterator<Item = W>,
        selected: usize,
    ) -> Self {
        let choice = Choice {
            words: words.into_iter().map(Into::into).collect(),
            selected,
            digits: None,
            typed_prefix: String::new(),
            takes_letters: false,
            is_managed: false,
        };
        Self::new(id, label, TypedValue::Choice(choice))
    }

    /// A choice of several values. [`Form::picked`](crate::dialog::form::Form::picked) returns the selected value.
    pub(crate) fn one_of<T: Copy + PartialEq, W: Into<String>>(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        options: &[T],
        selected: T,
        name: impl Fn(T) -> W,
    ) -> Self {
        let place = options.iter().position(|option| *option == selected);
        let names = options.iter().copied().map(name);
        Self::choice(id, label, names, place.unwrap_or(0))
    }

    pub(crate) fn flag(id: impl Into<RowId>, label: impl Into<Label>, is_on: bool) -> Self {
        Self::choice(id, label, ["no", "yes"], usize::from(is_on))
    }

    /// A value that the dialog owns and steps. The row only displays it.
    pub(crate) fn managed(
        id: impl Into<RowId>,
        label: impl Into<Label>,
        text: impl Into<String>,
    ) -> Self {
        let mut row = Self::choice(id, label, [text], 0);
        if let TypedValue::Choice(choice) = &mut row.entry {
            choice.is_managed = true;
        }
        row
    }

    /// Lets typed letters select a word, instead of moving the focus to a row.
    pub(crate) fn by_typing(mut self) -> Self {
        if let TypedValue::Choice(choice) = &mut self.entry {
            choice.takes_letters = true;
        }
        self
    }

    /// Accepts a typed number within bounds in place of a word. For a die, it is the number of faces.
    pub(crate) fn or_number(mut self, value: Option<i32>, bounds: (i32, i32)) -> Self {
        let text = match value {
            Some(number) => number.to_string(),
            None => String::new(),
        };
        if let TypedValue::Choice(choice) = &mut self.entry {
            choice.digits = Some(Digits::new(&text));
        }
        self.initial_value = self.entry.text().into_owned();
        self.bounds = bounds;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Label>) -> Self {
        self.help = help.into();
        self
    }

    /// Sets the text that is shown while the value is empty.
    pub(crate) fn hint(mut self, hint: impl Into<Label>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Puts the row under a heading.
    pub(crate) fn under(mut self, group: &'static str) -> Self {
        self.group = group;
        self
    }

    pub(crate) fn beside(mut self, beside: impl Into<String>) -> Self {
        self.beside = beside.into();
        self
    }

    pub(crate) fn quiet(mut self, is_quiet: bool) -> Self {
        self.is_quiet = is_quiet;
        self
    }

    pub(crate) fn wrong(mut self, problem: Option<String>) -> Self {
        self.problem = problem;
        self
    }

    /// Requires a value.
    pub(crate) fn needed(mut self) -> Self {
        self.is_needed = true;
        self
    }

    /// Declares that the text holds only numbers.
    pub(crate) fn of_numbers(mut self) -> Self {
        self.kind = RowKind::Numbers;
        self
    }

    pub(crate) fn is_item(&self) -> bool {
        self.kind == RowKind::Item
    }

    /// Marks the row as changed, even if its value is the initial value.
    pub(crate) fn mark_as_changed(&mut self) {
        // No value contains this character.
        "\0".clone_into(&mut self.initial_value);
    }

    /// Returns true if the value changed since the form opened.
    pub(crate) fn is_changed(&self) -> bool {
        *self.entry.text() != self.initial_value
    }

    /// Returns the value as text, without spaces around it.
    pub(crate) fn value(&self) -> String {
        self.entry.text().trim().to_owned()
    }

    /// Returns true if a required value is still empty.
    pub(crate) fn is_missing(&self) -> bool {
        self.is_needed && self.value().is_empty()
    }

    /// Accepts the typed value, because the focus moves to another row.
    pub(super) fn leave(&mut self) {
        if self.problem.is_none() {
            self.entry.discard_typed_digits();
        }
        self.entry.expect_new_digits();
        self.entry.forget_typed_prefix();
    }

    /// Returns the typed number and maximum. `None` if the row has no maximum, or if the text is not such a pair.
    pub(in crate::dialog) fn pair(&self) -> Option<NumberWithMaximum> {
        self.entry.digits()?.pair()
    }

    /// Returns the error of the number in the row. A row without a number has none.
    pub(crate) fn number_problem(&self) -> Option<String> {
        match self.entry.digits() {
            Some(digits) if digits.is_initiative() => digits.maybe_initiative().err(),
            _ => self.maybe_number().err(),
        }
    }

    /// Returns the initiative in the row, or `None` if it is empty.
    pub(crate) fn maybe_initiative(&self) -> Result<Option<Initiative>, String> {
        match self.entry.digits() {
            Some(digits) => digits.maybe_initiative(),
            None => Ok(None),
        }
    }

    /// Returns the number in the row, or `None` if it is empty.
    pub(crate) fn maybe_number(&self) -> Result<Option<i32>, String> {
        let Some(digits) = self.entry.digits() else {
            return Ok(None);
        };
        let (min, max) = self.bounds;

        match digits.number() {
            Some(number) if (min..=max).contains(&number) => Ok(Some(number)),
            Some(_) => Err(format!("must be a number from {min} to {max}")),
            None if digits.text().trim().is_empty() => Ok(None),
            None => Err(format!("must be a whole number from {min} to {max}")),
        }
    }
}
