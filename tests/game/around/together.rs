//! Several things done as one act.

use tableside::rules::{System, TokenKind};
use tableside::session::Command;

use super::{Game, Try};

fn three() -> Game {
    Game::with(
        System::HeartRush,
        &[("Goblin", &[]), ("Goblin 2", &[]), ("Ogre", &[])],
    )
}

fn all(game: &Game, make: impl Fn(tableside::session::CharacterId) -> Command) -> Command {
    let names = ["Goblin", "Goblin 2", "Ogre"];
    Command::together(names.iter().map(|name| make(game.id(name))).collect())
}

#[test]
fn one_act_of_several_is_one_line_and_one_undo() {
    let game = three();
    let before = game.state();
    game.run(all(&game, |who| Command::Damage {
        who,
        amount: 4,
        shrug_off: false,
    }));
    assert_eq!(
        game.last(),
        "Goblin, Goblin 2, Ogre: 4 damage, hit points 40 to 36"
    );
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn what_differs_is_told_by_name() {
    let game = three();
    game.set("Ogre", "hit-points", 12);
    game.run(all(&game, |who| Command::Damage {
        who,
        amount: 4,
        shrug_off: false,
    }));
    assert_eq!(
        game.last(),
        "Goblin, Goblin 2, Ogre: Goblin: 4 damage, hit points 40 to 36; \
         Goblin 2: 4 damage, hit points 40 to 36; Ogre: 4 damage, hit points 12 to 8"
    );
}

#[test]
fn those_of_whom_it_is_so_already_are_left_alone() {
    let game = three();
    let acted = |who| Command::SetActed { who, acted: true };
    game.run(acted(game.id("Ogre")));
    game.run(all(&game, acted));
    assert_eq!(game.last(), "Goblin, Goblin 2: has acted");
    assert_eq!(game.refused(all(&game, acted)), "nothing changed");
    game.undo();
    assert!(game.acted("Ogre") && !game.acted("Goblin"));
}

#[test]
fn what_is_refused_for_one_is_refused_for_all() {
    let game = three();
    let before = game.state();
    let shrug = |who| Command::Damage {
        who,
        amount: 4,
        shrug_off: true,
    };
    game.set("Goblin 2", "heart-now", tableside::dice::Die::D4);
    let refused = game.refused(all(&game, shrug));
    assert!(
        refused.starts_with("Goblin 2: the heart die is d4"),
        "{refused}"
    );
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn a_goblin_is_made_four_times_with_numbered_names() {
    let game = Game::with(System::HeartRush, &[("Goblin", &[])]);
    let id = game.id("Goblin");
    game.run(Command::together(vec![Command::DuplicateCharacter(id); 3]));
    assert_eq!(game.last(), "New character: Goblin 2, Goblin 3, Goblin 4");
    assert_eq!(game.tokens("Goblin 4", TokenKind::Destiny), 3);
    game.undo();
    assert_eq!(
        game.last(),
        "Took back #2: New character: Goblin 2, Goblin 3, Goblin 4"
    );
}

#[test]
fn clocks_and_pools_of_several_are_told_with_their_numbers() {
    let game = three();
    let (alarm, door) = (game.clock("The alarm", 4), game.clock("The door", 6));
    game.run(Command::Tick {
        clock: alarm,
        by: 3,
    });
    let tick = |clock| Command::Tick { clock, by: 1 };
    game.run(Command::together(vec![tick(alarm), tick(door)]));
    assert_eq!(
        game.last(),
        "The alarm, The door: The alarm: advances by 1, 4 of 4, full; The door: advances by 1, 1 of 6"
    );
    let gain = |name| Command::Tokens {
        pool: game.pool(name, TokenKind::Destiny),
        by: 1,
    };
    game.run(Command::together(vec![gain("Goblin"), gain("Ogre")]));
    assert_eq!(
        game.last(),
        "Goblin, Ogre: gains 1 in Destiny Points, now 4"
    );
    game.run(Command::together(vec![
        Command::RemoveClock(alarm),
        Command::RemoveClock(door),
    ]));
    assert_eq!(game.last(), "Removed the clock The alarm, The door");
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
