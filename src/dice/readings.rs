//! Every way a pool can fall, as far as the rule looks at it.

use std::ops::Deref;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::enumerate::fall;
use super::kept_sum::{Class, End, kept_sum};
use super::{Die, Face, Keep, Natural, Pool, Reading, See};

/// The exact image of a pool: each reading that can come up, once, with the ways it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings {
    ways: Vec<(Reading, Natural)>,
    total: Natural,
}

impl Readings {
    /// Works them out. [`Pool::readings`] does so only once for equal pools.
    pub fn of(pool: &Pool) -> Self {
        let ways = match pool.see {
            See::Faces => every_face(pool),
            See::Sum => sums(pool),
            // Equal dice that are only counted never fall the same way twice.
            See::Counts if equal_dice(pool) => fall(pool),
            See::Kept
            | See::KeptAndLow(_)
            | See::KeptLowAndNext(_)
            | See::SumAndMax
            | See::Counts => merged(fall(pool)),
        };
        let total = pool.dice.iter().fold(Natural::ONE, |total, group| {
            &total * &Natural::from(group.die.sides()).pow(group.count.into())
        });
        Self { ways, total }
    }

    /// Forgets what was worked out before, for a bench that wants to know what the first time costs.
    pub fn forget() {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }

    /// All ways together: the product of the dice's sizes.
    pub fn total(&self) -> &Natural {
        &self.total
    }
}

impl Deref for Readings {
    type Target = [(Reading, Natural)];

    fn deref(&self) -> &Self::Target {
        &self.ways
    }
}

fn sums(pool: &Pool) -> Vec<(Reading, Natural)> {
    let mut classes: Vec<(Die, usize)> = Vec::new();
    for group in &pool.dice {
        let count = usize::from(group.count);
        match classes.iter_mut().find(|(die, _)| *die == group.die) {
            Some((_, all)) => *all += count,
            None => classes.push((group.die, count)),
        }
    }
    let classes: Vec<Class> = classes
        .into_iter()
        .map(|(die, count)| Class::fair(count, die.lowest().into(), die.highest().into()))
        .collect();
    let series = match pool.keep {
        Keep::All => kept_sum(&classes, End::High, usize::MAX),
        Keep::Highest(keep) | Keep::HighestOfSmaller(keep) => {
            kept_sum(&classes, End::High, keep.into())
        }
        Keep::Lowest(keep) | Keep::LowestOfSmaller(keep) => {
            kept_sum(&classes, End::Low, keep.into())
        }
    };
    (0..)
        .map(Reading::Sum)
        .zip(series.0)
        .filter(|(_, ways)| !ways.is_zero())
        .collect()
}

fn every_face(pool: &Pool) -> Vec<(Reading, Natural)> {
    let mut rolls: Vec<Vec<Face>> = vec![Vec::with_capacity(pool.len())];
    for (die, _) in pool.order() {
        rolls = rolls
            .iter()
            .flat_map(|roll| {
                (die.lowest()..=die.highest()).map(|face| {
                    let mut longer = roll.clone();
                    longer.push(face);
                    longer
                })
            })
            .collect();
    }
    let rolls = rolls.into_iter();
    rolls
        .map(|faces| (Reading::Faces(faces), Natural::ONE))
        .collect()
}

fn equal_dice(pool: &Pool) -> bool {
    pool.dice.windows(2).all(|pair| pair[0].die == pair[1].die)
}

/// Equal readings put together.
fn merged(mut falls: Vec<(Reading, Natural)>) -> Vec<(Reading, Natural)> {
    falls.sort_by(|(a, _), (b, _)| b.cmp(a));
    falls.dedup_by(|(again, more), (reading, ways)| {
        let same = again == reading;
        if same {
            *ways += more;
        }
        same
    });
    falls
}

/// The pools worked out lately: a check asks for the same few at every key.
static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Known {
    pools: FxHashMap<Pool, Arc<Readings>>,
    /// The readings of all of them, counted.
    held: usize,
}

/// About 30 MB of readings at the very most; ordinary pools have dozens.
const MOST_HELD: usize = 250_000;

impl Pool {
    /// The exact image of [`Pool::read`] over every way the dice can fall: each reading once, with
    /// the ways it can come up.
    pub fn readings(&self) -> Arc<Readings> {
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(readings) = known().pools.get(self) {
            return Arc::clone(readings);
        }
        let readings = Arc::new(Readings::of(self));
        let mut known = known();
        if known.held + readings.len() > MOST_HELD {
            *known = Known::default();
        }
        known.held += readings.len();
        known.pools.insert(self.clone(), Arc::clone(&readings));
        readings
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::dice::{Group, Role};

    /// Every roll of the pool, read one by one.
    fn read_every_roll(pool: &Pool) -> BTreeMap<Reading, Natural> {
        let order: Vec<Die> = pool.order().map(|(die, _)| die).collect();
        let mut faces: Vec<Face> = order.iter().map(|die| die.lowest()).collect();
        let mut seen: BTreeMap<Reading, Natural> = BTreeMap::new();
        loop {
            *seen.entry(pool.read(&faces)).or_insert(Natural::ZERO) += &Natural::ONE;
            let Some(turn) = (0..faces.len()).find(|&at| faces[at] < order[at].highest()) else {
                return seen;
            };
            faces[turn] += 1;
            for at in 0..turn {
                faces[at] = order[at].lowest();
            }
        }
    }

    fn dice() -> impl Strategy<Value = Vec<Group>> {
        let die = prop_oneof![
            Just(Die::D4),
            Just(Die::D6),
            Just(Die::D8),
            Just(Die::D10),
            Just(Die::D12),
            Just(Die::D20),
            Just(Die::Digit),
        ];
        let group = (die, 0_u8..4).prop_map(|(die, count)| Group {
            die,
            count,
            role: Role::Pool,
        });
        prop::collection::vec(group, 0..4).prop_map(|mut dice| {
            // Few enough rolls to read them one by one.
            let rolls = |dice: &[Group]| {
                let sizes = dice
                    .iter()
                    .map(|group| u64::from(group.die.sides()).pow(group.count.into()));
                sizes.product::<u64>()
            };
            while rolls(&dice) > 30_000 {
                dice.pop();
            }
            dice
        })
    }

    fn pools() -> impl Strategy<Value = Pool> {
        let keep = prop_oneof![
            Just(Keep::All),
            (0_u8..6).prop_map(Keep::Highest),
            (0_u8..6).prop_map(Keep::Lowest),
            (0_u8..6).prop_map(Keep::HighestOfSmaller),
            (0_u8..6).prop_map(Keep::LowestOfSmaller),
        ];
        let see = prop_oneof![
            Just(See::Faces),
            Just(See::Kept),
            (0_u8..5).prop_map(See::KeptAndLow),
            (0_u8..5).prop_map(See::KeptLowAndNext),
            Just(See::Sum),
            Just(See::SumAndMax),
            Just(See::Counts),
        ];
        (dice(), keep, see).prop_map(|(dice, keep, see)| Pool { dice, keep, see })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn readings_are_what_reading_every_roll_gives(pool in pools()) {
            let readings = Readings::of(&pool);
            let once: BTreeMap<Reading, Natural> = readings.iter().cloned().collect();
            prop_assert_eq!(once.len(), readings.len(), "a reading came twice");
            prop_assert_eq!(once, read_every_roll(&pool));
        }
    }

    fn large(die: Die, count: u8, keep: Keep, see: See) -> Pool {
        let group = Group {
            die,
            count,
            role: Role::Pool,
        };
        Pool {
            dice: vec![group],
            keep,
            see,
        }
    }

    #[test]
    fn no_way_is_lost_in_pools_too_large_to_enumerate() {
        let pools = [
            large(Die::D10, 20, Keep::Highest(3), See::Sum),
            large(Die::D10, 20, Keep::Highest(3), See::SumAndMax),
            large(Die::D6, 100, Keep::All, See::Sum),
            large(Die::D10, 40, Keep::Highest(20), See::Sum),
            large(Die::D10, 40, Keep::Lowest(20), See::Sum),
            large(Die::D12, 8, Keep::All, See::Counts),
            large(Die::D20, 11, Keep::Lowest(2), See::KeptAndLow(4)),
            large(Die::D20, 11, Keep::Lowest(2), See::KeptLowAndNext(4)),
        ];
        for pool in pools {
            let readings = Readings::of(&pool);
            let ways: Natural = readings.iter().map(|(_, ways)| ways).sum();
            assert_eq!(ways, *readings.total(), "{pool:?}");
        }
    }

    #[test]
    fn the_mean_of_twenty_pain_dice_is_that_of_its_three_highest() {
        // E of the sum of the three highest by their order statistics.
        let readings = large(Die::D10, 20, Keep::Highest(3), See::Sum).readings();
        let mut sum = Natural::ZERO;
        for (reading, ways) in readings.iter() {
            let Reading::Sum(value) = reading else {
                panic!()
            };
            sum.add_product(ways, &Natural::from(u64::try_from(*value).unwrap()));
        }
        let mut expected = Natural::ZERO;
        for rank in 0_usize..3 {
            // P(the rank-th highest is at least v), over all v.
            for below in 0_u64..10 {
                for at_least in rank + 1..=20 {
                    let ways = &super::super::natural::choose(20, at_least)
                        * &Natural::from(10 - below).pow(u32::try_from(at_least).unwrap());
                    let rest = Natural::from(below).pow(u32::try_from(20 - at_least).unwrap());
                    expected += &(&ways * &rest);
                }
            }
        }
        assert_eq!(sum, expected);
    }

    #[test]
    fn equal_pools_share_one_image() {
        let pool = large(Die::D6, 4, Keep::Highest(3), See::Sum);
        assert!(Arc::ptr_eq(&pool.readings(), &pool.clone().readings()));
    }
}
