//! A game's folder: its snapshot, its lock, its name, and what others do to them meanwhile.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use serde_json::json;
use tableside::store::{
    GameLocation, GameStore, Name, NewEvent, Opened, Options, Saving, Storage, StoreClient,
    StoreError,
};
use tempfile::TempDir;

use super::folder::{at, mode, open, open_with, options, text as file, view};

const PLENTY: Duration = Duration::from_secs(20);

const STATE: &str = "name = \"Mira's table\"\nnote = \"bring dice\"\n\n[scene]\nname = \"The cliff\"\n\n\
                     [[characters]]\nname = \"Jörg\"\n";

fn take_note(state: &mut toml::Table) {
    state.remove("note");
}

/// A game as the table is: it hands out its state.
#[derive(Debug)]
struct TestGame {
    state: Mutex<toml::Table>,
    store: OnceLock<Arc<dyn GameStore>>,
    news: Mutex<Sender<()>>,
}

impl StoreClient for TestGame {
    fn snapshot(&self) -> (String, u64) {
        (self.state.lock().unwrap().to_string(), self.store().last())
    }

    fn saving_changed(&self, _: &Saving, _: &Saving) {
        self.news.lock().unwrap().send(()).unwrap();
    }
}

impl TestGame {
    fn store(&self) -> &dyn GameStore {
        &**self.store.get().unwrap()
    }

    fn go_to(&self, scene: &str) {
        self.change(|state| state["scene"]["name"] = scene.into());
    }

    fn change(&self, change: impl FnOnce(&mut toml::Table)) {
        change(&mut self.state.lock().unwrap());
        self.store().append(at(), "gm", &json!("Changed")).unwrap();
        self.store().save();
    }

    fn save(&self) -> Result<(), StoreError> {
        self.store().flush(PLENTY)
    }
}

fn start(opened: Opened) -> (Arc<TestGame>, Receiver<()>) {
    let (sender, receiver) = mpsc::channel();
    let mut state: toml::Table = opened.snapshot.text.parse().unwrap();
    // What stands before the state is the store's.
    state
        .retain(|key, _| !["format", "last", "seal", "checksum", "checksum-before"].contains(&key));
    let game = Arc::new(TestGame {
        state: Mutex::new(state),
        store: OnceLock::new(),
        news: Mutex::new(sender),
    });
    let client: Arc<dyn StoreClient> = Arc::<TestGame>::clone(&game);
    let weak: Weak<dyn StoreClient> = Arc::downgrade(&client);
    opened.store.attach(weak);
    game.store.set(opened.store).unwrap();
    (game, receiver)
}

fn demo() -> (TempDir, PathBuf) {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("demo");
    drop(
        GameLocation::from(&folder)
            .create::<&str>(&options(), STATE, &[])
            .unwrap(),
    );
    (around, folder)
}

fn play(folder: &Path) -> (Arc<TestGame>, Receiver<()>) {
    start(open(folder).unwrap())
}

fn read(folder: &Path) -> String {
    file(folder, "game.toml")
}

#[test]
fn a_new_session_names_its_format_and_its_last_event() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("games/deep/demo");
    let entries = ["a", "b"].map(|event| NewEvent {
        at: at(),
        by: "gm".into(),
        event,
    });
    let opened = GameLocation::from(&folder)
        .create(&options(), STATE, &entries)
        .unwrap();
    opened.store.flush(PLENTY).unwrap();
    assert_eq!(opened.store.saving(), Saving::Quiet);
    let text = read(&folder);
    let head = "format = 2\nlast = 2\nseal = \"";
    assert!(text.starts_with(head), "{text}");
    assert_eq!(opened.records.len(), 2);
    assert_eq!(opened.snapshot.last, 2);
    let left: Vec<_> = fs::read_dir(folder.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn a_flush_writes_the_state_and_keeps_the_one_before() {
    let (_around, folder) = demo();
    let before = read(&folder);
    let (game, _news) = play(&folder);
    game.go_to("The portcullis");
    game.save().unwrap();
    assert!(read(&folder).contains("The portcullis"));
    assert!(read(&folder).starts_with("format = 2\nlast = 1\n"));
    assert_eq!(file(&folder, "game.toml.before"), before);
    assert_eq!(mode(&folder.join("game.toml")), 0o600);
    // Without a change nothing is written again.
    let state = || fs::metadata(folder.join("game.toml")).unwrap();
    let written = state().modified().unwrap();
    game.save().unwrap();
    assert_eq!(state().modified().unwrap(), written);
    let entries = fs::read_dir(&folder).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.find(|name| name.starts_with('.')), None);
}

#[test]
fn a_snapshot_is_sealed_and_any_edit_breaks_the_seal() {
    let (_around, folder) = demo();
    let (game, _news) = play(&folder);
    game.change(take_note);
    game.save().unwrap();
    drop(game);
    let path = folder.join("game.toml");
    let good = read(&folder);
    assert!(view(&folder).unwrap().snapshot.is_sealed);
    let seal = good.lines().nth(2).unwrap();
    for edited in [
        good.replace("Jörg", "Georg"),
        good.replace("last = 1\n", "last = 0\n"),
        good.replace(&format!("{seal}\n"), ""),
        good.replace(seal, "seal = \"00000000\""),
        good.replace(seal, &seal.to_uppercase()),
        format!("{good}\n"),
        format!("# mine\n{good}"),
    ] {
        assert_ne!(edited, good);
        fs::write(&path, &edited).unwrap();
        assert!(!view(&folder).is_ok_and(|opened| opened.snapshot.is_sealed));
    }
}

#[test]
fn a_snapshot_comes_by_itself_a_while_after_a_change_and_only_then() {
    let (_around, folder) = demo();
    let soon = |options: &mut Options| options.snapshot_every = Duration::from_millis(1);
    let (game, news) = start(open_with(&folder, soon).unwrap());
    game.go_to("The ladder");
    // One for the event, and one for the state.
    for _ in 0..2 {
        news.recv_timeout(PLENTY).unwrap();
    }
    assert!(read(&folder).contains("The ladder"));
    // It is no event, and no change: nothing more comes of it.
    assert!(news.recv_timeout(Duration::from_millis(50)).is_err());
    assert_eq!(game.store().last(), 1);
}

#[test]
fn an_edit_from_outside_is_noticed_and_not_overwritten_without_leave() {
    let (_around, folder) = demo();
    let (game, _news) = play(&folder);
    let path = folder.join("game.toml");
    let edited = read(&folder).replace("The cliff", "The abyss");
    fs::write(&path, &edited).unwrap();
    game.go_to("The portcullis");
    let refused = |saved: Result<(), StoreError>| match saved {
        Err(StoreError::StateBehind { reason, .. }) => reason.contains("edited by another program"),
        _ => false,
    };
    assert!(refused(game.save()));
    assert_eq!(read(&folder), edited);
    // Every later save says the same; events are saved all the while.
    game.change(take_note);
    assert!(refused(game.save()));
    assert_eq!(view(&folder).unwrap().records.len(), 2);

    game.store().replace_edited();
    game.save().unwrap();
    assert!(read(&folder).contains("The portcullis"));
    assert_eq!(file(&folder, "game.toml.edited"), edited);
}

#[test]
fn an_edit_found_at_opening_is_kept_for_good_when_it_is_replaced() {
    let (_around, folder) = demo();
    {
        let (game, _news) = play(&folder);
        game.change(take_note);
        game.save().unwrap();
    }
    let edited = read(&folder).replace("The cliff", "The abyss");
    let before = file(&folder, "game.toml.before");
    fs::write(folder.join("game.toml"), &edited).unwrap();
    let (game, _news) = play(&folder);
    game.store().replace_edited();
    game.go_to("The portcullis");
    game.save().unwrap();
    let kept = |name| file(&folder, name);
    assert_eq!(kept("game.toml.edited"), edited);
    assert_eq!(kept("game.toml.before"), before);
    game.go_to("The ladder");
    game.save().unwrap();
    assert_eq!(kept("game.toml.edited"), edited);
    assert!(kept("game.toml.before").contains("The portcullis"));
}

#[test]
fn a_game_that_was_never_saved_again_has_a_state_to_go_back_to() {
    let (_around, folder) = demo();
    assert_eq!(file(&folder, "game.toml.before"), read(&folder));
}

#[test]
fn a_snapshot_that_was_deleted_is_written_again() {
    let (_around, folder) = demo();
    let (game, _news) = play(&folder);
    fs::remove_file(folder.join("game.toml")).unwrap();
    game.change(take_note);
    game.save().unwrap();
    assert!(read(&folder).contains("The cliff"));
}

#[test]
fn the_snapshot_before_can_be_opened_and_the_bad_one_is_kept() {
    let (_around, folder) = demo();
    {
        let (game, _news) = play(&folder);
        game.go_to("Late");
        game.save().unwrap();
    }
    let bad = "format = 1\nlast = 1\nnam";
    fs::write(folder.join("game.toml"), bad).unwrap();
    let opened = open_with(&folder, |options| options.from_before = true).unwrap();
    assert_eq!(opened.snapshot.last, 0);
    assert!(opened.records.iter().map(|record| record.n).eq([1]));
    let (game, _news) = start(opened);
    game.change(take_note);
    game.save().unwrap();
    assert_eq!(file(&folder, "game.toml.edited"), bad);
    assert!(read(&folder).starts_with("format = 2\nlast = 2\n"));
}

#[test]
fn a_snapshot_that_cannot_be_understood_says_where_and_why() {
    let (_around, folder) = demo();
    let path = folder.join("game.toml");
    let good = read(&folder);
    let refused = |text: &[u8]| -> StoreError {
        fs::write(&path, text).unwrap();
        open(&folder).unwrap_err()
    };
    let newer = refused(good.replace("format = 2", "format = 9").as_bytes());
    assert!(newer.hint().unwrap().contains("newer version"));
    let known = "format 9; this version supports formats up to 2";
    for (from, to, due) in [
        ("format = 2", "format = 9", known),
        (
            "format = 2\n",
            "",
            "line 1: the file must begin with `format = NUMBER` and",
        ),
        (
            "last = 0\n",
            "last = \n",
            "line 1: the file must begin with `format = NUMBER` and",
        ),
    ] {
        let said = refused(good.replace(from, to).as_bytes()).to_string();
        assert!(said.contains(due), "{said}");
    }
    let no_text = refused(b"format = 1\nlast = 0\nname = \"\xff\"\n").to_string();
    assert!(no_text.ends_with("game.toml, line 3: the line is not valid UTF-8"));
    let turned = good.replace("format = 2\nlast = 0", "# mine\nlast = 0\nformat = 2");
    fs::write(&path, turned).unwrap();
    assert_eq!(open(&folder).unwrap().snapshot.last, 0);
}

#[test]
fn a_second_opener_is_told_who_has_it_and_may_look() {
    let (_around, folder) = demo();
    let first = open(&folder).unwrap();
    let error = open(&folder).unwrap_err();
    let StoreError::Held { by, .. } = &error else {
        panic!("{error}")
    };
    let pid = std::process::id();
    assert!(by.contains(&format!("by process {pid} on ")), "{by}");
    let since = "since 2026-11-20 19:03 UTC";
    assert!(error.to_string().contains(since), "{error}");
    assert!(error.hint().unwrap().contains("--view"));
    assert!(view(&folder).is_ok());
    drop(first);
    assert!(open(&folder).is_ok());
}

#[test]
fn the_lock_of_a_process_that_was_killed_is_no_obstacle() {
    let around = tempfile::tempdir().unwrap();
    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tableside"));
        command.args(arguments).env("TABLESIDE_DATA", around.path());
        command
    };
    let made = command(&["new", "demo", "--system", "hearts"]).output();
    assert!(made.unwrap().status.success());
    let mut child = command(&["serve", "demo", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let folder = around.path().join("demo");
    let error = open(&folder).unwrap_err();
    let holder = format!("process {} ", child.id());
    assert!(error.to_string().contains(&holder), "{error}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(file(&folder, "lock").contains("by process "));
    assert!(open(&folder).is_ok());
}

#[test]
fn a_game_is_named_while_it_is_open() {
    let (around, folder) = demo();
    let (game, _news) = play(&folder);
    game.change(take_note);
    let named = around.path().join("The castle of Gnosis");
    let name = Name::new("The castle of Gnosis", &[]).unwrap();
    game.store().rename(&name).unwrap();
    assert_eq!(game.store().location().folder(), Some(&*named));
    game.go_to("The gate");
    game.save().unwrap();
    assert!(!folder.exists());
    assert!(read(&named).contains("The gate"));
    let taken = around.path().join("taken");
    fs::create_dir(&taken).unwrap();
    let refused = game.store().rename(&Name::new("taken", &[]).unwrap());
    assert!(matches!(refused, Err(StoreError::Exists { .. })));
    drop(game);
    assert_eq!(open(&named).unwrap().records.len(), 2);
}

#[test]
fn sessions_are_listed_by_when_they_were_played() {
    let around = tempfile::tempdir().unwrap();
    let data = around.path();
    let nowhere = Storage::from(&data.join("nowhere"));
    assert!(nowhere.games().unwrap().is_empty());
    for (name, age) in [("old", 200), ("new", 100), ("unsaved-1", 300)] {
        let folder = data.join(name);
        drop(
            GameLocation::from(&folder)
                .create::<&str>(&options(), STATE, &[])
                .unwrap(),
        );
        let state = folder.join("game.toml");
        let file = fs::File::options().write(true).open(state).unwrap();
        let played = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1000 - age);
        file.set_modified(played).unwrap();
    }
    fs::create_dir(data.join("no game")).unwrap();
    fs::create_dir(data.join(".new-half")).unwrap();
    fs::write(data.join(".new-half/game.toml"), "").unwrap();
    let storage = Storage::from(data);
    let listed = storage.games().unwrap().into_iter();
    let names: Vec<_> = listed.map(|listed| listed.name).collect();
    assert_eq!(names, ["new", "old", "unsaved-1"]);
    let next = storage.unsaved_location().unwrap();
    assert_eq!(next.folder(), Some(&*data.join("unsaved-2")));
}

#[test]
fn a_name_is_one_part_of_a_path_and_no_command() {
    let long = "ö".repeat(101);
    for (name, rule) in [
        ("", "empty"),
        ("  ", "empty"),
        ("a/b", "`/`"),
        ("..", "begins with `.`"),
        ("-x", "begins with `-`"),
        ("a\nb", "control"),
        ("x\u{202e}y", "reverse the text"),
        ("\u{3164}", "is empty"),
        ("\u{200b} \u{a0}", "is empty"),
        ("roll", "command"),
        (long.as_str(), "100 characters"),
    ] {
        let error = Name::new(name, &["roll", "new"]).unwrap_err();
        assert!(error.to_string().contains(rule), "{error}");
        assert!(!error.to_string().contains('\n'));
    }
    for name in ["The castle", "rolling", "Über 9000", &"x".repeat(100)] {
        assert_eq!(Name::new(name, &["roll"]).unwrap().as_str(), name);
    }
    for (given, name) in [
        ("friday ", "friday"),
        ("\u{a0}friday\u{3000}", "friday"),
        ("fri\u{200b}day", "friday"),
        ("Cafe\u{301}", "Café"),
    ] {
        assert_eq!(Name::new(given, &[]).unwrap().as_str(), name);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let (around, folder) = demo();
    let locked = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    locked(around.path(), 0o500);
    let may_anyway = fs::write(around.path().join("probe"), "").is_ok();
    fs::remove_file(folder.join("lock")).unwrap();
    locked(&folder, 0o500);
    let made = GameLocation::from(&around.path().join("x")).create::<&str>(&options(), STATE, &[]);
    let opened = open(&folder);
    locked(around.path(), 0o700);
    locked(&folder, 0o700);
    // The superuser may write everywhere, and there is nothing to be seen.
    if may_anyway {
        return;
    }
    for (error, words) in [
        (made.unwrap_err(), "x: permission denied"),
        (opened.unwrap_err(), "demo/lock: permission denied"),
    ] {
        assert!(error.to_string().ends_with(words), "{error}");
        assert!(error.hint().unwrap().contains("--view"));
    }
}
