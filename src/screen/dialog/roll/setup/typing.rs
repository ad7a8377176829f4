//! What is typed while a check is set up: digits for a value, letters that lead to a field.

use super::{MISSING, OTHERS, RowId, Setup};
use crate::rules::Kind;
use crate::screen::dialog::entry::Digits;
use crate::screen::dialog::roll::value::{self, Given};
use crate::screen::input::Key;
use crate::table::Seen;

impl Setup {
    /// Takes a key that is bound to nothing: a digit for the value, else a letter that leads to a field.
    pub(in crate::screen::dialog::roll) fn type_key(&mut self, key: Key, seen: &Seen<'_>) {
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
    pub(in crate::screen::dialog::roll) fn paste(&mut self, text: &str, seen: &Seen<'_>) {
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
        seen: &Seen<'_>,
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

    /// Moves to the next field that begins with the letter, or with it and those before it.
    fn jump_to(&mut self, letter: char, seen: &Seen<'_>) {
        let rows = self.rows(seen);
        let at = rows.iter().position(|row| *row == self.focus).unwrap_or(0);
        let begins = |row: &RowId, typed: &str| {
            let (id, label) = self.names(row);
            id.starts_with(typed) || label.to_lowercase().starts_with(typed)
        };
        let longer: String = self.jump.chars().chain(letter.to_lowercase()).collect();
        let one: String = letter.to_lowercase().collect();
        let find = |typed: &str, from: usize| {
            let order = (0..rows.len()).map(|by| (at + from + by) % rows.len().max(1));
            order
                .filter_map(|index| rows.get(index))
                .find(|row| begins(row, typed))
        };
        let found = find(&longer, 0)
            .filter(|_| !self.jump.is_empty())
            .map(|row| (row.clone(), longer.clone()));
        let found = found.or_else(|| find(&one, 1).map(|row| (row.clone(), one.clone())));
        if let Some((row, typed)) = found {
            self.go(row);
            self.jump = typed;
        }
    }

    fn names(&self, row: &RowId) -> (&'static str, &'static str) {
        match row {
            RowId::Who => ("who", "Who"),
            RowId::Check => ("check", "Check"),
            RowId::Field(id) if *id == MISSING => (MISSING, "Missing dice"),
            RowId::Field(id) if *id == OTHERS => ("others", "Others"),
            RowId::Field(id) => self
                .check
                .field(id)
                .map_or(("", ""), |field| (field.id, field.label)),
            RowId::Clock => ("clock", "Clock"),
            RowId::Helpers => ("helpers", "Helpers"),
            RowId::Closed => ("seen", "Seen by"),
            RowId::Noticed => ("they", "They see"),
            RowId::Answer(place) => {
                let again = self.again.as_ref();
                let question = again.and_then(|again| again.questions.get(*place));
                let choice = question.map_or("", |question| question.choice);
                (choice, choice)
            }
            RowId::Helper(_) | RowId::Player(_) => ("", ""),
        }
    }
}
