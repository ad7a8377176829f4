//! Cuts a stream of bytes into keys, mouse reports and pastes.

use std::mem;
use std::ops::RangeInclusive;
use std::time::Duration;

use ratatui::layout::Position;

use crate::terminal::input::Typed;
use crate::terminal::input::key::{Key, KeyCode, KeyModifiers};

/// How long a lone Escape may turn out to be the beginning of a longer sequence.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(20);
/// How long anything else may stay unfinished: a slow line pauses, a broken one never ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a paste keeps; the rest is thrown away unread.
const PASTE_LIMIT: usize = 64 * 1024;
/// What a sequence keeps; longer ones mean nothing to us.
const SEQUENCE_LIMIT: usize = 64;

const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const ESC: u8 = 0x1B;
const CTRL_C: u8 = 0x03;
const BELL: u8 = 0x07;

/// How many bytes are whole, and what they mean, if anything.
type Whole = (usize, Option<Typed>);

/// Turns bytes into what was typed; see [`Parser::feed`].
#[derive(Debug, Default)]
pub struct Parser {
    /// The bytes of what is unfinished.
    held: Vec<u8>,
    /// What was pasted so far, within a bracketed paste; `held` may then be the beginning of its end mark.
    paste: Option<Vec<u8>>,
}

impl Parser {
    /// Takes bytes as they came and adds what they mean to `typed`.
    ///
    /// What is unfinished at the end is kept: while [`Parser::patience`] says so, the caller waits
    /// that long for more and then calls [`Parser::flush`].
    pub fn feed(&mut self, bytes: &[u8], typed: &mut Vec<Typed>) {
        for &byte in bytes {
            self.held.push(byte);
            if self.paste.is_some() {
                self.within_paste(typed);
            } else {
                self.cut(typed);
            }
        }
    }

    /// How long to wait for more bytes before [`Parser::flush`]; nothing when nothing is unfinished.
    pub fn patience(&self) -> Option<Duration> {
        match (&self.paste, self.held.as_slice()) {
            (None, []) => None,
            // With Alt, some openers are keys in their own right; and terminals paste no ESC, so one
            // within a paste either begins its end mark or was pressed.
            (_, [ESC]) | (None, [ESC, b']' | b'P' | b'X' | b'^' | b'_']) => Some(ESCAPE_PATIENCE),
            _ => Some(PATIENCE),
        }
    }

    /// Ends what is unfinished: no more bytes came in time.
    pub fn flush(&mut self, typed: &mut Vec<Typed>) {
        self.end_paste(typed);
        let key = match *mem::take(&mut self.held) {
            [ESC] => Key::plain(KeyCode::Esc),
            [ESC, opener @ (b']' | b'P' | b'X' | b'^' | b'_')] => Key {
                held: KeyModifiers::ALT,
                ..Key::char(opener.into())
            },
            _ => return,
        };
        typed.push(Typed::Key(key));
    }

    /// Takes out what is whole of what is held.
    fn cut(&mut self, typed: &mut Vec<Typed>) {
        if self.held == PASTE_BEGIN {
            self.held.clear();
            self.paste = Some(Vec::new());
        }
        while let Some((length, meaning)) = first(&self.held) {
            self.held.drain(..length);
            typed.extend(meaning);
        }
        // Of what is too long only the end is still looked for.
        if self.held.len() > SEQUENCE_LIMIT {
            self.held.remove(SEQUENCE_LIMIT - 1);
        }
    }

    /// Terminals strip ESC and Ctrl-C from what they paste, so either one means that the end mark
    /// was lost: the paste ends there, and what follows is typed again.
    fn within_paste(&mut self, typed: &mut Vec<Typed>) {
        let is_lost = matches!(*self.held, [CTRL_C] | [ESC, ..]);
        if self.held == PASTE_END {
            self.held.clear();
            self.end_paste(typed);
        } else if PASTE_END.starts_with(&self.held) {
            // The next byte tells.
        } else if is_lost {
            self.end_paste(typed);
            self.cut(typed);
        } else {
            let pasted = self.paste.as_mut();
            if let Some(pasted) = pasted.filter(|pasted| pasted.len() < PASTE_LIMIT) {
                pasted.extend(&self.held);
            }
            self.held.clear();
        }
    }

    fn end_paste(&mut self, typed: &mut Vec<Typed>) {
        let pasted = self.paste.take().filter(|pasted| !pasted.is_empty());
        let text = pasted.map(|pasted| String::from_utf8_lossy(&pasted).into_owned());
        typed.extend(text.map(Typed::Paste));
    }
}

/// The first thing that is whole; `None` while only more bytes can tell.
fn first(bytes: &[u8]) -> Option<Whole> {
    let (before, (length, meaning)) = match bytes {
        [] | [ESC] => return None,
        [ESC, ESC, ..] => (0, (1, Some(Typed::Key(Key::plain(KeyCode::Esc))))),
        // A function key of the Linux console.
        [ESC, b'[', b'[', rest @ ..] => {
            let number = rest.first()?.checked_sub(b'A').filter(|number| *number < 5);
            let key = number.map(|number| Key::plain(KeyCode::F(number + 1)));
            (3, (1, key.map(Typed::Key)))
        }
        // An old mouse report: three bytes that are nobody's typing.
        [ESC, b'[', b'M', rest @ ..] => (3, (rest.get(..3)?.len(), None)),
        [ESC, b'[', rest @ ..] => (2, sequence(rest, b' '..=b'?', csi)?),
        [ESC, b'O', rest @ ..] => (2, sequence(rest, b'0'..=b';', ss3)?),
        [ESC, b']' | b'P' | b'X' | b'^' | b'_', rest @ ..] => (2, answer(rest)?),
        [ESC, rest @ ..] => (1, letter(rest, KeyModifiers::ALT)?),
        _ => (0, letter(bytes, KeyModifiers::NONE)?),
    };
    Some((before + length, meaning))
}

/// Parameters, and the byte behind them that says what they are of. A byte that breaks the sequence off counts
/// for itself.
fn sequence(
    bytes: &[u8],
    parameters: RangeInclusive<u8>,
    meaning: fn(&[u8], u8) -> Option<Typed>,
) -> Option<Whole> {
    let end = bytes.iter().position(|byte| !parameters.contains(byte))?;
    let (parameters, last) = (&bytes[..end], bytes[end]);
    Some(if matches!(last, b' '..=b'~') {
        (end + 1, meaning(parameters, last))
    } else {
        (end, None)
    })
}

/// An answer of the terminal, up to its terminator. It is printable; another control key means that it broke off.
fn answer(bytes: &[u8]) -> Option<Whole> {
    let end = bytes.iter().position(u8::is_ascii_control)?;
    let length = match bytes[end..] {
        [ESC] => return None,
        [ESC, b'\\', ..] => end + 2,
        [BELL, ..] => end + 1,
        _ => end,
    };
    Some((length, None))
}

/// A letter of one byte or several; no letter begins with some bytes.
fn letter(bytes: &[u8], held: KeyModifiers) -> Option<Whole> {
    match str::from_utf8(bytes) {
        Ok(text) => {
            let letter = text.chars().next()?;
            let key = typed_letter(letter);
            let key = key.map(|key| Key {
                held: key.held | held,
                ..key
            });
            Some((letter.len_utf8(), key.map(Typed::Key)))
        }
        Err(broken) => broken.error_len().map(|length| (length, None)),
    }
}

// What whole sequences mean. Unknown ones mean nothing.

/// A letter as it was typed.
fn typed_letter(letter: char) -> Option<Key> {
    Some(match letter {
        // A line feed is Ctrl-J, which is Enter wherever it is bound to nothing: scripts send it for a return.
        '\r' => Key::plain(KeyCode::Enter),
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
fn ss3(parameters: &[u8], last: u8) -> Option<Typed> {
    let code = match last {
        b'M' => KeyCode::Enter,
        b'X' => KeyCode::Char('='),
        // The number block in application mode, `*` to `9`.
        b'j'..=b'y' => KeyCode::Char(char::from(last - 0x40)),
        _ => arrow(last)?,
    };
    let digit = parameters.last();
    let modifiers = digit.map_or(1, |digit| digit.wrapping_sub(b'0'));
    Some(Typed::Key(held(Key::plain(code), modifiers.into())))
}

/// ESC `[` parameters `last`.
fn csi(parameters: &[u8], last: u8) -> Option<Typed> {
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
    typed.and_then(typed_letter)
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
    let at = Position::new(column.saturating_sub(1), row.saturating_sub(1));
    match (button & !0b1_1100, last) {
        (0, b'M') => Some(Typed::Press(at)),
        (64, b'M') => Some(Typed::Wheel(-1)),
        (65, b'M') => Some(Typed::Wheel(1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
