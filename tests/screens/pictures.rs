//! Every tab at every size, with nothing, with a game in full swing, and with ugly words.

use std::fmt::Write as _;
use std::sync::Arc;

use tableside::rules::System;
use tableside::table::Table;

use crate::bench::{Bench, SIZES};
use crate::games;

const TABS: [(&str, &str); 5] = [
    ("1", "table"),
    ("2", "party"),
    ("3", "clocks"),
    ("4", "tokens"),
    ("5", "log"),
];

/// Every tab at a size, one below the other.
fn all_tabs(table: &Arc<Table>, size: (u16, u16), ascii: bool) -> String {
    let tabs = TABS.map(|(key, _)| {
        let mut bench = Bench::with(table, size, |setup| setup.ascii = ascii);
        bench.press(key).text() + "\n\n"
    });
    tabs.concat()
}

#[test]
fn a_game_with_nothing_in_it_says_what_to_press() {
    let table = games::empty(System::HEART_RUSH);
    insta::assert_snapshot!("empty", all_tabs(&table, (80, 24), false));
}

#[test]
fn a_game_in_full_swing_is_read_at_a_glance() {
    let table = games::full();
    for (key, tab) in TABS {
        let mut text = String::new();
        for size in SIZES {
            let mut bench = Bench::sit_down(&table, size);
            bench.press(key);
            writeln!(text, "{}x{}\n{}\n", size.0, size.1, bench.text()).unwrap();
        }
        insta::assert_snapshot!(format!("{tab}_full"), text);
    }
}

#[test]
fn ugly_words_stay_in_their_places() {
    let table = games::ugly();
    insta::assert_snapshot!("ugly", all_tabs(&table, (80, 24), false));
    for size in SIZES {
        let text = all_tabs(&table, size, false);
        assert!(!text.contains("\u{202E}") && !text.contains('\u{1b}'));
    }
}

#[test]
fn ascii_shows_nothing_else() {
    let table = games::full();
    let text = all_tabs(&table, (80, 24), true);
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("ascii", text);
}

#[test]
fn what_is_on_top_of_a_tab() {
    let mut text = String::new();
    let mut show = |bench: &Bench| writeln!(text, "{}\n", bench.text()).unwrap();
    let table = games::full();
    for size in [(40, 12), (80, 24)] {
        let mut bench = Bench::sit_down(&table, size);
        bench.press("3 ?");
        show(&bench);
        bench.press("Esc :").type_text("roun");
        show(&bench);
        bench.press("Esc 5 /").type_text("who:wren");
        show(&bench);
        bench.press("Enter");
        show(&bench);
    }
    show(&Bench::sit_down(&games::empty(System::GNOSIS), (80, 24)));
    insta::assert_snapshot!("on_top", text);
}
