//! Generating functions: how many ways there are to each sum.

use std::borrow::Cow;

use super::Natural;

/// How many ways there are to each sum: the ways to make `i` are its coefficient of `x` to the `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Series(pub Vec<Natural>);

impl Series {
    /// One way to make 0.
    pub(crate) fn one() -> Self {
        Self(vec![Natural::ONE])
    }

    /// The sums of so many equal dice, each with the faces 0, 1, 2 … below `sides`, which is at least 1.
    ///
    /// With f the series of one die and g that of n dice, g′f = n·f′g. Comparing coefficients, g(k) is
    /// (n + 1)·Σ i·g(k − i) / k − Σ g(k − i) over the i from 1 below `sides`: two running sums, the
    /// `weighted` and the `plain` one, however many dice there are.
    pub(crate) fn equal_dice(count: usize, sides: usize) -> Self {
        let top = count * (sides - 1);
        let one_more = Natural::from(count + 1);
        let mut ways: Vec<Natural> = Vec::with_capacity(top + 1);
        ways.push(Natural::ONE);
        let (mut plain, mut weighted) = (Natural::ZERO, Natural::ZERO);
        // The series reads the same from both ends, so half of it is worked out.
        for k in 1..=top / 2 {
            plain += &ways[k - 1];
            weighted += &plain;
            if let Some(gone) = k.checked_sub(sides) {
                weighted -= &(&ways[gone] * &Natural::from(sides));
                plain -= &ways[gone];
            }
            let mut next = &(&weighted * &one_more) / &Natural::from(k);
            next -= &plain;
            ways.push(next);
        }
        let mirrored = top - top / 2;
        let rest: Vec<Natural> = ways.iter().take(mirrored).rev().cloned().collect();
        ways.extend(rest);
        Self(ways)
    }

    /// The product: the sums of both together. Borrows `other` where this is [`Series::one`].
    pub(crate) fn times<'a>(&self, other: &'a Self) -> Cow<'a, Self> {
        if self.0 == [Natural::ONE] {
            return Cow::Borrowed(other);
        }
        let mut product = vec![Natural::ZERO; (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (b, sum) in other.0.iter().zip(&mut product[i..]) {
                sum.add_product(a, b);
            }
        }
        Cow::Owned(Self(product))
    }

    /// The sums together with one more die, with the faces 0, 1, 2 … below `sides`, which is at least 1. There are as
    /// many ways to a sum as there were to it and the `sides` − 1 sums below it together: a running sum.
    pub(crate) fn with_fair_die(&self, sides: usize) -> Self {
        let mut running = Natural::ZERO;
        let ways = (0..self.0.len() + sides - 1).map(|at| {
            self.0.get(at).into_iter().for_each(|more| running += more);
            if let Some(gone) = at.checked_sub(sides).and_then(|gone| self.0.get(gone)) {
                running -= gone;
            }
            running.clone()
        });
        Self(ways.collect())
    }

    /// Adds `times` the ways of the other, each to a sum higher by `shift`.
    pub(crate) fn add(&mut self, other: &Self, shift: usize, times: &Natural) {
        let needed = shift + other.0.len();
        if self.0.len() < needed {
            self.0.resize(needed, Natural::ZERO);
        }
        for (ways, sum) in other.0.iter().zip(&mut self.0[shift..]) {
            sum.add_product(ways, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_dice_are_fair_dice_one_after_the_other() {
        for sides in 1..=7 {
            let die = Series(vec![Natural::ONE; sides]);
            let (mut added, mut multiplied) = (Series::one(), Series::one());
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
        let ways = |ways: &[usize]| Series(ways.iter().map(|&ways| ways.into()).collect());
        let mut sums = ways(&[1, 2]);
        sums.add(&ways(&[3, 4]), 1, &Natural::from(10_usize));
        assert_eq!(sums, ways(&[1, 32, 40]));
    }
}
