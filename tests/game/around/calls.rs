//! Calls for a roll.

use std::sync::Arc;

use tableside::game::{CallCommand, Command};
use tableside::rules::System;
use tableside::screen::Notify;
use tableside::screen::{Input, Screen, Setup};
use tableside::table::Seat;

use super::super::played::run_command;
use super::TestGame;

fn call(game: &TestGame, who: &[&str], shown: bool) -> Command {
    Command::Call(CallCommand {
        group: false,
        who: who.iter().map(|name| game.id(name)).collect(),
        check: "skill".into(),
        fields: vec![
            ("cn".into(), "12".into()),
            ("ability".into(), "agility".into()),
        ],
        helpers: Vec::new(),
        shown,
    })
}

/// What a screen sends beside its picture: bells, and sequences for the terminal itself without their ends.
fn beside(frame: &[u8]) -> (usize, Vec<String>) {
    let text = String::from_utf8_lossy(frame);
    let mut parts = text.split("\x1b]");
    let mut bells = parts.next().unwrap().matches('\x07').count();
    let mut told = Vec::new();
    for part in parts {
        let (sequence, rest) = part.split_once("\x1b\\").expect("every sequence ends");
        bells += rest.matches('\x07').count();
        told.push(sequence.to_owned());
    }
    (bells, told)
}

fn look(screen: &mut Screen) -> (usize, Vec<String>) {
    screen.handle(Input::Changed);
    beside(&screen.frame())
}

#[test]
fn a_call_rings_once_and_at_the_screens_of_those_meant() {
    let game = TestGame::with(System::HEART_RUSH, &[("Mira; Wild", &[]), ("Bo", &[])]);
    let (mira, bo) = (game.player("Mira; Wild"), game.player("Bo"));
    let seats = [mira, bo, Seat::onlooker(), Seat::gm()];
    let mut screens = seats.map(|seat| {
        let setup = Setup {
            seat,
            ..Setup::gm()
        };
        let mut screen = Screen::new(Arc::clone(&game.table), setup, (80, 24));
        assert_eq!(beside(&screen.frame()), (0, vec!["2;t".to_owned()]));
        screen
    });
    game.run(call(&game, &["Mira; Wild"], true));
    let told = screens.each_mut().map(look);
    let title = vec!["2;t: Mira, Wild to roll".to_owned()];
    let rang = told.each_ref().map(|(bells, _)| *bells);
    assert_eq!(rang, [1, 0, 0, 0]);
    assert!(told.iter().all(|(_, told)| *told == title), "{told:?}");
    // Another change rings nowhere again, and answered, the title is the game's.
    game.run(Command::NextRound);
    let told = screens.each_mut().map(look);
    assert!(told.iter().all(|told| *told == (0, vec![])), "{told:?}");
    run_command(&game.table, "undo");
    run_command(&game.table, "undo");
    let told = screens.each_mut().map(look);
    let title = (0, vec!["2;t".to_owned()]);
    assert!(told.iter().all(|told| *told == title), "{told:?}");
}

#[test]
fn a_call_that_others_may_not_see_stands_in_no_title_of_theirs() {
    let game = TestGame::with(System::HEART_RUSH, &[("Mira", &[])]);
    let setup = |seat| Setup {
        seat,
        notify: Notify::Osc,
        ..Setup::gm()
    };
    let seats = [game.player("Mira"), Seat::gm()];
    let mut screens = seats.map(|seat| Screen::new(Arc::clone(&game.table), setup(seat), (80, 24)));
    for screen in &mut screens {
        screen.frame();
    }
    game.run(call(&game, &["Mira"], false));
    let [mira, gm] = screens.each_mut().map(look);
    let words = "the GM calls on Mira: Skill check, Challenge Number 12 Hard, Ability die agility";
    let sent = [
        format!("9;t: {words}"),
        format!("777;notify;t;{words}"),
        "2;t: Mira to roll".to_owned(),
    ];
    assert_eq!(mira, (0, sent.to_vec()));
    assert_eq!(gm, (0, Vec::new()));
}

#[test]
fn what_is_under_the_cursor_is_copied_by_the_terminal() {
    let game = TestGame::with(System::HEART_RUSH, &[]);
    run_command(&game.table, "add clock The alarm 6");
    let mut screen = Screen::new(Arc::clone(&game.table), Setup::gm(), (80, 24));
    screen.frame();
    screen.handle(Input::Bytes(b"3Y".to_vec()));
    // "The alarm: 0/6" in base 64.
    let copied = "52;c;VGhlIGFsYXJtOiAwLzY=".to_owned();
    assert_eq!(beside(&screen.frame()), (0, vec![copied]));
}
