//! The log written to a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use tableside::table::{Seat, Table, command_language};

use crate::bench::Bench;
use crate::games::full;

fn act(table: &Arc<Table>, words: &str) {
    let act = table.read(&Seat::gm(), |seen| {
        command_language::read(words, seen).unwrap()
    });
    table.submit(&Seat::gm(), &act).unwrap();
}

fn sit_down(table: &Arc<Table>, data: &Path) -> Bench {
    Bench::with(table, (100, 30), |setup| setup.storage = Some(data.into()))
}

/// Opens the dialog and types the file's name over the one proposed.
fn write_to(bench: &mut Bench, path: &Path) {
    bench.press("e");
    assert!(
        bench.text().contains("Write the log to a file"),
        "{}",
        bench.text()
    );
    bench.type_text("\u{15}");
    bench.type_text(path.to_str().unwrap());
    bench.press("Enter");
}

#[test]
fn the_log_is_written_as_it_is_filtered_in_the_form_that_the_name_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = full();
    act(&table, "note the red rope held");
    act(&table, "note the blue rope broke");
    act(&table, "roll Mira agility cn=12 faces=5,4 hidden");
    let mut bench = sit_down(&table, folder.path());
    bench.press("5");
    let whole = folder.path().join("whole.json");
    write_to(&mut bench, &whole);
    assert!(bench.text().contains("whole.json"), "{}", bench.text());
    let log: Vec<Json> = serde_json::from_str(&fs::read_to_string(&whole).unwrap()).unwrap();
    assert_eq!(log.last().unwrap()["hidden-from"][0], "*");
    bench.press("/");
    bench.type_text("rope");
    bench.press("Enter");
    let some = folder.path().join("some.md");
    write_to(&mut bench, &some);
    let text = fs::read_to_string(&some).unwrap();
    assert!(
        text.contains("red rope") && text.contains("blue rope"),
        "{text}"
    );
    assert!(!text.contains("Skill"), "{text}");
    bench.press("/");
    bench.type_text("\u{15}who:Mira");
    bench.press("Enter");
    let cells = folder.path().join("cells.csv");
    write_to(&mut bench, &cells);
    let text = fs::read_to_string(&cells).unwrap();
    let last = text.lines().last().unwrap();
    assert!(last.contains("(Agility)") && last.contains('*'), "{text}");
}

#[test]
fn what_is_there_already_is_replaced_only_after_asking() {
    let folder = tempfile::tempdir().unwrap();
    let table = full();
    let mut bench = sit_down(&table, folder.path());
    let path = folder.path().join("log.md");
    fs::write(&path, "mine").unwrap();
    bench.press("5");
    write_to(&mut bench, &path);
    assert!(
        bench.text().contains("is there already"),
        "{}",
        bench.text()
    );
    bench.press("n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    write_to(&mut bench, &path);
    bench.press("y");
    assert!(fs::read_to_string(&path).unwrap().starts_with("# "));
    // A name that says no form is not taken.
    write_to(&mut bench, &folder.path().join("log.txt"));
    assert!(
        bench.text().contains(".md, .csv or .json"),
        "{}",
        bench.text()
    );
    assert!(!folder.path().join("log.txt").exists());
}

#[test]
fn a_screen_over_the_wire_writes_no_file_on_the_hosts_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = Bench::with(&full(), (100, 30), |setup| setup.storage = None);
    bench.press("5");
    let path = folder.path().join("whole.json");
    write_to(&mut bench, &path);
    assert!(
        bench.text().contains("by the screen at the host alone"),
        "{}",
        bench.text()
    );
    assert!(!path.exists());
}
