//! Clocks: what a roll is worth to them, links, races, tugs-of-war, and the end of a scene.

use tableside::rules::System;
use tableside::session::{
    Attached, Clock, ClockId, ClockKind, Command, Link, Segments, Subject, Then, Unforeseen,
};
use tableside::table::Seat;

use super::{Game, Try, given};

const CLIFF: &[(&str, &str)] = &[("cn", "12"), ("ability", "agility")];

fn game() -> Game {
    Game::with(
        System::HEART_RUSH,
        &[("Mira", &[("agility", "d10")]), ("Bo", &[])],
    )
}

fn edit(game: &Game, id: ClockId, change: impl FnOnce(&mut Clock)) -> Result<(), String> {
    let mut clock = game
        .table
        .read(&Seat::gm(), |seen| seen.clock(id).unwrap().clock.clone());
    change(&mut clock);
    let command = Command::edit(clock);
    game.act(&Seat::gm(), &command.into()).map(|_| ())
}

fn link(game: &Game, from: ClockId, then: Then, to: ClockId) {
    edit(game, from, |clock| clock.link = Some(Link { to, then })).unwrap();
}

fn start(game: &Game, name: &str, segments: u8, change: impl FnOnce(&mut Clock)) -> ClockId {
    let mut clock = Clock::new(name, Segments::try_from(i32::from(segments)).unwrap());
    change(&mut clock);
    game.run(Command::add(clock));
    game.find_clock(name).0
}

fn filled(game: &Game, name: &str) -> u8 {
    game.find_clock(name).1
}

fn climb(game: &Game, clock: ClockId, faces: &'static [i16]) {
    game.roll(&Try {
        fields: CLIFF,
        faces,
        clock: Some(clock),
        ..Try::default()
    });
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
    assert!(rolls.last().unwrap().to_f64().value() > 0.99);
    let mean = prospect.forecast.mean.as_ref().unwrap().to_f64().value();
    assert!((mean - 2.0 / one.to_f64().value()).abs() < 1e-9);
    // She leaves: the clock stays, and nobody in particular rolls.
    game.run(Command::Remove(Subject::Character(mira)));
    let who = game.table.read(&Seat::gm(), |seen| {
        seen.clock(clock).unwrap().clock.check.as_ref().unwrap().who
    });
    assert_eq!(who, None);
    game.undo();
    assert!(told(&game).is_ok());
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
    let [one, other] = told.wins.as_slice() else {
        panic!("{told:?}");
    };
    assert!((one - other).abs() < 1e-12);
    assert!((one + other + told.tie - 1.0).abs() < 1e-12);
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
