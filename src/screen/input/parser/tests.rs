use super::*;
use proptest::prelude::*;
use ratatui::layout::Position;

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
    (b"\n", &["ctrl-j"]),
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
    (
        b"\x1b[=1;2;99999999999999999999999999999999999999999999999999999999999999999999999999c",
        &[],
    ),
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
        let (mut parser, mut split) = (Parser::default(), Vec::new());
        let (head, tail) = bytes.split_at(at.min(bytes.len()));
        parser.feed(head, &mut split);
        parser.feed(tail, &mut split);
        parser.flush(&mut split);
        prop_assert_eq!(split, typed(&bytes));
        prop_assert!(parser.patience().is_none());
    }

    #[test]
    fn escape_sequences_of_any_kind_do_no_harm(text in "(\\x1b[\\[O\\]P]?[0-9;:<?]{0,8}[A-Za-z~^\\x1b]?){0,12}") {
        let keys = typed(text.as_bytes());
        let steering = |typed: &Typed| matches!(typed, Typed::Key(Key { code: KeyCode::Char(c), .. }) if c.is_control());
        prop_assert!(!keys.iter().any(steering));
    }
}
