//! Clocks: what a roll is worth to them, links, races, tugs-of-war, and the end of a scene.

use std::sync::Arc;

use tableside::rules::System;
use tableside::session::{
    Attached, Clock, ClockId, ClockKind, Command, Entity, Every, Faces, Link, Segments, Subject,
    Then, Unforeseen, WhenFull,
};
use tableside::table::{Act, Seat};

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
    let mean = prospect.forecast.mean.unwrap();
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

fn save() -> Attached {
    Attached {
        fields: given(&[("heart", "d8"), ("ability", "d8"), ("cn", "9")]),
        ..Attached::new("save")
    }
}

fn tick(game: &Game, clock: ClockId, by: i32) -> String {
    let entry = game.run(Command::Tick { clock, by });
    entry.event.text(game.system)
}

fn segments(game: &Game, id: ClockId) -> (u8, u8) {
    game.table.read(&Seat::gm(), |seen| {
        let clock = seen.clock(id).unwrap().clock;
        (clock.filled, clock.segments.count())
    })
}

#[test]
fn a_clock_that_loops_starts_again_and_keeps_what_is_left_over() {
    let game = game();
    let loops = start(&game, "The patrol", 4, |clock| {
        clock.when_full = WhenFull::StartsAgain;
    });
    assert_eq!(
        tick(&game, loops, 6),
        "The patrol +6: 4 of 4, full; The patrol starts again: 2 of 4"
    );
    let grows = start(&game, "The tide", 4, |clock| {
        clock.when_full = WhenFull::Grows;
    });
    let before = game.state();
    tick(&game, grows, 4);
    assert_eq!(segments(&game, grows), (0, 5));
    // Five, then six of those to come: 4 + 5 are gone, 2 are left.
    tick(&game, grows, 7);
    assert_eq!(segments(&game, grows), (2, 6));
    game.undo();
    game.undo();
    assert_eq!(game.state(), before);
    // Full once, it advances another by one, however much was left over.
    let shrinks = start(&game, "The air", 3, |clock| {
        clock.when_full = WhenFull::Shrinks;
    });
    let end = game.clock("The end", 6);
    link(&game, shrinks, Then::Advances, end);
    tick(&game, shrinks, 3);
    assert_eq!(
        (segments(&game, shrinks), filled(&game, "The end")),
        ((0, 2), 1)
    );
    tick(&game, shrinks, 9);
    assert_eq!(
        (segments(&game, shrinks).1, filled(&game, "The end")),
        (2, 2)
    );
    let refused = edit(&game, shrinks, |clock| clock.kind = ClockKind::TugOfWar);
    assert_eq!(
        refused.unwrap_err(),
        "the clock The air: a tug-of-war ends when it is full; an effort or a countdown may start again"
    );
}

#[test]
fn a_clock_ticks_by_itself_at_rounds_scenes_and_rests() {
    let game = game();
    let tide = start(&game, "The tide", 6, |clock| {
        clock.every = [(Every::Round, 1), (Every::Scene, 2), (Every::Rest, -1)].into();
    });
    let flood = game.clock("The flood", 4);
    link(&game, tide, Then::Advances, flood);
    let before = game.state();
    let round = game.run(Command::NextRound);
    assert_eq!(
        round.event.text(game.system),
        "Round 1: The tide advances by 1: 1 of 6"
    );
    let scene = game.run(Command::NextScene {
        name: "The beach".into(),
    });
    assert_eq!(
        scene.event.text(game.system),
        "Scene: The beach; The tide advances by 2: 3 of 6"
    );
    let forecast = |game: &Game| {
        let told = game
            .table
            .read(&Seat::gm(), |seen| seen.forecast(tide).unwrap());
        told.unwrap().in_short()
    };
    assert_eq!(forecast(&game).as_deref(), Some("full in 3 rounds"));
    // Two who rest together rest once.
    let rests = ["Mira", "Bo"].map(|name| Command::Rest {
        who: game.id(name),
        rest: tableside::session::Rest::Long,
    });
    game.run(Command::together(rests.to_vec()));
    assert_eq!(filled(&game, "The tide"), 2);
    for _ in 0..4 {
        game.run(Command::NextRound);
    }
    assert_eq!(
        (filled(&game, "The tide"), filled(&game, "The flood")),
        (6, 1)
    );
    for _ in 0..7 {
        game.undo();
    }
    assert_eq!(game.state(), before);
}

#[test]
fn every_roll_of_a_check_counts_where_the_clock_says_so() {
    let game = game();
    start(&game, "The alarm", 6, |clock| {
        clock.kind = ClockKind::Countdown;
        clock.check = Some(Box::new(Attached {
            ticks: vec![("success".to_owned(), -1), ("failure".to_owned(), 2)],
            hears_all: true,
            ..Attached::new("skill")
        }));
    });
    let wall = game.clock("The wall", 4);
    climb(&game, wall, &[2, 3]);
    assert_eq!(filled(&game, "The alarm"), 2);
    climb(&game, wall, &[6, 6]);
    assert_eq!(
        (filled(&game, "The alarm"), filled(&game, "The wall")),
        (1, 1)
    );
}

#[test]
fn what_is_rolled_for_a_clock_counts_for_the_one_beside_it() {
    let game = game();
    let way = start(&game, "The way out", 3, |clock| {
        clock.check = Some(Box::new(save()));
    });
    let alarm = start(&game, "The alarm", 3, |clock| {
        clock.kind = ClockKind::Countdown;
    });
    link(&game, way, Then::Beside, alarm);
    let race = |id| {
        game.table
            .read(&Seat::gm(), |seen| seen.race_forecast(id).unwrap().unwrap())
    };
    let told = race(way);
    // Each roll fills a segment of the way out (success) or of the alarm (failure). The way out is full first with three
    // successes before three failures: after no failure, one, or two.
    let one = game.table.read(&Seat::gm(), |seen| {
        let prospect = seen.forecast(way).unwrap().unwrap();
        prospect.ticks.chance(|ticks| ticks > 0).to_f64().value()
    });
    let other = 1.0 - one;
    let first = one.powi(3) * (1.0 + 3.0 * other + 6.0 * other.powi(2));
    assert!((told.wins[0] - first).abs() < 1e-12, "{told:?}, {first}");
    assert!(
        (told.wins[0] + told.wins[1] - 1.0).abs() < 1e-12,
        "{told:?}"
    );
    let countdown = game
        .table
        .read(&Seat::gm(), |seen| seen.forecast(alarm).unwrap());
    assert!((countdown.unwrap().forecast.mean.unwrap() - 3.0 / other).abs() < 1e-9);
}

#[test]
fn a_clock_may_start_where_dice_say() {
    let game = game();
    for turn in 0..20 {
        let clock = Entity::from(Clock::new(format!("Torch {turn}"), Segments::default()));
        let clock = clock.counted("segments", "4+d4").counted("filled", "d3");
        let entry = game.run(Command::Add(clock));
        let (id, filled) = game.find_clock(&format!("Torch {turn}"));
        let (_, of) = segments(&game, id);
        assert!(
            (1..=3).contains(&filled) && (5..=8).contains(&of),
            "{filled} of {of}"
        );
        assert_eq!(
            entry.event.text(game.system),
            format!("New clock: Torch {turn}; segments 4+d4: {of}, filled d3: {filled}")
        );
    }
    let clock = Entity::from(Clock::new("No clock", Segments::default()));
    let refused = game.refused(Command::Add(clock.counted("segments", "d1000+200")));
    assert!(refused.contains("2–128"), "{refused}");
}

#[test]
fn a_roll_for_a_clock_of_the_house_asks_it_and_reading_the_roll_again_asks_anew() {
    let (game, house) = (game(), Game::new(System::HEART_RUSH));
    house.clock("The reactor", 20);
    game.table
        .join_house(Arc::new(Arc::clone(&house.table)))
        .unwrap();
    let reactor = game.find_clock("The reactor").0;
    let both = || [filled(&game, "The reactor"), filled(&house, "The reactor")];
    climb(&game, reactor, &[6, 6]);
    assert_eq!(both(), [1, 1]);
    let entry = game.table.session().entries - 1;
    let amend = Act::Amend {
        entry,
        fields: given(&[("cn", "20")]),
        faces: Faces::Rolled,
    };
    game.act(&Seat::gm(), &amend).unwrap();
    assert_eq!(both(), [0, 0]);
    game.undo();
    assert_eq!(both(), [1, 1]);
    // First what the house did, then the roll.
    game.undo();
    assert_eq!(both(), [0, 0]);
    game.undo();
    assert_eq!(both(), [0, 0]);
    assert!(game.is_struck(entry));
    // What ends a round ticks it, and what is beside another.
    let own = start(&game, "Own", 6, |clock| {
        clock.every.insert(Every::Round, 6);
    });
    link(&game, own, Then::Advances, reactor);
    game.run(Command::NextRound);
    assert_eq!(both(), [1, 1]);
    let beside = start(&game, "Beside", 6, |_| {});
    link(&game, beside, Then::Beside, reactor);
    climb(&game, beside, &[6, 6]);
    assert_eq!((filled(&game, "Beside"), both()), (1, [2, 2]));
}
