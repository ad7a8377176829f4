//! Many games under one roof: clocks of the house tick in one order, and every game follows.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::session::{CharacterId, EventKind, Session, Subject};
use tableside::store::{Name, Reader};
use tableside::table::{
    Act, HouseTable, OnEdit, Opening, Request, Seat, SeatId, SeatRole, Table, verify,
};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn dice() -> Box<SystemDice> {
    Box::new(SystemDice::from_key([3; 32]))
}

/// A game in memory.
fn begin(name: &str) -> Arc<Table> {
    let session = Session::new(System::HEART_RUSH).emptied();
    Table::unsaved(name, session, Vec::new(), None, noon, dice())
}

/// A game of that house.
fn join(house: &Arc<Table>, name: &str) -> Arc<Table> {
    let table = begin(name);
    table.join_house(Arc::new(Arc::clone(house))).unwrap();
    table
}

fn try_as(table: &Arc<Table>, seat: &Seat, words: &str) -> Result<String, String> {
    let (words, wait) = (words.to_owned(), false);
    let done = table.run(seat, &Request::Say { words, wait });
    done.map(|done| done.aloud.join(" ")).map_err(|no| no.what)
}

#[track_caller]
fn say(table: &Arc<Table>, words: &str) -> String {
    try_as(table, &Seat::gm(), words).unwrap()
}

/// Every clock: its name, and how full it is.
fn clocks(table: &Table) -> Vec<String> {
    let session = table.session();
    let told = session.clocks.iter();
    told.map(|one| format!("{} {}/{}", one.name, one.filled, one.segments.count()))
        .collect()
}

/// The log, oldest first, with who did it.
fn log(table: &Table) -> Vec<String> {
    table.read(&Seat::gm(), |seen| {
        let entries = seen.log_since(1);
        let text = entries.map(|one| format!("{}: {}", one.by, one.event.text(seen.system())));
        text.collect()
    })
}

fn last(table: &Table) -> String {
    log(table).pop().unwrap()
}

fn mira() -> Seat {
    Seat {
        id: SeatId(7),
        name: "mira".to_owned(),
        role: SeatRole::Player,
        characters: vec![CharacterId(900)],
    }
}

#[test]
fn ten_tables_tick_at_once_in_one_order_and_none_is_lost() {
    let house = begin("house");
    say(&house, "add clock The reactor 100");
    say(&house, "loop The reactor");
    say(&house, "add clock The end 128");
    let tables: Vec<_> = (0..10)
        .map(|number| {
            let table = join(&house, &format!("table {number}"));
            say(&table, "add clock Doors 30");
            say(&table, "link The reactor to Doors");
            table
        })
        .collect();
    let start = house.revision();
    // The door: it has every game follow when the house moves.
    let (moved, moves) = channel();
    let watching = house.watch(Box::new(move |_| moved.send(()).unwrap_or_default()));
    thread::scope(|all| {
        let tables = &tables;
        all.spawn(move || {
            while moves.recv().is_ok() {
                for table in tables {
                    table.follow_house().unwrap();
                }
            }
        });
        let ticking = tables
            .iter()
            .map(|table| all.spawn(|| (0..100).for_each(|_| drop(say(table, "tick The reactor")))));
        let ticking: Vec<_> = ticking.collect();
        for one in ticking {
            one.join().unwrap();
        }
        drop(watching);
    });
    let ticks = |table: &Table| {
        table.read(&Seat::gm(), |seen| {
            let entries = seen.log_since(1);
            let ticked = entries.filter(|one| matches!(one.event.what, EventKind::Ticked { .. }));
            ticked.map(|one| one.event.what.clone()).collect::<Vec<_>>()
        })
    };
    let order = ticks(&house);
    assert_eq!(order.len(), 1_000);
    let filled = order.iter().map(|what| match what {
        EventKind::Ticked { filled, .. } => *filled,
        _ => unreachable!(),
    });
    let due = (1..=1_000_u32).map(|count| u8::try_from((count - 1) % 100 + 1).unwrap());
    assert!(filled.eq(due));
    for table in &tables {
        table.follow_house().unwrap();
        assert_eq!(
            clocks(table),
            ["The reactor 0/100", "The end 0/128", "Doors 10/30"]
        );
        assert_eq!(ticks(table).len(), 1_000);
    }
    assert_eq!(house.revision(), start + 1_000);
    // The last 101 of them hold one filling of the clock.
    house.submit(&Seat::gm(), &Act::UndoSeveral(101)).unwrap();
    for table in &tables {
        table.follow_house().unwrap();
        assert_eq!(
            clocks(table),
            ["The reactor 99/100", "The end 0/128", "Doors 8/30"]
        );
    }
}

#[test]
fn a_tick_is_told_at_every_table_with_who_did_it_where() {
    let house = begin("house");
    say(&house, "add clock The reactor 4");
    let (friday, monday) = (join(&house, "friday"), join(&house, "monday"));
    assert_eq!(
        last(&friday),
        "the house: The house: the clock The reactor is new"
    );
    say(&monday, "add clock Doors 3");
    say(&monday, "link The reactor to Doors");
    assert_eq!(
        say(&friday, "tick The reactor 3"),
        "The reactor advances by 3: 3 of 4."
    );
    monday.follow_house().unwrap();
    monday.follow_house().unwrap();
    assert_eq!(last(&friday), "gm: The reactor +3: 3 of 4");
    assert_eq!(
        last(&house),
        "gm at friday: The reactor +3: 3 of 4 (gm at friday)"
    );
    assert_eq!(last(&monday), last(&house));
    say(&house, "tick The reactor");
    monday.follow_house().unwrap();
    assert_eq!(
        last(&monday),
        "gm at the house: The reactor +1: 4 of 4, full; Doors advances by 1: 1 of 3 (gm at the house)"
    );
    // Friday has not followed yet, and its tick comes late.
    let late = try_as(&friday, &Seat::gm(), "tick The reactor");
    assert_eq!(late.unwrap_err(), "The reactor is full already (4 of 4)");
}

#[test]
fn what_is_the_houses_is_changed_there_and_followed() {
    let house = begin("house");
    say(&house, "add clock The reactor 4");
    let friday = join(&house, "friday");
    say(&friday, "add clock Own 4");
    for words in [
        "segments of The reactor 6",
        "hide The reactor",
        "remove The reactor",
        "rename The reactor to Core",
        "add clocks The reactor: 3/4",
        "loop The reactor",
        "every round tick The reactor by 1",
    ] {
        assert_eq!(
            try_as(&friday, &Seat::gm(), words).unwrap_err(),
            "The reactor is the house's clock; change it with `tableside do --house`, and every table follows",
            "{words}"
        );
    }
    let starts = try_as(&friday, &Seat::gm(), "link Own to The reactor starts");
    assert_eq!(
        starts.unwrap_err(),
        "the clock Own: The reactor is the house's, and no table starts it; link it so that it advances it, or beside it"
    );
    say(&friday, "attach The reactor skill cn=12");
    say(&house, "rename The reactor to Core");
    say(&house, "segments of Core 6");
    say(&house, "add clock Own 8");
    friday.follow_house().unwrap();
    assert_eq!(clocks(&friday), ["Core 0/6", "Own 0/4", "Own 2 0/8"]);
    let copy = friday.session().clocks[0].clone();
    assert!(copy.check.is_some() && copy.follows.is_some());
    // A copy of a copy is nobody's but this table's.
    say(&friday, "duplicate Core");
    // That is its name, and no number of segments.
    say(&friday, "tick Core 2");
    assert_eq!(
        clocks(&house),
        ["The reactor 0/6", "Own 0/8"].map(|one| one.replace("The reactor", "Core"))
    );
    assert_eq!(clocks(&friday)[3], "Core 2 1/6");
    say(&house, "hide Core");
    friday.follow_house().unwrap();
    assert_eq!(clocks(&friday), ["Own 0/4", "Own 2 0/8", "Core 2 1/6"]);
}

#[test]
fn links_rolls_and_several_at_once_ask_the_house() {
    let house = begin("house");
    say(&house, "add clock The reactor 20");
    let (friday, monday) = (join(&house, "friday"), join(&house, "monday"));
    say(&friday, "add clock Bridge 2");
    say(&friday, "link Bridge to The reactor");
    say(&friday, "tick Bridge 5");
    assert_eq!(clocks(&friday), ["The reactor 3/20", "Bridge 2/2"]);
    assert_eq!(
        log(&friday)[3..],
        [
            "gm: Bridge +2: 2 of 2, full; The reactor +3 is asked of the house",
            "gm: The reactor +3: 3 of 20"
        ]
    );
    assert!(friday.session().asked.is_empty());
    // Both go back, one after the other.
    say(&friday, "undo");
    assert_eq!(clocks(&friday), ["The reactor 0/20", "Bridge 2/2"]);
    assert_eq!(clocks(&house), ["The reactor 0/20"]);
    say(&friday, "redo");
    assert_eq!(clocks(&house), ["The reactor 3/20"]);
    say(&friday, "undo");
    say(&friday, "undo");
    assert_eq!(clocks(&friday), ["The reactor 0/20", "Bridge 0/2"]);
    // Struck whole: the house takes back what came of it.
    say(&friday, "tick Bridge 5");
    let cause = friday.session().entries - 1;
    say(&friday, &format!("strike #{cause}"));
    assert_eq!(clocks(&friday), ["The reactor 0/20", "Bridge 0/2"]);
    assert_eq!(clocks(&house), ["The reactor 0/20"]);
    let both = friday
        .session()
        .clocks
        .iter()
        .map(|one| tableside::session::Command::Tick {
            clock: one.id,
            by: 1,
        })
        .collect();
    friday
        .submit(&Seat::gm(), &tableside::session::Command::All(both).into())
        .unwrap();
    monday.follow_house().unwrap();
    assert_eq!(clocks(&friday), ["The reactor 1/20", "Bridge 1/2"]);
    assert_eq!(clocks(&monday), clocks(&house));
}

#[test]
fn a_clock_of_the_house_that_goes_round_as_a_whole_acts_once_at_every_table() {
    let house = begin("house");
    say(&house, "add clock The reactor 4");
    say(&house, "loop The reactor");
    let tables = ["friday", "monday", "sunday"].map(|name| join(&house, name));
    let [friday, monday, sunday] = &tables;
    for table in [friday, monday] {
        say(table, "add clock Doors 9");
        say(table, "link The reactor to Doors");
    }
    assert_eq!(
        say(friday, "tick The reactor 4"),
        "The reactor advances by 4: 4 of 4, full; The reactor starts again: 0 of 4; Doors advances by 1: 1 of 9."
    );
    // Twice round is one act, too, as with a clock of the table's own.
    say(friday, "tick The reactor 8");
    monday.follow_house().unwrap();
    for table in [friday, monday] {
        assert_eq!(clocks(table), ["The reactor 0/4", "Doors 2/9"]);
    }
    say(friday, "undo");
    monday.follow_house().unwrap();
    assert_eq!(clocks(monday)[1], "Doors 1/9");
    // At tables that were closed meanwhile, also where it leads to nothing, and once.
    say(&house, "tick The reactor 4");
    say(&house, "tick The reactor 4");
    for table in [monday, sunday, sunday] {
        table.join_house(Arc::new(Arc::clone(&house))).unwrap();
    }
    assert_eq!(
        [last(monday), last(sunday)],
        [
            "the house: The house: the clock The reactor 0 to 0 of 4; the clock Doors 1 to 3 of 9",
            "the house: The house: the clock The reactor 0 to 0 of 4"
        ]
    );
    assert_eq!(log(sunday).len(), 2);
    say(sunday, "add clock Doors 9");
    say(sunday, "link The reactor to Doors");
    say(sunday, "tick The reactor");
    assert_eq!(clocks(sunday), ["The reactor 1/4", "Doors 0/9"]);
}

#[test]
fn a_player_takes_back_only_the_own_ticks_and_a_gm_those_of_the_table() {
    let house = begin("house");
    say(&house, "add clock The reactor 20");
    let (friday, monday) = (join(&house, "friday"), join(&house, "monday"));
    say(&monday, "add clock Doors 9");
    friday.allow(tableside::table::Allowed {
        table_clocks: true,
        ..Default::default()
    });
    let mira = mira();
    try_as(&friday, &mira, "tick The reactor 2").unwrap();
    say(&friday, "tick The reactor 3");
    say(&monday, "tick The reactor 4");
    friday.follow_house().unwrap();
    // Everybody reads where the clock was ticked.
    let read = friday.read(&mira, |seen| {
        let texts = seen.log().map(|one| one.event.text(seen.system()));
        texts.collect::<Vec<_>>()
    });
    assert_eq!(
        read,
        [
            "The reactor +4: 9 of 20 (gm at monday)",
            "The reactor +2: 2 of 20"
        ]
    );
    try_as(&friday, &mira, "undo").unwrap();
    assert_eq!(clocks(&house), ["The reactor 7/20"]);
    assert!(try_as(&friday, &mira, "undo").is_err());
    try_as(&friday, &mira, "redo").unwrap();
    assert_eq!(clocks(&house), ["The reactor 9/20"]);
    say(&friday, "undo");
    say(&friday, "undo");
    assert_eq!(clocks(&house), ["The reactor 4/20"]);
    assert!(try_as(&friday, &Seat::gm(), "undo").is_err());
    // Another table's, by its number.
    let theirs = friday.read(&Seat::gm(), |seen| {
        let mut log = seen.log();
        log.find(|one| one.by == "gm at monday").unwrap().number
    });
    say(&friday, &format!("strike #{theirs}"));
    monday.follow_house().unwrap();
    for table in [&house, &friday, &monday] {
        assert_eq!(clocks(table)[0], "The reactor 0/20");
    }
}

#[test]
fn where_what_followed_cannot_be_taken_back_the_clock_still_stands_as_in_the_house() {
    let house = begin("house");
    say(&house, "add clock The reactor 4");
    let friday = join(&house, "friday");
    say(&friday, "add clock Doors 4 hidden");
    say(&friday, "link The reactor to Doors reveals");
    say(&friday, "tick The reactor 4");
    let shown = friday.session().clocks[1].visibility;
    say(&friday, "known Doors");
    say(&house, "undo");
    friday.follow_house().unwrap();
    assert_eq!(clocks(&friday), ["The reactor 0/4", "Doors 0/4"]);
    assert_ne!(friday.session().clocks[1].visibility, shown);
    assert_eq!(
        last(&friday),
        "gm at the house: Took back #4: The reactor +4: 4 of 4, full; Doors is revealed; what followed stays, for it was changed since (gm at the house)"
    );
    assert!(try_as(&friday, &Seat::gm(), "strike #4").is_err());
    // It stands in nobody's way: what was done here before is next.
    say(&friday, "undo");
    assert_eq!(last(&friday), "gm: Took back #5: Doors: known");
    say(&friday, "undo");
    assert!(
        last(&friday).starts_with("gm: Took back #3"),
        "{}",
        last(&friday)
    );
}

fn open(folder: &Path) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: dice(),
        view: false,
        on_edit: OnEdit::Ask,
    };
    Table::open(folder, opening).unwrap().0
}

#[test]
fn a_closed_game_follows_in_one_event_when_it_is_opened() {
    let data = tempfile::tempdir().unwrap();
    let house = begin("house");
    say(&house, "add clock The reactor 10");
    say(&house, "loop The reactor");
    say(&house, "add clock Secret 4 hidden");
    let friday = join(&house, "friday");
    let name = Name::new("friday", &[]).unwrap();
    friday.rename(&data.path().into(), &name).unwrap();
    say(&friday, "add clock Doors 9");
    say(&friday, "link The reactor to Doors");
    say(&friday, "tick The reactor 2");
    say(&friday, "tick The reactor");
    friday.flush(Duration::from_mins(1)).unwrap();
    drop(friday);
    let other = join(&house, "monday");
    for _ in 0..25 {
        say(&other, "tick The reactor");
    }
    // This and what it filled never was; what friday knew is taken back by itself.
    say(&other, "tick The reactor 2");
    say(&other, "undo");
    say(&house, "tick Secret 3");
    let ours = house.read(&Seat::gm(), |seen| {
        let mut log = seen.log_since(1);
        log.find(|one| one.by == "gm at friday").unwrap().number
    });
    say(&house, &format!("strike #{ours}"));
    for _ in 0..2 {
        let friday = open(&data.path().join("friday"));
        friday.join_house(Arc::new(Arc::clone(&house))).unwrap();
        assert_eq!(clocks(&friday), ["The reactor 6/10", "Doors 2/9"]);
        assert_eq!(
            log(&friday)[5..],
            [
                "the house: The house: the clock The reactor 3 to 8 of 10; the clock Doors 0 to 2 of 9",
                "gm at the house: Took back #4: The reactor +2: 2 of 10 (gm at the house)"
            ]
        );
        friday.flush(Duration::from_mins(1)).unwrap();
        let secrets = |change: &tableside::session::Change| change.of == Subject::HouseLog;
        friday.read(&Seat::gm(), |seen| {
            let mut log = seen.log_since(6);
            assert!(log.all(|one| one.event.changes.iter().any(secrets)));
        });
    }
    let reader = Reader::new(&data.path().join("friday"));
    assert!(
        verify(&reader, System::HEART_RUSH)
            .unwrap()
            .wrong
            .is_empty()
    );
}

#[test]
fn hidden_clocks_of_the_house_come_to_no_table_and_known_ones_without_their_count() {
    let house = begin("house");
    say(&house, "add clock The reactor 10 known");
    say(&house, "add clock Traitor 10 hidden");
    let friday = join(&house, "friday");
    say(&house, "tick The reactor 4");
    say(&house, "tick Traitor 4");
    let both = house
        .session()
        .clocks
        .iter()
        .map(|one| tableside::session::Command::Tick {
            clock: one.id,
            by: 1,
        })
        .collect();
    house
        .submit(&Seat::gm(), &tableside::session::Command::All(both).into())
        .unwrap();
    friday.follow_house().unwrap();
    assert_eq!(clocks(&friday), ["The reactor 5/10"]);
    let all = log(&friday).join("\n");
    assert!(!all.contains("Traitor"), "{all}");
    friday.read(&mira(), |seen| {
        assert_eq!(seen.clocks().next().unwrap().filled, None);
        assert_eq!(seen.log().count(), 0);
    });
    say(&house, "reveal Traitor");
    friday.follow_house().unwrap();
    assert_eq!(clocks(&friday), ["The reactor 5/10", "Traitor 5/10"]);
}

/// A house that cannot be reached for a while.
struct Away;

impl HouseTable for Away {
    fn ask(&self, _: &tableside::table::GameRequest) -> Result<u64, tableside::table::Problem> {
        let away = tableside::table::RequestError::failed("away");
        Err(tableside::table::Problem::House(away))
    }

    fn news(&self, _: u64) -> Result<tableside::table::HouseNews, tableside::table::Problem> {
        let away = tableside::table::RequestError::failed("away");
        Err(tableside::table::Problem::House(away))
    }
}

#[test]
fn what_the_house_could_not_be_asked_is_asked_later_and_once() {
    let house = begin("house");
    say(&house, "add clock The reactor 20");
    let friday = join(&house, "friday");
    say(&friday, "add clock Bridge 2");
    say(&friday, "link Bridge to The reactor");
    assert!(friday.join_house(Arc::new(Away)).is_err());
    say(&friday, "tick Bridge 3");
    assert_eq!(friday.session().asked.len(), 1);
    assert_eq!(
        try_as(&friday, &Seat::gm(), "tick The reactor").unwrap_err(),
        "away"
    );
    assert_eq!(clocks(&friday), ["The reactor 0/20", "Bridge 2/2"]);
    for _ in 0..2 {
        friday.join_house(Arc::new(Arc::clone(&house))).unwrap();
    }
    assert_eq!(clocks(&house), ["The reactor 1/20"]);
    assert!(friday.session().asked.is_empty());
    say(&house, "fill The reactor");
    // It comes too late, and is given up.
    say(&friday, "empty Bridge");
    say(&friday, "tick Bridge 2");
    assert_eq!(clocks(&friday), ["The reactor 20/20", "Bridge 2/2"]);
    assert!(friday.session().asked.is_empty());
}

#[test]
fn a_house_does_once_what_two_processes_of_a_game_ask() {
    use tableside::session::{AskId, AtGame, ClockId, HouseAct};
    let house = begin("house");
    say(&house, "add clock The reactor 20");
    let asked = tableside::table::GameRequest {
        at: AtGame {
            name: "gm".to_owned(),
            game: "friday".to_owned(),
            ask: Some(AskId(5)),
        },
        seat: SeatId::HOST,
        act: HouseAct::Tick {
            clock: house
                .session()
                .clocks
                .first()
                .map_or(ClockId(0), |one| one.id),
            by: 1,
        },
    };
    house.ask(&asked).unwrap();
    assert!(house.ask(&asked).is_err());
    assert_eq!(clocks(&house), ["The reactor 1/20"]);
}
