//! What a roll costs: bytes in the journal and time at the table, after ten events and after a million,
//! and how long `verify`, the statistics and a search take to go through a long log.
//!
//! `cargo run --release --example rolls [SYSTEM…]`. With `BYTES=1` it measures the bytes alone, with `VERIFY=1` the bytes
//! and `verify`. With `KEEP=FOLDER` the million entries stay there as a game of the system's name. To reach: an action
//! in 250 µs to disk, at most 800 bytes in the median, no dearer by a tenth after a million events; 100,000 rolls
//! verified in 2 s.

#![expect(clippy::print_stdout, reason = "it is there to tell its figures")]
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a measurement that cannot be made should say so loudly"
)]

#[path = "play/play.rs"]
mod play;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use play::{Whim, noon};
use tableside::dice::SystemDice;
use tableside::game::{Change, EventKind, Part};
use tableside::rules::System;
use tableside::store::{GameLocation, NewEvent as Stored, Options, Reader, StoreClient};
use tableside::table::{Entry, Filter, OnEdit, Opening, Seat, Table, WithText, verify};

const ACTIONS: usize = 2_000;
/// As long as a screen lets a stretch take, and the first.
const STRETCH: Duration = Duration::from_millis(20);
const FIRST_STRETCH: Duration = Duration::from_millis(3);

fn main() {
    let named: Vec<System> = std::env::args()
        .skip(1)
        .map(|name| name.parse().expect("a system's name"))
        .collect();
    let systems = if named.is_empty() {
        System::shipped().collect()
    } else {
        named
    };
    let data = tempfile::tempdir().unwrap();
    for system in systems {
        println!("{system}");
        let mut whim = Whim(SystemDice::from_key([3; 32]));
        let evening = Evening::play(system, 20_000, &mut whim);
        let folder = evening.keep(data.path(), "acts", 20_000, &evening.entries);
        measure_bytes(&folder, "an act");
        measure_verify(&folder, system);
        fs::remove_dir_all(&folder).unwrap();
        let rolls = evening.rolls_without_tokens();
        let count = if std::env::var_os("BYTES").is_some() {
            rolls.len()
        } else {
            100_000
        };
        let folder = evening.keep(data.path(), "verify", count, &rolls);
        measure_bytes(&folder, "a roll");
        if std::env::var_os("BYTES").is_some() {
            fs::remove_dir_all(&folder).unwrap();
            continue;
        }
        measure_verify(&folder, system);
        fs::remove_dir_all(&folder).unwrap();
        if std::env::var_os("VERIFY").is_some() {
            continue;
        }
        let short = evening.keep(data.path(), "short", 10, &evening.entries);
        let kept = std::env::var_os("KEEP").map(PathBuf::from);
        let home = kept.as_deref().unwrap_or_else(|| data.path());
        let long = evening.keep(home, &system.to_string(), 1_000_000, &evening.entries);
        measure_acts(&short, &long);
        measure_statistics(&long);
        measure_search(&long);
        fs::remove_dir_all(short).unwrap();
        if kept.is_none() {
            fs::remove_dir_all(long).unwrap();
        }
    }
}

/// What was played, and the state that it led to.
struct Evening {
    entries: Vec<Arc<Entry>>,
    state: String,
    system: System,
}

impl Evening {
    fn play(system: System, count: usize, whim: &mut Whim) -> Self {
        let table = play::table(system, None, whim);
        let mut entries = Vec::with_capacity(count);
        while entries.len() < count {
            let act = table.read(&Seat::gm(), |seen| play::act(seen, whim));
            // What a rule refuses is no entry.
            entries.extend(table.submit(&Seat::gm(), &act));
        }
        let (state, _) = table.snapshot();
        Self {
            entries,
            state,
            system,
        }
    }

    /// Returns the rolls that lower no pool. Repeated alone, other rolls would use more tokens than the pools hold, and
    /// `verify` would report them.
    fn rolls_without_tokens(&self) -> Vec<Arc<Entry>> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.event.what, EventKind::Rolled(_)))
            .filter(|entry| !entry.event.changes.iter().any(lowers_a_pool))
            .cloned()
            .collect()
    }

    /// A game folder with `count` entries: these, over and over.
    fn keep(&self, data: &Path, name: &str, count: usize, entries: &[Arc<Entry>]) -> PathBuf {
        let folder = data.join(name);
        let texts: Vec<WithText<'_>> = entries
            .iter()
            .map(|entry| WithText::new(&entry.event, self.system))
            .collect();
        let entries: Vec<Stored<'_, _>> = entries
            .iter()
            .zip(&texts)
            .cycle()
            .take(count)
            .map(|(entry, event)| Stored {
                at: entry.at,
                by: entry.by.as_str().into(),
                event,
            })
            .collect();
        GameLocation::from(&folder)
            .create(&Options::new(noon()), &self.state, &entries)
            .unwrap();
        folder
    }
}

fn lowers_a_pool(change: &Change) -> bool {
    change.part == Part::Tokens && change.to.as_i64() < change.from.as_i64()
}

fn measure_bytes(folder: &Path, what: &str) {
    let reader = Reader::new(folder);
    let mut lengths: Vec<(usize, String)> = Vec::new();
    for file in reader.files().unwrap() {
        let bytes = reader.bytes(file).unwrap();
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        lengths.extend(lines.map(|line| (line.len(), String::from_utf8_lossy(line).into_owned())));
    }
    lengths.sort();
    let (middle, longest) = (&lengths[lengths.len() / 2], &lengths[lengths.len() - 1]);
    println!(
        "  bytes of {what}: median {}, 99th of a hundred {}, largest {}",
        middle.0,
        lengths[lengths.len() * 99 / 100].0,
        longest.0
    );
    if std::env::var_os("SHOW").is_some() {
        print!("{}{}", middle.1, longest.1);
    }
}

fn measure_verify(folder: &Path, system: System) {
    let (began, worked) = (Instant::now(), work());
    let verified = verify(&Reader::new(folder), system).unwrap();
    println!(
        "  verify: {} rolls in {:.2} s, of which {:.2} s at work, {} wrong",
        verified.rolls,
        began.elapsed().as_secs_f64(),
        work() - worked,
        verified.wrong.len()
    );
    for (number, what) in verified.wrong.iter().take(3) {
        println!("    #{number}: {what}");
    }
}

/// The seconds that this thread was at work, on a busy machine a better measure than the clock.
fn work() -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|word| word.parse().ok());
    nanoseconds.unwrap_or(0.0_f64) / 1e9
}

fn open(folder: &Path) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([5; 32])),
        view: false,
        on_edit: OnEdit::Keep,
    };
    Table::open(folder, opening).unwrap().0
}

/// Times acts at two tables in turn, up to where they are shown: decided, written to the journal,
/// applied. The background writer syncs them meanwhile.
fn measure_acts(short: &Path, long: &Path) {
    let tables = [short, long].map(|folder| {
        // What was just made is not to be written out while acts are timed.
        for file in fs::read_dir(folder.join("journal")).unwrap() {
            let file = fs::File::open(file.unwrap().path()).unwrap();
            file.sync_all().unwrap();
        }
        let began = Instant::now();
        let table = open(folder);
        (table, began.elapsed())
    });
    let mut whims = [7; 2].map(|key| Whim(SystemDice::from_key([key; 32])));
    let mut times = [Vec::new(), Vec::new()];
    while times[1].len() < ACTIONS {
        // Neither is always the first.
        let turn = if times[0].len() % 2 == 0 {
            [0, 1]
        } else {
            [1, 0]
        };
        for at in turn {
            let ((table, _), whim, times) = (&tables[at], &mut whims[at], &mut times[at]);
            let act = table.read(&Seat::gm(), |seen| play::act(seen, whim));
            let began = Instant::now();
            if table.submit(&Seat::gm(), &act).is_ok() {
                times.push(began.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    for (events, ((table, opened), times)) in
        [10, 1_000_000].iter().zip(tables.iter().zip(&mut times))
    {
        table.flush(Duration::from_mins(1)).unwrap();
        times.sort_by(f64::total_cmp);
        println!(
            "  after {events} events, opened in {:.1} ms: an act takes {:.1} µs in the median, {:.1} µs at p99",
            opened.as_secs_f64() * 1e3,
            times[times.len() / 2],
            times[times.len() * 99 / 100],
        );
    }
    println!(
        "  ratio of the medians {:.2}; to sync a line of 400 bytes takes {:.0} µs",
        times[1][times[1].len() / 2] / times[0][times[0].len() / 2],
        measure_sync(long)
    );
}

/// The median time to append a line in that folder and bring it to the disk.
fn measure_sync(folder: &Path) -> f64 {
    let mut file = fs::File::create(folder.join("sync")).unwrap();
    let line = [b'x'; 400];
    let mut times: Vec<f64> = (0..200)
        .map(|_| {
            let began = Instant::now();
            file.write_all(&line).unwrap();
            file.sync_data().unwrap();
            began.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Goes through the whole log for the GM and for a player, as it was never gone through before, and then for
/// what many entries have, few, and none.
fn measure_search(folder: &Path) {
    let table = open(folder);
    for (seat, whose) in [(Seat::gm(), "GM"), (Seat::onlooker(), "onlooker")] {
        for filter in [
            "",
            "12",
            "success",
            "outcome:success",
            "säde",
            "who:mira",
            "who:mira critical",
            "die:d8",
            "who:mira die:d8",
            "the lock of the north gate",
            "nowhere",
        ] {
            let (parsed, mut below) = (Filter::parse(filter), u64::MAX);
            let (began, worked) = (Instant::now(), work());
            let (mut first, mut count) = (None, 0);
            while below > 1 {
                let patience = first.map_or(FIRST_STRETCH, |_| STRETCH);
                let found = table.search(&seat, &parsed, below, patience);
                first.get_or_insert_with(|| began.elapsed());
                count += found.hits.len();
                below = found.from;
            }
            println!(
                "  {whose}'s search for \u{201c}{filter}\u{201d}: {count} found in {:.0} ms, of which {:.0} ms at work, \
                 the first stretch after {:.1} ms",
                began.elapsed().as_secs_f64() * 1e3,
                (work() - worked) * 1e3,
                first.map_or(0.0, |first| first.as_secs_f64() * 1e3),
            );
        }
    }
    let rows: Vec<u64> = (0..40).map(|row| 1 + row * 24_000).collect();
    let began = Instant::now();
    table.fetch(&rows);
    println!(
        "  40 entries from all over it fetched in {:.2} ms; memory at its most {} KiB",
        began.elapsed().as_secs_f64() * 1e3,
        most_memory()
    );
}

fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn measure_statistics(folder: &Path) {
    for when in ["at first", "as ever"] {
        count_statistics(folder, when);
    }
}

fn count_statistics(folder: &Path, when: &str) {
    let table = open(folder);
    let (began, worked) = (Instant::now(), work());
    table.count_all().unwrap();
    let (counted, worked) = (began.elapsed(), work() - worked);
    let began = Instant::now();
    let all = table.read(&Seat::gm(), |seen| seen.statistics().all);
    println!(
        "  statistics {when}: {} rolls counted in {:.2} s, of which {worked:.2} s at work; told in {:.1} µs; mean luck {:.4}",
        all.rolls,
        counted.as_secs_f64(),
        began.elapsed().as_secs_f64() * 1e6,
        all.luck.map_or(0.0, |luck| luck.mean),
    );
}
