//! Exact odds: the probabilities that the rule pages print, fraction for fraction.
//!
//! Each file in `tests/odds` holds the rows of one system. A row gives fields, house rules and answers
//! to choices, and the fractions that must come out; `success` and `mean` where the pages print them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use rstest::rstest;
use serde::Deserialize;
use tableside::rules::{
    Answer, ChosenBy, Fields, HouseRules, Odds, Policy, System, Value, forecast, luck,
};

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
        let mut house = HouseRules::default();
        for (id, value) in &self.rules {
            house.set(system, id, value.clone()).unwrap();
        }
        let check = spec.prepare(&fields, &house).unwrap();
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
            let difference = (chance(id).to_f64().value() - rounded).abs();
            assert!(difference <= 0.000_000_51, "{what}: {id}, {difference}");
        }
        if let Some(success) = &self.success {
            assert_eq!(odds.success.unwrap().to_string(), *success, "{what}");
        }
        if let Some(mean) = &self.mean {
            let total = odds.total.as_ref().unwrap();
            assert_eq!(total.mean.to_string(), *mean, "{what}");
        }
        if let Some(max) = self.max {
            assert_eq!(odds.total.unwrap().max, Some(max), "{what}");
        }
        if let Some(levels) = &self.levels {
            assert_eq!(odds.levels.mean().to_string(), *levels, "{what}");
        }
    }
}

#[rstest]
fn a_system_has_the_odds_of_its_page(#[files("tests/odds/*.toml")] file: PathBuf) {
    let table: Table = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let system: System = table.system.parse().unwrap();
    for row in &table.row {
        row.holds(system);
    }
}

#[test]
fn a_roll_whose_tokens_were_placed_has_its_luck_among_all_rolls() {
    let spec = System::HFRPG.check("acs").expect("HFRPG has it");
    let given = [("attribute", 3), ("competency", 2), ("bonus", 2)];
    let given = given.map(|(name, number)| (name, Value::Number(number)));
    let fields = Fields::new(spec, given).expect("as described");
    let check = spec
        .prepare(&fields, &HouseRules::default())
        .expect("allowed");
    let mut trail = vec![Answer::Faces(vec![2, 5, 3])];
    trail.push(Answer::Chose {
        choice: "placing".into(),
        chose: "0,2,0".into(),
        by: ChosenBy::Player,
    });
    let luck = luck(&*check, &fields, &HouseRules::default(), &trail)
        .expect("told")
        .expect("resolved")
        .to_f64()
        .value();
    assert!(0.0 < luck && luck < 0.5, "{luck}");
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
    let odds = row.odds(System::GNOSIS);
    assert!((odds.levels.mean().to_f64().value() - 0.863_015).abs() < 0.000_000_51);
    let forecast = forecast(&odds.levels, 0, 2);
    // After one roll, only a critical success; in the mean, more than one and less than three rolls.
    assert_eq!(forecast.rolls[0], odds.outcomes[0].1);
    assert!(forecast.rolls.is_sorted());
    assert!(forecast.rolls.last().unwrap().to_f64().value() > 0.99);
    let mean = forecast.mean.unwrap();
    assert!(1.0 < mean && mean < 3.0, "{mean}");
}
