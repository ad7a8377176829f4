//! A value being entered: text, a number, one of several words.

use std::borrow::Cow;

use crate::screen::action::Action;
use crate::screen::input::{Key, KeyCode};
use crate::screen::widget::field::Field;
use crate::text::is_same;

const LONGEST_NUMBER: usize = 6;

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

    /// Takes a key, if it belongs to a number from `min` on: a sign stands before the figures.
    fn type_key(&mut self, key: Key, min: i32) -> bool {
        if matches!(key.code, KeyCode::Backspace | KeyCode::Delete) {
            return self.apply(Action::DeleteBack);
        }
        let before = if self.is_fresh { "" } else { self.text() };
        let belongs = |letter: &char| match letter {
            '-' | '−' => min < 0 && matches!(before, "" | "="),
            '+' | '=' => before.is_empty(),
            letter => letter.is_ascii_digit(),
        };
        let letter = key.letter().filter(belongs);
        letter.is_some_and(|letter| self.paste(letter.encode_utf8(&mut [0; 4])))
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

impl Choice {
    /// The number that stands there now, instead of a word.
    fn number(&self) -> Option<&Digits> {
        let digits = self.digits.as_ref();
        digits.filter(|digits| self.words.is_empty() || !digits.text().is_empty())
    }

    fn step(&mut self, by: i32, (min, max): (i32, i32)) {
        match &mut self.digits {
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
        let digit = key.letter().filter(char::is_ascii_digit)?;
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
    pub(crate) fn words(&self) -> Cow<'_, str> {
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
    pub(super) fn type_key(&mut self, key: Key, min: i32) -> bool {
        match self {
            Self::Text(field) => key.letter().is_some_and(|letter| field.insert(letter)),
            Self::Choice(choice) => match &mut choice.digits {
                Some(digits) => digits.type_key(key, min),
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
                    stood.is_some_and(|one| is_same(one, word))
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

    #[test]
    fn a_minus_of_print_is_a_minus() {
        let mut digits = Digits::new("5");
        for letter in "−2".chars() {
            assert!(digits.type_key(Key::char(letter), -9));
        }
        assert_eq!(digits.number(), Some(-2));
        assert!(digits.paste("3") && digits.number() == Some(-23));
    }

    #[test]
    fn a_sign_stands_before_the_figures_and_a_minus_where_numbers_go_below_0() {
        for (min, typed, stands) in [
            (-9, "-5---4", "-54"),
            (0, "-5-4", "54"),
            (1, "+7+", "+7"),
            (-9, "=-2=", "=-2"),
        ] {
            let mut digits = Digits::new("5");
            for letter in typed.chars() {
                digits.type_key(Key::char(letter), min);
            }
            assert_eq!(digits.text(), stands);
        }
    }
}
