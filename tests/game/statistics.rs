//! Luck and statistics as a table tells them: from running figures, and to each seat only what it may see.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tableside::dice::{Die, SystemDice};
use tableside::rules::{ChosenBy, Sheet, System};
use tableside::session::{Character, Command, Faces, RollCommand, Session};
use tableside::table::{Figures, OnEdit, Opening, Seat, SeatId, SeatRole, Statistics, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn table(data: &Path) -> Arc<Table> {
    let session = Session::new(System::HEART_RUSH);
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let data = Some(data.into());
    let table = Table::unsaved("t", session, Vec::new(), data, noon, dice);
    for name in ["Mira", "Toll"] {
        let character = Character::new(name, Sheet::new(System::HEART_RUSH));
        let command = Command::add(character);
        table.submit(&Seat::gm(), &command.into()).unwrap();
    }
    table
}

fn open(folder: &Path) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([2; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    Table::open(folder, opening).unwrap().0
}

/// A save at CN 9 with d8 and d10.
fn roll(table: &Arc<Table>, name: &str, faces: [i16; 2], hidden_from: &[&str]) {
    let command = table.read(&Seat::gm(), |seen| {
        let check = System::HEART_RUSH.check("save").unwrap();
        let who = seen.character_named(name).unwrap().id;
        let mut filled = seen.fill(check, Some(who));
        for (field, given) in [("cn", "9"), ("heart", "d8"), ("ability", "d10")] {
            let field = check.field(field).unwrap();
            seen.fill_in(&mut filled, Some(who), field, given).unwrap();
        }
        RollCommand {
            group: false,
            who: Some(who),
            filled,
            faces: Faces::Typed(faces.to_vec()),
            choose: Vec::new(),
            by: ChosenBy::Gm,
            wait: false,
            hidden_from: hidden_from.iter().map(|&name| name.to_owned()).collect(),
            noticed: false,
            clock: None,
            helpers: Vec::new(),
        }
    });
    let act = Command::Roll(Box::new(command)).into();
    table.submit(&Seat::gm(), &act).unwrap();
}

fn statistics(table: &Table, seat: &Seat) -> Statistics {
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is not general enough in its lifetime"
    )]
    table.read(seat, |seen| seen.statistics())
}

fn told(figures: &[Figures]) -> Vec<(&str, u64)> {
    figures
        .iter()
        .map(|figures| (figures.who.as_str(), figures.rolls))
        .collect()
}

#[test]
fn a_roll_keeps_its_percentile_among_all_results_of_its_own() {
    let data = tempfile::tempdir().unwrap();
    let table = table(data.path());
    roll(&table, "Mira", [8, 10], &[]);
    roll(&table, "Mira", [1, 2], &[]);
    let lucks = table.read(&Seat::gm(), |seen| {
        let rolls = seen.log().filter_map(|entry| entry.roll()?.luck);
        rolls.collect::<Vec<_>>()
    });
    // Of 80: the total 18 has one way, and is the best; 1 on a die fails whatever the total, in 17 ways.
    assert_eq!(lucks.len(), 2);
    assert_eq!(lucks[1], 994, "79 are worse and half of one is as good");
    assert!(lucks[0] < 200, "{lucks:?}");
    let luck = statistics(&table, &Seat::gm()).all.luck.unwrap();
    let mean = f64::from(lucks[0] + lucks[1]) / 2000.0;
    assert!((luck.mean - mean).abs() < 1e-12);
}

#[test]
fn rolls_of_before_the_session_was_opened_come_in_once() {
    let data = tempfile::tempdir().unwrap();
    let first = table(data.path());
    for _ in 0..3 {
        roll(&first, "Mira", [3, 4], &[]);
    }
    let lived = statistics(&first, &Seat::gm());
    first.flush(Duration::from_secs(5)).unwrap();
    drop(first);

    let table = open(&data.path().join("unsaved-1"));
    assert_eq!(statistics(&table, &Seat::gm()), lived, "it is in memory");
    roll(&table, "Toll", [5, 5], &[]);
    table.count_all().unwrap();
    table.count_all().unwrap();
    let whole = statistics(&table, &Seat::gm());
    assert_eq!(whole.from, 1);
    assert_eq!(told(&whole.each), [("Mira", 3), ("Toll", 1)]);
    assert_eq!(whole.each[0], lived.each[0]);
    let d8 = &whole.all.dice[0];
    assert_eq!(d8.die, Die::D8);
    assert_eq!((d8.faces[2], d8.faces[4], d8.thrown), ((3, 3), (5, 1), 4));
}

#[test]
fn players_are_told_nothing_of_rolls_that_are_hidden_from_them() {
    let data = tempfile::tempdir().unwrap();
    let table = table(data.path());
    roll(&table, "Mira", [3, 4], &[]);
    roll(&table, "Mira", [5, 6], &["*"]);
    roll(&table, "Toll", [2, 2], &["Ann"]);
    let player = |name: &str| Seat {
        id: SeatId(7),
        name: name.to_owned(),
        role: SeatRole::Player,
        characters: Vec::new(),
    };
    let gm = statistics(&table, &Seat::gm());
    assert_eq!(told(&gm.each), [("Mira", 2), ("Toll", 1)]);
    let ann = statistics(&table, &player("Ann"));
    assert_eq!(told(&ann.each), [("Mira", 1)]);
    assert_eq!(ann.all.rolls, 1);
    let ben = statistics(&table, &player("Ben"));
    assert_eq!(told(&ben.each), [("Mira", 1), ("Toll", 1)]);

    let toll = table.session().character_named("Toll").unwrap().clone();
    let hide = Command::edit(Character {
        hidden: true,
        ..toll
    });
    table.submit(&Seat::gm(), &hide.into()).unwrap();
    assert_eq!(
        told(&statistics(&table, &player("Ben")).each),
        [("Mira", 1)]
    );
}

#[test]
fn a_roll_taken_back_still_fell() {
    let data = tempfile::tempdir().unwrap();
    let table = table(data.path());
    roll(&table, "Mira", [1, 2], &[]);
    let before = statistics(&table, &Seat::gm());
    table
        .submit(&Seat::gm(), &tableside::table::Act::Undo)
        .unwrap();
    assert_eq!(statistics(&table, &Seat::gm()), before);
}
