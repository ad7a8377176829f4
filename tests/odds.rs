//! Exact odds: the probabilities that the rule pages print, fraction for fraction.
//!
//! Each file in `tests/odds` holds the rows of one system. A row gives fields, house rules and answers
//! to choices, and the fractions that must come out; `success` and `mean` where the pages print them.

#![cfg(test)]

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tableside::rules::{Fields, House, Odds, Policy, System, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    system: String,
    row: Vec<Row>,
}

#[derive(Deserialize)]
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
