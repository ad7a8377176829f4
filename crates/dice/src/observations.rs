//! Every observation that a pool can show, with the number of ways to roll it.

use std::convert::Infallible;
use std::sync::Arc;

use super::distribution::merge_equal;
use super::enumerate::enumerate;
use super::kept_sum::{WeightedDice, kept_sum};
use super::query::{QueryWays, RolledQuery};
use super::{Face, Measure, Memo, Natural, Observation, Pool, PoolState};

/// Every observation of a pool with its exact number of ways.
///
/// The probability of an observation is its number of ways divided by [`total`](Observations::total).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observations {
    /// Each possible observation, once, with the number of ways to roll it.
    ///
    /// Empty if the pool is a query with too many different states to compute.
    pub ways: Vec<(Observation, Natural)>,
    /// The number of all ways: the product of the numbers of sides, explosions included.
    pub total: Natural,
    /// The work that a query took, in steps of about a microsecond. Always 0 for other pools, which take little.
    pub steps: usize,
}

impl Observations {
    /// Computes the observations. [`Pool::observations`] returns a stored copy if there is one.
    pub fn of(pool: &Pool) -> Self {
        let ways = match &pool.measure {
            Measure::Query(query) => {
                let mut steps = 0;
                let (ways, total) = match query.ways(&mut steps) {
                    Some((QueryWays::States(states), total)) => (observe_states(states), total),
                    Some((QueryWays::Results(results), total)) => (observe_results(results), total),
                    None => (Vec::new(), Natural::ZERO),
                };
                return Self { ways, total, steps };
            }
            Measure::KeptDice(low) => observe_kept_dice(pool, *low),
            Measure::Sum => observe_sums(pool),
        };

        let mut total = Natural::ONE;
        for equal in &pool.dice {
            let sides = Natural::from(usize::from(equal.die.sides()));
            total = &total * &sides.pow(equal.count.into());
        }
        Self {
            ways,
            total,
            steps: 0,
        }
    }

    /// Empties the store of computed observations, so that a benchmark can measure the computation.
    pub fn forget() {
        COMPUTED.clear();
    }
}

fn observe_states(states: Vec<(PoolState, Natural)>) -> Vec<(Observation, Natural)> {
    states
        .into_iter()
        .map(|(state, ways)| {
            // All explosions were followed to their end.
            let pending = Vec::new();
            let rolled = RolledQuery { state, pending };
            (Observation::Query(Box::new(rolled)), ways)
        })
        .collect()
}

fn observe_results(results: Vec<(Box<[i32]>, Natural)>) -> Vec<(Observation, Natural)> {
    results
        .into_iter()
        .map(|(results, ways)| (Observation::Results(results), ways))
        .collect()
}

fn observe_kept_dice(pool: &Pool, low: Face) -> Vec<(Observation, Natural)> {
    let ways = enumerate(pool, low);

    // If all dice are of one kind and count, each observation was found once and in order.
    match pool.kinds()[..] {
        [(_, count)] if pool.keep.of(count) == count => ways,
        _ => merge_equal(ways),
    }
}

fn observe_sums(pool: &Pool) -> Vec<(Observation, Natural)> {
    let kinds = pool.kinds();

    // Series count from 0, so dice with negative faces are computed with all faces raised.
    let lowest = kinds.iter().map(|(die, _)| die.lowest()).min().unwrap_or(0);
    let raise = lowest.min(0).unsigned_abs();
    let dice: Vec<WeightedDice> = kinds
        .iter()
        .map(|(die, count)| WeightedDice::raised(*die, *count, raise))
        .collect();

    let kept = i32::try_from(pool.keep.of(pool.len())).unwrap_or(i32::MAX);
    let lowest_sum = -kept.saturating_mul(raise.into());
    (lowest_sum..)
        .map(Observation::Sum)
        .zip(kept_sum(&dice, pool.keep).0)
        .filter(|(_, ways)| !ways.is_zero())
        .collect()
}

/// Observations computed lately, for a program that asks for the same few pools at every key. At most 250,000
/// observations, about 30 MB; ordinary pools have dozens.
static COMPUTED: Memo<Pool, Arc<Observations>> = Memo::new(250_000);

impl Pool {
    /// Returns every observation of the pool with its exact number of ways. Equal pools are computed once.
    pub fn observations(&self) -> Arc<Observations> {
        let compute = || Ok::<_, Infallible>(Arc::new(Observations::of(self)));
        let Ok(observations) =
            COMPUTED.get_or_compute(self, compute, |observations| observations.ways.len());
        observations
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
