//! Saving, on a disk that fails, hangs, and loses its power.

#[path = "tests/disk.rs"]
mod disk;
#[path = "tests/power_cut.rs"]
mod power_cut;
#[path = "tests/states.rs"]
mod states;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};

use tempfile::TempDir;

use super::*;
use crate::journal::{EVENTS_PER_FILE, Reader, recover};
use crate::snapshot::{self, Snapshot};
use crate::{NewEvent, Options, Store};
use disk::{Now, TestDisk};

const PLENTY: Duration = Duration::from_secs(20);

/// A game whose state is the number of its last event.
#[derive(Debug)]
struct Game {
    store: OnceLock<Store>,
    disk: TestDisk,
    news: Mutex<Sender<()>>,
}

impl StoreClient for Game {
    fn snapshot(&self) -> (String, u64) {
        let last = self.store().last();
        (state(last), last)
    }

    fn saving_changed(&self, _: &Saving, _: &Saving) {
        if let Some(store) = self.store.get() {
            let last = store.last();
            if store.saving() == Saving::Quiet {
                self.disk
                    .set(|now| now.steps.push(states::Step::Promised(last)));
            }
        }
        let _nobody_listens = self.news.lock().send(());
    }
}

impl Game {
    fn store(&self) -> &Store {
        self.store.get().unwrap()
    }

    /// Plays on, and says whether the system has all events.
    fn play(&self, event: &str) -> bool {
        let appended = self.store().append(DateTime::UNIX_EPOCH, "gm", event);
        appended.unwrap();
        let is_written = is_written(self.store());
        self.store().save();
        is_written
    }

    fn flush(&self) -> Result<(), StoreError> {
        self.store().flush(PLENTY)
    }
}

fn is_written(store: &Store) -> bool {
    let state = store.writer().unwrap().state();
    state.written == state.waiting.len()
}

fn state(last: u64) -> String {
    format!("state = {last}\n")
}

struct Set {
    around: TempDir,
    folder: PathBuf,
    game: Arc<Game>,
    news: Receiver<()>,
}

fn set() -> Set {
    set_after(&[])
}

/// A game on a disk for tests, with these events before it.
fn set_after(events: &[String]) -> Set {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("demo");
    let entries = events.iter().map(|event| NewEvent {
        at: DateTime::UNIX_EPOCH,
        by: "gm".into(),
        event: event.as_str(),
    });
    let entries: Vec<NewEvent<'_, &str>> = entries.collect();
    let options = Options::new(DateTime::UNIX_EPOCH);
    let state = state(events.len() as u64);
    let made = Store::create(&folder, &options, &state, &entries).unwrap();
    made.store.flush(PLENTY).unwrap();
    drop(made);
    let disk = TestDisk::default();
    for path in files_in(&folder) {
        disk.find(&path);
    }
    let (sender, news) = mpsc::channel();
    let game = Arc::new(Game {
        store: OnceLock::new(),
        disk: disk.clone(),
        news: Mutex::new(sender),
    });
    let store = open(&folder, disk);
    let client: Arc<dyn StoreClient> = Arc::<Game>::clone(&game);
    store.attach(Arc::downgrade(&client));
    game.store.set(store).unwrap();
    Set {
        around,
        folder,
        game,
        news,
    }
}

fn open(folder: &Path, disk: TestDisk) -> Store {
    let lock = Lock::take(folder, DateTime::UNIX_EPOCH).unwrap();
    let snapshot = Snapshot::read(&folder.join(snapshot::FILE)).unwrap();
    let options = Options::new(DateTime::UNIX_EPOCH);
    let found = recover(folder, &snapshot, &options).unwrap();
    let mut store = Store {
        folder: folder.to_path_buf(),
        last: found.last,
        saving: None,
        in_database: None,
    };
    let started = store.start(Arc::new(disk), lock, &found, &snapshot, PLENTY);
    started.unwrap();
    store
}

/// The files of a game, but for its lock.
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

impl Set {
    fn disk<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        self.game.disk.set(change)
    }

    fn journal(&self) -> PathBuf {
        self.folder.join("journal/000001.jsonl")
    }

    /// What is on the disk, every line of it checked.
    fn events(&self) -> Vec<String> {
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

    fn reason(&self) -> String {
        match self.game.store().saving() {
            Saving::Failing { reason, .. } => reason,
            saving => panic!("{saving:?}"),
        }
    }

    /// Waits until the store tells of news and saving stands so.
    fn wait_until(&self, is_so: impl Fn(&Saving) -> bool) {
        while !is_so(&self.game.store().saving()) {
            self.news.recv_timeout(PLENTY).unwrap();
        }
    }

    fn wait_until_saved(&self) {
        self.wait_until(|saving| *saving == Saving::Quiet);
    }
}

#[test]
fn an_event_is_in_the_file_before_append_returns_and_on_the_disk_soon_after() {
    let set = set();
    set.disk(|now| now.syncs_hang = true);
    assert!(set.game.play("a"));
    assert_eq!(set.events(), ["a"]);
    assert!(matches!(set.game.store().saving(), Saving::Behind { .. }));
    set.disk(|now| now.syncs_hang = false);
    set.wait_until_saved();
}

#[test]
fn a_key_never_waits_for_a_disk_that_hangs_and_a_flush_not_forever() {
    let set = set();
    set.disk(|now| now.syncs_hang = true);
    for _ in 0..100 {
        assert!(set.game.play("a"));
    }
    let flushed = set.game.store().flush(Duration::from_millis(1));
    let error = flushed.unwrap_err().to_string();
    assert!(error.contains("the disk does not answer"), "{error}");
    set.disk(|now| now.syncs_hang = false);
    set.game.flush().unwrap();
    assert_eq!(set.events().len(), 100);
}

#[test]
fn on_a_full_disk_play_goes_on_and_everything_is_saved_in_order_when_there_is_room() {
    let set = set();
    assert!(set.game.play("a"));
    set.disk(|now| now.room = Some(0));
    for event in ["b", "c"] {
        assert!(!set.game.play(event));
    }
    let reason = "cannot write the journal: the disk is full";
    assert_eq!(set.reason(), reason);
    let error = set.game.flush().unwrap_err().to_string();
    assert!(
        error.ends_with(&format!("are not saved: {reason}")),
        "{error}"
    );
    assert_eq!(set.events(), ["a"]);

    // By itself, without another event.
    set.disk(|now| now.room = None);
    set.wait_until_saved();
    assert_eq!(set.events(), ["a", "b", "c"]);
    assert!(set.game.play("d"));
}

#[test]
fn half_a_line_is_finished_when_there_is_room() {
    for room in 1..90 {
        let set = set();
        set.disk(|now| now.room = Some(room));
        set.game.play("a");
        assert!(!set.game.play("b"));
        assert!(set.game.flush().is_err());
        set.disk(|now| now.room = None);
        assert!(set.game.play("c"));
        set.game.flush().unwrap();
        assert_eq!(set.events(), ["a", "b", "c"]);
    }
}

#[test]
fn after_a_failed_sync_the_file_is_written_afresh_and_never_trusted_again() {
    let set = set();
    set.game.play("a");
    set.game.flush().unwrap();
    let old = fs::metadata(set.journal()).unwrap().ino();
    set.disk(|now| now.syncs_fail = 3);
    set.game.play("b");
    set.wait_until(|saving| match saving {
        Saving::Failing { reason, .. } => reason.contains("sync"),
        _ => false,
    });
    // Until that works, events still go where a crash of the program alone cannot take them.
    assert!(set.game.play("c"));
    assert_eq!(set.events(), ["a", "b", "c"]);
    set.wait_until_saved();
    assert_ne!(fs::metadata(set.journal()).unwrap().ino(), old);
    assert_eq!(set.events(), ["a", "b", "c"]);
    set.game.play("d");
    set.game.flush().unwrap();
    assert_eq!(set.events(), ["a", "b", "c", "d"]);
    let names = fs::read_dir(set.folder.join("journal")).unwrap().count();
    assert_eq!(names, 1);
}

/// Harm comes to the journal after these events; they and the next one are there all the same.
fn put_back(before: &[&str], harm: impl FnOnce(&Set)) -> Set {
    let set = set();
    for event in before {
        set.game.play(event);
        set.game.flush().unwrap();
    }
    harm(&set);
    set.game.play("b");
    set.game.flush().unwrap();
    assert_eq!(set.events(), [before, &["b"]].concat());
    set
}

#[test]
fn a_journal_that_was_deleted_or_replaced_is_put_back_whole() {
    let without_folder = |set: &Set| fs::remove_dir_all(set.folder.join("journal")).unwrap();
    put_back(&["a"], |set| fs::remove_file(set.journal()).unwrap());
    put_back(&[], without_folder);
    let set = put_back(&["a"], without_folder);
    let journal = fs::metadata(set.folder.join("journal")).unwrap();
    assert_eq!(journal.permissions().mode() & 0o777, 0o700);
    // What somebody put in its place is kept.
    let set = put_back(&["a"], |set| {
        fs::remove_file(set.journal()).unwrap();
        fs::write(set.journal(), "theirs").unwrap();
    });
    let kept = set.folder.join("journal/000001.jsonl.torn");
    assert_eq!(fs::read_to_string(kept).unwrap(), "theirs");
}

#[test]
fn a_new_file_that_cannot_be_made_does_not_stop_the_game() {
    let set = set();
    set.disk(|now| now.creates_fail = true);
    for _ in 0..=EVENTS_PER_FILE {
        assert!(set.game.play("a"));
    }
    assert!(set.game.flush().is_err());
    assert!(!set.folder.join("journal/000002.jsonl").exists());
    set.disk(|now| now.creates_fail = false);
    assert!(set.game.play("c"));
    set.game.flush().unwrap();
    assert!(set.folder.join("journal/000002.jsonl").exists());
    assert_eq!(set.events().len() as u64, EVENTS_PER_FILE + 2);
}

#[test]
fn whichever_step_of_a_save_fails_a_whole_snapshot_is_there_and_the_next_try_succeeds() {
    let mut steps = 0;
    for fail_at in 0.. {
        let set = set();
        let there = |name: &str, last: u64| {
            let there = Snapshot::read(&set.folder.join(name)).unwrap();
            there.text.ends_with(&state(last))
        };
        set.disk(|now| now.fail_at = Some(fail_at));
        set.game.play("a");
        let saved = set.game.flush();
        assert!(there(snapshot::FILE, 0) || there(snapshot::FILE, 1));
        if saved.is_ok() {
            break;
        }
        steps += 1;
        set.disk(|now| now.fail_at = None);
        set.game.flush().unwrap();
        assert!(there(snapshot::FILE, 1), "step {fail_at}");
        assert!(there(snapshot::BEFORE, 0) || fail_at >= 8, "step {fail_at}");
        assert_eq!(set.events(), ["a"]);
        assert_eq!(set.game.store().saving(), Saving::Quiet);
    }
    // Write, sync; create, write, sync, keep, rename, rename, sync the folder.
    assert_eq!(steps, 9);
}

#[test]
fn a_failing_snapshot_is_told_and_tried_again() {
    let set = set();
    set.disk(|now| now.creates_fail = true);
    set.game.play("a");
    for _ in 0..3 {
        assert!(set.game.flush().is_err());
    }
    let reason = set.reason();
    assert!(
        reason.contains(".session.toml.new: the disk is full"),
        "{reason}"
    );
    set.disk(|now| now.creates_fail = false);
    set.wait_until_saved();
    let saved = Snapshot::read(&set.folder.join(snapshot::FILE)).unwrap();
    assert_eq!(saved.last, 1);
}

#[test]
fn a_dropped_store_has_its_events_on_the_disk_and_gives_the_lock_back() {
    let Set {
        around: _around,
        folder,
        game,
        ..
    } = set();
    drop(game);
    let disk = TestDisk::default();
    let store = open(&folder, disk.clone());
    disk.set(|now| now.room = Some(0));
    store.append(DateTime::UNIX_EPOCH, "gm", "a").unwrap();
    assert!(!is_written(&store));
    assert!(Lock::take(&folder, DateTime::UNIX_EPOCH).is_err());
    disk.set(|now| now.room = None);
    drop(store);
    assert_eq!(open(&folder, TestDisk::default()).last(), 1);
}
