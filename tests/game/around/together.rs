//! Several things done as one act.

use tableside::rules::System;
use tableside::session::{Character, Command};

use super::{Game, Try};

fn three() -> Game {
    Game::with(
        System::HEART_RUSH,
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
    let ogre = game.id("Ogre");
    let ogre = game.table.session().character(ogre).unwrap().clone();
    let acted = Command::edit(Character {
        acted: true,
        ..ogre
    });
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
