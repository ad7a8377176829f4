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

fn skill(game: &Game, fields: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let fields = [&[("cn", "9"), ("ability", "agility")], fields].concat();
    let wish = Try {
        fields: &fields,
        faces: &[6, 6],
        ..Try::default()
    };
    game.roll_as(&Seat::gm(), &wish)
        .map(|entry| effects(&entry))
}

#[test]
fn points_are_spent_and_penalties_taken_by_the_ranks_on_the_sheet() {
    let game = game();
    game.bank("Mira", TokenKind::Destiny, 9);
    let refused = |field, given| skill(&game, &[(field, given)]).unwrap_err();
    assert_eq!(
        refused("aspect", "4"),
        "Hot-headed has rank 3, and 4 would be spent on it; spend at most 3"
    );
    assert_eq!(
        refused("aspect", "Former 3"),
        "Former City Guard Captain has rank 2, and 3 would be spent on it; spend at most 2"
    );
    let whole = "hindrance takes the whole rank of an aspect, and 5 was given; Mira has Hot-headed 3, Former City Guard \
                 Captain 2, Gash 12";
    assert_eq!(refused("hindrance", "5"), whole);
    assert_eq!(
        skill(&game, &[("aspect", "former city guard captain 1")]).unwrap(),
        ["Mira: spends 1 Destiny Point"]
    );
    let sources = |game: &Game| {
        let entry = game
            .table
            .read(&Seat::gm(), |seen| seen.log().next().unwrap());
        entry.roll().unwrap().sources.clone()
    };
    let named = ("aspect".to_owned(), "Former City Guard Captain".into());
    assert!(sources(&game).contains(&named));
    assert_eq!(
        skill(&game, &[("aspect", "3")]).unwrap(),
        ["Mira: spends 3 Destiny Points"]
    );
    assert_eq!(
        skill(&game, &[("hindrance", "2")]).unwrap(),
        ["Mira: gains 2 Destiny Points"]
    );
}

#[test]
fn who_has_no_aspect_spends_nothing_on_one() {
    let game = Game::with(System::HeartRush, &[("Mira", &[])]);
    assert_eq!(
        skill(&game, &[("aspect", "1")]).unwrap_err(),
        "Mira has no aspect to spend points on"
    );
    assert_eq!(
        skill(&game, &[("hindrance", "1")]).unwrap_err(),
        "hindrance takes the whole rank of an aspect, and 1 was given; Mira has no aspect"
    );
}

#[test]
fn one_aspect_does_not_help_and_hinder_the_same_roll() {
    let game = game();
    assert_eq!(
        skill(&game, &[("aspect", "hot 1"), ("hindrance", "hot")]).unwrap_err(),
        "Hot-headed cannot help and hinder the same roll; leave out aspect or hindrance"
    );
    skill(&game, &[("aspect", "former"), ("hindrance", "hot")]).unwrap();
}

#[test]
fn what_the_bank_does_not_hold_counts_for_no_scene_and_is_told() {
    let game = game();
    game.bank("Mira", TokenKind::Destiny, 10);
    assert_eq!(
        skill(&game, &[("hindrance", "hot")]).unwrap(),
        ["Destiny Points now 10: 0 of 3 gained, for it holds 10 at most"]
    );
    game.bank("Mira", TokenKind::Destiny, 8);
    game.run(complicate(&game, "hot"));
    assert_eq!(
        game.last(),
        "Mira: Destiny Points +2, now 10 (Hot-headed complicates life; 2 of 3 gained, for it holds 10 at most)"
    );
    // Two of five are gained, and three are left.
    game.bank("Mira", TokenKind::Destiny, 0);
    game.run(complicate(&game, "hot"));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 3);
    assert_eq!(
        skill(&game, &[("hindrance", "hot")]).unwrap(),
        ["Destiny Points now 3: 0 of 3 gained, for a scene gives 5 at most"]
    );
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 3);
}
