//! Odds against a second, slow count: every raw face of every die, rolled one by one through the rules as
//! the pages put them. It shares no code with pools, machines or driver.
//!
//! Each check is tried at 64 random settings of its fields; `ODDS_CASES=1000 cargo test --test rules by_faces`
//! tries a thousand. What is around the dice is played in `tests/evenings`.

mod fall;
mod friday_night_dungeon;
mod gnosis;
mod heart_rush;
mod hearts;
mod hfrpg;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use tableside::rules::{Fields, HouseRules, Odds, Policy, System};

use fall::{Counted, Share};

/// How a check ends: its outcome, whether that is a success, and its total, where totals are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    outcome: &'static str,
    success: bool,
    total: Option<i32>,
}

/// A random setting, as words of the command line.
#[derive(Clone, Debug)]
struct Given(BTreeMap<&'static str, &'static str>);

impl Given {
    fn text(&self, id: &str) -> &'static str {
        self.0.get(id).copied().unwrap_or_default()
    }

    fn number(&self, id: &str) -> i32 {
        self.text(id).parse().unwrap_or(0)
    }

    fn flag(&self, id: &str) -> bool {
        self.text(id) == "yes"
    }

    fn sides(&self, id: &str) -> i32 {
        self.text(id).trim_start_matches('d').parse().unwrap()
    }
}

/// What the second count makes of a setting.
type Model = fn(&Given) -> Counted<End>;

/// Tries the settings that stand below that in `settings.txt`.
fn every_setting_agrees(of: &str, model: Model) {
    let blocks = include_str!("by_faces/settings.txt").split("\n\n");
    let mut blocks = blocks.filter_map(|block| block.split_once('\n'));
    let (_, settings) = blocks.find(|(head, _)| *head == of).unwrap();
    let mut words = of.split(' ');
    let system: System = words.next().unwrap().parse().unwrap();
    let check = words.next().unwrap();
    let given = settings.lines().map(|line| {
        let (name, words) = line.split_once(' ').unwrap();
        let words: Vec<&str> = words.split(' ').collect();
        select(words).prop_map(move |word| (name, word))
    });
    let given: Vec<_> = given.collect();
    let given = given.prop_map(|pairs| {
        let there = pairs.into_iter().filter(|(_, word)| *word != "-");
        Given(there.collect())
    });
    let cases = std::env::var("ODDS_CASES").ok();
    let cases = cases.and_then(|cases| cases.parse().ok()).unwrap_or(64);
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..Config::default()
    });
    let result = runner.run(&given, |given| {
        let Some(odds) = odds(system, check, &given) else {
            return Err(TestCaseError::reject("refused"));
        };
        agrees(&odds, system, check, &model(&given))
    });
    if let Err(error) = result {
        panic!("{system} {check}: {error}");
    }
}

fn odds(system: System, check: &str, given: &Given) -> Option<Odds> {
    let spec = system.check(check).unwrap();
    let mut fields = Fields::presets(spec);
    let mut house = HouseRules::default();
    let mut answers = Vec::new();
    for (&name, &word) in &given.0 {
        if let Some(rule) = name.strip_prefix("rule:") {
            let rules = system.spec().house;
            let rule = rules.iter().find(|known| known.id == rule).unwrap();
            house
                .set(system, rule.id, rule.parse(word).unwrap())
                .unwrap();
        } else if name == "choose" {
            answers.push(word.to_owned());
        } else {
            let value = spec.field(name).unwrap().parse(word).unwrap();
            fields.set(name, value).unwrap();
        }
    }
    let check = spec.prepare(&fields, &house).ok()?;
    // An answer that is no option at all is refused as well.
    Odds::of(spec, &*check, &Policy::new(answers)).ok()
}

fn agrees(
    odds: &Odds,
    system: System,
    check: &str,
    counted: &Counted<End>,
) -> Result<(), TestCaseError> {
    let spec = system.check(check).unwrap();
    let sum = |which: &dyn Fn(&End) -> bool| {
        let ends = counted.iter().filter(|(end, _)| which(end));
        ends.fold(Share::NONE, |sum, (_, share)| sum.plus(*share))
    };
    for (id, chance) in &odds.outcomes {
        let outcome = spec.outcome(*id).id;
        let expected = sum(&|end| end.outcome == outcome);
        prop_assert_eq!(chance.to_string(), expected.to_string(), "{}", outcome);
    }
    if let Some(success) = &odds.success {
        let expected = sum(&|end| end.success);
        prop_assert_eq!(success.to_string(), expected.to_string(), "success");
    }
    let mut totals: BTreeMap<i64, Share> = BTreeMap::new();
    for (end, share) in counted {
        if let Some(total) = end.total {
            let sum = totals.entry(total.into()).or_insert(Share::NONE);
            *sum = sum.plus(*share);
        }
    }
    if !totals.is_empty() {
        let found = odds.total.as_ref().unwrap().spread.chances();
        let found: Vec<(i64, String)> = found
            .map(|(value, chance)| (value, chance.to_string()))
            .collect();
        let expected: Vec<(i64, String)> = totals
            .iter()
            .map(|(value, share)| (*value, share.to_string()))
            .collect();
        prop_assert_eq!(found, expected, "totals");
    }
    Ok(())
}
