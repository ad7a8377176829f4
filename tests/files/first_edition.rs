//! Games that were saved by the first edition (commit 1e3b486c), one of each system, still open.
//!
//! `first_edition/SYSTEM.jsonl` is a game as that program exported it, after rolls, undone acts, a linked clock, a
//! condition, a scene and an ended session. `SYSTEM.status.json` is what its `status --json` printed.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;

use super::commands::run;

const SYSTEMS: [&str; 13] = [
    "24xx",
    "5e",
    "forged-in-the-dark",
    "four-dice-aspects",
    "friday-night-dungeon",
    "gnosis",
    "heart-rush",
    "hearts",
    "hfrpg",
    "iron-vows",
    "percentile",
    "pushed-pools",
    "two-dice-moves",
];

/// Parts of the status that do not depend on the wording of the program.
const COMPARED: [&str; 6] = ["system", "scene", "party", "clocks", "pools", "log"];

/// The word of the first edition for the neutral side, as in JSON.
const FORMER_NEUTRAL: &str = "\"apathetic\"";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files/first_edition")
        .join(name);
    fs::read_to_string(path).unwrap()
}

/// Reads what the first edition printed as the status of a game, with today's words.
fn saved_status(system: &str) -> Json {
    let text = fixture(&format!("{system}.status.json"));
    serde_json::from_str(&text.replace(FORMER_NEUTRAL, "\"neutral\"")).unwrap()
}

/// Writes the files of an exported game into the folder `friday`, as the first edition kept them.
fn unpack(exported: &str, data: &Path) {
    for line in exported.lines().skip(1) {
        let file: Json = serde_json::from_str(line).unwrap();
        let path = data.join("friday").join(file["file"].as_str().unwrap());

        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file["text"].as_str().unwrap()).unwrap();
    }
}

fn succeed(data: &Path, words: &str) -> String {
    let ran = run(data, words);
    assert_eq!(ran.err, "", "{words}");
    ran.out
}

/// Checks that the snapshot of the game has this name, and not the other one.
fn assert_snapshot_name(data: &Path, name: &str, other_name: &str) {
    let folder = data.join("friday");
    assert!(folder.join(name).exists(), "{name} is missing");
    assert!(!folder.join(other_name).exists(), "{other_name} exists");
}

fn status(data: &Path) -> Json {
    serde_json::from_str(&succeed(data, "status friday --json")).unwrap()
}

/// Checks that `after` has everything that `before` has. Newer programs may print more keys.
fn assert_contains(after: &Json, before: &Json, path: &str) {
    match (after, before) {
        (Json::Object(after), Json::Object(before)) => {
            for (key, value) in before {
                let path = format!("{path}.{key}");
                assert_contains(after.get(key).unwrap_or(&Json::Null), value, &path);
            }
        }
        (Json::Array(after), Json::Array(before)) => {
            assert_eq!(after.len(), before.len(), "{path}");
            for (place, (after, before)) in after.iter().zip(before).enumerate() {
                assert_contains(after, before, &format!("{path}[{place}]"));
            }
        }
        _ => assert_eq!(after, before, "{path}"),
    }
}

fn assert_same_status(before: &Json, after: &Json, system: &str) {
    for part in COMPARED {
        assert_contains(&after[part], &before[part], &format!("{system}: {part}"));
    }
}

#[test]
fn games_of_the_first_edition_open_verify_and_can_be_played_on() {
    for system in SYSTEMS {
        let data = TempDir::new().unwrap();
        let data = data.path();
        unpack(&fixture(&format!("{system}.jsonl")), data);
        let saved = saved_status(system);

        let opened = status(data);
        assert_same_status(&saved, &opened, system);
        let verified = succeed(data, "verify friday");
        assert!(
            verified.contains("everything holds"),
            "{system}: {verified}"
        );
        let log: Vec<Json> = serde_json::from_str(&succeed(data, "log friday --json")).unwrap();
        assert_eq!(Json::from(log.len()), saved["log"], "{system}");
        assert!(succeed(data, "games").contains("friday"), "{system}");
        assert_snapshot_name(data, "session.toml", "game.toml");

        succeed(data, "do friday add clock Newcomer 4");
        assert_snapshot_name(data, "game.toml", "session.toml");
        assert_ne!(status(data)["clocks"], opened["clocks"], "{system}");
        succeed(data, "do friday undo");
        assert_eq!(status(data)["clocks"], opened["clocks"], "{system}");
        succeed(data, "verify friday");
    }
}

#[test]
fn files_exported_by_the_first_edition_can_be_imported() {
    for system in SYSTEMS {
        let data = TempDir::new().unwrap();
        let file = data.path().join("exported.jsonl");
        fs::write(&file, fixture(&format!("{system}.jsonl"))).unwrap();
        let saved = saved_status(system);

        let words = format!("import {} --name friday", file.display());
        run(data.path(), &words);
        assert_same_status(&saved, &status(data.path()), system);
    }
}
