//! Tests of the odds of dice notation.

use std::collections::BTreeMap;

use rstest::rstest;

use super::*;
use crate::Fraction;

#[test]
fn a_chain_is_exact_as_far_as_it_is_followed_and_says_what_is_beyond() {
    let odds = read("1d6!").odds().unwrap();
    assert_eq!(odds.mean.unwrap().to_string(), "21/5");
    assert_eq!((odds.min, odds.max), (Some(1), None));
    assert_eq!(
        odds.distribution.chance(|total| total == 13).to_string(),
        "1/216"
    );
    let beyond = &Fraction::ONE - &odds.distribution.chance(|_| true);
    assert!(!beyond.is_zero() && beyond.to_f64().value() < 1e-12);
    assert!(beyond.to_string().starts_with("1/"));
    let two = read("10 - 2d10!kh1").odds().unwrap();
    assert_eq!((two.min, two.max, two.mean), (None, Some(9), None));
}

#[test]
fn odds_that_cannot_be_worked_out_in_time_are_refused_at_once() {
    for text in [
        "10000d1000000",
        "10000d6",
        "500d1000kh250",
        "d1000000 * d1000000",
    ] {
        assert_eq!(read(text).odds(), Err(OddsTooLarge), "{text}");
    }
    assert!(read("1d1000000 + 5").odds().is_ok());
    assert!(read("1d1000000!").odds().is_ok());
}

/// Dice that show the faces of a script, and 1 beyond its end.
struct ScriptedFall<'a> {
    script: &'a [u32],
    /// The sides of the dice that were rolled.
    sides: Vec<u32>,
    /// Beyond this number of dice, each shows `last_face`, so that chains end.
    most: usize,
    last_face: u32,
}

impl Dice for ScriptedFall<'_> {
    fn up_to(&mut self, sides: u32) -> u32 {
        let index = self.sides.len();
        self.sides.push(sides);
        if index >= self.most {
            return self.last_face;
        }
        self.script.get(index).copied().unwrap_or(1)
    }
}

/// Rolls an expression with every possible sequence of at most `most` faces, and adds up the chances of the totals.
/// Longer sequences are left out.
fn roll_every_fall(text: &str, most: usize, last_face: u32) -> BTreeMap<i64, Fraction> {
    let notation = read(text);
    // The number of falls with each total, by the number of sequences of as many dice.
    let mut falls: BTreeMap<(i64, u128), u128> = BTreeMap::new();
    let mut script: Vec<u32> = Vec::new();
    loop {
        let mut fall = ScriptedFall {
            script: &script,
            sides: Vec::new(),
            most,
            last_face,
        };
        let total = notation.roll(&mut fall).total;
        let mut sides = fall.sides;
        let is_complete = sides.len() <= most;
        sides.truncate(most);
        script.resize(sides.len(), 1);

        if is_complete {
            let ways: u128 = sides.iter().map(|&sides| u128::from(sides)).product();
            *falls.entry((total, ways)).or_insert(0) += 1;
        }

        while script
            .last()
            .is_some_and(|face| *face == sides[script.len() - 1])
        {
            script.pop();
        }
        let Some(last) = script.last_mut() else {
            break;
        };
        *last += 1;
    }

    let mut totals: BTreeMap<i64, Fraction> = BTreeMap::new();
    for ((total, ways), count) in falls {
        let sum = totals.entry(total).or_insert(Fraction::ZERO);
        *sum = &*sum + &crate::ratio(&count.into(), &ways.into());
    }
    totals
}

pub(super) fn assert_odds_of_every_fall(text: &str) {
    let odds = read(text).odds().unwrap();
    let counted: Vec<(i64, Fraction)> = roll_every_fall(text, usize::MAX, 1).into_iter().collect();
    let chances: Vec<(i64, Fraction)> = odds.distribution.chances().collect();
    assert_eq!(chances, counted, "{text}");
    assert_eq!(odds.distribution.chance(|_| true), Fraction::ONE);
    assert_eq!(odds.mean, Some(odds.distribution.mean()), "{text}");
    assert_eq!(odds.min, odds.distribution.min());
    assert_eq!(odds.max, odds.distribution.max());
}

#[rstest]
#[case("3d6kh2")]
#[case("4d4kl3")]
#[case("3d4r1kh1")]
#[case("2d6r>4 - d4")]
#[case("(d4 + 1) * d6 + 2dF")]
#[case("3dFkl2")]
#[case("3d3r<=2dh1 * 2")]
#[case("d66")]
#[case("2d66kh1 - d666")]
#[case("2d66")]
#[case("3d6>=5")]
#[case("4d4kh2>=3")]
#[case("4d4kl2>=3")]
#[case("4d4kh2=3")]
#[case("4d4kl3<=2")]
#[case("4d4kh3<2 - d4")]
#[case("3d6r1>4")]
#[case("2d66>=50")]
#[case("3d6>=1")]
#[case("3d6>=7")]
#[case("3dF>=0")]
#[case("5d6/2")]
#[case("(2d4-6)/2")]
#[case("20/2d4")]
#[case("20/-1d4*2")]
#[case("2d4r<=4")]
#[case("3d6r2")]
#[case("3d6r<4")]
#[case("adv - dis")]
#[case("d20/3 adv")]
#[case("0d6 + 0d6>=3")]
fn odds_are_what_rolling_every_fall_gives(#[case] text: &str) {
    assert_odds_of_every_fall(text);
}

/// Each with the number of dice that are tried, a face that ends a chain, and the largest total whose falls all have at
/// most that number of dice.
#[rstest]
#[case("2d4!", 7, 1, 23)]
#[case("2d4!>=3", 6, 1, 13)]
#[case("2d4!2", 6, 1, 9)]
#[case("1d4!<=2", 8, 4, 9)]
#[case("2d4!1", 8, 4, 9)]
#[case("1d4!r1", 6, 1, 11)]
#[case("2d3!kh1", 7, 1, 9)]
#[case("2d4!>=3>=3", 8, 1, 5)]
#[case("2d4!>=4", 6, 1, 19)]
#[case("2d4!/2", 6, 1, 8)]
#[case("1dF! + 2", 8, 1, 7)]
#[case("2d4>=1!", 8, 1, 7)]
fn odds_of_exploding_dice_are_exact_for_every_listed_total(
    #[case] text: &str,
    #[case] most: usize,
    #[case] last_face: u32,
    #[case] last_total: i64,
) {
    let odds = read(text).odds().unwrap();
    let mut counted = roll_every_fall(text, most, last_face);
    counted.retain(|total, _| *total <= last_total);
    let listed: BTreeMap<i64, Fraction> = odds
        .distribution
        .chances()
        .filter(|(total, _)| *total <= last_total)
        .collect();
    assert!(counted.len() > 3, "{text}");
    assert_eq!(listed, counted, "{text}");

    let beyond = &Fraction::ONE - &odds.distribution.chance(|_| true);
    assert!(
        beyond > Fraction::ZERO && beyond.to_f64().value() < 1e-11,
        "{text}"
    );
}

#[rstest]
// A d4 explodes on 1, without a hit: a hit is one of the three other faces.
#[case("1d4!1>=4", "1/3")]
// A chain of a d6 is 8 or more after a 6 and then 2 or more.
#[case("1d6>=8!!", "5/36")]
#[case("1d6!!>=5>=11", "1/9")]
#[case("1d6>=13!!", "1/36")]
#[case("1d6=6!!", "0")]
#[case("1d6>=1!!", "1")]
#[case("2d6>0!!", "2")]
#[case("1d6>=2!!1", "1")]
#[case("2d6<=5!!", "5/3")]
#[case("2d6<=7!!", "31/18")]
#[case("10d10>=8", "3")]
#[case("10d10>=8!", "10/3")]
#[case("10d10!>=8", "550/7")]
#[case("3d6!>=5", "63/4")]
#[case("7d6/2", "12")]
fn a_mean_is_what_paper_and_pencil_give(#[case] text: &str, #[case] mean: &str) {
    let odds = read(text).odds().unwrap();
    assert_eq!(odds.mean.unwrap().to_string(), mean, "{text}");
}

#[test]
fn a_dropped_chain_may_be_longer_than_those_that_are_listed() {
    let odds = read("2d3!kl1").odds().unwrap();
    let chance = |wanted: i64| {
        odds.distribution
            .chance(|total| total == wanted)
            .to_string()
    };
    assert_eq!(chance(1), "5/9");
    assert_eq!(chance(2), "1/3");
}

#[test]
fn d66_has_36_results_and_d666_216() {
    for (dice, range, count) in [("d66", (11, 66), 36), ("d666", (111, 666), 216)] {
        let notation = read(dice);
        assert_eq!(notation.range(), range);
        assert!(notation.is_quick());
        let odds = notation.odds().unwrap();
        assert_eq!(odds.distribution.chances().count(), count);
    }
    assert_eq!(
        read("d66").odds().unwrap().mean.unwrap().to_string(),
        "77/2"
    );
}

#[test]
fn odds_that_are_told_between_two_keys_are_few() {
    let is_quick = |text: &str| text.parse::<Notation>().unwrap().is_quick();
    for text in "d20 2d6+1 4d6kh3 3d6! 10d10kl3 4d6kh3+2d8-1 2d6*3 30d100 d6!+d6!+d6!-1".split(' ')
    {
        assert!(is_quick(text), "{text}");
    }
    for text in "200d100 1d1000000 30d100*30d100 200d20kh100 50d6!kl3 10000d6 d4!*d4!*d4!*d4! 0d6+10d100*9d100*9d100".split(' ') {
        assert!(!is_quick(text), "{text}");
    }
}

/// Of each line: a program, an expression of its documentation or of its players, and the mean or the error here.
#[test]
fn expressions_of_other_programs_have_their_mean_or_a_helpful_error() {
    for line in include_str!("../other_programs.txt").lines() {
        let columns: Vec<&str> = line.split(" | ").collect();
        match columns[1].parse::<Notation>() {
            Ok(notation) => {
                let mean = notation.odds().unwrap().mean.unwrap();
                assert_eq!(mean.to_string(), columns[2], "{line}");
            }
            Err(error) => assert!(error.to_string().contains(columns[2]), "{line}: {error}"),
        }
    }
}
