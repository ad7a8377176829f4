//! The exact odds of equal dice: their sum, the sum of those that are kept, or the number of those that count.

use super::odds::{OddsTooLarge, PartOdds};
use super::syntax::{DiceTerm, FaceRange};
use super::weights::{DieWeights, longest_explosions, natural};
use crate::kept_sum::{WeightedDice, kept_sum};
use crate::power::{WeightRun, inverse_power, multiply, power};
use crate::{Distribution, Fraction, Keep, Natural, choose, ratio};

/// Odds with more explosions than this are refused.
pub(super) const MOST_EXPLOSIONS: usize = 20_000;

/// The ways to each total, from the total `first` up.
struct Totals {
    first: i64,
    ways: Vec<Natural>,
    whole: Natural,
}

impl Totals {
    fn into_distribution(self) -> Distribution {
        Distribution::new((self.first..).zip(self.ways).collect(), self.whole)
    }

    /// Removes the largest totals that all together are less likely than one in a million million.
    fn drop_unlikely_end(&mut self) {
        let million_million = Natural::from(1_000_000_000_000_u128);
        let mut beyond = self.whole.clone();
        beyond -= &self.ways.iter().sum::<Natural>();
        while let Some(last) = self.ways.last() {
            beyond += last;
            if &beyond * &million_million >= self.whole {
                return;
            }
            self.ways.pop();
        }
    }
}

/// Exploding dice as a series: `(ends / (whole − explosions)) ^ count`, in powers of `x`.
pub(super) struct ExplodingSeries {
    /// The results of a roll that ends a chain, counted from the smallest.
    pub ends: Vec<WeightRun>,
    /// The smallest result of a roll that ends a chain.
    pub first: i64,
    /// The results of a roll that explodes.
    pub explosions: Vec<WeightRun>,
    /// All ways of one roll.
    pub whole: u64,
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
            whole: weights.whole,
            count,
            limit: 0,
            longest: 0,
        };
        series.with_limit(weights.exploding)
    }

    /// The series of the number of rolls with a counted face.
    ///
    /// A roll that explodes on a face outside `counted` does not change the number, so its ways are left out of `whole`.
    pub(super) fn of_hits(
        weights: &DieWeights,
        counted: FaceRange,
        count: u32,
    ) -> Result<Self, OddsTooLarge> {
        let exploding_hits = weights.exploding_within(counted);
        let hits = weights.within(counted) - exploding_hits;
        let misses = weights.whole - weights.exploding - hits;

        let (first, ends) = match (misses, hits) {
            (0, hits) => (1, vec![WeightRun::one(0, hits)]),
            (misses, 0) => (0, vec![WeightRun::one(0, misses)]),
            (misses, hits) => (0, vec![WeightRun::one(0, misses), WeightRun::one(1, hits)]),
        };
        let explosions = match exploding_hits {
            0 => Vec::new(),
            hits => vec![WeightRun::one(1, hits)],
        };
        let series = Self {
            ends,
            first,
            explosions,
            whole: misses + hits + exploding_hits,
            count,
            limit: 0,
            longest: 0,
        };
        series.with_limit(exploding_hits)
    }

    /// Sets how many exponents are listed, with this number of ways to explode.
    fn with_limit(mut self, exploding: u64) -> Result<Self, OddsTooLarge> {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let chance = exploding as f64 / self.whole as f64;
        let explosions =
            longest_explosions(self.count, chance, MOST_EXPLOSIONS).ok_or(OddsTooLarge)?;

        let highest_end = self.ends.last().map_or(0, |run| run.to);
        self.limit = size(self.count) * highest_end;
        if let (Some(lowest), Some(highest)) = (self.explosions.first(), self.explosions.last()) {
            self.limit += explosions * highest.to;
            self.longest = self.limit / lowest.from;
        }
        Ok(self)
    }

    /// The ways to each listed result. Together they are all ways, except for those that are not listed.
    fn ways(&self) -> Totals {
        let count = size(self.count);
        let whole = natural(self.whole);
        let ends = power(&self.ends, count, self.limit);
        let chains = inverse_power(&self.explosions, &whole, count, self.longest, self.limit);

        let mut ways = Totals {
            first: self.first * i64::from(self.count),
            ways: multiply(&chains, &ends, self.limit + 1),
            whole: whole.pow(count + self.longest),
        };
        ways.drop_unlikely_end();
        ways
    }
}

impl DiceTerm {
    /// Computes the exact odds.
    pub(super) fn odds(&self) -> Result<PartOdds, OddsTooLarge> {
        let weights = DieWeights::of(self);
        let odds = match (self.counted, self.explode) {
            (Some(counted), Some(_)) if !self.compounds => PartOdds {
                distribution: ExplodingSeries::of_hits(&weights, counted, self.count)?
                    .ways()
                    .into_distribution(),
                mean: Some(
                    ratio(&natural(weights.within(counted)), &natural(weights.whole))
                        * self.mean_rolls(&weights),
                ),
            },
            (Some(counted), _) => self.hits(&weights, counted),
            (None, Some(_)) if self.kept() < self.count => PartOdds {
                distribution: self.kept_chains(ExplodingSeries::of_sum(&weights, 1)?.ways()),
                mean: None,
            },
            (None, None) if self.kept() < self.count => {
                with_own_mean(self.kept_sum(weights.one_roll()).into_distribution())
            }
            (None, Some(_)) => PartOdds {
                distribution: ExplodingSeries::of_sum(&weights, self.count)?
                    .ways()
                    .into_distribution(),
                mean: Some(
                    weights.one_roll().into_distribution().mean() * self.mean_rolls(&weights),
                ),
            },
            (None, None) => with_own_mean(self.sum(&weights)),
        };
        Ok(odds)
    }

    fn sum(&self, weights: &DieWeights) -> Distribution {
        let ways = Totals {
            first: i64::from(self.lowest_value()) * i64::from(self.count),
            ways: power(&weights.ends(), size(self.count), usize::MAX),
            whole: natural(weights.whole).pow(size(self.count)),
        };
        ways.into_distribution()
    }

    /// The mean number of rolls of all dice.
    fn mean_rolls(&self, weights: &DieWeights) -> Fraction {
        let rolls = &natural(weights.whole) * &natural(self.count.into());
        ratio(&rolls, &natural(weights.whole - weights.exploding))
    }

    /// The number of hits among the kept dice, where each die is one hit at most.
    fn hits(&self, weights: &DieWeights, counted: FaceRange) -> PartOdds {
        let die = if self.compounds {
            chain_hit(weights, counted)
        } else {
            let below = weights.within(FaceRange {
                from: i32::MIN,
                to: counted.from.saturating_sub(1),
            });
            let hit = weights.within(counted);
            DieHit {
                below: natural(below),
                hit: natural(hit),
                above: natural(weights.whole - below - hit),
            }
        };
        with_own_mean(self.count_hits(&die).into_distribution())
    }

    /// The ways to each number of hits among the kept dice.
    ///
    /// Better dice, beyond the counted numbers, are kept before hits. So for each number of them, hits can only take
    /// the places that are left.
    fn count_hits(&self, die: &DieHit) -> Totals {
        let (count, kept) = (size(self.count), size(self.kept()));
        let whole = die.whole().pow(count);
        let (better, mut worse) = match self.keep {
            Keep::All => (&Natural::ZERO, die.above.clone()),
            Keep::Highest(_) => (&die.above, Natural::ZERO),
            Keep::Lowest(_) => (&die.below, Natural::ZERO),
        };
        match self.keep {
            Keep::All | Keep::Highest(_) => worse += &die.below,
            Keep::Lowest(_) => worse += &die.above,
        }

        let mut ways = vec![Natural::ZERO; kept + 1];
        for beyond in 0..=count {
            if beyond > 0 && better.is_zero() {
                break;
            }
            if beyond >= kept {
                // No kept die is a hit. The difference to the whole counts these ways.
                break;
            }
            let factor = &choose(count, beyond) * &better.pow(beyond);
            let hit_ways = two_outcomes(&worse, &die.hit, count - beyond);
            for (hits, other_ways) in hit_ways.iter().enumerate() {
                ways[hits.min(kept - beyond)].add_product(&factor, other_ways);
            }
        }

        let counted = ways.iter().sum::<Natural>();
        let mut none = whole.clone();
        none -= &counted;
        ways[0] += &none;
        Totals {
            first: 0,
            ways,
            whole,
        }
    }

    /// The sum of the kept dice, where `die` is one of them.
    fn kept_sum(&self, die: Totals) -> Totals {
        let class = WeightedDice {
            count: size(self.count),
            faces: die.ways,
        };
        Totals {
            first: die.first * i64::from(self.kept()),
            ways: kept_sum(&[class], self.keep).0,
            whole: die.whole.pow(size(self.count)),
        }
    }

    /// The sum of the kept dice, where `die` is one of them, without chains that are too long to be listed.
    ///
    /// If the lowest dice are kept, one with such a chain is dropped. It counts as one more number above all others, so
    /// every total below that number is exact.
    fn kept_chains(&self, mut die: Totals) -> Distribution {
        if matches!(self.keep, Keep::Lowest(_)) {
            let mut unlisted = die.whole.clone();
            unlisted -= &die.ways.iter().sum::<Natural>();
            die.ways.push(unlisted);
        }

        let mut sum = self.kept_sum(die);
        sum.drop_unlikely_end();
        sum.into_distribution()
    }
}

impl DieWeights {
    fn one_roll(&self) -> Totals {
        Totals {
            first: self.faces.first().map_or(0, |run| run.from.into()),
            ways: self.to_coefficients(),
            whole: natural(self.whole),
        }
    }
}

/// The ways of one die to be below, among and above the counted numbers.
struct DieHit {
    below: Natural,
    hit: Natural,
    above: Natural,
}

impl DieHit {
    fn whole(&self) -> Natural {
        let mut sum = self.below.clone();
        sum += &self.hit;
        sum += &self.above;
        sum
    }
}

/// The ways of one exploding die to have a total among the counted numbers.
fn chain_hit(weights: &DieWeights, counted: FaceRange) -> DieHit {
    let lowest = i64::from(weights.lowest_end());
    let last = if counted.to == i32::MAX {
        i64::from(counted.from) - 1
    } else {
        i64::from(counted.to)
    };
    let limit = usize::try_from(last - lowest).unwrap_or(0);

    let explosions = weights.explosions();
    let longest = limit / explosions.first().map_or(1, |run| run.from);
    let whole = natural(weights.whole);
    let chains = inverse_power(&explosions, &whole, 1, longest, limit);
    let ways = multiply(&chains, &power(&weights.ends(), 1, limit), limit + 1);

    let mut below = Natural::ZERO;
    let mut hit = Natural::ZERO;
    for (total, ways) in (lowest..).zip(&ways) {
        if total < i64::from(counted.from) {
            below += ways;
        } else if counted.contains(total) {
            hit += ways;
        }
    }
    let mut above = whole.pow(1 + longest);
    above -= &below;
    above -= &hit;
    if counted.to == i32::MAX {
        // No total lies above an open range: every total that is not below it is a hit.
        hit += &above;
        above = Natural::ZERO;
    }
    DieHit { below, hit, above }
}

/// The ways of `count` dice with two outcomes to show the second outcome 0, 1, 2 … times.
fn two_outcomes(first: &Natural, second: &Natural, count: usize) -> Vec<Natural> {
    if first.is_zero() {
        let mut ways = vec![Natural::ZERO; count];
        ways.push(second.pow(count));
        return ways;
    }
    let outcomes = [
        WeightRun {
            from: 0,
            to: 0,
            weight: first.clone(),
        },
        WeightRun {
            from: 1,
            to: 1,
            weight: second.clone(),
        },
    ];
    power(&outcomes, count, usize::MAX)
}

fn with_own_mean(distribution: Distribution) -> PartOdds {
    PartOdds {
        mean: Some(distribution.mean()),
        distribution,
    }
}

pub(super) fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
