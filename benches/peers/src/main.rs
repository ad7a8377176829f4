//! Beside our peers: rolls a second (tyche, caith, xdy), exact odds (xdy) on what both can express, and ours
//! as JSON for `peers.py`, which runs icepool and dyce on the same cases.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use rand::SeedableRng as _;
use rand::rngs::StdRng;
use serde_json::{Value as Json, json};
use tableside::dice::SystemDice;
use tableside::dice::notation::{Notation, RolledNotation};
use tableside::dice::{Die, EqualDice, Keep, Natural, Pool, Observation, Observations, DieRole, Measure};
use tableside::rules::{Fields, HouseRules, Odds, Policy, System, Value};
use tyche::Dice;
use tyche::dice::roller::{FastRand, Roller as _};
use xdy::{Budget, Evaluator, Unobserved};

/// The median time of a call, in microseconds; the first calls warm what can be warmed.
fn median(mut call: impl FnMut()) -> f64 {
    let began = Instant::now();
    call();
    call();
    let one = began.elapsed().as_secs_f64() / 2.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count"
    )]
    let calls = (0.5 / one).clamp(15.0, 2001.0) as usize;
    let mut times: Vec<f64> = (0..calls)
        .map(|_| {
            let began = Instant::now();
            call();
            began.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn pool(dice: &[(Die, u8)], keep: Keep) -> Pool {
    let dice = dice.iter().map(|&(die, count)| EqualDice {
        die,
        count,
        role: DieRole::POOL,
    });
    Pool {
        dice: dice.collect(),
        keep,
        measure: Measure::Sum,
    }
}

/// Ways by total, and all ways.
type Told = (Vec<(i64, String)>, String);

fn tell_pool(pool: &Pool) -> Told {
    let readings = Observations::of(pool);
    let ways = readings.ways.iter().map(|(reading, ways)| match reading {
        Observation::Sum(sum) => (i64::from(*sum), ways.to_string()),
        other => unreachable!("a sum was asked for: {other:?}"),
    });
    (ways.collect(), readings.total.to_string())
}

fn tell_notation(notation: &Notation) -> Told {
    let odds = notation.odds().expect("it can be worked out");
    let ways = odds.distribution.ways().iter();
    let ways = ways.map(|(value, ways): &(i64, Natural)| (*value, ways.to_string()));
    (ways.collect(), odds.distribution.total().to_string())
}

/// A case with what it tells, what it costs when everything is worked out anew, and what it costs again.
fn case(name: &str, (ways, whole): Told, mut cold: impl FnMut(), mut warm: impl FnMut()) -> Json {
    let (cold, warm) = (median(&mut cold), median(&mut warm));
    json!({ "case": name, "cold": cold, "warm": warm, "ways": ways, "whole": whole })
}

fn pool_case(name: &str, pool: &Pool) -> Json {
    let cold = || {
        black_box(Observations::of(pool));
    };
    let warm = || {
        black_box(pool.observations());
    };
    case(name, tell_pool(pool), cold, warm)
}

fn notation_case(name: &str, text: &str) -> Json {
    let notation: Notation = text.parse().expect("our own notation");
    let odds = || drop(black_box(notation.odds()));
    case(name, tell_notation(&notation), odds, odds)
}

/// The castle of Gnosis: the highest die of three pools, added up, against the three highest of 5d10.
fn castle() -> Json {
    let spec = System::GNOSIS.check("strategy").expect("Gnosis has it");
    let tiers = [
        ("power-tier", 1),
        ("precision-tier", 2),
        ("possibility-tier", 3),
        ("pain", 5),
    ];
    let fields = Fields::new(spec, tiers.map(|(name, tier)| (name, Value::Number(tier))))
        .expect("within bounds");
    let check = spec.prepare(&fields, &HouseRules::default()).expect("allowed");
    let odds = || Odds::of(spec, &*check, &Policy::default()).expect("no choices");
    // Every pool is worked out anew each time: theirs may keep what they like.
    let cold = median(|| {
        Observations::forget();
        black_box(odds());
    });
    let warm = median(|| {
        black_box(odds());
    });
    let told: Vec<Json> = odds()
        .outcomes
        .iter()
        .map(|(id, chance)| json!([spec.outcome(*id).id, chance.to_string()]))
        .collect();
    json!({ "case": "castle of Gnosis", "cold": cold, "warm": warm, "outcomes": told })
}

fn for_python() -> Json {
    json!([
        castle(),
        pool_case(
            "d8 + 3d6 keep 2",
            &pool(&[(Die::D8, 1), (Die::D6, 3)], Keep::Highest(2))
        ),
        pool_case("10d10 keep 5", &pool(&[(Die::D10, 10)], Keep::Highest(5))),
        notation_case("10d10 keep 5, exploding", "10d10!kh5"),
        pool_case("4d6 keep 3", &pool(&[(Die::D6, 4)], Keep::Highest(3))),
        pool_case("100d6", &pool(&[(Die::D6, 100)], Keep::All)),
    ])
}

/// Ours, theirs, in the same run: parsed or compiled before, worked out each time.
fn beside_xdy() -> bool {
    let mut good = true;
    println!(
        "{:<14} {:>10} {:>10} {:>7}  equal",
        "", "ours µs", "xdy µs", "ratio"
    );
    for (ours, theirs) in [
        ("4d6kh3", "4D6 drop lowest 1"),
        ("100d6", "100D6"),
        ("40d10kh20", "40D10 drop lowest 20"),
        ("200d20kh100", "200D20 drop lowest 100"),
    ] {
        let notation: Notation = ours.parse().expect("our own notation");
        let evaluator = Evaluator::new(xdy::compile(theirs).expect("their notation"));
        let build = || {
            let plan = evaluator.plan_distribution([]).expect("no arguments");
            plan.build(Budget::UNLIMITED, &Unobserved)
                .expect("no bounds")
        };
        let (ways, whole) = tell_notation(&notation);
        let distribution = build();
        let same = distribution.total().to_string() == whole
            && distribution.len() == ways.len()
            && ways.iter().all(|(value, ways)| {
                i32::try_from(*value)
                    .is_ok_and(|value| distribution.get(value).to_string() == *ways)
            });
        let (mine, yours) = if ours.starts_with("200") {
            let once = |call: &dyn Fn()| {
                let began = Instant::now();
                call();
                began.elapsed().as_secs_f64() * 1e6
            };
            (
                once(&|| drop(black_box(notation.odds()))),
                once(&|| drop(black_box(build()))),
            )
        } else {
            (
                median(|| drop(black_box(notation.odds()))),
                median(|| drop(black_box(build()))),
            )
        };
        println!(
            "{ours:<14} {mine:>10.1} {yours:>10.1} {:>7.1}  {}",
            yours / mine,
            if same { "yes" } else { "NO" }
        );
        good &= same && mine <= yours;
    }
    good
}

/// So many calls a second.
fn rate(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 20_000;
    let mut best = f64::MAX;
    for _ in 0..40 {
        let began = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        best = best.min(began.elapsed().as_secs_f64());
    }
    f64::from(CALLS) / best
}

/// Millions of rolls of 4d6 keep 3 a second: read before, and read each time. Each with its own generator.
fn rolls() {
    let mut luck = SystemDice::from_key([7; 32]);
    let mut fast = FastRand::with_seed(7);
    let mut standard = StdRng::seed_from_u64(7);
    let ours: Notation = "4d6kh3".parse().expect("our own notation");
    let mut rolled = RolledNotation::default();
    let dice: Dice = "4d6kh3".parse().expect("tyche's notation");
    let mut evaluator = Evaluator::new(xdy::compile("4D6 drop lowest 1").expect("xdy's notation"));
    let caith = caith::Roller::new("4d6 K3").expect("caith's notation");
    println!("4d6 keep 3, million rolls a second");
    println!("{:<10} {:>10} {:>14}", "", "read before", "read each time");
    let line = |name: &str, before: Option<f64>, each: f64| {
        let before = before.map_or("-".to_owned(), |rate| format!("{:.2}", rate / 1e6));
        println!("{name:<10} {before:>10} {:>14.2}", each / 1e6);
    };
    line(
        "ours",
        Some(rate(|| {
            black_box(&ours).roll_into(&mut luck, &mut rolled);
            black_box(&rolled);
        })),
        rate(|| {
            let notation: Notation = black_box("4d6kh3").parse().expect("our own notation");
            drop(black_box(notation.roll(&mut luck)));
        }),
    );
    line(
        "tyche",
        Some(rate(|| {
            let rolled = fast.roll(black_box(&dice), true).expect("a roll");
            black_box(rolled.total().expect("a total"));
        })),
        rate(|| {
            let dice: Dice = black_box("4d6kh3").parse().expect("tyche's notation");
            let rolled = fast.roll(&dice, true).expect("a roll");
            black_box(rolled.total().expect("a total"));
        }),
    );
    line(
        "xdy",
        Some(rate(|| {
            drop(black_box(evaluator.evaluate([], &mut standard)));
        })),
        rate(|| {
            let function = xdy::compile(black_box("4D6 drop lowest 1")).expect("its notation");
            drop(black_box(
                Evaluator::new(function).evaluate([], &mut standard),
            ));
        }),
    );
    line(
        "caith",
        None,
        rate(|| drop(black_box(black_box(&caith).roll()))),
    );
    println!();
}

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--json") {
        println!("{}", for_python());
        return ExitCode::SUCCESS;
    }
    rolls();
    if beside_xdy() {
        ExitCode::SUCCESS
    } else {
        println!("slower than xdy, or not the same");
        ExitCode::FAILURE
    }
}
