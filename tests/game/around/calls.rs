//! Calls for a roll.

use tableside::rules::System;
use tableside::session::{CallCommand, Command, Session};
use tableside::table::{Act, Seat};

use super::{Game, given, player};

fn game() -> Game {
    Game::with(
        System::HEART_RUSH,
        &[("Mira", &[("agility", "d10")]), ("Bo", &[]), ("Cy", &[])],
    )
}

fn call(game: &Game, who: &[&str], shown: bool) -> Command {
    Command::Call(CallCommand {
        group: false,
        who: who.iter().map(|name| game.id(name)).collect(),
        check: "skill".into(),
        fields: given(&[("cn", "12"), ("ability", "agility")]),
        helpers: Vec::new(),
        shown,
    })
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
fn a_call_survives_in_the_file_of_the_session() {
    let game = game();
    let entry = game.run(call(&game, &["Mira"], true));
    let mut session = Session::new(System::HEART_RUSH);
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
