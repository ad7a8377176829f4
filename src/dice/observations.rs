//! Every way a pool can fall, as far as the rule looks at it.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use super::enumerate::enumerate;
use super::kept_sum::{Class, End, kept_sum};
use super::{Face, Keep, Memo, Natural, Observation, Pool, Projection};

/// The exact image of a pool: each observation that can come up, once, with the ways it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observations {
    ways: Vec<(Observation, Natural)>,
    total: Natural,
}

impl Observations {
    /// Works them out. [`Pool::observations`] does so only once for equal pools.
    pub fn of(pool: &Pool) -> Self {
        let ways = match pool.projection {
            Projection::Faces => every_face(pool),
            Projection::Sum => sums(pool),
            Projection::Kept | Projection::KeptAndLow(_) | Projection::Counts => {
                merged(enumerate(pool))
            }
        };
        let total = pool.dice.iter().fold(Natural::ONE, |total, group| {
            let sides = Natural::from(usize::from(group.die.sides()));
            &total * &sides.pow(group.count.into())
        });
        Self { ways, total }
    }

    /// Forgets what was worked out before, for a bench that wants to know what the first time costs.
    pub fn forget() {
        KNOWN.forget();
    }

    /// All ways together: the product of the dice's sizes.
    pub fn total(&self) -> &Natural {
        &self.total
    }
}

impl Deref for Observations {
    type Target = [(Observation, Natural)];

    fn deref(&self) -> &Self::Target {
        &self.ways
    }
}

fn sums(pool: &Pool) -> Vec<(Observation, Natural)> {
    let classes = pool.sizes().into_iter();
    let classes: Vec<Class> = classes
        .map(|(die, count)| Class::fair(count, die.lowest().into(), die.highest().into()))
        .collect();
    let (end, keep) = match pool.keep {
        Keep::All => (End::High, usize::MAX),
        Keep::Highest(keep) => (End::High, keep.into()),
        Keep::Lowest(keep) => (End::Low, keep.into()),
    };
    let series = kept_sum(&classes, end, keep);
    (0..)
        .map(Observation::Sum)
        .zip(series.0)
        .filter(|(_, ways)| !ways.is_zero())
        .collect()
}

fn every_face(pool: &Pool) -> Vec<(Observation, Natural)> {
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
        .map(|faces| (Observation::Faces(faces), Natural::ONE))
        .collect()
}

/// Equal observations put together.
fn merged(mut falls: Vec<(Observation, Natural)>) -> Vec<(Observation, Natural)> {
    falls.sort_by(|(a, _), (b, _)| a.cmp(b));
    falls.dedup_by(|(again, more), (observation, ways)| {
        let same = again == observation;
        if same {
            *ways += more;
        }
        same
    });
    falls
}

/// The pools worked out lately: a check asks for the same few at every key. Each weighs as many
/// observations as it has, about 30 MB of them at the very most; ordinary pools have dozens.
static KNOWN: Memo<Pool, Observations> = Memo::new(250_000);

impl Pool {
    /// The exact image of [`Pool::read`] over every way the dice can fall: each observation once, with
    /// the ways it can come up.
    pub fn observations(&self) -> Arc<Observations> {
        let work_out = || Ok::<_, Infallible>(Observations::of(self));
        let Ok(known) = KNOWN.answer(self, work_out, |found| found.len());
        known
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::dice::{Die, Group, Role};

    /// Every roll of the pool, read one by one.
    fn read_every_roll(pool: &Pool) -> BTreeMap<Observation, Natural> {
        let order: Vec<Die> = pool.order().map(|(die, _)| die).collect();
        let mut faces: Vec<Face> = order.iter().map(|die| die.lowest()).collect();
        let mut seen: BTreeMap<Observation, Natural> = BTreeMap::new();
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
        let group = (die, 0_u8..4).prop_map(|(die, count)| Group::new(die, count, Role::POOL));
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
            (1_u8..6).prop_map(Keep::Highest),
            (1_u8..6).prop_map(Keep::Lowest),
        ];
        let projection = prop_oneof![
            Just(Projection::Faces),
            Just(Projection::Kept),
            (0_u8..5).prop_map(Projection::KeptAndLow),
            Just(Projection::Sum),
            Just(Projection::Counts),
        ];
        (dice(), keep, projection)
            .prop_map(|(dice, keep, projection)| Pool::new(dice, keep, projection))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn readings_are_what_reading_every_roll_gives(pool in pools()) {
            let observations = Observations::of(&pool);
            let once: BTreeMap<Observation, Natural> = observations.iter().cloned().collect();
            prop_assert_eq!(once.len(), observations.len(), "a observation came twice");
            prop_assert_eq!(once, read_every_roll(&pool));
        }
    }
}
