//! The copies of rules that games keep beside them: each game by its own, whatever happens to the files around it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tableside::rules::System;
use tableside::store::Reader;
use tableside::table::{Seat, SeatId, SeatRole, Table, verify};

use super::folder::text;
use super::opened::open;
use super::played::{PATIENCE, begin, run_command, run_command_as};

/// A system named `lantern` in which a check needs that face; its stat has that name.
fn lantern(face: u8, stat: &str) -> String {
    let text = include_str!("lantern.toml").replace("FACE", &face.to_string());
    text.replace("STAT", stat)
}

fn system(face: u8, stat: &str) -> System {
    System::of_file(&lantern(face, stat), true).unwrap()
}

/// A game of that system with Mira in it, closed again.
fn game(data: &Path, system: System) -> std::path::PathBuf {
    let table = begin(data, system);
    run_command(&table, "add character Mira");
    table.flush(PATIENCE).unwrap();
    table.folder().unwrap()
}

/// The outcome of a check that shows a 4.
fn four(table: &Arc<Table>) -> String {
    run_command(table, "roll Mira attempt faces=4");
    let seat = Seat::gm();
    table.read(&seat, |seen| {
        let entry = seen.log().next().unwrap();
        entry.roll().unwrap().outcome.clone()
    })
}

/// Has the next rules be those of the file, as a person's own.
fn find(table: &Table, face: u8, stat: &'static str) {
    table.use_systems(Arc::new(move |_| Ok(system(face, stat))));
}

#[test]
fn games_of_different_files_of_one_name_are_open_side_by_side() {
    let home = tempfile::tempdir().unwrap();
    let easy = game(home.path(), system(2, "nerve"));
    let hard = game(home.path(), system(6, "craft"));
    let (easy, hard) = (open(&easy), open(&hard));
    assert_eq!([four(&easy), four(&hard)], ["success", "failure"]);
    run_command(&easy, "set Mira nerve 3");
    run_command(&hard, "set Mira craft 3");
    for table in [&easy, &hard] {
        table.flush(PATIENCE).unwrap();
        let reader = Reader::new(&table.folder().unwrap());
        let again = verify(&reader, table.game().system);
        assert_eq!(again.unwrap().wrong, []);
    }
}

#[test]
fn rules_taken_just_before_a_crash_hold_and_are_shown() {
    let home = tempfile::tempdir().unwrap();
    let folder = game(home.path(), system(2, "nerve"));
    let before = text(&folder, "game.toml");
    let table = open(&folder);
    assert_eq!(four(&table), "success");
    find(&table, 6, "craft");
    run_command(&table, "load the new rules");
    assert_eq!(four(&table), "failure");
    table.flush(PATIENCE).unwrap();
    drop(table);
    // The state and the copy for people are as they were, and the journal is ahead.
    fs::write(folder.join("game.toml"), before).unwrap();
    fs::write(folder.join("system.toml"), lantern(2, "nerve")).unwrap();
    let table = open(&folder);
    assert_eq!(table.game().system, system(6, "craft"));
    assert_eq!(text(&folder, "system.toml"), lantern(6, "craft"));
    let told = table.read(&Seat::gm(), |seen| {
        let (_, parts) = seen.explain(2).unwrap();
        format!("{parts:?}")
    });
    assert!(told.contains("Success"), "{told}");
    run_command(&table, "undo");
    run_command(&table, "undo");
    assert_eq!(table.game().system, system(2, "nerve"));
    assert_eq!(text(&folder, "system.toml"), lantern(2, "nerve"));
}

#[test]
fn only_the_gm_takes_new_rules_and_files_are_named_where_they_are() {
    let home = tempfile::tempdir().unwrap();
    let table = open(&game(home.path(), system(2, "nerve")));
    find(&table, 6, "craft");
    let player = Seat::new(SeatId(7), "Ana", SeatRole::Player);
    let words = "load the new rules";
    let refused = run_command_as(&table, &player, words).unwrap_err();
    assert!(refused.contains("only the GM"), "{refused}");
    let remote = Seat::new(SeatId(8), "gm", SeatRole::Gm);
    let of_a_file = format!("{words} from /etc/passwd.toml");
    assert!(run_command_as(&table, &remote, &of_a_file).is_err());
    run_command_as(&table, &remote, words).unwrap();
    assert_eq!(table.game().system, system(6, "craft"));
}

#[test]
fn who_came_under_the_new_rules_must_go_before_they_are_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let table = open(&game(home.path(), system(2, "nerve")));
    find(&table, 6, "craft");
    run_command(&table, "load the new rules");
    run_command(&table, "add character Bo");
    let refused = run_command_as(&table, &Seat::gm(), "undo entry 2").unwrap_err();
    assert!(refused.contains("Bo"), "{refused}");
    run_command(&table, "undo");
    run_command(&table, "undo");
    assert_eq!(table.game().system, system(2, "nerve"));
}
