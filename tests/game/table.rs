//! A game at the table, without a screen: acts, undo, and what is found again on disk.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tableside::dice::{Die, SystemDice};
use tableside::rules::{Sheet, System, Value};
use tableside::session::{Character, Clock, Command, Faces, RollCommand, Segments, Session, Who};
use tableside::store::Name;
use tableside::table::{Act, OnEdit, Opening, Seat, Table};

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
    let session = Session::new(System::HeartRush);
    let dice = Box::new(SystemDice::from_key([1; 32]));
    Table::unsaved(
        "sample",
        session,
        Vec::new(),
        Some(data.to_owned()),
        noon,
        dice,
    )
}

fn run(table: &Arc<Table>, command: Command) {
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

fn mira() -> Character {
    let mut sheet = Sheet::new(System::HeartRush);
    sheet.set("agility", Value::Die(Die::D10)).unwrap();
    let aspects = Value::Ranks(vec![("Captain".into(), 1)]);
    sheet.set("aspects", aspects).unwrap();
    sheet
        .set(
            "professions",
            Value::Ranks(vec![("Mountain Guide".into(), 2)]),
        )
        .unwrap();
    Character::new("Mira", sheet)
}

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

fn climb(table: &Table, faces: &[u8]) -> RollCommand {
    table.read(&Seat::gm(), |seen| {
        let check = System::HeartRush.check("skill").unwrap();
        let who = seen.character_named("Mira").map(|one| one.id);
        let mut filled = seen.fill(check, who);
        for (field, given) in [
            ("cn", "12"),
            ("ability", "agility"),
            ("profession", "mountain"),
            ("aspect", "1"),
        ] {
            seen.fill_in(&mut filled, who, check.field(field).unwrap(), given)
                .unwrap();
        }
        RollCommand {
            group: false,
            who: who.map_or(Who::Nobody, Who::Character),
            fields: filled.fields,
            sources: filled.sources,
            faces: Faces::Typed(faces.to_vec()),
            choose: Vec::new(),
            by: tableside::rules::ChosenBy::Gm,
            wait: true,
            hidden_from: Vec::new(),
            noticed: false,
            clock: seen.clocks().next().map(|one| one.clock.id),
            helpers: Vec::new(),
        }
    })
}

#[test]
fn a_game_is_found_again_as_it_was_left_with_its_way_back() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path());
    run(&table, Command::AddCharacter(Box::new(mira())));
    let cliff = Clock::new("The cliff", Segments::try_from(6).unwrap());
    run(&table, Command::AddClock(Box::new(cliff)));
    let before = state(&table);
    let roll = climb(&table, &[5, 7]);
    run(&table, Command::Roll(Box::new(roll)));
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
    table.rename(data.path(), &name).unwrap();
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
    run(&table, Command::AddCharacter(Box::new(mira())));
    let roll = climb(&table, &[1, 7]);
    run(&table, Command::Roll(Box::new(roll)));
    drop(table);
    let (table, _) = Table::open(&data.path().join("unsaved-1"), opening()).unwrap();
    let check = table
        .read(&Seat::gm(), |seen| {
            seen.unfinished().next().map(|one| one.id)
        })
        .unwrap();
    let answer = Command::Answer {
        check,
        chose: "complication".into(),
        by: tableside::rules::ChosenBy::Player,
        faces: Faces::Typed(vec![6]),
    };
    run(&table, answer);
    assert_eq!(
        log(&table)[0],
        "Mira, Skill check: Success with a complication, 16 against 12"
    );
    assert_eq!(table.read(&Seat::gm(), |seen| seen.unfinished().count()), 0);
}

#[test]
fn the_log_says_who_did_it_and_how_much_under_names_of_their_own() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path());
    run(&table, Command::AddCharacter(Box::new(mira())));
    let pool = table
        .read(&Seat::gm(), |seen| seen.pools().next().map(|pool| pool.id))
        .unwrap();
    run(&table, Command::Tokens { pool, by: 2 });
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
    let session = Session::new(System::HeartRush);
    let home = Some(data.path().to_owned());
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let table = Table::unsaved("sample", session, Vec::new(), home, clock, dice);
    let note = |text: &str| Command::Note {
        text: text.to_owned(),
        about: None,
    };
    run(&table, note("first"));
    NOW.set(0);
    run(&table, note("second"));
    run(&table, Command::AddCharacter(Box::new(mira())));
    NOW.set(-62_000_000_000);
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    NOW.set(4_000_000_000);
    table.submit(&Seat::gm(), &Act::Redo).unwrap();
    let told = |table: &Table| -> Vec<(u64, String)> {
        table.read(&Seat::gm(), |seen| {
            let entries = seen.log();
            entries
                .map(|entry| (entry.number, entry.event.text(System::HeartRush)))
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
