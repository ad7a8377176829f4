//! How much of the screen is left empty: every tab of every sample game on large screens.
//!
//! `cargo test --test screens room -- --nocapture` prints the table.

use std::fmt::Write as _;

use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::table::Table;

use crate::bench::Bench;
use crate::opened::noon;

const SIZES: [(u16, u16); 2] = [(120, 40), (200, 60)];
const TABS: [&str; 5] = ["table", "party", "clocks", "tokens", "log"];

/// Whether nothing stands in a row but blanks and the lines of frames.
fn is_empty(row: &str) -> bool {
    let lines = "│╭╮╰╯─┌┐└┘|+-";
    row.chars()
        .all(|sign| sign.is_whitespace() || lines.contains(sign))
}

#[test]
fn less_than_a_third_of_a_screens_rows_is_empty() {
    let mut too_empty = Vec::new();
    for (width, height) in SIZES {
        println!("empty rows of {height} at {width}x{height}");
        println!("{:22}{}", "", TABS.map(|tab| format!("{tab:>8}")).concat());
        for system in System::shipped() {
            let game = sample(system).unwrap();
            // A short evening fills less: there less than half is empty.
            let share = if game.entries.len() < 30 { 2 } else { 3 };
            let dice = Box::new(SystemDice::from_key([1; 32]));
            let table = Table::unsaved(&game.name, game.game, game.entries, None, noon, dice);
            let mut line = format!("{:22}", system.to_string());
            for (key, tab) in ["1", "2", "3", "4", "5"].into_iter().zip(TABS) {
                let mut bench = Bench::sit_down(&table, (width, height));
                bench.press(key);
                let text = bench.text();
                // The far end leaves out nothing, but blank lines at its foot.
                let full = text.lines().filter(|row| !is_empty(row)).count();
                let empty = usize::from(height) - full;
                write!(line, "{empty:8}").unwrap();
                // A coin has at most nine rows: a few tokens on a large screen need no more.
                let is_limited = tab != "tokens";
                if is_limited && empty * share > usize::from(height) {
                    too_empty.push(format!("{tab} of {system} at {width}x{height}: {empty}"));
                }
            }
            println!("{line}");
        }
    }
    assert!(too_empty.is_empty(), "{too_empty:#?}");
}
