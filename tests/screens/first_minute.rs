//! The first minute: the sample game, its line under the tabs, and its name.

use std::path::Path;
use std::sync::Arc;

use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::table::{Seat, SeatId, SeatRole, Table};

use crate::bench::Bench;
use crate::played::run_command;

/// The sample game of Heart Rush, which its first change saves in a folder.
fn sample_in(folder: &Path) -> Arc<Table> {
    let sample = sample(System::HEART_RUSH).unwrap();
    let dice = Box::new(SystemDice::from_key([7; 32]));
    let clock = || chrono::DateTime::UNIX_EPOCH;
    let storage = Some(folder.into());
    Table::unsaved(
        "Harrow Keep",
        sample.game,
        sample.entries,
        storage,
        clock,
        dice,
    )
}

fn sit_down(table: &Arc<Table>, folder: &Path, size: (u16, u16)) -> Bench {
    Bench::with(table, size, |setup| setup.storage = Some(folder.into()))
}

#[test]
fn the_sample_is_called_so_until_the_game_has_a_name() {
    let data = tempfile::tempdir().unwrap();
    let table = sample_in(data.path());
    let mut bench = sit_down(&table, data.path(), (80, 24));

    let untouched = "Sample game: Harrow Keep. Ctrl-O starts your own";
    bench.see(untouched);
    bench.press("2 3 Down 5 1").see(untouched);
    assert!(bench.text().starts_with(" Harrow Keep"), "{}", bench.text());

    run_command(&table, "note The rope held");
    bench.screen.handle(tableside::screen::Input::Changed);
    bench.look();
    bench.see("Sample game: Harrow Keep, saved as unsaved-1. Ctrl-N names it");
    assert!(bench.text().starts_with(" Harrow Keep"), "{}", bench.text());

    bench.press("C-n").type_text("friday").press("Enter");
    assert!(!bench.text().contains("Sample game"), "{}", bench.text());
    assert!(bench.text().starts_with(" friday"), "{}", bench.text());
}

#[test]
fn a_low_screen_names_the_key_in_its_title() {
    let data = tempfile::tempdir().unwrap();
    let table = sample_in(data.path());
    let mut bench = sit_down(&table, data.path(), (40, 12));
    bench.see("Ctrl-O starts your own");

    run_command(&table, "note The rope held");
    bench.screen.handle(tableside::screen::Input::Changed);
    bench.look();
    bench.see("Ctrl-N names it");
}

#[test]
fn players_see_no_line_about_the_name() {
    let data = tempfile::tempdir().unwrap();
    let table = sample_in(data.path());
    let player = Seat::new(SeatId(7), "lea", SeatRole::Player);
    let bench = Bench::with(&table, (80, 24), |setup| setup.seat = player);
    assert!(!bench.text().contains("Sample game"), "{}", bench.text());
    assert!(!bench.text().contains("names it"), "{}", bench.text());
}
