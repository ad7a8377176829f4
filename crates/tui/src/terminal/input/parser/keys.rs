//! The keys and mouse events that letters and escape sequences stand for.

use ratatui::layout::Position;

use crate::terminal::input::Typed;
use crate::terminal::input::key::{Key, KeyCode, KeyModifiers};

/// The bits of a mouse report for Shift, Alt and Control.
const MOUSE_MODIFIERS: u16 = 0b1_1100;

/// Returns the key that types a letter or a control character.
pub(super) fn typed_letter(letter: char) -> Option<Key> {
    match letter {
        // A line feed is Ctrl-J. The screen treats it as Enter unless it is bound, because scripts send it for Enter.
        '\r' => Some(Key::plain(KeyCode::Enter)),
        '\t' => Some(Key::plain(KeyCode::Tab)),
        '\x7F' => Some(Key::plain(KeyCode::Backspace)),
        '\x1B' => Some(Key::plain(KeyCode::Esc)),
        '\0' => Some(Key::ctrl(' ')),
        // 0x01 is Ctrl-A and 0x1F is Ctrl-_: the code of the letter without its upper bits. 0x08 is Ctrl-H, because
        // nearly all terminals send 0x7F for Backspace.
        '\x01'..='\x1F' => {
            let letter = char::from(letter as u8 | 0x40);
            Some(Key::ctrl(letter.to_ascii_lowercase()))
        }
        control if control.is_control() => None,
        letter => Some(Key::char(letter)),
    }
}

/// Parses `ESC O`, parameters and a final byte.
pub(super) fn parse_ss3(parameters: &[u8], final_byte: u8) -> Option<Typed> {
    let code = match final_byte {
        b'M' => KeyCode::Enter,
        b'X' => KeyCode::Char('='),
        // The number pad in application mode: `*` to `9`.
        b'j'..=b'y' => KeyCode::Char(char::from(final_byte - 0x40)),
        _ => arrow_key(final_byte)?,
    };
    let modifiers = match parameters.last() {
        Some(digit) => digit.wrapping_sub(b'0'),
        None => 1,
    };
    let key = with_modifiers(Key::plain(code), modifiers.into());
    Some(Typed::Key(key))
}

/// Parses `ESC [`, parameters and a final byte.
pub(super) fn parse_csi(parameters: &[u8], final_byte: u8) -> Option<Typed> {
    let text = str::from_utf8(parameters).ok()?;
    if let Some(report) = text.strip_prefix('<') {
        return parse_mouse_report(report, final_byte);
    }

    let mut numbers = text.split(';');
    let first = parse_number(numbers.next())?;
    let second_text = numbers.next();
    let modifiers = parse_number(second_text)?;

    // Terminals with the kitty keyboard protocol also report released keys.
    let is_released = second_text.is_some_and(|text| text.ends_with(":3"));
    let key = match final_byte {
        b'Z' => with_modifiers(Key::plain(KeyCode::Tab), 2),
        b'~' if first == 27 => {
            let code = parse_number(numbers.next())?;
            with_modifiers(key_of_character(code)?, modifiers)
        }
        b'~' => with_modifiers(Key::plain(numbered_key(first)?), modifiers),
        b'u' => with_modifiers(key_of_character(first)?, modifiers),
        _ => with_modifiers(Key::plain(arrow_key(final_byte)?), modifiers),
    };
    if is_released {
        None
    } else {
        Some(Typed::Key(key))
    }
}

/// Parses the number before the first `:`. A missing number is 1.
fn parse_number(parameter: Option<&str>) -> Option<u32> {
    let Some(parameter) = parameter else {
        return Some(1);
    };
    match parameter.split(':').next() {
        None | Some("") => Some(1),
        Some(number) => number.parse().ok(),
    }
}

fn arrow_key(final_byte: u8) -> Option<KeyCode> {
    match final_byte {
        b'A' => Some(KeyCode::Up),
        b'B' => Some(KeyCode::Down),
        b'C' => Some(KeyCode::Right),
        b'D' => Some(KeyCode::Left),
        b'F' => Some(KeyCode::End),
        b'H' => Some(KeyCode::Home),
        b'P'..=b'S' => Some(KeyCode::F(final_byte - b'P' + 1)),
        _ => None,
    }
}

/// Returns the key that terminals send as `ESC [ number ~`.
fn numbered_key(number: u32) -> Option<KeyCode> {
    // The numbers of function keys have gaps.
    let offset = match number {
        1 | 7 => return Some(KeyCode::Home),
        2 => return Some(KeyCode::Insert),
        3 => return Some(KeyCode::Delete),
        4 | 8 => return Some(KeyCode::End),
        5 => return Some(KeyCode::PageUp),
        6 => return Some(KeyCode::PageDown),
        11..=15 => 10,
        17..=21 => 11,
        23..=26 => 12,
        28..=29 => 15,
        31..=34 => 17,
        _ => return None,
    };
    let function_key = u8::try_from(number - offset).ok()?;
    Some(KeyCode::F(function_key))
}

/// Returns the key that types the character with this code point.
fn key_of_character(code_point: u32) -> Option<Key> {
    let letter = char::from_u32(code_point)?;
    // The kitty keyboard protocol uses the private use area for keys that type no letter.
    if matches!(letter, '\u{E000}'..='\u{F8FF}') {
        return None;
    }
    typed_letter(letter)
}

/// Adds the modifiers of a sequence to a key. `modifiers` is 1 plus the sum of 1 for Shift, 2 for Alt and 4 for
/// Control.
fn with_modifiers(mut key: Key, modifiers: u32) -> Key {
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

/// Parses a press of the first mouse button or a turn of the wheel. Modifiers are ignored.
fn parse_mouse_report(report: &str, final_byte: u8) -> Option<Typed> {
    let mut numbers = report.split(';').map(str::parse::<u16>);
    let button = numbers.next()?.ok()?;
    let column = numbers.next()?.ok()?;
    let row = numbers.next()?.ok()?;

    let button_without_modifiers = button & !MOUSE_MODIFIERS;
    match (button_without_modifiers, final_byte) {
        (0, b'M') => {
            // A report counts columns and rows from 1.
            let x = column.saturating_sub(1);
            let y = row.saturating_sub(1);
            Some(Typed::Press(Position::new(x, y)))
        }
        (64, b'M') => Some(Typed::Wheel(-1)),
        (65, b'M') => Some(Typed::Wheel(1)),
        _ => None,
    }
}
