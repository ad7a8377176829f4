//! Where tokens go: each raises or lowers one die by 1 (HFRPG, Bonuses & Penalties).
//!
//! [`Tokens::open`] says what a pool can be brought to, quickly, for odds look at every way the dice
//! can fall. [`Tokens::allocations`] finds one for each of those results by going through all that
//! differ, which one roll can afford. A test holds the two together.

mod allocation;

pub(super) use allocation::{Allocation, parse};

use std::iter;

use super::exploding::{Base, Beside, Explosion, judge};
use tableside_dice::Face;

/// The most dice in a pool: the highest Attribute.
pub(super) const MOST_DICE: usize = 8;

/// The tokens of one roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tokens {
    /// At most so many, each raising a die by 1: the player's.
    Bonus(u8),
    /// So many, or all that fit, each lowering a die by 1: the GM's.
    Penalty(u8),
}

/// What a pool can be brought to: a set of [`Base::rank`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Open(u128);

impl Open {
    fn add(&mut self, base: Base, top: Face) {
        self.0 |= 1 << base.rank(top);
    }

    /// The ranks in the set, the best first.
    pub(super) fn ranks(self) -> impl Iterator<Item = u32> {
        let mut left = self.0;
        iter::from_fn(move || {
            let best = left.checked_ilog2()?;
            left ^= 1 << best;
            Some(best)
        })
    }

    /// The only rank in the set, if it is the only one.
    pub(super) fn only(self) -> Option<u32> {
        self.0.is_power_of_two().then_some(self.0.trailing_zeros())
    }
}

/// The bounds within which the faces can be brought, each from the highest die down, and those of their
/// sum.
struct Bounds {
    low: [i32; MOST_DICE],
    high: [i32; MOST_DICE],
    least: i32,
    most: i32,
}

impl Tokens {
    /// The number of tokens that must be used on these faces: all penalties that fit.
    pub(super) fn owed(self, faces: &[Face]) -> i32 {
        match self {
            Self::Bonus(_) => 0,
            Self::Penalty(count) => {
                let room: i32 = faces.iter().map(|&face| i32::from(face) - 1).sum();
                i32::from(count).min(room)
            }
        }
    }

    fn bounds(self, faces: &[Face], top: Face) -> Bounds {
        let mut own = [0; MOST_DICE];
        for (at, face) in faces.iter().enumerate() {
            own[at] = i32::from(*face);
        }
        let sum: i32 = own.iter().sum();
        match self {
            Self::Bonus(count) => Bounds {
                low: own,
                high: [i32::from(top); MOST_DICE],
                least: sum,
                most: sum + i32::from(count),
            },
            Self::Penalty(_) => Bounds {
                low: [1; MOST_DICE],
                high: own,
                least: sum - self.owed(faces),
                most: sum - self.owed(faces),
            },
        }
    }

    /// What these faces, given from the highest down, can be brought to.
    ///
    /// Only three things matter: how many dice end on the maximum, how many on 1, and, where another die
    /// counts, its face. For each of them the sum of all faces has a least and a most, and everything
    /// between is reached, token by token.
    pub(super) fn open(self, explosion: Explosion, faces: &[Face], top: Face) -> Open {
        let mut open = Open::default();
        let len = faces.len();
        let bounds = self.bounds(faces, top);
        let maximum = i32::from(top);
        // Dice that end between 1 and the maximum, with the sums of those before each.
        let (mut floor, mut ceiling) = (bounds.low, bounds.high);
        for low in &mut floor {
            *low = (*low).max(2);
        }
        for high in &mut ceiling {
            *high = (*high).min(maximum - 1);
        }
        let (floors, ceilings) = (sums(&floor), sums(&ceiling));
        let lows = sums(&bounds.low);
        for tops in 0..=len {
            let at_least = count(tops) * maximum + lows[len] - lows[tops];
            let is_in_reach = tops == 0 || bounds.high[tops - 1] == maximum;
            if !is_in_reach || at_least > bounds.most {
                break;
            }
            if tops < len && bounds.low[tops] == maximum {
                continue;
            }
            for ones in 0..=len - tops {
                if ones > 0 && bounds.low[len - ones] != 1 {
                    break;
                }
                let end = len - ones;
                if tops < end && bounds.high[end - 1] < 2 {
                    continue;
                }
                let outside = count(tops) * maximum + count(ones);
                let fits = |least: i32, most: i32| {
                    outside + least <= bounds.most && outside + most >= bounds.least
                };
                if !fits(floors[end] - floors[tops], ceilings[end] - ceilings[tops]) {
                    continue;
                }
                let (exploding, beside) = judge(explosion, len, tops, ones);
                let mut add = |beside: i32| {
                    let base = Base {
                        exploding: u8::try_from(exploding).unwrap_or_default(),
                        beside: Face::try_from(beside).unwrap_or_default(),
                    };
                    open.add(base, top);
                };
                match beside {
                    Beside::Nothing => add(0),
                    Beside::Top => add(maximum),
                    Beside::At(at) if at < tops => add(maximum),
                    Beside::At(at) if at >= end => add(1),
                    Beside::At(at) => {
                        let least = |face: i32| {
                            let before = floor[tops..at].iter().map(|&low| low.max(face));
                            before.sum::<i32>() + face + floors[end] - floors[at + 1]
                        };
                        let most = |face: i32| {
                            let after = ceiling[at + 1..end].iter().map(|&high| high.min(face));
                            ceilings[at] - ceilings[tops] + face + after.sum::<i32>()
                        };
                        // Both grow with the face: those that fit lie between the first and the last.
                        let spare = bounds.most - outside - (floors[end] - floors[tops]);
                        let mut fitting = floor[at]..=ceiling[at].min(floor[at] + spare);
                        let reaches = |face: &i32| outside + most(*face) >= bounds.least;
                        let stays = |face: &i32| outside + least(*face) <= bounds.most;
                        let ends = (fitting.clone().find(reaches), fitting.rfind(stays));
                        let (Some(lowest), Some(highest)) = ends else {
                            continue;
                        };
                        (lowest..=highest).for_each(&mut add);
                    }
                }
            }
        }
        open
    }
}

/// The sums of everything before each place.
fn sums(of: &[i32; MOST_DICE]) -> [i32; MOST_DICE + 1] {
    let mut sums = [0; MOST_DICE + 1];
    for (index, number) in of.iter().enumerate() {
        sums[index + 1] = sums[index] + number;
    }
    sums
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::super::exploding::read;
    use super::*;

    /// Every placing on so many dice.
    fn placings(dice: usize, top: Face) -> Vec<Vec<u8>> {
        let most = u8::try_from(top).unwrap();
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

    fn explosions() -> impl Strategy<Value = Explosion> {
        prop_oneof![
            Just(Explosion::Once),
            Just(Explosion::Apart),
            Just(Explosion::Twice)
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
            (top, mut faces) in prop_oneof![Just(4_i16), Just(6), Just(8)]
                .prop_flat_map(|top| (Just(top), prop::collection::vec(1..=top, 1..=4))),
        ) {
            let mut best: BTreeMap<u32, (i32, Vec<Reverse<u8>>)> = BTreeMap::new();
            for placing in placings(faces.len(), top) {
                let Some(mut values) = tokens.place(&faces, &placing, top) else { continue };
                values.sort_unstable_by(|a, b| b.cmp(a));
                let rank = read(explosion, &values, top).rank(top);
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
            let ways = tokens.allocations(explosion, &faces, top).into_iter();
            prop_assert_eq!(ways.map(|way| (way.rank, way.tokens)).collect::<Vec<_>>(), due);
            faces.sort_unstable_by(|a, b| b.cmp(a));
            let open: BTreeSet<u32> = tokens.open(explosion, &faces, top).ranks().collect();
            prop_assert!(open.iter().eq(best.keys()), "{:?} {:?}", open, best);
        }
    }
}
