//! Gnosis, as its page puts it.

use super::fall::{Counted, Share, both, count};
use super::{End, Given, every_setting_agrees};

const ATTRIBUTES: [&str; 3] = ["power", "precision", "possibility"];

/// The tiers after disadvantage: each level goes to the attribute with the greatest advantage; a tie goes
/// to the answer, if that is among them, else to the first.
fn tiers(given: &Given) -> [i32; 3] {
    let mut tiers = ATTRIBUTES.map(|name| given.number(&format!("{name}-tier")));
    for _ in 0..given.number("disadvantage") {
        let greatest = tiers.into_iter().max().unwrap();
        let tied: Vec<usize> = (0..3).filter(|&index| tiers[index] == greatest).collect();
        let chosen = tied
            .iter()
            .find(|&&index| ATTRIBUTES[index] == given.text("choose"));
        tiers[*chosen.unwrap_or(&tied[0])] -= 1;
    }
    tiers
}

/// Effect levels, at a cost or not, from critical success to critical failure.
fn effect_levels(scale: &str) -> [i32; 5] {
    match scale {
        "unheroic" => [3, 3, 2, 1, 1],
        "punching-down" => [3, 2, 1, 1, 0],
        "punching-up" => [1, 1, 0, 0, 0],
        "severe-underdog" => [1, 0, 0, 0, 0],
        "impossible" => [0; 5],
        _ => [2, 1, 1, 0, 0],
    }
}

fn strategy(given: &Given) -> Counted<End> {
    let tiers = tiers(given);
    let hero = count(|fall| {
        let mut sum = 0;
        for (name, tier) in ATTRIBUTES.into_iter().zip(tiers) {
            let sides = given.sides(name);
            let faces: Vec<i32> = (0..=tier.abs()).map(|_| fall.die(sides)).collect();
            sum += if tier < 0 {
                faces.iter().min().unwrap()
            } else {
                faces.iter().max().unwrap()
            };
        }
        sum
    });
    let pain: Counted<i32> = match given.text("difficulty") {
        "" => count(|fall| {
            let mut faces: Vec<i32> = (0..given.number("pain")).map(|_| fall.die(10)).collect();
            faces.sort_unstable();
            faces.iter().rev().take(3).sum()
        }),
        difficulty => [(difficulty.parse().unwrap(), Share::new(1, 1))].into(),
    };
    let margin = match given.text("critical-margin") {
        "" => 7,
        margin => margin.parse().unwrap(),
    };
    let levels = effect_levels(given.text("scale"));
    both(&hero, &pain, |&hero, &pain| {
        let difference = hero - pain;
        let critical = difference.abs() >= margin;
        let (place, outcome) = match difference {
            0 => (2, "tie"),
            1.. if critical => (0, "critical-success"),
            1.. => (1, "success"),
            _ if critical => (4, "critical-failure"),
            _ => (3, "failure"),
        };
        End {
            outcome,
            success: levels[place] > 0,
            total: Some(hero),
        }
    })
}

#[test]
fn strategies_against_pain_have_the_odds_of_their_faces() {
    every_setting_agrees("gnosis strategy against pain", strategy);
}

#[test]
fn strategies_against_a_difficulty_have_the_odds_of_their_faces() {
    every_setting_agrees("gnosis strategy against a difficulty", strategy);
}
