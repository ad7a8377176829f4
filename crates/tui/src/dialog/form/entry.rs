//! The value of a row while it is entered: a text, a number, or one of several words.

use std::borrow::Cow;

use crate::app::action::Action;
use crate::terminal::input::{Key, KeyCode};
use crate::widget::field::Field;
use tableside_game::{Initiative, InitiativeError};
use tableside_text::{is_same_name, normalise_number};

/// The most characters of a number, including characters that do not belong in a number.
const LONGEST_NUMBER: usize = 24;

#[derive(Clone, Debug, strum::EnumTryAs)]
pub(crate) enum TypedValue {
    Text(Field),
    Choice(Choice),
}

/// One of several words, a typed number, or either of them.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(super) words: Vec<String>,
    /// The index of the selected word.
    pub(super) selected: usize,
    /// The typed number. It is empty while a word is selected, and `None` if the row takes only words.
    pub(super) digits: Option<Digits>,
    /// The digits that were typed to select a word.
    pub(super) typed_prefix: String,
    /// True if the dialog owns the value, displays it as the only word, and steps it itself.
    pub(super) is_managed: bool,
}

/// A number being typed. The first digit replaces the old number.
///
/// A character that does not belong in a number stays in the text, and the row reports the error. Dropping the
/// character would leave the digits of another number.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    field: Field,
    /// True if the next digit replaces the number.
    is_fresh: bool,
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
    fn type_key(&mut self, key: Key) -> bool {
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
    fn apply(&mut self, action: Action) -> bool {
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
    fn paste(&mut self, text: &str) -> bool {
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

    fn step_initiative(&mut self, steps: i32) {
        let next = match self.initiative() {
            Ok(Some(initiative)) => initiative.stepped(steps),
            Ok(None) | Err(_) => Initiative::default(),
        };
        self.field.set(&next.to_string());
        self.is_fresh = true;
    }

    /// Steps a number within its bounds. The first step of an empty number leads to the bound nearest to 0.
    fn step_number(&mut self, steps: i32, (min, max): (i32, i32)) {
        let next = match self.number() {
            Some(number) => number.saturating_add(steps).clamp(min, max),
            None => 0.clamp(min, max),
        };

        // A sign marks a change to the old value instead of a new value, so it stays.
        let is_change = self.text().starts_with('+') && next >= 0;
        let text = if is_change {
            format!("+{next}")
        } else {
            next.to_string()
        };
        self.field.set(&text);
        self.is_fresh = true;
    }
}

/// Returns a typed letter with its digit or sign as ASCII.
fn normalise_letter(letter: char) -> String {
    let mut buffer = [0; 4];
    normalise_number(letter.encode_utf8(&mut buffer)).into_owned()
}

fn starts_number(typed: &str) -> bool {
    typed.starts_with(|sign: char| sign.is_ascii_digit() || "-+=.,".contains(sign))
}

impl Choice {
    /// Returns the typed number, if it replaces a word.
    fn number(&self) -> Option<&Digits> {
        let digits = self.digits.as_ref()?;
        if self.words.is_empty() || !digits.text().is_empty() {
            Some(digits)
        } else {
            None
        }
    }

    fn step(&mut self, steps: i32, bounds: (i32, i32)) {
        match &mut self.digits {
            Some(digits) if digits.is_initiative => digits.step_initiative(steps),
            Some(digits) if self.words.is_empty() => digits.step_number(steps, bounds),
            Some(digits) if !digits.text().is_empty() => *digits = Digits::new(""),
            _ => self.selected = around(self.selected, steps, self.words.len()),
        }
    }

    /// Selects the next word whose number begins with the typed digits, for example a die. Returns true if there is
    /// one.
    fn select_by_digit(&mut self, key: Key) -> bool {
        let Some(letter) = key.letter() else {
            return false;
        };
        let typed = normalise_letter(letter);
        let digit = match typed.chars().next() {
            Some(digit) if digit.is_ascii_digit() => digit,
            _ => return false,
        };

        for prefix in [format!("{}{digit}", self.typed_prefix), digit.to_string()] {
            if let Some(word) = self.word_with_number(&prefix) {
                self.selected = word;
                self.typed_prefix = prefix;
                return true;
            }
        }
        false
    }

    /// Finds the next word, from the selected one on, whose number begins with the prefix.
    fn word_with_number(&self, prefix: &str) -> Option<usize> {
        let count = self.words.len();
        (0..count)
            .map(|offset| (self.selected + offset) % count)
            .find(|word| {
                self.words[*word]
                    .trim_start_matches('d')
                    .starts_with(prefix)
            })
    }

    /// Takes over the value of the same row before it was laid out again, if it is still possible.
    fn take_over(&mut self, old: Self) {
        if self.words == old.words {
            self.selected = old.selected;
        } else if let Some(old_word) = old.words.get(old.selected)
            && let Some(word) = self
                .words
                .iter()
                .position(|word| is_same_name(old_word, word))
        {
            self.selected = word;
        }

        if self.digits.is_some() && old.digits.is_some() {
            self.digits = old.digits;
        }
    }
}

impl TypedValue {
    /// Returns the value as text.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(field) => field.value().into(),
            Self::Choice(choice) => match choice.number() {
                Some(digits) => digits.text().into(),
                None => match choice.words.get(choice.selected) {
                    Some(word) => word.into(),
                    None => "".into(),
                },
            },
        }
    }

    /// True if letters are text here.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    pub(super) fn digits(&self) -> Option<&Digits> {
        self.try_as_choice_ref()?.digits.as_ref()
    }

    fn digits_mut(&mut self) -> Option<&mut Digits> {
        self.try_as_choice_mut()?.digits.as_mut()
    }

    /// Lets the next digit replace the number.
    pub(in crate::dialog) fn expect_new_digits(&mut self) {
        if let Some(digits) = self.digits_mut() {
            digits.is_fresh = true;
        }
    }

    pub(super) fn is_managed(&self) -> bool {
        matches!(self, Self::Choice(choice) if choice.is_managed)
    }

    /// Returns the field of a number that is being typed, which is drawn like a text.
    pub(super) fn digits_field(&self) -> Option<&Field> {
        let digits = self.try_as_choice_ref()?.number()?;
        if self.is_managed() || !digits.is_fresh {
            Some(&digits.field)
        } else {
            None
        }
    }

    /// Steps a number or a word, or moves the cursor of a text.
    pub(super) fn step(&mut self, steps: i32, bounds: (i32, i32)) {
        match self {
            Self::Text(field) => {
                let action = if steps > 0 {
                    Action::CursorRight
                } else {
                    Action::CursorLeft
                };
                field.apply(action);
            }
            Self::Choice(choice) if choice.is_managed => self.discard_typed_digits(),
            Self::Choice(choice) => choice.step(steps, bounds),
        }
    }

    /// Types a key without a binding. Returns true if the value changed.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Choice(choice) => match &mut choice.digits {
                Some(digits) => digits.type_key(key),
                None => choice.select_by_digit(key),
            },
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> bool {
        match self {
            Self::Text(field) => field.paste(text),
            Self::Choice(_) => self.digits_mut().is_some_and(|digits| digits.paste(text)),
        }
    }

    /// Discards digits typed over a managed value.
    pub(super) fn discard_typed_digits(&mut self) {
        if self.is_managed()
            && let Some(digits) = self.digits_mut()
        {
            *digits = Digits::new("");
        }
    }

    /// Applies an editing action to a text or a number. Returns true if the value changed.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        match self {
            Self::Text(field) => field.apply(action),
            Self::Choice(_) => self.digits_mut().is_some_and(|digits| digits.apply(action)),
        }
    }

    /// Keeps an entered value when the row is laid out again as `new_value`, if it is still possible.
    pub(in crate::dialog) fn carry_into(self, new_value: &mut Self) {
        match (self, new_value) {
            (Self::Text(old), Self::Text(new)) => *new = old,
            (Self::Choice(old), Self::Choice(new)) => new.take_over(old),
            _ => {}
        }
    }
}

/// Moves an index by some steps, from the last element on to the first.
pub(crate) fn around(index: usize, steps: i32, count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    let distance = usize::try_from(steps.unsigned_abs()).unwrap_or(0);
    if steps >= 0 {
        (index + distance) % count
    } else {
        (index + count - distance % count) % count
    }
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
