//! Every observation that a pool can show, with the number of ways to roll it.

use std::convert::Infallible;
use std::sync::Arc;

use super::distribution::merge_equal;
use super::enumerate::enumerate;
use super::kept_sum::{WeightedDice, kept_sum};
use super::query::{PoolQuery, QueryWays, RolledQuery};
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
    /// The number of all ways: the product of the numbers of sides of all dice. An exploding die counts once for each
    /// roll that it may have.
    pub total: Natural,
    /// The work that a query took, in steps of about a microsecond. It is always 0 for other pools, which take little time.
    pub steps: usize,
}

/// Each observation with its number of ways.
type ObservationWays = Vec<(Observation, Natural)>;

impl Observations {
    /// Computes the observations. [`Pool::observations`] does the same with a cache.
    pub fn of(pool: &Pool) -> Self {
        match &pool.measure {
            Measure::Query(query) => Self::of_query(query),
            Measure::KeptDice(low) => Self::of_plain_dice(pool, observe_kept_dice(pool, *low)),
            Measure::Sum => Self::of_plain_dice(pool, observe_sums(pool)),
        }
    }

    fn of_query(query: &PoolQuery) -> Self {
        let mut steps = 0;
        let Some((query_ways, total)) = query.ways(&mut steps) else {
            return Self {
                ways: Vec::new(),
                total: Natural::ZERO,
                steps,
            };
        };

        let ways = match query_ways {
            QueryWays::States(states) => observe_states(states),
            QueryWays::Results(results) => observe_results(results),
        };
        Self { ways, total, steps }
    }

    /// Adds the number of all ways to the ways of dice that neither explode nor are rolled again.
    fn of_plain_dice(pool: &Pool, ways: ObservationWays) -> Self {
        let mut total = Natural::ONE;
        for equal in &pool.dice {
            let sides = usize::from(equal.die.sides());
            let ways_of_dice = Natural::from(sides).pow(equal.count.into());
            total = &total * &ways_of_dice;
        }
        Self {
            ways,
            total,
            steps: 0,
        }
    }

    /// Empties the cache of computed observations, so that a benchmark can measure the computation.
    pub fn forget() {
        COMPUTED.clear();
    }
}

fn observe_states(states: Vec<(PoolState, Natural)>) -> ObservationWays {
    let mut observed = Vec::with_capacity(states.len());
    for (state, ways) in states {
        let rolled = RolledQuery {
            state,
            // All explosions were followed to their end.
            pending: Vec::new(),
        };
        observed.push((Observation::Query(Box::new(rolled)), ways));
    }
    observed
}

fn observe_results(results: Vec<(Box<[i32]>, Natural)>) -> ObservationWays {
    let mut observed = Vec::with_capacity(results.len());
    for (results, ways) in results {
        observed.push((Observation::Results(results), ways));
    }
    observed
}

fn observe_kept_dice(pool: &Pool, low: Face) -> ObservationWays {
    let ways = enumerate(pool, low);

    // If all dice are equal and all of them are kept, each observation was found once and in order.
    let kinds = pool.kinds();
    let keeps_all = pool.keep.of(pool.len()) == pool.len();
    if kinds.len() == 1 && keeps_all {
        ways
    } else {
        merge_equal(ways)
    }
}

fn observe_sums(pool: &Pool) -> ObservationWays {
    let kinds = pool.kinds();

    // Series count from 0, so dice with negative faces are computed with all faces raised.
    let lowest_face = kinds.iter().map(|kind| kind.die.lowest()).min();
    let raise = match lowest_face {
        Some(face) if face < 0 => face.unsigned_abs(),
        _ => 0,
    };
    let mut dice = Vec::with_capacity(kinds.len());
    for kind in &kinds {
        dice.push(WeightedDice::raised(kind.die, kind.count, raise));
    }
    let sums = kept_sum(&dice, pool.keep);

    let kept = pool.keep.of(pool.len());
    let raise_of_sum = kept.saturating_mul(raise.into());
    let lowest_sum = -i32::try_from(raise_of_sum).unwrap_or(i32::MAX);
    (lowest_sum..)
        .map(Observation::Sum)
        .zip(sums.0)
        .filter(|(_, ways)| !ways.is_zero())
        .collect()
}

/// Recently computed observations, for a program that asks for the same few pools at every key. At most 250,000
/// observations are stored, about 30 MB; ordinary pools have dozens.
static COMPUTED: Memo<Pool, Arc<Observations>> = Memo::new(250_000);

impl Pool {
    /// Returns every observation of the pool with its exact number of ways. Equal pools are computed once.
    pub fn observations(&self) -> Arc<Observations> {
        let compute = || -> Result<_, Infallible> { Ok(Arc::new(Observations::of(self))) };
        let size_of = |observations: &Arc<Observations>| observations.ways.len();
        let Ok(observations) = COMPUTED.get_or_compute(self, compute, size_of);
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
