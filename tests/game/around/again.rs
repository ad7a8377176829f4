//! A roll read again under other fields, and a roll that a Favor repeats.

use tableside::rules::{Answer, System, TokenKind};
use tableside::session::{Command, EventKind, Faces, TokenPool};
use tableside::table::{Act, Seat};

use super::{Game, Try, effects, given, player};

fn game() -> Game {
    let mira: &[(&str, &str)] = &[("agility", "d10"), ("aspects", "Hot-headed 3, Captain 2")];
    Game::with(System::HeartRush, &[("Mira", mira), ("Bo", &[])])
}

fn climb<'a>(fields: &'a [(&'a str, &'a str)], faces: &'a [u8]) -> Try<'a> {
    Try {
        fields,
        faces,
        ..Try::default()
    }
}

fn amend(game: &Game, entry: u64, fields: &[(&str, &str)]) -> Result<u64, String> {
    let act = Act::Amend {
        entry,
        fields: given(fields),
        faces: Faces::Rolled,
    };
    game.act(&Seat::gm(), &act).map(|entry| entry.number)
}

fn faces(game: &Game, number: u64) -> String {
    let entry = game
        .table
        .read(&Seat::gm(), |seen| seen.entry(number))
        .unwrap();
    let told = entry
        .roll()
        .unwrap()
        .trail
        .iter()
        .map(|answer| match answer {
            Answer::Faces(faces) => format!("{faces:?}"),
            Answer::Chose { chose, by, .. } => format!("{chose} by {}", by.id()),
        });
    told.collect::<Vec<_>>().join("; ")
}

const CLIFF: &[(&str, &str)] = &[("cn", "12"), ("ability", "agility")];

#[test]
fn a_forgotten_modifier_turns_the_same_faces_into_a_success_and_ticks_the_clock() {
    let game = game();
    let clock = game.clock("The cliff", 4);
    let roll = game.roll(&Try {
        clock: Some(clock),
        ..climb(CLIFF, &[5, 6])
    });
    assert_eq!(game.find_clock("The cliff").1, 0);
    let before = game.state();
    let amended = amend(&game, roll.number, &[("modifier", "1")]).unwrap();
    assert_eq!(
        game.last(),
        "Amended #4: Mira, Skill check: Success, 12 against 12"
    );
    assert_eq!(game.find_clock("The cliff").1, 1);
    assert!(game.is_struck(roll.number));
    assert_eq!(faces(&game, amended), faces(&game, roll.number));
    let replaced = game
        .table
        .read(&Seat::gm(), |seen| seen.replaced_by(roll.number));
    assert_eq!(replaced, Some(amended));
    game.undo();
    assert_eq!(game.state(), before);
    assert!(!game.is_struck(roll.number) && game.is_struck(amended));
    game.act(&Seat::gm(), &Act::Redo).unwrap();
    assert_eq!(game.find_clock("The cliff").1, 1);
    assert!(game.is_struck(roll.number));
}

#[test]
fn points_spent_and_gained_are_corrected_by_the_difference() {
    let game = game();
    let fields = &[("cn", "12"), ("ability", "agility"), ("aspect", "captain")];
    let roll = game.roll(&climb(fields, &[5, 6]));
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 1);
    // Meanwhile somebody else gives a point.
    let pool = game.pool("Mira", TokenKind::Destiny);
    game.run(Command::Tokens { pool, by: 1 });
    let second = amend(&game, roll.number, &[("aspect", "0"), ("hindrance", "hot")]).unwrap();
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 7);
    let third = amend(
        &game,
        second,
        &[("aspect", "captain"), ("aspect", "1"), ("hindrance", "0")],
    )
    .unwrap();
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 3);
    // Struck, it leaves nothing of any reading.
    game.act(
        &Seat::gm(),
        &Act::Strike {
            entry: third,
            reason: "another scene".into(),
        },
    )
    .unwrap();
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 4);
    game.undo();
    assert_eq!(game.tokens("Mira", TokenKind::Destiny), 3);
    assert_eq!(
        [roll.number, second, third].map(|entry| game.is_struck(entry)),
        [true, true, false]
    );
}

#[test]
fn only_missing_dice_are_rolled_and_none_is_rolled_twice() {
    let game = game();
    let roll = game.roll(&climb(CLIFF, &[5, 6]));
    let once = amend(&game, roll.number, &[("advantage", "1")]).unwrap();
    let with_extra = faces(&game, once);
    assert!(with_extra.starts_with("[5, 6, "), "{with_extra}");
    // Taking the advantage away and giving it back brings the same face again.
    let without = amend(&game, once, &[("advantage", "0")]).unwrap();
    assert_eq!(faces(&game, without), "[5, 6]");
    let again = amend(&game, without, &[("advantage", "1")]).unwrap();
    assert_eq!(faces(&game, again), with_extra);
    // So does taking the amendments back.
    game.undo();
    game.undo();
    game.undo();
    let afresh = amend(&game, roll.number, &[("advantage", "1")]).unwrap();
    assert_eq!(faces(&game, afresh), with_extra);
}

#[test]
fn a_die_of_another_size_is_rolled_and_the_others_stay() {
    let game = game();
    let roll = game.roll(&climb(CLIFF, &[5, 6]));
    let amended = amend(&game, roll.number, &[("ability", "d6")]).unwrap();
    assert!(faces(&game, amended).starts_with("[5, "));
}

#[test]
fn a_choice_made_before_is_kept_where_it_is_put_again() {
    let game = game();
    let wish = Try {
        choose: &["fail"],
        ..climb(CLIFF, &[1, 7])
    };
    let roll = game.roll(&wish);
    let amended = amend(&game, roll.number, &[("cn", "6")]).unwrap();
    assert!(faces(&game, amended).contains("fail by gm"));
    assert_eq!(
        game.last(),
        "Amended #3: Mira, Skill check: Failure, 8 against 6"
    );
    // Another answer rolls the die that was not rolled.
    let other = amend(&game, amended, &[("choose", "complication")]).unwrap();
    assert!(faces(&game, other).contains("complication by gm"));
    let wrong = amend(&game, other, &[("choose", "cheat")]).unwrap_err();
    assert!(
        wrong.starts_with("\"cheat\" is no answer to complication"),
        "{wrong}"
    );
}

#[test]
fn a_choice_that_comes_up_only_now_takes_its_default() {
    let game = game();
    let roll = game.roll(&climb(CLIFF, &[5, 2]));
    let amended = amend(&game, roll.number, &[("vulnerability", "1")]).unwrap();
    assert!(faces(&game, amended).contains("by default"));
}

#[test]
fn it_is_read_under_the_house_rules_of_its_own_time() {
    let game = game();
    let fields = &[("cn", "9"), ("ability", "agility"), ("advantage", "1")];
    let roll = game.roll(&climb(fields, &[5, 6, 1]));
    game.run(Command::SetHouse {
        rule: "ones".into(),
        value: "any".into(),
    });
    amend(&game, roll.number, &[("modifier", "1")]).unwrap();
    assert_eq!(
        game.last(),
        "Amended #3: Mira, Skill check: Success, 12 against 9"
    );
}

#[test]
fn what_an_entry_spends_is_still_limited() {
    let game = game();
    let roll = game.roll(&climb(CLIFF, &[5, 6]));
    game.bank("Mira", TokenKind::Destiny, 1);
    let refused = amend(&game, roll.number, &[("aspect", "2")]).unwrap_err();
    assert!(
        refused.starts_with("Mira has 1 in Destiny Points"),
        "{refused}"
    );
    assert_eq!(
        amend(&game, roll.number, &[("cn", "12")]).unwrap_err(),
        "nothing changed"
    );
    assert!(
        amend(&game, roll.number, &[("luck", "1")])
            .unwrap_err()
            .contains("no field \"luck\"")
    );
}

#[test]
fn only_a_resolved_check_that_holds_is_read_again() {
    let game = game();
    let roll = game.roll(&climb(CLIFF, &[5, 6]));
    let amended = amend(&game, roll.number, &[("modifier", "1")]).unwrap();
    assert_eq!(
        amend(&game, roll.number, &[("modifier", "2")]).unwrap_err(),
        format!(
            "#{} was read or rolled again; #{amended} holds instead",
            roll.number
        )
    );
    assert_eq!(
        amend(&game, 1, &[("cn", "9")]).unwrap_err(),
        "#1 is no resolved check"
    );
    assert_eq!(
        amend(&game, 99, &[("cn", "9")]).unwrap_err(),
        "that entry is not there any more"
    );
    game.undo();
    game.undo();
    let refused = amend(&game, roll.number, &[("modifier", "2")]).unwrap_err();
    assert_eq!(
        refused,
        format!("#{} was struck or taken back", roll.number)
    );
    let own = player("mira", &[game.id("Mira")]);
    assert!(
        game.act(
            &own,
            &Act::Amend {
                entry: roll.number,
                fields: Vec::new(),
                faces: Faces::Rolled,
            }
        )
        .is_err()
    );
}

#[test]
fn a_round_later_helpers_stay_as_they_are() {
    let game = game();
    let wish = Try {
        helpers: &["Bo"],
        ..climb(CLIFF, &[5, 6, 2])
    };
    let roll = game.roll(&wish);
    assert!(game.acted("Bo"));
    game.run(Command::NextRound);
    amend(&game, roll.number, &[("modifier", "1")]).unwrap();
    assert!(!game.acted("Bo"));
}

#[test]
fn each_side_of_an_opposed_check_keeps_its_own_faces() {
    let game = Game::with(System::Hearts, &[("Mira", &[("skills", "Blade 50")])]);
    let wish = Try {
        check: "opposed",
        fields: &[("against", "50")],
        faces: &[4, 1, 7, 2],
        ..Try::default()
    };
    let roll = game.roll(&wish);
    // The aggressor need not roll any more: the defender's 72 stays the defender's.
    let amended = amend(&game, roll.number, &[("challenge", "automatic")]).unwrap();
    assert_eq!(faces(&game, amended), "[7, 2]");
}

#[test]
fn a_lock_goes_where_the_failure_goes() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    let fields = &[
        ("competence", "trained"),
        ("difficulty", "moderate"),
        ("kind", "mental"),
        ("about", "the cipher"),
    ];
    let roll = game.roll(&Try {
        check: "challenge",
        fields,
        faces: &[3, 3],
        ..Try::default()
    });
    amend(&game, roll.number, &[("aided", "yes")]).unwrap();
    assert!(
        game.table
            .read(&Seat::gm(), |seen| seen.locks().next().is_none())
    );
}

fn hero() -> Game {
    Game::with(System::Gnosis, &[("Mira", &[])])
}

const STATIC: &[(&str, &str)] = &[("difficulty", "16")];

fn repeat(game: &Game, seat: &Seat, entry: u64, faces: &[u8]) -> Result<u64, String> {
    let act = Act::Reroll {
        entry,
        faces: Faces::Typed(faces.to_vec()),
    };
    game.act(seat, &act).map(|entry| entry.number)
}

#[test]
fn a_favor_rolls_again_takes_the_consequence_back_and_the_second_roll_is_accepted() {
    let game = hero();
    game.bank("Mira", TokenKind::Favor, 2);
    let roll = game.roll(&Try {
        check: "strategy",
        fields: STATIC,
        faces: &[5, 3, 2],
        ..Try::default()
    });
    assert_eq!(game.find_clock("Stress").1, 1);
    let before = game.state();
    let own = player("mira", &[game.id("Mira")]);
    let second = repeat(&game, &own, roll.number, &[9, 6, 3]).unwrap();
    assert_eq!(game.find_clock("Stress").1, 0);
    assert_eq!(game.tokens("Mira", TokenKind::Favor), 1);
    let entry = game
        .table
        .read(&Seat::gm(), |seen| seen.entry(second))
        .unwrap();
    assert!(matches!(entry.event.what, EventKind::Rerolled { .. }));
    assert_eq!(effects(&entry), ["Mira: spends 1 Favor", "1 effect level"]);
    assert!(game.is_struck(roll.number));
    let refused = repeat(&game, &own, second, &[9, 6, 3]).unwrap_err();
    assert!(
        refused.ends_with("the second roll is accepted"),
        "{refused}"
    );
    game.act(&own, &Act::Undo).unwrap();
    assert_eq!(game.state(), before);
}

#[test]
fn the_favor_of_the_very_failure_pays_for_nothing() {
    let game = hero();
    let roll = game.roll(&Try {
        check: "strategy",
        fields: STATIC,
        faces: &[1, 1, 1],
        ..Try::default()
    });
    assert_eq!(game.tokens("Mira", TokenKind::Favor), 1);
    let refused = repeat(&game, &Seat::gm(), roll.number, &[9, 6, 3]).unwrap_err();
    assert_eq!(
        refused,
        "Mira has 0 in Favor, and 1 would be spent; spend fewer or gain some first"
    );
}

#[test]
fn only_the_own_roll_is_rolled_again_and_only_where_there_is_favor() {
    let game = hero();
    game.bank("Mira", TokenKind::Favor, 2);
    let roll = game.roll(&Try {
        check: "strategy",
        fields: STATIC,
        faces: &[5, 3, 2],
        ..Try::default()
    });
    assert!(repeat(&game, &player("bo", &[]), roll.number, &[9, 6, 3]).is_err());
    assert!(repeat(&game, &Seat::onlooker(), roll.number, &[9, 6, 3]).is_err());
    assert!(repeat(&game, &Seat::gm(), roll.number, &[]).is_err());
    let heart = super::again::game();
    let roll = heart.roll(&climb(CLIFF, &[5, 6]));
    assert!(repeat(&heart, &Seat::gm(), roll.number, &[5, 6]).is_err());
}

#[test]
fn missing_dice_may_be_typed_and_nothing_else_is() {
    let game = game();
    let roll = game.roll(&climb(CLIFF, &[5, 6]));
    let typed = |entry: u64, faces: &[u8]| {
        let act = Act::Amend {
            entry,
            fields: given(&[("advantage", "1")]),
            faces: Faces::Typed(faces.to_vec()),
        };
        game.act(&Seat::gm(), &act).map(|entry| entry.number)
    };
    assert!(
        typed(roll.number, &[])
            .unwrap_err()
            .contains("too few faces")
    );
    assert!(
        typed(roll.number, &[9])
            .unwrap_err()
            .contains("a d8 has the faces")
    );
    assert!(
        typed(roll.number, &[7, 7])
            .unwrap_err()
            .contains("too many faces")
    );
    let amended = typed(roll.number, &[7]).unwrap();
    assert_eq!(faces(&game, amended), "[5, 6, 7]");
    let entry = game
        .table
        .read(&Seat::gm(), |seen| seen.entry(amended))
        .unwrap();
    assert!(matches!(&entry.event.what, EventKind::Amended { fresh, .. } if fresh == &[2]));
    // The die that was typed is known from now on.
    let again = amend(&game, amended, &[("modifier", "1")]).unwrap();
    assert_eq!(faces(&game, again), "[5, 6, 7]");
    let counted = game.table.read(&Seat::gm(), |seen| {
        let all = seen.statistics().all;
        all.dice.iter().map(|dice| dice.thrown).sum::<u64>()
    });
    assert_eq!(counted, 3);
}

#[test]
fn the_favor_that_a_roll_is_repeated_for_is_told_where_the_pool_tells_of_it() {
    let game = hero();
    let id = game.pool("Mira", TokenKind::Favor);
    let pool = game.table.read(&Seat::gm(), |seen| {
        seen.pools().find(|one| one.id == id).unwrap().clone()
    });
    game.run(Command::EditPool(Box::new(TokenPool {
        tokens: 1,
        start: 1,
        thresholds: vec![(0, "nobody owes her anything".to_owned())],
        ..pool
    })));
    let roll = game.roll(&Try {
        check: "strategy",
        fields: STATIC,
        faces: &[5, 3, 2],
        ..Try::default()
    });
    let second = repeat(&game, &Seat::gm(), roll.number, &[9, 6, 3]).unwrap();
    let entry = game.table.read(&Seat::gm(), |seen| seen.entry(second));
    assert_eq!(
        effects(&entry.unwrap()),
        [
            "Mira: spends 1 Favor",
            "1 effect level",
            "Favor now 0: nobody owes her anything"
        ]
    );
}
