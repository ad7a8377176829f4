//! Every key that acts on one entry acts on the entry that is drawn as selected.

use std::sync::Arc;

use tableside::rules::System;
use tableside::screen::theme::Theme;
use tableside::table::{Seat, Table};

use crate::bench::Bench;
use crate::games;
use crate::played::run_command;

const CHARACTERS: [&str; 3] = ["Aldric", "Berta", "Cosmo"];
const CLOCKS: [&str; 3] = ["Dawn", "Exile", "Flood"];
const POOLS: [&str; 3] = ["Gold", "Hours", "Ink"];

/// Keys that change the selected entry at once, with a key that opens and one that confirms a roll.
const KEYS_FOR_CHARACTERS: [&str; 3] = ["r Enter", "-", "d"];
const KEYS_FOR_CLOCKS: [&str; 5] = ["+", "-", "v", "]", "d"];
const KEYS_FOR_POOLS: [&str; 3] = ["+", "-", "d"];

fn table() -> Arc<Table> {
    let table = games::empty(System::HEART_RUSH);
    for name in CHARACTERS {
        run_command(&table, &format!("add character {name} party"));
    }
    for name in CLOCKS {
        run_command(&table, &format!("add clock {name} 6 effort filled 3"));
    }
    for name in POOLS {
        run_command(&table, &format!("add pool {name} with 3"));
    }
    table
}

/// The known name that is nearest to the right of and below the bold cursor sign.
fn drawn_as_selected(bench: &Bench, names: &[&'static str]) -> Option<&'static str> {
    let screen = bench.far.screen();
    let (height, width) = screen.size();
    let text = bench.text();
    let mut nearest: Option<(usize, &'static str)> = None;

    for row in 0..height.get() {
        for column in 0..width.get() {
            let cell = screen.cell(row, column).unwrap();
            if cell.contents() != "›" || !cell.bold() {
                continue;
            }

            for (at, line) in text.lines().enumerate().skip(usize::from(row)) {
                for name in names {
                    let Some(bytes) = line.find(name) else {
                        continue;
                    };
                    let from = line.split_at(bytes).0.chars().count();
                    let Some(aside) = from.checked_sub(usize::from(column)) else {
                        continue;
                    };
                    let distance = aside + 4 * (at - usize::from(row));
                    if nearest.is_none_or(|(known, _)| distance < known) {
                        nearest = Some((distance, name));
                    }
                }
            }
        }
    }

    nearest.map(|(_, name)| name)
}

fn newest(table: &Table) -> (usize, String) {
    table.read(&Seat::gm(), |seen| {
        let length = usize::try_from(seen.log_length()).unwrap();
        let newest = seen.log().next();
        let text = newest.map(|entry| entry.event.text(seen.system()));
        (length, text.unwrap_or_default())
    })
}

/// Presses a key and checks that the entry it changed is the one that was drawn as selected.
fn check_key(bench: &mut Bench, key: &str, names: &[&'static str], situation: &str) {
    let selected = drawn_as_selected(bench, names);
    let shown = bench.text();
    let selected = selected.unwrap_or_else(|| panic!("{situation}: nothing is selected\n{shown}"));
    let (before, _) = newest(&bench.table);

    bench.press(key);

    let (after, text) = newest(&bench.table);
    assert!(
        after > before,
        "{situation}, {key}: nothing happened\n{}",
        bench.text()
    );
    assert!(
        text.contains(selected),
        "{situation}, {key}: {selected} is selected, but: {text}\n{shown}"
    );
}

/// Ways to come to an entry of a list: a name, the keys from the start, and the names of the list.
fn places() -> Vec<(
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
)> {
    let characters: &[&str] = &CHARACTERS;
    let clocks: &[&str] = &CLOCKS;
    let pools: &[&str] = &POOLS;
    vec![
        ("table, party", "Down", characters, &KEYS_FOR_CHARACTERS),
        ("table, clocks", "o Down", clocks, &KEYS_FOR_CLOCKS),
        ("table, tokens", "o o Down", pools, &KEYS_FOR_POOLS),
        (
            "back from tokens",
            "o o Down 1",
            characters,
            &KEYS_FOR_CHARACTERS,
        ),
        (
            "back from another tab",
            "o o 4 Down 1 Down",
            characters,
            &KEYS_FOR_CHARACTERS,
        ),
        ("party tab", "2 Down", characters, &KEYS_FOR_CHARACTERS),
        ("clocks tab", "3 Down", clocks, &KEYS_FOR_CLOCKS),
        (
            "party tab, filtered",
            "2 / C o s m Enter",
            characters,
            &KEYS_FOR_CHARACTERS,
        ),
        (
            "clocks tab, filtered",
            "3 / F l o o Enter",
            clocks,
            &KEYS_FOR_CLOCKS,
        ),
        (
            "after a filter",
            "2 / C o s m Enter Esc 1",
            characters,
            &KEYS_FOR_CHARACTERS,
        ),
        (
            "after a deletion",
            "2 Down d",
            characters,
            &KEYS_FOR_CHARACTERS,
        ),
        ("after undo", "2 Down d u", characters, &KEYS_FOR_CHARACTERS),
        (
            "after undo on the table",
            "Down d u",
            characters,
            &KEYS_FOR_CHARACTERS,
        ),
    ]
}

#[test]
fn keys_act_on_the_entry_that_is_drawn_as_selected() {
    for (situation, keys_to_come, names, keys) in places() {
        for key in keys {
            let mut bench = Bench::sit_down(&table(), (120, 40));
            bench.press(keys_to_come);
            check_key(&mut bench, key, names, situation);
        }
    }
}

#[test]
fn a_click_selects_and_keys_follow_it() {
    for (tab, names) in [("1", CHARACTERS), ("2", CHARACTERS), ("3", CLOCKS)] {
        for name in names {
            let mut bench = Bench::sit_down(&table(), (120, 40));
            bench.press(tab);
            let text = bench.text();
            let (row, line) = text
                .lines()
                .enumerate()
                .skip(2)
                .find(|(_, line)| line.contains(name))
                .unwrap();
            let column = line.split(name).next().unwrap().chars().count();
            bench.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
            assert_eq!(
                drawn_as_selected(&bench, &names),
                Some(name),
                "{}",
                bench.text()
            );
            check_key(&mut bench, "d", &names, "after a click");
        }
    }
}

#[test]
fn a_key_does_not_act_on_the_neighbour_of_an_entry_that_another_seat_deleted() {
    for (keys, names) in [("Down", CHARACTERS), ("2 Down", CHARACTERS), ("3", CLOCKS)] {
        let mut bench = Bench::sit_down(&table(), (120, 40));
        bench.press(keys);
        let selected = drawn_as_selected(&bench, &names).unwrap();
        // This screen has not drawn the change yet.
        run_command(&bench.table, &format!("delete {selected}"));
        let (before, _) = newest(&bench.table);

        bench.press("d");

        assert_eq!(newest(&bench.table).0, before, "{}", bench.text());
    }
}

#[test]
fn the_cursor_of_a_panel_without_the_focus_is_drawn_dim() {
    let mut bench = Bench::sit_down(&table(), (120, 40));
    bench.press("Down o o");
    bench.see("› Cosmo");
    assert!(!bench.cell("› Cosmo").bold());
    bench.press("1");
    assert!(bench.cell("› Cosmo").bold());
}

#[test]
fn a_word_with_a_ground_of_its_own_keeps_it_behind_the_bar() {
    let table = table();
    run_command(&table, "set Aldric hit-points 0");
    let mut bench = Bench::with(&table, (120, 40), |setup| {
        setup.theme = Theme::named("high-contrast").unwrap();
    });
    let ground = |bench: &Bench, text: &str| bench.cell(text).bgcolor();

    bench.press("Right");
    let ground_of_word = ground(&bench, "down");
    assert_ne!(ground_of_word, ground(&bench, "Aldric"), "{}", bench.text());
    bench.press("Left");
    assert_eq!(ground_of_word, ground(&bench, "down"));
    assert_ne!(ground(&bench, "Berta"), ground(&bench, "Aldric"));
}
