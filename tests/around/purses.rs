//! One pool of tokens for each player, whichever of the player's characters acts (HFRPG, Bonuses &
//! Penalties).

use tableside::rules::{Sheet, System, TokenKind};
use tableside::session::{Character, Command};
use tableside::table::Seat;

use super::{Game, Try};

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

fn held(game: &Game) -> [i32; 4] {
    ["Mira", "Tom", "Wren", "Guard"].map(|name| game.tokens(name, TokenKind::Tokens))
}

fn pools(game: &Game) -> usize {
    game.table.read(&Seat::gm(), |seen| seen.pools().count())
}

fn give(game: &Game, name: &str, to: i32) {
    let pool = game.pool(name, TokenKind::Tokens);
    game.run(Command::SetTokens { pool, to });
}

fn play(game: &Game, name: &str, player: &str) {
    let mut one = game.table.read(&Seat::gm(), |seen| {
        seen.character_named(name).unwrap().clone()
    });
    player.clone_into(&mut one.player);
    game.run(Command::EditCharacter(Box::new(one)));
}

#[test]
fn what_one_character_gains_another_of_the_same_player_spends() {
    let game = game();
    assert_eq!(pools(&game), 3);
    let roll = |who, bonus, faces, choose| {
        game.roll(&Try {
            who,
            check: "acs",
            fields: bonus,
            faces,
            choose,
            ..Try::default()
        })
    };
    // 8 is Almost There and brings a bonus.
    roll(
        "Mira",
        &[("competency", "2"), ("attribute", "2")],
        &[6, 3],
        &[],
    );
    assert_eq!(held(&game), [1, 1, 0, 0]);
    let spent: &[(&str, &str)] = &[("competency", "9"), ("attribute", "2")];
    roll("Tom", spent, &[5, 3], &["1,0"]);
    assert_eq!(held(&game), [0, 0, 0, 0], "15 is a Clean Success");
    game.undo();
    assert_eq!(held(&game), [1, 1, 0, 0]);
    game.run(Command::EndSession);
    assert_eq!(held(&game), [0, 0, 0, 0]);
}

#[test]
fn the_pool_goes_on_with_the_players_other_character_when_its_holder_goes() {
    let game = game();
    give(&game, "Tom", 3);
    let mira = game.id("Mira");
    game.run(Command::RemoveCharacter(mira));
    assert_eq!(game.tokens("Tom", TokenKind::Tokens), 3);
    game.undo();
    assert_eq!(held(&game), [3, 3, 0, 0]);
    let tom = game.id("Tom");
    game.run(Command::RemoveCharacter(tom));
    assert_eq!(game.tokens("Mira", TokenKind::Tokens), 3);
}

#[test]
fn a_character_that_goes_to_another_player_shares_what_that_one_has() {
    let game = game();
    give(&game, "Mira", 3);
    give(&game, "Wren", 1);
    give(&game, "Guard", -2);
    // The holder goes: what was Ana's stays with Tom.
    play(&game, "Mira", "Bo");
    assert_eq!(held(&game), [1, 3, 1, -2]);
    game.undo();
    assert_eq!(held(&game), [3, 3, 1, -2]);
    // Who played on an own account brings what there was.
    play(&game, "Guard", "Bo");
    assert_eq!((held(&game), pools(&game)), ([3, 3, -1, -1], 2));
    game.undo();
    assert_eq!((held(&game), pools(&game)), ([3, 3, 1, -2], 3));
    // Who leaves what was shared begins with nothing.
    play(&game, "Tom", "Cleo");
    assert_eq!((held(&game), pools(&game)), ([3, 0, 1, -2], 4));
    // Another spelling of the only name is the same purse.
    play(&game, "Wren", "Robert");
    assert_eq!(held(&game), [3, 0, 1, -2]);
}
