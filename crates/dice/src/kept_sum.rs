//! The exact distribution of the sum of the highest or lowest of some dice.
//!
//! Rolls are counted by their threshold, the lowest value that is kept. If the highest k dice are kept, fewer than k dice
//! lie above the threshold, and enough others show the threshold itself to make up k dice. The sum then is
//!
//! k · threshold + Σ (value − threshold) over the dice above it,
//!
//! and the other dice only contribute a number of ways. So for each threshold, and for each number of dice above it,
//! two things are needed: the series of the sums of the dice above the threshold, and the number of ways of the other
//! dice. The series for the next lower threshold follow from the previous ones. With v values and k kept dice this
//! takes about v · k operations on series of length v · k. A visit of all rolls of n dice would take vⁿ.

use std::borrow::Cow;

use super::{Die, Keep, Natural, Series, choose};

/// A number of equal dice with the number of ways in which one of them shows each value.
pub(crate) struct WeightedDice {
    /// The number of dice.
    pub count: usize,
    /// At index i, the number of ways in which one die shows i.
    pub faces: Vec<Natural>,
}

impl WeightedDice {
    /// Creates dice with all faces raised by `raise`, which must be enough to make the lowest face at least 0.
    pub(crate) fn raised(die: Die, count: usize, raise: u16) -> Self {
        let mut faces = Vec::new();
        for face in die.faces() {
            let raised_face = i32::from(face) + i32::from(raise);
            let value = usize::try_from(raised_face).unwrap_or(0);
            if faces.len() <= value {
                faces.resize(value + 1, Natural::ZERO);
            }
            faces[value] += &Natural::ONE;
        }
        Self { count, faces }
    }

    /// The number of ways in which one die shows that value.
    fn ways_of(&self, value: usize) -> Natural {
        self.faces.get(value).cloned().unwrap_or(Natural::ZERO)
    }

    /// The same dice with value v replaced by `highest` − v.
    fn mirrored(&self, highest: usize) -> Self {
        let mut faces = self.faces.clone();
        faces.resize(highest + 1, Natural::ZERO);
        faces.reverse();
        // The highest value must have ways.
        while faces.last().is_some_and(Natural::is_zero) {
            faces.pop();
        }
        Self {
            count: self.count,
            faces,
        }
    }
}

/// Returns, for each sum of the kept dice, the number of ways to roll it.
///
/// # Panics
/// If some dice are dropped and none is kept.
pub(crate) fn kept_sum(dice: &[WeightedDice], keep: Keep) -> Series {
    let dice_count: usize = dice.iter().map(|equal| equal.count).sum();
    let kept = keep.of(dice_count);
    if kept == dice_count {
        return sum_of_all(dice);
    }

    let value_count = dice
        .iter()
        .map(|equal| equal.faces.len())
        .max()
        .unwrap_or(0);
    if matches!(keep, Keep::Highest(_)) {
        return sum_of_highest(dice, kept, value_count);
    }

    // The lowest values are the highest of mirrored dice, and the sums are mirrored back.
    let highest = value_count - 1;
    let mut mirrored = Vec::with_capacity(dice.len());
    for equal in dice {
        mirrored.push(equal.mirrored(highest));
    }
    let mut sums = sum_of_highest(&mirrored, kept, value_count);
    sums.0.resize(kept * highest + 1, Natural::ZERO);
    sums.0.reverse();
    sums
}

fn sum_of_all(dice: &[WeightedDice]) -> Series {
    let mut sums = Series::one();
    for equal in dice {
        let sums_of_kind = Series::equal_weighted_dice(equal.count, &equal.faces);
        sums = sums.times(&sums_of_kind).into_owned();
    }
    sums
}

/// Returns the sums of the `kept` highest dice. Values are below `value_count`.
fn sum_of_highest(dice: &[WeightedDice], kept: usize, value_count: usize) -> Series {
    let mut sums = Series(Vec::new());

    // For each kind of dice, the sums of 0, 1, 2, … of them above the threshold. The value just above it counts as 0.
    let mut above_of_kinds: Vec<Vec<Series>> = Vec::with_capacity(dice.len());
    for equal in dice {
        let most_above = equal.count.min(kept - 1);
        let mut above = vec![Series(Vec::new()); most_above + 1];
        above[0] = Series::one();
        above_of_kinds.push(above);
    }

    for threshold in (0..value_count).rev() {
        let mut kinds = Vec::with_capacity(dice.len());
        for (equal, above) in dice.iter().zip(&above_of_kinds) {
            kinds.push(split_at_threshold(equal, above, threshold));
        }
        let rolls = ThresholdRolls {
            value: threshold,
            kept,
            kinds,
        };
        let no_dice = DecidedKinds {
            count_above: 0,
            above: Cow::Owned(Series::one()),
            at_threshold: Cow::Owned(Series::one()),
        };
        rolls.add_sums(0, &no_dice, &mut sums);

        for (equal, above) in dice.iter().zip(&mut above_of_kinds) {
            lower_threshold(equal, threshold, above);
        }
    }
    sums
}

/// All rolls with the same threshold.
struct ThresholdRolls<'a> {
    /// The threshold: the lowest value that is kept.
    value: usize,
    kept: usize,
    /// For each kind of dice, by the number of its dice above the threshold.
    kinds: Vec<Vec<SplitDice<'a>>>,
}

/// Equal dice of which a given number lies above the threshold.
struct SplitDice<'a> {
    /// The sums of the dice above the threshold.
    above: &'a Series,
    /// At index i, the ways in which exactly i of the other dice show the threshold itself.
    at_threshold: Series,
}

/// Splits equal dice at a threshold, for each number of them that may lie above it.
fn split_at_threshold<'a>(
    equal: &WeightedDice,
    above: &'a [Series],
    threshold: usize,
) -> Vec<SplitDice<'a>> {
    let faces_below = equal.faces.iter().take(threshold);
    let ways_below = faces_below.sum();
    let ways_at = equal.ways_of(threshold);

    let mut split = Vec::with_capacity(above.len());
    for (count_above, above) in above.iter().enumerate() {
        let selections = choose(equal.count, count_above);
        let other_dice = equal.count - count_above;
        split.push(SplitDice {
            above,
            at_threshold: binomial_terms(other_dice, &ways_below, &ways_at, &selections),
        });
    }
    split
}

/// The dice of the kinds for which it is decided how many lie above the threshold.
struct DecidedKinds<'a> {
    /// The number of dice above the threshold.
    count_above: usize,
    /// The sums of the dice above the threshold.
    above: Cow<'a, Series>,
    /// At index i, the ways in which exactly i of the other dice show the threshold itself.
    at_threshold: Cow<'a, Series>,
}

impl ThresholdRolls<'_> {
    /// Decides in every possible way how many dice of this kind and all later ones lie above the threshold, and adds the
    /// sums of all these rolls.
    fn add_sums(&self, kind: usize, decided: &DecidedKinds<'_>, sums: &mut Series) {
        // The number of kept dice that do not lie above the threshold, at least 1.
        let missing = self.kept - decided.count_above;

        let Some(split) = self.kinds.get(kind) else {
            let ways_of_others = decided.at_threshold.0.iter().skip(missing).sum();
            // A die above the threshold is at least one higher than it.
            let lowest_sum = self.kept * self.value + decided.count_above;
            sums.add(&decided.above, lowest_sum, &ways_of_others);
            return;
        };

        for (count_above, dice) in split.iter().enumerate().take(missing) {
            if dice.above.0.is_empty() {
                continue;
            }
            let with_kind = DecidedKinds {
                count_above: decided.count_above + count_above,
                above: decided.above.times(dice.above),
                at_threshold: decided.at_threshold.times(&dice.at_threshold),
            };
            self.add_sums(kind + 1, &with_kind, sums);
        }
    }
}

/// Lowers the threshold by one: dice that show the old threshold now lie above it.
fn lower_threshold(equal: &WeightedDice, threshold: usize, above: &mut [Series]) {
    let Some(faces) = equal.faces.get(threshold..) else {
        return;
    };
    let Some(ways_of_threshold) = faces.first() else {
        return;
    };

    // If all faces from the old threshold up are equally likely, one more die is a running sum.
    if faces.iter().all(|ways| *ways == Natural::ONE) {
        for count in 1..above.len() {
            above[count] = above[count - 1].with_fair_die(faces.len());
        }
        return;
    }

    // At index i, the ways in which i dice show the old threshold.
    let mut powers = vec![Natural::ONE];
    for count in 1..above.len() {
        powers.push(&powers[count - 1] * ways_of_threshold);
    }

    // Some of the dice show the old threshold, and the others lie above it. The counts are visited from the largest
    // down, so that the series of smaller counts are still those of the old threshold.
    for count in (1..above.len()).rev() {
        let mut lowered = Series(Vec::new());
        for (count_at, power) in powers[..=count].iter().enumerate() {
            let count_higher = count - count_at;
            let higher = &above[count_higher];
            if power.is_zero() || higher.0.is_empty() {
                continue;
            }
            // Each of the higher dice is one further from the value that counts as 0.
            let factor = power * &choose(count, count_at);
            lowered.add(higher, count_higher, &factor);
        }
        above[count] = lowered;
    }
}

/// Returns at index i the number of ways in which exactly i of `count` dice succeed, times `factor`.
///
/// Each die has `success` ways to succeed and `failure` ways to fail, so these are the terms of (success + failure)ᶜᵒᵘⁿᵗ.
pub(super) fn binomial_terms(
    count: usize,
    failure: &Natural,
    success: &Natural,
    factor: &Natural,
) -> Series {
    let mut failures = vec![factor.clone()];
    for successes in 0..count {
        failures.push(&failures[successes] * failure);
    }

    // The ways to choose the dice that succeed, times the ways of each of them.
    let mut successful = Natural::ONE;
    let mut terms = Vec::with_capacity(count + 1);
    for successes in 0..=count {
        terms.push(&successful * &failures[count - successes]);
        let factor = &Natural::from(count - successes) * success;
        let divisor = Natural::from(successes + 1);
        successful = &(&successful * &factor) / &divisor;
    }
    Series(terms)
}
