//! A value being entered: text, a number, one of several words.

use std::borrow::Cow;

use crate::screen::action::Action;
use crate::screen::input::{Key, KeyCode};
use crate::screen::widget::field::Field;
use crate::text::is_same;

const LONGEST_NUMBER: usize = 6;

#[derive(Clone, Debug)]
pub(crate) enum TypedValue {
    Text(Field),
    /// One of these words, a number that is typed, or either.
    Choice {
        words: Vec<String>,
        at: usize,
        /// The number; empty while it is one of the words, `None` if only words are taken.
        digits: Option<Digits>,
        /// Whether the dialog keeps the value, shows it as the one word, and steps it itself.
        is_kept: bool,
    },
}

/// Digits being typed: the first one replaces what was there.
#[derive(Clone, Debug)]
pub(crate) struct Digits {
    field: Field,
    is_fresh: bool,
}

impl Digits {
    pub(super) fn new(value: &str) -> Self {
        Self {
            field: Field::new(value, LONGEST_NUMBER),
            is_fresh: true,
        }
    }

    pub(super) fn text(&self) -> &str {
        self.field.value()
    }

    /// The number that is there, if it is one.
    pub(super) fn number(&self) -> Option<i32> {
        self.text().trim().trim_start_matches('=').parse().ok()
    }

    /// Lets the next digit replace what is there.
    pub(super) fn freshen(&mut self) {
        self.is_fresh = true;
    }

    /// Takes a key, if it belongs to a number.
    fn type_key(&mut self, key: Key) -> bool {
        if matches!(key.code, KeyCode::Backspace | KeyCode::Delete) {
            self.is_fresh = false;
            self.field.apply(Action::LineEnd);
            return self.field.apply(Action::DeleteBack);
        }
        let of_a_number = |letter: &char| letter.is_ascii_digit() || "-+−=".contains(*letter);
        let letter = key.letter().filter(of_a_number);
        letter.is_some_and(|letter| self.paste(letter.encode_utf8(&mut [0; 4])))
    }

    /// Takes a pasted text; a minus of print is one of the keyboard.
    fn paste(&mut self, text: &str) -> bool {
        let text = text.trim().replace('−', "-");
        if std::mem::take(&mut self.is_fresh) {
            self.field.set(&text);
            return true;
        }
        self.field.paste(&text)
    }
}

impl TypedValue {
    /// What was entered, in words.
    pub(crate) fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Text(field) => field.value().into(),
            Self::Choice { words, at, .. } => match self.number() {
                Some(digits) => digits.text().into(),
                None => words.get(*at).map_or("", String::as_str).into(),
            },
        }
    }

    /// Whether keys that write a letter write it here.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// The number that stands there now, instead of a word.
    fn number(&self) -> Option<&Digits> {
        match self {
            Self::Choice { words, digits, .. } => {
                let digits = digits.as_ref();
                digits.filter(|digits| words.is_empty() || !digits.text().is_empty())
            }
            Self::Text(_) => None,
        }
    }

    pub(super) fn digits(&self) -> Option<&Digits> {
        match self {
            Self::Choice { digits, .. } => digits.as_ref(),
            Self::Text(_) => None,
        }
    }

    pub(super) fn digits_mut(&mut self) -> Option<&mut Digits> {
        match self {
            Self::Choice { digits, .. } => digits.as_mut(),
            Self::Text(_) => None,
        }
    }

    pub(super) fn is_kept(&self) -> bool {
        matches!(self, Self::Choice { is_kept: true, .. })
    }

    /// The digits that are being typed, and are drawn as a text.
    pub(super) fn being_typed(&self) -> Option<&Field> {
        let digits = self.number()?;
        let is_typed = self.is_kept() || !digits.is_fresh;
        is_typed.then_some(&digits.field)
    }

    pub(super) fn step(&mut self, by: i32, (min, max): (i32, i32)) {
        match self {
            Self::Text(field) => {
                field.apply(match by {
                    1.. => Action::CursorRight,
                    _ => Action::CursorLeft,
                });
            }
            Self::Choice { is_kept: true, .. } => self.untype(),
            Self::Choice {
                words, at, digits, ..
            } => match digits {
                Some(digits) if words.is_empty() => {
                    let now = digits.number().unwrap_or_else(|| 0.clamp(min, max) - by);
                    let next = now.saturating_add(by).clamp(min, max);
                    // What is typed with a sign is more or less than there is.
                    let is_signed = digits.text().starts_with('+') && next > 0;
                    let plus = if is_signed { "+" } else { "" };
                    digits.field.set(&format!("{plus}{next}"));
                    digits.freshen();
                }
                Some(digits) if !digits.text().is_empty() => *digits = Digits::new(""),
                _ => *at = around(*at, by, words.len()),
            },
        }
    }

    /// Takes a key that is bound to nothing.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Choice {
                words,
                at,
                digits: None,
                ..
            } => {
                // A digit leads to the next word with it, as in a choice of dice.
                let digit = key.letter().filter(char::is_ascii_digit);
                let mut order = (1..=words.len()).map(|by| (*at + by) % words.len());
                let found =
                    digit.and_then(|digit| order.find(|place| words[*place].contains(digit)));
                *at = found.unwrap_or(*at);
                found.is_some()
            }
            Self::Choice { digits, .. } => digits.as_mut().is_some_and(|one| one.type_key(key)),
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> bool {
        match self {
            Self::Text(field) => field.paste(text),
            Self::Choice { digits, .. } => digits.as_mut().is_some_and(|one| one.paste(text)),
        }
    }

    /// Forgets what is typed over a value that the dialog keeps.
    pub(super) fn untype(&mut self) {
        if let Self::Choice {
            digits: Some(digits),
            is_kept: true,
            ..
        } = self
        {
            *digits = Digits::new("");
        }
    }

    /// Moves or deletes within a text; what was typed of a number is only taken back.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        match self {
            Self::Text(field) => field.apply(action),
            Self::Choice { words, digits, .. } if words.is_empty() => {
                let takes_back = matches!(action, Action::Undo | Action::Redo);
                let digits = digits.as_mut().filter(|_| takes_back);
                digits.is_some_and(|digits| {
                    digits.freshen();
                    digits.field.apply(action)
                })
            }
            Self::Choice { .. } => false,
        }
    }

    /// Keeps what was entered when the row is laid out anew as `now`, as far as it is still offered there.
    pub(super) fn carry_into(self, now: &mut Self) {
        match (self, now) {
            (before @ Self::Text(_), now @ Self::Text(_)) => *now = before,
            (
                Self::Choice {
                    words: known,
                    at: before,
                    digits: typed,
                    ..
                },
                Self::Choice {
                    words, at, digits, ..
                },
            ) => {
                if digits.is_some() && typed.is_some() {
                    *digits = typed;
                }
                let same = |word: &String| known.get(before).is_some_and(|one| is_same(one, word));
                let found = words.iter().position(same);
                *at = if known == *words {
                    before
                } else {
                    found.unwrap_or(*at)
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
