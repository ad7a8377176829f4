//! What a colour or a weight says: one test for each meaning, and the word or sign beside it.

use tableside::screen::color_depth::Depth;

use crate::bench::Bench;
use crate::games;

fn full() -> Bench {
    Bench::sit_down(&games::full(), (120, 40))
}

#[test]
fn the_open_tab_stands_out() {
    let mut bench = full();
    bench.press("2");
    assert!(bench.cell("Party").underline());
    assert!(!bench.cell("Clocks").underline());
}

#[test]
fn outcomes_differ_in_colour_and_in_sign() {
    let bench = full();
    let good = bench.cell("✓ Success");
    let bad = bench.cell("✗ Failure");
    assert_ne!(good.fgcolor(), bad.fgcolor());
}

#[test]
fn what_was_taken_back_is_pale_and_says_so() {
    let mut bench = full();
    bench.press("5");
    let line = bench.line("(taken back)");
    assert!(line.contains("Wren · Might"), "{line}");
    let struck = bench.cell("Wren · Might: ✗");
    let plain = bench.cell("Mira · ");
    assert_ne!(struck.fgcolor(), plain.fgcolor());
}

#[test]
fn what_players_do_not_see_has_a_sign() {
    let mut bench = full();
    bench.press("2");
    assert!(bench.line("Captain Rusk").contains('◌'));
    assert!(bench.cell("Captain Rusk").italic());
    assert!(!bench.cell("Torben").italic());
}

#[test]
fn adversaries_stand_under_their_heading() {
    let mut bench = full();
    bench.press("2");
    let text = bench.text();
    let place = |word: &str| text.find(word).unwrap();
    assert!(place("Adversaries") < place("Sergeant Oske"));
    assert!(place("Adversaries") > place("Sir Alric"));
    assert_ne!(
        bench.cell("Sergeant Oske").fgcolor(),
        bench.cell("Torben").fgcolor()
    );
}

#[test]
fn who_is_away_is_pale_and_says_so() {
    let mut bench = full();
    bench.press("2");
    assert!(bench.line("Sir Alric").contains("away"));
    assert_ne!(
        bench.cell("Sir Alric").fgcolor(),
        bench.cell("Torben").fgcolor()
    );
}

#[test]
fn a_shrunken_heart_die_stands_out() {
    let mut bench = full();
    bench.press("2");
    // The first d6 of the line is the heart die, the second is Might.
    let line = bench.line("Torben");
    assert!(line.contains("d6     d6"), "{line}");
    let heart = bench.cell("d6     d6");
    let might = bench.cell("d6    d4    d4");
    assert_ne!(heart.fgcolor(), might.fgcolor());
}

#[test]
fn the_cursor_is_a_sign_before_the_row_and_before_the_value() {
    let mut bench = full();
    bench.press("2");
    assert!(bench.line("Mira ").starts_with('›'));
    assert!(bench.line("Mira ").contains("›d8     d6   d10"));
    let (head, other) = (bench.cell("Heart  Might"), bench.cell("Agil"));
    assert!(head.underline() && !other.underline());
}

#[test]
fn the_panel_in_use_has_another_frame() {
    let mut bench = full();
    let before = (bench.cell("╭ Party"), bench.cell("╭ Clocks"));
    assert_ne!(before.0.fgcolor(), before.1.fgcolor());
    bench.press("o");
    assert_eq!(bench.cell("╭ Clocks").fgcolor(), before.0.fgcolor());
    assert_eq!(bench.cell("╭ Party").fgcolor(), before.1.fgcolor());
}

#[test]
fn clocks_of_trouble_look_otherwise_than_clocks_of_effort() {
    let mut bench = full();
    bench.press("3 Z");
    assert_ne!(bench.cell("●").fgcolor(), bench.cell("◑").fgcolor());
    assert!(bench.line("The watch wakes").contains("countdown"));
    assert!(bench.line("Up the cliff").contains("full"));
}

#[test]
fn what_is_marked_has_a_sign() {
    let mut bench = full();
    bench.press("2 m Down m");
    assert!(bench.line("Mira").contains("✓"));
    assert!(bench.line("Torben").contains("›✓") || bench.line("Torben").contains("✓"));
    bench.press("Esc");
    assert!(bench.line("Torben").starts_with("› "));
}

#[test]
fn without_colour_weights_say_it() {
    let table = games::full();
    let mut bench = Bench::with(&table, (120, 40), |setup| setup.depth = Depth::Mono);
    bench.press("2");
    assert!(bench.cell("Party").inverse());
    assert!(bench.line("Mira ").contains("›d8     d6   d10"));
    for row in 0..40 {
        for column in 0..120 {
            let cell = bench.far.screen().cell(row, column).unwrap();
            assert_eq!(cell.fgcolor(), vt100::Color::Default);
            assert_eq!(cell.bgcolor(), vt100::Color::Default);
        }
    }
}
