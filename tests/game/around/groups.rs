//! Help and group checks.

use tableside::rules::{System, TokenKind, Value};
use tableside::session::{Command, GroupKind, GroupPick};
use tableside::table::Seat;

use super::{Game, Try, effects, given, player};

fn party() -> Game {
    Game::with(
        System::HeartRush,
        &[
            ("Ana", &[("agility", "d6"), ("presence", "d8")]),
            ("Bo", &[("agility", "d4"), ("presence", "d10")]),
            (
                "Cy",
                &[("agility", "d4"), ("heart", "d10"), ("heart-now", "d10")],
            ),
            ("Dee", &[("agility", "d10"), ("presence", "d10")]),
        ],
    )
}

fn group(
    game: &Game,
    check: &str,
    kind: GroupKind,
    fields: &[(&str, &str)],
) -> Result<GroupPick, String> {
    let check = game.system.check(check).unwrap();
    game.table.read(&Seat::gm(), |seen| {
        seen.group(check, kind, &given(fields), &[])
            .map_err(|refusal| refusal.to_string())
    })
}

#[test]
fn the_worst_of_four_sneaks_for_all_with_advantage() {
    let game = party();
    let pick = group(
        &game,
        "skill",
        GroupKind::Worst,
        &[("cn", "9"), ("ability", "agility")],
    )
    .unwrap();
    assert_eq!(pick.who, game.id("Bo"));
    assert!(pick.filled.fields.flag("helped"));
    assert_eq!(
        pick.filled.source("helped").unwrap().to_string(),
        "Ana, Cy, Dee"
    );
    assert_eq!(
        pick.helpers,
        [game.id("Ana"), game.id("Cy"), game.id("Dee")]
    );
    assert_eq!(pick.chances.len(), 4);
}

#[test]
fn the_best_of_the_party_persuades_and_of_equals_the_first_of_the_roster() {
    let game = party();
    let pick = group(
        &game,
        "skill",
        GroupKind::Best,
        &[("cn", "12"), ("ability", "presence")],
    )
    .unwrap();
    assert_eq!(pick.who, game.id("Bo"));
    assert!(pick.filled.fields.flag("helped"));
}

#[test]
fn who_is_worst_depends_on_the_number_and_not_on_the_dice_alone() {
    // 5 is reached by d4 + d10 (a profession of 3 apart) as often as by others; 15 only by large dice.
    let game = Game::with(
        System::HeartRush,
        &[
            (
                "Steady",
                &[
                    ("heart", "d4"),
                    ("heart-now", "d4"),
                    ("professions", "Scout 4"),
                ],
            ),
            (
                "Wild",
                &[("heart", "d12"), ("heart-now", "d12"), ("agility", "d10")],
            ),
        ],
    );
    let pick = |cn| {
        let fields = [("cn", cn), ("ability", "agility"), ("profession", "scout")];
        let found = group(&game, "skill", GroupKind::Worst, &fields).unwrap();
        found.who
    };
    assert_eq!(pick("6"), game.id("Wild"));
    assert_eq!(pick("15"), game.id("Steady"));
}

#[test]
fn absent_members_and_adversaries_are_no_part_of_the_group() {
    let game = party();
    let (bo, dee) = (game.id("Bo"), game.id("Dee"));
    game.run(Command::SetAbsent {
        who: bo,
        absent: true,
    });
    let mut ogre = game
        .table
        .read(&Seat::gm(), |seen| seen.character(dee).unwrap().clone());
    ogre.name = "Ogre".into();
    ogre.side = tableside::session::Allegiance::Adversary;
    ogre.sheet.set("agility", Value::from("d4")).unwrap();
    ogre.sheet.set("heart", Value::from("d4")).unwrap();
    game.run(Command::AddCharacter(Box::new(ogre)));
    let fields = [("cn", "9"), ("ability", "agility")];
    let pick = group(&game, "skill", GroupKind::Worst, &fields).unwrap();
    assert_eq!(pick.who, game.id("Cy"));
    assert_eq!(pick.helpers, [game.id("Ana"), dee]);
}

#[test]
fn one_who_is_alone_rolls_without_help() {
    let game = Game::with(System::HeartRush, &[("Ana", &[])]);
    let pick = group(&game, "skill", GroupKind::Worst, &[("cn", "9")]).unwrap();
    assert!(!pick.filled.fields.flag("helped"));
    assert_eq!(pick.helpers, []);
}

#[test]
fn who_does_not_have_what_is_named_has_the_least_of_it() {
    let game = Game::with(
        System::Hearts,
        &[
            ("Ana", &[("skills", "Athletics 44, Brawn 90")]),
            ("Bo", &[("skills", "Brawn 67")]),
        ],
    );
    let pick = group(&game, "skill", GroupKind::Worst, &[("skill", "athletics")]).unwrap();
    assert_eq!(
        (pick.who, pick.filled.fields.number("skill")),
        (game.id("Bo"), 0)
    );
    let pick = group(&game, "skill", GroupKind::Best, &[("skill", "athletics")]).unwrap();
    assert_eq!(
        (pick.who, pick.filled.fields.number("skill")),
        (game.id("Ana"), 44)
    );
    let nobody = group(&game, "skill", GroupKind::Best, &[("skill", "sailing")]).unwrap_err();
    assert!(nobody.contains("there is no skill \"sailing\""), "{nobody}");
}

#[test]
fn in_a_group_the_others_add_competency_and_specialisation_to_the_highest_acs() {
    let game = Game::with(
        System::Hfrpg,
        &[
            (
                "Ana",
                &[
                    ("speed", "2"),
                    ("competencies", "Stealth 6"),
                    ("specialisations", "Ambush 2"),
                ],
            ),
            ("Bo", &[("speed", "6"), ("competencies", "Stealth 3")]),
            ("Cy", &[("speed", "4"), ("competencies", "Craft 4")]),
        ],
    );
    let fields = [
        ("attribute", "speed"),
        ("competency", "stealth"),
        ("specialisation", "ambush"),
    ];
    let pick = group(&game, "acs", GroupKind::Best, &fields).unwrap();
    // Ana's ACS is 2 + 6 + 2 = 10, Bo's 6 + 3 = 9, Cy's 4.
    assert_eq!(pick.who, game.id("Ana"));
    assert_eq!(pick.filled.fields.number("group"), 3);
    assert_eq!(pick.filled.source("group").unwrap().to_string(), "Bo, Cy");
}

#[test]
fn helpers_give_one_level_of_advantage_share_a_failure_and_have_acted() {
    let game = party();
    let before = game.state();
    let entry = game.roll(&Try {
        who: "Ana",
        fields: &[("cn", "9"), ("ability", "agility")],
        // d8, d6, and one d6 more of the advantage.
        faces: &[3, 2, 2],
        helpers: &["Bo", "Dee"],
        ..Try::default()
    });
    assert_eq!(effects(&entry), ["what goes wrong is shared with Bo, Dee"]);
    assert_eq!(
        (game.acted("Bo"), game.acted("Cy"), game.acted("Dee")),
        (true, false, true)
    );
    game.undo();
    assert_eq!(game.state(), before);
}

#[test]
fn nothing_is_shared_where_nothing_goes_wrong_and_a_complication_is() {
    let game = party();
    let climb = |faces: &[u8]| {
        let wish = Try {
            who: "Ana",
            fields: &[("cn", "9"), ("ability", "agility")],
            faces,
            helpers: &["Bo"],
            ..Try::default()
        };
        effects(&game.roll(&wish))
    };
    assert_eq!(climb(&[8, 5, 2]), Vec::<String>::new());
    let shared = climb(&[8, 1, 1, 4]);
    assert_eq!(
        shared,
        [
            "a complication happens",
            "what goes wrong is shared with Bo"
        ]
    );
}

#[test]
fn nobody_helps_a_check_of_their_own_or_from_far_away() {
    let game = party();
    let cy = game.id("Cy");
    game.run(Command::SetAbsent {
        who: cy,
        absent: true,
    });
    let climb = |helper| {
        let wish = Try {
            who: "Ana",
            fields: &[("cn", "9")],
            faces: &[8, 5, 2],
            helpers: &[helper],
            ..Try::default()
        };
        game.roll_as(&Seat::gm(), &wish).unwrap_err()
    };
    assert_eq!(climb("Ana"), "Ana makes the check; somebody else must help");
    assert_eq!(climb("Cy"), "Cy is absent and cannot help");
}

#[test]
fn the_rope_handler_brings_the_tens_of_the_skill_that_is_named() {
    let game = Game::with(
        System::Hearts,
        &[
            ("Climber", &[("skills", "Athletics 44")]),
            ("Tamsin", &[("skills", "Brawn 67, Athletics 20")]),
        ],
    );
    let wish = Try {
        who: "Climber",
        fields: &[("skill", "athletics"), ("assist", "Tamsin: Brawn")],
        faces: &[4, 9],
        helpers: &["Tamsin"],
        ..Try::default()
    };
    let roll = game.roll(&wish).roll().unwrap().clone();
    let outcome = roll.derive(System::Hearts).unwrap();
    assert_eq!((outcome.total, outcome.target), (Some(49), Some(50)));
    // Without a name the helper helps with the same skill.
    let wish = Try {
        fields: &[("skill", "athletics")],
        ..wish
    };
    let roll = game.roll(&wish).roll().unwrap().clone();
    assert_eq!(roll.derive(System::Hearts).unwrap().target, Some(46));
    let lent = roll.sources.iter().find(|(field, _)| field == "assist");
    assert_eq!(lent.unwrap().1.to_string(), "Tamsin: Athletics");
}

#[test]
fn what_stands_on_one_other_sheet_alone_is_named_without_the_owner() {
    let game = Game::with(
        System::Hearts,
        &[
            (
                "Ana",
                &[
                    ("skills", "Athletics 44"),
                    ("traits", "Bold 9, Cautious 12"),
                ],
            ),
            (
                "Bo",
                &[
                    ("skills", "Brawn 67, Athletics 20"),
                    ("traits", "Cautious 8"),
                ],
            ),
            (
                "Cy",
                &[("skills", "Athletics 30"), ("traits", "Empathetic 14")],
            ),
        ],
    );
    let source = |check, fields| {
        let wish = Try {
            who: "Ana",
            check,
            fields,
            faces: if check == "skill" {
                &[4, 9]
            } else {
                &[1, 2, 3, 4]
            },
            ..Try::default()
        };
        let made = game.roll_as(&Seat::gm(), &wish)?;
        let sources = made.roll().unwrap().sources.clone();
        let found = sources
            .into_iter()
            .find(|(field, _)| ["assist", "against"].contains(&field.as_str()));
        Ok::<_, String>(found.map(|(_, source)| source.to_string()))
    };
    let named = |name: &str| Ok(Some(name.to_owned()));
    assert_eq!(
        source("skill", &[("skill", "athletics"), ("assist", "brawn")]),
        named("Bo: Brawn")
    );
    let struggle: &[(&str, &str)] = &[("value", "cautious"), ("against", "bold")];
    assert_eq!(source("opposed-trait", struggle), named("Ana: Bold"));
    assert_eq!(
        source("opposed-trait", &[("value", "bold"), ("against", "14")]),
        Ok(None)
    );
    let several = source("skill", &[("skill", "athletics"), ("assist", "athletics")]);
    assert_eq!(
        several.unwrap_err(),
        "there is no assist \"athletics\"; it must be a number from 0 to 200 or one of Bo: Brawn, Bo: Athletics, Cy: Athletics"
    );
}

#[test]
fn aid_is_one_however_many_help() {
    let game = Game::with(
        System::FridayNightDungeon,
        &[("Ana", &[]), ("Bo", &[]), ("Cy", &[]), ("Dee", &[])],
    );
    let entry = game.roll(&Try {
        who: "Ana",
        check: "challenge",
        fields: &[("competence", "trained"), ("difficulty", "moderate")],
        faces: &[3, 3],
        helpers: &["Bo", "Cy", "Dee"],
        ..Try::default()
    });
    let roll = entry.roll().unwrap();
    assert_eq!(
        (roll.total, roll.outcome.as_str()),
        (Some(7), "consequence")
    );
}

#[test]
fn consequences_of_working_together_are_split_evenly() {
    let game = Game::with(System::Gnosis, &[("Ana", &[]), ("Bo", &[])]);
    let stress = |who: &str| {
        game.table.read(&Seat::gm(), |seen| {
            let id = seen.character_named(who).unwrap().id;
            let mut clocks = seen.clocks();
            let stress =
                clocks.find(|one| one.clock.owner == Some(id) && one.clock.name == "Stress");
            stress.unwrap().clock.filled
        })
    };
    let tried = |faces: &[u8]| {
        game.roll(&Try {
            who: "Ana",
            check: "strategy",
            fields: &[("difficulty", "16")],
            faces,
            helpers: &["Bo"],
            ..Try::default()
        })
    };
    // 10 against 16: a failure, one consequence for one Hero.
    tried(&[5, 3, 2]);
    assert_eq!((stress("Ana"), stress("Bo")), (1, 0));
    // 3 against 16: a critical failure, two consequences, one for each, and a Favor.
    let entry = tried(&[1, 1, 1]);
    assert_eq!((stress("Ana"), stress("Bo")), (2, 1));
    assert_eq!(game.tokens("Ana", TokenKind::Favor), 1);
    assert!(effects(&entry).contains(&"what goes wrong is shared with Bo".to_owned()));
}

#[test]
fn a_player_may_not_find_out_hidden_names_by_naming_helpers() {
    let game = party();
    let (ana, cy) = (game.id("Ana"), game.id("Cy"));
    game.run(Command::SetHidden {
        who: cy,
        hidden: true,
    });
    let wish = Try {
        who: "Ana",
        fields: &[("cn", "9")],
        faces: &[8, 5, 2],
        helpers: &["Cy"],
        ..Try::default()
    };
    let refused = game.roll_as(&player("ana", &[ana]), &wish).unwrap_err();
    assert!(!refused.contains("Cy"), "{refused}");
}

#[test]
fn who_works_together_in_gnosis_shares_the_consequences_evenly() {
    let game = Game::with(System::Gnosis, &[("Ana", &[]), ("Bo", &[]), ("Cy", &[])]);
    let pick = group(&game, "strategy", GroupKind::Best, &[("pain", "5")]).unwrap();
    assert_eq!(pick.who, game.id("Ana"));
    assert_eq!(pick.helpers, [game.id("Bo"), game.id("Cy")]);
    let alone = group(&game, "strategy", GroupKind::Worst, &[("pain", "5")]).unwrap();
    assert_eq!(alone.helpers, [], "no rule lets the weakest work for all");
}

#[test]
fn helpers_of_hfrpg_add_what_they_can_at_the_same_and_no_more_than_fits() {
    let game = Game::with(
        System::Hfrpg,
        &[
            ("Ana", &[("competencies", "Nature 2")]),
            (
                "Bo",
                &[
                    ("competencies", "Nature 3"),
                    ("specialisations", "Tracks 2"),
                ],
            ),
            ("Cy", &[("competencies", "Combat 4")]),
        ],
    );
    let who = game.id("Ana");
    let check = game.system.check("acs").unwrap();
    let helped = |helpers: &[&str]| {
        let helpers: Vec<_> = helpers.iter().map(|name| game.id(name)).collect();
        game.table.read(&Seat::gm(), |seen| {
            let mut filled = seen.fill(check, Some(who));
            let field = check.field("competency").unwrap();
            seen.fill_in(&mut filled, Some(who), field, "nature")
                .unwrap();
            seen.help(&mut filled, Some(who), &helpers).unwrap();
            let source = filled.source("group").map(ToString::to_string);
            (filled.fields.number("group"), source)
        })
    };
    assert_eq!(helped(&[]), (0, None));
    assert_eq!(helped(&["Bo"]), (3, Some("Bo".to_owned())));
    assert_eq!(helped(&["Bo", "Cy"]), (3, Some("Bo, Cy".to_owned())));
}

#[test]
fn a_table_may_count_the_groups_help_apart_from_its_advantage() {
    let game = party();
    let pick = |game: &Game| {
        let fields = [("cn", "9"), ("ability", "agility")];
        group(game, "skill", GroupKind::Worst, &fields)
            .unwrap()
            .filled
    };
    let plain = pick(&game);
    assert_eq!(
        (
            plain.fields.number("advantage"),
            plain.fields.flag("helped")
        ),
        (0, true)
    );
    game.run(Command::SetHouse {
        rule: "group-help".into(),
        value: "two".into(),
    });
    let two = pick(&game);
    assert_eq!(
        (two.fields.number("advantage"), two.fields.flag("helped")),
        (1, true)
    );
    assert_eq!(two.name_of("advantage"), Some("the group"));
}

#[test]
fn a_skill_is_the_competence_before_a_better_ability_score_if_the_table_says_so() {
    let sheet: &[(&str, &str)] = &[("strength", "2"), ("skills", "Climbing 1")];
    let game = Game::with(System::FridayNightDungeon, &[("Ana", sheet)]);
    let wish = Try {
        who: "Ana",
        check: "challenge",
        fields: &[
            ("competence", "strength, climbing"),
            ("difficulty", "moderate"),
        ],
        faces: &[2, 3],
        ..Try::default()
    };
    let target = |game: &Game| {
        let entry = game.roll(&wish);
        let outcome = entry.roll().unwrap().derive(System::FridayNightDungeon);
        outcome.unwrap().target
    };
    assert_eq!(target(&game), Some(1), "a master is two steps above");
    game.run(Command::SetHouse {
        rule: "competence".into(),
        value: "skill".into(),
    });
    assert_eq!(target(&game), Some(10), "a novice is one step below");
}

fn check_with_help(system: System, mut wish: Try<'_>) -> (Vec<String>, bool) {
    wish.who = "Ana";
    wish.helpers = &["Bo"];
    let skilled: &[(&str, &str)] = match system {
        System::Hearts => &[("skills", "Climbing 44")],
        System::FridayNightDungeon => &[("skills", "Climbing 2")],
        System::Hfrpg => &[("competencies", "Climbing 2")],
        System::HeartRush | System::Gnosis => &[],
    };
    let game = Game::with(system, &[("Ana", skilled), ("Bo", skilled)]);
    let entry = game.roll(&wish);
    (effects(&entry), game.acted("Bo"))
}

#[test]
fn what_helpers_share_and_whether_they_have_acted_each_system_says_itself() {
    let shared = "what goes wrong is shared with Bo".to_owned();
    let climbing = Try {
        fields: &[("ability", "agility"), ("cn", "12")],
        faces: &[2, 2, 2],
        ..Try::default()
    };
    assert_eq!(
        check_with_help(System::HeartRush, climbing),
        (vec![shared.clone()], true)
    );
    let athletics = Try {
        fields: &[("skill", "climbing")],
        faces: &[5, 9],
        ..Try::default()
    };
    assert_eq!(check_with_help(System::Hearts, athletics), (vec![], false));
    let challenge = Try {
        check: "challenge",
        fields: &[("competence", "climbing"), ("difficulty", "moderate")],
        faces: &[3, 3],
        ..Try::default()
    };
    let consequence = "1 consequence, told only".to_owned();
    assert_eq!(
        check_with_help(System::FridayNightDungeon, challenge),
        (vec![consequence], false)
    );
    let acs = Try {
        check: "acs",
        fields: &[("attribute", "1"), ("competency", "climbing")],
        faces: &[2],
        ..Try::default()
    };
    assert_eq!(check_with_help(System::Hfrpg, acs), (vec![], false));
    // One consequence is the roller's; the second is the helper's.
    let strategy = |risk, faces| Try {
        check: "strategy",
        fields: risk,
        faces,
        ..Try::default()
    };
    let pain: &[(&str, &str)] = &[("difficulty", "16"), ("risk", "bloody")];
    assert_eq!(
        check_with_help(System::Gnosis, strategy(pain, &[5, 5, 5])),
        (vec!["1 consequence of Blood".to_owned()], true)
    );
    assert_eq!(
        check_with_help(System::Gnosis, strategy(pain, &[2, 2, 2])),
        (
            vec![
                "2 consequences of Blood".to_owned(),
                "Ana: gains 1 Favor".to_owned(),
                shared
            ],
            true
        )
    );
}

#[test]
fn nobody_helps_where_the_rules_let_nobody_help() {
    let refused = |system, check, fields: &[(&str, &str)]| {
        let traits: &[(&str, &str)] = match system {
            System::Hearts => &[("traits", "Brave 10"), ("quantities", "Rope 4")],
            _ => &[],
        };
        let game = Game::with(system, &[("Ana", traits), ("Bo", &[])]);
        let wish = Try {
            who: "Ana",
            check,
            fields,
            helpers: &["Bo"],
            ..Try::default()
        };
        let refused = game.roll_as(&Seat::gm(), &wish).unwrap_err();
        let called = game.refused(Command::Call {
            group: false,
            who: vec![game.id("Ana")],
            check: check.into(),
            fields: Vec::new(),
            helpers: vec![game.id("Bo")],
            shown: false,
        });
        assert_eq!(refused, called);
        assert!(!game.acted("Bo"));
        refused
    };
    let cn = [("cn", "12")];
    assert_eq!(
        refused(System::HeartRush, "stratagem", &cn),
        "Stratagem: nobody can help with it; leave the helpers out"
    );
    assert_eq!(
        refused(System::HeartRush, "save", &cn),
        "Saving throw: nobody can help with it; leave the helpers out"
    );
    for (check, label) in [("trait", "Trait check"), ("quantity", "Quantity check")] {
        assert_eq!(
            refused(System::Hearts, check, &[]),
            format!("{label}: nobody can help with it; leave the helpers out")
        );
    }
}

#[test]
fn who_assists_has_the_relevant_skill() {
    let game = Game::with(
        System::Hearts,
        &[
            ("Ann", &[("skills", "Athletics 44")]),
            ("Rope", &[("skills", "Brawn 67, Knots 30")]),
            ("Cy", &[]),
            ("Dee", &[("skills", "Athletics 71")]),
        ],
    );
    let climb = |assist: &[(&str, &str)], helpers: &[&str]| {
        let fields = [&[("skill", "athletics")], assist].concat();
        let wish = Try {
            who: "Ann",
            fields: &fields,
            faces: &[5, 0],
            helpers,
            ..Try::default()
        };
        let entry = game.roll_as(&Seat::gm(), &wish)?;
        let told = entry.roll().unwrap().derive(System::Hearts).unwrap();
        Ok::<_, String>(told.target.unwrap())
    };
    assert_eq!(
        climb(&[], &["Rope"]).unwrap_err(),
        "Rope has no Athletics to help with; name one of Brawn, Knots in assist: Rope: …"
    );
    assert_eq!(
        climb(&[("assist", "Rope: brawn")], &["Rope", "Cy"]).unwrap_err(),
        "Cy has no skill to help with; somebody else must help"
    );
    assert_eq!(climb(&[("assist", "Rope: brawn")], &["Rope"]), Ok(50));
    assert_eq!(climb(&[], &["Dee"]), Ok(51));
    assert_eq!(climb(&[("assist", "67")], &["Rope"]), Ok(50));
}
