//! The parser from bytes to keys, mouse events and pastes.

use std::mem;
use std::ops::RangeInclusive;
use std::time::Duration;

use ratatui::layout::Position;

use crate::terminal::input::Typed;
use crate::terminal::input::key::{Key, KeyCode, KeyModifiers};

/// How long an Escape waits for more bytes that make it an escape sequence.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(20);
/// How long other unfinished sequences wait for more bytes.
const PATIENCE: Duration = Duration::from_secs(1);

/// The longest paste in bytes. The rest is dropped.
const PASTE_LIMIT: usize = 64 * 1024;
/// The longest sequence in bytes. Longer ones are dropped.
const SEQUENCE_LIMIT: usize = 64;

const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const ESC: u8 = 0x1B;
const CTRL_C: u8 = 0x03;
const BELL: u8 = 0x07;

/// A complete sequence at the beginning of the bytes.
struct Sequence {
    /// The length in bytes.
    length: usize,
    /// `None` for a sequence without a meaning, which is dropped.
    typed: Option<Typed>,
}

impl Sequence {
    const fn ignored(length: usize) -> Self {
        Self {
            length,
            typed: None,
        }
    }

    const fn key(length: usize, key: Key) -> Self {
        Self {
            length,
            typed: Some(Typed::Key(key)),
        }
    }

    /// Adds the length of the bytes before the sequence.
    fn after(self, bytes: usize) -> Self {
        Self {
            length: bytes + self.length,
            ..self
        }
    }
}

/// A parser for the bytes of a terminal. See [`Parser::feed`].
#[derive(Debug, Default)]
pub struct Parser {
    /// The bytes of an unfinished sequence.
    held: Vec<u8>,
    /// The bytes of a bracketed paste. Within a paste, `held` may contain the beginning of its end mark.
    paste: Option<Vec<u8>>,
}

impl Parser {
    /// Parses bytes and adds the keys, mouse events and pastes to `typed`.
    ///
    /// An unfinished sequence is kept. If [`Parser::patience`] returns a time, the caller waits that long for more bytes,
    /// and then calls [`Parser::flush`].
    pub fn feed(&mut self, bytes: &[u8], typed: &mut Vec<Typed>) {
        for &byte in bytes {
            self.held.push(byte);
            if self.paste.is_some() {
                self.continue_paste(typed);
            } else {
                self.take_sequences(typed);
            }
        }
    }

    /// How long to wait for more bytes. `None` if no sequence is unfinished.
    pub fn patience(&self) -> Option<Duration> {
        match (&self.paste, self.held.as_slice()) {
            (None, []) => None,
            // Escape is a key itself, and so are some introducers of sequences with Alt. Terminals never paste Escape, so
            // within a paste it is a key or the beginning of the end mark.
            (_, [ESC]) | (None, [ESC, b']' | b'P' | b'X' | b'^' | b'_']) => Some(ESCAPE_PATIENCE),
            _ => Some(PATIENCE),
        }
    }

    /// Ends the unfinished sequence, because no more bytes arrived in time.
    pub fn flush(&mut self, typed: &mut Vec<Typed>) {
        self.end_paste(typed);
        match *mem::take(&mut self.held) {
            [ESC] => typed.push(Typed::Key(Key::plain(KeyCode::Esc))),
            [ESC, introducer @ (b']' | b'P' | b'X' | b'^' | b'_')] => {
                let key = Key {
                    held: KeyModifiers::ALT,
                    ..Key::char(introducer.into())
                };
                typed.push(Typed::Key(key));
            }
            _ => {}
        }
    }

    /// Removes all complete sequences from the held bytes.
    fn take_sequences(&mut self, typed: &mut Vec<Typed>) {
        if self.held == PASTE_BEGIN {
            self.held.clear();
            self.paste = Some(Vec::new());
        }

        while let Some(sequence) = first_sequence(&self.held) {
            self.held.drain(..sequence.length);
            typed.extend(sequence.typed);
        }

        // The end of a sequence that is too long is still needed, but not its contents.
        if self.held.len() > SEQUENCE_LIMIT {
            self.held.remove(SEQUENCE_LIMIT - 1);
        }
    }

    /// Adds the held bytes to the paste, or ends the paste.
    ///
    /// Terminals remove Escape and Ctrl-C from pasted text. Either of them means that the end mark was lost, so the paste
    /// ends there.
    fn continue_paste(&mut self, typed: &mut Vec<Typed>) {
        if self.held == PASTE_END {
            self.held.clear();
            self.end_paste(typed);
            return;
        }
        let may_become_end = PASTE_END.starts_with(&self.held);
        if may_become_end {
            return;
        }
        let is_end_lost = matches!(*self.held, [CTRL_C] | [ESC, ..]);
        if is_end_lost {
            self.end_paste(typed);
            self.take_sequences(typed);
            return;
        }

        if let Some(paste) = &mut self.paste
            && paste.len() < PASTE_LIMIT
        {
            paste.extend(&self.held);
        }
        self.held.clear();
    }

    fn end_paste(&mut self, typed: &mut Vec<Typed>) {
        if let Some(paste) = self.paste.take()
            && !paste.is_empty()
        {
            let text = String::from_utf8_lossy(&paste).into_owned();
            typed.push(Typed::Paste(text));
        }
    }
}

/// Parses the first complete sequence. `None` if more bytes are needed.
fn first_sequence(bytes: &[u8]) -> Option<Sequence> {
    match bytes {
        [] | [ESC] => None,
        [ESC, ESC, ..] => Some(Sequence::key(1, Key::plain(KeyCode::Esc))),
        [ESC, b'[', b'[', parameters @ ..] => Some(linux_function_key(parameters)?.after(3)),
        // An old mouse report has three bytes of coordinates, which are not typed text.
        [ESC, b'[', b'M', coordinates @ ..] => {
            let length = coordinates.get(..3)?.len();
            Some(Sequence::ignored(3 + length))
        }
        [ESC, b'[', parameters @ ..] => {
            let sequence = control_sequence(parameters, b' '..=b'?', parse_csi)?;
            Some(sequence.after(2))
        }
        [ESC, b'O', parameters @ ..] => {
            let sequence = control_sequence(parameters, b'0'..=b';', parse_ss3)?;
            Some(sequence.after(2))
        }
        [ESC, b']' | b'P' | b'X' | b'^' | b'_', text @ ..] => Some(terminal_answer(text)?.after(2)),
        [ESC, letter @ ..] => Some(first_letter(letter, KeyModifiers::ALT)?.after(1)),
        _ => first_letter(bytes, KeyModifiers::NONE),
    }
}

/// Parses a function key of the Linux console, `A` for F1 to `E` for F5.
fn linux_function_key(bytes: &[u8]) -> Option<Sequence> {
    let letter = *bytes.first()?;
    match letter {
        b'A'..=b'E' => {
            let number = letter - b'A' + 1;
            Some(Sequence::key(1, Key::plain(KeyCode::F(number))))
        }
        _ => Some(Sequence::ignored(1)),
    }
}

/// Parses parameters and the final byte, which decides their meaning.
///
/// A byte that can be neither a parameter nor a final byte ends the sequence. It is not a part of it.
fn control_sequence(
    bytes: &[u8],
    parameter_bytes: RangeInclusive<u8>,
    parse: fn(&[u8], u8) -> Option<Typed>,
) -> Option<Sequence> {
    let end = bytes
        .iter()
        .position(|byte| !parameter_bytes.contains(byte))?;
    let parameters = &bytes[..end];
    let final_byte = bytes[end];
    if !matches!(final_byte, b' '..=b'~') {
        return Some(Sequence::ignored(end));
    }
    Some(Sequence {
        length: end + 1,
        typed: parse(parameters, final_byte),
    })
}

/// Parses an answer of the terminal, up to its terminator. Control characters other than the terminators end it, too.
fn terminal_answer(bytes: &[u8]) -> Option<Sequence> {
    let end = bytes.iter().position(u8::is_ascii_control)?;
    match bytes[end..] {
        [ESC] => None,
        [ESC, b'\\', ..] => Some(Sequence::ignored(end + 2)),
        [BELL, ..] => Some(Sequence::ignored(end + 1)),
        _ => Some(Sequence::ignored(end)),
    }
}

/// Parses a letter of one or several bytes. Bytes that are not UTF-8 are ignored.
fn first_letter(bytes: &[u8], held: KeyModifiers) -> Option<Sequence> {
    match str::from_utf8(bytes) {
        Ok(text) => {
            let letter = text.chars().next()?;
            let length = letter.len_utf8();
            match typed_letter(letter) {
                Some(key) => {
                    let held = key.held | held;
                    Some(Sequence::key(length, Key { held, ..key }))
                }
                None => Some(Sequence::ignored(length)),
            }
        }
        Err(error) => Some(Sequence::ignored(error.error_len()?)),
    }
}

/// Returns the key that types a letter or a control character.
fn typed_letter(letter: char) -> Option<Key> {
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
fn parse_ss3(parameters: &[u8], final_byte: u8) -> Option<Typed> {
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
    Some(Typed::Key(with_modifiers(
        Key::plain(code),
        modifiers.into(),
    )))
}

/// Parses `ESC [`, parameters and a final byte.
fn parse_csi(parameters: &[u8], final_byte: u8) -> Option<Typed> {
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
    let number = parameter.and_then(|parameter| parameter.split(':').next());
    match number {
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

/// Adds the modifiers of a sequence to a key. Their number is 1 plus the sum of 1 for Shift, 2 for Alt and 4 for Control.
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

    let button_without_modifiers = button & !0b1_1100;
    match (button_without_modifiers, final_byte) {
        (0, b'M') => {
            let position = Position::new(column.saturating_sub(1), row.saturating_sub(1));
            Some(Typed::Press(position))
        }
        (64, b'M') => Some(Typed::Wheel(-1)),
        (65, b'M') => Some(Typed::Wheel(1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
