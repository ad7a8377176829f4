//! Letters that lead to rows, and rows that are stepped.

use super::*;

#[test]
fn letters_lead_to_rows_by_what_they_are_called_in_every_form() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| clock_form(None, seen));
    bench.press("down");
    for (letter, row) in [
        ("v", "Visibility"),
        ("b", "Belongs to"),
        ("k", "Kind"),
        ("e", "Ends with the scene"),
        ("f", "Filled by"),
        ("s", "Segments"),
    ] {
        bench.write(letter);
        assert!(bench.focused().starts_with(row), "{row}");
    }
    bench.open(|seen| CallDialog::open(&[], seen));
    for (letter, row) in [("c", "Check"), ("c", "Challenge Number"), ("s", "Shown to")] {
        bench.write(letter);
        assert!(bench.focused().starts_with(row), "{row}");
    }
}

#[test]
fn the_fields_of_a_clocks_check_are_stepped_like_those_of_a_call() {
    let mut bench = Bench::heart_rush();
    let id = bench.read(|seen| seen.clocks().next().unwrap().clock.id);
    bench.open(|seen| clock_check_form(id, "", seen));
    bench.press("right ab");
    assert!(bench.focused().starts_with("Ability die"));
    let beside = |bench: &Bench| {
        bench
            .focused()
            .split_whitespace()
            .nth(2)
            .unwrap()
            .to_owned()
    };
    bench.press("right");
    assert_eq!(beside(&bench), "‹Might›");
    bench.press("left left");
    assert_eq!(
        beside(&bench),
        "‹d20›",
        "from the end one goes on at the other"
    );
    // Another check has the same field, and keeps what was picked.
    bench.press("fi right ab");
    assert_eq!(beside(&bench), "‹d20›");
}
