//! One pool of tokens for each player, whichever of the player's characters acts (HFRPG, Bonuses &
//! Penalties).

use tableside::rules::{Answer, ChosenBy, Sheet, System, TokenKind};
use tableside::session::{Character, Command, Faces};
use tableside::table::Seat;

use super::{Game, Try, player};

/// Ana plays Mira and Tom, Bo plays Wren, and nobody plays the guard.
fn game() -> Game {
    let game = Game::new(System::Hfrpg);
    for (name, player) in [
        ("Mira", "Ana"),
        ("Tom", " ana"),
        ("Wren", "Bo"),
        ("Guard", ""),
    ] {
        let mut one = Character::new(name, Sheet::new(System::Hfrpg));
        player.clone_into(&mut one.player);
        game.run(Command::AddCharacter(Box::new(one)));
    }
    game
}

fn give(game: &Game, name: &str, to: i32) {
    let pool = game.pool(name, TokenKind::Tokens);
    game.run(Command::SetTokens { pool, to });
}

#[test]
fn where_penalty_tokens_go_the_gm_says_and_no_player() {
    let game = game();
    give(&game, "Mira", -2);
    let seat = player("Ana", &[game.id("Mira")]);
    let wish = Try {
        check: "acs",
        fields: &[("attribute", "3"), ("competency", "2")],
        faces: &[2, 5, 8],
        choose: &["0,0,2"],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.by = ChosenBy::Command;
    let refused = game.act(&seat, &Command::Roll(Box::new(command.clone())).into());
    assert!(
        refused.is_err(),
        "an answer of nobody in particular is none of a player's"
    );
    command.by = ChosenBy::Player;
    game.act(&seat, &Command::Roll(Box::new(command)).into())
        .unwrap();
    let check = game
        .table
        .read(&Seat::gm(), |seen| seen.unfinished().next().unwrap().id);
    let answer = |by| Command::Answer {
        check,
        chose: "0,2,0".into(),
        by,
        faces: Faces::Typed(vec![3]),
    };
    assert_eq!(
        game.act(&seat, &answer(ChosenBy::Player).into())
            .unwrap_err(),
        "the GM decides this; the check waits for it"
    );
    let entry = game.run(answer(ChosenBy::Gm));
    let chose = entry
        .roll()
        .unwrap()
        .trail
        .iter()
        .find_map(|answer| match answer {
            Answer::Chose { chose, by, .. } => Some((chose.clone(), *by)),
            Answer::Faces(_) => None,
        });
    assert_eq!(chose, Some(("0,2,0".to_owned(), ChosenBy::Gm)));
}

#[test]
fn a_player_places_the_own_bonus_tokens() {
    let game = game();
    give(&game, "Mira", 2);
    let seat = player("Ana", &[game.id("Mira")]);
    let wish = Try {
        check: "acs",
        fields: &[("attribute", "2"), ("competency", "2")],
        faces: &[2, 5],
        choose: &["0,2"],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.by = ChosenBy::Player;
    let entry = game
        .act(&seat, &Command::Roll(Box::new(command)).into())
        .unwrap();
    assert_eq!(entry.roll().unwrap().total, Some(9));
}
