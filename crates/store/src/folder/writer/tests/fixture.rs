//! A game on a test disk.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};

use chrono::DateTime;
use tempfile::TempDir;

use super::disk::{DiskControl, TestDisk};
use super::states::Step;
use crate::folder::open_game::FolderGame;
use crate::folder::recover::recover;
use crate::folder::snapshot_names::convert_names;
use crate::folder::writer::*;
use crate::snapshot::{
    FORMER_PREVIOUS_SNAPSHOT_FILE, FORMER_SNAPSHOT_FILE, PREVIOUS_SNAPSHOT_FILE, SNAPSHOT_FILE,
    Snapshot,
};
use crate::{GameLocation, GameStore, NewEvent, Options, Reader};

pub(super) const PLENTY: Duration = Duration::from_secs(20);

/// A client whose state is the number of its last event.
#[derive(Debug)]
pub(super) struct TestGame {
    store: OnceLock<FolderGame>,
    disk: TestDisk,
    /// Receives a message whenever the progress of saving changes.
    changes: Mutex<Sender<()>>,
}

impl StoreClient for TestGame {
    fn snapshot(&self) -> (String, u64) {
        let last = self.store().last();
        (state(last), last)
    }

    fn saving_changed(&self, _: &Saving, _: &Saving) {
        if let Some(store) = self.store.get() {
            let last = store.last();
            if store.saving() == Saving::Quiet {
                self.disk.set(|disk| disk.steps.push(Step::Promised(last)));
            }
        }
        // The send fails if the test has ended.
        let _sent = self.changes.lock().send(());
    }
}

impl TestGame {
    pub(super) fn store(&self) -> &FolderGame {
        self.store.get().unwrap()
    }

    /// Appends an event. Returns true if the operating system has all events.
    pub(super) fn play(&self, event: &str) -> bool {
        append(self.store(), event);
        let is_written = is_written(self.store());
        self.store().save();
        is_written
    }

    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.store().flush(PLENTY)
    }
}

pub(super) fn append(store: &FolderGame, event: &str) {
    let event = serde_json::value::to_raw_value(event).unwrap();
    store
        .append_json(DateTime::UNIX_EPOCH, "gm".into(), &event)
        .unwrap();
}

pub(super) fn is_written(store: &FolderGame) -> bool {
    let state = store.writer().state();
    state.journal.written == state.journal.waiting.len()
}

pub(super) fn state(last: u64) -> String {
    format!("state = {last}\n")
}

pub(super) struct Fixture {
    pub(super) data_folder: TempDir,
    pub(super) folder: PathBuf,
    pub(super) game: Arc<TestGame>,
    changes: Receiver<()>,
}

pub(super) fn new_fixture() -> Fixture {
    fixture_with(&[])
}

/// Returns a game on a test disk, with these events.
pub(super) fn fixture_with(events: &[String]) -> Fixture {
    let data_folder = tempfile::tempdir().unwrap();
    create_game(&data_folder.path().join("demo"), events);
    open_fixture(data_folder)
}

/// Returns a game whose files had the names of the first edition and were renamed on the test disk.
pub(super) fn former_fixture_with(events: &[String]) -> Fixture {
    let data_folder = tempfile::tempdir().unwrap();
    let folder = data_folder.path().join("demo");
    create_game(&folder, events);

    for (name, former_name) in [
        (SNAPSHOT_FILE, FORMER_SNAPSHOT_FILE),
        (PREVIOUS_SNAPSHOT_FILE, FORMER_PREVIOUS_SNAPSHOT_FILE),
    ] {
        fs::rename(folder.join(name), folder.join(former_name)).unwrap();
    }
    open_fixture(data_folder)
}

fn create_game(folder: &Path, events: &[String]) {
    let entries = events.iter().map(|event| NewEvent {
        at: DateTime::UNIX_EPOCH,
        by: "gm".into(),
        event: event.as_str(),
    });
    let entries: Vec<NewEvent<'_, &str>> = entries.collect();
    let options = Options::new(DateTime::UNIX_EPOCH);
    let state = state(events.len() as u64);
    let created = GameLocation::from(folder)
        .create(&options, &state, &entries)
        .unwrap();
    created.store.flush(PLENTY).unwrap();
}

fn open_fixture(data_folder: TempDir) -> Fixture {
    let folder = data_folder.path().join("demo");
    let disk = TestDisk::default();
    for path in files_in(&folder) {
        disk.record_existing(&path);
    }

    let (sender, changes) = mpsc::channel();
    let game = Arc::new(TestGame {
        store: OnceLock::new(),
        disk: disk.clone(),
        changes: Mutex::new(sender),
    });
    let store = open(&folder, disk);
    let client: Arc<dyn StoreClient> = Arc::<TestGame>::clone(&game);
    store.attach(Arc::downgrade(&client));
    game.store.set(store).unwrap();
    Fixture {
        data_folder,
        folder,
        game,
        changes,
    }
}

pub(super) fn open(folder: &Path, disk: TestDisk) -> FolderGame {
    let lock = Lock::acquire(folder, DateTime::UNIX_EPOCH).unwrap();
    convert_names(folder, &disk).unwrap();
    let snapshot = Snapshot::read(&folder.join(SNAPSHOT_FILE)).unwrap();
    let options = Options::new(DateTime::UNIX_EPOCH);
    let mut recovered = recover(folder, &snapshot, &options).unwrap();
    let state = State::open(
        folder.to_path_buf(),
        Arc::new(disk),
        &mut recovered,
        snapshot.last,
        PLENTY,
    );
    FolderGame::start(state.unwrap(), SnapshotWriter::new(&snapshot), lock).unwrap()
}

/// Lists the files of a game, except its lock.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
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

impl Fixture {
    pub(super) fn disk<T>(&self, change: impl FnOnce(&mut DiskControl) -> T) -> T {
        self.game.disk.set(change)
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("journal/000001.jsonl")
    }

    /// Reads all events, and checks every line.
    pub(super) fn events(&self) -> Vec<String> {
        let mut events = Vec::new();
        for block in Reader::new(&self.folder).iter_all().unwrap() {
            let block = block.unwrap();
            assert_eq!(block.damage(), []);
            for record in block.records() {
                events.push(serde_json::from_str(record.unwrap().event.get()).unwrap());
            }
        }
        events
    }

    /// Returns why saving fails.
    pub(super) fn reason(&self) -> String {
        match self.game.store().saving() {
            Saving::Failing { reason, .. } => reason,
            saving => panic!("{saving:?}"),
        }
    }

    pub(super) fn wait_until(&self, condition: impl Fn(&Saving) -> bool) {
        while !condition(&self.game.store().saving()) {
            self.changes.recv_timeout(PLENTY).unwrap();
        }
    }

    pub(super) fn wait_until_saved(&self) {
        self.wait_until(|saving| *saving == Saving::Quiet);
    }
}
