//! A key after decoding, with the names that `keys.toml` and the help use.

use std::fmt;
use std::str::FromStr;

pub use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// A key with its modifiers.
///
/// Shift is a part of a letter (`D`, `?`), and a modifier only of other keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    /// The modifiers that were held down.
    pub held: KeyModifiers,
}

/// The names of a modifier or a key.
struct KeyName<T> {
    code: T,
    /// The name in `keys.toml`.
    file: &'static str,
    /// The label on the screen.
    label: &'static str,
}

const fn name<T>(code: T, file: &'static str, label: &'static str) -> KeyName<T> {
    KeyName { code, file, label }
}

static MODIFIERS: [KeyName<KeyModifiers>; 3] = [
    name(KeyModifiers::CONTROL, "ctrl-", "Ctrl-"),
    name(KeyModifiers::ALT, "alt-", "Alt-"),
    name(KeyModifiers::SHIFT, "shift-", "Shift-"),
];

static NAMED_KEYS: [KeyName<KeyCode>; 15] = [
    name(KeyCode::Char(' '), "space", "Space"),
    name(KeyCode::Enter, "enter", "Enter"),
    name(KeyCode::Tab, "tab", "Tab"),
    name(KeyCode::Backspace, "backspace", "Backspace"),
    name(KeyCode::Delete, "delete", "Del"),
    name(KeyCode::Insert, "insert", "Ins"),
    name(KeyCode::Esc, "esc", "Esc"),
    name(KeyCode::Up, "up", "Up"),
    name(KeyCode::Down, "down", "Down"),
    name(KeyCode::Left, "left", "Left"),
    name(KeyCode::Right, "right", "Right"),
    name(KeyCode::Home, "home", "Home"),
    name(KeyCode::End, "end", "End"),
    name(KeyCode::PageUp, "pgup", "PgUp"),
    name(KeyCode::PageDown, "pgdn", "PgDn"),
];

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            held: KeyModifiers::NONE,
        }
    }

    /// A letter, a digit or another character.
    pub const fn char(letter: char) -> Self {
        Self::plain(KeyCode::Char(letter))
    }

    /// A letter with Control.
    pub const fn ctrl(letter: char) -> Self {
        Self {
            code: KeyCode::Char(letter),
            held: KeyModifiers::CONTROL,
        }
    }

    /// The character that this key types. `None` for keys that type none, and for keys with modifiers.
    pub const fn letter(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if self.held.is_empty() => Some(letter),
            _ => None,
        }
    }

    /// Returns the form of the key in which keys are compared: Shift is a part of the letter, and letters with Control
    /// are lowercase.
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

    /// The label of the key on the screen: `Ctrl-R`, `Space`, `D`, `↑`.
    pub fn label(self, ascii: bool) -> String {
        let mut label = String::new();
        for modifier in self.modifiers() {
            label.push_str(modifier.label);
        }
        label.push_str(&self.code_label(ascii));
        label
    }

    fn code_label(self, ascii: bool) -> String {
        let arrow = match self.code {
            KeyCode::Up => Some("↑"),
            KeyCode::Down => Some("↓"),
            KeyCode::Left => Some("←"),
            KeyCode::Right => Some("→"),
            _ => None,
        };
        if let Some(arrow) = arrow
            && !ascii
        {
            return arrow.to_owned();
        }
        if let Some(named) = self.named() {
            return named.label.to_owned();
        }

        match self.code {
            KeyCode::Char(letter) if self.held.contains(KeyModifiers::CONTROL) => {
                letter.to_ascii_uppercase().to_string()
            }
            code => code.to_string(),
        }
    }

    /// The modifiers of the key, in the order of their names.
    fn modifiers(self) -> impl Iterator<Item = &'static KeyName<KeyModifiers>> {
        MODIFIERS
            .iter()
            .filter(move |modifier| self.held.contains(modifier.code))
    }

    fn named(self) -> Option<&'static KeyName<KeyCode>> {
        NAMED_KEYS.iter().find(|named| named.code == self.code)
    }
}

impl fmt::Display for Key {
    /// Writes the name of the key in `keys.toml`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in self.modifiers() {
            f.write_str(modifier.file)?;
        }
        if let Some(named) = self.named() {
            return f.write_str(named.file);
        }
        match self.code {
            KeyCode::F(number) => write!(f, "f{number}"),
            code => write!(f, "{code}"),
        }
    }
}

/// An unknown name of a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no key; a key is one character, f1 to f24, or space, enter, tab, backspace, delete, \
     insert, esc, up, down, left, right, home, end, pgup, pgdn, with ctrl-, alt- or shift- before it"
)]
pub struct KeyNameError(pub String);

impl FromStr for Key {
    type Err = KeyNameError;

    fn from_str(name: &str) -> Result<Self, KeyNameError> {
        let mut key_name = name;
        let mut held = KeyModifiers::NONE;
        while let Some((modifier, after_modifier)) = strip_modifier(key_name, held) {
            held |= modifier;
            key_name = after_modifier;
        }

        let code = code_named(key_name).ok_or_else(|| KeyNameError(name.to_owned()))?;
        Ok(Self { code, held }.normal())
    }
}

/// Removes a modifier from the beginning of a name, unless the key has the modifier already.
fn strip_modifier(name: &str, held: KeyModifiers) -> Option<(KeyModifiers, &str)> {
    MODIFIERS
        .iter()
        .filter(|modifier| !held.contains(modifier.code))
        .find_map(|modifier| Some((modifier.code, name.strip_prefix(modifier.file)?)))
}

fn code_named(name: &str) -> Option<KeyCode> {
    let mut named_keys = NAMED_KEYS.iter();
    if let Some(named) = named_keys.find(|named| named.file == name) {
        return Some(named.code);
    }

    let mut letters = name.chars();
    match (letters.next()?, letters.as_str()) {
        (letter, "") if !tableside_text::is_hostile(letter) => Some(KeyCode::Char(letter)),
        ('f', number) => match number.parse() {
            Ok(number @ 1..=24) => Some(KeyCode::F(number)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_key_can_be_parsed() {
        let names = "ctrl-r shift-tab enter space pgup ? - ctrl-- + D f12 ctrl-alt-left \
                     alt-backspace ctrl-space é";
        for name in names.split(' ') {
            assert_eq!(name.parse::<Key>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn shift_is_a_part_of_a_letter() {
        assert_eq!("shift-d".parse(), Ok(Key::char('D')));
        assert_eq!("ctrl-R".parse(), Ok(Key::ctrl('r')));
    }

    #[test]
    fn an_unknown_name_is_refused() {
        let names = "ctrl- return ctrl-ctrl-r f0 f25 ab \u{1b}".split(' ');
        for name in names.chain([""]) {
            assert!(name.parse::<Key>().is_err(), "{name}");
        }
    }

    #[test]
    fn labels_look_like_those_on_a_keyboard() {
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
