//! Exploding dice as a power series.

use super::dice_odds::{Totals, size};
use super::odds::OddsTooLarge;
use super::syntax::FaceRange;
use super::weights::{DieWeights, longest_explosions, natural};
use crate::power::{WeightRun, inverse_power, power};

/// Odds with more explosions than this are refused.
pub(super) const MOST_EXPLOSIONS: usize = 20_000;

/// The results of exploding dice.
///
/// A die explodes any number of times and then shows a face that ends its chain. As series in x, with 1 / (1 − e) for
/// 1 + e + e² + …, the dice are (ends / (w − explosions))ᶜᵒᵘⁿᵗ,
/// where w is the number of all ways of one roll.
pub(super) struct ExplodingSeries {
    /// The results of a roll that ends a chain, counted from the smallest.
    pub ends: Vec<WeightRun>,
    /// The smallest result of a roll that ends a chain.
    pub first: i64,
    /// The results of a roll that explodes.
    pub explosions: Vec<WeightRun>,
    /// The number of all ways of one roll.
    pub all_ways: u64,
    /// The number of dice.
    pub count: u32,
    /// The largest listed exponent.
    pub limit: usize,
    /// The largest number of explosions below the limit.
    pub longest: usize,
}

impl ExplodingSeries {
    /// The series of the sums of exploding dice.
    pub(super) fn of_sum(weights: &DieWeights, count: u32) -> Result<Self, OddsTooLarge> {
        let series = Self {
            ends: weights.ends(),
            first: weights.lowest_end().into(),
            explosions: weights.explosions(),
            all_ways: weights.all_ways,
            count,
            limit: 0,
            longest: 0,
        };
        series.with_limit(weights.exploding)
    }

    /// The series of the number of rolls with a counted face.
    ///
    /// A roll that explodes on a face outside `counted` does not change the number, so its ways are left out of `all_ways`.
    pub(super) fn of_hits(
        weights: &DieWeights,
        counted: FaceRange,
        count: u32,
    ) -> Result<Self, OddsTooLarge> {
        let exploding_hits = weights.exploding_within(counted);
        let hits = weights.within(counted) - exploding_hits;
        let misses = weights.all_ways - weights.exploding - hits;

        let (first, ends) = match (misses, hits) {
            (0, hits) => (1, vec![WeightRun::single(0, hits)]),
            (misses, 0) => (0, vec![WeightRun::single(0, misses)]),
            (misses, hits) => {
                let ends = vec![WeightRun::single(0, misses), WeightRun::single(1, hits)];
                (0, ends)
            }
        };
        let explosions = match exploding_hits {
            0 => Vec::new(),
            hits => vec![WeightRun::single(1, hits)],
        };

        let series = Self {
            ends,
            first,
            explosions,
            all_ways: misses + hits + exploding_hits,
            count,
            limit: 0,
            longest: 0,
        };
        series.with_limit(exploding_hits)
    }

    /// Sets how many exponents are listed. `exploding` is the number of ways in which a roll explodes.
    fn with_limit(mut self, exploding: u64) -> Result<Self, OddsTooLarge> {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let chance = exploding as f64 / self.all_ways as f64;
        let explosions = longest_explosions(self.count, chance, MOST_EXPLOSIONS);
        let explosions = explosions.ok_or(OddsTooLarge)?;

        let highest_end = self.ends.last().map_or(0, |run| run.to);
        self.limit = size(self.count) * highest_end;
        if let (Some(lowest), Some(highest)) = (self.explosions.first(), self.explosions.last()) {
            self.limit += explosions * highest.to;
            self.longest = self.limit / lowest.from;
        }
        Ok(self)
    }

    /// For each listed result, the number of ways to roll it.
    pub(super) fn totals(&self) -> Totals {
        let count = size(self.count);
        let ways_of_roll = natural(self.all_ways);
        let ends = power(&self.ends, count, self.limit);
        let chains = inverse_power(
            &self.explosions,
            &ways_of_roll,
            count,
            self.longest,
            self.limit,
        );

        let mut totals = Totals {
            first: self.first * i64::from(self.count),
            ways: ends.times_up_to(&chains, self.limit + 1),
            all_ways: ways_of_roll.pow(count + self.longest),
        };
        totals.drop_unlikely_end();
        totals
    }
}
