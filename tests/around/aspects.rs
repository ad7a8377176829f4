//! Aspects for and against, and awards.

use tableside::rules::{System, TokenKind};
use tableside::session::Command;
use tableside::table::Seat;

use super::{Game, Try, effects};

fn game() -> Game {
    let mira: &[(&str, &str)] = &[
        ("aspects", "Hot-headed 3, Former City Guard Captain 2"),
        ("wounds", "Gash 12"),
        ("agility", "d10"),
    ];
    Game::with(System::HeartRush, &[("Mira", mira)])
}

fn complicate(game: &Game, aspect: &str) -> Command {
    Command::Complicate {
        who: game.id("Mira"),
        aspect: aspect.to_owned(),
    }
}

#[test]
fn an_aspect_of_rank_three_that_complicates_life_gains_three_then_two_then_nothing() {
    let game = game();
    game.run(complicate(&game, "hot"));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 6);
    assert_eq!(
        game.last(),
        "Mira: Destiny Points +3, now 6 (Hot-headed complicates life)"
    );
    game.run(complicate(&game, "Hot-headed"));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 8);
    assert_eq!(
        game.refused(complicate(&game, "Hot-headed")),
        "Mira gained 5 of at most 5 in Destiny Points this scene; 3 more is too much"
    );
    game.run(Command::NextScene {
        name: "The gate".into(),
    });
    game.undo();
    game.undo();
    game.run(complicate(&game, "former"));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 8);
}

#[test]
fn the_scene_counts_what_rolls_gained_too() {
    let game = game();
    let entry = game.roll(&Try {
        fields: &[("cn", "9"), ("ability", "agility"), ("hindrance", "hot")],
        faces: &[6, 6],
        ..Try::default()
    });
    assert_eq!(effects(&entry), ["Mira: gains 3 Destiny Points"]);
    assert_eq!(entry.roll().unwrap().total, Some(9));
    game.run(complicate(&game, "hot"));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 8);
}

#[test]
fn a_wound_is_an_aspect_and_gains_five_at_most() {
    let game = game();
    game.run(complicate(&game, "gash"));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 8);
}

#[test]
fn a_table_that_does_not_truncate_refuses_what_is_too_much() {
    let game = game();
    let rule = Command::SetHouse {
        rule: "scene-cap".into(),
        value: "refuse".into(),
    };
    game.run(rule);
    game.run(complicate(&game, "hot"));
    let refused = game.refused(complicate(&game, "hot"));
    assert!(
        refused.starts_with("Mira gained 3 of at most 5"),
        "{refused}"
    );
}

#[test]
fn an_aspect_that_nobody_has_is_named_with_those_there_are() {
    let game = game();
    assert_eq!(
        game.refused(complicate(&game, "clumsy")),
        "there is no aspect \"clumsy\"; Mira has Hot-headed, Former City Guard Captain, Gash"
    );
}

#[test]
fn an_award_is_given_beside_the_limit_of_the_scene() {
    let game = game();
    game.run(complicate(&game, "gash"));
    let pool = game.pool("Mira", TokenKind::Destiny);
    let award = |amount| Command::Award {
        pool,
        amount,
        why: "a fine speech".into(),
    };
    game.run(award(1));
    assert_eq!(
        game.last(),
        "Mira: Destiny Points +1, now 9 (a fine speech)"
    );
    game.run(award(5));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 10);
    assert_eq!(
        game.refused(award(1)),
        "Mira: Destiny Points holds 10, and 10 is the most"
    );
    game.undo();
    game.undo();
    game.undo();
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 3);
}

#[test]
fn a_named_aspect_brings_its_rank_and_is_spent_no_further() {
    let game = game();
    let spend = |fields: &'static [(&'static str, &'static str)]| {
        let wish = Try {
            fields,
            faces: &[4, 4],
            ..Try::default()
        };
        game.roll_as(&Seat::gm(), &wish)
    };
    let entry = spend(&[("cn", "9"), ("ability", "agility"), ("aspect", "former")]).unwrap();
    assert_eq!(entry.roll().unwrap().total, Some(10));
    assert_eq!(effects(&entry), ["Mira: spends 2 Destiny Points"]);
    game.undo();
    let fewer = &[
        ("cn", "9"),
        ("ability", "agility"),
        ("aspect", "former"),
        ("aspect", "1"),
    ];
    let entry = spend(fewer).unwrap();
    assert_eq!(entry.roll().unwrap().total, Some(9));
    let source = ("aspect".to_owned(), "Former City Guard Captain".into());
    assert!(entry.roll().unwrap().sources.contains(&source));
    game.undo();
    let more = &[
        ("cn", "9"),
        ("ability", "agility"),
        ("aspect", "former"),
        ("aspect", "3"),
    ];
    assert_eq!(
        spend(more).unwrap_err(),
        "Former City Guard Captain has rank 2, and 3 would be spent on it; spend at most 2"
    );
}

#[test]
fn the_bank_limits_what_is_spent_and_what_a_name_offers() {
    let game = game();
    game.bank("Mira", TokenKind::Destiny, 1);
    let check = System::HeartRush.check("skill").unwrap();
    let who = Some(game.id("Mira"));
    let field = check.field("aspect").unwrap();
    let (most, offered, alone) = game.table.read(&Seat::gm(), |seen| {
        let mut filled = seen.fill(check, who);
        let alone = seen.most(&filled, who, field);
        seen.fill_in(&mut filled, who, field, "hot").unwrap();
        (
            seen.most(&filled, who, field),
            filled.fields.number("aspect"),
            alone,
        )
    });
    assert_eq!((most, offered, alone), (Some(1), 1, Some(1)));
    let wish = Try {
        fields: &[("cn", "9"), ("ability", "agility"), ("aspect", "2")],
        faces: &[4, 4],
        ..Try::default()
    };
    assert_eq!(
        game.roll_as(&Seat::gm(), &wish).unwrap_err(),
        "Mira has 1 in Destiny Points, and 2 would be spent; spend fewer or gain some first"
    );
}

#[test]
fn a_named_aspect_in_a_finished_command_is_checked_too() {
    let game = game();
    let wish = Try {
        fields: &[("cn", "9"), ("ability", "agility"), ("aspect", "former")],
        faces: &[4, 4],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.fields.set("aspect", 3.into()).unwrap();
    let refused = game.refused(Command::Roll(Box::new(command)));
    assert!(refused.contains("has rank 2"), "{refused}");
}
