//! Every dialog at every size, and what holds of all of them.

use std::fmt::Write as _;
use std::sync::Arc;

use tableside::table::{Listed, Role, Table};

use crate::bench::{Bench, SIZES};
use crate::games;

/// A dialog: its name, the keys that open it from the table, and what is typed and pressed in it then.
pub(crate) type Opening = (&'static str, &'static str, &'static str);

/// Every dialog.
pub(crate) const OPENINGS: [Opening; 47] = [
    ("roll", "2 r", ""),
    ("roll_field", "2 r Down Down", ""),
    ("roll_by_hand", "2 r Right C-h Enter", ""),
    ("roll_choice", "2 r Right C-h Enter 1 Space 3 Enter", ""),
    ("roll_resolved", "2 r Right C-h Enter 7 Space 6 Enter", ""),
    ("roll_failed", "2 r Right C-h Enter 1 Space 2 Enter f", ""),
    ("roll_closed", "2 r C-l", ""),
    ("roll_group", "2 r Up Up Up Up Left Left", ""),
    ("roll_waits", "2 Down r", ""),
    ("roll_for_clock", "3 Right r", ""),
    ("amend", "5 Down Down Down Down Down Down Down A", ""),
    ("call", "R", ""),
    ("character_new", "2 n", ""),
    ("character", "2 Enter", ""),
    ("character_wrong", "2 n Enter", ""),
    ("conditions", "2 Down c", ""),
    ("conditions_typing", "2 Down c", "shaken"),
    ("damage", "2 p", "12"),
    ("rest", "2 z", ""),
    ("first_aid", "2 f", ""),
    ("copies", "2 C-d", ""),
    ("award", "2 w", ""),
    ("clock_new", "3 n", ""),
    ("clock", "3 Right Enter", ""),
    ("link", "3 Right L", ""),
    ("forecast", "3 Right f", ""),
    ("forecast_without", "3 f", ""),
    ("scenes", "3 b", ""),
    ("scene_keep", "2 m Down m b n", ""),
    ("pool_new", "4 n", ""),
    ("pool", "4 G Enter", ""),
    ("pool_wrong", "4 G Enter Up", " bell"),
    ("amount", "4 =", "5"),
    ("transfer", "4 M", ""),
    ("award_pool", "4 w", ""),
    ("explain", "5 Down Down Down Down Down Down Down Enter", ""),
    ("note", "5 a", ""),
    ("strike", "5 x", ""),
    ("export", "5 e", ""),
    ("statistics", "5 s", ""),
    ("house", "H", ""),
    ("seats", "W", ""),
    ("invite", "i", ""),
    ("scene", "S", "The yard"),
    ("name", "C-n", ""),
    ("confirm", "q", ""),
    ("palette", ":", "mira"),
];

/// A game in full swing to which others may come, with a clock that a check fills, a scene that is
/// prepared, and a check that waits.
pub(crate) fn busy() -> Arc<Table> {
    let table = games::full();
    games::attach(&table, "The watch wakes");
    games::put_away(&table, "The ambush", &["Sergeant Oske"]);
    table.list(Some(vec![
        Listed {
            name: "Ana".into(),
            role: Role::Player,
            characters: vec!["Mira".into()],
            keys: vec!["SHA256:uOZ0LCTcBSWzGlJnYNc1".into()],
            invited_until: None,
        },
        Listed {
            name: "Jakob".into(),
            role: Role::Player,
            characters: vec!["Torben".into()],
            keys: Vec::new(),
            invited_until: Some(games::noon()),
        },
    ]));
    games::begin_a_check_of(&table, "Torben");
    table
}

/// Opens one of them.
pub(crate) fn open(table: &Arc<Table>, size: (u16, u16), (_, keys, typed): Opening) -> Bench {
    let mut bench = Bench::sit_down(table, size);
    bench.press(keys);
    if !typed.is_empty() {
        bench.type_text(typed);
    }
    bench
}

#[test]
fn every_dialog_at_every_size() {
    for opening in OPENINGS {
        let mut text = String::new();
        for size in SIZES {
            let bench = open(&busy(), size, opening);
            assert!(
                !bench.screen.state().is_browsing(),
                "{}: {}",
                opening.0,
                bench.text()
            );
            writeln!(text, "{}x{}\n{}\n", size.0, size.1, bench.text()).unwrap();
        }
        insta::assert_snapshot!(format!("dialog_{}", opening.0), text);
    }
}
