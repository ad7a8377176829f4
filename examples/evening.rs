//! Does a long evening or a large party slow the game down? Prints the cost of an act of the GM, of the frame of a
//! player's screen and of a key on the GM's Party tab, and the memory of the process.
//!
//! `cargo run --release --example evening`. To reach: after 50,000 acts an act and a frame cost what they cost after 100,
//! memory grows by at most 10 MiB beyond 10,000 acts, and an act with 500 characters takes at most 3 times as long as
//! with 12.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::unwrap_used, reason = "a failed measurement should be noticed")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::game::{Character, Clock, Command, Game, Segments};
use tableside::rules::{Sheet, System};
use tableside::screen::{Input, Screen, Setup};
use tableside::store::Storage;
use tableside::table::{Act, Seat, SeatId, SeatRole, Table};

/// How many acts are timed at each point.
const TIMED: usize = 200;

fn main() {
    let data = tempfile::tempdir().unwrap();
    println!("a long evening:");
    measure_evening(data.path(), &[100, 1_000, 10_000, 50_000]);

    println!("a large party:");
    for system in [System::HEART_RUSH, System::HFRPG] {
        for characters in [12, 100, 500] {
            measure_party(data.path(), system, characters);
        }
    }
}

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_176_000, 0).unwrap()
}

fn measure_evening(data: &Path, points: &[usize]) {
    let table = new_table(data, System::HEART_RUSH, 12);
    let mut player = player_screen(&table);
    let mut acts = 0;
    for point in points {
        while acts < *point {
            act(&table, acts);
            acts += 1;
        }
        let costs = measure(&table, &mut player, &mut acts);
        println!(
            "  after {point:6} acts: act {:7.1} µs, player's frame {:7.1} µs, memory {:5.1} MiB",
            costs.act,
            costs.frame,
            memory()
        );
    }
    table.flush(Duration::from_mins(1)).unwrap();
}

fn measure_party(data: &Path, system: System, characters: usize) {
    let table = new_table(data, system, characters);
    let mut player = player_screen(&table);
    let mut acts = 0;
    let costs = measure(&table, &mut player, &mut acts);
    let step = measure_step(&table);
    println!(
        "  {system}, {characters:3} characters: act {:7.1} µs, player's frame {:7.1} µs, \
         value on the Party tab {step:7.1} µs",
        costs.act, costs.frame
    );
    table.flush(Duration::from_mins(1)).unwrap();
}

/// Medians in microseconds.
struct Costs {
    act: f64,
    frame: f64,
}

fn measure(table: &Arc<Table>, player: &mut Screen, acts: &mut usize) -> Costs {
    let mut act_times = Vec::new();
    let mut frame_times = Vec::new();
    player.handle(Input::Changed);
    player.frame();
    for _ in 0..TIMED {
        let started = Instant::now();
        act(table, *acts);
        act_times.push(started.elapsed());
        *acts += 1;

        let started = Instant::now();
        player.handle(Input::Changed);
        player.frame();
        frame_times.push(started.elapsed());
    }
    Costs {
        act: median(act_times),
        frame: median(frame_times),
    }
}

/// The median time in which the GM's screen changes a value on the Party tab and draws it, in microseconds.
fn measure_step(table: &Arc<Table>) -> f64 {
    let mut screen = Screen::new(Arc::clone(table), Setup::gm(), (120, 40));
    for key in ["2", "\x1b[C"] {
        screen.handle(Input::Bytes(key.as_bytes().to_vec()));
        screen.frame();
    }

    let mut times = Vec::new();
    for number in 0..TIMED {
        let key = if number.is_multiple_of(2) { b"-" } else { b"+" };
        let started = Instant::now();
        screen.handle(Input::Bytes(key.to_vec()));
        screen.frame();
        times.push(started.elapsed());
    }
    median(times)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// The GM advances a clock or sets it back.
fn act(table: &Arc<Table>, number: usize) {
    let clock = table.read(&Seat::gm(), |view| view.clocks[0].id);
    let by = if number.is_multiple_of(2) { 1 } else { -1 };
    let tick = Command::Tick { clock, by };
    table.submit(&Seat::gm(), &tick.into()).unwrap();
}

/// A saved game with characters and a clock.
fn new_table(data: &Path, system: System, characters: usize) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([9; 32]));
    let storage = Some(Storage::from(data));
    let table = Table::unsaved(
        "evening",
        Game::new(system),
        Vec::new(),
        storage,
        noon,
        dice,
    );
    let add = |command: Command| table.submit(&Seat::gm(), &Act::from(command)).unwrap();
    for number in 1..=characters {
        let name = format!("Character {number}");
        let mut character = Character::new(&name, Sheet::new(system));
        // The first four are the party, with a player each.
        if number <= 4 {
            character.player = format!("Player {number}");
        }
        add(Command::add(character));
    }
    let segments = Segments::try_from(8).unwrap();
    add(Command::add(Clock::new("The alarm", segments)));
    table
}

fn player_screen(table: &Arc<Table>) -> Screen {
    let mut seat = Seat::new(SeatId(7), "Player 1", SeatRole::Player);
    seat.characters = table.read(&Seat::gm(), |view| vec![view.roster[0].id]);
    let setup = Setup {
        seat,
        ..Setup::gm()
    };
    let mut screen = Screen::new(Arc::clone(table), setup, (120, 40));
    screen.frame();
    screen
}

/// The memory of this process in MiB.
fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    kib.unwrap_or(0.0_f64) / 1024.0
}
