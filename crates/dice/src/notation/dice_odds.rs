//! The exact odds of equal dice: their sum, the sum of those that are kept, or the number of those that count.

use super::exploding::ExplodingSeries;
use super::odds::{OddsTooLarge, PartOdds};
use super::syntax::DiceTerm;
use super::weights::{DieWeights, natural};
use crate::kept_sum::{WeightedDice, kept_sum};
use crate::power::power;
use crate::{Distribution, Fraction, Keep, Natural, Series, ratio};

/// For each total from `first` up, the number of ways to roll it.
pub(super) struct Totals {
    pub first: i64,
    pub ways: Series,
    /// The number of all ways, including those of totals that are not listed.
    pub all_ways: Natural,
}

impl Totals {
    pub(super) fn into_distribution(self) -> Distribution {
        let ways = (self.first..).zip(self.ways.0).collect();
        Distribution::new(ways, self.all_ways)
    }

    /// Removes the largest totals, as long as those that are not listed stay less likely than one in a million million.
    pub(super) fn drop_unlikely_end(&mut self) {
        let million_million = Natural::from(1_000_000_000_000_u128);
        let mut unlisted = self.unlisted();

        while let Some(last) = self.ways.0.last() {
            unlisted += last;
            if &unlisted * &million_million >= self.all_ways {
                return;
            }
            self.ways.0.pop();
        }
    }

    /// Returns the number of ways that lead to totals that are not listed.
    fn unlisted(&self) -> Natural {
        let listed = self.ways.0.iter().sum::<Natural>();
        let mut unlisted = self.all_ways.clone();
        unlisted -= &listed;
        unlisted
    }
}

impl DiceTerm {
    /// Computes the exact odds.
    pub(super) fn odds(&self) -> Result<PartOdds, OddsTooLarge> {
        let weights = DieWeights::of(self);
        let drops_dice = self.kept() < self.count;

        match (self.counted, self.explode) {
            (Some(counted), Some(_)) if !self.compounds => self.exploding_hits(&weights, counted),
            (Some(counted), _) => Ok(self.hits(&weights, counted)),
            (None, Some(_)) if drops_dice => self.kept_chains(&weights),
            (None, Some(_)) => self.exploding_sum(&weights),
            (None, None) if drops_dice => Ok(with_own_mean(self.kept_sum(weights.one_roll()))),
            (None, None) => Ok(with_own_mean(self.sum(&weights))),
        }
    }

    fn sum(&self, weights: &DieWeights) -> Totals {
        let count = size(self.count);
        Totals {
            first: i64::from(self.lowest_value()) * i64::from(self.count),
            ways: power(&weights.ends(), count, usize::MAX),
            all_ways: natural(weights.all_ways).pow(count),
        }
    }

    fn exploding_sum(&self, weights: &DieWeights) -> Result<PartOdds, OddsTooLarge> {
        let sums = ExplodingSeries::of_sum(weights, self.count)?;
        let mean_of_roll = weights.one_roll().into_distribution().mean();

        Ok(PartOdds {
            distribution: sums.totals().into_distribution(),
            mean: Some(mean_of_roll * self.mean_rolls(weights)),
        })
    }

    /// The mean number of rolls of all dice, explosions included.
    pub(super) fn mean_rolls(&self, weights: &DieWeights) -> Fraction {
        let rolls = &natural(weights.all_ways) * &natural(self.count.into());
        let ending = natural(weights.all_ways - weights.exploding);
        ratio(&rolls, &ending)
    }

    /// The sum of the kept dice. `die` holds the values of a single die.
    fn kept_sum(&self, die: Totals) -> Totals {
        let count = size(self.count);
        let dice = WeightedDice {
            count,
            faces: die.ways.0,
        };
        Totals {
            first: die.first * i64::from(self.kept()),
            ways: kept_sum(&[dice], self.keep),
            all_ways: die.all_ways.pow(count),
        }
    }

    /// The sum of the kept dice if they explode. Chains that are too long to be listed are left out.
    fn kept_chains(&self, weights: &DieWeights) -> Result<PartOdds, OddsTooLarge> {
        let mut die = ExplodingSeries::of_sum(weights, 1)?.totals();
        if matches!(self.keep, Keep::Lowest(_)) {
            // A die with an unlisted chain is dropped. It counts as one more value above all others, so every total
            // below this value is exact.
            let unlisted = die.unlisted();
            die.ways.0.push(unlisted);
        }

        let mut sums = self.kept_sum(die);
        sums.drop_unlikely_end();
        Ok(PartOdds {
            distribution: sums.into_distribution(),
            mean: None,
        })
    }
}

impl DieWeights {
    /// The values of one roll of a die.
    fn one_roll(&self) -> Totals {
        Totals {
            first: self.faces.first().map_or(0, |run| run.from.into()),
            ways: self.to_series(),
            all_ways: natural(self.all_ways),
        }
    }
}

/// The odds of dice without explosions, whose totals are all listed.
pub(super) fn with_own_mean(totals: Totals) -> PartOdds {
    let distribution = totals.into_distribution();
    PartOdds {
        mean: Some(distribution.mean()),
        distribution,
    }
}

pub(super) fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
