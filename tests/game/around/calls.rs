//! Calls for a roll.

use tableside::rules::System;
use tableside::session::{Command, Session};
use tableside::table::{Act, Seat};

use super::{Game, Try, given, player};

fn game() -> Game {
    Game::with(
        System::HeartRush,
        &[("Mira", &[("agility", "d10")]), ("Bo", &[]), ("Cy", &[])],
    )
}

fn call(game: &Game, who: &[&str], shown: bool) -> Command {
    Command::Call {
        group: false,
        who: who.iter().map(|name| game.id(name)).collect(),
        check: "skill".into(),
        fields: given(&[("cn", "12"), ("ability", "agility")]),
        helpers: Vec::new(),
        shown,
    }
}

fn waiting(game: &Game, seat: &Seat) -> Vec<String> {
    game.table.read(seat, |seen| {
        let names = seen
            .calls()
            .map(|call| seen.owner_name(Some(call.who)).to_owned());
        names.collect()
    })
}

#[test]
fn a_roll_answers_the_call_in_the_same_event_and_its_undo_calls_again() {
    let game = game();
    game.run(call(&game, &["Mira", "Bo"], false));
    assert_eq!(game.last(), "New call for a roll: Skill check, Mira, Bo");
    assert_eq!(waiting(&game, &Seat::gm()), ["Mira", "Bo"]);
    let wish = Try {
        fields: &[("cn", "12"), ("ability", "agility")],
        faces: &[6, 6],
        ..Try::default()
    };
    game.roll(&wish);
    assert_eq!(waiting(&game, &Seat::gm()), ["Bo"]);
    game.roll(&Try { who: "Bo", ..wish });
    assert_eq!(waiting(&game, &Seat::gm()), Vec::<String>::new());
    game.undo();
    game.undo();
    assert_eq!(waiting(&game, &Seat::gm()), ["Mira", "Bo"]);
    game.undo();
    assert_eq!(waiting(&game, &Seat::gm()), Vec::<String>::new());
}

#[test]
fn another_check_or_another_one_does_not_answer_it() {
    let game = game();
    game.run(call(&game, &["Mira"], false));
    let wish = Try {
        fields: &[("cn", "12")],
        faces: &[6, 6],
        ..Try::default()
    };
    game.roll(&Try {
        check: "save",
        ..wish
    });
    game.roll(&Try {
        who: "Cy",
        fields: &[("cn", "12")],
        faces: &[6, 6],
        ..Try::default()
    });
    assert_eq!(waiting(&game, &Seat::gm()), ["Mira"]);
}

#[test]
fn a_player_sees_the_own_call_and_those_that_all_may_see() {
    let game = game();
    game.run(call(&game, &["Mira", "Bo"], false));
    game.run(call(&game, &["Cy"], true));
    let mira = player("mira", &[game.id("Mira")]);
    assert_eq!(waiting(&game, &mira), ["Mira", "Cy"]);
    assert_eq!(waiting(&game, &Seat::onlooker()), ["Cy"]);
    let refused = game.act(&mira, &call(&game, &["Bo"], true).into());
    assert!(refused.is_err());
}

#[test]
fn a_call_is_taken_back_by_number_and_goes_with_its_character() {
    let game = game();
    game.run(call(&game, &["Mira", "Bo"], false));
    let first = game
        .table
        .read(&Seat::gm(), |seen| seen.calls().next().unwrap().id);
    game.run(Command::CancelCall(first));
    assert_eq!(waiting(&game, &Seat::gm()), ["Bo"]);
    assert_eq!(
        game.refused(Command::CancelCall(first)),
        "that call is not there any more"
    );
    game.run(Command::RemoveCharacter(game.id("Bo")));
    assert_eq!(waiting(&game, &Seat::gm()), Vec::<String>::new());
    game.undo();
    assert_eq!(waiting(&game, &Seat::gm()), ["Bo"]);
}

#[test]
fn a_call_that_no_sheet_could_answer_is_refused() {
    let game = game();
    let wrong = |check: &str, fields: &[(&str, &str)]| {
        game.refused(Command::Call {
            group: false,
            who: vec![game.id("Mira")],
            check: check.into(),
            fields: given(fields),
            helpers: Vec::new(),
            shown: false,
        })
    };
    assert!(wrong("sing", &[]).starts_with("heart-rush has no check \"sing\""));
    assert!(wrong("skill", &[("cn", "99")]).starts_with("cn must be"));
    assert!(wrong("skill", &[("luck", "9")]).starts_with("skill has no field \"luck\""));
}

#[test]
fn a_call_survives_in_the_file_of_the_session() {
    let game = game();
    let entry = game.run(call(&game, &["Mira"], true));
    let mut session = Session::new(System::HeartRush);
    game.table.read(&Seat::gm(), |seen| {
        let log: Vec<_> = seen.log().collect();
        for entry in log.iter().rev() {
            session.apply(&entry.event);
        }
    });
    let again = Session::from_toml(&session.to_toml()).unwrap();
    assert_eq!(again, session);
    assert_eq!(again.calls.len(), 1);
    assert_eq!(
        again.calls[0].fields,
        given(&[("cn", "12"), ("ability", "agility")])
    );
    game.act(
        &Seat::gm(),
        &Act::Strike {
            entry: entry.number,
            reason: String::new(),
        },
    )
    .unwrap();
    assert_eq!(waiting(&game, &Seat::gm()), Vec::<String>::new());
}
