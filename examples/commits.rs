//! How fast games in a database are written: commits a second with a hundred and with a thousand games open, how long
//! one act takes, and how long until the table of another process tells of it.
//!
//! `cargo run --release --example commits -- postgres://USER@HOST/NAME`, about half a minute. The database should be
//! an empty one; what is made stays in it.

#![expect(clippy::print_stdout, reason = "it is there to tell its figures")]
#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on should say so loudly"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tableside::cli::sample;
use tableside::commands::act_in_words;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::store::{Name, Storage};
use tableside::store_postgres;
use tableside::table::{OnEdit, Opening, Seat, Table};

/// So many people act at once.
const PEOPLE: usize = 64;

/// For so long.
const EVENING: Duration = Duration::from_secs(5);

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_201_391, 0).unwrap_or_default()
}

fn dice() -> Box<SystemDice> {
    Box::new(SystemDice::from_key([7; 32]))
}

fn name(number: usize) -> Name {
    let name = format!("commits {} {number}", std::process::id());
    Name::new(&name, &[]).expect("it is a name")
}

fn make(storage: &Storage, number: usize) -> Arc<Table> {
    let game = sample(System::HEART_RUSH).expect("it comes along");
    let table = Table::unsaved("", game.game, game.entries, None, now, dice());
    let kept = table.rename(storage, &name(number));
    kept.expect("the database takes it");
    table
}

fn act(table: &Arc<Table>, turn: usize) -> Duration {
    let words = format!("note number {turn}");
    let act = act_in_words(table, &Seat::gm(), &words);
    let began = Instant::now();
    let done = table.submit(&Seat::gm(), &act.expect("it is a note"));
    done.expect("the database answers");
    began.elapsed()
}

fn print(what: &str, mut all: Vec<Duration>) {
    all.sort_unstable();
    let at = |part: usize| all.get(all.len() * part / 100).copied().unwrap_or_default();
    println!("{what}: p50 {:.2?}, p99 {:.2?}", at(50), at(99));
}

fn main() {
    let url = std::env::args().nth(1).expect("the database's address");
    let open = || store_postgres::open(&url).expect("the database is there");
    let (storage, other) = (open(), open());
    let mut tables = Vec::new();
    for games in [100, 1_000] {
        tables.extend((tables.len()..games).map(|number| make(&storage, number)));
        let turns = AtomicUsize::new(0);
        let began = Instant::now();
        let all = thread::scope(|scope| {
            let people = (0..PEOPLE).map(|person| {
                let (tables, turns) = (&tables, &turns);
                scope.spawn(move || {
                    let mut took = Vec::new();
                    while began.elapsed() < EVENING {
                        let turn = turns.fetch_add(1, Ordering::Relaxed);
                        took.push(act(&tables[(turn + person) % games], turn));
                    }
                    took
                })
            });
            let people: Vec<_> = people.collect();
            let all = people.into_iter().map(|one| one.join().expect("it acts"));
            all.flatten().collect::<Vec<_>>()
        });
        let rate = all.len() as u64 / EVENING.as_secs();
        println!("{games} games, {PEOPLE} people: {rate} commits a second");
        print("  an act", all);
    }
    let opening = Opening {
        clock: now,
        dice: dice(),
        view: false,
        on_edit: OnEdit::Ask,
    };
    let (seen, _) = Table::open(other.location(&name(0)), opening).expect("it is there");
    let (tell, told) = channel();
    let _watching = seen.watch(Box::new(move |_| tell.send(()).unwrap_or_default()));
    let has = |table: &Table, last| table.read(&Seat::gm(), |seen| seen.last_event() >= last);
    let first = seen.read(&Seat::gm(), |seen| seen.last_event() + 1);
    let (mut acts, mut heard) = (Vec::new(), Vec::new());
    for turn in 0..500 {
        let began = Instant::now();
        acts.push(act(&tables[0], turn));
        while !has(&seen, first + turn as u64) {
            told.recv_timeout(Duration::from_secs(10))
                .expect("it is told");
        }
        heard.push(began.elapsed());
    }
    print("an act alone", acts);
    print("until the other process tells of it", heard);
}
