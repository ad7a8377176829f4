//! The state machine that cuts a stream of bytes into keys, mouse reports and pastes.

use std::mem;
use std::time::Duration;

use super::sequence;
use super::{Key, KeyCode, Typed};

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
mod tests {
    use super::*;
    use crate::screen::input::{Mouse, MouseKind};
    use proptest::prelude::*;

    fn typed(bytes: &[u8]) -> Vec<Typed> {
        let (mut parser, mut typed) = (Parser::default(), Vec::new());
        parser.feed(bytes, &mut typed);
        parser.flush(&mut typed);
        typed
    }

    fn names(bytes: &[u8]) -> Vec<String> {
        typed(bytes)
            .into_iter()
            .map(|typed| match typed {
                Typed::Key(key) => key.to_string(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    const SEQUENCES: [(&[u8], &[&str]); 46] = [
        (b"a", &["a"]),
        (b"D", &["D"]),
        (b" ", &["space"]),
        (b"\r", &["enter"]),
        (b"\n", &["enter"]),
        (b"\t", &["tab"]),
        (b"\x7f", &["backspace"]),
        (b"\x08", &["ctrl-h"]),
        (b"\x00", &["ctrl-space"]),
        (b"\x12", &["ctrl-r"]),
        (b"\x1c", &["ctrl-\\"]),
        (b"\x1f", &["ctrl-_"]),
        (b"\x1b", &["esc"]),
        (b"\x1b\x1b", &["esc", "esc"]),
        (b"\x1bx", &["alt-x"]),
        (b"\x1b\x7f", &["alt-backspace"]),
        (b"\x1bP", &["alt-P"]),
        (b"\x1b[A", &["up"]),
        (b"\x1bOB", &["down"]),
        (b"\x1b[1;5C", &["ctrl-right"]),
        (b"\x1b[1;2D", &["shift-left"]),
        (b"\x1b[H", &["home"]),
        (b"\x1b[4~", &["end"]),
        (b"\x1b[5~", &["pgup"]),
        (b"\x1b[6;3~", &["alt-pgdn"]),
        (b"\x1b[3~", &["delete"]),
        (b"\x1b[Z", &["shift-tab"]),
        (b"\x1bOP", &["f1"]),
        (b"\x1b[[C", &["f3"]),
        (b"\x1b[24~", &["f12"]),
        (b"\x1bOM", &["enter"]),
        (b"\x1bOk", &["+"]),
        (b"\x1b[97;5u", &["ctrl-a"]),
        (b"\x1b[97;2u", &["A"]),
        (b"\x1b[97;1:3u", &[]),
        (b"\x1b[27;5;104~", &["ctrl-h"]),
        (b"\x1b[9;2u", &["shift-tab"]),
        ("é".as_bytes(), &["é"]),
        ("龍".as_bytes(), &["龍"]),
        ("🐉".as_bytes(), &["🐉"]),
        (b"\x1b[I", &[]),
        (b"\x1b[?62;22c", &[]),
        (b"\x1b[>0;276;0c", &[]),
        (b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", &[]),
        (b"\x1bP1$r0m\x1b\\", &[]),
        (b"\x1b[=1;2;99999999999999999999999999999999999999999999999999999999999999999999999999c", &[]),
    ];

    #[test]
    fn every_sequence_means_its_keys() {
        for (bytes, keys) in SEQUENCES {
            assert_eq!(names(bytes), keys, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_sequence_split_anywhere_means_the_same() {
        for (bytes, keys) in SEQUENCES {
            for at in 0..bytes.len() {
                let (mut parser, mut typed) = (Parser::default(), Vec::new());
                let (head, tail) = bytes.split_at(at);
                parser.feed(head, &mut typed);
                parser.feed(tail, &mut typed);
                parser.flush(&mut typed);
                assert_eq!(typed.len(), keys.len(), "{} at {at}", bytes.escape_ascii());
                assert_eq!(typed, super::tests::typed(bytes));
            }
        }
    }

    #[test]
    fn nothing_of_an_unknown_sequence_is_typed() {
        for (bytes, _) in SEQUENCES {
            let mut followed = bytes.to_vec();
            if matches!(followed.as_slice(), [ESC] | [ESC, ESC | b'P']) {
                continue;
            }
            followed.push(b'q');
            assert_eq!(names(&followed).last().map(String::as_str), Some("q"));
        }
        assert_eq!(names(b"\x1b[M !!q"), ["q"]);
        assert_eq!(names(b"\x1b[12\x03"), ["ctrl-c"]);
        assert_eq!(names(b"\x1b[1\x1b[B"), ["down"]);
    }

    #[test]
    fn the_mouse_counts_cells_from_nought() {
        let report = |kind, column, row| vec![Typed::Mouse(Mouse { kind, column, row })];
        assert_eq!(typed(b"\x1b[<0;1;1M"), report(MouseKind::Press, 0, 0));
        assert_eq!(
            typed(b"\x1b[<0;300;20m"),
            report(MouseKind::Release, 299, 19)
        );
        assert_eq!(typed(b"\x1b[<32;5;6M"), report(MouseKind::Drag, 4, 5));
        assert_eq!(typed(b"\x1b[<64;5;6M"), report(MouseKind::ScrollUp, 4, 5));
        assert_eq!(typed(b"\x1b[<81;5;6M"), report(MouseKind::ScrollDown, 4, 5));
        assert_eq!(typed(b"\x1b[<2;5;6M"), []);
        assert_eq!(typed(b"\x1b[<35;5;6M"), []);
    }

    #[test]
    fn a_paste_is_one_piece_wherever_it_is_split() {
        let bytes = "\u{1b}[200~two\rlines é\u{1b}[201~q".as_bytes();
        let whole = [
            Typed::Paste("two\rlines é".into()),
            Typed::Key(Key::char('q')),
        ];
        for at in 0..bytes.len() {
            let (mut parser, mut typed) = (Parser::default(), Vec::new());
            let (head, tail) = bytes.split_at(at);
            parser.feed(head, &mut typed);
            parser.feed(tail, &mut typed);
            assert_eq!(typed, whole, "split at {at}");
        }
    }

    #[test]
    fn an_unfinished_paste_does_not_swallow_what_follows() {
        assert_eq!(names(b"\x1b[200~abc\x1b[B"), ["Paste(\"abc\")", "down"]);
        assert_eq!(names(b"\x1b[200~abc\x03"), ["Paste(\"abc\")", "ctrl-c"]);
        assert_eq!(names(b"\x1b[200~abc\x1b"), ["Paste(\"abc\")", "esc"]);

        let (mut parser, mut typed) = (Parser::default(), Vec::new());
        parser.feed(b"\x1b[200~abc", &mut typed);
        assert_eq!(parser.patience(), Some(PATIENCE));
        parser.flush(&mut typed);
        parser.feed(b"q", &mut typed);
        assert_eq!(
            typed,
            [Typed::Paste("abc".into()), Typed::Key(Key::char('q'))]
        );
    }

    #[test]
    fn a_giant_paste_is_kept_in_bounds() {
        let mut bytes = b"\x1b[200~".to_vec();
        bytes.resize(1_000_000, b'x');
        bytes.extend_from_slice(b"\x1b[201~q");
        let typed = typed(&bytes);
        assert!(matches!(typed.first(), Some(Typed::Paste(text)) if text.len() == PASTE_LIMIT));
        assert_eq!(typed.len(), 2);
    }

    #[test]
    fn only_a_lone_escape_is_waited_for_briefly() {
        let (mut parser, mut typed) = (Parser::default(), Vec::new());
        assert!(!parser.pending());
        parser.feed(b"\x1b", &mut typed);
        assert_eq!(parser.patience(), Some(ESCAPE_PATIENCE));
        parser.feed(b"[A", &mut typed);
        assert!(!parser.pending());
        parser.feed(b"\x1b", &mut typed);
        parser.flush(&mut typed);
        assert_eq!(typed.len(), 2);
        assert!(!parser.pending());
    }

    #[test]
    fn two_thousand_arrows_at_once_are_two_thousand_keys() {
        let keys = typed(&b"\x1b[B".repeat(2_000));
        assert_eq!(keys, vec![Typed::Key(Key::plain(KeyCode::Down)); 2_000]);
    }

    proptest! {
        #[test]
        fn bytes_of_any_kind_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0_usize..300) {
            let (mut parser, mut split) = (Parser::default(), Vec::new());
            let (head, tail) = bytes.split_at(at.min(bytes.len()));
            parser.feed(head, &mut split);
            parser.feed(tail, &mut split);
            parser.flush(&mut split);
            prop_assert_eq!(split, typed(&bytes));
            prop_assert!(!parser.pending());
        }

        #[test]
        fn escape_sequences_of_any_kind_do_no_harm(text in "(\\x1b[\\[O\\]P]?[0-9;:<?]{0,8}[A-Za-z~^\\x1b]?){0,12}") {
            let keys = typed(text.as_bytes());
            let steering = |typed: &Typed| matches!(typed, Typed::Key(Key { code: KeyCode::Char(c), .. }) if c.is_control());
            prop_assert!(!keys.iter().any(steering));
        }
    }
}
