//! A value being entered: text, a number, a die, a word, yes or no.

use std::borrow::Cow;

use super::page::Cell;
use crate::dice::Die;
use crate::screen::action::Action;
use crate::screen::input::{Key, KeyCode};
use crate::screen::widget::field::Field;

/// A number has at most so many letters.
const LONGEST_NUMBER: usize = 6;

/// A value being entered.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A line of text.
    Text(Field),
    /// A number, as it was typed.
    Number(Digits),
    /// A die.
    Die(Die),
    /// One of these words.
    Word {
        /// The words.
        words: Vec<String>,
        /// Which.
        at: usize,
    },
    /// One of these words, or a number that is typed instead.
    Named {
        /// The words.
        words: Vec<String>,
        /// Which.
        at: usize,
        /// The number; empty while it is one of the words.
        digits: Digits,
    },
    /// On or off.
    Flag(bool),
}

/// Digits being typed: the first one replaces what was there.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    field: Field,
    fresh: bool,
}

impl Digits {
    /// What was there before anything is typed.
    pub(super) fn new(value: &str) -> Self {
        Self {
            field: Field::new(value, LONGEST_NUMBER),
            fresh: true,
        }
    }

    /// What is there.
    pub(super) fn text(&self) -> &str {
        self.field.value()
    }

    /// The number that is there, if it is one.
    pub(super) fn number(&self) -> Option<i32> {
        self.text().trim().parse().ok()
    }

    /// The text being typed.
    pub(super) fn field(&self) -> &Field {
        &self.field
    }

    /// Puts a number there.
    pub(super) fn set(&mut self, value: i32) {
        self.field.set(&value.to_string());
        self.fresh = true;
    }

    /// Takes back what was entered, or brings it back; whether it was one of these.
    fn apply(&mut self, action: Action) -> bool {
        let steps = matches!(action, Action::Undo | Action::Redo);
        if steps {
            self.field.apply(action);
            self.fresh = true;
        }
        steps
    }

    /// Lets the next digit replace what is there.
    pub(super) fn freshen(&mut self) {
        self.fresh = true;
    }

    /// Whether something was typed that another digit would be added to.
    pub(super) fn is_being_typed(&self) -> bool {
        !self.fresh
    }

    /// Takes a key, if it belongs to a number.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        let erases = matches!(key.code, KeyCode::Backspace | KeyCode::Delete);
        if erases {
            self.fresh = false;
            self.field.apply(Action::LineEnd);
            return self.field.apply(Action::DeleteBack);
        }
        let letter = key.letter().filter(|letter| is_of_a_number(*letter));
        letter.is_some_and(|letter| self.paste(letter.encode_utf8(&mut [0; 4])))
    }

    /// Takes a pasted text; a minus of print is one of the keyboard.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        let text = text.trim().replace('−', "-");
        if std::mem::take(&mut self.fresh) {
            self.field.set(&text);
            return true;
        }
        self.field.paste(&text)
    }
}

fn is_of_a_number(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, '-' | '+' | '−')
}

impl Entry {
    /// A line of text that takes so many letters.
    pub(super) fn text(value: &str, limit: usize) -> Self {
        Self::Text(Field::new(value, limit))
    }

    /// A number, or nothing.
    pub(super) fn number(value: Option<i32>) -> Self {
        let value = value.map(|number| number.to_string());
        Self::Number(Digits::new(value.as_deref().unwrap_or_default()))
    }

    /// One of these words.
    pub(super) fn word<W: Into<String>>(words: impl IntoIterator<Item = W>, at: usize) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        Self::Word { words, at }
    }

    /// What was entered, in words.
    pub(super) fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Text(field) => field.value().into(),
            Self::Number(digits) => digits.text().into(),
            Self::Die(die) => die.name().into(),
            Self::Named { digits, .. } if !digits.text().is_empty() => digits.text().into(),
            Self::Word { words, at } | Self::Named { words, at, .. } => {
                words.get(*at).map_or("", String::as_str).into()
            }
            Self::Flag(true) => "yes".into(),
            Self::Flag(false) => "no".into(),
        }
    }

    /// How it is drawn.
    pub(super) fn cell<'a>(&'a self, words: &'a str, hint: &'a str) -> Cell<'a> {
        match self {
            Self::Text(field) => Cell::Text(field, hint),
            Self::Number(digits) if digits.is_being_typed() => Cell::Typed(digits.field()),
            Self::Number(digits) if digits.text().is_empty() => Cell::Value(hint),
            Self::Named { digits, .. } if digits.is_being_typed() && !digits.text().is_empty() => {
                Cell::Typed(digits.field())
            }
            Self::Number(_)
            | Self::Die(_)
            | Self::Word { .. }
            | Self::Named { .. }
            | Self::Flag(_) => Cell::Value(words),
        }
    }

    /// Whether keys that write a letter write it here.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// Steps it up or down.
    pub(super) fn step(&mut self, by: i32, (min, max): (i32, i32)) {
        match self {
            Self::Text(field) => {
                let way = if by > 0 {
                    Action::CursorRight
                } else {
                    Action::CursorLeft
                };
                field.apply(way);
            }
            Self::Number(digits) => {
                let now = digits.number().unwrap_or_else(|| 0.clamp(min, max) - by);
                digits.set(now.saturating_add(by).clamp(min, max));
            }
            Self::Die(die) => {
                let step = if by > 0 { die.up() } else { die.down() };
                *die = step.unwrap_or(*die);
            }
            Self::Word { words, at } => {
                *at = around(*at, by, words.len());
            }
            Self::Named { words, at, digits } => {
                if digits.text().is_empty() {
                    *at = around(*at, by, words.len());
                }
                *digits = Digits::new("");
            }
            Self::Flag(flag) => *flag = !*flag,
        }
    }

    /// Takes a key that is bound to nothing.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Number(digits) | Self::Named { digits, .. } => digits.type_key(key),
            Self::Die(die) => {
                // d4 d6 d8 by their digit, d10 d12 d20 by the one that tells them apart.
                let named = match key.letter() {
                    Some('4') => Some(Die::D4),
                    Some('6') => Some(Die::D6),
                    Some('8') => Some(Die::D8),
                    Some('1' | '0') => Some(Die::D10),
                    Some('2') if matches!(die, Die::D12) => Some(Die::D20),
                    Some('2') => Some(Die::D12),
                    _ => None,
                };
                *die = named.unwrap_or(*die);
                named.is_some()
            }
            // A letter leads to another row of the form, and words are stepped.
            Self::Word { .. } | Self::Flag(_) => false,
        }
    }

    /// Takes a pasted text.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        match self {
            Self::Text(field) => field.paste(text),
            Self::Number(digits) | Self::Named { digits, .. } => digits.paste(text),
            Self::Die(die) => text.trim().parse().is_ok_and(|pasted| {
                *die = pasted;
                true
            }),
            Self::Word { words, at } => {
                let pasted = text.trim().to_lowercase();
                let found = words.iter().position(|word| word.to_lowercase() == pasted);
                *at = found.unwrap_or(*at);
                found.is_some()
            }
            Self::Flag(_) => false,
        }
    }

    /// Moves or deletes within a text.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        match self {
            Self::Text(field) => field.apply(action),
            Self::Number(digits) => digits.apply(action),
            Self::Die(_) | Self::Word { .. } | Self::Named { .. } | Self::Flag(_) => false,
        }
    }
}

/// One of so many, stepped round and round.
pub(super) fn around(at: usize, by: i32, of: usize) -> usize {
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

    #[test]
    fn a_minus_of_print_is_a_minus() {
        let mut digits = Digits::new("5");
        for letter in "−2".chars() {
            assert!(digits.type_key(Key::char(letter)));
        }
        assert_eq!(digits.number(), Some(-2));
        assert!(digits.paste("3") && digits.number() == Some(-23));
    }
}
