//! What whole sequences mean. Unknown ones mean nothing.

use ratatui::layout::Position;

use super::Typed;
use super::key::{Key, KeyCode, KeyModifiers};

/// A letter as it was typed.
pub(super) fn letter(letter: char) -> Option<Key> {
    Some(match letter {
        // Scripts send a line feed where a keyboard sends a return.
        '\r' | '\n' => Key::plain(KeyCode::Enter),
        '\t' => Key::plain(KeyCode::Tab),
        '\x7F' => Key::plain(KeyCode::Backspace),
        '\x1B' => Key::plain(KeyCode::Esc),
        // 0x01 is Ctrl-A, 0x1F is Ctrl-_: the letter's code without its upper bits. 0x08 is Ctrl-H:
        // nearly every terminal sends 0x7F for Backspace.
        '\0' => Key::ctrl(' '),
        '\x01'..='\x1F' => Key::ctrl(char::from(letter as u8 | 0x40).to_ascii_lowercase()),
        control if control.is_control() => return None,
        _ => Key::char(letter),
    })
}

/// ESC `O` … `last`.
pub(super) fn ss3(parameters: &[u8], last: u8) -> Option<Typed> {
    let code = match last {
        b'M' => KeyCode::Enter,
        b'X' => KeyCode::Char('='),
        // The number block in application mode, `*` to `9`.
        b'j'..=b'y' => KeyCode::Char(char::from(last - 0x40)),
        _ => arrow(last)?,
    };
    let modifiers = parameters
        .last()
        .map_or(1, |digit| digit.wrapping_sub(b'0'));
    Some(Typed::Key(held(Key::plain(code), modifiers.into())))
}

/// ESC `[[` `last`: F1 to F5 of the Linux console.
pub(super) fn console(last: u8) -> Option<Typed> {
    matches!(last, b'A'..=b'E').then(|| Typed::Key(Key::plain(KeyCode::F(last - b'A' + 1))))
}

/// ESC `[` parameters `last`.
pub(super) fn csi(parameters: &[u8], last: u8) -> Option<Typed> {
    let text = str::from_utf8(parameters).ok()?;
    if let Some(report) = text.strip_prefix('<') {
        return mouse(report, last);
    }
    let mut numbers = text.split(';');
    let first = part(numbers.next(), 0)?;
    let second = numbers.next();
    let modifiers = part(second, 0)?;
    let key = match last {
        b'Z' => held(Key::plain(KeyCode::Tab), 2),
        b'~' if first == 27 => held(coded(part(numbers.next(), 0)?)?, modifiers),
        b'~' => held(Key::plain(numbered(first)?), modifiers),
        b'u' => held(coded(first)?, modifiers),
        _ => held(Key::plain(arrow(last)?), modifiers),
    };
    // Terminals with the newer keyboard protocol may also report that a key came up.
    let released = second.is_some_and(|held| held.ends_with(":3"));
    (!released).then_some(Typed::Key(key))
}

/// A number before the first `:`; a missing one is 1, anything else is no key.
fn part(text: Option<&str>, nth: usize) -> Option<u32> {
    match text.and_then(|text| text.split(':').nth(nth)) {
        None | Some("") => Some(1),
        Some(number) => number.parse().ok(),
    }
}

fn arrow(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

fn numbered(number: u32) -> Option<KeyCode> {
    let function = |offset: u32| u8::try_from(number - offset).ok().map(KeyCode::F);
    match number {
        1 | 7 => Some(KeyCode::Home),
        2 => Some(KeyCode::Insert),
        3 => Some(KeyCode::Delete),
        4 | 8 => Some(KeyCode::End),
        5 => Some(KeyCode::PageUp),
        6 => Some(KeyCode::PageDown),
        11..=15 => function(10),
        17..=21 => function(11),
        23..=26 => function(12),
        28..=29 => function(15),
        31..=34 => function(17),
        _ => None,
    }
}

/// A key sent as the number of its character.
fn coded(number: u32) -> Option<Key> {
    // The newer protocol puts keys without a letter into the private area.
    let typed = char::from_u32(number).filter(|typed| !matches!(typed, '\u{E000}'..='\u{F8FF}'));
    typed.and_then(letter)
}

/// The key with what was held beside it: a sum of 1 for Shift, 2 for Alt and 4 for Control, and one more.
fn held(mut key: Key, modifiers: u32) -> Key {
    let bits = modifiers.saturating_sub(1);
    for (bit, modifier) in [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
    ] {
        if bits & bit != 0 {
            key.held |= modifier;
        }
    }
    key.normal()
}

/// Only the first button and the wheel count, whatever is held beside them.
fn mouse(report: &str, last: u8) -> Option<Typed> {
    let mut numbers = report.split(';').map(str::parse::<u16>);
    let mut next = || numbers.next().and_then(Result::ok);
    let (button, column, row) = (next()?, next()?, next()?);
    match (button & !0b1_1100, last) {
        (0, b'M') => Some(Typed::Press(Position {
            x: column.saturating_sub(1),
            y: row.saturating_sub(1),
        })),
        (64, b'M') => Some(Typed::Wheel(-1)),
        (65, b'M') => Some(Typed::Wheel(1)),
        _ => None,
    }
}
