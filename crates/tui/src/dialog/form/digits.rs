//! A number while it is typed.

use crate::app::action::Action;
use crate::terminal::input::{Key, KeyCode};
use crate::widget::field::Field;
use tableside_game::{Initiative, InitiativeError};
use tableside_text::normalise_number;

/// The maximum length of a number, in characters. Characters that do not belong in a number count too.
const MAX_NUMBER_CHARS: usize = 24;

/// A number being typed. The first digit replaces the old number.
///
/// A character that does not belong in a number stays in the text, and the row reports the error. Without the
/// character, the digits would be another number.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    pub(super) field: Field,
    /// True if the next digit replaces the number.
    pub(super) is_fresh: bool,
    kind: DigitsKind,
}

/// The kind of a typed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DigitsKind {
    Number,
    /// An initiative, which may have decimals.
    Initiative,
    /// A number with its maximum, as in `26/30`.
    WithMaximum(NumberWithMaximum),
}

/// A number and its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialog) struct NumberWithMaximum {
    pub(in crate::dialog) number: i32,
    pub(in crate::dialog) most: i32,
    /// True if the maximum equals the number until a maximum is typed.
    pub(in crate::dialog) most_follows: bool,
}

impl NumberWithMaximum {
    fn text(self) -> String {
        format!("{}/{}", self.number, self.most)
    }

    /// Returns the pair that a typed text describes: `26`, `26/30` or `/30`. A missing part stays unchanged, except for
    /// a maximum that follows the number.
    fn typed(self, text: &str) -> Option<Self> {
        let (number_text, most_text) = match text.split_once('/') {
            Some((number, most)) => (number.trim(), Some(most.trim())),
            None => (text.trim(), None),
        };

        let number = if number_text.is_empty() && most_text.is_some() {
            self.number
        } else {
            number_text.trim_start_matches('=').parse().ok()?
        };
        match most_text {
            Some(most_text) => {
                let most = most_text.parse().ok()?;
                Some(Self {
                    number,
                    most,
                    most_follows: self.most_follows && most == number,
                })
            }
            None => Some(Self {
                number,
                most: if self.most_follows { number } else { self.most },
                ..self
            }),
        }
    }
}

impl Digits {
    pub(super) fn new(value: &str) -> Self {
        Self {
            field: Field::new(value, MAX_NUMBER_CHARS),
            is_fresh: true,
            kind: DigitsKind::Number,
        }
    }

    pub(super) fn of_initiative(value: Option<Initiative>) -> Self {
        let text = match value {
            Some(initiative) => initiative.to_string(),
            None => String::new(),
        };
        Self {
            kind: DigitsKind::Initiative,
            ..Self::new(&text)
        }
    }

    pub(super) fn with_maximum(pair: NumberWithMaximum) -> Self {
        Self {
            kind: DigitsKind::WithMaximum(pair),
            ..Self::new(&pair.text())
        }
    }

    /// Returns the number and its maximum. `None` if the text is not such a pair, or if the number has no maximum.
    pub(super) fn pair(&self) -> Option<NumberWithMaximum> {
        match self.kind {
            DigitsKind::WithMaximum(pair) => pair.typed(self.text()),
            DigitsKind::Number | DigitsKind::Initiative => None,
        }
    }

    /// Completes a typed `26` to `26/30` when the focus moves to another row.
    pub(super) fn complete(&mut self) {
        if let Some(pair) = self.pair() {
            self.kind = DigitsKind::WithMaximum(pair);
            self.field.set(&pair.text());
        }
    }

    pub(super) fn is_initiative(&self) -> bool {
        self.kind == DigitsKind::Initiative
    }

    pub(super) fn text(&self) -> &str {
        self.field.value()
    }

    /// Returns the number, or `None` if the text is not a whole number.
    pub(super) fn number(&self) -> Option<i32> {
        if matches!(self.kind, DigitsKind::WithMaximum(_)) {
            return self.pair().map(|pair| pair.number);
        }
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
        let starts_maximum = typed == "/" && matches!(self.kind, DigitsKind::WithMaximum(_));
        if is_first && !starts_number(&typed) && !starts_maximum {
            return false;
        }

        if self.is_fresh {
            self.is_fresh = false;
            self.field.set(&typed);
            return true;
        }
        self.field.paste(&typed)
    }

    /// Deletes characters at the end of the number, or undoes or redoes typing.
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
            field: Field::new(&format!("{old_text}{pasted}"), MAX_NUMBER_CHARS),
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

    /// Returns true if the text is a number, whether or not it is within the bounds of the row.
    fn is_number(&self) -> bool {
        if self.is_initiative() {
            self.maybe_initiative().is_ok()
        } else {
            self.number().is_some()
        }
    }

    /// Returns the initiative, or `None` if the text is empty.
    pub(super) fn maybe_initiative(&self) -> Result<Option<Initiative>, String> {
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
        let initiative = match self.maybe_initiative() {
            Ok(Some(initiative)) => initiative.stepped(steps),
            Ok(None) | Err(_) => Initiative::default(),
        };
        self.field.set(&initiative.to_string());
        self.is_fresh = true;
    }

    /// Steps a number within its bounds. The first step of an empty number selects 0, or the bound nearest to 0.
    pub(super) fn step_number(&mut self, steps: i32, (min, max): (i32, i32)) {
        let new_number = match self.number() {
            Some(number) => number.saturating_add(steps).clamp(min, max),
            None => 0.clamp(min, max),
        };

        if let Some(pair) = self.pair() {
            let stepped = pair.typed(&new_number.to_string()).unwrap_or(pair);
            self.kind = DigitsKind::WithMaximum(stepped);
            self.field.set(&stepped.text());
            self.is_fresh = true;
            return;
        }

        // A plus sign marks a change to the old value instead of a new value, so it stays.
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

    fn type_over_pair(text: &str, most_follows: bool) -> Option<(i32, i32)> {
        let mut digits = Digits::with_maximum(NumberWithMaximum {
            number: 40,
            most: 40,
            most_follows,
        });
        for letter in text.chars() {
            digits.type_key(Key::char(letter));
        }
        digits.complete();
        let pair = digits.pair()?;
        assert_eq!(digits.text(), format!("{}/{}", pair.number, pair.most));
        Some((pair.number, pair.most))
    }

    #[test]
    fn a_maximum_stays_or_follows_until_it_is_typed() {
        assert_eq!(type_over_pair("26", false), Some((26, 40)));
        assert_eq!(type_over_pair("26", true), Some((26, 26)));
        assert_eq!(type_over_pair("26/30", true), Some((26, 30)));
        assert_eq!(type_over_pair("/55", false), Some((40, 55)));
        assert_eq!(type_over_pair("/55", true), Some((40, 55)));
        for text in ["26/", "26/30/1", "2x"] {
            assert_eq!(type_over_pair(text, false), None, "{text}");
        }
    }

    #[test]
    fn a_typed_maximum_no_longer_follows_the_number() {
        let pair = NumberWithMaximum {
            number: 40,
            most: 40,
            most_follows: true,
        };
        let mut digits = Digits::with_maximum(pair);
        digits.step_number(5, (0, 999));
        assert_eq!(digits.text(), "45/45");

        for letter in "26/30".chars() {
            digits.type_key(Key::char(letter));
        }
        digits.complete();
        digits.step_number(-1, (0, 999));
        assert_eq!(digits.text(), "25/30");
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
        assert_eq!(digits.maybe_initiative(), Ok("15.5".parse().ok()));
    }
}
