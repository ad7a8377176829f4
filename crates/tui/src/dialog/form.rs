//! A form: a list of rows with one value each, the focus on one of them, and optional buttons.
//!
//! This file holds the state of a form and access to its rows. `input` handles events, `draw` draws the form.

mod areas;
mod digits;
mod draw;
mod draw_row;
mod entry;
mod input;
mod keys;
mod row;
mod row_columns;

use std::collections::HashMap;

pub(super) use self::digits::NumberWithMaximum;
pub(super) use self::draw_row::RowFocus;
pub(super) use self::entry::{TypedValue, around};
pub(super) use self::input::FormResult;
use self::keys::{EnterKey, FormKeys};
pub(super) use self::row::Row;
pub(super) use self::row::RowId;
pub(super) use self::row::RowKind;
use crate::dialog::Scroll;
use crate::dialog::button_row::ButtonRow;
use crate::dialog::typeahead::Jump;
use crate::{Action, Context};
use tableside_game::Initiative;

/// The width of most forms, in columns.
const WIDTH: u16 = 68;

/// The width of forms with lists and sentences, in columns.
const WIDE: u16 = 100;

/// The state of a form. A form without rows shows text and buttons only.
#[derive(Debug, Default)]
pub struct Form {
    pub(super) title: String,
    pub(super) caption: FormCaption,
    pub(super) rows: Vec<Row>,
    /// Hidden rows. They keep their entered values.
    pub(super) hidden_rows: Vec<Row>,
    /// The index of the row that receives keys.
    pub(super) focus: usize,
    /// The letters that moved the focus to its row.
    pub(super) jump: Jump,
    /// The error of the form as a whole.
    pub(super) problem: Option<String>,
    /// True if the form previews the result of submitting it.
    pub(super) has_preview: bool,
    pub(super) preview: Preview,
    /// True after a failed submission. Missing values are errors from then on.
    pub(super) was_submitted: bool,
    /// True until the player begins to edit. Until then, keys change no value by accident.
    pub(super) is_reading: bool,
    /// The text in place of the rows if the form has no rows.
    pub(super) empty_text: &'static str,
    /// The scroll position of the blocks.
    pub(super) scroll: Scroll,
    pub(super) buttons: ButtonRow,
    pub(super) keys: FormKeys,
    pub(super) enter: EnterKey,
    pub(super) layout: FormLayout,
    /// The text for the copy key.
    pub copyable_text: Option<String>,
}

/// The text next to the title of a form.
#[derive(Debug, Default)]
pub(super) struct FormCaption {
    pub(super) note: String,
    /// The text that filters the rows. It is shown in place of the note.
    pub(super) filter: String,
    /// True if a draft was restored into the form. Without a note, the form is then marked as a draft.
    pub(super) is_draft: bool,
}

impl FormCaption {
    /// Returns the text to show.
    fn text(&self) -> &str {
        if !self.filter.is_empty() {
            &self.filter
        } else if self.note.is_empty() && self.is_draft {
            "draft"
        } else {
            &self.note
        }
    }
}

/// The size of a form, and the place of its blocks.
#[derive(Debug, Default)]
pub(super) struct FormLayout {
    /// The width of the form, in columns. `None` leaves the width to the blocks.
    pub(super) width: Option<u16>,
    /// True if the blocks are drawn above the rows instead of below.
    pub(super) has_blocks_on_top: bool,
    /// The minimum and the maximum number of lines for the blocks. With (0, 0), the blocks determine both.
    pub(super) lines_below: (u16, u16),
}

/// The result of submitting a form with its current values.
#[derive(Debug, Default)]
pub(super) struct Preview {
    pub(super) text: String,
    /// The reason why the form cannot be submitted.
    pub(super) refusal: Option<String>,
}

impl Form {
    /// Returns a form of the usual width, with the focus on the first row.
    pub(super) fn new(title: impl Into<String>, rows: Vec<Row>) -> Self {
        let form = Self {
            title: title.into(),
            rows,
            ..Self::default()
        };
        form.with_width(WIDTH)
    }

    /// Returns a form without rows. They are laid out later, or the form has none.
    pub(super) fn empty(title: impl Into<String>) -> Self {
        Self::new(title, Vec::new())
    }

    /// Widens the form for lists and sentences.
    pub(super) fn wide(self) -> Self {
        self.with_width(WIDE)
    }

    pub(super) fn with_width(mut self, width: u16) -> Self {
        self.layout.width = Some(width);
        self
    }

    /// Names the effect of Enter.
    pub(super) fn with_submit_label(mut self, label: &'static str) -> Self {
        self.enter.label = Some(label);
        self
    }

    /// Uses the keys of another context, and lists these actions at the bottom of the screen.
    pub(super) fn with_context(
        mut self,
        context: Context,
        hinted_actions: &'static [Action],
    ) -> Self {
        self.keys.context = Some(context);
        self.keys.hinted_actions = hinted_actions;
        self
    }

    /// Replaces the rows.
    ///
    /// An entered value stays with the id of its row, even while that row is hidden. The focus stays on its id too.
    pub(super) fn lay_out(&mut self, new_rows: Vec<Row>) {
        let focused_id = self.focused();
        let mut old_rows: Vec<Option<Row>> = Vec::new();
        let mut old_places: HashMap<RowId, usize> = HashMap::new();

        for row in self.rows.drain(..).chain(self.hidden_rows.drain(..)) {
            old_places.entry(row.id).or_insert(old_rows.len());
            old_rows.push(Some(row));
        }

        for mut new_row in new_rows {
            let old_place = old_places.remove(&new_row.id);
            let old_row = old_place.and_then(|place| old_rows[place].take());

            if let Some(old_row) = old_row
                && keeps_value(&old_row, &new_row)
            {
                old_row.entry.carry_into(&mut new_row.entry);
                new_row.initial_value = old_row.initial_value;
            }
            self.rows.push(new_row);
        }
        self.hidden_rows = old_rows.into_iter().flatten().collect();

        let last = self.rows.len().saturating_sub(1);
        self.focus = self
            .rows
            .iter()
            .position(|row| Some(row.id) == focused_id)
            .unwrap_or_else(|| self.focus.min(last));
    }

    /// Discards digits typed over managed values, in all rows that the predicate selects.
    pub(super) fn discard_typed_digits(&mut self, is_selected: impl Fn(RowId) -> bool) {
        for row in self.rows.iter_mut().chain(&mut self.hidden_rows) {
            if is_selected(row.id) {
                row.entry.discard_typed_digits();
            }
        }
    }

    /// Returns a row, even if it is hidden.
    pub(super) fn row(&self, id: impl Into<RowId>) -> Option<&Row> {
        let id = id.into();
        self.rows
            .iter()
            .chain(&self.hidden_rows)
            .find(|row| row.id == id)
    }

    /// Returns a row, unless it is hidden.
    pub(super) fn shown_row_mut(&mut self, id: impl Into<RowId>) -> Option<&mut Row> {
        let id = id.into();
        self.rows.iter_mut().find(|row| row.id == id)
    }

    /// Returns the value of a row as text.
    pub(super) fn text(&self, id: impl Into<RowId>) -> String {
        match self.row(id) {
            Some(row) => row.value(),
            None => String::new(),
        }
    }

    /// Returns the index of the word that is selected in a row.
    pub(super) fn choice(&self, id: impl Into<RowId>) -> usize {
        let choice = self.row(id).and_then(|row| row.entry.try_as_choice_ref());
        choice.map_or(0, |choice| choice.selected)
    }

    /// Returns the option that is selected in a row.
    ///
    /// # Panics
    /// If `options` is empty.
    pub(super) fn picked<T: Copy>(&self, id: impl Into<RowId>, options: &[T]) -> T {
        let selected = options.get(self.choice(id)).or_else(|| options.first());
        *selected.expect("every choice has an option")
    }

    /// Returns true if the second word of a row, "yes", is selected.
    pub(super) fn is_on(&self, id: impl Into<RowId>) -> bool {
        self.choice(id) == 1
    }

    /// Returns the number in a row, or `None` if the row is empty.
    pub(super) fn maybe_number(&self, id: impl Into<RowId>) -> Result<Option<i32>, String> {
        match self.row(id) {
            Some(row) => row.maybe_number(),
            None => Ok(None),
        }
    }

    /// Returns the initiative in a row, or `None` if the row is empty.
    pub(super) fn maybe_initiative(
        &self,
        id: impl Into<RowId>,
    ) -> Result<Option<Initiative>, String> {
        match self.row(id) {
            Some(row) => row.maybe_initiative(),
            None => Ok(None),
        }
    }

    /// Returns the number in a row that must not be empty.
    pub(super) fn number(&self, id: impl Into<RowId>) -> Result<i32, String> {
        let number = self.maybe_number(id)?;
        number.ok_or_else(|| "enter a number".to_owned())
    }

    /// Returns the rows whose value changed since the form opened.
    pub(super) fn changed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.is_changed())
    }

    /// Returns the digits that are being typed over a managed value.
    pub(super) fn typed_digits(&self, id: impl Into<RowId>) -> Option<&str> {
        let field = self.row(id)?.entry.digits_field()?;
        Some(field.value())
    }

    /// Returns the id of the row in focus.
    pub(super) fn focused(&self) -> Option<RowId> {
        Some(self.rows.get(self.focus)?.id)
    }

    /// Moves the focus to the row with this index, or to the last row if there are fewer rows.
    pub(super) fn focus_index(&mut self, index: usize) -> FormResult {
        let last = self.rows.len().saturating_sub(1);
        let new_focus = index.min(last);
        self.jump.forget();

        if new_focus != self.focus {
            self.scroll = Scroll::default();
            if let Some(row) = self.rows.get_mut(self.focus) {
                row.leave();
            }
        }
        self.focus = new_focus;
        FormResult::Unchanged
    }

    /// Moves the focus to the row of this id, if it is shown.
    pub(super) fn focus_row(&mut self, id: impl Into<RowId>) {
        let id = id.into();
        let place = self.rows.iter().position(|row| row.id == id);
        if let Some(place) = place {
            self.focus_index(place);
        }
    }
}

/// Returns true if the value of an old row stays when a new row takes its place.
///
/// The value does not stay if the new row has other bounds, or if the player did not change the value and the new row
/// has another initial value.
fn keeps_value(old_row: &Row, new_row: &Row) -> bool {
    let is_choice = matches!(old_row.entry, TypedValue::Choice(_));
    let is_untouched = old_row.value() == old_row.initial_value;
    let starts_otherwise = old_row.initial_value != new_row.initial_value;
    let is_replaced = is_choice && is_untouched && starts_otherwise;

    old_row.bounds == new_row.bounds && !is_replaced
}
