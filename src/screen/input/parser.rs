//! The state machine that cuts a stream of bytes into keys, mouse reports and pastes.

use std::mem;
use std::time::Duration;

use super::key::{Key, KeyCode};
use super::sequence;
use super::typed::Typed;

/// How long a lone Escape may turn out to be the beginning of a longer sequence.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(20);
/// How long anything else may stay unfinished: a slow line pauses, a broken one never ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a paste keeps; the rest is thrown away unread.
const PASTE_LIMIT: usize = 64 * 1024;
/// What a sequence keeps; longer ones mean nothing to us.
const SEQUENCE_LIMIT: usize = 64;

const PASTE_END: &[u8] = b"\x1b[201~";
const ESC: u8 = 0x1B;
const CTRL_C: u8 = 0x03;

/// Turns bytes into what was typed; see [`Parser::feed`].
#[derive(Debug, Default)]
pub struct Parser {
    state: State,
    /// The bytes of the sequence, the letter or the paste under way.
    held: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Between keys.
    #[default]
    Ground,
    /// After ESC.
    Escape,
    /// After ESC `[`: parameters until a final byte.
    Csi,
    /// After ESC `O`: one byte, perhaps after digits.
    Ss3,
    /// After ESC `[[`: a function key of the Linux console.
    Console,
    /// After ESC `[M`: three bytes of an old mouse report, which are nobody's typing.
    OldMouse { left: u8 },
    /// After ESC `]`, `P`, `X`, `^` or `_`: an answer of the terminal, until its terminator.
    Answer { opener: u8, begun: bool },
    /// Within an answer, after ESC.
    AnswerEscape,
    /// Within a letter of several bytes.
    Letter { alt: bool, left: u8 },
    /// Within a bracketed paste; so many bytes of its end mark have come.
    Paste { matched: usize },
}

impl Parser {
    /// Takes bytes as they came and adds what they mean to `typed`.
    ///
    /// What is unfinished at the end is kept: while [`Parser::patience`] says so, the caller waits
    /// that long for more and then calls [`Parser::flush`].
    pub fn feed(&mut self, bytes: &[u8], typed: &mut Vec<Typed>) {
        for &byte in bytes {
            self.take(byte, typed);
        }
    }

    /// Whether something is unfinished that silence would decide.
    pub fn pending(&self) -> bool {
        self.patience().is_some()
    }

    /// How long to wait for more bytes before [`Parser::flush`]; nothing when nothing is unfinished.
    pub fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Ground => None,
            // With Alt, some openers are keys in their own right; and terminals paste no ESC, so one
            // within a paste either begins its end mark or was pressed.
            State::Escape | State::Answer { begun: false, .. } | State::Paste { matched: 1 } => {
                Some(ESCAPE_PATIENCE)
            }
            State::Csi
            | State::Ss3
            | State::Console
            | State::OldMouse { .. }
            | State::Answer { begun: true, .. }
            | State::AnswerEscape
            | State::Letter { .. }
            | State::Paste { .. } => Some(PATIENCE),
        }
    }

    /// Ends what is unfinished: no more bytes came in time.
    pub fn flush(&mut self, typed: &mut Vec<Typed>) {
        match mem::take(&mut self.state) {
            State::Escape => typed.push(Typed::Key(Key::plain(KeyCode::Esc))),
            State::Answer {
                opener,
                begun: false,
            } => typed.push(alt_key(char::from(opener))),
            State::Paste { matched } => {
                self.end_paste(typed);
                if matched == 1 {
                    typed.push(Typed::Key(Key::plain(KeyCode::Esc)));
                }
            }
            State::Ground
            | State::Csi
            | State::Ss3
            | State::Console
            | State::OldMouse { .. }
            | State::Answer { begun: true, .. }
            | State::AnswerEscape
            | State::Letter { .. } => {}
        }
        self.held.clear();
    }

    fn take(&mut self, byte: u8, typed: &mut Vec<Typed>) {
        match self.state {
            State::Ground => self.begin(byte, false, typed),
            State::Escape => self.after_escape(byte, typed),
            State::Csi => self.within_csi(byte, typed),
            State::Ss3 => match byte {
                b'0'..=b'9' | b';' => self.hold(byte),
                0x40..=0x7E | b' '..=b'/' => {
                    let key = sequence::ss3(&self.held, byte);
                    self.rest();
                    typed.extend(key.map(Typed::Key));
                }
                _ => self.abandon(byte, typed),
            },
            State::Console => {
                self.rest();
                typed.extend(sequence::console(byte).map(Typed::Key));
            }
            State::OldMouse { left } => {
                self.state = if left > 1 {
                    State::OldMouse { left: left - 1 }
                } else {
                    State::Ground
                };
            }
            State::Answer { opener, .. } => match byte {
                0x07 => self.rest(),
                ESC => self.state = State::AnswerEscape,
                // An answer is printable; a control key means that it broke off.
                0x00..=0x1F => self.abandon(byte, typed),
                _ => {
                    self.state = State::Answer {
                        opener,
                        begun: true,
                    }
                }
            },
            State::AnswerEscape => {
                self.rest();
                if byte != b'\\' {
                    self.after_escape(byte, typed);
                }
            }
            State::Letter { alt, left } => self.within_letter(byte, alt, left, typed),
            State::Paste { matched } => self.within_paste(byte, matched, typed),
        }
    }

    fn begin(&mut self, byte: u8, alt: bool, typed: &mut Vec<Typed>) {
        let left = match byte {
            ESC => {
                self.state = State::Escape;
                return;
            }
            0x00..=0x7F => {
                self.rest();
                let mut key = sequence::single(byte);
                key.alt = alt;
                typed.push(Typed::Key(key));
                return;
            }
            0xC2..=0xDF => 1,
            0xE0..=0xEF => 2,
            0xF0..=0xF4 => 3,
            // No letter begins like this.
            _ => return self.rest(),
        };
        self.held.push(byte);
        self.state = State::Letter { alt, left };
    }

    fn after_escape(&mut self, byte: u8, typed: &mut Vec<Typed>) {
        match byte {
            b'[' => self.state = State::Csi,
            b'O' => self.state = State::Ss3,
            b']' | b'P' | b'X' | b'^' | b'_' => {
                self.state = State::Answer {
                    opener: byte,
                    begun: false,
                };
            }
            ESC => {
                typed.push(Typed::Key(Key::plain(KeyCode::Esc)));
                self.state = State::Escape;
            }
            _ => self.begin(byte, true, typed),
        }
    }

    fn within_csi(&mut self, byte: u8, typed: &mut Vec<Typed>) {
        match byte {
            b' '..=b'?' => self.hold(byte),
            b'[' if self.held.is_empty() => self.state = State::Console,
            b'M' if self.held.is_empty() => self.state = State::OldMouse { left: 3 },
            b'~' if self.held == b"200" => {
                self.rest();
                self.state = State::Paste { matched: 0 };
            }
            b'@'..=b'~' => {
                let meant = sequence::csi(&self.held, byte);
                self.rest();
                typed.extend(meant);
            }
            _ => self.abandon(byte, typed),
        }
    }

    fn within_letter(&mut self, byte: u8, alt: bool, left: u8, typed: &mut Vec<Typed>) {
        if !(0x80..=0xBF).contains(&byte) {
            return self.abandon(byte, typed);
        }
        self.held.push(byte);
        if left > 1 {
            self.state = State::Letter {
                alt,
                left: left - 1,
            };
            return;
        }
        // Overlong forms and surrogates are no letters either.
        let letter = str::from_utf8(&self.held)
            .ok()
            .and_then(|text| text.chars().next());
        self.rest();
        if let Some(letter) = letter.filter(|letter| !letter.is_control()) {
            typed.push(if alt {
                alt_key(letter)
            } else {
                Typed::Key(Key::char(letter))
            });
        }
    }

    /// Terminals strip ESC and Ctrl-C from what they paste, so either one means that the end mark
    /// was lost: the paste ends there, and what follows is typed again.
    fn within_paste(&mut self, byte: u8, matched: usize, typed: &mut Vec<Typed>) {
        if PASTE_END.get(matched) == Some(&byte) {
            let matched = matched + 1;
            self.state = State::Paste { matched };
            if matched == PASTE_END.len() {
                self.end_paste(typed);
            }
        } else if matched > 0 {
            self.end_paste(typed);
            for &byte in PASTE_END.iter().take(matched) {
                self.take(byte, typed);
            }
            self.take(byte, typed);
        } else if byte == CTRL_C {
            self.end_paste(typed);
            self.take(byte, typed);
        } else if self.held.len() < PASTE_LIMIT {
            self.held.push(byte);
        }
    }

    fn end_paste(&mut self, typed: &mut Vec<Typed>) {
        let bytes = mem::take(&mut self.held);
        self.state = State::Ground;
        if !bytes.is_empty() {
            typed.push(Typed::Paste(String::from_utf8_lossy(&bytes).into_owned()));
        }
    }

    /// Keeps a byte of a sequence. A sequence that is too long keeps one byte too many, and then
    /// fits no meaning.
    fn hold(&mut self, byte: u8) {
        if self.held.len() <= SEQUENCE_LIMIT {
            self.held.push(byte);
        }
    }

    /// Drops the broken sequence; the byte that broke it counts for itself.
    fn abandon(&mut self, byte: u8, typed: &mut Vec<Typed>) {
        self.rest();
        self.begin(byte, false, typed);
    }

    fn rest(&mut self) {
        self.state = State::Ground;
        self.held.clear();
    }
}

fn alt_key(letter: char) -> Typed {
    Typed::Key(Key {
        alt: true,
        ..Key::char(letter)
    })
}

#[cfg(test)]
mod tests;
