//! Games that are kept on disk: a log longer than memory, a disk that fails, a game only looked at.

use std::sync::mpsc::channel;

use tableside::rules::System;
use tableside::screen::Input;
use tableside::store::Saving;
use tableside::table::{OnEdit, Opening, Seat, SeatView, Table};

use crate::bench::Bench;
use crate::opened::{open, opening};
use crate::played::{PATIENCE, begin, say};

#[test]
fn older_entries_are_read_as_one_goes_down() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEART_RUSH);
    for number in 1..=3_000 {
        say(&table, &format!("note note {number} of many"));
    }
    table.flush(PATIENCE).unwrap();
    drop(table);
    let table = open(&data.path().join("unsaved-1"));
    let mut bench = Bench::sit_down(&table, (80, 24));
    bench.press("5");
    assert!(bench.text().contains("note 3000 of many"));
    bench.press("G");
    assert!(bench.text().contains("note 1 of many"), "{}", bench.text());
    bench.press("Home");
    assert!(bench.text().contains("note 3000 of many"));
    // What comes meanwhile does not move what one reads.
    bench.press("Down Down");
    say(&table, "note something new");
    bench.screen.handle(Input::Changed(table.revision()));
    bench.look();
    assert!(bench.line("note 2998 of many").contains("2998"));
    let cursor = bench.text();
    let cursor = cursor.lines().find(|line| line.starts_with('›'));
    assert!(cursor.unwrap().contains("note 2998 of many"));
}

#[test]
fn the_whole_log_is_filtered_beside_the_keys() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEART_RUSH);
    for number in 1..=6_000 {
        say(&table, &format!("note note {number} of many"));
        if number % 1_000 == 0 {
            table.flush(PATIENCE).unwrap();
        }
    }
    drop(table);
    let table = open(&data.path().join("unsaved-1"));
    let mut bench = Bench::sit_down(&table, (80, 24));
    bench.press("5 / n o t e Space 1 7");
    // The key itself looks at the newest entries alone, and does not wait.
    bench.press("Backspace Backspace Backspace Backspace Backspace Backspace Backspace");
    bench.type_text("\"note 17 \"");
    assert!(bench.text().contains("note 17 of many"), "{}", bench.text());
    assert!(!bench.text().contains("note 170"));
    bench.press("Enter Esc");
    assert!(bench.text().contains("note 6000 of many"));
    bench.press("/");
    bench.type_text("nowhere");
    assert!(bench.text().contains("Nothing here is like that"));
}

#[test]
fn a_disk_that_fails_is_told_and_nothing_else() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEART_RUSH);
    say(&table, "note kept");
    table.flush(PATIENCE).unwrap();
    let mut bench = Bench::sit_down(&table, (80, 24));
    bench.press("5");
    assert!(!bench.text().to_lowercase().contains("saving"));
    let (sender, news) = channel();
    let _watching = table.watch(Box::new(move |told| {
        sender.send(told).unwrap_or_default();
    }));
    std::fs::remove_dir_all(data.path().join("unsaved-1")).unwrap();
    say(&table, "note lost?");
    loop {
        news.recv_timeout(PATIENCE).unwrap();
        let is_failing = |seen: &SeatView<'_>| matches!(seen.saving(), Saving::Failing { .. });
        if table.read(&Seat::gm(), is_failing) {
            break;
        }
    }
    bench.screen.handle(Input::Saving);
    bench.look();
    assert!(
        bench.text().contains("NOT SAVED since 12:00"),
        "{}",
        bench.text()
    );
}

#[test]
fn a_game_only_looked_at_says_so() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEART_RUSH);
    say(&table, "note kept");
    table.flush(PATIENCE).unwrap();
    let viewing = Opening {
        view: true,
        ..opening(OnEdit::Ask)
    };
    let (viewed, _) = Table::open(&data.path().join("unsaved-1"), viewing).unwrap();
    let mut bench = Bench::sit_down(&viewed, (80, 24));
    assert!(bench.text().contains("view only"), "{}", bench.text());
    let line = |bench: &Bench| bench.text().lines().last().unwrap().to_owned();
    assert!(line(&bench).contains(": commands"), "{}", line(&bench));
    for none in ["roll", "new", "round"] {
        assert!(!line(&bench).contains(none), "{}", line(&bench));
    }
    for key in ["N", "n", "r", "u"] {
        bench.press(key);
        let told = "this game is open for looking only; open it without --view to play";
        assert!(bench.text().contains(told), "{key}: {}", bench.text());
    }
}

#[test]
fn a_game_without_a_name_is_named_by_one_key() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEART_RUSH);
    let mut bench = Bench::with(&table, (80, 24), |setup| {
        setup.storage = Some(data.path().into());
    });
    assert!(bench.text().contains("Ctrl-N names it"));
    bench.press("C-n").type_text("The cliff");
    bench.press("Enter");
    assert_eq!(table.name(), "The cliff");
    assert!(bench.text().contains("The cliff"), "{}", bench.text());
    assert!(!bench.text().contains("names it"));
}
