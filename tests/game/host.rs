//! Many games under one roof: clocks of the host tick in one order, and every game follows.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tableside::game::{
    Change, Command, EntityRef, EventKind, Game, GameActor, HostAction, HostRequestId,
};
use tableside::rules::System;
use tableside::store::{Name, Reader};
use tableside::table::{
    Act, GameRequest, HostChanges, HostTable, Problem, RequestError, Seat, SeatId, Table, verify,
};

use super::around::TestGame;
use super::opened::open;
use super::played::run_command;

/// A game in memory.
fn begin(name: &str) -> Arc<Table> {
    let game = Game::new(System::HEART_RUSH).emptied();
    TestGame::begin(name, game).table
}

/// A game of that host.
fn join(host: &Arc<Table>, name: &str) -> Arc<Table> {
    let table = begin(name);
    table.join_host(Arc::new(Arc::clone(host))).unwrap();
    table
}

/// Every clock: its name, and how full it is.
pub(super) fn clocks(table: &Table) -> Vec<String> {
    let game = table.game();
    let told = game.clocks.iter();
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

#[test]
fn ten_tables_tick_at_once_in_one_order_and_none_is_lost() {
    let host = begin("host");
    run_command(&host, "add clock The reactor 100");
    run_command(&host, "loop The reactor");
    run_command(&host, "add clock The end 128");
    let tables: Vec<_> = (0..10)
        .map(|number| {
            let table = join(&host, &format!("table {number}"));
            run_command(&table, "add clock Doors 30");
            run_command(&table, "link The reactor to Doors");
            table
        })
        .collect();
    let start = host.revision();
    // The door: it has every game follow when the host moves.
    let (moved, moves) = channel();
    let watching = host.watch(Box::new(move |_| moved.send(()).unwrap_or_default()));
    thread::scope(|all| {
        let tables = &tables;
        all.spawn(move || {
            while moves.recv().is_ok() {
                for table in tables {
                    table.follow_host().unwrap();
                }
            }
        });
        let ticking = tables.iter().map(|table| {
            all.spawn(|| {
                for _ in 0..100 {
                    run_command(table, "tick The reactor");
                }
            })
        });
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
    let order = ticks(&host);
    assert_eq!(order.len(), 1_000);
    let filled = order.iter().map(|what| match what {
        EventKind::Ticked { filled, .. } => *filled,
        _ => unreachable!(),
    });
    let due = (1..=1_000_u32).map(|count| u8::try_from((count - 1) % 100 + 1).unwrap());
    assert!(filled.eq(due));
    for table in &tables {
        table.follow_host().unwrap();
        assert_eq!(
            clocks(table),
            ["The reactor 0/100", "The end 0/128", "Doors 10/30"]
        );
        assert_eq!(ticks(table).len(), 1_000);
    }
    assert_eq!(host.revision(), start + 1_000);
    // The last 101 of them hold one filling of the clock.
    host.submit(&Seat::gm(), &Act::UndoSeveral(101)).unwrap();
    for table in &tables {
        table.follow_host().unwrap();
        assert_eq!(
            clocks(table),
            ["The reactor 99/100", "The end 0/128", "Doors 8/30"]
        );
    }
}

#[test]
fn a_clock_of_the_host_that_goes_round_and_further_fills_what_it_leads_to() {
    let host = begin("host");
    run_command(&host, "add clock Wheel 2");
    run_command(&host, "loop Wheel");
    run_command(&host, "every round tick Wheel by 3");
    let game = join(&host, "friday");
    run_command(&game, "add clock Doors 9");
    run_command(&game, "link Wheel to Doors");
    run_command(&host, "next round");
    game.follow_host().unwrap();
    assert_eq!(clocks(&game), ["Wheel 1/2", "Doors 1/9"]);
}

#[test]
fn what_is_linked_to_a_clock_of_the_host_stays_so_while_players_do_not_see_it() {
    let host = begin("host");
    run_command(&host, "add clock The reactor 10");
    let game = join(&host, "friday");
    run_command(&game, "add clock Leak 2");
    run_command(&game, "link Leak to The reactor");
    run_command(&host, "hide The reactor");
    game.follow_host().unwrap();
    run_command(&game, "every scene tick Leak by 2");
    run_command(&game, "next scene The hall");
    assert_eq!(clocks(&host), ["The reactor 1/10"]);
    let read = |seat: &Seat| {
        game.read(seat, |seen| {
            let entry = seen.log().next().unwrap();
            entry.event.text(seen.system())
        })
    };
    assert_eq!(
        read(&Seat::onlooker()),
        "Scene: The hall; Leak advances by 2: 2 of 2, full"
    );
    run_command(&game, "empty Leak");
    // Several at once, as when they are marked: the host is asked once.
    let copy = game.game().clocks.iter().find_map(|one| {
        let is_copy = one.name == "The reactor";
        is_copy.then_some(one.id)
    });
    let tick = Command::Tick {
        clock: copy.unwrap(),
        by: 1,
    };
    game.submit(&Seat::gm(), &Command::All(vec![tick]).into())
        .unwrap();
    assert_eq!(clocks(&host), ["The reactor 2/10"]);
    run_command(&host, "show The reactor");
    game.follow_host().unwrap();
    run_command(&game, "fill Leak");
    assert_eq!(clocks(&host), ["The reactor 3/10"]);
    // It is said once at which table.
    run_command(&game, "undo");
    assert_eq!(log(&host).last().unwrap().matches("at friday)").count(), 1);
}

#[test]
fn a_closed_game_follows_in_one_event_when_it_is_opened() {
    let data = tempfile::tempdir().unwrap();
    let host = begin("host");
    run_command(&host, "add clock The reactor 10");
    run_command(&host, "loop The reactor");
    run_command(&host, "add clock Secret 4 hidden");
    let friday = join(&host, "friday");
    let name = Name::new("friday", &[]).unwrap();
    friday.rename(&data.path().into(), &name).unwrap();
    run_command(&friday, "add clock Doors 9");
    run_command(&friday, "link The reactor to Doors");
    run_command(&friday, "tick The reactor 2");
    run_command(&friday, "tick The reactor");
    friday.flush(Duration::from_mins(1)).unwrap();
    drop(friday);
    let other = join(&host, "monday");
    for _ in 0..25 {
        run_command(&other, "tick The reactor");
    }
    // This and what it filled never was; what friday knew is taken back by itself.
    run_command(&other, "tick The reactor 2");
    run_command(&other, "undo");
    run_command(&host, "tick Secret 3");
    let ours = host.read(&Seat::gm(), |seen| {
        let mut log = seen.log_since(1);
        log.find(|one| one.by == "gm at friday").unwrap().number
    });
    run_command(&host, &format!("undo #{ours}"));
    for _ in 0..2 {
        let friday = open(&data.path().join("friday"));
        friday.join_host(Arc::new(Arc::clone(&host))).unwrap();
        assert_eq!(clocks(&friday), ["The reactor 6/10", "Doors 2/9"]);
        assert_eq!(
            log(&friday)[5..],
            [
                "the host: The host: the clock The reactor: 3 to 8 of 10; the clock The reactor: starts again; the clock Doors: 0 to 2 of 9",
                "gm at the host: Undid #4: The reactor +2: 2 of 10 (gm at the host)"
            ]
        );
        friday.flush(Duration::from_mins(1)).unwrap();
        let secrets = |change: &Change| change.entity == EntityRef::HostLog;
        friday.read(&Seat::gm(), |seen| {
            let mut log = seen.log_since(6);
            assert!(log.all(|one| one.event.changes.iter().any(secrets)));
        });
    }
    let reader = Reader::new(&data.path().join("friday"));
    let verified = verify(&reader, System::HEART_RUSH).unwrap();
    assert_eq!(verified.wrong, []);
}

/// A host that cannot be reached for a while.
struct Away;

impl HostTable for Away {
    fn perform(&self, _: &GameRequest) -> Result<u64, Problem> {
        let away = RequestError::failed("away");
        Err(Problem::HostUnreachable(away))
    }

    fn changes_since(&self, _: u64) -> Result<HostChanges, Problem> {
        let away = RequestError::failed("away");
        Err(Problem::HostUnreachable(away))
    }
}

#[test]
fn what_the_host_could_not_be_asked_is_asked_later_and_once() {
    let host = begin("host");
    run_command(&host, "add clock The reactor 20");
    let friday = join(&host, "friday");
    run_command(&friday, "add clock Bridge 2");
    run_command(&friday, "link Bridge to The reactor");
    assert!(friday.join_host(Arc::new(Away)).is_err());
    run_command(&friday, "tick Bridge 3");
    assert_eq!(friday.game().host_requests.len(), 1);
    let ticks = |table: &Table| -> Vec<Command> {
        let game = table.game();
        let clocks = game.clocks.iter().map(|one| one.id);
        clocks.map(|clock| Command::Tick { clock, by: 1 }).collect()
    };
    let refused = friday.submit(&Seat::gm(), &ticks(&friday).remove(0).into());
    assert_eq!(refused.unwrap_err().to_string(), "away");
    assert_eq!(clocks(&friday), ["The reactor 0/20", "Bridge 2/2"]);
    for _ in 0..2 {
        friday.join_host(Arc::new(Arc::clone(&host))).unwrap();
    }
    assert_eq!(clocks(&host), ["The reactor 1/20"]);
    assert!(friday.game().host_requests.is_empty());
    // Several at once, in the host and at a table, where one of them is the host's.
    run_command(&friday, "empty Bridge");
    for table in [&host, &friday] {
        let both = Command::All(ticks(table));
        table.submit(&Seat::gm(), &both.into()).unwrap();
    }
    assert_eq!(clocks(&friday), ["The reactor 3/20", "Bridge 1/2"]);
    run_command(&host, "fill The reactor");
    // It comes too late, and is given up.
    run_command(&friday, "empty Bridge");
    run_command(&friday, "tick Bridge 2");
    assert_eq!(clocks(&friday), ["The reactor 20/20", "Bridge 2/2"]);
    assert!(friday.game().host_requests.is_empty());
}

#[test]
fn a_host_does_once_what_two_processes_of_a_game_ask() {
    let host = begin("host");
    run_command(&host, "add clock The reactor 20");
    let asked = GameRequest {
        actor: GameActor {
            name: "gm".to_owned(),
            game: "friday".to_owned(),
            request: Some(HostRequestId(5)),
        },
        seat: SeatId::HOST,
        action: HostAction::Tick {
            clock: host.game().clocks[0].id,
            by: 1,
        },
    };
    host.perform(&asked).unwrap();
    assert!(host.perform(&asked).is_err());
    assert_eq!(clocks(&host), ["The reactor 1/20"]);
}
