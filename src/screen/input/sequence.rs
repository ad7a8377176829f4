//! What whole sequences mean. Unknown ones mean nothing.

use super::key::{Key, KeyCode};
use super::typed::{Mouse, MouseKind, Typed};

/// One byte below 0x80 that is not ESC.
pub(super) fn single(byte: u8) -> Key {
    match byte {
        // Scripts send a line feed where a keyboard sends a return.
        b'\r' | b'\n' => Key::plain(KeyCode::Enter),
        b'\t' => Key::plain(KeyCode::Tab),
        0x7F => Key::plain(KeyCode::Backspace),
        0x00 => Key::ctrl(' '),
        // 0x01 is Ctrl-A, 0x1F is Ctrl-_: the letter's code without its upper bits. 0x08 is Ctrl-H:
        // nearly every terminal sends 0x7F for Backspace.
        0x01..=0x1F => Key::ctrl(char::from(byte | 0x40).to_ascii_lowercase()),
        _ => Key::char(char::from(byte)),
    }
}

/// ESC `O` … `last`.
pub(super) fn ss3(parameters: &[u8], last: u8) -> Option<Key> {
    let code = match last {
        b'M' => KeyCode::Enter,
        b'X' => KeyCode::Char('='),
        // The number block in application mode, `*` to `9`.
        b'j'..=b'y' => KeyCode::Char(char::from(last - 0x40)),
        _ => arrow(last)?,
    };
    Some(held(
        Key::plain(code),
        parameters
            .last()
            .map_or(1, |digit| digit.wrapping_sub(b'0').into()),
    ))
}

/// ESC `[[` `last`: F1 to F5 of the Linux console.
pub(super) fn console(last: u8) -> Option<Key> {
    matches!(last, b'A'..=b'E').then(|| Key::plain(KeyCode::Function(last - b'A' + 1)))
}

/// ESC `[` parameters `last`.
pub(super) fn csi(parameters: &[u8], last: u8) -> Option<Typed> {
    let text = str::from_utf8(parameters).ok()?;
    if let Some(report) = text.strip_prefix('<') {
        return mouse(report, last).map(Typed::Mouse);
    }
    let mut numbers = text.split(';');
    let first = part(numbers.next(), 0)?;
    let second = numbers.next();
    let modifiers = part(second, 0)?;
    let key = match last {
        b'Z' => Key {
            shift: true,
            ..Key::plain(KeyCode::Tab)
        },
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
        b'P'..=b'S' => KeyCode::Function(last - b'P' + 1),
        _ => return None,
    })
}

fn numbered(number: u32) -> Option<KeyCode> {
    let function = |offset: u32| u8::try_from(number - offset).ok().map(KeyCode::Function);
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
    match char::from_u32(number)? {
        '\u{1b}' => Some(Key::plain(KeyCode::Esc)),
        // The newer protocol puts keys without a letter into the private area.
        '\u{E000}'..='\u{F8FF}' => None,
        ascii if ascii.is_ascii() => u8::try_from(number).ok().map(single),
        control if control.is_control() => None,
        letter => Some(Key::char(letter)),
    }
}

fn held(mut key: Key, modifiers: u32) -> Key {
    let bits = modifiers.saturating_sub(1);
    key.shift |= bits & 1 != 0;
    key.alt |= bits & 2 != 0;
    key.ctrl |= bits & 4 != 0;
    key.normal()
}

fn mouse(report: &str, last: u8) -> Option<Mouse> {
    let mut numbers = report.split(';').map(str::parse::<u16>);
    let mut next = || numbers.next().and_then(Result::ok);
    let (button, column, row) = (next()?, next()?, next()?);
    // Shift, Alt and Control held with the mouse say nothing here.
    let kind = match (button & !0b1_1100, last) {
        (0, b'M') => MouseKind::Press,
        (0 | 32, b'm') => MouseKind::Release,
        (32, b'M') => MouseKind::Drag,
        (64, b'M') => MouseKind::ScrollUp,
        (65, b'M') => MouseKind::ScrollDown,
        _ => return None,
    };
    Some(Mouse {
        kind,
        column: column.saturating_sub(1),
        row: row.saturating_sub(1),
    })
}
