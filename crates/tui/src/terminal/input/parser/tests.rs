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

/// The same in two pieces.
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

/// What a terminal sends, and the keys that it means.
fn sequences() -> BTreeMap<String, Vec<String>> {
    toml::from_str(include_str!("sequences.toml")).unwrap()
}

#[test]
fn every_sequence_means_its_keys() {
    for (sent, keys) in sequences() {
        assert_eq!(names(sent.as_bytes()), keys, "{sent:?}");
    }
}

#[test]
fn a_sequence_split_anywhere_means_the_same() {
    for sent in sequences().keys() {
        let whole = typed(sent.as_bytes());
        for at in 0..sent.len() {
            assert_eq!(typed_in_two(sent.as_bytes(), at), whole, "{sent:?} at {at}");
        }
    }
}

#[test]
fn nothing_of_an_unknown_sequence_is_typed() {
    let is_begun = |sent: &String| ["\x1b", "\x1b\x1b", "\x1bP"].contains(&sent.as_str());
    for sent in sequences().into_keys().filter(|sent| !is_begun(sent)) {
        let keys = names(format!("{sent}q").as_bytes());
        assert_eq!(keys.last().map(String::as_str), Some("q"), "{sent:?}");
    }
    assert_eq!(names(b"\x1b[M !!q"), ["q"]);
    assert_eq!(names(b"\x1b[12\x03"), ["ctrl-c"]);
    assert_eq!(names(b"\x1b[1\x1b[B"), ["down"]);
}

#[test]
fn the_mouse_counts_cells_from_nought() {
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
fn a_paste_is_one_piece_wherever_it_is_split() {
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
    fn bytes_of_any_kind_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0_usize..300) {
        prop_assert_eq!(typed_in_two(&bytes, at.min(bytes.len())), typed(&bytes));
    }

    #[test]
    fn escape_sequences_of_any_kind_do_no_harm(text in "(\\x1b[\\[O\\]P]?[0-9;:<?]{0,8}[A-Za-z~^\\x1b]?){0,12}") {
        let keys = typed(text.as_bytes());
        let steering = |typed: &Typed| matches!(typed, Typed::Key(Key { code: KeyCode::Char(c), .. }) if c.is_control());
        prop_assert!(!keys.iter().any(steering));
    }
}
