//! The parser from bytes to keys, mouse events and pastes.

mod keys;

use std::mem;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::terminal::input::Typed;
use crate::terminal::input::key::{Key, KeyCode, KeyModifiers};
use keys::{parse_csi, parse_ss3, typed_letter};

/// How long an Escape waits for more bytes that make it an escape sequence.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(20);
/// How long other unfinished sequences wait for more bytes.
const PATIENCE: Duration = Duration::from_secs(1);

/// The maximum length of a paste, in bytes. The rest is dropped.
const PASTE_LIMIT: usize = 64 * 1024;
/// The maximum length of a sequence, in bytes. Longer sequences are dropped.
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
    /// An unfinished sequence is kept. If [`Parser::patience`] returns a time, the caller waits that long for more
    /// bytes, and then calls [`Parser::flush`].
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
            // Escape is a key itself, and so are some introducers of sequences with Alt. Terminals never paste Escape,
            // so within a paste it is a key or the beginning of the end mark.
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

        // Only the end of a sequence that is too long is still needed.
        if self.held.len() > SEQUENCE_LIMIT {
            self.held.remove(SEQUENCE_LIMIT - 1);
        }
    }

    /// Adds the held bytes to the paste, or ends the paste.
    ///
    /// Terminals remove Escape and Ctrl-C from pasted text. Either of them means that the end mark was lost, so the
    /// paste ends there.
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
/// A byte that is neither a parameter nor a final byte ends the sequence and is not a part of it.
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

/// Parses an answer of the terminal, up to its terminator. Any other control character also ends the answer.
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
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Some(Sequence::ignored(error.error_len()?)),
    };
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

#[cfg(test)]
mod tests;
