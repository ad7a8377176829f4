//! One pool of tokens for each player, whichever of the player's characters acts (HFRPG, Bonuses &
//! Penalties).

use tableside::rules::{Answer, ChosenBy, Sheet, System, TokenKind};
use tableside::session::{Character, Command, Faces};
use tableside::table::{Act, Seat};

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

fn owed(game: &Game, fields: &[(&str, &str)], faces: &[u8]) -> Result<i32, String> {
    let fields = [&[("attribute", "2"), ("competency", "2")], fields].concat();
    let wish = Try {
        check: "acs",
        fields: &fields,
        faces,
        ..Try::default()
    };
    game.roll_as(&Seat::gm(), &wish)?;
    Ok(game.tokens("Mira", TokenKind::Tokens))
}

#[test]
fn penalty_tokens_are_used_as_the_pool_owes_them_and_never_paid_out() {
    let game = game();
    give(&game, "Mira", -2);
    for given in ["0", "1", "3"] {
        assert_eq!(
            owed(&game, &[("penalty", given)], &[2, 7]).unwrap_err(),
            "Mira owes 2 penalty tokens and must use all of it; leave penalty out, for it is filled in"
        );
    }
    // 5 and 2: a 7 that nothing else brings to 7, and an Almost There that gives a bonus token.
    assert_eq!(owed(&game, &[], &[5, 7]), Ok(1));
    assert_eq!(
        owed(&game, &[("penalty", "9"), ("bonus", "0")], &[7, 7]).unwrap_err(),
        "Mira owes no tokens; leave penalty out"
    );
}

#[test]
fn a_roll_made_again_takes_the_tokens_of_today() {
    let game = game();
    give(&game, "Mira", -1);
    owed(&game, &[], &[5, 7]).unwrap();
    let number = game
        .table
        .read(&Seat::gm(), |seen| seen.log().next().unwrap().number);
    // What was owed then was owed then: another field may be read otherwise.
    let amended = game.act(
        &Seat::gm(),
        &Act::Amend {
            entry: number,
            fields: vec![("competency".into(), "3".into())],
            faces: Faces::Rolled,
        },
    );
    amended.unwrap();
    let lowered = Act::Amend {
        entry: number + 1,
        fields: vec![("penalty".into(), "0".into())],
        faces: Faces::Rolled,
    };
    assert!(
        game.act(&Seat::gm(), &lowered)
            .unwrap_err()
            .contains("owes 1 penalty token")
    );
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
