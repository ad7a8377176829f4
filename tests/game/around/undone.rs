//! Taking back what was changed again since: what is in the way.

use tableside::rules::System;
use tableside::session::{CharacterId, Command, Condition};
use tableside::table::{Act, Seat};

use super::{Game, Try};

fn strike(game: &Game, entry: u64) -> Result<(), String> {
    let reason = String::new();
    let struck = game.act(&Seat::gm(), &Act::Strike { entry, reason });
    struck.map(drop)
}

fn suffers(who: CharacterId, name: &str) -> Command {
    Command::SetConditions {
        who,
        conditions: vec![Condition {
            name: name.into(),
            ..Condition::default()
        }],
    }
}

#[test]
fn the_newest_event_that_changed_the_same_is_named_and_no_other() {
    let game = Game::with(System::HeartRush, &[("Mira", &[]), ("Bo", &[])]);
    let (mira, bo) = (game.id("Mira"), game.id("Bo"));
    let first = game.run(suffers(mira, "dazed")).number;
    game.run(suffers(mira, "prone"));
    let newest = game.run(suffers(mira, "stunned")).number;
    game.run(suffers(bo, "dazed"));
    game.set("Mira", "hit-points", 12);
    assert_eq!(
        strike(&game, first).unwrap_err(),
        format!(
            "#{first} cannot be taken back: what Mira suffers was changed again since, by #{newest}"
        )
    );
}

#[test]
fn a_thing_that_is_gone_is_missed_by_the_event_that_removed_it() {
    let game = Game::with(System::HeartRush, &[("Mira", &[])]);
    let clock = game.clock("The alarm", 4);
    let ticked = game.run(Command::Tick { clock, by: 1 }).number;
    let removed = game.run(Command::RemoveClock(clock)).number;
    game.run(suffers(game.id("Mira"), "dazed"));
    assert_eq!(
        strike(&game, ticked).unwrap_err(),
        format!(
            "#{ticked} cannot be taken back: that clock was changed again since, by #{removed}"
        )
    );
}

#[test]
fn what_belonged_to_somebody_who_left_names_the_leaving() {
    let game = Game::with(System::HeartRush, &[("Mira", &[]), ("Bo", &[])]);
    let mut clock = tableside::session::Clock::new("Debt", 4.try_into().unwrap());
    clock.owner = Some(game.id("Bo"));
    game.run(Command::AddClock(Box::new(clock)));
    let (clock, _) = game.find_clock("Debt");
    let removed = game.run(Command::RemoveClock(clock)).number;
    let left = game.run(Command::RemoveCharacter(game.id("Bo"))).number;
    game.run(suffers(game.id("Mira"), "dazed"));
    assert_eq!(
        strike(&game, removed).unwrap_err(),
        format!(
            "#{removed} cannot be taken back: the owner of Debt was changed again since, by #{left}"
        )
    );
}

#[test]
fn a_lock_that_was_lifted_since_stays_lifted_whatever_is_taken_back() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    let failed = game.roll(&Try {
        check: "challenge",
        fields: &[
            ("kind", "mental"),
            ("difficulty", "moderate"),
            ("about", "the cipher"),
        ],
        faces: &[3, 3],
        ..Try::default()
    });
    let who = game.id("Mira");
    game.run(Command::Unlock {
        who,
        about: "the cipher".into(),
        why: String::new(),
    });
    // Striking the failure finds nothing to lift; taking that back must not lock.
    let before = game.state();
    strike(&game, failed.number).unwrap();
    assert_eq!(game.state(), before);
    game.undo();
    assert_eq!(game.state(), before);
}
