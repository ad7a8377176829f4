//! Text and keys from players.

use tableside::dice::SystemDice;
use tableside::dice::notation::Notation;
use tableside::screen::terminal::input::Parser;
use tableside::table::Filter;

/// The longest text that [`assert_is_safe`] looks at, in columns.
const MAX_WIDTH: usize = 4000;

/// Parses free dice such as `4d6k3+2`, and rolls them.
pub(super) fn parse_notation(input: &[u8]) {
    let Ok(notation) = String::from_utf8_lossy(input).parse::<Notation>() else {
        return;
    };

    let (min, max) = notation.range();
    let repetitions = i64::from(notation.repetitions());
    let result = notation.roll(&mut SystemDice::from_key([1; 32]));
    assert!((min * repetitions..=max * repetitions).contains(&result.total));
}

/// Sanitises, shortens and searches any text.
pub(super) fn sanitise(input: &[u8]) {
    let text = String::from_utf8_lossy(input);

    let sanitised = tableside::text::sanitise(&text, 200);
    assert!(!sanitised.chars().any(tableside::text::is_hostile));

    let shortened = tableside::text::fit(&sanitised, 20);
    assert!(tableside::text::width(&shortened) <= 20);

    Filter::parse(&text);
}

/// Parses bytes from a terminal that arrive in two parts.
pub(super) fn parse_keys(input: &[u8]) {
    let mut parser = Parser::default();
    let mut keys = Vec::new();

    let (first_part, second_part) = input.split_at(input.len() / 2);
    parser.feed(first_part, &mut keys);
    parser.feed(second_part, &mut keys);
    parser.flush(&mut keys);
}

/// A message of the program has no control characters after it is sanitised for the screen.
pub(super) fn assert_is_safe(message: &str) {
    let shown = tableside::text::sanitise(message, MAX_WIDTH);
    assert!(!shown.chars().any(tableside::text::is_hostile), "{shown:?}");
}
