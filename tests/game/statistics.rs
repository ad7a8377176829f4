//! Luck and statistics as a table tells them: from running figures, and to each seat only what it may see.

use tableside::dice::Die;
use tableside::game::{Character, Command};
use tableside::rules::System;
use tableside::table::{Act, Figures, Seat, Statistics, Table};

use super::around::{TestGame, Try, player};
use super::opened::open;
use super::played::{PATIENCE, begin, run_command};

fn game() -> TestGame {
    TestGame::with(System::HEART_RUSH, &[("Mira", &[]), ("Toll", &[])])
}

/// A save at CN 9 with d8 and d10.
fn roll(game: &TestGame, who: &str, faces: &[i16], hidden_from: &[&str]) {
    game.roll(&Try {
        who,
        check: "save",
        fields: &[("cn", "9"), ("heart", "d8"), ("ability", "d10")],
        faces,
        hidden_from,
        ..Try::default()
    });
}

pub(super) fn statistics(table: &Table, seat: &Seat) -> Statistics {
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is not general enough in its lifetime"
    )]
    table.read(seat, |seen| seen.statistics())
}

fn told(figures: &[Figures]) -> Vec<(&str, u64)> {
    let told = figures.iter().map(|one| (one.who.as_str(), one.rolls));
    told.collect()
}

#[test]
fn a_roll_keeps_its_percentile_among_all_results_of_its_own() {
    let game = game();
    roll(&game, "Mira", &[8, 10], &[]);
    roll(&game, "Mira", &[1, 2], &[]);
    let lucks = game.look(|seen| {
        let rolls = seen.log().filter_map(|entry| entry.roll()?.luck);
        rolls.collect::<Vec<_>>()
    });
    // Of 80: the total 18 has one way, and is the best; 1 on a die fails whatever the total, in 17 ways.
    assert_eq!(lucks.len(), 2);
    assert_eq!(lucks[1], 994, "79 are worse and half of one is as good");
    assert!(lucks[0] < 200, "{lucks:?}");
    let luck = statistics(&game.table, &Seat::gm()).all.luck.unwrap();
    let mean = f64::from(lucks[0] + lucks[1]) / 2000.0;
    assert!((luck.mean - mean).abs() < 1e-12);
}

#[test]
fn rolls_of_before_the_session_was_opened_come_in_once() {
    let data = tempfile::tempdir().unwrap();
    let first = begin(data.path(), System::HEART_RUSH);
    run_command(&first, "add character Mira");
    run_command(&first, "add character Toll");
    for _ in 0..3 {
        run_command(&first, "roll Mira save cn=9 heart=d8 ability=d10 faces=3,4");
    }
    let lived = statistics(&first, &Seat::gm());
    first.flush(PATIENCE).unwrap();
    drop(first);

    let table = open(&data.path().join("unsaved-1"));
    assert_eq!(statistics(&table, &Seat::gm()), lived, "it is in memory");
    run_command(&table, "roll Toll save cn=9 heart=d8 ability=d10 faces=5,5");
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
    let game = game();
    roll(&game, "Mira", &[3, 4], &[]);
    roll(&game, "Mira", &[5, 6], &["*"]);
    roll(&game, "Toll", &[2, 2], &["Ann"]);
    let table = &game.table;
    let player = |name: &str| player(name, &[]);
    let gm = statistics(table, &Seat::gm());
    assert_eq!(told(&gm.each), [("Mira", 2), ("Toll", 1)]);
    let ann = statistics(table, &player("Ann"));
    assert_eq!((told(&ann.each), ann.all.rolls), (vec![("Mira", 1)], 1));
    let ben = statistics(table, &player("Ben"));
    assert_eq!(told(&ben.each), [("Mira", 1), ("Toll", 1)]);

    game.run(Command::edit(Character {
        hidden: true,
        ..game.named("Toll")
    }));
    assert_eq!(told(&statistics(table, &player("Ben")).each), [("Mira", 1)]);
}

#[test]
fn a_roll_taken_back_still_fell() {
    let game = game();
    roll(&game, "Mira", &[1, 2], &[]);
    let before = statistics(&game.table, &Seat::gm());
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(statistics(&game.table, &Seat::gm()), before);
}
