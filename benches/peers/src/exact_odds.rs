//! Our own exact odds with their times, as JSON.

use std::hint::black_box;

use serde_json::{Value as Json, json};
use tableside_dice::notation::Notation;
use tableside_dice::{
    Die, DieRole, EqualDice, Keep, Measure, Natural, Observation, Observations, Pool,
};
use tableside_rules::{Fields, HouseRules, Odds, Policy, System};

use crate::timing::median;

/// Expressions for which `benches/peers.py` has the same dice in other libraries, or that are refused.
const EXPRESSIONS: [&str; 8] = [
    "20d6!",
    "50d6!",
    "10d10!kh5",
    "4d2+3d10000!dh1",
    "4d200!r>=5dl2",
    "1000d200",
    "30d1000dl12+500d3kh369",
    "100d6",
];

/// Checks of a system, with the values of their fields.
const CHECKS: [&str; 3] = [
    "gnosis strategy power-tier=1 precision-tier=2 possibility-tier=3 pain=5",
    "pushed-pools test attribute=6 skill=5 gear=3 stress=5",
    "pushed-pools test attribute=10 skill=6 gear=6 stress=10 easier=3 helpers=3",
];

/// Each case has its name, the median time of a first and of a repeated computation in microseconds, and the odds.
pub fn as_json() -> Json {
    let mut cases = vec![
        pool_case("4d6 keep 3", &[(Die::D6, 4)], Keep::Highest(3)),
        pool_case(
            "d8 + 3d6 keep 2",
            &[(Die::D8, 1), (Die::D6, 3)],
            Keep::Highest(2),
        ),
        pool_case("10d10 keep 5", &[(Die::D10, 10)], Keep::Highest(5)),
    ];
    cases.extend(EXPRESSIONS.map(expression_case));
    cases.extend(CHECKS.map(check_case));
    Json::Array(cases)
}

fn pool_case(name: &str, dice: &[(Die, u8)], keep: Keep) -> Json {
    let mut equal_dice = Vec::new();
    for (die, count) in dice {
        equal_dice.push(EqualDice::new(*die, *count, DieRole::POOL));
    }
    let pool = Pool::new(equal_dice, keep, Measure::Sum);

    let observations = Observations::of(&pool);
    let mut ways = Vec::new();
    for (observation, ways_of_sum) in &observations.ways {
        if let Observation::Sum(sum) = observation {
            ways.push((i64::from(*sum), ways_of_sum.clone()));
        }
    }
    json!({
        "case": name,
        "first": median(|| drop(black_box(Observations::of(&pool)))),
        "repeated": median(|| drop(black_box(pool.observations()))),
        "ways": ways_as_json(&ways),
        "total": observations.total.to_string(),
    })
}

fn expression_case(expression: &str) -> Json {
    let notation: Notation = expression.parse().expect("our notation");
    let time = median(|| drop(black_box(notation.odds())));
    let Ok(odds) = notation.odds() else {
        return json!({ "case": expression, "first": time, "repeated": time, "refused": true });
    };
    json!({
        "case": expression,
        "first": time,
        "repeated": time,
        "ways": ways_as_json(odds.distribution.ways()),
        "total": odds.distribution.total().to_string(),
    })
}

fn check_case(words: &str) -> Json {
    let mut parts = words.split(' ');
    let mut next_part = || parts.next().expect("a system and a check");
    let system: System = next_part().parse().expect("a system");
    let spec = system.check(next_part()).expect("a check");
    let mut fields = Fields::presets(spec);
    for part in parts {
        let (name, value) = part.split_once('=').expect("a field with a value");
        let field = spec.field(name).expect("a field");
        let value = field.parse(value).expect("a value of the field");
        fields.set(name, value).expect("a value within bounds");
    }
    fields.complete().expect("all fields");
    let check = spec
        .prepare(&fields, &HouseRules::default())
        .expect("allowed fields");

    let compute = || Odds::of(spec, &*check, &Policy::default());
    let Ok(odds) = compute() else {
        let time = median(|| drop(black_box(compute())));
        return json!({ "case": words, "first": time, "repeated": time, "refused": true });
    };
    let mut outcomes = Vec::new();
    for (id, chance) in &odds.outcomes {
        outcomes.push(json!([spec.outcome(*id).id, chance.to_string()]));
    }
    json!({
        "case": words,
        "first": median(|| {
            Observations::forget();
            drop(black_box(compute()));
        }),
        "repeated": median(|| drop(black_box(compute()))),
        "outcomes": outcomes,
    })
}

fn ways_as_json(ways: &[(i64, Natural)]) -> Json {
    ways.iter()
        .map(|(value, ways)| json!([value, ways.to_string()]))
        .collect()
}
