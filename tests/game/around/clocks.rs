//! Clocks: what a roll is worth to them, links, races, tugs-of-war, and the end of a scene.

use tableside::rules::System;
use tableside::session::{
    Attached, Clock, ClockId, ClockKind, Command, Link, Segments, Then, Unforeseen, Visibility,
};
use tableside::table::Seat;

use super::{Game, Try, given};

const CLIFF: &[(&str, &str)] = &[("cn", "12"), ("ability", "agility")];

fn game() -> Game {
    Game::with(
        System::HeartRush,
        &[("Mira", &[("agility", "d10")]), ("Bo", &[])],
    )
}

fn edit(game: &Game, id: ClockId, change: impl FnOnce(&mut Clock)) -> Result<(), String> {
    let mut clock = game
        .table
        .read(&Seat::gm(), |seen| seen.clock(id).unwrap().clock.clone());
    change(&mut clock);
    let command = Command::EditClock(Box::new(clock));
    game.act(&Seat::gm(), &command.into()).map(|_| ())
}

fn link(game: &Game, from: ClockId, then: Then, to: ClockId) {
    edit(game, from, |clock| clock.link = Some(Link { to, then })).unwrap();
}

fn tick(game: &Game, clock: ClockId, by: i32) {
    game.run(Command::Tick { clock, by });
}

fn start(game: &Game, name: &str, segments: u8, change: impl FnOnce(&mut Clock)) -> ClockId {
    let mut clock = Clock::new(name, Segments::try_from(segments).unwrap());
    change(&mut clock);
    game.run(Command::AddClock(Box::new(clock)));
    game.find_clock(name).0
}

fn filled(game: &Game, name: &str) -> u8 {
    game.find_clock(name).1
}

fn climb(game: &Game, clock: ClockId, faces: &'static [u8]) {
    game.roll(&Try {
        fields: CLIFF,
        faces,
        clock: Some(clock),
        ..Try::default()
    });
}

#[test]
fn a_clock_tells_all_there_is_to_know_of_it() {
    let game = game();
    let first = game.clock("The gate", 4);
    let rope = start(&game, "The rope", 6, |clock| {
        clock.kind = ClockKind::TugOfWar;
        clock.ends = Some(["ours".into(), "theirs".into()]);
    });
    link(&game, first, Then::Starts, rope);
    edit(&game, rope, |clock| clock.filled = 0).unwrap();
    let told = game.table.read(&Seat::gm(), |seen| {
        let lines = tableside::table::status("t", seen).into_iter();
        lines
            .map(|line| line.plain + &line.strong)
            .collect::<Vec<_>>()
            .join("\n")
    });
    let words = "tug-of-war, 0 of 6, between ours and theirs, waits until The gate is full.";
    assert!(told.contains(words), "{told}");
}

#[test]
fn a_roll_is_worth_what_its_clock_says() {
    let game = game();
    let effort = game.clock("Up the cliff", 6);
    climb(&game, effort, &[6, 6]);
    assert_eq!(filled(&game, "Up the cliff"), 1);
    edit(&game, effort, |clock| {
        let ticks = vec![("success".to_owned(), 3), ("failure".to_owned(), -1)];
        clock.check = Some(Box::new(Attached {
            ticks,
            ..Attached::new("skill")
        }));
    })
    .unwrap();
    climb(&game, effort, &[6, 6]);
    assert_eq!(filled(&game, "Up the cliff"), 4);
    climb(&game, effort, &[2, 3]);
    assert_eq!(filled(&game, "Up the cliff"), 3);
    // Another check than its own is worth what the rules say.
    game.roll(&Try {
        check: "save",
        fields: &[("cn", "5"), ("ability", "agility")],
        faces: &[6, 6],
        clock: Some(effort),
        ..Try::default()
    });
    assert_eq!(filled(&game, "Up the cliff"), 4);
}

#[test]
fn a_countdown_fills_on_failure_and_on_a_complication() {
    let game = game();
    let alarm = start(&game, "The alarm", 6, |clock| {
        clock.kind = ClockKind::Countdown;
    });
    climb(&game, alarm, &[6, 6]);
    assert_eq!(filled(&game, "The alarm"), 0);
    climb(&game, alarm, &[2, 3]);
    assert_eq!(filled(&game, "The alarm"), 1);
    game.roll(&Try {
        fields: CLIFF,
        faces: &[1, 8, 8],
        choose: &["complication"],
        clock: Some(alarm),
        ..Try::default()
    });
    assert_eq!(filled(&game, "The alarm"), 2);
}

#[test]
fn a_check_that_cannot_be_rolled_is_refused_at_once() {
    let game = game();
    let clock = game.clock("Up the cliff", 6);
    let attach = |attached: Attached| {
        edit(&game, clock, |clock| clock.check = Some(Box::new(attached))).unwrap_err()
    };
    assert!(attach(Attached::new("climb")).contains("heart-rush has no check \"climb\""));
    let wrong = attach(Attached {
        fields: given(&[("cn", "99")]),
        ..Attached::new("skill")
    });
    assert!(wrong.contains("cn"), "{wrong}");
    let wrong = attach(Attached {
        ticks: vec![("triumph".to_owned(), 1)],
        ..Attached::new("skill")
    });
    assert!(
        wrong.starts_with("there is no outcome \"triumph\"; skill has success,"),
        "{wrong}"
    );
    let wrong = attach(Attached {
        ticks: vec![("success".to_owned(), 10)],
        ..Attached::new("skill")
    });
    assert_eq!(wrong, "success fills −9 to 9 segments, and 10 were given");
}

#[test]
fn a_forecast_follows_the_exact_odds_of_the_check() {
    let game = game();
    let clock = game.clock("Up the cliff", 2);
    let told = |game: &Game| {
        game.table
            .read(&Seat::gm(), |seen| seen.forecast(clock).unwrap())
    };
    let missing = told(&game).unwrap_err();
    assert_eq!(missing, Unforeseen::NoCheck("Up the cliff".to_owned()));
    edit(&game, clock, |clock| {
        clock.check = Some(Box::new(Attached::new("save")));
    })
    .unwrap();
    let unready = told(&game).unwrap_err().to_string();
    assert!(
        unready.starts_with("Up the cliff is filled by save, and "),
        "{unready}"
    );
    let mira = game.id("Mira");
    edit(&game, clock, |clock| {
        clock.check = Some(Box::new(Attached {
            who: Some(mira),
            fields: given(&[("cn", "9"), ("ability", "agility")]),
            ..Attached::new("save")
        }));
    })
    .unwrap();
    let prospect = told(&game).unwrap();
    // d8 and d10 against 9: 52 of 80 with a 1 failing in any case.
    let one = prospect.ticks.chance(|ticks| ticks > 0);
    let rolls = &prospect.forecast.rolls;
    assert!(rolls[0].is_zero());
    assert_eq!(rolls[1], &one * &one);
    assert!(rolls.last().unwrap().to_f64() > 0.99);
    let mean = prospect.forecast.mean.as_ref().unwrap().to_f64();
    assert!((mean - 2.0 / one.to_f64()).abs() < 1e-9);
    // She leaves: the clock stays, and nobody in particular rolls.
    game.run(Command::RemoveCharacter(mira));
    let who = game.table.read(&Seat::gm(), |seen| {
        seen.clock(clock).unwrap().clock.check.as_ref().unwrap().who
    });
    assert_eq!(who, None);
    game.undo();
    assert!(told(&game).is_ok());
}

#[test]
fn what_is_left_over_rolls_on_from_clock_to_clock_and_is_undone_as_one() {
    let game = game();
    let (wall, court) = (game.clock("The wall", 3), game.clock("The court", 4));
    let keep = start(&game, "The keep", 4, |clock| {
        clock.visibility = Visibility::Hidden;
    });
    link(&game, wall, Then::Starts, court);
    link(&game, court, Then::Reveals, keep);
    let before = game.state();
    assert_eq!(
        game.refused(Command::Tick {
            clock: court,
            by: 1
        }),
        "The court cannot advance: it starts when The wall is full"
    );
    tick(&game, wall, 9);
    assert_eq!(
        game.last(),
        "The wall +3: 3 of 3, full; The court starts; The court advances by 4: 4 of 4, full; \
         The keep is revealed; The keep advances by 2: 2 of 4"
    );
    let shown = game.table.read(&Seat::onlooker(), |seen| {
        seen.clock(keep).map(|keep| keep.filled)
    });
    assert_eq!(shown, Some(Some(2)));
    game.undo();
    assert_eq!(game.state(), before);
    // A roll's effect levels roll on in the same way, in the roll's own event.
    edit(&game, wall, |clock| {
        clock.check = Some(Box::new(Attached {
            ticks: vec![("success".to_owned(), 5)],
            ..Attached::new("skill")
        }));
    })
    .unwrap();
    let before = game.state();
    climb(&game, wall, &[6, 6]);
    assert_eq!(
        (filled(&game, "The wall"), filled(&game, "The court")),
        (3, 2)
    );
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn a_full_clock_advances_the_other_once() {
    let game = game();
    let (alarm, doom) = (game.clock("The alarm", 2), game.clock("Doom", 6));
    link(&game, alarm, Then::Advances, doom);
    tick(&game, alarm, 2);
    assert_eq!(filled(&game, "Doom"), 1);
    tick(&game, alarm, -1);
    assert_eq!(
        filled(&game, "Doom"),
        1,
        "turning it back takes nothing back; undo does"
    );
}

#[test]
fn what_is_left_over_is_the_advance_and_no_wedge_is_filled_twice() {
    let game = game();
    let (outer, core) = (game.clock("Outer", 2), game.clock("Core", 6));
    link(&game, outer, Then::Advances, core);
    tick(&game, outer, 3);
    assert_eq!((filled(&game, "Outer"), filled(&game, "Core")), (2, 1));
    let (hall, vault) = (game.clock("Hall", 2), game.clock("Vault", 6));
    link(&game, hall, Then::Advances, vault);
    tick(&game, hall, 5);
    assert_eq!((filled(&game, "Hall"), filled(&game, "Vault")), (2, 3));
}

#[test]
fn links_do_not_go_in_a_circle() {
    let game = game();
    let (first, second) = (game.clock("One", 2), game.clock("Two", 2));
    link(&game, first, Then::Advances, second);
    let round = |from: ClockId, to: ClockId| {
        let link = Some(Link {
            to,
            then: Then::Advances,
        });
        edit(&game, from, |clock| clock.link = link).unwrap_err()
    };
    assert_eq!(
        round(second, first),
        "the clock Two: One leads back to it already; links in a circle would never end"
    );
    assert_eq!(
        round(first, first),
        "the clock One: it cannot be linked to itself"
    );
    // What goes unties what led to it, and comes back with it.
    let before = game.state();
    game.run(Command::RemoveClock(second));
    let untied = game
        .table
        .read(&Seat::gm(), |seen| seen.clock(first).unwrap().clock.link);
    assert_eq!(untied, None);
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn the_first_full_clock_wins_the_race_and_the_others_stand() {
    let game = game();
    let race = |clock: &mut Clock| {
        clock.kind = ClockKind::Race;
        clock.race = "to the docks".into();
    };
    let thieves = start(&game, "The thieves", 4, race);
    let guards = start(&game, "The guards", 4, race);
    tick(&game, guards, 3);
    tick(&game, thieves, 4);
    assert_eq!(
        game.last(),
        "The thieves +4: 4 of 4, full; it wins the race: to the docks"
    );
    assert_eq!(
        game.refused(Command::Tick {
            clock: guards,
            by: 1
        }),
        "The guards cannot advance: the race is over, and The thieves came first"
    );
    let winner = |seat: &Seat| {
        game.table.read(seat, |seen| {
            let guards = seen.clock(guards).unwrap().clock;
            seen.winner(guards).map(|clock| clock.name.clone())
        })
    };
    assert_eq!(winner(&Seat::gm()).as_deref(), Some("The thieves"));
    edit(&game, thieves, |clock| {
        clock.visibility = Visibility::Hidden;
    })
    .unwrap();
    assert_eq!(
        winner(&Seat::onlooker()),
        None,
        "who is hidden wins in secret"
    );
    game.undo();
    game.undo();
    tick(&game, guards, 1);
    assert_eq!(winner(&Seat::gm()).as_deref(), Some("The guards"));
}

#[test]
fn a_race_is_foreseen_once_all_have_a_check() {
    let game = game();
    let race = |clock: &mut Clock| {
        clock.kind = ClockKind::Race;
        clock.check = Some(Box::new(Attached {
            fields: given(&[("heart", "d8"), ("ability", "d8"), ("cn", "9")]),
            ..Attached::new("save")
        }));
    };
    let thieves = start(&game, "The thieves", 4, race);
    let alone = game
        .table
        .read(&Seat::gm(), |seen| seen.race_forecast(thieves));
    assert_eq!(alone, None);
    start(&game, "The guards", 4, race);
    let told = game.table.read(&Seat::gm(), |seen| {
        seen.race_forecast(thieves).unwrap().unwrap()
    });
    let [one, other] = told.places.as_slice() else {
        panic!("{told:?}");
    };
    assert!((one.chance - other.chance).abs() < 1e-12);
    assert!((one.chance + other.chance + told.race.tie - 1.0).abs() < 1e-12);
    start(&game, "The fire", 4, |clock| clock.kind = ClockKind::Race);
    let missing = game
        .table
        .read(&Seat::gm(), |seen| seen.race_forecast(thieves).unwrap());
    assert_eq!(
        missing.unwrap_err().to_string(),
        "no check fills The fire yet"
    );
}

#[test]
fn a_tug_of_war_starts_in_the_middle_and_goes_both_ways() {
    let game = game();
    let rope = start(&game, "The crowd", 4, |clock| {
        clock.kind = ClockKind::TugOfWar;
        clock.ends = Some(["riot".into(), "peace".into()]);
    });
    assert_eq!(filled(&game, "The crowd"), 2);
    climb(&game, rope, &[2, 3]);
    assert_eq!(filled(&game, "The crowd"), 1);
    tick(&game, rope, -1);
    assert_eq!(game.last(), "The crowd −1: 0 of 4; pulled to the end: riot");
    tick(&game, rope, 4);
    assert_eq!(
        game.last(),
        "The crowd +4: 4 of 4, full; pulled to the end: peace"
    );
}

#[test]
fn a_clock_of_the_scene_ends_with_it_and_comes_back_with_it() {
    let game = game();
    let lasting = game.clock("The war", 8);
    let passing = start(&game, "The fight", 4, |clock| clock.of_scene = true);
    link(&game, lasting, Then::Advances, passing);
    let before = game.state();
    game.run(Command::NextScene {
        name: "Later".into(),
    });
    let left = game.table.read(&Seat::gm(), |seen| {
        let clocks = seen.clocks();
        clocks
            .map(|one| (one.clock.name.clone(), one.clock.link))
            .collect::<Vec<_>>()
    });
    assert_eq!(left, [("The war".to_owned(), None)]);
    game.undo();
    assert_eq!(game.state(), before);
    game.run(Command::EndSession);
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn a_table_may_lose_what_is_left_over_when_a_clock_is_full() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    let first = start(&game, "The wall", 4, |_| {});
    let next = start(&game, "The keep", 6, |_| {});
    link(&game, first, Then::Starts, next);
    tick(&game, first, 6);
    assert_eq!(
        (filled(&game, "The wall"), filled(&game, "The keep")),
        (4, 2)
    );
    game.undo();
    game.run(Command::SetHouse {
        rule: "surplus".into(),
        value: "lost".into(),
    });
    tick(&game, first, 6);
    assert_eq!(
        (filled(&game, "The wall"), filled(&game, "The keep")),
        (4, 0)
    );
}
