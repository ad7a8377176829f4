//! Every way a pool can fall, as far as the rule looks at it.

use std::convert::Infallible;
use std::sync::Arc;

use super::distribution::merged;
use super::enumerate::enumerate;
use super::kept_sum::{WeightedDice, kept_sum};
use super::query::RolledQuery;
use super::{Measure, Memo, Natural, Observation, Pool};

/// What a rule can see of a rolled pool, and in how many ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observations {
    /// Each observation that can come up, once, with the ways it can.
    ///
    /// Empty where too many differ to be weighed.
    pub ways: Vec<(Observation, Natural)>,
    /// All ways together: the product of the dice's sizes.
    pub total: Natural,
    /// How many steps a query took to be worked out; 0 for other pools, which take few.
    pub steps: usize,
}

impl Observations {
    /// Works them out. [`Pool::observations`] does so only once for equal pools.
    pub fn of(pool: &Pool) -> Self {
        let sizes = pool.sizes();
        let ways = match &pool.measure {
            Measure::Query(query) => {
                let mut steps = 0;
                let (ways, total) = query.ways(&mut steps).unwrap_or_default();
                let shown = |(state, ways)| {
                    let pending = Vec::new();
                    (
                        Observation::Query(Box::new(RolledQuery { state, pending })),
                        ways,
                    )
                };
                let ways = ways.into_iter().map(shown).collect();
                return Self { ways, total, steps };
            }
            Measure::KeptDice(low) => {
                let found = enumerate(pool, *low);
                // Dice of one size that all count never fall the same way twice.
                let is_unique = matches!(sizes[..], [(_, all)] if pool.keep.of(all) == all);
                if is_unique { found } else { merged(found) }
            }
            Measure::Sum => {
                let side = |face| usize::try_from(face).unwrap_or(0);
                let classes = sizes.into_iter().map(|(die, count)| {
                    WeightedDice::fair(count, side(die.lowest()), side(die.highest()))
                });
                let sums = kept_sum(&classes.collect::<Vec<_>>(), pool.keep).0;
                let ways = (0..).map(Observation::Sum).zip(sums);
                ways.filter(|(_, ways)| !ways.is_zero()).collect()
            }
        };
        let total = pool.dice.iter().fold(Natural::ONE, |total, group| {
            let sides = Natural::from(usize::from(group.die.sides()));
            &total * &sides.pow(group.count.into())
        });
        let steps = 0;
        Self { ways, total, steps }
    }

    /// Forgets what was worked out before, for a bench that wants to know what the first time costs.
    pub fn forget() {
        KNOWN.clear();
    }
}

/// The pools worked out lately: a check asks for the same few at every key. At most 250,000
/// observations, about 30 MB; ordinary pools have dozens.
static KNOWN: Memo<Pool, Arc<Observations>> = Memo::new(250_000);

impl Pool {
    /// What [`Pool::read`] comes to over every way the dice can fall: each observation once, with the ways it
    /// can come up.
    pub fn observations(&self) -> Arc<Observations> {
        let work_out = || Ok::<_, Infallible>(Arc::new(Observations::of(self)));
        let Ok(known) = KNOWN.get_or_compute(self, work_out, |found| found.ways.len());
        known
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::{Die, DieRole, EqualDice, Face, Keep};

    /// Every roll of the pool, read one by one.
    fn read_every_roll(pool: &Pool) -> BTreeMap<Observation, Natural> {
        let order: Vec<Die> = pool.each_die().map(|(die, _)| die).collect();
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

    fn dice() -> impl Strategy<Value = Vec<EqualDice>> {
        let die = prop_oneof![
            Just(Die::D4),
            Just(Die::D6),
            Just(Die::D8),
            Just(Die::D10),
            Just(Die::D12),
            Just(Die::D20),
            Just(Die::Digit),
        ];
        let group =
            (die, 0_u8..4).prop_map(|(die, count)| EqualDice::new(die, count, DieRole::POOL));
        prop::collection::vec(group, 0..4).prop_map(|mut dice| {
            // Few enough rolls to read them one by one.
            let rolls = |dice: &[EqualDice]| {
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
            (1_u32..6).prop_map(Keep::Highest),
            (1_u32..6).prop_map(Keep::Lowest),
        ];
        let measure = prop_oneof![(0_i16..5).prop_map(Measure::KeptDice), Just(Measure::Sum),];
        (dice(), keep, measure).prop_map(|(dice, keep, measure)| Pool::new(dice, keep, measure))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn readings_are_what_reading_every_roll_gives(pool in pools()) {
            let observations = Observations::of(&pool);
            let once: BTreeMap<Observation, Natural> = observations.ways.iter().cloned().collect();
            prop_assert_eq!(once.len(), observations.ways.len(), "an observation came twice");
            prop_assert_eq!(once, read_every_roll(&pool));
        }
    }
}
