//! Lengthens the journal of a saved game, so that a long log can be measured.
//!
//! `cargo run --release --example lengthen FOLDER COUNT [FIRST]` repeats the events from the number FIRST on (default: 1)
//! until the journal has COUNT events. Events that refer to other entries by their number are not repeated. The snapshot
//! stays as it is: the program replays the new events when it opens the game.

#![expect(clippy::print_stdout, reason = "it prints its result")]
#![expect(clippy::unwrap_used, reason = "a failure should be noticed")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tableside::store::backend::{ChainEnd, encode};
use tableside::store::{By, EVENTS_PER_FILE, GameLocation, Reader, Record};

/// Kinds of events that refer to another entry.
const REFERRING: [&str; 5] = ["undone", "redone", "struck", "amended", "rerolled"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder of a game");
    let count: u64 = arguments.next().unwrap().parse().unwrap();
    let first: u64 = match arguments.next() {
        Some(first) => first.parse().unwrap(),
        None => 1,
    };

    let folder = PathBuf::from(folder);
    let journal = Journal::read(&folder);
    let lines = journal.lengthen(&folder, count, first);
    println!("added {lines} events to {}", folder.display());
}

/// The events of a journal.
struct Journal {
    records: Vec<Record>,
    end: ChainEnd,
    /// The sequence number of the newest file.
    newest_file: u64,
}

impl Journal {
    fn read(folder: &Path) -> Self {
        let reader = Reader::new(GameLocation::from(folder));
        let mut records = Vec::new();
        let mut end = ChainEnd::default();
        for block in reader.iter_all().unwrap() {
            let block = block.unwrap();
            records.extend(block.records().map(Result::unwrap));
            end = block.end().unwrap_or(end);
        }

        let newest_file = reader.files().unwrap().pop().unwrap();
        Self {
            records,
            end,
            newest_file,
        }
    }

    /// Repeats the events until the journal has `count`. Returns the number of new events.
    fn lengthen(&self, folder: &Path, count: u64, first: u64) -> u64 {
        let repeated: Vec<&Record> = self
            .records
            .iter()
            .filter(|record| record.n >= first && !refers_to_an_entry(record))
            .collect();

        let mut end = self.end;
        let mut file = self.newest_file;
        let mut lines = Vec::new();
        for record in repeated.into_iter().cycle() {
            if end.n >= count {
                break;
            }
            let by = By {
                name: &record.by,
                seat: record.seat,
            };
            let encoded = encode(end, record.at, by, &record.event).unwrap();
            lines.extend(encoded.bytes);
            end = encoded.end;

            if end.n.is_multiple_of(EVENTS_PER_FILE) {
                append(folder, file, &lines);
                lines.clear();
                file += 1;
            }
        }
        append(folder, file, &lines);
        end.n - self.end.n
    }
}

fn refers_to_an_entry(record: &Record) -> bool {
    let json = record.event.get();
    REFERRING
        .iter()
        .any(|kind| json.contains(&format!("\"what\":{{\"{kind}\"")))
}

fn append(folder: &Path, file: u64, lines: &[u8]) {
    if lines.is_empty() {
        return;
    }
    let journal = folder.join("journal");
    fs::create_dir_all(&journal).unwrap();
    let path = journal.join(format!("{file:06}.jsonl"));
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    file.write_all(lines).unwrap();
}
