//! Fights: the roll for initiative, the order of turns, conditions that end with turns, and the end of the fight.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tableside::game::{
    Allegiance, Character, CharacterId, Command, Condition, ConditionEnd, EventKind, Initiative,
    InitiativeCommand,
};
use tableside::rules::{Sheet, System, Value};
use tableside::table::{Act, Part, Seat};

use super::around::{TestGame, player};

/// A 5e game with two heroes, two goblins and an ogre that players do not see.
fn game() -> TestGame {
    let game = TestGame::new(System::FIVE_E);
    for (name, side, dexterity) in [
        ("Cael", Allegiance::Party, 14),
        ("Dara", Allegiance::Party, 8),
        ("Goblin 1", Allegiance::Adversary, 14),
        ("Goblin 2", Allegiance::Adversary, 14),
        ("Ogre", Allegiance::Adversary, 8),
    ] {
        let mut sheet = Sheet::new(System::FIVE_E);
        sheet.set("dexterity", Value::Number(dexterity)).unwrap();
        game.run(Command::add(Character {
            side,
            hidden: name == "Ogre",
            ..Character::new(name, sheet)
        }));
    }
    game
}

fn everybody(game: &TestGame) -> Vec<CharacterId> {
    game.look(|seen| seen.roster().map(|one| one.id).collect())
}

fn roll_for_all(game: &TestGame) {
    game.run(Command::Initiative(InitiativeCommand {
        rolls: everybody(game),
        set: Vec::new(),
    }));
}

/// Puts these characters into the order of turns, the first one first.
fn order(game: &TestGame, names: &[&str]) {
    let set = names.iter().zip((1..=20).rev());
    let set = set.map(|(name, number)| (game.id(name), Some(Initiative::from(number))));
    game.run(Command::Initiative(InitiativeCommand {
        rolls: Vec::new(),
        set: set.collect(),
    }));
}

fn current(game: &TestGame) -> String {
    game.look(|seen| {
        let turns = seen.turns();
        turns
            .first()
            .map_or_else(String::new, |one| one.name.clone())
    })
}

fn wound(game: &TestGame, name: &str) {
    game.run(Command::SetStat {
        who: game.id(name),
        stat: "hit-points".to_owned(),
        value: Value::Number(0),
    });
}

#[test]
fn one_roll_for_all_is_one_entry_that_undo_takes_back() {
    let game = game();
    let before = game.state();
    roll_for_all(&game);

    let entry = game.look(|seen| seen.log().next().unwrap());
    let EventKind::Initiative { rolls, .. } = &entry.event.what else {
        panic!("{:?}", entry.event.what);
    };
    assert_eq!(rolls.len(), 5);
    for rolled in rolls {
        let who = game.look(|seen| seen.character(rolled.roll.id.unwrap()).unwrap().clone());
        assert_eq!(who.initiative, Some(rolled.initiative));
        let total = rolled.roll.derive(game.system).unwrap().total.unwrap();
        assert!(rolled.initiative >= Initiative::from(total));
        assert!(rolled.initiative < Initiative::from(total + 1));
    }
    let (round, dice) = game.look(|seen| {
        let (_, parts) = seen.explain(entry.number).unwrap();
        let dice = parts
            .iter()
            .filter(|part| matches!(part, Part::Dice(dice) if dice.len() == 1));
        (seen.round, dice.count())
    });
    assert_eq!((round, dice), (1, 5));

    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(game.state(), before);
    assert_eq!(game.look(|seen| seen.round), 0);
    game.act(&Seat::gm(), &Act::Redo).unwrap();
    assert!(game.look(|seen| seen.has_turn_order()));
}

#[test]
fn players_read_the_rolls_of_those_they_know() {
    let game = game();
    roll_for_all(&game);
    let cael = player("cael", &[game.id("Cael")]);
    for seat in [cael, Seat::onlooker()] {
        let told = game.table.read(&seat, |seen| {
            let entry = seen.log().next().unwrap();
            let (text, parts) = seen.explain(entry.number).unwrap();
            assert_eq!(
                entry
                    .event
                    .changes
                    .iter()
                    .filter(|one| format!("{one:?}").contains("Ogre"))
                    .count(),
                0
            );
            format!("{text} {parts:?} {:?}", entry.event)
        });
        assert!(told.contains("Goblin 1") && told.contains("Cael"), "{told}");
        assert!(!told.contains("Ogre"), "{told}");
    }

    // Nothing at all is read of a roll that only the hidden made.
    let game = self::game();
    let rolls = vec![game.id("Ogre")];
    game.run(Command::Initiative(InitiativeCommand {
        rolls,
        set: Vec::new(),
    }));
    let newest = game
        .table
        .read(&Seat::onlooker(), |seen| seen.log().next().is_some());
    assert!(!newest);
}

#[test]
fn of_equal_totals_the_higher_stat_acts_first_and_equal_stats_stay_tied() {
    let mut tied = BTreeSet::new();
    for _ in 0..300 {
        let game = game();
        let rolls = everybody(&game);
        for _ in 0..40 {
            game.run(Command::Initiative(InitiativeCommand {
                rolls: rolls.clone(),
                set: Vec::new(),
            }));
            let entry = game.look(|seen| seen.log().next().unwrap());
            let EventKind::Initiative { rolls, .. } = &entry.event.what else {
                panic!();
            };
            for (place, one) in rolls.iter().enumerate() {
                for other in &rolls[place + 1..] {
                    if one.roll.total != other.roll.total {
                        continue;
                    }
                    let stat = |who: &str| game.named(who).sheet.number("dexterity");
                    let (first, second) = (stat(&one.roll.who), stat(&other.roll.who));
                    assert!(first >= second);
                    assert_eq!(first == second, one.initiative == other.initiative);
                    tied.insert(first == second);
                }
            }
        }
        if tied.len() == 2 {
            return;
        }
    }
    panic!("both kinds of ties were expected");
}

#[test]
fn a_hero_at_zero_hit_points_keeps_the_turn_for_a_death_save_and_goblins_do_not() {
    let game = game();
    order(&game, &["Cael", "Goblin 1", "Dara", "Goblin 2"]);
    assert_eq!(current(&game), "Cael");
    wound(&game, "Goblin 1");
    wound(&game, "Dara");

    game.run(Command::EndTurn);
    assert_eq!(game.last(), "Dara's turn; death save");
    let due = game.look(|seen| seen.due_in_turn(seen.character_named("Dara").unwrap()));
    assert_eq!(due, ["death save"]);

    game.run(Command::EndTurn);
    assert_eq!(game.last(), "Goblin 2's turn");
    game.run(Command::EndTurn);
    assert_eq!(game.last(), "Round 2: Cael's turn");

    // A goblin that missed its turn does not get it when it stands up later in the round.
    game.run(Command::EndTurn);
    game.run(Command::Heal {
        who: game.id("Dara"),
        amount: 1,
    });
    game.run(Command::SetConditions {
        who: game.id("Goblin 1"),
        conditions: Vec::new(),
    });
    game.run(Command::Heal {
        who: game.id("Goblin 1"),
        amount: 5,
    });
    assert_eq!(current(&game), "Dara");
}

#[test]
fn conditions_end_at_the_start_or_the_end_of_the_turn_that_they_name() {
    let game = game();
    order(&game, &["Cael", "Dara"]);
    let condition = |name: &str, ends, turns| Condition {
        ends,
        ..Condition::new(name, None, turns)
    };
    let dara = game.id("Dara");
    game.run(Command::SetConditions {
        who: dara,
        conditions: vec![
            condition("slowed", ConditionEnd::TurnStart, None),
            condition("dazed", ConditionEnd::TurnEnd, None),
            condition("marked", ConditionEnd::TurnEnd, Some(2)),
            condition("poisoned", ConditionEnd::Round, Some(1)),
        ],
    });
    let names = || {
        let dara = game.named("Dara");
        let names: Vec<String> = dara.conditions.into_iter().map(|one| one.name).collect();
        names.join(" ")
    };

    let before = game.state();
    game.run(Command::EndTurn);
    assert_eq!(
        game.last(),
        "Dara's turn; Dara is no longer slowed, dazed ends after this turn"
    );
    assert_eq!(names(), "dazed marked poisoned");
    game.run(Command::EndTurn);
    assert_eq!(
        game.last(),
        "Round 2: Cael's turn; Dara is no longer dazed, Dara is no longer poisoned"
    );
    assert_eq!(names(), "marked");
    game.run(Command::EndTurn);
    game.run(Command::EndTurn);
    assert_eq!(names(), "");
    for _ in 0..4 {
        game.act(&Seat::gm(), &Act::Undo).unwrap();
    }
    assert_eq!(game.state(), before);
}

#[test]
fn the_end_of_a_fight_clears_the_order_and_can_be_taken_back() {
    let game = game();
    order(&game, &["Cael", "Goblin 1"]);
    game.run(Command::EndTurn);
    let before = game.state();
    game.run(Command::EndFight);
    assert_eq!(game.last(), "The fight ended in round 1");
    let is_clear = game.look(|seen| {
        let mut roster = seen.roster();
        seen.round == 0 && roster.all(|one| one.initiative.is_none() && !one.acted)
    });
    assert!(is_clear);

    let refused = game.act(&Seat::gm(), &Command::EndFight.into());
    assert_eq!(refused.unwrap_err(), "no fight is going on");
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(game.state(), before);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    /// The order stands still, each combatant that can act does so once in a round, and no other one does.
    #[test]
    fn each_round_gives_one_turn_to_those_who_can_act(
        numbers in prop::collection::vec((0_i32..30, any::<bool>(), any::<bool>()), 1..9),
        rounds in 1_usize..4,
    ) {
        let game = TestGame::new(System::FIVE_E);
        let mut names = Vec::new();
        for (place, (_, is_hero, is_down)) in numbers.iter().enumerate() {
            let name = format!("Fighter {place}");
            let side = if *is_hero { Allegiance::Party } else { Allegiance::Adversary };
            let sheet = Sheet::new(System::FIVE_E);
            game.run(Command::add(Character { side, ..Character::new(&name, sheet) }));
            if *is_down {
                wound(&game, &name);
            }
            names.push(name);
        }
        let set = names.iter().zip(&numbers);
        let set = set.map(|(name, (number, ..))| (game.id(name), Some((*number).into())));
        game.run(Command::Initiative(InitiativeCommand { rolls: Vec::new(), set: set.collect() }));

        let order = || game.look(|seen| {
            let order = seen.turn_order();
            order.iter().map(|one| one.id).collect::<Vec<_>>()
        });
        let due: Vec<CharacterId> = order()
            .into_iter()
            .filter(|id| {
                let place = names.iter().position(|name| game.id(name) == *id).unwrap();
                let (_, is_hero, is_down) = numbers[place];
                is_hero || !is_down
            })
            .collect();
        let before = order();
        for round in 1..=rounds {
            for expected in &due {
                let now = game.look(|seen| (seen.turns().first().map(|one| one.id), seen.round));
                prop_assert_eq!(now, (Some(*expected), u32::try_from(round).unwrap()));
                game.run(Command::EndTurn);
                prop_assert_eq!(order(), before.clone());
            }
            if due.is_empty() {
                game.run(Command::EndTurn);
            }
        }
    }
}

/// The value that the conditions of a character give to a field of a check.
fn modifier(game: &TestGame, who: &str, check: &'static str, field: &str) -> Option<i32> {
    let check = game.system.check(check).unwrap();
    game.look(|seen| {
        seen.fill(check, Some(game.id(who)))
            .fields
            .maybe_number(field)
    })
}

#[test]
fn a_condition_touches_only_the_checks_that_it_names() {
    let game = game();
    for (condition, check, attack, initiative) in [
        ("prone", 0, 1, 0),
        ("blinded", 0, 1, 0),
        ("restrained", 0, 1, 0),
        ("poisoned", 1, 1, 1),
        ("incapacitated", 0, 0, 1),
        ("stunned", 0, 0, 1),
    ] {
        game.run(Command::SetConditions {
            who: game.id("Cael"),
            conditions: vec![Condition::new(condition, None, None)],
        });
        let disadvantages = ["check", "attack", "initiative"]
            .map(|check| modifier(&game, "Cael", check, "disadvantage").unwrap());
        assert_eq!(disadvantages, [check, attack, initiative], "{condition}");
    }

    game.run(Command::SetConditions {
        who: game.id("Cael"),
        conditions: vec![Condition::new("exhaustion", Some(3), None)],
    });
    for check in [
        "check",
        "save",
        "attack",
        "death-save",
        "concentration",
        "initiative",
    ] {
        assert_eq!(
            modifier(&game, "Cael", check, "exhaustion"),
            Some(3),
            "{check}"
        );
    }
}

#[test]
fn hit_dice_follow_the_level() {
    let game = game();
    let dice = |game: &TestGame| {
        game.look(|seen| {
            let owner = Some(game.id("Cael"));
            let pool = seen.pools_of(owner).find(|pool| pool.name == "Hit Dice");
            pool.map(|pool| (pool.tokens, pool.start)).unwrap()
        })
    };
    let set_level = |level: i32| {
        game.run(Command::SetStat {
            who: game.id("Cael"),
            stat: "level".to_owned(),
            value: Value::Number(level),
        });
    };
    assert_eq!(dice(&game), (1, 1));
    set_level(5);
    assert_eq!(dice(&game), (5, 5));
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(dice(&game), (1, 1));

    // Spent dice stay spent, and a new character begins with the dice of its level.
    set_level(4);
    let pool = game.look(|seen| {
        let mut pools = seen.pools_of(Some(game.id("Cael")));
        pools.find(|pool| pool.name == "Hit Dice").unwrap().id
    });
    game.run(Command::Tokens { pool, by: -3 });
    set_level(5);
    assert_eq!(dice(&game), (2, 5));
}

#[test]
fn the_title_of_an_attack_names_no_value_that_the_rules_derive() {
    let game = game();
    let title = |words: &str| {
        let act = game
            .look(|seen| tableside::commands::parse_act(words, seen))
            .unwrap();
        game.act(&Seat::gm(), &act).unwrap();
        game.look(|seen| {
            let entry = seen.log().next().unwrap();
            let roll = entry.event.what.resolved().unwrap();
            roll.tested(game.system).unwrap().title(&roll.who)
        })
    };
    assert_eq!(
        title("roll Cael attack against Goblin 1"),
        "Cael attacks Goblin 1"
    );
    // The player picked this ability.
    assert_eq!(
        title("roll Cael attack strength against Goblin 1"),
        "Cael attacks Goblin 1, Strength"
    );
}
