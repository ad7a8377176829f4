//! Several things done as one act.

use tableside::rules::System;
use tableside::session::Command;

use super::{Game, Try};

fn three() -> Game {
    Game::with(
        System::HeartRush,
        &[("Goblin", &[]), ("Goblin 2", &[]), ("Ogre", &[])],
    )
}

#[test]
fn a_check_among_others_is_the_entry_and_two_are_refused() {
    let game = three();
    let check = |who| {
        let wish = Try {
            who,
            fields: &[("ability", "might"), ("cn", "9")],
            faces: &[5, 5],
            ..Try::default()
        };
        Command::Roll(Box::new(game.command(&wish).unwrap()))
    };
    let acted = Command::SetActed {
        who: game.id("Ogre"),
        acted: true,
    };
    assert_eq!(
        game.refused(Command::All(vec![check("Ogre"), check("Goblin")])),
        "two checks are two acts; make one after the other"
    );
    game.run(Command::All(vec![acted, check("Ogre")]));
    assert!(
        game.last().starts_with("Ogre, Skill check"),
        "{}",
        game.last()
    );
    assert!(game.acted("Ogre"));
}

#[test]
fn acts_of_different_kinds_are_all_told_in_one_sentence() {
    let game = three();
    let alarm = game.clock("The alarm", 4);
    let door = tableside::session::Clock::new("The door", 6.try_into().unwrap());
    let acted = Command::SetActed {
        who: game.id("Ogre"),
        acted: true,
    };
    game.run(Command::together(vec![
        Command::AddClock(Box::new(door)),
        Command::Tick {
            clock: alarm,
            by: 2,
        },
        acted,
    ]));
    assert_eq!(
        game.last(),
        "New clock: The door; The alarm +2: 2 of 4; Ogre: has acted"
    );
    let note = Command::Note {
        text: "dusk".into(),
        about: None,
    };
    game.run(Command::together(vec![note, Command::RemoveClock(alarm)]));
    assert_eq!(game.last(), "dusk; Removed the clock The alarm");
}
