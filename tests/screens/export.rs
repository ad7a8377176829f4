//! The log and the recap written to files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use tableside::table::{Seat, SeatId, SeatRole, Table};

use crate::bench::Bench;
use crate::games::full;
use crate::played::run_command;

fn sit_down(table: &Arc<Table>, data: &Path) -> Bench {
    Bench::with(table, (100, 30), |setup| setup.storage = Some(data.into()))
}

/// Opens the dialog and types the file's name.
fn write_to(bench: &mut Bench, path: &Path) {
    bench.press("e").see("Write to a file");
    bench.press("Down C-u").type_text(path.to_str().unwrap());
    bench.press("Enter");
}

/// Takes one of the choices of the dialog, counted from 0, and returns the newest file in the folder for exports.
fn export(bench: &mut Bench, choice: usize, file: &Path) -> String {
    bench.press("e").see("Write to a file");
    bench.press(&"Right ".repeat(choice)).press("Enter");
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}\n{}", bench.text()))
}

#[test]
fn each_choice_of_the_dialog_writes_a_new_file_beside_the_games() {
    let data = tempfile::tempdir().unwrap();
    let exports = data.path().join("exports");
    let table = full();
    run_command(&table, "note the red rope held");
    run_command(&table, "roll Mira agility cn=12 faces=5,4 hidden");
    run_command(&table, "end session");
    run_command(&table, "roll Mira agility cn=12 faces=6,4");
    let mut bench = Bench::with(&table, (160, 30), |setup| {
        setup.storage = Some(data.path().into());
    });
    bench.press("5");

    let all = export(&mut bench, 0, &exports.join("A quiet evening-log.md"));
    assert!(
        all.contains("red rope") && all.contains("Session 1 ended"),
        "{all}"
    );
    bench.see("A quiet evening-log.md");

    let session = export(
        &mut bench,
        1,
        &exports.join("A quiet evening-session-log.md"),
    );
    assert!(
        session.contains("d8 6") && !session.contains("red rope"),
        "{session}"
    );

    let players = export(
        &mut bench,
        2,
        &exports.join("A quiet evening-players-log.md"),
    );
    assert!(
        players.contains("d8 6") && !players.contains("red rope"),
        "{players}"
    );
    assert!(!players.contains("d8 5, ability d10"), "{players}");

    let recap = export(&mut bench, 3, &exports.join("A quiet evening-recap.md"));
    assert!(recap.starts_with("# "), "{recap}");

    let again = export(&mut bench, 0, &exports.join("A quiet evening-log-2.md"));
    assert_eq!(again, all);
}

#[test]
fn a_narrow_screen_names_the_file_that_was_written() {
    let data = tempfile::tempdir().unwrap();
    let mut bench = Bench::with(&full(), (40, 12), |setup| {
        setup.storage = Some(data.path().into());
    });
    bench.press("5 e").see("Write to a file");
    bench.press("Enter").see("A quiet evening-log.md");
}

#[test]
fn the_recap_is_read_copied_and_saved() {
    let data = tempfile::tempdir().unwrap();
    let mut bench = sit_down(&full(), data.path());
    bench.press(":").type_text("recap");
    bench.press("Enter").see("Copy");
    bench.press("y").see("copied: ");
    bench.press("s").see("the recap, written to");
    assert!(
        data.path()
            .join("exports/A quiet evening-recap.md")
            .exists()
    );
}

#[test]
fn a_recap_is_that_of_another_session_or_of_the_players() {
    let table = full();
    run_command(&table, "note for gm The reeve is a traitor");
    run_command(&table, "note for all The bridge is down");
    run_command(&table, "end session");
    run_command(&table, "note for gm The heir lives");
    run_command(&table, "note for all It snows");

    let data = tempfile::tempdir().unwrap();
    let mut bench = sit_down(&table, data.path());
    let read = |bench: &mut Bench, key: &str| {
        let mut text = bench.press(key).text();
        for _ in 0..6 {
            text.push_str(&bench.press("PgDn").text());
        }
        text
    };
    let newest = read(&mut bench, "B");
    assert!(newest.contains("session 2"), "{newest}");
    assert!(newest.contains("for the GM"), "{newest}");
    assert!(newest.contains("The heir lives") && newest.contains("It snows"));
    assert!(!newest.contains("The reeve"), "{newest}");

    let for_players = read(&mut bench, "p");
    assert!(for_players.contains("for players"), "{for_players}");
    assert!(for_players.contains("It snows"), "{for_players}");
    assert!(!for_players.contains("The heir"), "{for_players}");
    // The recap that is shown is the one that is saved.
    bench.press("s").see("the recap for players, written to");
    let saved = data.path().join("exports/A quiet evening-players-recap.md");
    let saved = fs::read_to_string(saved).unwrap();
    assert!(
        saved.contains("It snows") && !saved.contains("The heir"),
        "{saved}"
    );

    bench.press("Esc");
    read(&mut bench, "B");
    let earlier = read(&mut bench, "e");
    assert!(
        earlier.contains("session 1") && earlier.contains("The reeve"),
        "{earlier}"
    );
    assert!(!earlier.contains("The heir"), "{earlier}");
    let later = read(&mut bench, "w");
    assert!(
        later.contains("The heir") && !later.contains("Newer: "),
        "{later}"
    );
    bench.press("Esc");
    assert!(bench.screen.state().is_browsing());
}

#[test]
fn the_end_of_a_session_names_the_key_of_its_recap() {
    let mut bench = Bench::sit_down(&full(), (80, 24));
    bench.press(":").type_text("end session");
    bench
        .press("Enter")
        .see("Session 1 ended. B reads its recap");
}

#[test]
fn a_player_reads_and_copies_the_recap_but_does_not_save_it() {
    let mut bench = Bench::with(&full(), (100, 30), |setup| {
        setup.seat = Seat::new(SeatId(7), "Tom", SeatRole::Player);
    });
    bench.press(":").type_text("recap");
    bench.press("Enter").see("Copy");
    assert!(!bench.text().contains("Save"), "{}", bench.text());
}

#[test]
fn the_log_is_written_as_it_is_filtered_in_the_form_that_the_name_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = full();
    run_command(&table, "note the red rope held");
    run_command(&table, "note the blue rope broke");
    run_command(&table, "roll Mira agility cn=12 faces=5,4 hidden");
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
    bench.see("already exists");
    bench.press("n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    bench.press("Enter y");
    assert!(fs::read_to_string(&path).unwrap().starts_with("# "));
    // A name that says no form is not taken.
    bench.press("Esc");
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
    bench.see("can only be written at the host");
    assert!(!path.exists());
}
