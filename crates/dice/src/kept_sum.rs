//! The exact distribution of the sum of the highest or lowest of some dice.
//!
//! A roll is sorted by its threshold: the lowest value that is still kept. If the highest k dice are kept, fewer than k dice
//! lie above the threshold, and at least as many as are missing show the threshold itself. The sum then is
//!
//! k · threshold + Σ (value − threshold) over the dice above it,
//!
//! and the other dice only contribute a number of ways. So for each threshold and each number of dice above it, the program
//! needs one series (the sums of that many dice above the threshold) and one number (the ways of the others). The
//! series for the next lower threshold follow from the previous ones. With v values and k kept dice this takes about v · k
//! operations on series of length v · k, where going through all rolls would take vⁿ.

use super::{Die, Keep, Natural, Series, choose};

/// A number of equal dice with the number of ways in which one of them shows each value.
pub(crate) struct WeightedDice {
    /// The number of dice.
    pub count: usize,
    /// The ways of one die to show 0, 1, 2, …
    pub faces: Vec<Natural>,
}

impl WeightedDice {
    /// Dice with all their faces raised by `raise`, so that none is negative.
    pub(crate) fn raised(die: Die, count: usize, raise: u16) -> Self {
        let mut faces = Vec::new();
        for face in die.faces() {
            let value = usize::try_from(i32::from(face) + i32::from(raise)).unwrap_or(0);
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
        while faces.pop_if(|ways| ways.is_zero()).is_some() {}
        Self {
            count: self.count,
            faces,
        }
    }
}

/// Returns the number of ways to each sum of the kept dice.
///
/// # Panics
/// If some dice are dropped and none is kept.
pub(crate) fn kept_sum(dice: &[WeightedDice], keep: Keep) -> Series {
    let total: usize = dice.iter().map(|equal| equal.count).sum();
    let kept = keep.of(total);
    if kept == total {
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
    let mirrored: Vec<WeightedDice> = dice.iter().map(|equal| equal.mirrored(highest)).collect();
    let mut sums = sum_of_highest(&mirrored, kept, value_count);
    sums.0.resize(kept * highest + 1, Natural::ZERO);
    sums.0.reverse();
    sums
}

fn sum_of_all(dice: &[WeightedDice]) -> Series {
    let mut sums = Series::one();
    for equal in dice {
        let more = Series::equal_weighted_dice(equal.count, &equal.faces);
        sums = sums.times(&more).into_owned();
    }
    sums
}

/// Returns the sums of the `kept` highest dice. Values are below `value_count`.
fn sum_of_highest(dice: &[WeightedDice], kept: usize, value_count: usize) -> Series {
    let mut sums = Series(Vec::new());

    // For each kind of dice, the sums of 0, 1, 2, … of them above the threshold. The value just above it counts as 0.
    let mut above: Vec<Vec<Series>> = dice
        .iter()
        .map(|equal| {
            let mut above = vec![Series(Vec::new()); equal.count.min(kept - 1) + 1];
            above[0] = Series::one();
            above
        })
        .collect();

    for threshold in (0..value_count).rev() {
        let kinds = dice
            .iter()
            .zip(&above)
            .map(|(equal, above)| split_at_threshold(equal, above, threshold))
            .collect();
        let level = ThresholdRolls {
            value: threshold,
            kept,
            kinds,
        };
        level.add_sums(0, 0, &Series::one(), &Series::one(), &mut sums);

        for (equal, above) in dice.iter().zip(&mut above) {
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

fn split_at_threshold<'a>(
    equal: &WeightedDice,
    above: &'a [Series],
    threshold: usize,
) -> Vec<SplitDice<'a>> {
    let ways_below = equal.faces.iter().take(threshold).sum();
    let ways_at = equal.ways_of(threshold);

    let mut split = Vec::with_capacity(above.len());
    for (count_above, above) in above.iter().enumerate() {
        let selections = choose(equal.count, count_above);
        split.push(SplitDice {
            above,
            at_threshold: binomial_terms(
                equal.count - count_above,
                &ways_below,
                &ways_at,
                &selections,
            ),
        });
    }
    split
}

impl ThresholdRolls<'_> {
    /// Adds the sums of all rolls in which `count_above` dice of the earlier kinds lie above the threshold.
    ///
    /// `above` holds the sums of these dice, and `at_threshold` counts how many of the other dice before show the threshold.
    fn add_sums(
        &self,
        kind: usize,
        count_above: usize,
        above: &Series,
        at_threshold: &Series,
        sums: &mut Series,
    ) {
        let Some(split) = self.kinds.get(kind) else {
            let missing = self.kept - count_above;
            let ways = at_threshold.0.iter().skip(missing).sum();
            // A die above the threshold is at least one higher than it.
            let lowest_sum = self.kept * self.value + count_above;
            sums.add(above, lowest_sum, &ways);
            return;
        };

        for (more, dice) in split.iter().enumerate().take(self.kept - count_above) {
            if !dice.above.0.is_empty() {
                let above = above.times(dice.above);
                let at_threshold = at_threshold.times(&dice.at_threshold);
                self.add_sums(kind + 1, count_above + more, &above, &at_threshold, sums);
            }
        }
    }
}

/// Lowers the threshold by one: dice that show the old threshold now lie above it.
fn lower_threshold(equal: &WeightedDice, threshold: usize, above: &mut [Series]) {
    let Some((ways, higher)) = equal.faces[threshold.min(equal.faces.len())..].split_first() else {
        return;
    };

    // Each die is fair from the old threshold on: one more die is a running sum.
    if *ways == Natural::ONE && higher.iter().all(|ways| *ways == Natural::ONE) {
        for count in 1..above.len() {
            above[count] = above[count - 1].with_fair_die(1 + higher.len());
        }
        return;
    }

    let mut powers = vec![Natural::ONE];
    for count in 1..above.len() {
        powers.push(&powers[count - 1] * ways);
    }

    // Some of the dice show the old threshold, and the others lie above it. From the largest count down, so that the
    // series of smaller counts are still those of the old threshold.
    for count in (1..above.len()).rev() {
        let mut lowered = Series(Vec::new());
        for (count_at, power) in powers.iter().enumerate().take(count + 1) {
            let count_higher = count - count_at;
            let higher = &above[count_higher];
            if !power.is_zero() && !higher.0.is_empty() {
                // Each of the higher dice is one further from the value that counts as 0.
                let factor = power * &choose(count, count_at);
                lowered.add(higher, count_higher, &factor);
            }
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
        let one_more = &Natural::from(count - successes) * success;
        successful = &(&successful * &one_more) / &Natural::from(successes + 1);
    }
    Series(terms)
}
