//! A value being entered: text, a number, one of several words.

use std::borrow::Cow;

use crate::app::action::Action;
use crate::terminal::input::{Key, KeyCode};
use crate::widget::field::Field;
use tableside_game::{Initiative, InitiativeError};
use tableside_text::{is_same_name, normalise_number};

/// The most characters of a number, with those that turn out to be no part of it.
const LONGEST_NUMBER: usize = 24;

#[derive(Clone, Debug, strum::EnumTryAs)]
pub(crate) enum TypedValue {
    Text(Field),
    Choice(Choice),
}

/// One of several words, a number that is typed, or either.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(super) words: Vec<String>,
    pub(super) at: usize,
    /// The number; empty while it is one of the words, `None` if only words are taken.
    pub(super) digits: Option<Digits>,
    /// The figures that led to a word lately.
    pub(super) led: String,
    /// Whether the dialog keeps the value, shows it as the one word, and steps it itself.
    pub(super) is_kept: bool,
}

/// A number being typed: the first digit replaces what was there.
///
/// A character that does not belong in a number stays in the text, where it is seen, and the row says what is wrong
/// with it. Without it, the digits would be another number.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    field: Field,
    is_fresh: bool,
    /// Whether it is a number in the order of turns, which may have decimals.
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

    /// A number in the order of turns.
    pub(super) fn of_initiative(value: Option<Initiative>) -> Self {
        let value = value.map_or_else(String::new, |value| value.to_string());
        Self {
            is_initiative: true,
            ..Self::new(&value)
        }
    }

    pub(super) fn is_initiative(&self) -> bool {
        self.is_initiative
    }

    pub(super) fn text(&self) -> &str {
        self.field.value()
    }

    /// The number that is there, if it is one.
    pub(super) fn number(&self) -> Option<i32> {
        self.text().trim().trim_start_matches('=').parse().ok()
    }

    /// Takes a key. A number begins with a digit or a sign; behind its beginning every character is taken.
    fn type_key(&mut self, key: Key) -> bool {
        if matches!(key.code, KeyCode::Backspace | KeyCode::Delete) {
            return self.apply(Action::DeleteBack);
        }
        let Some(letter) = key.letter() else {
            return false;
        };

        let typed = normalise_number(letter.encode_utf8(&mut [0; 4])).into_owned();
        let is_begun = !self.is_fresh && !self.text().is_empty();
        let begins =
            typed.starts_with(|sign: char| sign.is_ascii_digit() || "-+=.,".contains(sign));
        if !is_begun && !begins {
            return false;
        }

        if std::mem::take(&mut self.is_fresh) {
            self.field.set(&typed);
            return true;
        }
        self.field.paste(&typed)
    }

    /// Deletes from the end, or takes back what was typed.
    fn apply(&mut self, action: Action) -> bool {
        use Action::{DeleteBack, DeleteLine, DeleteRest, DeleteWord, Redo, Undo};
        let action = match action {
            DeleteWord | DeleteRest | DeleteLine => DeleteLine,
            DeleteBack | Undo | Redo => action,
            _ => return false,
        };
        self.is_fresh = matches!(action, Undo | Redo);
        self.field.apply(Action::LineEnd);
        self.field.apply(action)
    }

    /// Takes a pasted text if there is a number then, whole or not at all.
    fn paste(&mut self, text: &str) -> bool {
        let pasted = normalise_number(text.trim()).into_owned();
        let before = if self.is_fresh { "" } else { self.text() };
        let pasted_into = Self {
            field: Field::new(&format!("{before}{pasted}"), LONGEST_NUMBER),
            ..self.clone()
        };
        if pasted.is_empty()
            || pasted_into.text().len() < before.len() + pasted.len()
            || !pasted_into.is_number()
        {
            return false;
        }

        if std::mem::take(&mut self.is_fresh) {
            self.field.set(&pasted);
        } else {
            self.field.paste(&pasted);
        }
        true
    }

    /// Whether the text is a number, in bounds or not.
    fn is_number(&self) -> bool {
        if self.is_initiative {
            self.initiative().is_ok()
        } else {
            self.number().is_some()
        }
    }

    /// The number in the order of turns, `None` while it is empty; or what is wrong with the text.
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

    /// Steps a number in the order of turns.
    fn step_initiative(&mut self, by: i32) {
        let now = self.initiative().ok().flatten();
        let next = now.map_or_else(Initiative::default, |now| now.stepped(by));
        self.field.set(&next.to_string());
        self.is_fresh = true;
    }
}

impl Choice {
    /// The number that stands there now, instead of a word.
    fn number(&self) -> Option<&Digits> {
        let digits = self.digits.as_ref();
        digits.filter(|digits| self.words.is_empty() || !digits.text().is_empty())
    }

    fn step(&mut self, by: i32, (min, max): (i32, i32)) {
        match &mut self.digits {
            Some(digits) if digits.is_initiative => digits.step_initiative(by),
            Some(digits) if self.words.is_empty() => {
                let now = digits.number().unwrap_or_else(|| 0.clamp(min, max) - by);
                let next = now.saturating_add(by).clamp(min, max);
                // What is typed with a sign is more or less than there is.
                let is_signed = digits.text().starts_with('+') && next >= 0;
                let plus = if is_signed { "+" } else { "" };
                digits.field.set(&format!("{plus}{next}"));
                digits.is_fresh = true;
            }
            Some(digits) if !digits.text().is_empty() => *digits = Digits::new(""),
            _ => self.at = around(self.at, by, self.words.len()),
        }
    }

    /// Figures lead to the next word whose number they begin, as in a choice of dice.
    fn lead(&mut self, key: Key) -> Option<()> {
        let typed = normalise_number(key.letter()?.encode_utf8(&mut [0; 4])).into_owned();
        let digit = typed.chars().next().filter(char::is_ascii_digit)?;
        let (words, at) = (&self.words, self.at);
        let find = |figures: &String| {
            let mut order = (0..words.len()).map(|by| (at + by) % words.len());
            order.find(|at| words[*at].trim_start_matches('d').starts_with(figures))
        };
        let tried = [format!("{}{digit}", self.led), digit.into()];
        let mut found = tried.into_iter().filter_map(|led| Some((find(&led)?, led)));
        (self.at, self.led) = found.next()?;
        Some(())
    }
}

impl TypedValue {
    /// What was entered, in words.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(field) => field.value().into(),
            Self::Choice(choice) => match choice.number() {
                Some(digits) => digits.text().into(),
                None => choice.words.get(choice.at).map_or("", |word| word).into(),
            },
        }
    }

    /// Whether keys that write a letter write it here.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    pub(super) fn digits(&self) -> Option<&Digits> {
        self.try_as_choice_ref()?.digits.as_ref()
    }

    pub(super) fn digits_mut(&mut self) -> Option<&mut Digits> {
        self.try_as_choice_mut()?.digits.as_mut()
    }

    /// Lets the next digit replace the number that is there.
    pub(super) fn freshen(&mut self) {
        if let Some(digits) = self.digits_mut() {
            digits.is_fresh = true;
        }
    }

    pub(super) fn is_kept(&self) -> bool {
        matches!(self, Self::Choice(choice) if choice.is_kept)
    }

    /// The digits that are being typed, and are drawn as a text.
    pub(super) fn being_typed(&self) -> Option<&Field> {
        let digits = self.try_as_choice_ref()?.number()?;
        let is_typed = self.is_kept() || !digits.is_fresh;
        is_typed.then_some(&digits.field)
    }

    pub(super) fn step(&mut self, by: i32, bounds: (i32, i32)) {
        match self {
            Self::Text(field) => {
                field.apply(match by {
                    1.. => Action::CursorRight,
                    _ => Action::CursorLeft,
                });
            }
            Self::Choice(choice) if choice.is_kept => self.untype(),
            Self::Choice(choice) => choice.step(by, bounds),
        }
    }

    /// Takes a key that is bound to nothing.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Choice(choice) => match &mut choice.digits {
                Some(digits) => digits.type_key(key),
                None => choice.lead(key).is_some(),
            },
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> bool {
        match self {
            Self::Text(field) => field.paste(text),
            Self::Choice(_) => self.digits_mut().is_some_and(|one| one.paste(text)),
        }
    }

    /// Forgets what is typed over a value that the dialog keeps.
    pub(super) fn untype(&mut self) {
        if self.is_kept()
            && let Some(digits) = self.digits_mut()
        {
            *digits = Digits::new("");
        }
    }

    /// Moves or deletes within a text; figures are deleted or taken back.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        match self {
            Self::Text(field) => field.apply(action),
            Self::Choice(_) => self.digits_mut().is_some_and(|one| one.apply(action)),
        }
    }

    /// Keeps what was entered when the row is laid out anew as `now`, as far as it is still offered there.
    pub(super) fn carry_into(self, now: &mut Self) {
        match (self, now) {
            (before @ Self::Text(_), now @ Self::Text(_)) => *now = before,
            (Self::Choice(before), Self::Choice(now)) => {
                if now.digits.is_some() && before.digits.is_some() {
                    now.digits = before.digits;
                }
                let same = |word: &String| {
                    let stood = before.words.get(before.at);
                    stood.is_some_and(|one| is_same_name(one, word))
                };
                let found = now.words.iter().position(same);
                now.at = if before.words == now.words {
                    before.at
                } else {
                    found.unwrap_or(now.at)
                };
            }
            _ => {}
        }
    }
}

/// One of so many, stepped round and round.
pub(crate) fn around(at: usize, by: i32, of: usize) -> usize {
    let forward = usize::try_from(by.unsigned_abs()).unwrap_or(0);
    match of {
        0 => 0,
        of if by >= 0 => (at + forward) % of,
        of => (at + of - forward % of) % of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Digits {
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
            assert_eq!(typed(keys).number(), Some(number), "{keys}");
        }
        let mut digits = Digits::new("5");
        assert!(digits.paste(" −2 ") && digits.paste("３") && digits.number() == Some(-23));
    }

    #[test]
    fn what_does_not_belong_in_a_number_stays_to_be_seen() {
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
            let digits = typed(keys);
            assert_eq!(digits.text(), keys);
            assert_eq!(digits.number(), None, "{keys}");
        }
        // A letter in place of a number leads to a row.
        assert_eq!(typed("e").text(), "5");
    }

    #[test]
    fn a_paste_that_is_no_number_changes_nothing() {
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
