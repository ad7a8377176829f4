//! A session's life as files: exported, imported, joined by a party from elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use crate::machine::Machine;
use serde_json::{Value as Json, json};

impl Machine {
    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    #[track_caller]
    fn fails(&self, words: &str, due: &str) {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
        let first = ran.err.lines().next().unwrap_or_default();
        assert_eq!(first, due);
    }
}

/// Every line of a session's journal, in order.
fn history(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder.join("journal"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let text: Vec<String> = files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    text.concat().lines().map(str::to_owned).collect()
}

#[test]
fn a_session_comes_back_from_its_file_with_the_same_history() {
    let machine = Machine::with_demo();
    assert_eq!(machine.run("do demo add clock The siren 6").code, 0);
    assert_eq!(machine.run("do demo house ones any").code, 0);
    let exported = machine.run("export demo demo.session");
    assert_eq!(exported.code, 0, "{exported:?}");
    let mode = fs::metadata(machine.path("demo.session")).unwrap();
    assert!(mode.len() > 1000);
    let imported = machine.run("import demo.session --name again");
    assert_eq!(imported.code, 0, "{imported:?}");
    assert!(
        imported.out.starts_with("again: Heart Rush, "),
        "{imported:?}"
    );
    let (one, other) = (machine.path("data/demo"), machine.path("data/again"));
    assert_eq!(history(&one), history(&other));
    assert_eq!(
        fs::read_to_string(one.join("session.toml")).unwrap(),
        fs::read_to_string(other.join("session.toml")).unwrap()
    );
    for command in ["log NAME --json", "status NAME --json"] {
        let of = |name: &str| {
            machine
                .run(&command.replace("NAME", name))
                .out
                .replace(name, "NAME")
        };
        assert_eq!(of("demo"), of("again"));
    }
    assert_eq!(machine.run("verify again").code, 0);
    let played = machine.run("do again tick siren");
    assert_eq!(
        (played.code, played.out.as_str()),
        (0, "The siren advances by 1: 1 of 6.\n")
    );
}

#[test]
fn nothing_is_overwritten_unasked() {
    let machine = Machine::with_demo();
    machine.write("there", "mine");
    machine.fails("export demo there", "there exists already");
    assert_eq!(fs::read_to_string(machine.path("there")).unwrap(), "mine");
    assert_eq!(machine.run("export demo there --force").code, 0);
    machine.fails("import there", "HOME/data/demo exists already");
    assert!(machine.run("import there").err.contains("--name"));
    machine.fails("export nowhere out", "there is no session nowhere");
    assert_eq!(machine.run("import there --name new").code, 2);
    assert_eq!(machine.run("import there --name b --session demo").code, 2);
}

#[test]
fn a_file_that_is_not_as_it_was_written_is_refused_whole() {
    let machine = Machine::with_demo();
    machine.run("export demo whole");
    let whole = fs::read_to_string(machine.path("whole")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let last = lines.len();
    let without_end = lines[..last - 1].join("\n") + "\n";
    let cut: String = whole.chars().take(whole.len() / 2).collect();
    let read = cut.matches('\n').count();
    let wrong = [
        (
            "newer",
            whole.replacen("\"format\":1", "\"format\":9", 1),
            "newer: it has format 9; this version knows formats up to 1".to_owned(),
        ),
        (
            "short",
            without_end,
            format!("short: it ends too early, after line {}", last - 1),
        ),
        (
            "cut",
            cut,
            format!("cut: it ends too early, after line {}", read + 1),
        ),
        (
            "more",
            format!("{whole}x\n"),
            format!(
                "more: it is damaged: line {}: something stands after the end",
                last + 1
            ),
        ),
        (
            "changed",
            whole.replacen("Mira", "Myra", 1),
            format!("changed: it is damaged: line {last}: the checksum does not hold"),
        ),
        (
            "climbs",
            whole.replacen("journal/000001.jsonl", "../../000001.jsonl", 1),
            "climbs: it is damaged: line 3: it names a file that no session has".to_owned(),
        ),
    ];
    for (name, text, due) in wrong {
        machine.write(name, &text);
        machine.fails(&format!("import {name} --name other"), &due);
        assert!(!machine.path("data/other").exists());
    }
    let left: Vec<String> = fs::read_dir(machine.path("data"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["demo"]);
}

/// An exported session with another file in it, its checksum mended.
fn with_file(whole: &str, name: &str, text: &str) -> String {
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    let end: Json = serde_json::from_str(&lines.pop().unwrap()).unwrap();
    lines.push(json!({"file": name, "text": text}).to_string());
    let body = lines.join("\n") + "\n";
    let mut end = end;
    end["files"] = json!(end["files"].as_u64().unwrap() + 1);
    end["crc32c"] = json!(crc32c::crc32c(body.as_bytes()));
    format!("{body}{end}\n")
}

#[test]
fn a_journal_that_skips_to_a_number_beyond_counting_is_refused_at_once_and_leaves_nothing() {
    let machine = Machine::with_demo();
    machine.run("export demo whole");
    let whole = fs::read_to_string(machine.path("whole")).unwrap();
    let far = with_file(&whole, "journal/18446744073709551615.jsonl", "{}\n");
    machine.write("far", &far);
    // What an import left behind that somebody ended goes with the next one.
    fs::create_dir_all(machine.path("data/.new-left/journal")).unwrap();
    let ran = machine.run("import far --name other");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("the file is missing"), "{ran:?}");
    let left = fs::read_dir(machine.path("data")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["demo"]);
}

#[test]
fn a_pipe_or_a_device_is_no_file_to_import_and_stops_no_command() {
    let machine = Machine::with_demo();
    assert_eq!(machine.run("new other --system hearts").code, 0);
    let pipe = |name: &str| {
        let path = machine.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::remove_file(&path).unwrap_or_default();
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    pipe("party.toml");
    machine.fails(
        "import party.toml",
        "party.toml cannot be read: it is no regular file, but a folder, a pipe or a device",
    );
    machine.fails(
        "import /dev/zero",
        "/dev/zero cannot be read: it is no regular file, but a folder, a pipe or a device",
    );
    pipe("data/demo/session.toml");
    let listed = machine.run("sessions");
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(listed.out.contains("hearts, 0 characters"), "{listed:?}");
    assert!(
        listed.out.contains("demo   cannot be opened: cannot read"),
        "{listed:?}"
    );
    pipe(".config/tableside/keys.toml");
    let keys = machine.run("keys");
    assert_eq!(keys.code, 1, "{keys:?}");
    assert!(keys.err.contains("no regular file"), "{keys:?}");
}

const TOML: &str = r#"
system = "heart-rush"

[[character]]
name = "Mira"
player = "Ana"
heart = "d10"
agility = "d8"
hit-points-most = 45
professions = { "Mountain Guide" = 2, Sailor = 3 }

[[character]]
name = "Gark"
side = "adversary"
hidden = true
professions = "Thief 2"
"#;

#[test]
fn a_party_is_read_from_toml_csv_and_json_alike() {
    let machine = Machine::new();
    machine.write("friday.toml", TOML);
    let made = machine.run("import friday.toml");
    assert_eq!(made.code, 0, "{made:?}");
    machine.write(
        "saturday.csv",
        "Name,Player,Heart die,Agility,Hit points most,Professions,side,hidden\r\n\
         Mira,Ana,d10,d8,45,\"Mountain Guide 2, Sailor 3\",,\r\n\
         Gark,,,,,Thief 2,adversary,yes\r\n",
    );
    let made = machine.run("import saturday.csv --system heart-rush");
    assert_eq!(made.code, 0, "{made:?}");
    machine.write(
        "sunday.json",
        r#"{"system": "heart-rush", "characters": [
            {"name": "Mira", "player": "Ana", "heart": "d10", "agility": "d8", "hit-points-most": 45,
             "professions": {"Mountain Guide": 2, "Sailor": 3}},
            {"name": "Gark", "side": "adversary", "hidden": true, "professions": "Thief 2"}
        ]}"#,
    );
    let made = machine.run("import sunday.json");
    assert_eq!(made.code, 0, "{made:?}");
    let opens = "sunday: Heart Rush, with 2 characters; `tableside sunday` opens it\n";
    assert_eq!(made.out, opens);
    let party = |name: &str| -> Json {
        let status = machine.run(&format!("status {name} --json"));
        let status: Json = serde_json::from_str(&status.out).unwrap();
        status["party"].clone()
    };
    let due = party("friday");
    assert_eq!(due[0]["sheet"]["hit-points"], 45);
    assert_eq!(due[0]["sheet"]["heart-now"], "d10");
    assert_eq!(due[0]["sheet"]["professions"]["Mountain Guide"], 2);
    assert_eq!(due[1]["side"], "adversary");
    assert_eq!(party("saturday"), due);
    assert_eq!(party("sunday"), due);
}

#[test]
fn a_party_joins_a_session_as_one_act() {
    let machine = Machine::with_demo();
    machine.write(
        "more.json",
        r#"[{"name": "Gark"}, {"name": "Dorn", "might": "d12"}]"#,
    );
    let joined = machine.run("import more.json --session demo");
    assert_eq!(
        (joined.code, joined.out.as_str()),
        (0, "demo: 2 characters joined\n")
    );
    assert!(machine.run("status demo").out.contains("Gark"));
    // All together or none.
    machine.write("again.json", r#"[{"name": "Zed"}, {"name": "Dorn"}]"#);
    machine.fails(
        "import again.json --session demo",
        "there is a character named Dorn already; names must differ",
    );
    assert!(!machine.run("status demo").out.contains("Zed"));
    assert_eq!(machine.run("do demo undo").code, 0);
    assert!(!machine.run("status demo").out.contains("Gark"));
    // What status prints is understood, too.
    let status = machine.run("status demo --json").out;
    machine.write("copy.json", &status);
    let copy = machine.run("import copy.json --name copy");
    assert_eq!(copy.code, 0, "{copy:?}");
}

#[test]
fn what_is_wrong_is_named_by_line_and_field_and_nothing_is_made() {
    let machine = Machine::new();
    let cases = [
        (
            "a.toml",
            "system = \"heart-rush\"\n[[character]]\nname = \"Mira\"\nagility = \"d7\"\n",
            "a.toml, line 4: agility must be one of d4, d6, d8, d10, d12, d20, and \"d7\" was given",
        ),
        (
            "b.toml",
            "system = \"heart-rush\"\n[[character]]\nname = \"Mira\"\nagillity = \"d8\"\n",
            "b.toml, line 4: there is no field \"agillity\"; did you mean agility?",
        ),
        (
            "c.toml",
            "[[character]\n",
            "c.toml, line 1: it is no TOML: ",
        ),
        (
            "d.csv",
            "name,might\nMira,d6\nBo,much\n",
            "d.csv, line 3: might must be one of d4, d6, d8, d10, d12, d20, and \"much\" was given",
        ),
        (
            "e.csv",
            "name,might\nMira,d6\n,d8\n",
            "e.csv, line 3: name: a character needs one",
        ),
        (
            "f.csv",
            "name,might\nMira,d6\nmira,d8\n",
            "f.csv, line 3: name: there are two named mira; names must differ",
        ),
        (
            "g.csv",
            "name\nMira,d6\n",
            "g.csv, line 2: there are 2 cells, and the first row names 1 fields",
        ),
        (
            "h.json",
            "[\n {\"name\": \"Mira\"},\n {\"name\": \"Bo\",\n  \"paragon\": 99}\n]",
            "h.json, line 4: paragon must be a number from 0 to 20, and \"99\" was given",
        ),
        (
            "i.json",
            "[{\"name\": \"Mira\"}",
            "i.json, line 1: it is no JSON: ",
        ),
        (
            "j.json",
            "{\"characters\": 3}",
            "j.json, line 1: there should be a list of characters: ",
        ),
        ("k.json", "[]", "there is no character in k.json"),
        (
            "l.txt",
            "Mira",
            "l.txt is no exported session, and its name does not say how a party is written in it",
        ),
    ];
    for (name, text, due) in cases {
        machine.write(name, text);
        let ran = machine.run(&format!("import {name} --system heart-rush --name made"));
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{name}: {ran:?}");
        assert!(ran.err.starts_with(due), "{name}: {ran:?}");
        assert!(!machine.path("data/made").exists(), "{name}");
    }
    machine.write("m.csv", "name\nMira\n");
    assert_eq!(machine.run("import m.csv").code, 2);
}

#[test]
fn keys_completions_and_manual_come_from_the_program_itself() {
    let machine = Machine::with_demo();
    let keys = machine.run("keys");
    assert_eq!(keys.code, 0);
    assert!(keys.out.contains("[clocks]"), "{}", keys.out);
    let json: Vec<Json> = serde_json::from_str(&machine.run("keys --json").out).unwrap();
    assert!(
        json.iter()
            .any(|row| row["action"] == "undo" && row["keys"][0] == "u" && row["own"] == false)
    );
    let folder = machine.path(".config/tableside");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("keys.toml"), "[everywhere]\nundo = \"x\"\n").unwrap();
    let own = machine.run("keys");
    assert!(own.out.contains("(yours)"), "{}", own.out);
    fs::write(folder.join("keys.toml"), "[everywhere]\nundo = \"r\"\n").unwrap();
    let conflict = machine.run("keys");
    assert_eq!(conflict.code, 1);
    assert!(conflict.err.contains("`r` would mean both"), "{conflict:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = machine.run(&format!("completions {shell}"));
        assert_eq!(script.code, 0);
        assert!(
            script.out.contains("tableside") && script.out.contains("verify"),
            "{shell}"
        );
    }
    assert!(
        machine
            .run("completions zsh")
            .out
            .contains("The session:_tableside_sessions")
    );
    assert!(
        machine
            .run("completions bash")
            .out
            .contains("sessions --names")
    );
    assert_eq!(machine.run("completions dash").code, 2);
    assert_eq!(machine.run("sessions --names").out, "demo\n");
    let page = machine.run("man");
    assert!(
        page.out.starts_with(".ie") || page.out.contains(".TH tableside"),
        "{}",
        page.out
    );
    assert_eq!(machine.run("man pages").code, 0);
    let of_do = fs::read_to_string(machine.path("pages/tableside-do.1")).unwrap();
    assert!(of_do.contains("tick CLOCK"), "{of_do}");
}
