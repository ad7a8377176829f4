//! Scenes that are prepared, brought and revealed.

use tableside::rules::System;
use tableside::session::{
    Attached, Clock, ClockKind, Command, Link, PrepareCommand, PreparedId, Segments, Subject, Then,
};
use tableside::table::Seat;

use super::{Game, player};

fn game() -> Game {
    let game = Game::with(
        System::HEART_RUSH,
        &[("Mira", &[]), ("Goblin", &[]), ("Shaman", &[])],
    );
    let shaman = game.id("Shaman");
    for (name, owner) in [
        ("The fire", None),
        ("The horn", None),
        ("The chant", Some(shaman)),
    ] {
        let mut clock = Clock::new(name, Segments::try_from(4).unwrap());
        clock.owner = owner;
        clock.of_scene = true;
        clock.check = Some(Box::new(Attached {
            who: Some(shaman),
            ..Attached::new("skill")
        }));
        game.run(Command::add(clock));
    }
    let (fire, horn) = (game.find_clock("The fire").0, game.find_clock("The horn").0);
    let mut clock = game
        .table
        .read(&Seat::gm(), |seen| seen.clock(fire).unwrap().clock.clone());
    clock.link = Some(Link {
        to: horn,
        then: Then::Starts,
    });
    game.run(Command::edit(clock));
    game
}

fn keep(game: &Game, put_away: bool) -> PreparedId {
    game.run(Command::PrepareScene(PrepareCommand {
        name: "The ambush".into(),
        notes: "At dusk.".into(),
        characters: vec![game.id("Goblin"), game.id("Shaman")],
        clocks: vec![game.find_clock("The fire").0, game.find_clock("The horn").0],
        put_away,
    }));
    game.table
        .read(&Seat::gm(), |seen| seen.prepared().last().unwrap().id)
}

fn names(game: &Game, seat: &Seat) -> Vec<String> {
    game.table.read(seat, |seen| {
        let people = seen.roster().map(|one| one.name.clone());
        people
            .chain(seen.clocks().map(|one| one.clock.name.clone()))
            .collect()
    })
}

#[test]
fn a_scene_is_put_away_and_brought_hidden_as_one_act() {
    let game = game();
    let before = game.state();
    let scene = keep(&game, true);
    assert_eq!(names(&game, &Seat::gm()), ["Mira"]);
    let away = game.state();
    game.run(Command::BringScene(scene));
    assert_eq!(
        game.last(),
        "The ambush: brought Goblin, Shaman, The fire, The horn, The chant"
    );
    assert_eq!(
        names(&game, &Seat::gm()),
        [
            "Mira",
            "Goblin",
            "Shaman",
            "The fire",
            "The horn",
            "The chant"
        ]
    );
    let mira = player("mira", &[game.id("Mira")]);
    assert_eq!(names(&game, &mira), ["Mira"]);
    // What belonged together does so again.
    let shaman = game.id("Shaman");
    game.table.read(&Seat::gm(), |seen| {
        let clock = |name: &str| {
            let mut clocks = seen.clocks();
            clocks.find(|one| one.clock.name == name).unwrap().clock
        };
        assert_eq!(
            clock("The fire").link.map(|link| link.to),
            Some(clock("The horn").id)
        );
        assert_eq!(clock("The chant").owner, Some(shaman));
        assert_eq!(clock("The fire").check.as_ref().unwrap().who, Some(shaman));
        assert!(seen.pools_of(Some(shaman)).next().is_some());
    });
    game.undo();
    assert_eq!(game.state(), away);
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn players_do_not_learn_what_is_prepared() {
    let game = game();
    let scene = keep(&game, true);
    let mira = player("mira", &[game.id("Mira")]);
    assert_eq!(game.table.read(&mira, |seen| seen.prepared().count()), 0);
    for command in [
        Command::BringScene(scene),
        Command::Remove(Subject::Prepared(scene)),
    ] {
        assert!(game.act(&mira, &command.into()).is_err());
    }
}

#[test]
fn a_race_that_is_brought_twice_is_two_races() {
    let game = Game::with(System::HEART_RUSH, &[("Mira", &[])]);
    let mut ids = Vec::new();
    for (name, race) in [
        ("Riders", "The bridge"),
        ("Wolves", "the bridge"),
        ("Fog", ""),
    ] {
        let mut clock = Clock::new(name, Segments::try_from(4).unwrap());
        clock.kind = ClockKind::Race;
        race.clone_into(&mut clock.race);
        game.run(Command::add(clock));
        ids.push(game.find_clock(name).0);
    }
    game.run(Command::PrepareScene(PrepareCommand {
        name: "The chase".into(),
        notes: String::new(),
        characters: Vec::new(),
        clocks: ids,
        put_away: true,
    }));
    let scene = game
        .table
        .read(&Seat::gm(), |seen| seen.prepared().last().unwrap().id);
    let races = |game: &Game| -> Vec<String> {
        game.table.read(&Seat::gm(), |seen| {
            seen.clocks().map(|one| one.clock.race.clone()).collect()
        })
    };
    game.run(Command::BringScene(scene));
    assert_eq!(races(&game), ["The bridge", "the bridge", ""]);
    game.run(Command::BringScene(scene));
    assert_eq!(
        races(&game)[3..],
        ["The bridge 2", "the bridge 2", "Race 2"]
    );
}
