//! HEARTS: what remains after modifiers decides, and checks of different kinds oppose each other.

use tableside::rules::System;
use tableside::table::Seat;

use super::{Game, Try};

fn game() -> Game {
    let ann: &[(&str, &str)] = &[
        ("skills", "Athletics 44, Stealth 60"),
        ("traits", "Cautious 11, Empathetic 14"),
        ("quantities", "Rope 6"),
    ];
    let guard: &[(&str, &str)] = &[
        ("skills", "Deflect 55, Listen 30"),
        ("traits", "Concern 12"),
        ("quantities", "Lamp oil 5"),
    ];
    Game::with(System::Hearts, &[("Ann", ann), ("Guard", guard)])
}

fn climb(game: &Game, add: &str, faces: &[u8]) -> (String, String, Option<bool>, u8) {
    let clock = game.clock(&format!("The wall {add} {faces:?}"), 4);
    let entry = game.roll(&Try {
        who: "Ann",
        fields: &[("skill", "athletics"), ("successes-add", add)],
        faces,
        clock: Some(clock),
        ..Try::default()
    });
    let told = entry.roll().unwrap().derive(System::Hearts).unwrap();
    let (_, filled) = game.find_clock(&format!("The wall {add} {faces:?}"));
    let last = told.steps.last().unwrap().clone();
    (game.last(), last, told.success, filled)
}

#[test]
fn a_check_succeeds_by_the_successes_that_remain_and_is_told_so() {
    let game = game();
    let fails = "No success remains: the check fails.".to_owned();
    assert_eq!(
        climb(&game, "-1", &[4, 3]),
        (
            "Ann, Skill check: Failure, 43 against 44".to_owned(),
            fails.clone(),
            Some(false),
            0
        )
    );
    assert_eq!(
        climb(&game, "1", &[4, 5]),
        (
            "Ann, Skill check: Success, 45 against 44".to_owned(),
            "1 success remaining: the check succeeds.".to_owned(),
            Some(true),
            1
        )
    );
    assert_eq!(
        climb(&game, "-3", &[4, 0]),
        (
            "Ann, Skill check: Failure, 40 against 44".to_owned(),
            fails,
            Some(false),
            0
        )
    );
    // What succeeds anyway keeps its level.
    assert_eq!(
        climb(&game, "-1", &[4, 0]),
        (
            "Ann, Skill check: Heroic Success, 40 against 44".to_owned(),
            "2 successes remaining: the check succeeds.".to_owned(),
            Some(true),
            2
        )
    );
}

#[test]
fn an_opponents_skill_is_asked_for_as_a_helpers_is() {
    let game = game();
    let fill = |against: &str| {
        let fields = [("skill", "stealth"), ("against", against)];
        let wish = Try {
            who: "Ann",
            check: "opposed",
            fields: &fields,
            ..Try::default()
        };
        let command = game.command(&wish)?;
        let number = command.fields.number("against");
        Ok::<_, String>((number, command.fields.text("against-check").to_owned()))
    };
    let refused = fill("Guard").unwrap_err();
    for named in ["Guard: Deflect", "Guard: Listen"] {
        assert!(refused.contains(named), "{refused}");
    }
    assert_eq!(fill("Guard: listen").unwrap(), (30, "skill".into()));
    assert_eq!(fill("concern").unwrap(), (12, "trait".into()));
    assert_eq!(fill("Guard: lamp oil").unwrap(), (5, "quantity".into()));
    assert_eq!(fill("70").unwrap(), (70, "skill".into()));
}

#[test]
fn a_skill_a_trait_and_a_consumable_oppose_each_other() {
    let game = game();
    let oppose = |check: &str, own: (&str, &str), against: &str, faces: &[u8]| {
        let fields = [own, ("against", against)];
        let wish = Try {
            who: "Ann",
            check,
            fields: &fields,
            faces,
            ..Try::default()
        };
        let entry = game.roll_as(&Seat::gm(), &wish)?;
        Ok::<_, String>(entry.roll().unwrap().outcome.clone())
    };
    // Stealth 60: 21 is a Hard Success, 2; Concern 12: 5 + 7 is 1.
    let stealth = ("skill", "stealth");
    assert_eq!(
        oppose("opposed", stealth, "Guard: concern", &[2, 1, 5, 7]).unwrap(),
        "aggressor"
    );
    assert_eq!(
        oppose("opposed", stealth, "Guard: lamp oil", &[4, 1, 5]).unwrap(),
        "tie"
    );
    // Cautious 11 against Listen 30: 11 hits, and so does 30, a Heroic Success.
    assert_eq!(
        oppose(
            "opposed-trait",
            ("value", "cautious"),
            "Guard: listen",
            &[5, 6, 3, 0]
        )
        .unwrap(),
        "defender"
    );
    assert_eq!(
        oppose(
            "opposed-trait",
            ("value", "rope"),
            "Guard: concern",
            &[6, 9, 9]
        )
        .unwrap(),
        "aggressor"
    );
    let assisted = oppose("opposed", stealth, "Guard: concern", &[2, 1, 5, 7]);
    assert!(assisted.is_ok());
}
