//! Letters typed in the roll dialog. They select a value, or move the focus to a row.

use crate::dialog::check_form::FieldTexts;
use crate::dialog::form::{Form, RowId};
use crate::dialog::roll::RollDialog;
use crate::dialog::roll::row_ids::{AGAINST, CHECK, WHO};
use tableside_game::CharacterId;
use tableside_rules::{Asked, Field};
use tableside_table::SeatView;

/// The letters of a word so far.
#[derive(Debug, Default)]
pub(super) struct TypedLetters {
    word: String,
    /// The values before the word. They are restored if a longer word selects a value in another row.
    values_before: Option<Values>,
}

impl TypedLetters {
    /// Returns true if the letters may be the beginning of a name with a number.
    pub(super) fn is_name(&self) -> bool {
        self.values_before.is_some() && !is_single_letter(&self.word)
    }
}

/// The values that a word can change.
#[derive(Clone, Debug)]
struct Values {
    given: FieldTexts,
    opponent: Option<CharacterId>,
}

/// The options of a row.
struct RowOptions {
    labels: Vec<String>,
    selected: Option<usize>,
}

impl RollDialog {
    /// Types a letter.
    ///
    /// The letters select a value of the row in focus that begins with them. Except in the rows of the roller and of
    /// the check, two or more letters also select a value of any row that is changed with each roll. Otherwise they
    /// move the focus to a row whose label begins with them.
    pub(super) fn type_letter(&mut self, letter: char, form: &mut Form, view: &SeatView<'_>) {
        let letter: String = letter.to_lowercase().collect();
        let current_values = Values {
            given: self.fields.given.clone(),
            opponent: self.opponent,
        };

        let longer_word = format!("{}{letter}", self.typed_letters.word);
        let values_before = match self.typed_letters.values_before.take() {
            Some(values) => values,
            None => current_values.clone(),
        };
        if self.try_word(longer_word, values_before, form, view) {
            return;
        }

        // The letter starts a new word, and the value that the old word selected stays.
        if self.try_word(letter.clone(), current_values, form, view) {
            return;
        }

        // A second letter may still complete a word.
        self.typed_letters = TypedLetters {
            word: letter,
            values_before: None,
        };
    }

    /// Types the number of a name, as in `Goblin 2`. Returns false if no value continues with the digit, which is an
    /// ordinary number then.
    pub(super) fn type_digit_of_name(
        &mut self,
        digit: char,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> bool {
        let Some(values_before) = self.typed_letters.values_before.clone() else {
            return false;
        };
        let letters = self.typed_letters.word.clone();
        if !self.typed_letters.is_name() {
            return false;
        }

        let current_values = Values {
            given: self.fields.given.clone(),
            opponent: self.opponent,
        };
        if self.try_word(format!("{letters} {digit}"), values_before, form, view) {
            return true;
        }
        self.fields.given = current_values.given;
        self.opponent = current_values.opponent;
        false
    }

    /// Applies a word to the given values. Returns false if the word selects no value and leads to no row.
    fn try_word(
        &mut self,
        word: String,
        values_before: Values,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> bool {
        self.fields.given.clone_from(&values_before.given);
        self.opponent = values_before.opponent;

        let is_found = self.select_value(&word, form, view) || focus_row_with_label(&word, form);
        if is_found {
            self.typed_letters = TypedLetters {
                word,
                values_before: Some(values_before),
            };
        }
        is_found
    }

    /// Selects a value that begins with these letters. Returns false if there is none.
    fn select_value(&mut self, word: &str, form: &mut Form, view: &SeatView<'_>) -> bool {
        let rows = self.rows_with_values(word, form);
        for row in &rows {
            if self.select_value_in(*row, word, begins_with, form, view) {
                return true;
            }
        }

        // Two letters also find a later word: `re` selects Mental Reason.
        if is_single_letter(word) {
            return false;
        }
        rows.iter()
            .any(|row| self.select_value_in(*row, word, has_later_word, form, view))
    }

    /// Selects a value of a row that matches the letters. Returns false if there is none.
    fn select_value_in(
        &mut self,
        row: RowId,
        word: &str,
        matches: fn(&str, &str) -> bool,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> bool {
        let options = self.row_options(row, view);
        let start = match options.selected {
            // A single letter selects the next value that begins with it.
            Some(selected) if is_single_letter(word) => selected + 1,
            Some(selected) => selected,
            None => 0,
        };

        let count = options.labels.len();
        let match_index = (0..count)
            .map(|offset| (start + offset) % count)
            .find(|index| matches(&options.labels[*index], word));
        let Some(index) = match_index else {
            return false;
        };
        form.focus_row(row);
        self.select_option(row, index, form, view);
        true
    }

    /// Returns the rows whose values the letters may select.
    fn rows_with_values(&self, word: &str, form: &Form) -> Vec<RowId> {
        let mut rows = Vec::new();

        // In these rows, a name does not select an opponent.
        if let Some(focused @ (WHO | CHECK)) = form.focused() {
            return vec![focused];
        }

        if let Some(focused) = form.focused() {
            // A single letter leaves a row of numbers, because the names of numbers are not typed there.
            let is_skipped = is_single_letter(word) && self.has_named_numbers(focused);
            if !is_skipped {
                rows.push(focused);
            }
        }

        if !is_single_letter(word) {
            for field in self.fields.check.fields {
                if field.asked == Asked::Always {
                    rows.push(RowId::Field(field.id));
                }
            }
            // A name picks the opponent from any row.
            rows.push(AGAINST);
        }
        rows
    }

    fn has_named_numbers(&self, row: RowId) -> bool {
        let field = self.field_of(row);
        field.is_some_and(|field| !field.names.is_empty())
    }

    fn field_of(&self, row: RowId) -> Option<&'static Field> {
        match row {
            RowId::Field(id) => self.fields.check.field(id),
            _ => None,
        }
    }

    fn row_options(&self, row: RowId, view: &SeatView<'_>) -> RowOptions {
        if row == AGAINST {
            let opponents = self.opponents(view);
            let labels = opponents
                .options
                .into_iter()
                .map(|opponent| match opponent {
                    Some(id) => view.owner_name(Some(id)).to_owned(),
                    None => "nobody".to_owned(),
                })
                .collect();
            return RowOptions {
                labels,
                selected: Some(opponents.selected),
            };
        }
        if row == WHO {
            let (labels, selected) = self.roller_names(view);
            return RowOptions {
                labels,
                selected: Some(selected),
            };
        }
        if row == CHECK {
            let checks = view.system().spec().checks;
            return RowOptions {
                labels: checks.iter().map(|check| check.label.to_owned()).collect(),
                selected: checks.iter().position(|check| *check == self.fields.check),
            };
        }

        let Some(field) = self.field_of(row) else {
            return RowOptions {
                labels: Vec::new(),
                selected: None,
            };
        };
        let (mut labels, selected) = self.fields.options(field, view);
        for label in &mut labels {
            let number = label.parse().ok();
            if let Some(name) = number.and_then(|number| field.name_of(number)) {
                name.clone_into(label);
            }
        }
        RowOptions { labels, selected }
    }

    /// Selects the option with this index in a row.
    fn select_option(&mut self, row: RowId, index: usize, form: &mut Form, view: &SeatView<'_>) {
        if let Some(field) = self.field_of(row) {
            let (mut options, _) = self.fields.options(field, view);
            if index < options.len() {
                let text = options.swap_remove(index);
                self.fields.give(field, text, form);
            }
        } else if let WHO | CHECK = row {
            let selected = self.row_options(row, view).selected.unwrap_or(0);
            self.step(row, steps_between(selected, index), form, view);
        } else {
            let opponents = self.opponents(view).options;
            let opponent = opponents.get(index).copied().flatten();
            self.set_opponent(opponent);
        }
    }
}

/// Returns the number of steps from an index to another.
fn steps_between(from: usize, to: usize) -> i32 {
    let from = i32::try_from(from).unwrap_or(0);
    let to = i32::try_from(to).unwrap_or(0);
    to - from
}

/// Moves the focus to the next row whose label begins with these letters. Returns false if there is none.
fn focus_row_with_label(word: &str, form: &mut Form) -> bool {
    let count = form.rows.len();
    let start = if is_single_letter(word) {
        form.focus + 1
    } else {
        form.focus
    };

    let match_index = (0..count)
        .map(|offset| (start + offset) % count)
        .find(|index| begins_with(&form.rows[*index].label, word));
    match match_index {
        Some(index) => {
            form.focus_index(index);
            true
        }
        None => false,
    }
}

fn is_single_letter(word: &str) -> bool {
    word.chars().count() == 1
}

fn begins_with(label: &str, prefix: &str) -> bool {
    label.trim_start().to_lowercase().starts_with(prefix)
}

/// Returns true if a word of the label, except the first one, begins with the prefix.
fn has_later_word(label: &str, prefix: &str) -> bool {
    let mut later_words = label.split_whitespace().skip(1);
    later_words.any(|word| begins_with(word, prefix))
}
