//! A game at the table, without a screen: acts, undo, and what is found again on disk.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside::game::Game;
use tableside::rules::System;
use tableside::store::Name;
use tableside::table::{Act, OnEdit, Opening, Seat, Table};

use super::opened::{open, opening};
use super::played::{PATIENCE, begin, run_command};

/// A game with Mira in it.
fn mira(data: &Path) -> Arc<Table> {
    let table = begin(data, System::HEART_RUSH);
    for words in [
        "add character Mira",
        "set Mira agility d10",
        "set Mira aspects Captain 1",
        "set Mira professions Mountain Guide 2",
    ] {
        run_command(&table, words);
    }
    table
}

const CLIMB: &str = "roll Mira agility cn=12 profession=mountain aspect=1 faces=";

fn state(table: &Table) -> String {
    table.read(&Seat::gm(), |seen| {
        let clocks: Vec<_> = seen.clocks().map(|one| one.clock.clone()).collect();
        let roster: Vec<_> = seen.roster().collect();
        let pools: Vec<_> = seen.pools().collect();
        format!("{roster:?}{clocks:?}{pools:?}")
    })
}

/// The log, the newest first.
fn log(table: &Table) -> Vec<String> {
    table.read(&Seat::gm(), |seen| {
        let entries = seen.log();
        let told = entries.map(|entry| {
            let struck = ["", "struck "][usize::from(seen.is_struck(entry.number))];
            format!("{struck}{}", entry.event.text(seen.system()))
        });
        told.collect()
    })
}

#[test]
fn a_game_is_found_again_as_it_was_left_with_its_way_back() {
    let data = tempfile::tempdir().unwrap();
    let table = mira(data.path());
    run_command(&table, "add clock The cliff 6");
    let before = state(&table);
    run_command(&table, &format!("{CLIMB}5,7 for The cliff"));
    assert_eq!(log(&table)[0], "Mira, Skill check: Success, 15 vs 12");
    let rolled = state(&table);
    assert_ne!(rolled, before);
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(state(&table), before);
    assert_eq!(
        log(&table)[1],
        "struck Mira, Skill check: Success, 15 vs 12"
    );

    table.flush(PATIENCE).unwrap();
    assert_eq!(table.name(), "unsaved-1");
    let name = Name::new("The cliff", &[]).unwrap();
    table.rename(&data.path().into(), &name).unwrap();
    drop(table);

    let (table, notices) =
        Table::open(&data.path().join("The cliff"), opening(OnEdit::Ask)).unwrap();
    assert_eq!(notices, Vec::<String>::new());
    assert_eq!(state(&table), before);
    table.submit(&Seat::gm(), &Act::Redo).unwrap();
    assert_eq!(state(&table), rolled);
    table.submit(&Seat::gm(), &Act::UndoSeveral(6)).unwrap();
    let nothing = table.submit(&Seat::gm(), &Act::Undo).unwrap_err();
    assert_eq!(nothing.to_string(), "there is nothing to undo");
    assert!(table.read(&Seat::gm(), |seen| seen.roster().next().is_none()));
}

#[test]
fn undoing_more_acts_than_there_are_says_how_many_were_undone_and_why_it_stopped() {
    let data = tempfile::tempdir().unwrap();
    let table = mira(data.path());
    let before = state(&table);
    run_command(&table, "add clock Doors 4");
    run_command(&table, "tick Doors");
    table.submit(&Seat::gm(), &Act::UndoSeveral(2)).unwrap();
    assert_eq!(state(&table), before);

    let count = table.read(&Seat::gm(), |view| {
        view.log().filter(|entry| entry.is_an_act()).count()
    });
    let wanted = u32::try_from(count).unwrap() + 1;
    let stopped = table.submit(&Seat::gm(), &Act::UndoSeveral(wanted));
    assert_eq!(
        stopped.unwrap_err().to_string(),
        format!(
            "undid only {} of {wanted} changes; there is nothing to undo",
            count - 2
        )
    );
    assert!(table.read(&Seat::gm(), |view| view.roster().next().is_none()));
}

#[test]
fn the_last_rolls_are_found_again_behind_an_evening_of_notes() {
    let data = tempfile::tempdir().unwrap();
    let table = mira(data.path());
    run_command(&table, &format!("{CLIMB}5,7"));
    for _ in 0..700 {
        run_command(&table, "note the rope held");
    }
    table.flush(PATIENCE).unwrap();
    let place = table.place().unwrap();
    drop(table);
    let (table, _) = Table::open(place, opening(OnEdit::Ask)).unwrap();
    assert_eq!(table.read(&Seat::gm(), |seen| seen.rolled().count()), 1);
}

#[test]
fn a_check_that_waits_survives_and_is_answered_later() {
    let data = tempfile::tempdir().unwrap();
    let table = mira(data.path());
    run_command(&table, &format!("{CLIMB}1,7 wait"));
    drop(table);
    let table = open(&data.path().join("unsaved-1"));
    run_command(&table, "answer Mira complication");
    run_command(&table, "faces 7");
    assert_eq!(
        log(&table)[0],
        "Mira, Skill check: Success with a complication, 17 vs 12"
    );
    assert_eq!(table.read(&Seat::gm(), |seen| seen.unfinished().count()), 0);
}

#[test]
fn the_log_says_who_did_it_and_how_much_under_names_of_their_own() {
    let data = tempfile::tempdir().unwrap();
    let table = mira(data.path());
    run_command(&table, "give Mira 2 destiny");
    let shown = table.read(&Seat::gm(), |seen| {
        let entry = seen.log().next().unwrap();
        let json = tableside::table::EntryJson {
            entry: &entry,
            scene: "The cliff",
            session: 1,
            is_struck: false,
            system: seen.system(),
        };
        serde_json::to_value(json).unwrap()
    });
    assert_eq!(shown["by"], "gm");
    assert_eq!(shown["amount"], 2);
    assert_eq!(shown["now"], 5);
    assert_eq!(shown["kind"], "tokens");
}

#[test]
fn a_clock_that_jumps_back_years_changes_neither_order_nor_undo() {
    thread_local! {
        static NOW: Cell<i64> = const { Cell::new(1_795_201_391) };
    }
    let clock: fn() -> DateTime<Utc> = || DateTime::from_timestamp(NOW.get(), 0).unwrap();
    let data = tempfile::tempdir().unwrap();
    let open = || Opening {
        clock,
        ..opening(OnEdit::Ask)
    };
    let game = Game::new(System::HEART_RUSH);
    let (home, dice) = (Some(data.path().into()), open().dice);
    let table = Table::unsaved("sample", game, Vec::new(), home, clock, dice);
    run_command(&table, "note first");
    NOW.set(0);
    run_command(&table, "note second");
    run_command(&table, "add character Mira");
    NOW.set(-62_000_000_000);
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    NOW.set(4_000_000_000);
    table.submit(&Seat::gm(), &Act::Redo).unwrap();
    let numbers = |table: &Table| -> Vec<u64> {
        table.read(&Seat::gm(), |seen| {
            seen.log().map(|entry| entry.number).collect()
        })
    };
    assert_eq!(numbers(&table), [5, 4, 3, 2, 1]);
    let lived = log(&table);
    table.flush(PATIENCE).unwrap();
    let folder = table.folder().unwrap();
    drop(table);
    NOW.set(1);
    let (table, notices) = Table::open(&folder, open()).unwrap();
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(log(&table), lived);
    assert!(table.read(&Seat::gm(), |seen| seen.character_named("Mira").is_some()));
}
