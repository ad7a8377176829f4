//! What is typed while a check is set up: digits for a value, letters that lead to a field.

use super::{RowId, Setup};
use crate::rules::Kind;
use crate::screen::dialog::entry::Digits;
use crate::screen::dialog::roll::rows::labels;
use crate::screen::dialog::roll::value::{self, Given};
use crate::screen::input::Key;
use crate::table::SeatView;

impl Setup {
    /// Takes a key that is bound to nothing: a digit for the value, else a letter that leads to a field.
    pub(in crate::screen::dialog::roll) fn type_key(&mut self, key: Key, seen: &SeatView<'_>) {
        if let RowId::Field(id) = self.focus {
            if let Some((_, line)) = self.lines.iter_mut().find(|(known, _)| *known == id) {
                if key.letter().is_some_and(|letter| line.insert(letter)) {
                    self.fill(seen);
                }
                return;
            }
            if self.type_digit(id, seen, |digits| digits.type_key(key)) {
                return;
            }
        }
        if let Some(letter) = key.letter() {
            self.jump_to(letter, seen);
        }
    }

    /// Takes a pasted text.
    pub(in crate::screen::dialog::roll) fn paste(&mut self, text: &str, seen: &SeatView<'_>) {
        let RowId::Field(id) = self.focus else {
            return;
        };
        if let Some((_, line)) = self.lines.iter_mut().find(|(known, _)| *known == id) {
            line.paste(text);
            self.fill(seen);
        } else {
            self.type_digit(id, seen, |digits| digits.paste(text));
        }
    }

    fn type_digit(
        &mut self,
        id: &'static str,
        seen: &SeatView<'_>,
        write: impl FnOnce(&mut Digits) -> bool,
    ) -> bool {
        let Some(field) = self.check.field(id) else {
            return false;
        };
        if !matches!(field.kind, Kind::Number { .. } | Kind::Die) {
            return false;
        }
        let now = self.filled.fields.value(id);
        let now = now.map(ToString::to_string).unwrap_or_default();
        let known = self.typed.iter().position(|(known, _)| *known == id);
        let mut digits = match known {
            Some(at) => self.typed.remove(at).1,
            None => Digits::new(now.trim_start_matches('d')),
        };
        let written = write(&mut digits);
        let text = digits.text().to_owned();
        if written || known.is_some() {
            self.typed.push((id, digits));
        }
        if written {
            if let Ok(value) = value::read(field, &text) {
                self.give(id, Given::Value(value), seen);
            } else if text.is_empty() && field.preset_value().is_none() && field.excludes.is_some()
            {
                self.give(id, Given::Nothing, seen);
            }
        }
        written
    }

    /// Moves to the next row whose label begins with the letter, or with it and those before it.
    fn jump_to(&mut self, letter: char, seen: &SeatView<'_>) {
        let rows = self.rows(seen);
        let at = rows.iter().position(|row| *row == self.focus).unwrap_or(0);
        let labels = labels(self, &rows, seen);
        let mut jump = std::mem::take(&mut self.jump);
        let found = jump.to(letter, at, &labels);
        if let Some(row) = found.and_then(|index| rows.into_iter().nth(index)) {
            self.go(row);
        }
        self.jump = jump;
    }
}
