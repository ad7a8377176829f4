//! How a number is spread: each value with its exact chance.

use rustc_hash::FxHashMap;

use super::{Fraction, Natural, ratio};

/// Each value that a number can have, with its ways out of all.
///
/// The ways may add up to less than the total: what is missing went beyond a bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distribution {
    /// By value, from the smallest; none without a way.
    ways: Vec<(i64, Natural)>,
    total: Natural,
}

impl Distribution {
    /// These values out of so many ways; equal values are put together.
    pub fn new(mut ways: Vec<(i64, Natural)>, total: Natural) -> Self {
        ways.retain(|(_, ways)| !ways.is_zero());
        let ways = merged(ways);
        Self { ways, total }
    }

    /// Always this value.
    pub fn constant(value: i64) -> Self {
        let (ways, total) = (vec![(value, Natural::ONE)], Natural::ONE);
        Self { ways, total }
    }

    /// The values with their ways, from the smallest.
    pub fn ways(&self) -> &[(i64, Natural)] {
        &self.ways
    }

    /// All ways, those beyond a bound included.
    pub fn total(&self) -> &Natural {
        &self.total
    }

    /// The values with their chances, from the smallest.
    pub fn chances(&self) -> impl Iterator<Item = (i64, Fraction)> + '_ {
        let ways = self.ways.iter();
        ways.map(|(value, ways)| (*value, ratio(ways, &self.total)))
    }

    /// The chance of a value that `which` accepts.
    pub fn chance(&self, which: impl Fn(i64) -> bool) -> Fraction {
        let ways = self.ways.iter().filter(|(value, _)| which(*value));
        let sum = ways.map(|(_, ways)| ways).sum();
        ratio(&sum, &self.total)
    }

    /// The smallest value.
    pub fn min(&self) -> Option<i64> {
        self.ways.first().map(|(value, _)| *value)
    }

    /// The largest value.
    pub fn max(&self) -> Option<i64> {
        self.ways.last().map(|(value, _)| *value)
    }

    /// The mean, each value weighed by its chance; what went beyond counts as 0.
    pub fn mean(&self) -> Fraction {
        let (mut above, mut below) = (Natural::ZERO, Natural::ZERO);
        for (value, ways) in &self.ways {
            let side = if *value < 0 { &mut below } else { &mut above };
            side.add_product(ways, &Natural::from(u128::from(value.unsigned_abs())));
        }
        &ratio(&above, &self.total) - &ratio(&below, &self.total)
    }

    /// How a combination of this number and another, rolled apart, is spread.
    pub fn combine(&self, other: &Self, combine: impl Fn(i64, i64) -> i64) -> Self {
        let mut ways: FxHashMap<i64, Natural> = FxHashMap::default();
        for (a, a_ways) in &self.ways {
            for (b, b_ways) in &other.ways {
                let sum = ways.entry(combine(*a, *b)).or_insert(Natural::ZERO);
                sum.add_product(a_ways, b_ways);
            }
        }
        Self::new(ways.into_iter().collect(), &self.total * &other.total)
    }
}

/// In order, with the ways of equals put together.
pub(super) fn merged<K: Ord>(mut all: Vec<(K, Natural)>) -> Vec<(K, Natural)> {
    let put_together = |all: &mut Vec<(K, Natural)>| {
        all.dedup_by(|(again, more), (first, ways)| {
            let same = again == first;
            if same {
                *ways += more;
            }
            same
        });
    };
    // Equals often stand together already: few are left to be sorted.
    put_together(&mut all);
    all.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    put_together(&mut all);
    all
}
