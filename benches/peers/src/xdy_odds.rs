//! Exact odds beside xdy, of the expressions that both can compute.

use std::hint::black_box;

use tableside_dice::Distribution;
use tableside_dice::notation::Notation;
use xdy::{Budget, Evaluator, Unobserved};

use crate::timing::{median, time};

/// Our notation, and the same dice in xdy's.
const CASES: [(&str, &str); 4] = [
    ("4d6kh3", "4D6 drop lowest 1"),
    ("100d6", "100D6"),
    ("40d10kh20", "40D10 drop lowest 20"),
    ("200d20kh100", "200D20 drop lowest 100"),
];

/// Calls that take longer than this, in microseconds, are measured once.
const SLOW: f64 = 1e6;

/// Prints a row for each case. Returns false if a distribution differs or xdy is faster.
pub fn compare() -> bool {
    println!("exact odds, µs");
    println!(
        "{:<14} {:>10} {:>12} {:>7}  equal",
        "", "ours", "xdy", "ratio"
    );

    let mut is_good = true;
    for (ours, theirs) in CASES {
        let notation: Notation = ours.parse().expect("our notation");
        let evaluator = Evaluator::new(xdy::compile(theirs).expect("xdy's notation"));
        let compute_theirs = || {
            let plan = evaluator.plan_distribution([]).expect("no arguments");
            let distribution = plan.build(Budget::UNLIMITED, &Unobserved);
            distribution.expect("an unlimited budget")
        };

        let our_odds = notation.odds().expect("odds that are not refused");
        let their_odds = compute_theirs();
        let is_equal = our_odds.distribution.total().to_string() == their_odds.total().to_string()
            && our_odds.distribution.ways().len() == their_odds.len()
            && has_same_ways(&our_odds.distribution, |value| {
                their_odds.get(value).to_string()
            });

        let our_time = typical_time(|| drop(black_box(notation.odds())));
        let their_time = typical_time(|| drop(black_box(compute_theirs())));
        let ratio = their_time / our_time;
        let answer = if is_equal { "yes" } else { "NO" };
        println!("{ours:<14} {our_time:>10.1} {their_time:>12.1} {ratio:>7.1}  {answer}");
        is_good &= is_equal && our_time <= their_time;
    }
    is_good
}

fn has_same_ways(odds: &Distribution, ways_of: impl Fn(i32) -> String) -> bool {
    odds.ways().iter().all(|(value, ways)| {
        let value = i32::try_from(*value);
        value.is_ok_and(|value| ways_of(value) == ways.to_string())
    })
}

fn typical_time(mut call: impl FnMut()) -> f64 {
    let first = time(&mut call);
    if first > SLOW { first } else { median(call) }
}
