//! Every state that a power cut can leave behind. What saving asks of the disk is recorded, step by step;
//! then each state of the files is built that the order of writes and syncs allows, and opened.
//!
//! The model is harsher than file systems are: what was not synced may be there or not, each step by itself,
//! files' names in any choice of their changes, a file's end cut anywhere, torn in the middle of a line, or
//! as long as it was with a hole where bytes never arrived. What was written before a sync that failed may be
//! lost however often the file is synced again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

use super::tests::PLENTY;
use super::*;
use crate::store::disk::{RealDisk, Tape};
use crate::store::journal::{EVENTS_PER_FILE, Wanted, recover};
use crate::store::{Entry, Options, Store, snapshot};

mod states;

use states::{Names, Step, states};

/// A disk that writes down what it is asked for.
#[derive(Debug, Default)]
struct Recorder {
    log: Arc<Mutex<Log>>,
}

#[derive(Debug, Default)]
struct Log {
    steps: Vec<Step>,
    /// What every file holds that was there or made since, by its number.
    files: Vec<Vec<u8>>,
    names: Names,
    syncs_fail: u32,
}

impl Log {
    fn number_of(&self, path: &Path) -> usize {
        *self.names.get(path).unwrap()
    }

    fn new_file(&mut self, path: &Path) -> usize {
        self.files.push(Vec::new());
        let number = self.files.len() - 1;
        self.names.insert(path.to_owned(), number);
        number
    }
}

#[derive(Debug)]
struct Recorded {
    tape: Arc<dyn Tape>,
    file: usize,
    log: Arc<Mutex<Log>>,
}

impl Recorder {
    fn recorded(&self, tape: Arc<dyn Tape>, file: usize) -> Arc<dyn Tape> {
        let log = Arc::clone(&self.log);
        Arc::new(Recorded { tape, file, log })
    }
}

impl Disk for Recorder {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn Tape>> {
        let tape = RealDisk.create(path)?;
        let mut log = self.log.lock().unwrap();
        let file = log.new_file(path);
        let set = vec![(path.to_owned(), Some(file))];
        log.steps.push(Step::Names(set));
        drop(log);
        Ok(self.recorded(tape, file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn Tape>> {
        let tape = RealDisk.open(path)?;
        let file = self.log.lock().unwrap().number_of(path);
        Ok(self.recorded(tape, file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)?;
        let mut log = self.log.lock().unwrap();
        let file = log.names.remove(from).unwrap();
        log.names.insert(to.to_owned(), file);
        let change = vec![(from.to_owned(), None), (to.to_owned(), Some(file))];
        log.steps.push(Step::Names(change));
        Ok(())
    }

    fn keep(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.keep(from, to)?;
        let mut log = self.log.lock().unwrap();
        let file = log.number_of(from);
        log.names.insert(to.to_owned(), file);
        log.steps
            .push(Step::Names(vec![(to.to_owned(), Some(file))]));
        Ok(())
    }

    fn settle(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            RealDisk.settle(path)?;
            let step = Step::SyncFolder(path.to_owned());
            self.log.lock().unwrap().steps.push(step);
        } else {
            let (file, length) = {
                let log = self.log.lock().unwrap();
                let file = log.number_of(path);
                (file, log.files[file].len())
            };
            RealDisk.settle(path)?;
            let step = Step::Sync { file, length };
            self.log.lock().unwrap().steps.push(step);
        }
        Ok(())
    }
}

impl Tape for Recorded {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.log.lock().unwrap();
        let count = self.tape.write(bytes)?;
        log.files[self.file].extend_from_slice(&bytes[..count]);
        let bytes = bytes[..count].to_vec();
        let file = self.file;
        log.steps.push(Step::Write { file, bytes });
        Ok(count)
    }

    fn sync(&self) -> io::Result<()> {
        let file = self.file;
        let mut log = self.log.lock().unwrap();
        // Only what was written before it began is sure to be there.
        let length = log.files[file].len();
        if log.syncs_fail > 0 {
            log.syncs_fail -= 1;
            log.steps.push(Step::SyncFailed { file });
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        drop(log);
        self.tape.sync()?;
        let step = Step::Sync { file, length };
        self.log.lock().unwrap().steps.push(step);
        Ok(())
    }

    fn read_back(&self, length: u64) -> io::Result<Vec<u8>> {
        self.tape.read_back(length)
    }

    fn is_at(&self, path: &Path) -> bool {
        self.tape.is_at(path)
    }
}

/// A game whose state is the number of its last event.
#[derive(Debug)]
struct Game {
    writer: OnceLock<Writer>,
    log: Arc<Mutex<Log>>,
}

impl Host for Game {
    fn snapshot(&self) -> (String, u64) {
        let last = self.writer().last();
        (format!("state = {last}\n"), last)
    }

    fn reread(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn report(&self, report: Report) {
        if let Report::Saved { n } = report {
            self.log.lock().unwrap().steps.push(Step::Promised(n));
        }
    }
}

impl Game {
    fn writer(&self) -> &Writer {
        self.writer.get().unwrap()
    }

    fn play(&self) {
        let next = self.writer().last() + 1;
        let event = event(next);
        let appended = self.writer().append(DateTime::UNIX_EPOCH, "gm", &event);
        self.writer().save();
        assert_eq!(appended.unwrap().n, next);
    }

    fn flush(&self) {
        self.writer().flush(PLENTY).unwrap();
        let last = self.writer().last();
        self.log.lock().unwrap().steps.push(Step::Promised(last));
    }
}

fn event(number: u64) -> String {
    // Of different lengths, and longer than what counts as a hole.
    format!(
        "event {number} {}",
        "of many ".repeat(usize::try_from(number % 7).unwrap())
    )
}

struct Recording {
    around: tempfile::TempDir,
    game: Arc<Game>,
}

/// Opens a game with so many events before it, and records what is asked of the disk from then on.
fn record(before: u64) -> Recording {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("demo");
    let texts: Vec<String> = (1..=before).map(event).collect();
    let entries: Vec<Entry<'_, str>> = texts
        .iter()
        .map(|event| Entry {
            at: DateTime::UNIX_EPOCH,
            by: "gm".into(),
            event: event.as_str(),
        })
        .collect();
    let state = format!("state = {before}\n");
    let options = Options::new(DateTime::UNIX_EPOCH);
    let made = Store::create(&folder, &options, &state, &entries).unwrap();
    made.store.flush(PLENTY).unwrap();
    drop(made);
    let recorder = Recorder::default();
    let log = Arc::clone(&recorder.log);
    for path in files_in(&folder) {
        let mut log = log.lock().unwrap();
        let number = log.new_file(&path);
        log.files[number] = fs::read(&path).unwrap();
        let bytes = log.files[number].clone();
        log.steps.push(Step::Found { path, bytes });
    }
    let lock = Lock::take(&folder, DateTime::UNIX_EPOCH).unwrap();
    let snapshot = Snapshot::read(&folder.join(snapshot::FILE)).unwrap();
    let wanted = Wanted {
        after: snapshot.last,
        tail: 10,
        view: false,
        cut_damage: false,
    };
    let found = recover(&folder, wanted).unwrap();
    let writer = Writer::new(folder, Arc::new(recorder), lock, &found, &snapshot, PLENTY);
    writer.open().unwrap();
    let game = Arc::new(Game {
        writer: OnceLock::new(),
        log,
    });
    let host: Arc<dyn Host> = Arc::<Game>::clone(&game);
    writer.serve(Arc::downgrade(&host));
    game.writer.set(writer).unwrap();
    Recording { around, game }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let journal = folder.join("journal");
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in [folder, &journal] {
        let entries = fs::read_dir(folder).unwrap();
        let entries = entries.map(|entry| entry.unwrap().path());
        paths.extend(entries.filter(|path| path.is_file()));
    }
    paths.retain(|path| path.file_name().is_none_or(|name| name != "lock"));
    paths
}

impl Recording {
    /// Builds every state and opens it: it holds a beginning of the history with all that was promised.
    fn check(self, at_least: usize) {
        let steps = std::mem::take(&mut self.game.log.lock().unwrap().steps);
        let root = self.around.path().to_owned();
        let around = tempfile::tempdir().unwrap();
        let mut seen = BTreeSet::new();
        let folder = around.path().join("demo");
        states(&steps, &mut |state| {
            if !seen.insert(state.mark()) {
                return;
            }
            if folder.exists() {
                fs::remove_dir_all(&folder).unwrap();
            }
            fs::create_dir_all(folder.join("journal")).unwrap();
            for (path, bytes) in &state.files {
                let path = around.path().join(path.strip_prefix(&root).unwrap());
                fs::write(path, bytes).unwrap();
            }
            // To mend a torn end takes syncs of its own: every fourth state is opened to be played on.
            let options = Options {
                view: seen.len() % 4 != 0,
                ..Options::new(DateTime::UNIX_EPOCH)
            };
            let opened = Store::open(&folder, &options)
                .unwrap_or_else(|error| unreachable!("{error}\n{state:?}"));
            assert!(opened.damage.is_none(), "{:?}\n{state:?}", opened.damage);
            let last = opened.store.last();
            assert!(
                last >= state.promised,
                "{last} of {}: {state:?}",
                state.promised
            );
            for record in &opened.records {
                let told: String = serde_json::from_str(record.event.get()).unwrap();
                assert_eq!(told, event(record.n), "{state:?}");
            }
            let known = opened
                .snapshot
                .text
                .contains(&format!("state = {}\n", opened.snapshot.last));
            assert!(known, "{}", opened.snapshot.text);
            let first = opened.records.first().map_or(last + 1, |record| record.n);
            assert!(
                first <= opened.snapshot.last + 1,
                "there is no gap: {state:?}"
            );
            let counted = opened.records.len() as u64;
            assert_eq!(first + counted, last + 1, "there is no gap: {state:?}");
        });
        assert!(seen.len() >= at_least, "{} states", seen.len());
    }
}

#[test]
fn every_state_that_a_power_cut_can_leave_opens_with_all_that_was_synced() {
    let recording = record(3);
    for round in 0..14 {
        for _ in 0..=round % 5 {
            recording.game.play();
        }
        if round % 2 == 0 {
            recording.game.writer().snapshot_soon();
        }
        recording.game.flush();
    }
    recording.game.play();
    recording.game.play();
    recording.check(1_000);
}

#[test]
fn a_power_cut_after_a_failed_sync_loses_nothing_that_was_promised_since() {
    let recording = record(3);
    recording.game.play();
    recording.game.flush();
    for _ in 0..2 {
        recording.game.log.lock().unwrap().syncs_fail = 1;
        recording.game.play();
        recording.game.play();
        // The first try fails, and the file is written afresh.
        while recording.game.writer().flush(PLENTY).is_err() {}
        recording.game.flush();
        recording.game.play();
    }
    recording.game.flush();
    recording.check(100);
}

#[test]
fn a_power_cut_while_a_new_file_of_the_journal_is_begun_leaves_no_gap() {
    let recording = record(EVENTS_PER_FILE - 2);
    for _ in 0..5 {
        recording.game.play();
        recording.game.flush();
    }
    recording.game.play();
    let begun = recording.around.path().join("demo/journal/000002.jsonl");
    assert!(begun.exists());
    recording.check(40);
}
