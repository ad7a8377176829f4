//! Implements "Bonuses & Penalties" of the HFRPG rules: bonus and penalty tokens on the dice of a pool.
//!
//! A bonus token raises one die by 1, up to its maximum, and the player may place any number of them. A penalty token
//! lowers one die by 1, down to 1, and the GM places all that fit.
//!
//! [`Tokens::reachable_results`] computes the results that tokens can change a pool to. It is fast, since the
//! computation of odds calls it for every roll of the pool. [`Tokens::cheapest_allocations`] also finds a placing for
//! each result. It tries all changes of the faces, which is fast enough for a single roll. A test checks that the two
//! agree.

mod allocation;

pub(super) use allocation::{Allocation, parse_placing, total};

use std::{iter, ops::Range};

use super::exploding::{CountedDie, ExplosionRule, PoolCounts, PoolResult};
use tableside_dice::Face;

/// The most dice in a pool: the highest Attribute.
pub(super) const MAX_DICE: usize = 8;

/// The tokens of one roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tokens {
    /// The number of bonus tokens that the player may place.
    Bonus(u8),
    /// The number of penalty tokens. The GM places all that fit.
    Penalty(u8),
}

/// The results that tokens can change a pool to: a set of [`PoolResult::rank`]s, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ReachableResults(u128);

impl ReachableResults {
    fn add(&mut self, result: PoolResult, maximum: Face) {
        self.0 |= 1 << result.rank(maximum);
    }

    /// Returns the ranks in the set, the best first.
    pub(super) fn ranks(self) -> impl Iterator<Item = u32> {
        let mut remaining = self.0;
        iter::from_fn(move || {
            let best = remaining.checked_ilog2()?;
            remaining ^= 1 << best;
            Some(best)
        })
    }

    /// Returns the rank if the set has exactly one.
    pub(super) fn only_rank(self) -> Option<u32> {
        if self.0.is_power_of_two() {
            Some(self.0.trailing_zeros())
        } else {
            None
        }
    }
}

impl Tokens {
    /// Returns the number of tokens that must be placed on these faces: all penalty tokens that fit, and no bonus
    /// tokens.
    pub(super) fn owed(self, faces: &[Face]) -> i32 {
        match self {
            Self::Bonus(_) => 0,
            Self::Penalty(count) => {
                let most_lowered: i32 = faces.iter().map(|&face| i32::from(face) - 1).sum();
                i32::from(count).min(most_lowered)
            }
        }
    }

    /// Returns the results that the tokens can change these faces to. `faces` are in descending order.
    pub(super) fn reachable_results(
        self,
        explosion: ExplosionRule,
        faces: &[Face],
        maximum: Face,
    ) -> ReachableResults {
        let bounds = FaceBounds::new(self, faces, maximum);
        let mut search = ReachableSearch::new(explosion, bounds, faces.len(), maximum);
        search.find_results();
        search.results
    }
}

/// The lowest and highest faces that tokens can change a roll to, both in descending order, and the lowest and highest
/// sum of all faces.
struct FaceBounds {
    lowest: [i32; MAX_DICE],
    highest: [i32; MAX_DICE],
    lowest_sum: i32,
    highest_sum: i32,
}

impl FaceBounds {
    fn new(tokens: Tokens, faces: &[Face], maximum: Face) -> Self {
        let mut rolled = [0; MAX_DICE];
        for (place, face) in faces.iter().enumerate() {
            rolled[place] = i32::from(*face);
        }
        let rolled_sum: i32 = rolled.iter().sum();

        match tokens {
            Tokens::Bonus(count) => Self {
                lowest: rolled,
                highest: [i32::from(maximum); MAX_DICE],
                lowest_sum: rolled_sum,
                highest_sum: rolled_sum + i32::from(count),
            },
            Tokens::Penalty(_) => {
                let changed_sum = rolled_sum - tokens.owed(faces);
                Self {
                    lowest: [1; MAX_DICE],
                    highest: rolled,
                    lowest_sum: changed_sum,
                    highest_sum: changed_sum,
                }
            }
        }
    }
}

/// The search for reachable results.
///
/// A result depends only on the number of dice that end on their maximum, the number that end on 1, and the face of the
/// counted die if it is one of the *inner* dice between them. The search tries all three. With these fixed, the sum of all
/// faces has a lowest and a highest value, and tokens can reach each sum between them.
struct ReachableSearch {
    explosion: ExplosionRule,
    dice: usize,
    maximum: Face,
    bounds: FaceBounds,
    /// The running sums of `bounds.lowest`: entry n is the sum of its first n faces.
    lowest_sums: [i32; MAX_DICE + 1],
    /// The lowest and highest face of each die if it ends between 1 and the maximum, and the running sums of both.
    inner_lowest: [i32; MAX_DICE],
    inner_highest: [i32; MAX_DICE],
    inner_lowest_sums: [i32; MAX_DICE + 1],
    inner_highest_sums: [i32; MAX_DICE + 1],
    results: ReachableResults,
}

/// The dice that end between 1 and the maximum.
struct InnerDice {
    places: Range<usize>,
    /// The sum of the faces of all other dice.
    outer_sum: i32,
}

impl ReachableSearch {
    fn new(explosion: ExplosionRule, bounds: FaceBounds, dice: usize, maximum: Face) -> Self {
        let below_maximum = i32::from(maximum) - 1;
        let inner_lowest = bounds.lowest.map(|face| face.max(2));
        let inner_highest = bounds.highest.map(|face| face.min(below_maximum));

        Self {
            explosion,
            dice,
            maximum,
            lowest_sums: running_sums(&bounds.lowest),
            inner_lowest_sums: running_sums(&inner_lowest),
            inner_highest_sums: running_sums(&inner_highest),
            inner_lowest,
            inner_highest,
            bounds,
            results: ReachableResults::default(),
        }
    }

    fn find_results(&mut self) {
        let maximum = i32::from(self.maximum);

        for maximums in 0..=self.dice {
            if !self.can_end_on_maximum(maximums) {
                break;
            }
            let next_must_be_maximum =
                maximums < self.dice && self.bounds.lowest[maximums] == maximum;
            if next_must_be_maximum {
                continue;
            }

            for ones in 0..=self.dice - maximums {
                if ones > 0 && self.bounds.lowest[self.dice - ones] != 1 {
                    break;
                }
                self.add_results(PoolCounts {
                    dice: self.dice,
                    maximums,
                    ones,
                });
            }
        }
    }

    /// True if tokens can make this many of the highest dice end on their maximum.
    fn can_end_on_maximum(&self, maximums: usize) -> bool {
        let maximum = i32::from(self.maximum);
        if maximums > 0 && self.bounds.highest[maximums - 1] != maximum {
            return false;
        }

        let other_dice = self.lowest_sums[self.dice] - self.lowest_sums[maximums];
        to_i32(maximums) * maximum + other_dice <= self.bounds.highest_sum
    }

    /// Adds the results with exactly these numbers of maximums and ones, if tokens can reach them.
    fn add_results(&mut self, counts: PoolCounts) {
        let maximum = i32::from(self.maximum);
        let inner = InnerDice {
            places: counts.maximums..counts.dice - counts.ones,
            outer_sum: to_i32(counts.maximums) * maximum + to_i32(counts.ones),
        };
        let Range { start, end } = inner.places;

        let last_must_be_one = start < end && self.bounds.highest[end - 1] < 2;
        if last_must_be_one {
            return;
        }
        let lowest_sum =
            inner.outer_sum + self.inner_lowest_sums[end] - self.inner_lowest_sums[start];
        let highest_sum =
            inner.outer_sum + self.inner_highest_sums[end] - self.inner_highest_sums[start];
        if lowest_sum > self.bounds.highest_sum || highest_sum < self.bounds.lowest_sum {
            return;
        }

        let resolved = self.explosion.resolve(counts);
        match resolved.counted {
            CountedDie::None => self.add_result(resolved.exploding, 0),
            CountedDie::Maximum => self.add_result(resolved.exploding, maximum),
            CountedDie::Ranked(place) if place < start => {
                self.add_result(resolved.exploding, maximum);
            }
            CountedDie::Ranked(place) if place >= end => self.add_result(resolved.exploding, 1),
            CountedDie::Ranked(place) => {
                self.add_inner_results(resolved.exploding, &inner, place);
            }
        }
    }

    /// Adds a result for each face that the counted die, an inner die, can end on.
    fn add_inner_results(&mut self, exploding: usize, inner: &InnerDice, counted: usize) {
        let Range { start, end } = inner.places;
        let lowest_inner_sum = self.inner_lowest_sums[end] - self.inner_lowest_sums[start];
        let available = self.bounds.highest_sum - inner.outer_sum - lowest_inner_sum;
        let lowest_face = self.inner_lowest[counted];
        let highest_face = self.inner_highest[counted].min(lowest_face + available);
        let mut faces = lowest_face..=highest_face;

        // Both sums grow with the counted face, so the faces that fit are consecutive.
        let first = faces
            .clone()
            .find(|&face| self.highest_sum(inner, counted, face) >= self.bounds.lowest_sum);
        let last =
            faces.rfind(|&face| self.lowest_sum(inner, counted, face) <= self.bounds.highest_sum);
        if let (Some(first), Some(last)) = (first, last) {
            for face in first..=last {
                self.add_result(exploding, face);
            }
        }
    }

    /// Returns the lowest sum of all dice if the counted die ends on `face`. The inner dice before it in descending
    /// order are at least as high.
    fn lowest_sum(&self, inner: &InnerDice, counted: usize, face: i32) -> i32 {
        let Range { start, end } = inner.places;
        let higher_dice: i32 = self.inner_lowest[start..counted]
            .iter()
            .map(|&lowest| lowest.max(face))
            .sum();
        let lower_dice = self.inner_lowest_sums[end] - self.inner_lowest_sums[counted + 1];
        inner.outer_sum + higher_dice + face + lower_dice
    }

    /// Returns the highest sum of all dice if the counted die ends on `face`. The inner dice after it in descending
    /// order are at most as high.
    fn highest_sum(&self, inner: &InnerDice, counted: usize, face: i32) -> i32 {
        let Range { start, end } = inner.places;
        let higher_dice = self.inner_highest_sums[counted] - self.inner_highest_sums[start];
        let lower_dice: i32 = self.inner_highest[counted + 1..end]
            .iter()
            .map(|&highest| highest.min(face))
            .sum();
        inner.outer_sum + higher_dice + face + lower_dice
    }

    fn add_result(&mut self, exploding: usize, counted_face: i32) {
        let result = PoolResult {
            exploding: u8::try_from(exploding).unwrap_or_default(),
            counted_face: Face::try_from(counted_face).unwrap_or_default(),
        };
        self.results.add(result, self.maximum);
    }
}

/// Returns the running sums: entry n is the sum of the first n numbers.
fn running_sums(numbers: &[i32; MAX_DICE]) -> [i32; MAX_DICE + 1] {
    let mut sums = [0; MAX_DICE + 1];
    for (index, number) in numbers.iter().enumerate() {
        sums[index + 1] = sums[index] + number;
    }
    sums
}

fn to_i32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// Returns every placing with less than `maximum` tokens on each die.
    fn placings(dice: usize, maximum: Face) -> Vec<Vec<u8>> {
        let most = u8::try_from(maximum).unwrap();
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..dice {
            let each = |more| {
                all.iter()
                    .map(move |before| [&before[..], &[more]].concat())
            };
            all = (0..most).flat_map(each).collect();
        }
        all
    }

    fn explosions() -> impl Strategy<Value = ExplosionRule> {
        prop_oneof![
            Just(ExplosionRule::Once),
            Just(ExplosionRule::Apart),
            Just(ExplosionRule::Twice)
        ]
    }

    fn tokens() -> impl Strategy<Value = Tokens> {
        prop_oneof![
            (0_u8..40).prop_map(Tokens::Bonus),
            (1_u8..40).prop_map(Tokens::Penalty)
        ]
    }

    proptest! {
        #[test]
        fn an_allocation_is_the_cheapest_of_all_and_then_the_one_that_favours_the_earliest_dice(
            tokens in tokens(),
            explosion in explosions(),
            (maximum, mut faces) in prop_oneof![Just(4_i16), Just(6), Just(8)]
                .prop_flat_map(|maximum| (Just(maximum), prop::collection::vec(1..=maximum, 1..=4))),
        ) {
            let mut best: BTreeMap<u32, (i32, Vec<Reverse<u8>>)> = BTreeMap::new();
            for placing in placings(faces.len(), maximum) {
                let Some(mut values) = tokens.place(&faces, &placing, maximum) else { continue };
                values.sort_unstable_by(|a, b| b.cmp(a));
                let rank = explosion.read_pool(&values, maximum).rank(maximum);
                let spent = placing.iter().copied().map(i32::from).sum();
                let cost = (spent, placing.into_iter().map(Reverse).collect());
                let least = best.entry(rank).or_insert_with(|| cost.clone());
                *least = cost.min(least.clone());
            }
            let due: Vec<(u32, Vec<u8>)> = best
                .iter()
                .map(|(rank, (_, placing))| (*rank, placing.iter().map(|n| n.0).collect()))
                .rev()
                .collect();
            let ways = tokens.cheapest_allocations(explosion, &faces, maximum).into_iter();
            prop_assert_eq!(ways.map(|way| (way.rank, way.tokens)).collect::<Vec<_>>(), due);
            faces.sort_unstable_by(|a, b| b.cmp(a));
            let reachable: BTreeSet<u32> = tokens.reachable_results(explosion, &faces, maximum).ranks().collect();
            prop_assert!(reachable.iter().eq(best.keys()), "{:?} {:?}", reachable, best);
        }
    }
}
