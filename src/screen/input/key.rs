//! A key after decoding, with the names that `keys.toml` and the help use.

use std::fmt;
use std::str::FromStr;

/// A key with what was held beside it.
///
/// Shift is part of a letter (`D`, `?`) and only counts with keys that have no letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The key itself.
    pub code: KeyCode,
    /// Whether Control was held.
    pub ctrl: bool,
    /// Whether Alt was held.
    pub alt: bool,
    /// Whether Shift was held.
    pub shift: bool,
}

/// A key without what was held beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyCode {
    /// A letter, digit or sign, as it would be written.
    Char(char),
    /// Enter or Return.
    Enter,
    /// The tabulator.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Escape.
    Esc,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The arrow left.
    Left,
    /// The arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, F1 and on.
    Function(u8),
}

/// Names as in `keys.toml`, and as a person reads them.
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
        Self {
            code,
            ctrl: false,
            alt: false,
            shift: false,
        }
    }

    /// A letter, digit or sign.
    pub const fn char(letter: char) -> Self {
        Self::plain(KeyCode::Char(letter))
    }

    /// A letter with Control.
    pub const fn ctrl(letter: char) -> Self {
        Self {
            ctrl: true,
            ..Self::char(letter)
        }
    }

    /// The letter that this key would write, where it writes one.
    pub const fn letter(self) -> Option<char> {
        match self {
            Self {
                code: KeyCode::Char(letter),
                ctrl: false,
                alt: false,
                ..
            } => Some(letter),
            _ => None,
        }
    }

    /// The same key in the one form that terminals and `keys.toml` agree on.
    pub(crate) fn normal(mut self) -> Self {
        if let KeyCode::Char(letter) = self.code {
            let wanted = match (self.ctrl, self.shift) {
                (true, _) => letter.to_ascii_lowercase(),
                (false, true) => letter.to_ascii_uppercase(),
                (false, false) => letter,
            };
            self.code = KeyCode::Char(wanted);
            self.shift = false;
        }
        self
    }

    /// The key as help and bottom line show it: `Ctrl-R`, `Space`, `D`, `↑`.
    pub fn label(self, ascii: bool) -> String {
        let code = match self.code {
            KeyCode::Up if !ascii => "↑".to_owned(),
            KeyCode::Down if !ascii => "↓".to_owned(),
            KeyCode::Left if !ascii => "←".to_owned(),
            KeyCode::Right if !ascii => "→".to_owned(),
            KeyCode::Function(number) => format!("F{number}"),
            code => match (NAMES.iter().find(|(named, ..)| *named == code), code) {
                (Some((_, _, shown)), _) => (*shown).to_owned(),
                (None, KeyCode::Char(letter)) if self.ctrl => {
                    letter.to_ascii_uppercase().to_string()
                }
                (None, KeyCode::Char(letter)) => letter.to_string(),
                (None, _) => String::new(),
            },
        };
        let held = |yes: bool, name| if yes { name } else { "" };
        [
            held(self.ctrl, "Ctrl-"),
            held(self.alt, "Alt-"),
            held(self.shift, "Shift-"),
            &code,
        ]
        .concat()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [
            (self.ctrl, "ctrl-"),
            (self.alt, "alt-"),
            (self.shift, "shift-"),
        ] {
            f.write_str(if held { name } else { "" })?;
        }
        match (
            NAMES.iter().find(|(code, ..)| *code == self.code),
            self.code,
        ) {
            (Some((_, name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(letter)) => write!(f, "{letter}"),
            (None, KeyCode::Function(number)) => write!(f, "f{number}"),
            (None, _) => Ok(()),
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
        let refuse = || KeyNameError(name.to_owned());
        let mut key = Self::plain(KeyCode::Esc);
        let mut rest = name;
        loop {
            let (held, after) = if let Some(after) = rest.strip_prefix("ctrl-") {
                (&mut key.ctrl, after)
            } else if let Some(after) = rest.strip_prefix("alt-") {
                (&mut key.alt, after)
            } else if let Some(after) = rest.strip_prefix("shift-") {
                (&mut key.shift, after)
            } else {
                break;
            };
            if std::mem::replace(held, true) {
                return Err(refuse());
            }
            rest = after;
        }
        key.code = code_named(rest).ok_or_else(refuse)?;
        Ok(key.normal())
    }
}

fn code_named(name: &str) -> Option<KeyCode> {
    if let Some((code, ..)) = NAMES.iter().find(|(_, known, _)| *known == name) {
        return Some(*code);
    }
    let mut letters = name.chars();
    match (letters.next(), letters.as_str()) {
        (Some(letter), "") if !crate::text::is_hostile(letter) => Some(KeyCode::Char(letter)),
        (Some('f'), number) => match number.parse() {
            Ok(number @ 1..=24) => Some(KeyCode::Function(number)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for name in [
            "ctrl-r",
            "shift-tab",
            "enter",
            "space",
            "pgup",
            "?",
            "-",
            "ctrl--",
            "+",
            "D",
            "f12",
            "ctrl-alt-left",
            "alt-backspace",
            "ctrl-space",
            "é",
        ] {
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
        for name in [
            "",
            "ctrl-",
            "return",
            "ctrl-ctrl-r",
            "f0",
            "f25",
            "ab",
            "\u{1b}",
        ] {
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
