//! Rolls of 4d6 keep 3 per second: with the expression parsed once, and parsed for each roll.

use std::hint::black_box;

use rand::SeedableRng as _;
use rand::rngs::StdRng;
use tableside_dice::SystemDice;
use tableside_dice::notation::{Notation, RolledNotation};
use tyche::Dice;
use tyche::dice::roller::{FastRand, Roller as _};
use xdy::Evaluator;

use crate::timing::calls_per_second;

/// Prints a row for each library. Each uses its own random generator.
pub fn compare() {
    println!("4d6 keep 3, million rolls per second");
    println!("{:<10} {:>12} {:>12}", "", "parsed once", "each time");

    print_row("ours", Some(our_rolls()), our_rolls_with_parsing());
    print_row("tyche", Some(tyche_rolls()), tyche_rolls_with_parsing());
    print_row("xdy", Some(xdy_rolls()), xdy_rolls_with_parsing());
    print_row("caith", None, caith_rolls());
    println!();
}

fn print_row(library: &str, parsed_once: Option<f64>, each_time: f64) {
    let millions = |rate: f64| format!("{:.2}", rate / 1e6);
    let parsed_once = parsed_once.map_or_else(|| "-".to_owned(), millions);
    println!(
        "{library:<10} {parsed_once:>12} {:>12}",
        millions(each_time)
    );
}

fn our_rolls() -> f64 {
    let mut dice = SystemDice::from_key([7; 32]);
    let notation: Notation = "4d6kh3".parse().expect("our notation");
    let mut rolled = RolledNotation::default();
    calls_per_second(|| {
        black_box(&notation).roll_into(&mut dice, &mut rolled);
        black_box(&rolled);
    })
}

fn our_rolls_with_parsing() -> f64 {
    let mut dice = SystemDice::from_key([7; 32]);
    calls_per_second(|| {
        let notation: Notation = black_box("4d6kh3").parse().expect("our notation");
        drop(black_box(notation.roll(&mut dice)));
    })
}

fn tyche_rolls() -> f64 {
    let mut generator = FastRand::with_seed(7);
    let dice: Dice = "4d6kh3".parse().expect("tyche's notation");
    calls_per_second(|| {
        let rolled = generator.roll(black_box(&dice), true).expect("a roll");
        black_box(rolled.total().expect("a total"));
    })
}

fn tyche_rolls_with_parsing() -> f64 {
    let mut generator = FastRand::with_seed(7);
    calls_per_second(|| {
        let dice: Dice = black_box("4d6kh3").parse().expect("tyche's notation");
        let rolled = generator.roll(&dice, true).expect("a roll");
        black_box(rolled.total().expect("a total"));
    })
}

fn xdy_rolls() -> f64 {
    let mut generator = StdRng::seed_from_u64(7);
    let function = xdy::compile("4D6 drop lowest 1").expect("xdy's notation");
    let mut evaluator = Evaluator::new(function);
    calls_per_second(|| drop(black_box(evaluator.evaluate([], &mut generator))))
}

fn xdy_rolls_with_parsing() -> f64 {
    let mut generator = StdRng::seed_from_u64(7);
    calls_per_second(|| {
        let function = xdy::compile(black_box("4D6 drop lowest 1")).expect("xdy's notation");
        let mut evaluator = Evaluator::new(function);
        drop(black_box(evaluator.evaluate([], &mut generator)));
    })
}

/// caith parses the expression at each roll.
fn caith_rolls() -> f64 {
    let roller = caith::Roller::new("4d6 K3").expect("caith's notation");
    calls_per_second(|| drop(black_box(black_box(&roller).roll())))
}
