//! Every dialog at every size, and what holds of all of them.

use std::fmt::Write as _;
use std::sync::Arc;

use tableside::rules::System;
use tableside::screen::terminal::color_depth::Depth;
use tableside::table::{ListedSeat, SeatId, SeatRole, Table};

use crate::bench::{Bench, SIZES};
use crate::games;
use crate::opened::noon;
use crate::played::run_command;

/// A dialog: its name, the keys that open it from the table, and what is typed in it then.
pub(crate) type Opening = (&'static str, &'static str, &'static str);

/// Every dialog.
pub(crate) fn openings() -> Vec<Opening> {
    let lines = include_str!("dialogs.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let all = lines.map(|line| {
        let (name, keys) = line.split_once(" | ").unwrap();
        let (keys, typed) = keys.split_once(" | ").unwrap_or((keys, ""));
        (name, keys, typed)
    });
    all.collect()
}

/// A game in full swing to which others may come, with a clock that a check fills, a scene that is
/// prepared, and a check that waits.
pub(crate) fn busy() -> Arc<Table> {
    let table = games::full();
    run_command(&table, "attach The watch wakes by Mira skill cn=12");
    games::put_away(&table, "The ambush", "Sergeant Oske");
    invite(&table);
    run_command(&table, "roll Torben skill cn=9 faces=1,3 wait");
    table
}

/// The same with names that are too long, too wide, and full of tricks.
pub(crate) fn strange() -> Arc<Table> {
    let table = games::ugly();
    let (roster, clocks) = (table.game().roster, table.game().clocks);
    games::attach(&table, &clocks[1], &roster[0]);
    games::put_away(&table, &roster[1].name, &roster[2].name);
    invite(&table);
    run_command(&table, "roll Evil skill cn=9 faces=1,3 wait");
    run_command(
        &table,
        &format!("roll {} skill cn=9 faces=4,3", roster[4].name),
    );
    table
}

/// Lets others come.
fn invite(table: &Arc<Table>) {
    let ana = ListedSeat {
        id: SeatId(11),
        is_passing: false,
        name: "Ana".into(),
        role: SeatRole::Player,
        characters: vec!["Mira".into()],
        keys: vec!["SHA256:uOZ0LCTcBSWzGlJnYNc1".into()],
        invited_until: None,
    };
    let jakob = ListedSeat {
        id: SeatId(12),
        name: "Jakob".into(),
        characters: vec!["Torben".into()],
        keys: Vec::new(),
        invited_until: Some(noon()),
        ..ana.clone()
    };
    table.list(Some(vec![ana, jakob]));
}

/// Opens one of them.
pub(crate) fn open(table: &Arc<Table>, size: (u16, u16), opening: Opening) -> Bench {
    let mut bench = Bench::sit_down(table, size);
    press(&mut bench, opening);
    bench
}

pub(crate) fn press(bench: &mut Bench, (_, keys, typed): Opening) {
    bench.press(keys).type_text(typed);
}

#[test]
fn every_dialog_at_every_size() {
    for opening in openings() {
        let mut text = String::new();
        for size in SIZES {
            let bench = open(&busy(), size, opening);
            let is_open = !bench.screen.state().is_browsing();
            assert!(is_open, "{}: {}", opening.0, bench.text());
            writeln!(text, "{}x{}\n{}\n", size.0, size.1, bench.text()).unwrap();
        }
        if let Some(name) = opening.0.strip_suffix('*') {
            insta::assert_snapshot!(format!("dialog_{name}"), text);
        }
    }
}

#[test]
fn terminals_without_unicode_get_ascii() {
    for opening in openings() {
        let mut bench = Bench::with(&busy(), (80, 24), |setup| {
            (setup.ascii, setup.depth) = (true, Depth::Mono);
        });
        press(&mut bench, opening);
        assert!(bench.text().is_ascii(), "{}: {}", opening.0, bench.text());
    }
}

#[test]
fn every_check_of_every_system_is_rolled_read_again_and_called_for() {
    for system in System::shipped() {
        for (place, check) in system.spec().checks.iter().enumerate() {
            let mut bench = Bench::sit_down(&games::empty(system), (120, 40));
            bench.press("2 n").type_text("One");
            bench.press("Enter");
            // A character makes death saves, and recovers from them, at 0 hit points only.
            let dying = system.spec().dying.as_ref();
            let is_death_save =
                dying.is_some_and(|dying| [dying.save, dying.recovery].contains(&check.id));
            if is_death_save {
                run_command(&bench.table, "set One hit-points 0");
            }
            if check.id == "hit-die" {
                // A Hit Die is refused while no hit points are missing.
                run_command(&bench.table, "damage One 1");
            }
            bench.press("r");
            let count = system.spec().checks.len();
            let position = format!("{} of {count}", place + 1);
            while count > 1 && !bench.text().contains(&position) {
                bench.press("]");
            }
            bench.see(check.label);
            bench.press("Enter");
            // The sheet has no skills, so their values are typed.
            while bench.text().contains("is missing") {
                bench.type_text("5").press("Enter");
            }
            while !bench.table.game().unfinished.is_empty() {
                bench.press("Enter");
            }
            bench.see("Close");
            bench.press("Esc 5 A").see("the result is the same");
            if is_death_save {
                run_command(&bench.table, "heal One 10");
            }
            bench.press("Esc 2 R Down").press(&"Right ".repeat(place));
            bench.press("Enter r").see(check.label);
            bench.see("called for");
        }
    }
}

/// The rows of a dialog's list that are in sight on a screen that it fills: what each begins with.
fn rows(bench: &Bench) -> Vec<(u16, String)> {
    let text = bench.text();
    let lines: Vec<&str> = text.lines().collect();
    let focused = lines.iter().position(|line| line.starts_with("│ › "));
    let is_row = |at: usize| {
        let line = lines.get(at).copied().unwrap_or_default();
        line.starts_with("│ › ")
            || (line.starts_with("│   ") && !line.chars().skip(4).all(|c| " │▾▴".contains(c)))
    };
    let Some(focused) = focused else {
        return Vec::new();
    };
    let from = (0..=focused).rev().take_while(|at| is_row(*at)).last();
    let all = (from.unwrap_or(focused)..).take_while(|at| is_row(*at));
    all.map(|at| (u16::try_from(at).unwrap(), label(lines[at])))
        .collect()
}

/// What a row is called.
fn label(line: &str) -> String {
    let words: String = line.chars().skip(4).take(14).collect();
    let words = words.split("  ").next().unwrap_or_default();
    let words = words.split('‹').next().unwrap_or_default();
    words.trim().to_owned()
}

#[test]
fn the_mouse_goes_to_every_row_of_every_dialog() {
    let mut touched = 0;
    for opening in openings() {
        // A press on the marked note opens the note.
        if matches!(opening.0, "palette*" | "notes") {
            continue;
        }
        let count = rows(&open(&busy(), SIZES[0], opening)).len();
        for place in 0..count {
            let mut bench = open(&busy(), SIZES[0], opening);
            let (row, touched_label) = rows(&bench)[place].clone();
            bench.click(5, row);
            // What is folded away unfolds in its place.
            if touched_label == "More…" {
                assert!(!bench.text().contains("More…"), "{}", bench.text());
                continue;
            }
            let text = bench.text();
            let focused = text.lines().find(|line| line.starts_with("│ › "));
            let focused = focused.unwrap_or_else(|| panic!("{}: {text}", opening.0));
            assert_eq!(label(focused), touched_label, "{}: {text}", opening.0);
            touched += 1;
        }
    }
    assert!(touched > 100, "{touched}");
}

/// Where each button begins.
fn buttons(bench: &Bench) -> Vec<(u16, u16)> {
    let mut found = Vec::new();
    for (row, line) in bench.text().lines().enumerate() {
        let letters: Vec<char> = line.chars().collect();
        for (column, pair) in letters.windows(3).enumerate() {
            let begins = pair[0] == '[' && " ›".contains(pair[1]) && pair[2].is_alphanumeric();
            // The line of keys names brackets, too.
            if begins && row < 11 {
                found.push((u16::try_from(column).unwrap(), u16::try_from(row).unwrap()));
            }
        }
    }
    found
}

#[test]
fn the_mouse_presses_every_button() {
    let mut pressed = 0;
    for opening in openings() {
        let count = buttons(&open(&busy(), SIZES[0], opening)).len();
        for place in 0..count {
            let table = busy();
            let mut bench = open(&table, SIZES[0], opening);
            let (column, row) = buttons(&bench)[place];
            let (before, revision) = (bench.text(), table.revision());
            bench.click(column + 2, row);
            let is_otherwise = bench.text() != before
                || table.revision() != revision
                || bench.wish() != tableside::screen::Flow::Stay;
            assert!(is_otherwise, "{} {place}: {before}", opening.0);
            pressed += 1;
        }
    }
    assert!(pressed > 15, "{pressed}");
}

#[test]
fn a_frame_stays_whole_around_whatever_strangers_write() {
    for opening in openings() {
        let table = strange();
        for ascii in [false, true] {
            for size in SIZES {
                let mut bench = Bench::with(&table, size, |setup| {
                    setup.ascii = ascii;
                    setup.depth = Depth::Ansi16;
                });
                press(&mut bench, opening);
                let text = bench.text();
                assert!(!text.contains(['\u{202E}', '\u{1b}', '\u{200B}']), "{text}");
                if size == SIZES[0] {
                    is_whole(&bench, opening.0);
                }
            }
        }
    }
}

/// Every line of a frame as wide as the screen ends with its edge.
fn is_whole(bench: &Bench, name: &str) {
    let screen = bench.far.screen();
    let (height, width) = (screen.size().0.get(), screen.size().1.get());
    let at = |row: u16, column: u16| screen.cell(row, column).unwrap().contents().to_owned();
    let is_edge = |sign: &str| "│╮╯▾▴|+v^".contains(sign) && !sign.is_empty();
    let corners = [("╭", "╮"), ("+", "+")];
    let is_top = |row: &u16| {
        let ends = (at(*row, 0), at(*row, width - 1));
        corners.contains(&(ends.0.as_str(), ends.1.as_str()))
    };
    let Some(top) = (0..height).find(is_top) else {
        return;
    };
    for row in top..height {
        let (left, right) = (at(row, 0), at(row, width - 1));
        assert!(is_edge(&right), "{name}: line {row}\n{}", bench.text());
        if row > top && ["╰", "+"].contains(&left.as_str()) {
            break;
        }
    }
}

/// What the test's own bench calls a key.
fn called(label: &str) -> String {
    match label {
        "↑" => "Up".to_owned(),
        "↓" => "Down".to_owned(),
        "←" => "Left".to_owned(),
        "→" => "Right".to_owned(),
        label => match label.strip_prefix("Ctrl-") {
            Some(letter) => format!("C-{}", letter.to_lowercase()),
            None => label.to_owned(),
        },
    }
}

#[test]
fn every_key_that_a_dialog_names_does_something_in_it() {
    let mut silent = Vec::new();
    for opening in openings() {
        let line = open(&busy(), (160, 45), opening).foot();
        for hint in line.trim().split("   ") {
            let mut keys = hint.split(' ').map(called);
            let (first, second) = (keys.next().unwrap(), keys.next().unwrap_or_default());
            // Of two that go this way and that, one may be at its end.
            let tried = if ["Down", "Right", "]"].contains(&second.as_str()) {
                vec![first, second]
            } else {
                vec![first]
            };
            let does = tried.iter().any(|key| {
                let mut bench = open(&busy(), (160, 45), opening);
                let before = bench.text();
                let cursor = bench.far.screen().cursor_position();
                bench.press(key);
                bench.text() != before
                    || bench.far.screen().cursor_position() != cursor
                    || bench.wish() != tableside::screen::Flow::Stay
            });
            // What is wrong is told already, and stays so.
            let refused = opening.0.ends_with("_wrong") && hint == "Enter save";
            // A check is resolved with all in sight, or typed into from nothing.
            let is_rolls = opening.0.starts_with("roll_");
            if !does && !refused && !is_rolls {
                silent.push(format!("{}: {hint}", opening.0));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn no_line_of_the_help_is_cut_at_a_hundred_columns() {
    let mut bench = Bench::sit_down(&busy(), (100, 30));
    let (mut shown, mut before) = (bench.press("?").text(), String::new());
    while shown != before {
        assert!(!shown.contains('…'), "{shown}");
        before = shown;
        shown = bench.press("PgDn").text();
    }
    bench.see("Answering");
}
