//! Pools of the table's own: what a scene gives, and what is told at which number.

use tableside::rules::{System, TokenKind, Value};
use tableside::session::{Command, CommandError, Gains, PoolId, Reset, TokenPool};
use tableside::table::Seat;

use super::{Game, Try, effects};

fn game(pool: TokenPool) -> (Game, PoolId) {
    let game = Game::with(System::HeartRush, &[("Mira", &[]), ("Bo", &[])]);
    game.run(Command::AddPool(Box::new(pool)));
    let id = game
        .table
        .read(&Seat::gm(), |seen| seen.pools_of(None).last().unwrap().id);
    (game, id)
}

fn held(game: &Game, pool: PoolId) -> (i32, i32) {
    game.table.read(&Seat::gm(), |seen| {
        let pool = seen.pools().find(|one| one.id == pool).unwrap();
        (pool.tokens, pool.gains.map_or(0, |gains| gains.this_scene))
    })
}

fn gain(pool: PoolId, by: i32) -> Command {
    Command::Tokens { pool, by }
}

/// Lets a pool tell something at these numbers.
fn tell_at(game: &Game, id: PoolId, thresholds: &[(i32, &str)]) {
    let pool = game.table.read(&Seat::gm(), |seen| {
        seen.pools().find(|one| one.id == id).unwrap().clone()
    });
    let thresholds = thresholds.iter();
    game.run(Command::EditPool(Box::new(TokenPool {
        thresholds: thresholds
            .map(|(at, note)| (*at, (*note).to_owned()))
            .collect(),
        ..pool
    })));
}

#[test]
fn a_scene_gives_no_more_than_its_limit_to_a_pool_of_ones_own() {
    let (game, hope) = game(TokenPool {
        gains: Some(Gains {
            most: 3,
            this_scene: 0,
        }),
        reset: Reset::Never,
        ..TokenPool::new("Hope")
    });
    game.run(gain(hope, 2));
    game.run(gain(hope, 2));
    assert_eq!(held(&game, hope), (3, 3), "as much as there was room for");
    let refused = game.refused(gain(hope, 1));
    assert_eq!(
        refused,
        "The table gained 3 of at most 3 in Hope this scene; 1 more is too much"
    );
    game.run(gain(hope, -2));
    assert_eq!(held(&game, hope), (1, 3), "spending gives nothing back");
    game.undo();
    game.undo();
    assert_eq!(held(&game, hope), (2, 2));
    // Counting anew and giving are not the scene's.
    game.run(Command::SetTokens { pool: hope, to: 6 });
    game.run(Command::Award {
        pool: hope,
        amount: 1,
        why: "courage".into(),
    });
    assert_eq!(held(&game, hope), (7, 2));
    game.run(Command::NextScene { name: "On".into() });
    game.run(gain(hope, 3));
    assert_eq!(held(&game, hope), (10, 3));
}

#[test]
fn coming_to_a_threshold_is_told_in_the_log() {
    let (game, torches) = game(TokenPool {
        tokens: 6,
        start: 6,
        thresholds: vec![
            (8, "the hall is bright".into()),
            (2, "the shadows close in".into()),
            (0, "it is dark".into()),
        ],
        ..TokenPool::new("Torches")
    });
    game.run(gain(torches, -3));
    assert_eq!(game.last(), "The table: Torches −3, now 3");
    game.run(gain(torches, -1));
    assert_eq!(
        game.last(),
        "The table: Torches −1, now 2 (the shadows close in)"
    );
    game.run(Command::SetTokens {
        pool: torches,
        to: 9,
    });
    assert_eq!(
        game.last(),
        "The table: Torches +7, now 9 (the hall is bright)"
    );
    game.run(Command::SetTokens {
        pool: torches,
        to: 0,
    });
    assert_eq!(
        game.last(),
        "The table: Torches −9, now 0 (the shadows close in; it is dark)"
    );
    game.undo();
    game.undo();
    game.run(Command::Award {
        pool: torches,
        amount: 6,
        why: "a crate".into(),
    });
    assert_eq!(
        game.last(),
        "The table: Torches +6, now 8 (a crate; the hall is bright)"
    );
}

#[test]
fn moving_tokens_tells_what_either_pool_comes_to() {
    let (game, _) = game(TokenPool::new("Hope"));
    let (from, to) = (
        game.pool("Mira", TokenKind::Destiny),
        game.pool("Bo", TokenKind::Destiny),
    );
    tell_at(&game, from, &[(2, "Mira falters")]);
    tell_at(&game, to, &[(4, "Bo shines")]);
    assert_eq!(game.last(), "Destiny Points: tells at 4: Bo shines");
    game.run(Command::MoveTokens {
        from,
        to,
        amount: 1,
    });
    assert_eq!(
        game.last(),
        "Bo: Destiny Points +1, now 4 (from Mira; Mira falters; Bo shines)"
    );
}

#[test]
fn a_roll_tells_what_its_tokens_bring_a_pool_to() {
    let (game, _) = game(TokenPool::new("Hope"));
    let aspects = [("Captain", 2), ("Proud", 3)];
    let aspects = aspects.map(|(name, rank)| (name.to_owned(), rank));
    game.set("Mira", "aspects", Value::Ranks(aspects.into()));
    let bank = game.pool("Mira", TokenKind::Destiny);
    tell_at(
        &game,
        bank,
        &[(1, "her luck runs thin"), (5, "the fates look up")],
    );
    let roll = |fields: &[(&str, &str)]| {
        let fields = [&[("cn", "9"), ("ability", "might")], fields].concat();
        let wish = Try {
            fields: &fields,
            faces: &[5, 3],
            ..Try::default()
        };
        effects(&game.roll(&wish))
    };
    assert_eq!(
        roll(&[("aspect", "2")]),
        [
            "Mira: spends 2 Destiny Points",
            "Destiny Points now 1: her luck runs thin"
        ]
    );
    assert_eq!(
        roll(&[("hindrance", "2")]),
        ["Mira: gains 2 Destiny Points"],
        "leaving a number tells nothing"
    );
    assert_eq!(
        roll(&[("hindrance", "3")]),
        [
            "Mira: gains 3 Destiny Points",
            "Destiny Points now 6: the fates look up"
        ]
    );
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 6);
    game.undo();
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 3);
}

#[test]
fn what_a_scene_gives_of_the_rules_tokens_is_not_the_tables_to_say() {
    let (game, _) = game(TokenPool::new("Hope"));
    let id = game.pool("Mira", TokenKind::Destiny);
    let pool = game.table.read(&Seat::gm(), |seen| {
        seen.pools().find(|one| one.id == id).unwrap().clone()
    });
    let refused = game.refused(Command::EditPool(Box::new(TokenPool {
        gains: None,
        ..pool
    })));
    let due = CommandError::RulesLimit("Destiny Points".into()).to_string();
    assert_eq!(refused, due);
}
