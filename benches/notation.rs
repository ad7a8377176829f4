//! How long free dice take: reading an expression, rolling it, and its exact odds.
//!
//! `cargo bench --bench notation`. To reach (limits.md, P12): parsed and rolled 1.2 million a second,
//! rolled 11 million a second for 4d6 keep 3.

#![expect(
    clippy::unwrap_used,
    reason = "a bench that cannot begin should say so loudly"
)]

use divan::{Bencher, black_box, counter::ItemsCount};
use tableside::dice::SystemDice;
use tableside::dice::notation::{Notation, RolledNotation};

fn main() {
    divan::main();
}

const EXPRESSIONS: [&str; 5] = ["1d20+5", "4d6kh3", "10d6", "100d6", "(2d6 + 1d8!) * 2 - 3"];

#[divan::bench(args = EXPRESSIONS)]
fn parse_and_roll(bencher: Bencher<'_, '_>, text: &str) {
    let mut luck = SystemDice::from_key([7; 32]);
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| black_box(text).parse::<Notation>().unwrap().roll(&mut luck));
}

#[divan::bench(args = EXPRESSIONS)]
fn roll(bencher: Bencher<'_, '_>, text: &str) {
    let mut luck = SystemDice::from_key([7; 32]);
    let notation: Notation = text.parse().unwrap();
    let bencher = bencher.counter(ItemsCount::new(1_usize));
    bencher.bench_local(|| black_box(&notation).roll(&mut luck));
}

#[divan::bench(args = EXPRESSIONS)]
fn roll_into_the_same_memory(bencher: Bencher<'_, '_>, text: &str) {
    let mut dice = SystemDice::from_key([7; 32]);
    let mut rolled = RolledNotation::default();
    let notation: Notation = text.parse().unwrap();
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| black_box(&notation).roll_into(&mut dice, &mut rolled));
}

#[divan::bench(args = ["20d6!", "50d6!", "20d6!>=5", "10d10>=8!", "2d6", "4d6kh3", "100d6", "40d10kh20", "10d10!", "10d6!kh5"])]
fn odds(bencher: Bencher<'_, '_>, text: &str) {
    let notation: Notation = text.parse().unwrap();
    bencher.bench(|| black_box(&notation).odds().unwrap());
}
