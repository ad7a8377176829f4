use std::collections::BTreeMap;

use super::*;
use proptest::prelude::*;
use ratatui::layout::Position;

fn typed(bytes: &[u8]) -> Vec<Typed> {
    let (mut parser, mut typed) = (Parser::default(), Vec::new());
    parser.feed(bytes, &mut typed);
    parser.flush(&mut typed);
    typed
}

/// Parses the bytes in two pieces.
fn typed_in_two(bytes: &[u8], at: usize) -> Vec<Typed> {
    let (mut parser, mut typed) = (Parser::default(), Vec::new());
    let (head, tail) = bytes.split_at(at);
    parser.feed(head, &mut typed);
    parser.feed(tail, &mut typed);
    parser.flush(&mut typed);
    assert!(parser.patience().is_none());
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

/// Sequences of terminals, with the names of their keys.
fn sequences() -> BTreeMap<String, Vec<String>> {
    toml::from_str(include_str!("sequences.toml")).unwrap()
}

#[test]
fn every_sequence_is_parsed_into_its_keys() {
    for (sent, keys) in sequences() {
        assert_eq!(names(sent.as_bytes()), keys, "{sent:?}");
    }
}

#[test]
fn a_sequence_in_two_pieces_is_parsed_into_the_same_keys() {
    for sent in sequences().keys() {
        let whole = typed(sent.as_bytes());
        for at in 0..sent.len() {
            assert_eq!(typed_in_two(sent.as_bytes(), at), whole, "{sent:?} at {at}");
        }
    }
}

#[test]
fn no_part_of_an_unknown_sequence_is_typed() {
    let is_unfinished = |sent: &String| ["\x1b", "\x1b\x1b", "\x1bP"].contains(&sent.as_str());
    for sent in sequences().into_keys().filter(|sent| !is_unfinished(sent)) {
        let keys = names(format!("{sent}q").as_bytes());
        assert_eq!(keys.last().map(String::as_str), Some("q"), "{sent:?}");
    }
    assert_eq!(names(b"\x1b[M !!q"), ["q"]);
    assert_eq!(names(b"\x1b[12\x03"), ["ctrl-c"]);
    assert_eq!(names(b"\x1b[1\x1b[B"), ["down"]);
}

#[test]
fn cells_under_the_mouse_are_counted_from_zero() {
    let press = |x, y| [Typed::Press(Position { x, y })];
    assert_eq!(typed(b"\x1b[<0;1;1M"), press(0, 0));
    assert_eq!(typed(b"\x1b[<0;300;20M"), press(299, 19));
    assert_eq!(typed(b"\x1b[<0;300;20m"), []);
    assert_eq!(typed(b"\x1b[<64;5;6M"), [Typed::Wheel(-1)]);
    assert_eq!(typed(b"\x1b[<81;5;6M"), [Typed::Wheel(1)]);
    assert_eq!(typed(b"\x1b[<2;5;6M"), []);
    assert_eq!(typed(b"\x1b[<35;5;6M"), []);
}

#[test]
fn a_paste_in_two_pieces_is_a_single_paste() {
    let bytes = "\u{1b}[200~two\rlines é\u{1b}[201~q".as_bytes();
    let whole = [
        Typed::Paste("two\rlines é".into()),
        Typed::Key(Key::char('q')),
    ];
    for at in 0..bytes.len() {
        assert_eq!(typed_in_two(bytes, at), whole, "split at {at}");
    }
}

#[test]
fn keys_after_an_unfinished_paste_are_not_lost() {
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
fn the_size_of_a_paste_is_limited() {
    let mut bytes = b"\x1b[200~".to_vec();
    bytes.resize(1_000_000, b'x');
    bytes.extend_from_slice(b"\x1b[201~q");
    let typed = typed(&bytes);
    assert!(matches!(typed.first(), Some(Typed::Paste(text)) if text.len() == PASTE_LIMIT));
    assert_eq!(typed.len(), 2);
}

#[test]
fn only_a_single_escape_has_the_short_patience() {
    let (mut parser, mut typed) = (Parser::default(), Vec::new());
    assert!(parser.patience().is_none());
    parser.feed(b"\x1b", &mut typed);
    assert_eq!(parser.patience(), Some(ESCAPE_PATIENCE));
    parser.feed(b"[A", &mut typed);
    assert!(parser.patience().is_none());
    parser.feed(b"\x1b", &mut typed);
    parser.flush(&mut typed);
    assert_eq!(typed.len(), 2);
    assert!(parser.patience().is_none());
}

#[test]
fn two_thousand_arrows_at_once_are_two_thousand_keys() {
    let keys = typed(&b"\x1b[B".repeat(2_000));
    assert_eq!(keys, vec![Typed::Key(Key::plain(KeyCode::Down)); 2_000]);
}

proptest! {
    #[test]
    fn random_bytes_parse_the_same_in_two_pieces(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0_usize..300) {
        prop_assert_eq!(typed_in_two(&bytes, at.min(bytes.len())), typed(&bytes));
    }

    #[test]
    fn random_escape_sequences_type_no_control_characters(text in "(\\x1b[\\[O\\]P]?[0-9;:<?]{0,8}[A-Za-z~^\\x1b]?){0,12}") {
        let keys = typed(text.as_bytes());
        let is_control = |typed: &Typed| matches!(typed, Typed::Key(Key { code: KeyCode::Char(c), .. }) if c.is_control());
        prop_assert!(!keys.iter().any(is_control));
    }
}
