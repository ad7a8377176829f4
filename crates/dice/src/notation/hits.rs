//! The exact odds of counted dice: the number of dice that show one of the counted values.

use super::dice_odds::{Totals, size, with_own_mean};
use super::exploding::ExplodingSeries;
use super::odds::{OddsTooLarge, PartOdds};
use super::syntax::{DiceTerm, FaceRange};
use super::weights::{DieWeights, natural};
use crate::power::{WeightRun, inverse_power, power};
use crate::{Keep, Natural, Series, choose, ratio};

/// The numbers of ways in which one die is below, among and above the counted values.
struct DieHit {
    below: Natural,
    hit: Natural,
    above: Natural,
}

/// The numbers of ways in which a die that is no hit is kept before hits (better dice), or after them.
struct Misses {
    better: Natural,
    worse: Natural,
}

impl DieHit {
    /// The number of all ways.
    fn all_ways(&self) -> Natural {
        [&self.below, &self.hit, &self.above].into_iter().sum()
    }

    fn misses(&self, keep: Keep) -> Misses {
        match keep {
            // All dice are kept, so no die takes the place of a hit.
            Keep::All => Misses {
                better: Natural::ZERO,
                worse: [&self.below, &self.above].into_iter().sum(),
            },
            Keep::Highest(_) => Misses {
                better: self.above.clone(),
                worse: self.below.clone(),
            },
            Keep::Lowest(_) => Misses {
                better: self.below.clone(),
                worse: self.above.clone(),
            },
        }
    }
}

impl DiceTerm {
    /// The number of hits among exploding dice, where each roll of a chain may be a hit.
    pub(super) fn exploding_hits(
        &self,
        weights: &DieWeights,
        counted: FaceRange,
    ) -> Result<PartOdds, OddsTooLarge> {
        let hits = ExplodingSeries::of_hits(weights, counted, self.count)?;
        let hits_per_roll = ratio(
            &natural(weights.within(counted)),
            &natural(weights.all_ways),
        );

        Ok(PartOdds {
            distribution: hits.totals().into_distribution(),
            mean: Some(hits_per_roll * self.mean_rolls(weights)),
        })
    }

    /// The number of hits among the kept dice, where each die is one hit at most.
    pub(super) fn hits(&self, weights: &DieWeights, counted: FaceRange) -> PartOdds {
        let die = if self.compounds {
            chain_hit(weights, counted)
        } else {
            roll_hit(weights, counted)
        };
        with_own_mean(self.count_hits(&die))
    }

    /// For each number of hits among the kept dice, the number of ways.
    ///
    /// Better dice are kept before hits. So for each number of better dice, hits can only take the remaining places.
    fn count_hits(&self, die: &DieHit) -> Totals {
        let count = size(self.count);
        let kept = size(self.kept());
        let all_ways = die.all_ways().pow(count);
        let misses = die.misses(self.keep);

        let mut ways = vec![Natural::ZERO; kept + 1];
        for better in 0..kept {
            if better > 0 && misses.better.is_zero() {
                break;
            }
            let places = kept - better;
            let factor = &choose(count, better) * &misses.better.pow(better);
            let ways_of_others = two_outcomes(&misses.worse, &die.hit, count - better);
            for (hits, ways_of_hits) in ways_of_others.0.iter().enumerate() {
                ways[hits.min(places)].add_product(&factor, ways_of_hits);
            }
        }

        // In all other ways better dice take all places, so there are no hits.
        let mut without_hit = all_ways.clone();
        without_hit -= &ways.iter().sum::<Natural>();
        ways[0] += &without_hit;

        Totals {
            first: 0,
            ways: Series(ways),
            all_ways,
        }
    }
}

/// The number of ways in which one roll of a die shows a counted value.
fn roll_hit(weights: &DieWeights, counted: FaceRange) -> DieHit {
    let below = weights.within(FaceRange {
        from: i32::MIN,
        to: counted.from.saturating_sub(1),
    });
    let hit = weights.within(counted);
    DieHit {
        below: natural(below),
        hit: natural(hit),
        above: natural(weights.all_ways - below - hit),
    }
}

/// The number of ways in which the total of one exploding die is a counted value.
///
/// Larger totals than the largest counted value are not listed, so chains have a bounded length.
fn chain_hit(weights: &DieWeights, counted: FaceRange) -> DieHit {
    let has_upper_bound = counted.to != i32::MAX;
    let last_listed = if has_upper_bound {
        i64::from(counted.to)
    } else {
        i64::from(counted.from) - 1
    };
    let lowest = i64::from(weights.lowest_end());
    let limit = usize::try_from(last_listed - lowest).unwrap_or(0);

    let explosions = weights.explosions();
    let longest = limit / explosions.first().map_or(1, |run| run.from);
    let ways_of_roll = natural(weights.all_ways);
    let chains = inverse_power(&explosions, &ways_of_roll, 1, longest, limit);
    let ends = power(&weights.ends(), 1, limit);
    let totals = ends.times_up_to(&chains, limit + 1);

    let mut below = Natural::ZERO;
    let mut hit = Natural::ZERO;
    for (total, ways) in (lowest..).zip(&totals.0) {
        if total < i64::from(counted.from) {
            below += ways;
        } else if counted.contains(total) {
            hit += ways;
        }
    }

    let mut unlisted = ways_of_roll.pow(1 + longest);
    unlisted -= &below;
    unlisted -= &hit;
    if has_upper_bound {
        return DieHit {
            below,
            hit,
            above: unlisted,
        };
    }

    // Without an upper bound every total that is not below the counted values is a hit.
    hit += &unlisted;
    DieHit {
        below,
        hit,
        above: Natural::ZERO,
    }
}

/// At index i, the number of ways in which `count` dice with two outcomes show the second outcome i times.
fn two_outcomes(first: &Natural, second: &Natural, count: usize) -> Series {
    if first.is_zero() {
        let mut ways = vec![Natural::ZERO; count];
        ways.push(second.pow(count));
        return Series(ways);
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
