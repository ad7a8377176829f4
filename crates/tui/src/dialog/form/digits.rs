//! A number while it is typed.

use crate::app::action::Action;
use crate::terminal::input::{Key, KeyCode};
use crate::widget::field::Field;
use tableside_game::{Initiative, InitiativeError};
use tableside_text::normalise_number;

/// The most characters of a number, including characters that do not belong in a number.
const LONGEST_NUMBER: usize = 24;

/// A number being typed. The first digit replaces the old number.
///
/// A character that does not belong in a number stays in the text, and the row reports the error. Dropping the
/// character would leave the digits of another number.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    pub(super) field: Field,
    /// True if the next digit replaces the number.
    pub(super) is_fresh: bool,
    /// True if the number is an initiative, which may have decimals.
    is_initiative: bool,
}

impl Digits {
    pub(super) fn new(value: &str) -> Self {
        Self {
            field: Field::new(value, LONGEST_NUMBER),
            is_fresh: true,
            is_initiative: false,
        }
    }

    pub(super) fn of_initiative(value: Option<Initiative>) -> Self {
        let text = match value {
            Some(initiative) => initiative.to_string(),
            None => String::new(),
        };
        Self {
            is_initiative: true,
            ..Self::new(&text)
        }
    }

    pub(super) fn is_initiative(&self) -> bool {
        self.is_initiative
    }

    pub(super) fn text(&self) -> &str {
        self.field.value()
    }

    /// Returns the number, or `None` if the text is not a whole number.
    pub(super) fn number(&self) -> Option<i32> {
        self.text().trim().trim_start_matches('=').parse().ok()
    }

    /// Types a key. The first character must be a digit or a sign; later characters may be anything.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        if matches!(key.code, KeyCode::Backspace | KeyCode::Delete) {
            return self.apply(Action::DeleteBack);
        }
        let Some(letter) = key.letter() else {
            return false;
        };

        let typed = normalise_letter(letter);
        let is_first = self.is_fresh || self.text().is_empty();
        if is_first && !starts_number(&typed) {
            return false;
        }

        if self.is_fresh {
            self.is_fresh = false;
            self.field.set(&typed);
            return true;
        }
        self.field.paste(&typed)
    }

    /// Deletes at the end of the number, or undoes and redoes typing.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        let edit = match action {
            Action::DeleteWord | Action::DeleteRest | Action::DeleteLine => Action::DeleteLine,
            Action::DeleteBack | Action::Undo | Action::Redo => action,
            _ => return false,
        };
        self.is_fresh = matches!(edit, Action::Undo | Action::Redo);
        self.field.apply(Action::LineEnd);
        self.field.apply(edit)
    }

    /// Pastes a text, if the result is a number.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        let pasted = normalise_number(text.trim()).into_owned();
        let old_text = if self.is_fresh { "" } else { self.text() };
        let result = Self {
            field: Field::new(&format!("{old_text}{pasted}"), LONGEST_NUMBER),
            ..self.clone()
        };
        let is_cut_off = result.text().len() < old_text.len() + pasted.len();
        if pasted.is_empty() || is_cut_off || !result.is_number() {
            return false;
        }

        if self.is_fresh {
            self.is_fresh = false;
            self.field.set(&pasted);
        } else {
            self.field.paste(&pasted);
        }
        true
    }

    /// True if the text is a number, whether or not it is within the bounds of the row.
    fn is_number(&self) -> bool {
        if self.is_initiative {
            self.initiative().is_ok()
        } else {
            self.number().is_some()
        }
    }

    /// Returns the initiative, or `None` if the text is empty.
    pub(super) fn initiative(&self) -> Result<Option<Initiative>, String> {
        let text = self.text().trim();
        if text.is_empty() {
            return Ok(None);
        }
        let number = text
            .parse()
            .map_err(|error: InitiativeError| error.to_string())?;
        Ok(Some(number))
    }

    pub(super) fn step_initiative(&mut self, steps: i32) {
        let initiative = match self.initiative() {
            Ok(Some(initiative)) => initiative.stepped(steps),
            Ok(None) | Err(_) => Initiative::default(),
        };
        self.field.set(&initiative.to_string());
        self.is_fresh = true;
    }

    /// Steps a number within its bounds. The first step of an empty number leads to the bound nearest to 0.
    pub(super) fn step_number(&mut self, steps: i32, (min, max): (i32, i32)) {
        let new_number = match self.number() {
            Some(number) => number.saturating_add(steps).clamp(min, max),
            None => 0.clamp(min, max),
        };

        // A sign marks a change to the old value instead of a new value, so it stays.
        let is_change = self.text().starts_with('+') && new_number >= 0;
        let text = if is_change {
            format!("+{new_number}")
        } else {
            new_number.to_string()
        };
        self.field.set(&text);
        self.is_fresh = true;
    }
}

/// Returns a typed letter with its digit or sign as ASCII.
pub(super) fn normalise_letter(letter: char) -> String {
    let mut buffer = [0; 4];
    normalise_number(letter.encode_utf8(&mut buffer)).into_owned()
}

fn starts_number(typed: &str) -> bool {
    typed.starts_with(|sign: char| sign.is_ascii_digit() || "-+=.,".contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_over_five(text: &str) -> Digits {
        let mut digits = Digits::new("5");
        for letter in text.chars() {
            digits.type_key(Key::char(letter));
        }
        digits
    }

    #[test]
    fn signs_and_digits_of_every_keyboard_are_read() {
        for (keys, number) in [
            ("−2", -2),
            ("–２", -2),
            ("﹣1", -1),
            ("＋７", 7),
            ("=-2", -2),
            ("٣", 3),
        ] {
            assert_eq!(type_over_five(keys).number(), Some(number), "{keys}");
        }

        let mut digits = Digits::new("5");
        assert!(digits.paste(" −2 ") && digits.paste("３") && digits.number() == Some(-23));
    }

    #[test]
    fn a_character_that_does_not_belong_in_a_number_stays_visible() {
        for keys in [
            "15.5",
            "1,5",
            "1e2",
            "-5-4",
            "5 5",
            "2d6",
            "1/2",
            "12345678901",
            "5+",
            ".5",
            "3x",
        ] {
            let digits = type_over_five(keys);
            assert_eq!(digits.text(), keys);
            assert_eq!(digits.number(), None, "{keys}");
        }
        // A letter as the first character leads to another row instead.
        assert_eq!(type_over_five("e").text(), "5");
    }

    #[test]
    fn pasting_a_text_that_is_no_number_changes_nothing() {
        for pasted in [
            "15.5",
            "12 HP",
            "1,234",
            "five",
            "",
            " ",
            "1-2",
            "12345678901",
            "2\n3",
        ] {
            let mut digits = Digits::new("5");
            assert!(!digits.paste(pasted), "{pasted}");
            assert_eq!(digits.text(), "5");
        }

        let mut digits = Digits::of_initiative(None);
        assert!(!digits.paste("12 HP") && digits.paste("15.5"));
        assert_eq!(digits.initiative(), Ok("15.5".parse().ok()));
    }
}
