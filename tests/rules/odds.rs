//! Exact odds: the probabilities that the rule pages print, fraction for fraction.
//!
//! Each file in `tests/odds` holds the rows of one system. A row gives fields, house rules and answers
//! to choices, and the fractions that must come out; `success` and `mean` where the pages print them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tableside::dice::{
    Die, Distribution, Fraction, Group, Keep, Natural, Pool, Reading, Role, See,
};
use tableside::rules::{Fields, House, Odds, Policy, System, Value, forecast};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    system: String,
    row: Vec<Row>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    check: String,
    #[serde(default)]
    fields: BTreeMap<String, Value>,
    #[serde(default)]
    rules: BTreeMap<String, Value>,
    #[serde(default)]
    choose: Vec<String>,
    #[serde(default)]
    outcomes: BTreeMap<String, String>,
    success: Option<String>,
    mean: Option<String>,
    max: Option<i64>,
    /// The mean of what a clock would be filled by.
    levels: Option<String>,
    /// Six decimals instead of fractions, where a page prints only those.
    rounded: Option<BTreeMap<String, f64>>,
}

impl Row {
    fn odds(&self, system: System) -> Odds {
        let spec = system.check(&self.check).unwrap();
        let fields = Fields::new(spec, self.fields.clone()).unwrap();
        let mut house = House::default();
        for (id, value) in &self.rules {
            house.set(system, id, value.clone()).unwrap();
        }
        let check = (spec.prepare)(&fields, &house).unwrap();
        Odds::of(spec, &*check, &Policy::new(self.choose.clone())).unwrap()
    }

    fn holds(&self, system: System) {
        let odds = self.odds(system);
        let what = format!("{system} {} {:?}", self.check, self.fields);
        let spec = system.check(&self.check).unwrap();
        let chance = |id: &str| {
            let outcome = spec.outcome_named(id).unwrap();
            let found = odds.outcomes.iter().find(|(known, _)| *known == outcome);
            found.unwrap().1.clone()
        };
        for (id, fraction) in &self.outcomes {
            assert_eq!(chance(id).to_string(), *fraction, "{what}: {id}");
        }
        for (id, rounded) in self.rounded.iter().flatten() {
            let difference = (chance(id).to_f64() - rounded).abs();
            assert!(
                difference <= 0.000_000_51,
                "{what}: {id} is {}",
                chance(id).to_f64()
            );
        }
        if let Some(success) = &self.success {
            assert_eq!(odds.success.unwrap().to_string(), *success, "{what}");
        }
        if let Some(mean) = &self.mean {
            assert_eq!(
                odds.total.as_ref().unwrap().mean.to_string(),
                *mean,
                "{what}"
            );
        }
        if let Some(max) = self.max {
            assert_eq!(odds.total.unwrap().max, Some(max), "{what}");
        }
        if let Some(levels) = &self.levels {
            assert_eq!(odds.levels.mean().to_string(), *levels, "{what}");
        }
    }
}

fn every_row_of(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/odds")
        .join(file);
    let table: Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let system: System = table.system.parse().unwrap();
    for row in &table.row {
        row.holds(system);
    }
}

#[test]
fn heart_rush_has_the_odds_of_its_page() {
    every_row_of("heart-rush.toml");
}

#[test]
fn hearts_has_the_odds_of_its_page() {
    every_row_of("hearts.toml");
}

#[test]
fn friday_night_dungeon_has_the_odds_of_its_page() {
    every_row_of("friday-night-dungeon.toml");
}

#[test]
fn hfrpg_has_the_odds_of_its_page() {
    every_row_of("hfrpg.toml");
}

#[test]
fn gnosis_has_the_odds_of_its_page() {
    every_row_of("gnosis.toml");
}

#[test]
fn a_roll_whose_tokens_were_placed_has_its_luck_among_all_rolls() {
    use tableside::rules::{Answer, ChosenBy, Fields, House, System, Value, luck};
    let spec = System::Hfrpg.check("acs").expect("HFRPG has it");
    let given = [("attribute", 3), ("competency", 2), ("bonus", 2)];
    let given = given.map(|(name, number)| (name, Value::Number(number)));
    let fields = Fields::new(spec, given).expect("as described");
    let check = (spec.prepare)(&fields, &House::default()).expect("allowed");
    let mut trail = vec![Answer::Faces(vec![2, 5, 3])];
    trail.push(Answer::Chose {
        choice: "placing".into(),
        chose: "0,2,0".into(),
        by: ChosenBy::Player,
    });
    let luck = luck(&*check, &fields, &House::default(), &trail)
        .expect("told")
        .expect("resolved")
        .to_f64();
    assert!(0.0 < luck && luck < 0.5, "{luck}");
}

fn pool(die: Die, count: u8, keep: Keep, see: See) -> Pool {
    let group = Group {
        die,
        count,
        role: Role::Pool,
    };
    Pool {
        dice: vec![group],
        keep,
        see,
    }
}

/// The chance of the readings that `which` accepts.
fn chance(pool: &Pool, which: impl Fn(&Reading) -> bool) -> Fraction {
    let readings = pool.readings();
    let found = readings.iter().filter(|(reading, _)| which(reading));
    let ways: Natural = found.map(|(_, ways)| ways).sum();
    Fraction::new(&ways, readings.total())
}

#[test]
fn net_explosions_are_as_likely_as_net_implosions() {
    for (count, expected) in [(1, "1/8"), (2, "13/64"), (3, "65/256"), (4, "1181/4096")] {
        let pool = pool(Die::D8, count, Keep::All, See::Counts);
        let net = |reading: &Reading| {
            let Reading::Counts(faces) = reading else {
                panic!("{reading:?}")
            };
            // From the highest face down.
            let tops = faces.partition_point(|&face| face == 8);
            let ones = faces.len() - faces.partition_point(|&face| face > 1);
            tops.cmp(&ones)
        };
        let exploding = chance(&pool, |reading| net(reading).is_gt());
        assert_eq!(exploding.to_string(), expected);
        assert_eq!(chance(&pool, |reading| net(reading).is_lt()), exploding);
    }
}

#[test]
fn three_combat_dice_show_a_sword_in_nineteen_of_twenty_seven() {
    let pool = pool(Die::D6, 3, Keep::All, See::Counts);
    let sword = |reading: &Reading| matches!(reading, Reading::Counts(faces) if faces[0] >= 5);
    assert_eq!(chance(&pool, sword).to_string(), "19/27");
}

#[test]
fn the_means_of_pain_pools_are_those_of_the_page() {
    let means = [
        16.5, 19.4667, 21.4583, 22.8786, 23.9417, 24.7667, 25.4250, 25.9621, 26.4083, 26.7845,
    ];
    for (dice, mean) in (3..).zip(means) {
        let readings = pool(Die::D10, dice, Keep::Highest(3), See::Sum).readings();
        let ways = readings.iter().map(|(reading, ways)| match reading {
            Reading::Sum(sum) => ((*sum).into(), ways.clone()),
            other => panic!("{other:?}"),
        });
        let spread = Distribution::new(ways.collect(), readings.total().clone());
        let difference = (spread.mean().to_f64() - mean).abs();
        assert!(difference < 0.000_051, "{dice} dice: {}", spread.mean());
    }
}

#[test]
fn the_theme_of_the_castle_is_most_often_power() {
    let highest = |die, count, keep| pool(die, count, keep, See::SumAndMax).readings();
    let pools = [
        highest(Die::D12, 2, Keep::Highest(1)),
        highest(Die::D10, 3, Keep::Highest(1)),
        highest(Die::D8, 4, Keep::Highest(1)),
        highest(Die::D10, 5, Keep::Highest(3)),
    ];
    let at_most = |index: usize, face: u8| {
        let found = pools[index].iter().filter(
            |(reading, _)| matches!(reading, Reading::SumAndMax { max, .. } if *max <= face),
        );
        let ways: Natural = found.map(|(_, ways)| ways).sum();
        Fraction::new(&ways, pools[index].total())
    };
    // The chance that this pool alone has the highest die.
    let alone = |index: usize| {
        (1..=12).fold(Fraction::ZERO, |sum, face| {
            let mine = &at_most(index, face) - &at_most(index, face - 1);
            let others = (0..4).filter(|&other| other != index);
            let below = others.fold(mine, |chance, other| &chance * &at_most(other, face - 1));
            &sum + &below
        })
    };
    for (index, expected) in [(0, 0.3862), (1, 0.1281), (2, 0.0094), (3, 0.2404)] {
        let chance = alone(index).to_f64();
        assert!((chance - expected).abs() < 0.000_051, "{index}: {chance}");
    }
}

#[test]
fn the_clock_of_the_castle_is_full_when_its_effect_levels_say() {
    let fields = [
        ("power-tier", 1),
        ("precision-tier", 2),
        ("possibility-tier", 3),
        ("pain", 5),
    ];
    let row = Row {
        check: "strategy".into(),
        fields: fields
            .map(|(name, number)| (name.to_owned(), Value::Number(number)))
            .into(),
        ..Row::default()
    };
    let odds = row.odds(System::Gnosis);
    assert!((odds.levels.mean().to_f64() - 0.863_015).abs() < 0.000_000_51);
    let forecast = forecast(&odds.levels, 0, 2);
    // After one roll, only a critical success; in the mean, more than one and less than three rolls.
    assert_eq!(forecast.rolls[0], odds.outcomes[0].1);
    assert!(forecast.rolls.is_sorted());
    assert!(forecast.rolls.last().unwrap().to_f64() > 0.99);
    let mean = forecast.mean.unwrap().to_f64();
    assert!(1.0 < mean && mean < 3.0, "{mean}");
}

#[test]
fn any_critical_is_commoner_among_amateurs() {
    let critical = |tier: i32, pain: i32| {
        let tiers = ["power-tier", "precision-tier", "possibility-tier"];
        let fields = tiers.map(|name| (name.to_owned(), Value::Number(tier)));
        let mut row = Row {
            check: "strategy".into(),
            fields: fields.into(),
            ..Row::default()
        };
        row.fields.insert("pain".into(), Value::Number(pain));
        let odds = row.odds(System::Gnosis);
        (&odds.outcomes[0].1 + &odds.outcomes[4].1).to_f64()
    };
    assert!((critical(0, 3) - 0.3682).abs() < 0.000_051);
    assert!((critical(3, 9) - 0.1177).abs() < 0.000_051);
}
