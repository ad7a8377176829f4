//! A roll read again under other fields, and a roll that a Favor repeats.

use tableside::rules::{Answer, System, TokenKind};
use tableside::session::{Command, EventKind, Faces, TokenPool};
use tableside::table::{Act, Seat};

use super::{Game, Try, effects, given};

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
