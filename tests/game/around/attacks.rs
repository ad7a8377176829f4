//! An attack on somebody by name: what the defender's sheet says, and what the defender's aspects do.

use tableside::rules::{System, TokenKind, Value};
use tableside::table::Seat;

use super::{Game, Try, effects, player};

fn game() -> Game {
    let gob: &[(&str, &str)] = &[
        ("might", "d4"),
        ("agility", "d12"),
        ("armor", "medium"),
        ("shield", "light"),
        ("weapon", "d8"),
        ("aspects", "Coward 2, Stubborn 3"),
    ];
    let orc: &[(&str, &str)] = &[("might", "d10"), ("armor", "heavy")];
    let ana: &[(&str, &str)] = &[("agility", "d10"), ("aspects", "Captain 2, Proud 3")];
    Game::with(
        System::HeartRush,
        &[("Ana", ana), ("Gob", gob), ("Orc", orc)],
    )
}

fn attack<'a>(fields: &'a [(&'a str, &'a str)]) -> Try<'a> {
    Try {
        who: "Ana",
        check: "attack",
        fields,
        ..Try::default()
    }
}

/// The fields that differ from what nobody said, with where they came from.
fn filled(game: &Game, fields: &[(&str, &str)]) -> Vec<String> {
    let command = game.command(&attack(fields)).unwrap();
    let sources = command.sources.iter();
    let theirs = sources.filter(|(id, _)| {
        let field = command.fields.spec().field(id).unwrap();
        field.whose == tableside::rules::Whose::Opponent
    });
    let told = theirs.map(|(id, source)| {
        let value = command.fields.value(id).unwrap();
        format!("{id} {value} ({source})")
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}

#[test]
fn who_is_named_defends_with_the_ability_of_the_attack_and_all_that_is_worn() {
    let game = game();
    let all = |ability: &str| {
        [
            "armor medium (Gob: Armor)".to_owned(),
            format!("defense-ability {ability}"),
            "defense-heart d8 (Gob: Heart die now)".to_owned(),
            "defense-weapon d8 (Gob: Weapon die)".to_owned(),
            "shield light (Gob: Shield)".to_owned(),
        ]
    };
    let agile = all("d12 (Gob: Agility)");
    // By whichever field the defender is named, and whenever the ability is.
    for fields in [
        [("ability", "agility"), ("defense-heart", "Gob")],
        [("ability", "agility"), ("defense-ability", "Gob")],
        [("ability", "agility"), ("armor", "gob")],
        [("defense-heart", "Gob"), ("ability", "agility")],
    ] {
        assert_eq!(filled(&game, &fields), agile, "{fields:?}");
    }
    assert_eq!(
        filled(&game, &[("defense-heart", "Gob")]),
        all("d4 (Gob: Might)")
    );
}

#[test]
fn what_is_said_after_the_name_stands_and_another_name_replaces_all() {
    let game = game();
    let said = [
        ("defense-heart", "Gob"),
        ("armor", "none"),
        ("defense-ability", "Gob: cunning"),
        ("ability", "agility"),
    ];
    let told = filled(&game, &said);
    assert!(
        told.contains(&"defense-ability d4 (Gob: Cunning)".to_owned()),
        "{told:?}"
    );
    assert!(!told.iter().any(|one| one.starts_with("armor")), "{told:?}");
    let told = filled(
        &game,
        &[("defense-heart", "Gob"), ("defense-ability", "Orc")],
    );
    assert!(told.iter().all(|one| one.contains("(Orc: ")), "{told:?}");
    assert!(
        told.contains(&"armor heavy (Orc: Armor)".to_owned()),
        "{told:?}"
    );
}

#[test]
fn the_defender_rolls_with_advantage_and_pays_for_the_own_aspect() {
    let game = game();
    let fields = [
        ("ability", "agility"),
        ("defense-heart", "Gob"),
        ("defense-advantage", "2"),
        ("defense-disadvantage", "1"),
        ("defense-aspect", "Gob: Stubborn 1"),
        ("defense-hindrance", "Gob: Coward"),
    ];
    // d8 5 + d10 7 + d4 2 are 14. Of d8 3, d12 9 and d8 6 the two highest make 15; armor 4, shield 1, +1, −2.
    let entry = game.roll(&Try {
        faces: &[5, 7, 2, 3, 9, 6],
        ..attack(&fields)
    });
    let roll = entry.roll().unwrap();
    let told = roll.derive(System::HeartRush).unwrap();
    assert_eq!((told.total, told.target), (Some(14), Some(19)));
    assert_eq!(
        effects(&entry),
        ["Gob: spends 1 Destiny Point", "Gob: gains 2 Destiny Points"]
    );
    assert_eq!(game.tokens("Gob", TokenKind::Destiny), 4);
    assert_eq!(game.tokens("Ana", TokenKind::Destiny), 3);
    game.undo();
    assert_eq!(game.tokens("Gob", TokenKind::Destiny), 3);
}

#[test]
fn the_defenders_aspects_are_bound_by_the_defenders_sheet_and_purse() {
    let game = game();
    let refused = |fields: &[(&str, &str)]| {
        let fields = [&[("defense-heart", "Gob")], fields].concat();
        let wish = Try {
            faces: &[5, 5, 2, 3, 3],
            ..attack(&fields)
        };
        game.roll_as(&Seat::gm(), &wish).unwrap_err()
    };
    assert_eq!(
        refused(&[("defense-aspect", "4")]),
        "Stubborn has rank 3, and 4 would be spent on it; spend at most 3"
    );
    assert_eq!(
        refused(&[("defense-hindrance", "1")]),
        "defense-hindrance takes the whole rank of an aspect, and 1 was given; Gob has Coward 2, Stubborn 3"
    );
    assert_eq!(
        refused(&[
            ("defense-aspect", "Coward"),
            ("defense-hindrance", "Coward")
        ]),
        "Gob: Coward cannot help and hinder the same roll; leave out defense-aspect or defense-hindrance"
    );
    game.bank("Gob", TokenKind::Destiny, 1);
    assert_eq!(
        refused(&[("defense-aspect", "2")]),
        "Gob has 1 in Destiny Points, and 2 would be spent; spend fewer or gain some first"
    );
}

#[test]
fn a_player_spends_no_points_of_a_defender_who_is_not_the_own() {
    let game = game();
    let seat = player("Ann", &[game.id("Ana")]);
    let hit = |seat: &Seat, aspect: &str| {
        let fields = [("defense-heart", "Gob"), ("defense-aspect", aspect)];
        let wish = Try {
            faces: &[5, 5, 2, 3, 3],
            ..attack(&fields)
        };
        game.roll_as(seat, &wish)
    };
    let refused = hit(&seat, "1").unwrap_err();
    assert!(refused.contains("not yours to change"), "{refused}");
    hit(&seat, "0").unwrap();
    let both = player("Ann", &[game.id("Ana"), game.id("Gob")]);
    hit(&both, "1").unwrap();
}

#[test]
fn a_defender_nobody_named_pays_nothing_that_is_kept() {
    let game = game();
    let fields = [
        ("defense-heart", "d8"),
        ("defense-ability", "d6"),
        ("defense-aspect", "2"),
    ];
    let entry = game.roll(&Try {
        faces: &[5, 5, 2, 3, 3],
        ..attack(&fields)
    });
    assert_eq!(
        effects(&entry).first().unwrap(),
        "defender: spends 2 Destiny Points"
    );
    assert_eq!(
        entry.roll().unwrap().fields.last().unwrap().1,
        Value::from(2)
    );
    for name in ["Ana", "Gob", "Orc"] {
        assert_eq!(game.tokens(name, TokenKind::Destiny), 3);
    }
}
