//! A key after decoding, with the names that `keys.toml` and the help use.

use std::fmt;
use std::str::FromStr;

pub use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// A key with what was held beside it.
///
/// Shift is part of a letter (`D`, `?`) and only counts with keys that have no letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key itself.
    pub code: KeyCode,
    /// What was held beside it.
    pub held: KeyModifiers,
}

/// What can be held, by its name in `keys.toml`, and as a person reads it.
const HELD: [(KeyModifiers, &str, &str); 3] = [
    (KeyModifiers::CONTROL, "ctrl-", "Ctrl-"),
    (KeyModifiers::ALT, "alt-", "Alt-"),
    (KeyModifiers::SHIFT, "shift-", "Shift-"),
];

/// Keys that write no letter, by their names in `keys.toml`, and as a person reads them.
const NAMES: [(KeyCode, &str, &str); 15] = [
    (KeyCode::Char(' '), "space", "Space"),
    (KeyCode::Enter, "enter", "Enter"),
    (KeyCode::Tab, "tab", "Tab"),
    (KeyCode::Backspace, "backspace", "Backspace"),
    (KeyCode::Delete, "delete", "Del"),
    (KeyCode::Insert, "insert", "Ins"),
    (KeyCode::Esc, "esc", "Esc"),
    (KeyCode::Up, "up", "Up"),
    (KeyCode::Down, "down", "Down"),
    (KeyCode::Left, "left", "Left"),
    (KeyCode::Right, "right", "Right"),
    (KeyCode::Home, "home", "Home"),
    (KeyCode::End, "end", "End"),
    (KeyCode::PageUp, "pgup", "PgUp"),
    (KeyCode::PageDown, "pgdn", "PgDn"),
];

impl Key {
    /// A key with nothing held beside it.
    pub const fn plain(code: KeyCode) -> Self {
        let held = KeyModifiers::NONE;
        Self { code, held }
    }

    /// A letter, digit or sign.
    pub const fn char(letter: char) -> Self {
        Self::plain(KeyCode::Char(letter))
    }

    /// A letter with Control.
    pub const fn ctrl(letter: char) -> Self {
        let (code, held) = (KeyCode::Char(letter), KeyModifiers::CONTROL);
        Self { code, held }
    }

    /// The letter that this key would write, where it writes one.
    pub const fn letter(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if self.held.is_empty() => Some(letter),
            _ => None,
        }
    }

    /// The same key in the one form that terminals and `keys.toml` agree on.
    pub fn normal(mut self) -> Self {
        if let KeyCode::Char(letter) = &mut self.code {
            if self.held.contains(KeyModifiers::CONTROL) {
                letter.make_ascii_lowercase();
            } else if self.held.contains(KeyModifiers::SHIFT) {
                letter.make_ascii_uppercase();
            }
            self.held.remove(KeyModifiers::SHIFT);
        }
        self
    }

    /// The key as help and bottom line show it: `Ctrl-R`, `Space`, `D`, `↑`.
    pub fn label(self, ascii: bool) -> String {
        let held = HELD.iter().filter(|(held, ..)| self.held.contains(*held));
        let held: String = held.map(|(_, _, shown)| *shown).collect();
        let named = NAMES.iter().find(|(code, ..)| *code == self.code);
        held + match (self.code, named) {
            (KeyCode::Up, _) if !ascii => "↑".to_owned(),
            (KeyCode::Down, _) if !ascii => "↓".to_owned(),
            (KeyCode::Left, _) if !ascii => "←".to_owned(),
            (KeyCode::Right, _) if !ascii => "→".to_owned(),
            (_, Some((_, _, shown))) => (*shown).to_owned(),
            (KeyCode::Char(letter), None) if self.held.contains(KeyModifiers::CONTROL) => {
                letter.to_ascii_uppercase().to_string()
            }
            // Letters and `F1` read the same everywhere.
            (code, None) => code.to_string(),
        }
        .as_str()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, name, _) in HELD.iter().filter(|(held, ..)| self.held.contains(*held)) {
            f.write_str(name)?;
        }
        let named = NAMES.iter().find(|(code, ..)| *code == self.code);
        match (self.code, named) {
            (_, Some((_, name, _))) => f.write_str(name),
            (KeyCode::F(number), None) => write!(f, "f{number}"),
            (code, None) => write!(f, "{code}"),
        }
    }
}

/// A word that names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no key; a key is one character, f1 to f24, or space, enter, tab, backspace, delete, \
     insert, esc, up, down, left, right, home, end, pgup, pgdn, with ctrl-, alt- or shift- before it"
)]
pub struct KeyNameError(pub String);

impl FromStr for Key {
    type Err = KeyNameError;

    fn from_str(name: &str) -> Result<Self, KeyNameError> {
        let (mut rest, mut held) = (name, KeyModifiers::NONE);
        // Each once, in any order.
        for _ in HELD {
            for (modifier, prefix, _) in HELD {
                if let Some(after) = rest
                    .strip_prefix(prefix)
                    .filter(|_| !held.contains(modifier))
                {
                    held |= modifier;
                    rest = after;
                }
            }
        }
        let code = code_named(rest).ok_or_else(|| KeyNameError(name.to_owned()))?;
        Ok(Self { code, held }.normal())
    }
}

fn code_named(name: &str) -> Option<KeyCode> {
    if let Some((code, ..)) = NAMES.iter().find(|(_, known, _)| *known == name) {
        return Some(*code);
    }
    let mut letters = name.chars();
    match (letters.next()?, letters.as_str()) {
        (letter, "") if !tableside_text::is_hostile(letter) => Some(KeyCode::Char(letter)),
        ('f', number) => {
            let number = number.parse().ok();
            let known = number.filter(|number| (1..=24).contains(number));
            known.map(KeyCode::F)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        let names = "ctrl-r shift-tab enter space pgup ? - ctrl-- + D f12 ctrl-alt-left \
                     alt-backspace ctrl-space é";
        for name in names.split(' ') {
            assert_eq!(name.parse::<Key>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn shift_is_part_of_a_letter() {
        assert_eq!("shift-d".parse(), Ok(Key::char('D')));
        assert_eq!("ctrl-R".parse(), Ok(Key::ctrl('r')));
    }

    #[test]
    fn a_word_that_is_no_key_is_refused() {
        let names = "ctrl- return ctrl-ctrl-r f0 f25 ab \u{1b}".split(' ');
        for name in names.chain([""]) {
            assert!(name.parse::<Key>().is_err(), "{name}");
        }
    }

    #[test]
    fn labels_read_like_a_keyboard() {
        assert_eq!(Key::ctrl('r').label(false), "Ctrl-R");
        assert_eq!(Key::plain(KeyCode::Up).label(false), "↑");
        assert_eq!(Key::plain(KeyCode::Up).label(true), "Up");
        assert_eq!(
            "shift-tab".parse::<Key>().unwrap().label(false),
            "Shift-Tab"
        );
        assert_eq!(Key::char('D').label(false), "D");
    }
}
