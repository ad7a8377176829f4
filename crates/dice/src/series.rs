//! Generating functions: the number of ways to reach each sum of some dice.
//!
//! The sums of some dice are written as a polynomial in x. The coefficient of xᵏ is the number of ways to reach the sum k,
//! so a fair six-sided die with the faces 0 to 5 is 1 + x + x² + x³ + x⁴ + x⁵. The polynomial of dice that are rolled
//! together is the product of their polynomials. All coefficients are exact whole numbers.
//!
//! A product of polynomials of degree n takes n² multiplications. Most dice have long runs of faces with equal weight,
//! and multiplying by such a die takes one addition and one subtraction for each sum: a running sum. The sums of equal
//! dice are a [`power`], which takes the same few operations for any number of dice.

use std::borrow::Cow;

use super::Natural;
use super::power::{WeightRun, power};

/// The number of ways to roll each sum: element k is the number of ways to roll k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Series(pub Vec<Natural>);

impl Series {
    /// The series of no dice: one way to reach 0.
    pub(crate) fn one() -> Self {
        Self(vec![Natural::ONE])
    }

    /// Returns the sums of `count` fair dice with the faces 0, 1, 2, … below `sides`, which is at least 1.
    pub(crate) fn equal_dice(count: usize, sides: usize) -> Self {
        let die = WeightRun {
            from: 0,
            to: sides - 1,
            weight: Natural::ONE,
        };
        power(&[die], count, usize::MAX)
    }

    /// Returns the sums of `count` dice, each with `faces[k]` ways to show k. At least one element is not 0.
    pub(crate) fn equal_weighted_dice(count: usize, faces: &[Natural]) -> Self {
        let mut runs = runs_of(faces);
        let lowest = runs.first().map_or(0, |run| run.from);
        for run in &mut runs {
            run.from -= lowest;
            run.to -= lowest;
        }

        let mut ways = vec![Natural::ZERO; count * lowest];
        ways.extend(power(&runs, count, usize::MAX).0);
        Self(ways)
    }

    /// Returns the product: the sums of both sets of dice. Borrows `other` if this is [`Series::one`].
    pub(crate) fn times<'a>(&self, other: &'a Self) -> Cow<'a, Self> {
        if self.0 == [Natural::ONE] {
            return Cow::Borrowed(other);
        }
        Cow::Owned(self.times_up_to(other, usize::MAX))
    }

    /// Returns the first `length` coefficients of the product. Zeros in `other` are skipped.
    pub(crate) fn times_up_to(&self, other: &Self, length: usize) -> Self {
        let whole_length = (self.0.len() + other.0.len()).saturating_sub(1);
        let length = length.min(whole_length);
        let mut product = vec![Natural::ZERO; length];

        for (shift, other_ways) in other.0.iter().enumerate().take(length) {
            if other_ways.is_zero() {
                continue;
            }
            for (own_ways, sum) in self.0.iter().zip(&mut product[shift..]) {
                sum.add_product(own_ways, other_ways);
            }
        }
        Self(product)
    }

    /// Returns the sums of these dice and one more fair die with the faces 0, 1, 2, … below `sides`, which is at least 1.
    ///
    /// The ways to reach a sum are those to reach it and the `sides` − 1 sums below it without the new die.
    pub(crate) fn with_fair_die(&self, sides: usize) -> Self {
        let mut window = Natural::ZERO;
        let mut ways = Vec::with_capacity(self.0.len() + sides - 1);

        for sum in 0..self.0.len() + sides - 1 {
            if let Some(entering) = self.0.get(sum) {
                window += entering;
            }
            if sum >= sides {
                window -= &self.0[sum - sides];
            }
            ways.push(window.clone());
        }
        Self(ways)
    }

    /// Adds `factor` times the ways of `other`, with each sum raised by `shift`.
    pub(crate) fn add(&mut self, other: &Self, shift: usize, factor: &Natural) {
        let needed = shift + other.0.len();
        if self.0.len() < needed {
            self.0.resize(needed, Natural::ZERO);
        }
        for (ways, sum) in other.0.iter().zip(&mut self.0[shift..]) {
            sum.add_product(ways, factor);
        }
    }
}

/// Divides the faces into runs of equal weight. Faces with weight 0 belong to none.
fn runs_of(faces: &[Natural]) -> Vec<WeightRun> {
    let mut runs: Vec<WeightRun> = Vec::new();

    for (face, weight) in faces.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.to + 1 == face && run.weight == *weight => run.to = face,
            _ if weight.is_zero() => {}
            _ => runs.push(WeightRun {
                from: face,
                to: face,
                weight: weight.clone(),
            }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ways(ways: &[usize]) -> Series {
        Series(ways.iter().map(|&ways| ways.into()).collect())
    }

    fn without_trailing_zeros(mut series: Series) -> Series {
        while series.0.pop_if(|ways| ways.is_zero()).is_some() {}
        series
    }

    #[test]
    fn equal_dice_are_fair_dice_multiplied_one_by_one() {
        for sides in 1..=7 {
            let die = Series(vec![Natural::ONE; sides]);
            let mut added = Series::one();
            let mut multiplied = Series::one();
            for count in 0..=9 {
                let equal = Series::equal_dice(count, sides);
                assert_eq!(equal, added, "{count} dice of {sides} sides");
                assert_eq!(equal, multiplied, "{count} dice of {sides} sides");
                added = added.with_fair_die(sides);
                multiplied = multiplied.times(&die).into_owned();
            }
        }
    }

    #[test]
    fn a_series_is_added_above_the_shift() {
        let mut sums = ways(&[1, 2]);
        sums.add(&ways(&[3, 4]), 1, &Natural::from(10_usize));
        assert_eq!(sums, ways(&[1, 32, 40]));
    }

    fn faces() -> impl Strategy<Value = Vec<Natural>> {
        prop::collection::vec(0_usize..3, 1..7)
            .prop_filter("a face", |faces| faces.iter().any(|ways| *ways > 0))
            .prop_map(|faces| faces.into_iter().map(Natural::from).collect())
    }

    proptest! {
        #[test]
        fn equal_weighted_dice_are_their_product(count in 0_usize..5, faces in faces()) {
            let die = Series(faces.clone());
            let mut product = Series::one();
            for _ in 0..count {
                product = product.times(&die).into_owned();
            }
            let equal = Series::equal_weighted_dice(count, &faces);
            prop_assert_eq!(without_trailing_zeros(equal), without_trailing_zeros(product));
        }
    }
}
