//! A value being entered: text, a number, a die, one of several words, yes or no.

use std::borrow::Cow;

use crate::dice::Die;
use crate::screen::action::Action;
use crate::screen::input::{Key, KeyCode};
use crate::screen::widget::field::Field;
use crate::text::is_same;

const LONGEST_NUMBER: usize = 6;

#[derive(Clone, Debug)]
pub(in crate::screen::dialog) enum Entry {
    Text(Field),
    /// One of these words, a number that is typed, or either.
    Choice {
        words: Vec<String>,
        at: usize,
        /// The number; empty while it is one of the words, `None` if only words are taken.
        digits: Option<Digits>,
    },
    Die(Die),
    Flag(bool),
    /// A value that the dialog keeps and steps itself, in words; with digits typed over it.
    Shown {
        words: String,
        typed: Option<Digits>,
        /// Whether digits can be typed over it.
        is_typed: bool,
    },
}

/// Digits being typed: the first one replaces what was there.
#[derive(Clone, Debug)]
pub(in crate::screen::dialog) struct Digits {
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

    pub(in crate::screen::dialog) fn text(&self) -> &str {
        self.field.value()
    }

    /// The number that is there, if it is one.
    pub(super) fn number(&self) -> Option<i32> {
        self.text().trim().parse().ok()
    }

    /// The text, if something was typed that another digit would be added to.
    pub(super) fn being_typed(&self) -> Option<&Field> {
        (!self.is_fresh).then_some(&self.field)
    }

    pub(super) fn field(&self) -> &Field {
        &self.field
    }

    /// Lets the next digit replace what is there.
    pub(super) fn freshen(&mut self) {
        self.is_fresh = true;
    }

    fn set(&mut self, value: i32) {
        self.field.set(&value.to_string());
        self.is_fresh = true;
    }

    fn apply(&mut self, action: Action) -> bool {
        let steps = matches!(action, Action::Undo | Action::Redo);
        if steps {
            self.field.apply(action);
            self.is_fresh = true;
        }
        steps
    }

    /// Takes a key, if it belongs to a number.
    fn type_key(&mut self, key: Key) -> bool {
        if matches!(key.code, KeyCode::Backspace | KeyCode::Delete) {
            self.is_fresh = false;
            self.field.apply(Action::LineEnd);
            return self.field.apply(Action::DeleteBack);
        }
        let of_a_number = |letter: &char| letter.is_ascii_digit() || "-+−".contains(*letter);
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

impl Entry {
    /// What was entered, in words.
    pub(in crate::screen::dialog) fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Text(field) => field.value().into(),
            Self::Choice { words, at, digits } => match digits {
                Some(digits) if words.is_empty() || !digits.text().is_empty() => {
                    digits.text().into()
                }
                _ => words.get(*at).map_or("", String::as_str).into(),
            },
            Self::Die(die) => die.name().into(),
            Self::Flag(true) => "yes".into(),
            Self::Flag(false) => "no".into(),
            Self::Shown { words, .. } => words.into(),
        }
    }

    /// Whether keys that write a letter write it here.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    pub(super) fn digits(&self) -> Option<&Digits> {
        match self {
            Self::Choice { digits, .. } => digits.as_ref(),
            Self::Shown { typed, .. } => typed.as_ref(),
            Self::Text(_) | Self::Die(_) | Self::Flag(_) => None,
        }
    }

    pub(super) fn digits_mut(&mut self) -> Option<&mut Digits> {
        match self {
            Self::Choice { digits, .. } => digits.as_mut(),
            Self::Shown { typed, .. } => typed.as_mut(),
            Self::Text(_) | Self::Die(_) | Self::Flag(_) => None,
        }
    }

    pub(super) fn step(&mut self, by: i32, (min, max): (i32, i32)) {
        match self {
            Self::Text(field) => {
                field.apply(if by > 0 {
                    Action::CursorRight
                } else {
                    Action::CursorLeft
                });
            }
            Self::Choice { words, at, digits } => match digits {
                Some(digits) if words.is_empty() => {
                    let now = digits.number().unwrap_or_else(|| 0.clamp(min, max) - by);
                    digits.set(now.saturating_add(by).clamp(min, max));
                }
                Some(digits) if !digits.text().is_empty() => *digits = Digits::new(""),
                _ => *at = around(*at, by, words.len()),
            },
            Self::Die(die) => {
                let step = if by > 0 { die.up() } else { die.down() };
                *die = step.unwrap_or(*die);
            }
            Self::Flag(flag) => *flag = !*flag,
            Self::Shown { typed, .. } => *typed = None,
        }
    }

    /// Takes a key that is bound to nothing.
    pub(super) fn type_key(&mut self, key: Key) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Choice { digits, .. } => {
                digits.as_mut().is_some_and(|digits| digits.type_key(key))
            }
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
            Self::Shown { .. } => self.type_over(|digits| digits.type_key(key)),
            // A letter leads to another row of the form.
            Self::Flag(_) => false,
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> bool {
        match self {
            Self::Text(field) => field.paste(text),
            Self::Choice {
                digits: Some(digits),
                ..
            } => digits.paste(text),
            Self::Choice { words, at, .. } => {
                let found = words.iter().position(|word| is_same(word, text.trim()));
                *at = found.unwrap_or(*at);
                found.is_some()
            }
            Self::Die(die) => text.trim().parse().is_ok_and(|pasted| {
                *die = pasted;
                true
            }),
            Self::Shown { .. } => self.type_over(|digits| digits.paste(text)),
            Self::Flag(_) => false,
        }
    }

    /// Lets digits be typed over a shown value, a die's by its number alone.
    fn type_over(&mut self, write: impl FnOnce(&mut Digits) -> bool) -> bool {
        let Self::Shown {
            words,
            typed,
            is_typed: true,
        } = self
        else {
            return false;
        };
        let known = typed.is_some();
        let number = words.trim_start_matches('d');
        let number = number.parse::<i32>().map_or("", |_| number);
        let mut digits = typed.take().unwrap_or_else(|| Digits::new(number));
        let written = write(&mut digits);
        *typed = (written || known).then_some(digits);
        written
    }

    /// Moves or deletes within a text.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        match self {
            Self::Text(field) => field.apply(action),
            Self::Choice { words, digits, .. } if words.is_empty() => {
                digits.as_mut().is_some_and(|digits| digits.apply(action))
            }
            Self::Choice { .. } | Self::Die(_) | Self::Flag(_) | Self::Shown { .. } => false,
        }
    }

    /// Keeps what was entered when the row is laid out anew as `now`: a word that is offered no more stays
    /// to be picked.
    pub(super) fn carry_into(self, now: &mut Self) {
        match (self, now) {
            (before @ Self::Text(_), now @ Self::Text(_))
            | (before @ Self::Die(_), now @ Self::Die(_))
            | (before @ Self::Flag(_), now @ Self::Flag(_)) => *now = before,
            (Self::Shown { typed, .. }, Self::Shown { typed: now, .. }) => *now = typed,
            (
                Self::Choice {
                    mut words,
                    at,
                    digits,
                },
                Self::Choice {
                    words: new,
                    at: place,
                    digits: number,
                },
            ) => {
                if number.is_some() && digits.is_some() {
                    *number = digits;
                }
                if words == *new {
                    *place = at;
                } else if at < words.len() {
                    let word = words.swap_remove(at);
                    let found = new.iter().position(|one| is_same(one, &word));
                    if found.is_none() && at > 0 {
                        new.push(word);
                    }
                    let found = found.or_else(|| (at > 0).then(|| new.len() - 1));
                    *place = found.unwrap_or(*place);
                }
            }
            _ => {}
        }
    }
}

/// One of so many, stepped round and round.
pub(in crate::screen::dialog) fn around(at: usize, by: i32, of: usize) -> usize {
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
