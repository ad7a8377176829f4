//! Exact distributions of numbers.

use rustc_hash::FxHashMap;

use super::{Fraction, Natural, ratio};

/// The values that a number can have, each with its number of ways out of a total.
///
/// The ways may add up to less than the total. The missing ways belong to values beyond a bound: dice that explode have no
/// largest value, so very unlikely values are not listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distribution {
    /// Sorted by value, without values that have no ways.
    ways: Vec<(i64, Natural)>,
    total: Natural,
}

impl Distribution {
    /// Creates a distribution from values in any order. The ways of equal values are added up.
    pub fn new(mut ways: Vec<(i64, Natural)>, total: Natural) -> Self {
        ways.retain(|(_, ways)| !ways.is_zero());
        Self {
            ways: merge_equal(ways),
            total,
        }
    }

    /// Creates the distribution of a number that always has the same value.
    pub fn constant(value: i64) -> Self {
        Self {
            ways: vec![(value, Natural::ONE)],
            total: Natural::ONE,
        }
    }

    /// Returns each value with its number of ways, from the smallest value to the largest.
    pub fn ways(&self) -> &[(i64, Natural)] {
        &self.ways
    }

    /// Returns the number of all ways, including those beyond a bound.
    pub fn total(&self) -> &Natural {
        &self.total
    }

    /// Returns each value with its probability, from the smallest value to the largest.
    pub fn chances(&self) -> impl Iterator<Item = (i64, Fraction)> + '_ {
        self.ways
            .iter()
            .map(|(value, ways)| (*value, ratio(ways, &self.total)))
    }

    /// Returns the probability that the value satisfies a condition.
    pub fn chance(&self, condition: impl Fn(i64) -> bool) -> Fraction {
        let mut accepted = Natural::ZERO;
        for (value, ways) in &self.ways {
            if condition(*value) {
                accepted += ways;
            }
        }
        ratio(&accepted, &self.total)
    }

    /// Returns the smallest value. `None` if there are no values.
    pub fn min(&self) -> Option<i64> {
        let (value, _) = self.ways.first()?;
        Some(*value)
    }

    /// Returns the largest value. `None` if there are no values.
    pub fn max(&self) -> Option<i64> {
        let (value, _) = self.ways.last()?;
        Some(*value)
    }

    /// Returns the mean. Ways beyond a bound count as 0.
    pub fn mean(&self) -> Fraction {
        let mut positive = Natural::ZERO;
        let mut negative = Natural::ZERO;

        for (value, ways) in &self.ways {
            let size = Natural::from(u128::from(value.unsigned_abs()));
            if *value < 0 {
                negative.add_product(ways, &size);
            } else {
                positive.add_product(ways, &size);
            }
        }
        let positive_part = ratio(&positive, &self.total);
        let negative_part = ratio(&negative, &self.total);
        positive_part - negative_part
    }

    /// Returns the distribution of `combine(a, b)`, where `a` comes from this distribution and `b`, independently, from
    /// `other`.
    pub fn combine(&self, other: &Self, combine: impl Fn(i64, i64) -> i64) -> Self {
        let mut combined: FxHashMap<i64, Natural> = FxHashMap::default();

        for (value, ways) in &self.ways {
            for (other_value, other_ways) in &other.ways {
                combined
                    .entry(combine(*value, *other_value))
                    .or_insert(Natural::ZERO)
                    .add_product(ways, other_ways);
            }
        }
        let total = &self.total * &other.total;
        Self::new(combined.into_iter().collect(), total)
    }
}

/// Each key with its number of ways.
type KeyedWays<K> = Vec<(K, Natural)>;

/// Sorts the entries by key and adds up the ways of equal keys.
pub(super) fn merge_equal<K: Ord>(mut entries: KeyedWays<K>) -> KeyedWays<K> {
    // Equal keys are often adjacent already. Adding them up first leaves fewer entries to sort.
    add_up_adjacent(&mut entries);
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    add_up_adjacent(&mut entries);
    entries
}

fn add_up_adjacent<K: PartialEq>(entries: &mut KeyedWays<K>) {
    entries.dedup_by(|(key, ways), (previous_key, sum)| {
        let is_equal = key == previous_key;
        if is_equal {
            *sum += ways;
        }
        is_equal
    });
}
