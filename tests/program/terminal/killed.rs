//! Killed in the middle of random keys: whatever a frame had shown is found again. 25 times as a rule;
//! `KILLS=1000 cargo test --test program terminal::killed -- --nocapture` for longer, with `SEED` for another evening.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::*;

/// So many kills are survived by one game before the next is begun.
const BATCH: u64 = 25;

/// A generator that a seed repeats: which keys are pressed matters, not how good the luck is.
struct Whim(u64);

impl Whim {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % count
    }
}

/// What people do, each ending in the log, where one sees that it happened.
const KEYS: [&str; 12] = [
    "4+5",
    "4-5",
    "3+5",
    "3-5",
    "u",
    "\x12",
    "Sx\r",
    "r\r\r\r\r\x1b\x1b5",
    "2+5",
    "G",
    "g",
    "NA note\r",
];

fn number(name: &str, else_: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|given| given.parse().ok())
        .unwrap_or(else_)
}

/// The number and the time of each entry that the log shows: `› 123  12:00  What happened`.
fn shown(contents: &str) -> Vec<u64> {
    if !contents.contains("Event") {
        return Vec::new();
    }
    let entries = contents.lines().filter_map(|line| {
        let mut words = line.trim_start_matches(['›', ' ']).split_whitespace();
        let number = words.next()?.parse().ok()?;
        let time = words.next()?;
        (time.len() == 5 && time.as_bytes()[2] == b':').then_some(number)
    });
    entries.collect()
}

/// The log as the command line tells it, by number.
fn log(data: &Path) -> BTreeMap<u64, Json> {
    let told = run(data, &["log", "demo", "--json"]);
    let all: Vec<Json> = serde_json::from_str(&told).unwrap();
    let entries = all.into_iter().map(|mut entry| {
        // An entry may be taken back later, and so may the scene that it was in; it stays what it was.
        let told = entry.as_object_mut().unwrap();
        told.remove("struck");
        told.remove("scene");
        (entry["number"].as_u64().unwrap(), entry)
    });
    entries.collect()
}

#[test]
fn killed_at_any_moment_the_game_holds_every_change_that_a_frame_had_shown() {
    let (kills, seed) = (number("KILLS", 25), number("SEED", 20_261_121));
    let mut whim = Whim(seed);
    let systems = [
        "heart-rush",
        "hearts",
        "friday-night-dungeon",
        "hfrpg",
        "gnosis",
    ];
    let mut data = None;
    let mut before = BTreeMap::new();
    let (mut changes, mut promised) = (0, 0);
    for kill in 0..kills {
        if kill.is_multiple_of(BATCH) {
            let system = usize::try_from(kill / BATCH).unwrap() % systems.len();
            before = BTreeMap::new();
            data = Some(new_game(systems[system]));
        }
        let data = data.as_ref().unwrap().path();
        let mut terminal = Terminal::play(data);
        terminal.press("5");
        let mut newest = 0;
        let until = Instant::now() + Duration::from_micros(whim.below(60_000));
        while Instant::now() < until {
            let keys = KEYS[usize::try_from(whim.below(12)).unwrap()];
            // Nobody would read what is typed then, and typing would never end.
            let ended = terminal.child.try_wait().unwrap();
            assert!(
                ended.is_none(),
                "kill {kill}, seed {seed}: it ended by itself\n{}",
                terminal.shown()
            );
            terminal.press(keys);
            // The next keys come before or after the frame, as it happens.
            let pause = Instant::now() + Duration::from_micros(whim.below(15_000));
            while let Ok(bytes) = terminal
                .bytes
                .recv_timeout(pause.saturating_duration_since(Instant::now()))
            {
                terminal.take(&bytes);
                let numbers = shown(&terminal.shown());
                newest = numbers.into_iter().max().unwrap_or(0).max(newest);
            }
        }
        terminal.signal("KILL");
        terminal.end();
        run(data, &["verify", "demo"]);
        let after = log(data);
        let last = after.keys().next_back().copied().unwrap_or(0);
        assert!(
            last >= newest,
            "kill {kill}, seed {seed}: {newest} was shown"
        );
        for (number, entry) in &before {
            assert_eq!(after.get(number), Some(entry), "kill {kill}, seed {seed}");
        }
        promised += u64::from(newest > 0);
        changes += after.len() - before.len();
        before = after;
    }
    println!("{kills} kills, {changes} changes, {promised} times the log was in sight");
    assert!(kills < 10 || (promised > 0 && changes > 10));
}
