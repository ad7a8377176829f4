//! What a key costs: settled, drawn, and brought down to bytes.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::app::keymap::Keymap;
use tableside::screen::theme::Theme;
use tableside::screen::{Input, Screen, Setup};
use tableside::table::Table;

fn main() {
    divan::main();
}

fn screen(system: System, tab: &[u8]) -> Screen {
    let sample = sample(system).unwrap_or_else(|_| unreachable!("samples are tested"));
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let (name, game) = (sample.name, sample.game);
    let clock = || chrono::DateTime::UNIX_EPOCH;
    let table = Table::unsaved(&name, game, sample.entries, None, clock, dice);
    let mut screen = Screen::new(Arc::clone(&table), Setup::gm(), (120, 40));
    screen.handle(Input::Bytes(tab.to_vec()));
    screen.frame();
    screen
}

/// The cursor down and up again, on each tab.
#[divan::bench(args = ["1", "2", "3", "4", "5"])]
fn move_the_cursor(bencher: Bencher<'_, '_>, tab: &str) {
    let mut screen = screen(System::HEART_RUSH, tab.as_bytes());
    bencher.counter(ItemsCount::new(2_u32)).bench_local(|| {
        screen.handle(Input::Bytes(b"\x1b[B".to_vec()));
        let down = screen.frame();
        screen.handle(Input::Bytes(b"\x1b[A".to_vec()));
        (down, screen.frame())
    });
}

/// The same in the system with the most dice.
#[divan::bench(args = ["1", "5"])]
fn move_the_cursor_in_gnosis(bencher: Bencher<'_, '_>, tab: &str) {
    let mut screen = screen(System::GNOSIS, tab.as_bytes());
    bencher.counter(ItemsCount::new(2_u32)).bench_local(|| {
        screen.handle(Input::Bytes(b"\x1b[B".to_vec()));
        let down = screen.frame();
        screen.handle(Input::Bytes(b"\x1b[A".to_vec()));
        (down, screen.frame())
    });
}

/// Down and up again in a dialog: help, roll, conditions, palette, log entry, themes.
#[divan::bench(args = ["?", "r", "c", ":", "5\r", "T"])]
fn move_in_a_dialog(bencher: Bencher<'_, '_>, keys: &str) {
    let mut screen = screen(System::HEART_RUSH, keys.as_bytes());
    bencher.counter(ItemsCount::new(2_u32)).bench_local(|| {
        screen.handle(Input::Bytes(b"\x1b[B".to_vec()));
        let down = screen.frame();
        screen.handle(Input::Bytes(b"\x1b[A".to_vec()));
        (down, screen.frame())
    });
}

/// The first frame of all.
#[divan::bench]
fn the_first_frame(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| screen(System::HEART_RUSH, b""));
}

/// What every start reads before its first frame.
#[divan::bench]
fn the_keys() -> Keymap {
    Keymap::default()
}

/// The same.
#[divan::bench]
fn a_theme() -> Theme {
    Theme::default()
}

/// A sample game, played from its script.
#[divan::bench(args = System::shipped())]
fn a_sample(system: System) -> bool {
    sample(system).is_ok()
}
