//! Damage, wounds, rest, first aid.

use tableside::rules::{Consequence, System, Value};
use tableside::session::{Command, Condition, Rest};
use tableside::table::{Seat, SeatView};

use super::{Game, Try};

fn hero() -> Game {
    Game::with(System::HeartRush, &[("Mira", &[])])
}

fn damage(game: &Game, amount: i32, shrug_off: bool) -> Command {
    Command::Damage {
        who: game.id("Mira"),
        amount,
        shrug_off,
    }
}

fn rest(game: &Game, rest: Rest) -> Command {
    Command::Rest {
        who: game.id("Mira"),
        rest,
    }
}

#[test]
fn ten_damage_marks_a_wound_of_that_rank_and_nine_do_not() {
    let game = hero();
    game.run(damage(&game, 9, false));
    assert_eq!(
        (game.stat("Mira", "hit-points"), game.stat("Mira", "wounds")),
        ("31".into(), String::new())
    );
    let before = game.state();
    game.run(damage(&game, 10, false));
    assert_eq!(game.stat("Mira", "wounds"), "Wound 10");
    assert_eq!(
        game.last(),
        "Mira: 10 damage, hit points 31 to 21; Wound, rank 10"
    );
    game.run(damage(&game, 12, false));
    assert_eq!(game.stat("Mira", "wounds"), "Wound 10, Wound 2 12");
    game.undo();
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn a_table_may_mark_wounds_at_another_number() {
    let game = hero();
    game.run(Command::SetHouse {
        rule: "wound-at".into(),
        value: "11".into(),
    });
    game.run(damage(&game, 10, false));
    assert_eq!(game.stat("Mira", "wounds"), "");
}

#[test]
fn a_table_may_let_each_wound_cost_a_step_of_the_heart_die() {
    let game = hero();
    game.run(damage(&game, 10, false));
    assert_eq!(game.stat("Mira", "heart-now"), "d8");
    decide(&game, "wound-heart", "step");
    game.run(damage(&game, 9, false));
    assert_eq!(game.stat("Mira", "heart-now"), "d8");
    for smaller in ["d6", "d4", "d4"] {
        game.run(damage(&game, 10, false));
        assert_eq!(game.stat("Mira", "heart-now"), smaller);
    }
}

fn decide(game: &Game, rule: &str, value: &str) {
    game.run(Command::SetHouse {
        rule: rule.into(),
        value: value.into(),
    });
}

#[test]
fn a_table_may_round_down_what_is_shrugged_off() {
    let game = hero();
    decide(&game, "shrug-half", "down");
    game.run(damage(&game, 19, true));
    assert_eq!(
        (game.stat("Mira", "hit-points"), game.stat("Mira", "wounds")),
        ("31".into(), String::new())
    );
}

/// Falls, and takes two consequences of Blood.
fn fall(game: &Game) {
    game.roll(&Try {
        check: "strategy",
        fields: &[
            ("difficulty", "16"),
            ("risk", "bloody"),
            ("disadvantage", "0"),
        ],
        faces: &[1, 1, 1],
        ..Try::default()
    });
}

#[test]
fn a_table_may_let_the_last_segment_wound() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    decide(&game, "last-segment", "yes");
    fall(&game);
    fall(&game);
    // Four consequences on three segments: the third fills the clock and wounds, and so does the fourth.
    assert_eq!(
        (game.find_clock("Blood").1, game.stat("Mira", "wounds")),
        (3, "2".into())
    );
}

#[test]
fn a_table_may_let_a_wound_empty_the_clock() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    decide(&game, "full-clock", "empties");
    fall(&game);
    fall(&game);
    assert_eq!(
        (game.find_clock("Blood").1, game.stat("Mira", "wounds")),
        (0, "1".into())
    );
    game.undo();
    assert_eq!(
        (game.find_clock("Blood").1, game.stat("Mira", "wounds")),
        (2, "0".into())
    );
}

fn treat(game: &Game, total: i32) -> Command {
    Command::TreatWounds {
        who: game.id("Mira"),
        total,
    }
}

fn wounded(wounds: &[(&str, i32)]) -> Game {
    let game = hero();
    let wounds = wounds
        .iter()
        .map(|(name, rank)| ((*name).to_owned(), *rank));
    game.set("Mira", "wounds", Value::Ranks(wounds.collect()));
    game
}

#[test]
fn a_medicine_check_comes_off_every_wound_once() {
    let game = wounded(&[("Gash", 14), ("Scratch", 9)]);
    let before = game.state();
    game.run(treat(&game, 9));
    assert_eq!(game.stat("Mira", "wounds"), "Gash (treated) 5");
    assert_eq!(
        game.last(),
        "Mira: wounds treated with 9; Gash 14 to 5; Scratch is gone"
    );
    assert_eq!(
        game.refused(treat(&game, 9)),
        "Mira has no wound that was not treated yet"
    );
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn a_table_may_keep_a_wound_that_treatment_brings_to_nothing() {
    let game = wounded(&[("Scratch", 9)]);
    decide(&game, "treated", "below");
    game.run(treat(&game, 9));
    assert_eq!(game.stat("Mira", "wounds"), "Scratch (treated) 0");
}

#[test]
fn a_wound_taken_after_treatment_is_treated_anew() {
    let game = wounded(&[("Gash", 14)]);
    game.run(treat(&game, 4));
    game.run(damage(&game, 12, false));
    game.run(treat(&game, 3));
    assert_eq!(
        game.stat("Mira", "wounds"),
        "Gash (treated) 10, Wound (treated) 9"
    );
}

fn aid(game: &Game, levels: i32) -> Command {
    Command::FirstAid {
        who: game.id("Mira"),
        of: Consequence::Blood,
        levels,
    }
}

fn scene(game: &Game) {
    game.run(Command::NextScene { name: "On".into() });
}

#[test]
fn first_aid_removes_at_most_what_the_scene_brought() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    scene(&game);
    game.set("Mira", "wounds", 2);
    scene(&game);
    scene(&game);
    // Two old Wounds, and one of this scene.
    fall(&game);
    fall(&game);
    assert_eq!(game.stat("Mira", "wounds"), "3");
    scene(&game);
    // First Aid comes after the scene.
    game.run(aid(&game, 3));
    assert_eq!(game.stat("Mira", "wounds"), "2");
    let refused = game.refused(aid(&game, 3));
    assert!(
        refused.contains("no more Wounds than the scene brought"),
        "{refused}"
    );
    game.undo();
    game.run(aid(&game, 1));
    assert_eq!(game.stat("Mira", "wounds"), "2");
}

#[test]
fn two_scenes_later_first_aid_comes_too_late() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    scene(&game);
    game.set("Mira", "wounds", 1);
    scene(&game);
    scene(&game);
    assert!(game.refused(aid(&game, 1)).contains("took none"));
}

#[test]
fn whose_attributes_are_all_at_disadvantage_is_taken_out_unless_boons_hold() {
    let boons: &[(&str, &str)] = &[("power-boons", "Broken Window 2")];
    let game = Game::with(System::Gnosis, &[("Mira", &[]), ("Bo", boons)]);
    let word = |name: &str| {
        game.table.read(&Seat::gm(), |seen| {
            let one = seen.character_named(name).unwrap();
            let standing = one.sheet.standing(seen.house());
            standing.map(|standing| standing.word)
        })
    };
    for name in ["Mira", "Bo"] {
        game.set(name, "wounds", 2);
        assert_eq!(word(name), None);
        game.set(name, "traumas", 1);
    }
    assert_eq!((word("Mira"), word("Bo")), (Some("taken out"), None));
    game.set("Bo", "traumas", 3);
    assert_eq!(word("Bo"), Some("taken out"));
    decide(&game, "stacking", "any");
    let words = (word("Mira"), word("Bo"));
    assert_eq!(words, (None, None), "all levels go to one attribute");
    // And so it may be rolled.
    let three = Try {
        check: "strategy",
        fields: &[("difficulty", "16")],
        faces: &[4, 3, 2, 3, 4, 5],
        choose: &["possibility", "possibility", "possibility"],
        ..Try::default()
    };
    assert_eq!(game.roll(&three).roll().unwrap().total, Some(9));
}

fn conditions(game: &Game, conditions: &[(&str, i32, bool)]) {
    let conditions = conditions.iter().map(|(name, value, fades)| Condition {
        name: (*name).to_owned(),
        value: Some(*value),
        fades: *fades,
        ..Condition::default()
    });
    game.run(Command::SetConditions {
        who: game.id("Mira"),
        conditions: conditions.collect(),
    });
}

#[test]
fn dazed_is_a_disadvantage_on_cunning_and_on_nothing_else() {
    let game = hero();
    conditions(&game, &[("dazed", 2, false), ("weakened", 9, false)]);
    let disadvantage = |ability: &str, given: &[(&str, &str)]| {
        let fields = [&[("ability", ability), ("cn", "9")], given].concat();
        let wish = Try {
            fields: &fields,
            ..Try::default()
        };
        let command = game.command(&wish).unwrap();
        let words = command.sources.iter().find(|(id, _)| id == "disadvantage");
        (
            command.fields.number("disadvantage"),
            words.map_or(String::new(), |(_, words)| words.to_string()),
        )
    };
    assert_eq!(disadvantage("cunning", &[]), (2, "dazed 2".into()));
    assert_eq!(disadvantage("agility", &[]), (0, String::new()));
    // Levels stack to 5.
    assert_eq!(disadvantage("might", &[]), (5, "weakened 5".into()));
    // What is given by hand stays.
    assert_eq!(disadvantage("cunning", &[("disadvantage", "1")]).0, 1);
}

#[test]
fn what_fades_loses_a_level_with_every_round() {
    let game = hero();
    conditions(&game, &[("dazed", 2, true), ("shaken", 1, false)]);
    let levels = || {
        game.table.read(&Seat::gm(), |seen| {
            let one = seen.character_named("Mira").unwrap();
            let all = one.conditions.iter();
            all.map(|one| (one.name.clone(), one.value))
                .collect::<Vec<_>>()
        })
    };
    game.run(Command::NextRound);
    assert_eq!(
        levels(),
        [("dazed".into(), Some(1)), ("shaken".into(), Some(1))]
    );
    game.run(Command::NextRound);
    assert_eq!(levels(), [("shaken".to_owned(), Some(1))]);
    let told = |seen: &SeatView<'_>| seen.log().next().unwrap().event.text(seen.system());
    assert_eq!(
        game.table.read(&Seat::gm(), told),
        "Round 2: Mira is no longer dazed"
    );
    game.undo();
    assert_eq!(levels().len(), 2);
}

#[test]
fn in_the_dungeon_dazed_keeps_two_combat_dice_and_stunned_one() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    let dice = || {
        let wish = Try {
            check: "combat",
            ..Try::default()
        };
        game.command(&wish).unwrap().fields.number("dice")
    };
    assert_eq!(dice(), 3);
    conditions(&game, &[("dazed", 1, false)]);
    assert_eq!(dice(), 2);
    conditions(&game, &[("dazed", 1, false), ("stunned", 1, false)]);
    assert_eq!(dice(), 1);
}

#[test]
fn shrugging_off_takes_half_rounded_up_and_a_step_of_the_heart_die() {
    let game = hero();
    game.run(damage(&game, 15, true));
    assert_eq!(game.stat("Mira", "hit-points"), "32");
    assert_eq!(game.stat("Mira", "heart-now"), "d6");
    assert_eq!(game.stat("Mira", "wounds"), "");
    game.run(damage(&game, 1, true));
    assert_eq!(
        (
            game.stat("Mira", "hit-points"),
            game.stat("Mira", "heart-now")
        ),
        ("31".into(), "d4".into())
    );
    assert_eq!(
        game.refused(damage(&game, 8, true)),
        "Mira: the heart die is d4 already; a short rest brings it back"
    );
    game.run(rest(&game, Rest::Short));
    assert_eq!(
        (
            game.stat("Mira", "hit-points"),
            game.stat("Mira", "heart-now")
        ),
        ("31".into(), "d8".into())
    );
    assert_eq!(game.refused(rest(&game, Rest::Short)), "nothing changed");
}

#[test]
fn half_of_nineteen_is_ten_and_so_a_wound() {
    let game = hero();
    game.run(damage(&game, 19, true));
    assert_eq!(game.stat("Mira", "wounds"), "Wound 10");
}

#[test]
fn a_failed_night_gives_half_of_what_is_missing_and_a_good_one_the_rest() {
    let game = hero();
    game.set("Mira", "hit-points", 14);
    game.set("Mira", "wounds", Value::Ranks(vec![("Gash".into(), 12)]));
    game.run(rest(&game, Rest::LongFailed));
    assert_eq!(
        (game.stat("Mira", "hit-points"), game.stat("Mira", "wounds")),
        ("21".into(), "Gash 12".into())
    );
    game.run(rest(&game, Rest::Long));
    assert_eq!(
        (game.stat("Mira", "hit-points"), game.stat("Mira", "wounds")),
        ("29".into(), "Gash 11".into())
    );
    game.undo();
    game.undo();
    assert_eq!(game.stat("Mira", "hit-points"), "14");
}

#[test]
fn a_wound_of_rank_one_is_gone_after_a_good_night() {
    let game = hero();
    game.set("Mira", "wounds", Value::Ranks(vec![("Scratch".into(), 1)]));
    game.run(rest(&game, Rest::Long));
    assert_eq!(
        (game.stat("Mira", "hit-points"), game.stat("Mira", "wounds")),
        ("40".into(), String::new())
    );
}

#[test]
fn so_few_hit_points_are_told_in_words() {
    let game = hero();
    game.set("Mira", "hit-points", 5);
    game.run(damage(&game, 5, false));
    assert!(
        game.last()
            .ends_with("may fall unconscious, and must after ten minutes")
    );
    game.run(damage(&game, 40, false));
    assert!(game.last().ends_with("dead"), "{}", game.last());
}

#[test]
fn in_the_dungeon_hit_points_end_at_nothing_and_a_challenge_decides() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    game.run(damage(&game, 20, false));
    assert_eq!(
        (game.stat("Mira", "hit-points"), game.stat("Mira", "wounds")),
        ("0".into(), "0".into())
    );
    assert!(
        game.last().contains("Constitution challenge"),
        "{}",
        game.last()
    );
}

#[test]
fn two_wounds_weigh_on_challenges_and_three_make_them_harder() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    let target = |wounds: i32| {
        game.set("Mira", "wounds", wounds);
        let wish = Try {
            check: "challenge",
            fields: &[("competence", "trained"), ("difficulty", "moderate")],
            faces: &[4, 4],
            ..Try::default()
        };
        let outcome = game
            .roll(&wish)
            .roll()
            .unwrap()
            .derive(System::FridayNightDungeon)
            .unwrap();
        (outcome.total.unwrap(), outcome.target.unwrap())
    };
    assert_eq!(target(1), (8, 7));
    assert_eq!(target(2), (7, 7));
    assert_eq!(target(3), (7, 10));
}

#[test]
fn where_there_are_no_hit_points_damage_is_refused() {
    let game = Game::with(System::Hearts, &[("Mira", &[])]);
    let refused = game.refused(damage(&game, 3, false));
    assert!(refused.contains("no stat \"hit-points\""), "{refused}");
    assert_eq!(
        game.refused(rest(&game, Rest::Long)),
        "Mira cannot get anything back by a rest in this system"
    );
}

#[test]
fn consequences_beyond_the_clock_are_wounds_and_first_aid_removes_them() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    let fall = || {
        game.roll(&Try {
            check: "strategy",
            fields: &[
                ("difficulty", "16"),
                ("risk", "bloody"),
                ("disadvantage", "0"),
            ],
            faces: &[1, 1, 1],
            ..Try::default()
        })
    };
    fall();
    assert_eq!(game.stat("Mira", "wounds"), "0");
    // The clock has three segments: two, then one, and one consequence is left over.
    fall();
    assert_eq!(game.stat("Mira", "wounds"), "1");
    fall();
    assert_eq!(game.stat("Mira", "wounds"), "3");
    let taken_out = game.roll_as(
        &Seat::gm(),
        &Try {
            check: "strategy",
            fields: &[("difficulty", "16")],
            faces: &[1, 1, 1],
            ..Try::default()
        },
    );
    assert!(taken_out.unwrap_err().contains("taken out"));
    let aid = |of, levels| Command::FirstAid {
        who: game.id("Mira"),
        of,
        levels,
    };
    game.run(aid(Consequence::Blood, 2));
    assert_eq!(game.stat("Mira", "wounds"), "1");
    assert_eq!(game.last(), "Mira: First Aid, Wounds 3 to 1");
    game.run(aid(Consequence::Blood, 2));
    assert_eq!(game.stat("Mira", "wounds"), "0");
    assert_eq!(game.refused(aid(Consequence::Stress, 1)), "nothing changed");
}

#[test]
fn a_night_that_failed_leaves_a_condition_by_lot_and_undoing_takes_it() {
    let game = hero();
    let conditions = |game: &Game| {
        game.table.read(&Seat::gm(), |seen| {
            let mira = seen.character_named("Mira").unwrap();
            mira.conditions
                .iter()
                .map(|one| (one.name.clone(), one.value))
                .collect::<Vec<_>>()
        })
    };
    game.run(rest(&game, Rest::LongFailed));
    let first = conditions(&game);
    let [(name, Some(1))] = first.as_slice() else {
        panic!("{first:?}");
    };
    assert!(
        System::HeartRush
            .spec()
            .conditions
            .iter()
            .any(|known| known.name == name),
        "{name}"
    );
    assert!(
        game.last().contains(&format!("{name} 1, by lot")),
        "{}",
        game.last()
    );
    for _ in 0..40 {
        game.run(rest(&game, Rest::LongFailed));
    }
    let all = conditions(&game);
    assert_eq!(all.len(), 5, "each comes up: {all:?}");
    assert!(all.iter().any(|(_, level)| *level == Some(5)), "{all:?}");
    assert!(all.iter().all(|(_, level)| *level <= Some(5)), "{all:?}");
    for _ in 0..40 {
        game.undo();
    }
    assert_eq!(conditions(&game), first);
    game.undo();
    assert_eq!(conditions(&game), []);
}

#[test]
fn a_table_may_give_all_hit_points_back_by_any_night() {
    let game = hero();
    game.run(damage(&game, 9, false));
    game.run(rest(&game, Rest::LongFailed));
    assert_eq!(game.stat("Mira", "hit-points"), "35");
    game.undo();
    decide(&game, "long-rest", "full");
    game.run(rest(&game, Rest::LongFailed));
    assert_eq!(game.stat("Mira", "hit-points"), "40");
}

#[test]
fn a_roll_without_a_wound_records_nothing_of_disadvantage() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    let recorded = || {
        let wish = Try {
            check: "strategy",
            fields: &[("difficulty", "16")],
            faces: &[4, 3, 2, 5],
            ..Try::default()
        };
        let faces = match game.stat("Mira", "wounds").as_str() {
            "0" => &wish.faces[..3],
            _ => wish.faces,
        };
        let roll = game.roll(&Try { faces, ..wish }).roll().unwrap().clone();
        let of = |field: &str| field == "disadvantage";
        let value = roll.fields.iter().find(|(field, _)| of(field)).cloned();
        let source = roll.sources.iter().find(|(field, _)| of(field)).cloned();
        (
            value.map(|(_, value)| value),
            source.map(|(_, words)| words.to_string()),
        )
    };
    assert_eq!(recorded(), (None, None));
    game.set("Mira", "wounds", 1);
    let wound = (Some(1.into()), Some("1 Wound".to_owned()));
    assert_eq!(recorded(), wound);
}
