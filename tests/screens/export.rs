//! The log written to a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use tableside::table::Table;

use crate::bench::Bench;
use crate::games::full;
use crate::played::say;

fn sit_down(table: &Arc<Table>, data: &Path) -> Bench {
    Bench::with(table, (100, 30), |setup| setup.storage = Some(data.into()))
}

/// Opens the dialog and types the file's name over the one proposed.
fn write_to(bench: &mut Bench, path: &Path) {
    bench.press("e").see("Write the log to a file");
    bench.press("C-u").type_text(path.to_str().unwrap());
    bench.press("Enter");
}

#[test]
fn the_log_is_written_as_it_is_filtered_in_the_form_that_the_name_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = full();
    say(&table, "note the red rope held");
    say(&table, "note the blue rope broke");
    say(&table, "roll Mira agility cn=12 faces=5,4 hidden");
    let mut bench = sit_down(&table, folder.path());
    bench.press("5");
    let whole = folder.path().join("whole.json");
    write_to(&mut bench, &whole);
    bench.see("whole.json");
    let log: Vec<Json> = serde_json::from_str(&fs::read_to_string(&whole).unwrap()).unwrap();
    assert_eq!(log.last().unwrap()["hidden-from"][0], "*");
    bench.press("/ rope Enter");
    let some = folder.path().join("some.md");
    write_to(&mut bench, &some);
    let text = fs::read_to_string(&some).unwrap();
    for (words, is_there) in [("red rope", true), ("blue rope", true), ("Skill", false)] {
        assert_eq!(text.contains(words), is_there, "{text}");
    }
    bench.press("/ C-u who:Mira Enter");
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
    bench.see("is there already");
    bench.press("n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    write_to(&mut bench, &path);
    bench.press("y");
    assert!(fs::read_to_string(&path).unwrap().starts_with("# "));
    // A name that says no form is not taken.
    write_to(&mut bench, &folder.path().join("log.txt"));
    bench.see(".md, .csv or .json");
    assert!(!folder.path().join("log.txt").exists());
}

#[test]
fn a_screen_over_the_wire_writes_no_file_on_the_hosts_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = Bench::with(&full(), (100, 30), |setup| setup.storage = None);
    bench.press("5");
    let path = folder.path().join("whole.json");
    write_to(&mut bench, &path);
    bench.see("by the screen at the host alone");
    assert!(!path.exists());
}
