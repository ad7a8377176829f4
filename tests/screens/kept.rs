//! Games that are kept on disk: a log longer than memory, a disk that fails, a game only looked at.

use std::sync::Arc;
use std::sync::mpsc::channel;

use tableside::rules::System;
use tableside::screen::Input;
use tableside::store::Saving;
use tableside::table::{OnEdit, Opening, Seat, SeatView, Table};
use tempfile::TempDir;

use crate::bench::Bench;
use crate::opened::{open, opening};
use crate::played::{PATIENCE, begin, run_command};

/// A game that is kept, with so many notes in its log, and its folder.
fn kept(notes: usize) -> (TempDir, Arc<Table>) {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEART_RUSH);
    for number in 1..=notes {
        run_command(&table, &format!("note note {number} of many"));
        if number % 1_000 == 0 {
            table.flush(PATIENCE).unwrap();
        }
    }
    table.flush(PATIENCE).unwrap();
    (data, table)
}

/// The same, closed and opened again: its log begins in the file.
fn opened_again(notes: usize) -> (TempDir, Arc<Table>, Bench) {
    let (data, table) = kept(notes);
    drop(table);
    let table = open(&data.path().join("unsaved-1"));
    let bench = Bench::sit_down(&table, (80, 24));
    (data, table, bench)
}

#[test]
fn older_entries_are_read_as_one_goes_down() {
    let (_data, table, mut bench) = opened_again(3_000);
    bench.press("5").see("note 3000 of many");
    bench.press("G").see("note 1 of many");
    bench.press("Home").see("note 3000 of many");
    // What comes meanwhile does not move what one reads.
    bench.press("Down Down");
    run_command(&table, "note something new");
    bench.screen.handle(Input::Changed);
    bench.look();
    bench.see("note 2998 of many");
    let shown = bench.text();
    let cursor = shown.lines().find(|line| line.starts_with('›'));
    assert!(cursor.unwrap().contains("note 2998 of many"), "{shown}");
}

#[test]
fn the_whole_log_is_filtered_beside_the_keys() {
    let (_data, _table, mut bench) = opened_again(6_000);
    bench.press("5 / n o t e Space 1 7");
    // The key itself looks at the newest entries alone, and does not wait.
    bench.press(&"Backspace ".repeat(7));
    bench.type_text("\"note 17 \"").see("note 17 of many");
    assert!(!bench.text().contains("note 170"));
    bench.press("Enter Esc").see("note 6000 of many");
    bench.press("/").type_text("nowhere");
    bench.see("No matches");
}

#[test]
fn a_disk_that_fails_is_told_and_nothing_else() {
    let (data, table) = kept(1);
    let mut bench = Bench::sit_down(&table, (80, 24));
    bench.press("5");
    assert!(!bench.text().to_lowercase().contains("saving"));
    let (sender, news) = channel();
    let _watching = table.watch(Box::new(move |told| {
        sender.send(told).unwrap_or_default();
    }));
    std::fs::remove_dir_all(data.path().join("unsaved-1")).unwrap();
    run_command(&table, "note lost?");
    loop {
        news.recv_timeout(PATIENCE).unwrap();
        let is_failing = |seen: &SeatView<'_>| matches!(seen.saving(), Saving::Failing { .. });
        if table.read(&Seat::gm(), is_failing) {
            break;
        }
    }
    bench.screen.handle(Input::Saving);
    bench.look();
    bench.see("NOT SAVED since 12:00");
}

#[test]
fn a_game_only_looked_at_says_so() {
    let (data, _table) = kept(1);
    let viewing = Opening {
        view: true,
        ..opening(OnEdit::Ask)
    };
    let (viewed, _) = Table::open(&data.path().join("unsaved-1"), viewing).unwrap();
    let mut bench = Bench::sit_down(&viewed, (80, 24));
    bench.see("view only");
    let keys = bench.foot();
    assert!(keys.contains(": commands"), "{keys}");
    for none in ["roll", "new", "round"] {
        assert!(!keys.contains(none), "{keys}");
    }
    for key in ["N", "n", "r", "u"] {
        let told = "this game is open read-only; open it without --view to play";
        bench.press(key).see(told);
    }
}

#[test]
fn a_game_without_a_name_is_named_by_one_key() {
    let (data, table) = kept(0);
    let mut bench = Bench::with(&table, (80, 24), |setup| {
        setup.storage = Some(data.path().into());
    });
    bench.see("Ctrl-O starts your own");
    bench.press("C-n").type_text("The cliff");
    bench.press("Enter").see("The cliff");
    assert_eq!(table.name(), "The cliff");
    assert!(!bench.text().contains("names it"));
}
