//! A game from a file that was made to do harm. How games are carried otherwise: `tests/shell/carry.txt`.

use std::fs;

use crate::machine::Machine;
use serde_json::{Value as Json, json};

/// An exported game with another file in it.
fn with_file(whole: &str, name: &str, text: &str) -> String {
    let (header, parts) = whole.split_once('\n').unwrap();
    let mut header: Json = serde_json::from_str(header).unwrap();
    header["files"] = json!(header["files"].as_u64().unwrap() + 1);
    let crc = crc32c::crc32c(text.as_bytes());
    let part = json!({"file": name, "crc32c": crc, "text": text});
    format!("{header}\n{parts}{part}\n")
}

#[test]
fn a_journal_that_skips_to_a_number_beyond_counting_is_refused_at_once_and_leaves_nothing() {
    let machine = Machine::with_demo();
    machine.run("export demo whole");
    let whole = fs::read_to_string(machine.home.path().join("whole")).unwrap();
    let far = with_file(&whole, "journal/18446744073709551615.jsonl", "{}\n");
    fs::write(machine.home.path().join("far"), far).unwrap();
    // What an import left behind that somebody ended goes with the next one.
    fs::create_dir_all(machine.data().join(".new-left/journal")).unwrap();
    let ran = machine.run("import far --name other");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("this line must contain"), "{ran:?}");
    let left = fs::read_dir(machine.data()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["demo"]);
}
