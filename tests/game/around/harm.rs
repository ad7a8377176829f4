//! Damage, wounds, rest, first aid.

use tableside::rules::System;
use tableside::session::{Command, Rest};
use tableside::table::Seat;

use super::Game;

fn hero() -> Game {
    Game::with(System::HEART_RUSH, &[("Mira", &[])])
}

fn rest(game: &Game, rest: Rest) -> Command {
    Command::Rest {
        who: game.id("Mira"),
        rest,
    }
}

#[test]
fn whose_attributes_are_all_at_disadvantage_is_taken_out_unless_boons_hold() {
    let boons: &[(&str, &str)] = &[("power-boons", "Broken Window 2")];
    let game = Game::with(System::GNOSIS, &[("Mira", &[]), ("Bo", boons)]);
    let word = |name: &str| {
        game.table.read(&Seat::gm(), |seen| {
            let one = seen.character_named(name).unwrap();
            let standing = one.sheet.standing(&seen.house);
            standing.map(|standing| standing.word)
        })
    };
    for name in ["Mira", "Bo"] {
        game.set(name, "wounds", 2);
        assert_eq!(word(name), None);
        game.set(name, "traumas", 1);
    }
    assert_eq!((word("Mira"), word("Bo")), (Some("taken out"), None));
    game.set("Bo", "traumas", 3);
    assert_eq!(word("Bo"), Some("taken out"));
}

#[test]
fn a_night_that_failed_leaves_a_condition_by_lot_and_undoing_takes_it() {
    let game = hero();
    let conditions = |game: &Game| {
        game.table.read(&Seat::gm(), |seen| {
            let mira = seen.character_named("Mira").unwrap();
            mira.conditions
                .iter()
                .map(|one| (one.name.clone(), one.value))
                .collect::<Vec<_>>()
        })
    };
    game.run(rest(&game, Rest::LongFailed));
    let first = conditions(&game);
    let [(name, Some(1))] = first.as_slice() else {
        panic!("{first:?}");
    };
    assert!(
        System::HEART_RUSH
            .spec()
            .conditions
            .iter()
            .any(|known| known.name == name),
        "{name}"
    );
    assert!(
        game.last().contains(&format!("{name} 1, by lot")),
        "{}",
        game.last()
    );
    for _ in 0..40 {
        game.run(rest(&game, Rest::LongFailed));
    }
    let all = conditions(&game);
    assert_eq!(all.len(), 5, "each comes up: {all:?}");
    assert!(all.iter().any(|(_, level)| *level == Some(5)), "{all:?}");
    assert!(all.iter().all(|(_, level)| *level <= Some(5)), "{all:?}");
    for _ in 0..40 {
        game.undo();
    }
    assert_eq!(conditions(&game), first);
    game.undo();
    assert_eq!(conditions(&game), []);
}
