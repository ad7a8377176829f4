//! The value of a row while it is entered: a text, a number, or one of several words.

use std::borrow::Cow;

use crate::app::action::Action;
use crate::dialog::form::digits::{Digits, normalise_letter};
use crate::terminal::input::Key;
use crate::widget::field::Field;
use tableside_text::{fold, is_same_name};

/// The characters between the parts of a word.
const SEPARATORS: [char; 3] = [' ', '-', '('];

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
    /// The digits or letters that were typed to select a word.
    pub(super) typed_prefix: String,
    /// True if letters select a word instead of moving the focus to a row.
    pub(super) takes_letters: bool,
    /// True if the dialog owns the value, displays it as the only word, and steps it itself.
    pub(super) is_managed: bool,
}

fn without_separators(word: &str) -> String {
    fold(word)
        .chars()
        .filter(|letter| !SEPARATORS.contains(letter))
        .collect()
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
            Some(digits) if digits.is_initiative() => digits.step_initiative(steps),
            Some(digits) if self.words.is_empty() => digits.step_number(steps, bounds),
            Some(digits) if !digits.text().is_empty() => *digits = Digits::new(""),
            _ => self.selected = around(self.selected, steps, self.words.len()),
        }
    }

    /// Selects a word by a typed letter or digit. Returns true if the key was used. In rows that take letters this is
    /// always so, even if no word matches.
    fn select_by_typing(&mut self, key: Key) -> bool {
        let Some(letter) = key.letter() else {
            return false;
        };
        if self.takes_letters && self.select_by_letter(letter) {
            return true;
        }

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

    /// Selects the first word that begins with the typed letters, or else the first word with a part that begins with
    /// them. Spaces and hyphens are ignored.
    ///
    /// If no word matches all typed letters, the last letter begins a new search. Returns false if this is the first
    /// letter and no word matches it: the letter may then lead to another row.
    fn select_by_letter(&mut self, letter: char) -> bool {
        let is_first = self.typed_prefix.is_empty();
        if SEPARATORS.contains(&letter) {
            return !is_first;
        }
        let single = fold(&letter.to_string());
        for prefix in [format!("{}{single}", self.typed_prefix), single] {
            if let Some(word) = self.word_with_prefix(&prefix) {
                self.selected = word;
                self.digits = self.digits.take().map(|_| Digits::new(""));
                self.typed_prefix = prefix;
                return true;
            }
        }
        // A later letter is a mistake, and the focus must stay.
        !is_first
    }

    fn word_with_prefix(&self, prefix: &str) -> Option<usize> {
        let begins = |word: &String| without_separators(word).starts_with(prefix);
        let has_part = |word: &String| {
            let mut rest = word.as_str();
            while let Some((_, part)) = rest.split_once(SEPARATORS) {
                if without_separators(part).starts_with(prefix) {
                    return true;
                }
                rest = part;
            }
            false
        };
        let first = self.words.iter().position(begins);
        first.or_else(|| self.words.iter().position(has_part))
    }

    /// Returns the index of the next word, starting at the selected word, whose number begins with the prefix.
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

    /// Copies the value of the same row from before the rows were laid out again, if that value is still possible.
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

    /// Returns true if letters are text here.
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
            digits.complete();
            digits.is_fresh = true;
        }
    }

    /// Returns true if letters were typed to select a word.
    pub(super) fn is_selecting_word(&self) -> bool {
        matches!(self, Self::Choice(choice) if choice.takes_letters && !choice.typed_prefix.is_empty())
    }

    /// Lets the next letter begin a new search for a word.
    pub(super) fn forget_typed_prefix(&mut self) {
        if let Self::Choice(choice) = self {
            choice.typed_prefix.clear();
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

    /// Types a key without a binding. Returns true if the key was used.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Choice(choice) => match &mut choice.digits {
                Some(digits) if !choice.takes_letters => digits.type_key(key),
                Some(digits) => digits.type_key(key) || choice.select_by_typing(key),
                None => choice.select_by_typing(key),
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

/// Moves an index by some steps. After the last element comes the first.
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
