use std::fs;
use std::sync::Arc;

use chrono::DateTime;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::folder::disk::RealDisk;
use crate::snapshot::FORMAT;
use crate::{
    ExportOptions, GameLocation, GameStore, ImportOptions, Name, NewEvent, Opened, Options, Reader,
    Storage, export,
};

/// A data folder with the game `friday`, which the first edition saved.
struct Fixture {
    data: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        create_game(&data.path().join("friday"));
        Self { data }
    }

    fn folder(&self) -> PathBuf {
        self.data.path().join("friday")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a snapshot with the events up to `last`, in the format of the first edition.
    fn write(&self, name: &str, last: u64) {
        fs::write(self.path(name), snapshot_of(&self.folder(), last)).unwrap();
    }

    fn open(&self, is_view: bool) -> Opened {
        let options = Options {
            view: is_view,
            ..Options::new(DateTime::UNIX_EPOCH)
        };
        GameLocation::from(&self.folder()).open(&options).unwrap()
    }

    /// Lists the files of the game, except its journal and its lock.
    fn files(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.folder()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name != "journal" && name != "lock" {
                names.push(name);
            }
        }
        names.sort();
        names
    }
}

/// Creates a game with three events as the first edition would have left it.
fn create_game(folder: &Path) {
    let events = ["first", "second", "third"].map(|event| NewEvent {
        at: DateTime::UNIX_EPOCH,
        by: "gm".into(),
        event,
    });
    let options = Options::new(DateTime::UNIX_EPOCH);
    let location = GameLocation::from(folder);
    drop(location.create(&options, "x = 3\n", &events).unwrap());

    for name in [SNAPSHOT_FILE, PREVIOUS_SNAPSHOT_FILE] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let snapshot = snapshot_of(folder, 3);
    fs::write(folder.join(FORMER_SNAPSHOT_FILE), &snapshot).unwrap();
    fs::write(folder.join(FORMER_PREVIOUS_SNAPSHOT_FILE), &snapshot).unwrap();
}

fn snapshot_of(folder: &Path, last: u64) -> String {
    let reader = Reader::new(folder);
    let checksum = |number: u64| match reader.load(1).unwrap().ends().find(|end| end.n == number) {
        Some(end) => end.crc,
        None => 0,
    };

    let head = format!("format = 1\nlast = {last}\n");
    let body = format!(
        "checksum = \"{:08x}\"\nchecksum-before = \"{:08x}\"\nx = {last}\n",
        checksum(last),
        checksum(last - 1)
    );
    let seal = crc32c::crc32c(format!("{head}{body}").as_bytes());
    format!("{head}seal = \"{seal:08x}\"\n{body}")
}

fn flush(store: &Arc<dyn GameStore>) {
    store.flush(std::time::Duration::from_secs(20)).unwrap();
}

const PRESENT_NAMES: [&str; 2] = [SNAPSHOT_FILE, PREVIOUS_SNAPSHOT_FILE];
const FORMER_NAMES: [&str; 2] = [FORMER_SNAPSHOT_FILE, FORMER_PREVIOUS_SNAPSHOT_FILE];

#[test]
fn a_game_of_the_first_edition_is_converted_when_it_is_played() {
    let fixture = Fixture::new();
    for leftover in FORMER_LEFTOVERS {
        fs::write(fixture.path(leftover), "half a snapsh").unwrap();
    }
    let saved = fs::read(fixture.path(FORMER_SNAPSHOT_FILE)).unwrap();

    let opened = fixture.open(false);
    assert!(opened.snapshot.is_sealed);
    assert_eq!(opened.snapshot.last, 3);
    assert_eq!(opened.notices, [""; 0]);
    drop(opened);
    assert_eq!(fixture.files(), PRESENT_NAMES);
    assert_eq!(fs::read(fixture.path(SNAPSHOT_FILE)).unwrap(), saved);
}

#[test]
fn reading_finds_the_former_names_and_changes_no_file() {
    let fixture = Fixture::new();
    let location = GameLocation::from(&fixture.folder());
    let opened = fixture.open(true);
    assert_eq!(opened.snapshot.last, 3);
    assert!(opened.store.read_previous_snapshot().is_ok());

    assert!(location.exists());
    assert!(location.last_saved().is_some());
    assert!(location.snapshot_text().unwrap().ends_with("x = 3\n"));
    let stamp = location.stamp().unwrap();
    assert!(location.has_stamp(&stamp));

    let storage = Storage::from(fixture.data.path());
    let games = storage.games().unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].name, "friday");
    assert_eq!(fixture.files(), FORMER_NAMES);
}

#[test]
fn a_game_of_the_first_edition_can_be_renamed_archived_and_restored() {
    let fixture = Fixture::new();
    let storage = Storage::from(fixture.data.path());
    let name = |name: &str| Name::new(name, &[]).unwrap();
    let at = DateTime::UNIX_EPOCH;
    storage
        .rename(&name("friday"), &name("monday"), at)
        .unwrap();
    storage.archive(&name("monday"), at).unwrap();
    assert_eq!(storage.archived_games().unwrap().len(), 1);
    storage.restore(&name("monday"), at).unwrap();
    storage
        .rename(&name("monday"), &name("friday"), at)
        .unwrap();
    assert_eq!(fixture.files(), FORMER_NAMES);
}

#[test]
fn every_interrupted_conversion_is_finished() {
    for snapshot in [SNAPSHOT_FILE, FORMER_SNAPSHOT_FILE] {
        for previous in [PREVIOUS_SNAPSHOT_FILE, FORMER_PREVIOUS_SNAPSHOT_FILE] {
            let fixture = Fixture::new();
            fs::rename(fixture.path(FORMER_SNAPSHOT_FILE), fixture.path(snapshot)).unwrap();
            let former_previous = fixture.path(FORMER_PREVIOUS_SNAPSHOT_FILE);
            fs::rename(former_previous, fixture.path(previous)).unwrap();

            let files = fixture.files();
            assert!(fixture.open(true).store.read_previous_snapshot().is_ok());
            assert_eq!(fixture.files(), files);

            let opened = fixture.open(false);
            assert_eq!(opened.snapshot.last, 3);
            assert_eq!(opened.notices, [""; 0]);
            drop(opened);
            assert_eq!(fixture.files(), PRESENT_NAMES);
        }
    }
}

/// Opens a game with both names, and checks which snapshot is used, first for reading and then for playing.
fn check_both(fixture: &Fixture, used: &str, kept: &str) {
    let expected = fs::read(fixture.path(used)).unwrap();
    let files = fixture.files();
    let viewed = fixture.open(true);
    assert_eq!(viewed.snapshot.text.as_bytes(), expected);
    assert_eq!(fixture.files(), files);

    let opened = fixture.open(false);
    assert_eq!(opened.snapshot.text.as_bytes(), expected);
    assert_eq!(opened.notices.len(), 1, "{:?}", opened.notices);
    assert!(opened.notices[0].contains(kept), "{:?}", opened.notices);
    drop(opened);
    assert_eq!(fs::read(fixture.path(SNAPSHOT_FILE)).unwrap(), expected);
    assert_eq!(
        fixture.files(),
        [SNAPSHOT_FILE, PREVIOUS_SNAPSHOT_FILE, kept]
    );
}

#[test]
fn of_both_names_the_snapshot_with_the_newest_events_is_used_and_the_other_one_is_kept() {
    let fixture = Fixture::new();
    fixture.write(SNAPSHOT_FILE, 2);
    check_both(&fixture, FORMER_SNAPSHOT_FILE, "game.toml.old");

    let fixture = Fixture::new();
    fixture.write(SNAPSHOT_FILE, 3);
    fixture.write(FORMER_SNAPSHOT_FILE, 2);
    check_both(&fixture, SNAPSHOT_FILE, "session.toml.old");

    let fixture = Fixture::new();
    fixture.write(SNAPSHOT_FILE, 3);
    check_both(&fixture, SNAPSHOT_FILE, "session.toml.old");
}

#[test]
fn a_damaged_snapshot_does_not_replace_a_valid_one_of_the_other_name() {
    let fixture = Fixture::new();
    fixture.write(SNAPSHOT_FILE, 3);
    let half = fs::read(fixture.path(SNAPSHOT_FILE)).unwrap();
    fs::write(fixture.path(SNAPSHOT_FILE), &half[..15]).unwrap();
    fixture.write(FORMER_SNAPSHOT_FILE, 2);
    check_both(&fixture, FORMER_SNAPSHOT_FILE, "game.toml.old");

    let fixture = Fixture::new();
    fixture.write(SNAPSHOT_FILE, 2);
    let flipped = snapshot_of(&fixture.folder(), 3).replace("x = 3", "x = 7");
    fs::write(fixture.path(FORMER_SNAPSHOT_FILE), flipped).unwrap();
    check_both(&fixture, SNAPSHOT_FILE, "session.toml.old");
}

#[test]
fn a_snapshot_of_a_newer_version_is_refused_whatever_the_other_name_holds() {
    let fixture = Fixture::new();
    fs::write(fixture.path(SNAPSHOT_FILE), "format = 99\nlast = 1\n").unwrap();
    let files = fixture.files();
    for view in [true, false] {
        let options = Options {
            view,
            ..Options::new(DateTime::UNIX_EPOCH)
        };
        let location = GameLocation::from(&fixture.folder());
        let error = location.open(&options).unwrap_err().to_string();
        let expected = format!("has format 99; this version supports formats up to {FORMAT}");
        assert!(error.ends_with(&expected), "{error}");
    }
    assert_eq!(fixture.files().len(), files.len());
}

#[test]
fn an_interrupted_choice_between_both_names_is_finished() {
    // The older file was set aside, and then the program was killed.
    let fixture = Fixture::new();
    fixture.write("game.toml.old", 2);
    drop(fixture.open(false));
    assert_eq!(
        fixture.files(),
        [SNAPSHOT_FILE, PREVIOUS_SNAPSHOT_FILE, "game.toml.old"]
    );
}

#[test]
fn a_converted_game_is_saved_in_the_present_format() {
    let fixture = Fixture::new();
    let opened = fixture.open(false);
    let client = Arc::new(TestClient);
    let client_of_store: Arc<dyn crate::StoreClient> = Arc::<TestClient>::clone(&client);
    opened.store.attach(Arc::downgrade(&client_of_store));
    opened
        .store
        .append(DateTime::UNIX_EPOCH, "gm", "fourth")
        .unwrap();
    flush(&opened.store);
    drop(opened);

    let text = fs::read_to_string(fixture.path(SNAPSHOT_FILE)).unwrap();
    assert!(text.starts_with("format = 2\nlast = 4\n"), "{text}");
    assert_eq!(fixture.files(), PRESENT_NAMES);
    assert!(fixture.open(true).store.read_previous_snapshot().is_ok());
}

struct TestClient;

impl crate::StoreClient for TestClient {
    fn snapshot(&self) -> (String, u64) {
        ("x = 4\n".to_owned(), 4)
    }

    fn saving_changed(&self, _: &crate::Saving, _: &crate::Saving) {}
}

#[test]
fn a_second_process_converts_nothing_while_the_game_is_open() {
    let fixture = Fixture::new();
    let lock = crate::folder::lock::Lock::acquire(&fixture.folder(), DateTime::UNIX_EPOCH).unwrap();
    let location = GameLocation::from(&fixture.folder());
    let refused = location.open(&Options::new(DateTime::UNIX_EPOCH));
    assert!(matches!(refused, Err(StoreError::Held { .. })));
    assert_eq!(fixture.files(), FORMER_NAMES);
    drop(lock);
}

#[test]
fn a_failed_rename_leaves_a_game_that_opens() {
    let fixture = Fixture::new();
    let broken_disk = FailingDisk;
    assert!(convert_names(&fixture.folder(), &broken_disk).is_err());
    assert_eq!(fixture.open(false).snapshot.last, 3);
}

/// A disk that renames no files.
#[derive(Debug)]
struct FailingDisk;

impl Disk for FailingDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn crate::folder::disk::AppendFile>> {
        RealDisk.create(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn crate::folder::disk::AppendFile>> {
        RealDisk.open(path)
    }

    fn rename(&self, _from: &Path, _to: &Path) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.copy(from, to)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        RealDisk.sync(path)
    }
}

#[test]
fn the_folder_of_the_host_is_renamed_when_the_host_is_opened() {
    let data = tempfile::tempdir().unwrap();
    let former_folder = data.path().join(".house");
    create_game(&former_folder);
    let host = Storage::from(data.path()).location(&Name::host_game());
    assert!(host.exists());
    assert_eq!(host.folder(), Some(&*former_folder));

    let view_options = Options {
        view: true,
        ..Options::new(DateTime::UNIX_EPOCH)
    };
    let viewed = host.open(&view_options).unwrap();
    assert_eq!(viewed.store.location().name(), ".host");
    assert!(former_folder.exists());

    let options = Options::new(DateTime::UNIX_EPOCH);
    let lock = crate::folder::lock::Lock::acquire(&former_folder, DateTime::UNIX_EPOCH).unwrap();
    assert!(matches!(host.open(&options), Err(StoreError::Held { .. })));
    drop(lock);

    let opened = host.open(&options).unwrap();
    assert_eq!(opened.snapshot.last, 3);
    assert_eq!(host.folder(), Some(&*data.path().join(".host")));
    assert!(!former_folder.exists());
}

#[test]
fn an_exported_game_of_the_first_edition_is_imported_under_the_present_names() {
    let data = tempfile::tempdir().unwrap();
    let storage = Storage::from(data.path());
    let fixture = Fixture::new();
    let mut bundle =
        String::from("{\"tableside\":\"session\",\"format\":1,\"name\":\"monday\",\"files\":2}\n");
    for file in [FORMER_SNAPSHOT_FILE, "journal/000001.jsonl"] {
        let text = fs::read_to_string(fixture.path(file)).unwrap();
        let crc = crc32c::crc32c(text.as_bytes());
        let line = json!({"file": file, "crc32c": crc, "text": text});
        bundle.push_str(&format!("{line}\n"));
    }

    let options = ImportOptions {
        name: None,
        with_seats: false,
        reserved: &[],
    };
    storage.import(&mut bundle.as_bytes(), &options).unwrap();
    assert!(data.path().join("monday").join(SNAPSHOT_FILE).exists());
    assert!(
        !data
            .path()
            .join("monday")
            .join(FORMER_SNAPSHOT_FILE)
            .exists()
    );

    // A bundle with a file name of the other format is refused.
    let wrong_format = bundle.replace("\"format\":1", "\"format\":2");
    let refused = storage.import(&mut wrong_format.as_bytes(), &options);
    assert!(refused.is_err());
}

#[test]
fn a_game_of_the_first_edition_is_exported_without_being_converted() {
    let fixture = Fixture::new();
    let options = ExportOptions {
        name: "friday",
        with_seats: false,
        at: DateTime::UNIX_EPOCH,
    };
    let mut bundle = Vec::new();
    export(
        &GameLocation::from(&fixture.folder()),
        &options,
        &mut bundle,
    )
    .unwrap();
    assert_eq!(fixture.files(), FORMER_NAMES);
    let text = String::from_utf8(bundle).unwrap();
    assert!(text.starts_with("{\"tableside\":\"session\",\"format\":2,"));
    assert!(text.contains("{\"file\":\"game.toml\","));

    let data = tempfile::tempdir().unwrap();
    let options = ImportOptions {
        name: None,
        with_seats: false,
        reserved: &[],
    };
    let storage = Storage::from(data.path());
    storage.import(&mut text.as_bytes(), &options).unwrap();
    assert!(data.path().join("friday").join(SNAPSHOT_FILE).exists());
}
