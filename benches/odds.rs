//! How long exact odds take: pools as they are, and every check at ordinary settings and at the limits
//! of its fields.
//!
//! `cargo bench --bench odds`. To reach (limits.md, P13): 4d6 keep 3 in 6 µs, 100d6 in 0.2 ms, 40d10 keep
//! 20 in 0.7 ms; a check in 1 ms, in 16 ms at its limits.

#![expect(
    clippy::unwrap_used,
    reason = "a bench that cannot begin should say so loudly"
)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tableside::dice::{Die, DieRole, EqualDice, Keep, Measure, Observations, Pool, SystemDice};
use tableside::rules::{
    AnswerSource, DynCheck, Fields, HouseRules, Odds, Policy, System, Trail, resolve,
};

fn main() {
    divan::main();
}

fn pool(count: u8, die: Die, keep: Keep, measure: Measure) -> Pool {
    let group = EqualDice {
        die,
        count,
        role: DieRole::POOL,
    };
    Pool {
        dice: vec![group],
        keep,
        measure,
    }
}

fn cold(bencher: Bencher<'_, '_>, pool: &Pool) {
    bencher.bench(|| Observations::of(black_box(pool)));
}

#[divan::bench]
fn pool_4d6_keep_3(bencher: Bencher<'_, '_>) {
    cold(bencher, &pool(4, Die::D6, Keep::Highest(3), Measure::Sum));
}

#[divan::bench]
fn pool_100d6(bencher: Bencher<'_, '_>) {
    cold(bencher, &pool(100, Die::D6, Keep::All, Measure::Sum));
}

#[divan::bench]
fn pool_40d10_keep_20(bencher: Bencher<'_, '_>) {
    cold(
        bencher,
        &pool(40, Die::D10, Keep::Highest(20), Measure::Sum),
    );
}

#[divan::bench]
fn pool_20d10_keep_3(bencher: Bencher<'_, '_>) {
    cold(bencher, &pool(20, Die::D10, Keep::Highest(3), Measure::Sum));
}

#[divan::bench(sample_count = 10)]
fn pool_200d20_keep_100(bencher: Bencher<'_, '_>) {
    cold(
        bencher,
        &pool(200, Die::D20, Keep::Highest(100), Measure::Sum),
    );
}

#[divan::bench]
fn pool_8d12_counts(bencher: Bencher<'_, '_>) {
    cold(bencher, &pool(8, Die::D12, Keep::All, Measure::KeptDice(0)));
}

#[divan::bench]
fn pool_11d20_keep_2_faces(bencher: Bencher<'_, '_>) {
    cold(
        bencher,
        &pool(11, Die::D20, Keep::Lowest(2), Measure::KeptDice(0)),
    );
}

/// A check with its fields as the command line takes them.
#[derive(Clone, Copy)]
struct Case(&'static str);

impl std::fmt::Display for Case {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0)
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0)
    }
}

impl Case {
    fn prepare(self) -> (&'static tableside::rules::CheckSpec, Box<dyn DynCheck>) {
        let mut words = self.0.split(' ');
        let system: System = words.next().unwrap().parse().unwrap();
        let spec = system.check(words.next().unwrap()).unwrap();
        let mut fields = Fields::presets(spec);
        for word in words {
            let (name, value) = word.split_once('=').unwrap();
            fields
                .set(name, spec.field(name).unwrap().parse(value).unwrap())
                .unwrap();
        }
        fields.complete().unwrap();
        let check = spec.prepare(&fields, &HouseRules::default()).unwrap();
        (spec, check)
    }

    fn bench(self, bencher: Bencher<'_, '_>) {
        let (spec, check) = self.prepare();
        bencher.bench(|| Odds::of(spec, &*check, black_box(&Policy::default())).unwrap());
    }
}

const ORDINARY: &[Case] = &[
    Case("heart-rush skill heart=d8 ability=d10 cn=12 profession=2"),
    Case("heart-rush save heart=d8 ability=d6 cn=9 advantage=1"),
    Case("heart-rush attack heart=d8 ability=d8 weapon=d8 defense-heart=d8 defense-ability=d8"),
    Case("heart-rush stratagem ability=d8 cn=12 assets=1"),
    Case("hearts skill skill=44 assist=67"),
    Case("hearts trait value=11"),
    Case("hearts quantity value=5"),
    Case("hearts opposed skill=44 against=67"),
    Case("hearts opposed-trait value=11 against=12"),
    Case("friday-night-dungeon challenge competence=trained difficulty=difficult advantage=on"),
    Case("friday-night-dungeon combat"),
    Case("hfrpg acs attribute=3 competency=3 specialisation=2"),
    Case("hfrpg acs attribute=3 competency=3 bonus=3"),
    Case("gnosis strategy power-tier=1 precision-tier=2 possibility-tier=3 pain=5"),
];

/// Checks that a file describes, at ordinary settings and at their limits.
const FILES: &[Case] = &[
    Case("forged-in-the-dark action rating=3 push=yes"),
    Case("iron-vows action stat=2 momentum=6"),
    Case("two-dice-moves move value=1"),
    Case("four-dice-aspects act skill=3 opposition=2"),
    Case("pushed-pools test attribute=4 skill=2 gear=1 stress=2"),
    Case("pushed-pools test attribute=10 skill=2 gear=0 stress=0"),
    Case("pushed-pools test attribute=10 skill=6 gear=4 stress=0"),
    Case("5e check ability=16 dc=15"),
    Case("percentile skill skill=60 bonus=1"),
    Case("24xx risk skill=d8"),
];

const LIMITS: &[Case] = &[
    Case("heart-rush skill heart=d20 ability=d20 cn=12 advantage=9 helped=on"),
    Case("heart-rush skill heart=d20 ability=d12 cn=12 disadvantage=9 vulnerability=3"),
    Case("heart-rush save heart=d20 ability=d12 cn=12 disadvantage=9"),
    Case(
        "heart-rush attack heart=d20 ability=d12 weapon=d10 matching=on advantage=9 same-stance=on defense-heart=d20 defense-ability=d20 defense-weapon=d12 defense-matching=on",
    ),
    Case(
        "heart-rush attack heart=d20 ability=d12 weapon=d10 matching=on disadvantage=9 defense-heart=d20 defense-ability=d20",
    ),
    Case("hearts opposed skill=200 against=200 successes-times=9 against-successes-times=7"),
    Case("hfrpg acs attribute=8 competency=0 difficulty=very-easy"),
    Case("hfrpg acs attribute=8 competency=9 difficulty=very-hard"),
    Case("hfrpg acs attribute=8 competency=0 difficulty=very-hard"),
    Case("hfrpg acs attribute=8 competency=0 difficulty=very-easy bonus=99"),
    Case("hfrpg acs attribute=8 competency=0 difficulty=very-easy bonus=5"),
    Case("hfrpg acs attribute=8 competency=0 difficulty=very-easy penalty=9"),
    Case("gnosis strategy power-tier=3 precision-tier=3 possibility-tier=3 pain=20"),
    Case("gnosis strategy power-tier=6 precision-tier=6 possibility-tier=6 pain=20"),
    Case(
        "gnosis strategy power=d20 precision=d20 possibility=d20 power-tier=6 precision-tier=6 possibility-tier=6 pain=20 disadvantage=9",
    ),
];

#[divan::bench(args = ORDINARY)]
fn ordinary(bencher: Bencher<'_, '_>, case: Case) {
    case.bench(bencher);
}

#[divan::bench(args = FILES)]
fn files(bencher: Bencher<'_, '_>, case: Case) {
    case.bench(bencher);
}

/// Checks in Rust, and after each one of its kind that a file describes.
const ROLLED: &[Case] = &[
    Case("hearts trait value=11"),
    Case("two-dice-moves move value=1"),
    Case("heart-rush attack heart=d8 ability=d8 weapon=d8 defense-heart=d8 defense-ability=d8"),
    Case("iron-vows action stat=2 momentum=6"),
];

/// Rolled, with its outcome in words: so many a second.
#[divan::bench(args = ROLLED)]
fn rolled(bencher: Bencher<'_, '_>, case: Case) {
    let (_, check) = case.prepare();
    let mut dice = SystemDice::from_key([7; 32]);
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| {
        let mut trail = Trail::new();
        let mut source = AnswerSource {
            defaults: true,
            ..AnswerSource::rolling(&mut dice)
        };
        resolve(&*check, &mut trail, &mut source).unwrap();
        check.outcome(&trail)
    });
}

#[divan::bench(args = LIMITS)]
fn limits(bencher: Bencher<'_, '_>, case: Case) {
    case.bench(bencher);
}

/// The same with every pool worked out anew: what the first key costs.
#[divan::bench(args = LIMITS, sample_count = 20)]
fn limits_cold(bencher: Bencher<'_, '_>, case: Case) {
    let (spec, check) = case.prepare();
    bencher
        .with_inputs(Observations::forget)
        .bench_values(|()| Odds::of(spec, &*check, black_box(&Policy::default())).unwrap());
}
