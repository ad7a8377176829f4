//! A game at the table, without a screen: acts, undo, and what is found again on disk.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::rules::{Sheet, System};
use tableside::session::{Character, Command, Session};
use tableside::store::Name;
use tableside::table::{Act, OnEdit, Opening, Request, Seat, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn opening() -> Opening {
    Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    }
}

fn begin(data: &Path) -> Arc<Table> {
    let session = Session::new(System::HEART_RUSH);
    let dice = Box::new(SystemDice::from_key([1; 32]));
    Table::unsaved("sample", session, Vec::new(), Some(data.into()), noon, dice)
}

/// The GM does that, in the words of `tableside do`; a choice is left open.
fn say(table: &Arc<Table>, words: &str) {
    let request = Request::Say {
        words: words.to_owned(),
        wait: true,
    };
    table.run(&Seat::gm(), &request).unwrap();
}

fn mira(table: &Arc<Table>) {
    let mut sheet = Sheet::new(System::HEART_RUSH);
    for (stat, given) in [
        ("agility", "d10"),
        ("aspects", "Captain 1"),
        ("professions", "Mountain Guide 2"),
    ] {
        let value = sheet.stat(stat).unwrap().parse(given).unwrap();
        sheet.set(stat, value).unwrap();
    }
    let mira = Command::add(Character::new("Mira", sheet));
    table.submit(&Seat::gm(), &mira.into()).unwrap();
}

const CLIMB: &str = "roll Mira agility cn=12 profession=mountain aspect=1 faces=";

fn state(table: &Table) -> Vec<String> {
    table.read(&Seat::gm(), |seen| {
        let mut lines: Vec<String> = seen
            .roster()
            .map(|one| format!("{} {:?} {}", one.name, one.sheet, one.acted))
            .collect();
        lines.extend(
            seen.clocks()
                .map(|one| format!("{} {:?}", one.clock.name, one.filled)),
        );
        lines.extend(
            seen.pools()
                .map(|one| format!("{} {}", one.name, one.tokens)),
        );
        lines
    })
}

fn log(table: &Table) -> Vec<String> {
    table.read(&Seat::gm(), |seen| {
        seen.log()
            .map(|entry| {
                let struck = if seen.is_struck(entry.number) {
                    "struck "
                } else {
                    ""
                };
                format!("{struck}{}", entry.event.text(seen.system()))
            })
            .collect()
    })
}

#[test]
fn a_game_is_found_again_as_it_was_left_with_its_way_back() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path());
    mira(&table);
    say(&table, "add clock The cliff 6");
    let before = state(&table);
    say(&table, &format!("{CLIMB}5,7 for The cliff"));
    assert_eq!(log(&table)[0], "Mira, Skill check: Success, 15 against 12");
    let rolled = state(&table);
    assert!(
        rolled.contains(&"The cliff Some(1)".to_owned()),
        "{rolled:?}"
    );
    assert!(
        rolled.contains(&"Destiny Points 2".to_owned()),
        "{rolled:?}"
    );
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(state(&table), before);
    assert_eq!(
        log(&table)[1],
        "struck Mira, Skill check: Success, 15 against 12"
    );

    table.flush(Duration::from_secs(5)).unwrap();
    assert_eq!(table.name(), "unsaved-1");
    let name = Name::new("The cliff", &[]).unwrap();
    table.rename(&data.path().into(), &name).unwrap();
    drop(table);

    let (table, notices) = Table::open(&data.path().join("The cliff"), opening()).unwrap();
    assert_eq!(notices, Vec::<String>::new());
    assert_eq!(state(&table), before);
    table.submit(&Seat::gm(), &Act::Redo).unwrap();
    assert_eq!(state(&table), rolled);
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    let nothing = table.submit(&Seat::gm(), &Act::Undo).unwrap_err();
    assert_eq!(nothing.to_string(), "there is nothing to take back");
    assert_eq!(state(&table), Vec::<String>::new());
}

#[test]
fn a_check_that_waits_survives_and_is_answered_later() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path());
    mira(&table);
    say(&table, &format!("{CLIMB}1,7"));
    drop(table);
    let (table, _) = Table::open(&data.path().join("unsaved-1"), opening()).unwrap();
    say(&table, "answer Mira complication");
    assert_eq!(
        log(&table)[0],
        "Mira, Skill check: Success with a complication, 17 against 12"
    );
    assert_eq!(table.read(&Seat::gm(), |seen| seen.unfinished().count()), 0);
}

#[test]
fn the_log_says_who_did_it_and_how_much_under_names_of_their_own() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path());
    mira(&table);
    say(&table, "give Mira 2 destiny");
    let shown = table.read(&Seat::gm(), |seen| {
        let entry = seen.log().next().unwrap();
        tableside::table::log_json(&entry, "The cliff", false, seen.system())
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
    let open = || Opening { clock, ..opening() };
    let session = Session::new(System::HEART_RUSH);
    let home = Some(data.path().into());
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let table = Table::unsaved("sample", session, Vec::new(), home, clock, dice);
    say(&table, "note first");
    NOW.set(0);
    say(&table, "note second");
    mira(&table);
    NOW.set(-62_000_000_000);
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    NOW.set(4_000_000_000);
    table.submit(&Seat::gm(), &Act::Redo).unwrap();
    let told = |table: &Table| -> Vec<(u64, String)> {
        table.read(&Seat::gm(), |seen| {
            let entries = seen.log();
            entries
                .map(|entry| (entry.number, entry.event.text(System::HEART_RUSH)))
                .collect()
        })
    };
    let lived = told(&table);
    let numbers: Vec<u64> = lived.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers.len(), 5);
    assert!(
        numbers.is_sorted_by(|later, earlier| later > earlier),
        "{numbers:?}"
    );
    table.flush(Duration::from_mins(1)).unwrap();
    let folder = table.folder().unwrap();
    drop(table);
    NOW.set(1);
    let (table, notices) = Table::open(&folder, open()).unwrap();
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(told(&table), lived);
    assert!(table.read(&Seat::gm(), |seen| seen.character_named("Mira").is_some()));
}
