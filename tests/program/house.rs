//! `do --house`: clocks that stand in every game of a data folder.

use std::sync::Arc;

use crate::machine::Machine;
use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::table::{OnEdit, Opening, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// Opens the game or the house, and answers every caller.
fn open(machine: &Machine, name: &str) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    let (table, _) = Table::open(&machine.data().join(name), opening).unwrap();
    table.accept_requests();
    table
}

#[track_caller]
fn says(machine: &Machine, words: &str, due: &str) {
    let ran = machine.run(words);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (0, due, ""),
        "{words}"
    );
}

#[test]
fn a_clock_of_the_house_stands_in_every_game_and_ticks_from_each() {
    let machine = Machine::with_demo();
    machine.run("new monday --system gnosis");
    let none = machine.run("status --house");
    assert_eq!(
        (none.code, none.err.as_str()),
        (
            1,
            "there is no house yet\nhint: `tableside do --house add clock NAME SIZE` makes it\n"
        )
    );
    says(
        &machine,
        "do --house add clock The reactor 40",
        "New clock: The reactor.\n",
    );
    says(
        &machine,
        "do demo tick The reactor 2",
        "The reactor advances by 2: 2 of 40.\n",
    );
    says(
        &machine,
        "do --house tick reactor",
        "The reactor advances by 1: 3 of 40.\n",
    );
    says(
        &machine,
        "do monday tick reactor",
        "The reactor advances by 1: 4 of 40.\n",
    );
    says(
        &machine,
        "do monday undo",
        "Took back entry 2: The reactor advances by 1: 4 of 40.\n",
    );
    let house = machine.run("log --house");
    let lines = house.out.lines().skip(1);
    let log: Vec<String> = lines.map(|line| line.chars().skip(14).collect()).collect();
    assert_eq!(
        log,
        [
            "New clock: The reactor",
            "The reactor +2: 2 of 40 (gm at demo)",
            "The reactor +1: 3 of 40",
            "The reactor +1: 4 of 40 (gm at monday)  (struck)",
            "Took back #4: The reactor +1: 4 of 40 (gm at monday) (gm at monday)",
        ]
    );
    let status = machine.run("status --house --json");
    assert!(status.out.contains("\"filled\": 3"), "{}", status.out);
    assert!(machine.run("status --house").out.starts_with("house"));
    // What was done elsewhere comes with the next thing that is done here.
    machine.run("do demo note next");
    let status = machine.run("status demo --json");
    assert!(status.out.contains("\"house\": true"), "{}", status.out);
    let listed = machine.run("sessions --names");
    assert!(!listed.out.contains("house"), "{}", listed.out);
    for name in ["demo", "monday"] {
        assert_eq!(machine.run(&format!("verify {name}")).code, 0);
    }
    for words in [
        "status .house",
        "log .house",
        "do .house undo",
        ".house",
        "new .house --system gnosis",
        "invite .house mira",
        "export .house to.tableside",
    ] {
        let refused = machine.run(words);
        assert_eq!(refused.code, 2, "{words}: {refused:?}");
        assert!(refused.err.contains("it begins with `.`"), "{refused:?}");
    }
    assert_eq!(machine.run("status").code, 2);
    assert_eq!(machine.run("status demo --house").code, 2);
}

#[test]
fn a_house_that_is_open_in_another_program_takes_what_games_ask() {
    let machine = Machine::with_demo();
    says(
        &machine,
        "do --house add clock The reactor 40",
        "New clock: The reactor.\n",
    );
    let house = open(&machine, ".house");
    says(
        &machine,
        "do --house tick reactor",
        "The reactor advances by 1: 1 of 40.\n",
    );
    says(
        &machine,
        "do demo tick reactor 4",
        "The reactor advances by 4: 5 of 40.\n",
    );
    assert_eq!(house.session().clocks[0].filled, 5);
    machine.run("do demo add clock Bridge 2");
    machine.run("do demo link Bridge to The reactor");
    machine.run("do demo tick Bridge 2");
    assert_eq!(house.session().clocks[0].filled, 6);
    let refused = machine.run("do demo segments of The reactor 10");
    assert_eq!(
        refused.err,
        "The reactor is the house's clock; change it with `tableside do --house`, and every table follows\n"
    );
    assert_eq!(machine.run("verify demo").code, 0);
}
