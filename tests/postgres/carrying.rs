//! Every command at a database, and games carried there and back.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::server::Server;

/// A machine with a data folder, and a database that it reaches.
struct Machine {
    home: TempDir,
    url: String,
}

impl Machine {
    fn run(&self, words: &[&str]) -> (bool, String) {
        let ran = Command::new(env!("CARGO_BIN_EXE_tableside"))
            .env_clear()
            .env("HOME", self.home.path())
            .env("TABLESIDE_DATA", self.home.path().join("data"))
            .env("TZ", "UTC")
            .current_dir(self.home.path())
            .args(words)
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (ran.status.success(), String::from_utf8(said).unwrap())
    }

    /// Runs it in the data folder.
    fn here(&self, words: &[&str]) -> String {
        let (is_done, said) = self.run(words);
        assert!(is_done, "{words:?}: {said}");
        said
    }

    /// Runs it at the database.
    fn there(&self, words: &[&str]) -> String {
        self.here(&[words, &["--database", &self.url]].concat())
    }

    fn refused(&self, words: &[&str]) -> String {
        let (is_done, said) = self.run(words);
        assert!(!is_done, "{words:?}: {said}");
        said
    }

    fn files(&self, game: &str, folder: &str) -> String {
        let folder = self.home.path().join("data").join(game).join(folder);
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|one| one.unwrap().path())
            .collect();
        names.retain(|name| name.is_file() && is_carried(name));
        names.sort();
        names
            .iter()
            .map(|name| fs::read_to_string(name).unwrap())
            .collect()
    }
}

fn is_carried(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    [".jsonl", ".toml"].iter().any(|end| name.ends_with(end))
}

fn machine(server: &Server) -> Machine {
    Machine {
        home: tempfile::tempdir().unwrap(),
        url: server.url(),
    }
}

#[test]
fn a_game_goes_into_a_database_and_comes_back_as_it_was() {
    let Some(server) = Server::start() else {
        return;
    };
    let machine = machine(&server);
    // A system in a file leaves copies of its rules beside the game.
    let system = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules/good_system.toml");
    machine.here(&["new", "demo", "--system", system]);
    machine.here(&["do", "demo", "note it's \"all\" ünï☃ there"]);
    machine.here(&["invite", "demo", "mira"]);
    machine.here(&["export", "demo", "one", "--seats"]);
    machine.there(&["import", "one", "--seats"]);
    assert!(
        machine
            .there(&["verify", "demo"])
            .contains("everything holds")
    );
    assert_eq!(
        machine.there(&["log", "demo", "--json"]),
        machine.here(&["log", "demo", "--json"])
    );
    machine.there(&["export", "demo", "two", "--seats"]);
    let lines = |name: &str| fs::read_to_string(machine.home.path().join(name)).unwrap();
    let (one, two) = (lines("one"), lines("two"));
    // All but the head, which says when it was made.
    assert_eq!(
        one.split_once('\n').unwrap().1,
        two.split_once('\n').unwrap().1
    );
    machine.here(&["import", "two", "--name", "again", "--seats"]);
    assert_eq!(
        machine.files("demo", "journal"),
        machine.files("again", "journal")
    );
    assert_eq!(machine.files("demo", ""), machine.files("again", ""));
    // What is played there goes on where it was.
    machine.there(&["do", "demo", "note more"]);
    machine.there(&["export", "demo", "three"]);
    machine.here(&["import", "three", "--name", "third"]);
    let (first, third) = (
        machine.files("demo", "journal"),
        machine.files("third", "journal"),
    );
    assert!(third.starts_with(&first) && third.len() > first.len());
    assert!(
        machine
            .here(&["verify", "third"])
            .contains("everything holds")
    );
}

#[test]
fn every_command_works_at_a_database() {
    let Some(server) = Server::start() else {
        return;
    };
    let machine = machine(&server);
    assert!(
        machine
            .there(&["sessions"])
            .starts_with("no sessions yet in postgres://")
    );
    machine.there(&["new", "friday", "--system", "heart-rush", "--sample"]);
    assert!(
        machine
            .there(&["sessions", "--names"])
            .starts_with("friday")
    );
    assert!(
        machine
            .there(&["do", "friday", "add clock The siren 6"])
            .contains("siren")
    );
    assert!(
        machine
            .there(&["do", "friday", "tick siren 2"])
            .contains("2 of 6")
    );
    assert!(machine.there(&["status", "friday"]).contains("The siren"));
    assert!(machine.there(&["log", "friday"]).contains("The siren"));
    assert!(
        machine
            .there(&["verify", "friday"])
            .contains("everything holds")
    );
    assert!(machine.there(&["do", "friday", "undo"]).contains("siren"));
    assert!(
        machine
            .there(&["export", "friday", "--clocks"])
            .contains("The siren: 0/6")
    );
    let roll = ["roll", "--session", "friday", "2d6"];
    assert!(machine.there(&roll).contains("d6 "));
    assert!(
        machine
            .there(&["invite", "friday", "zoe"])
            .contains("zoe is invited")
    );
    let party = machine.home.path().join("party.toml");
    fs::write(&party, "[[character]]\nname = \"Quill\"\n").unwrap();
    machine.there(&["import", "party.toml", "--session", "friday"]);
    assert!(machine.there(&["status", "friday"]).contains("Quill"));
    let taken = machine.refused(&[
        "new",
        "friday",
        "--system",
        "hearts",
        "--database",
        &machine.url,
    ]);
    assert!(taken.contains("friday exists already"), "{taken}");
    let gone = machine.refused(&["status", "saturday", "--database", &machine.url]);
    assert!(gone.starts_with("there is no session saturday"), "{gone}");
    // The data folder knows nothing of it.
    assert!(machine.here(&["sessions"]).starts_with("no sessions yet"));
}

#[test]
fn what_is_wrong_with_a_database_is_said_plainly() {
    let Some(server) = Server::start() else {
        return;
    };
    let machine = machine(&server);
    let said = |url: &str| machine.refused(&["sessions", "--database", url]);
    let unreachable = said("postgres://gm@127.0.0.1:1/x");
    assert!(
        unreachable.contains("cannot be reached: Connection refused"),
        "{unreachable}"
    );
    let unknown = said(&machine.url.replace("gm@", "bo:secret@"));
    assert!(unknown.contains("lets nobody in: role \"bo\""), "{unknown}");
    assert!(!unknown.contains("secret"));
    let wrong = said("friday");
    assert!(
        wrong.contains("it should be like postgres://USER@HOST/NAME"),
        "{wrong}"
    );
    machine.there(&["sessions"]);
    server.sql("update tableside set schema = 9");
    let newer = said(&machine.url);
    assert!(
        newer.contains("has schema 9; this version knows schema 1"),
        "{newer}"
    );
}
