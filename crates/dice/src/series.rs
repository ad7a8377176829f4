//! Generating functions: the number of ways to reach each sum of some dice.
//!
//! The dice of a sum are written as a polynomial in x. The coefficient of xᵏ is the number of ways to reach the sum k, so
//! a fair six-sided die with the faces 0 to 5 is 1 + x + x² + x³ + x⁴ + x⁵. Rolling dice together multiplies their
//! polynomials. All coefficients are exact whole numbers.
//!
//! A product of polynomials of degree n takes n² multiplications. Most dice have long runs of faces with equal weight,
//! and multiplying by such a die takes one addition and one subtraction for each sum: a running sum.

use std::borrow::Cow;

use super::Natural;

/// The number of ways to reach each sum: element k counts the ways to reach k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Series(pub Vec<Natural>);

/// Adjacent faces of a die that are equally likely.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// The lowest face.
    first: usize,
    /// The number of faces.
    length: usize,
    /// The number of ways to roll each face.
    weight: Natural,
}

impl Series {
    /// The series of no dice: one way to reach 0.
    pub(crate) fn one() -> Self {
        Self(vec![Natural::ONE])
    }

    /// Returns the sums of `count` fair dice with the faces 0, 1, 2, … below `sides`, which is at least 1.
    ///
    /// With f the series of one die and g = fⁿ, the chain rule gives f·g′ = n·f′·g. Comparing coefficients,
    ///
    /// g(k) = (n + 1)·Σ i·g(k − i) / k − Σ g(k − i), over all i from 1 to `sides` − 1.
    ///
    /// Both sums are kept as running sums, so the cost is a few operations for each sum, whatever the number of dice.
    pub(crate) fn equal_dice(count: usize, sides: usize) -> Self {
        let highest_sum = count * (sides - 1);
        let count_and_one = Natural::from(count + 1);
        let mut ways: Vec<Natural> = Vec::with_capacity(highest_sum + 1);
        ways.push(Natural::ONE);

        let mut plain_sum = Natural::ZERO;
        let mut weighted_sum = Natural::ZERO;

        // The series is symmetric, so the second half is a copy of the first.
        for sum in 1..=highest_sum / 2 {
            plain_sum += &ways[sum - 1];
            weighted_sum += &plain_sum;
            if let Some(out_of_window) = sum.checked_sub(sides) {
                weighted_sum -= &(&ways[out_of_window] * &Natural::from(sides));
                plain_sum -= &ways[out_of_window];
            }

            let mut next = &(&weighted_sum * &count_and_one) / &Natural::from(sum);
            next -= &plain_sum;
            ways.push(next);
        }

        let missing = highest_sum - highest_sum / 2;
        let second_half: Vec<Natural> = ways.iter().take(missing).rev().cloned().collect();
        ways.extend(second_half);
        Self(ways)
    }

    /// Returns the sums of `count` dice, each with `faces[k]` ways to show k.
    ///
    /// Dice with few runs of equal weight, such as fair and re-rolled ones, take one running sum for each run and die.
    pub(crate) fn equal_weighted_dice(count: usize, faces: &[Natural]) -> Self {
        let runs = runs_of(faces);

        if let [run] = &runs[..]
            && run.weight == Natural::ONE
        {
            let mut sums = vec![Natural::ZERO; count * run.first];
            sums.extend(Self::equal_dice(count, run.length).0);
            return Self(sums);
        }

        let mut sums = Self::one();
        for _ in 0..count {
            sums = sums.times_faces(faces, &runs);
        }
        sums
    }

    /// Returns the product: the sums of both sets of dice. Borrows `other` if this is [`Series::one`].
    pub(crate) fn times<'a>(&self, other: &'a Self) -> Cow<'a, Self> {
        if self.0 == [Natural::ONE] {
            return Cow::Borrowed(other);
        }
        Cow::Owned(self.times_sparse(other))
    }

    /// Returns the product. Zeros in `other` are skipped.
    fn times_sparse(&self, other: &Self) -> Self {
        let length = (self.0.len() + other.0.len()).saturating_sub(1);
        let mut product = vec![Natural::ZERO; length];

        for (sum, ways) in other.0.iter().enumerate() {
            if ways.is_zero() {
                continue;
            }
            for (own_ways, target) in self.0.iter().zip(&mut product[sum..]) {
                target.add_product(own_ways, ways);
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
            if let Some(leaving) = sum.checked_sub(sides).and_then(|below| self.0.get(below)) {
                window -= leaving;
            }
            ways.push(window.clone());
        }
        Self(ways)
    }

    /// Returns the sums of these dice and one more with the given faces, which consist of `runs`.
    fn times_faces(&self, faces: &[Natural], runs: &[Run]) -> Self {
        // A running sum costs about two operations, and so does a product.
        if runs.len() * 2 >= faces.len() {
            return self.times_sparse(&Self(faces.to_vec()));
        }

        let mut product = Self(Vec::new());
        for run in runs {
            let sums = self.with_fair_die(run.length);
            product.add(&sums, run.first, &run.weight);
        }
        product
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
fn runs_of(faces: &[Natural]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut first = 0;

    for equal in faces.chunk_by(|a, b| a == b) {
        if !equal[0].is_zero() {
            runs.push(Run {
                first,
                length: equal.len(),
                weight: equal[0].clone(),
            });
        }
        first += equal.len();
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
            .prop_map(|faces| faces.into_iter().map(Natural::from).collect())
    }

    proptest! {
        #[test]
        fn equal_weighted_dice_are_their_product(count in 0_usize..5, faces in faces()) {
            let die = Series(faces.clone());
            let mut product = Series::one();
            for _ in 0..count {
                product = product.times_sparse(&die);
            }
            let equal = Series::equal_weighted_dice(count, &faces);
            prop_assert_eq!(without_trailing_zeros(equal), without_trailing_zeros(product));
        }
    }
}
