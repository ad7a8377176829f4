//! All ways in which the dice of a query can fall.
//!
//! The ways are computed die by die. After each die, a map holds every state that can be reached, with the number of ways to
//! reach it; the next die merges each of its states into each of them. Equal states are added up, so the work depends on
//! the number of different states and not on the number of ways, which grows exponentially. All numbers are exact.
//!
//! An exploding die is followed to its last possible roll first. A die that stops early counts as if its remaining rolls
//! had been made, so that every way of a die counts the same.

use rustc_hash::FxHashMap;

use super::{DiceGroup, PendingDie, PoolQuery, PoolState, ReadingKind};
use crate::distribution::merge_equal;
use crate::{Natural, Series};

/// States with the number of ways to reach them.
type Ways<K> = FxHashMap<K, Natural>;

/// The largest number of different states for which the ways are computed.
const MOST_STATES: usize = 100_000;

/// The largest number of steps, of about a microsecond each.
const MOST_STEPS: usize = 500_000;

/// The states or results of a query, with their ways.
#[derive(Debug)]
pub(crate) enum QueryWays {
    /// Each state with its ways.
    States(Vec<(PoolState, Natural)>),
    /// The results of the readings with their ways, for a query that [is final](PoolQuery::is_final).
    Results(Vec<(Box<[i32]>, Natural)>),
}

/// The ways in which some equal dice fall: either those of all dice together, or those of one die, to be merged for
/// each.
struct Falls {
    ways: Ways<PoolState>,
    /// How often the ways must be merged: once, or as often as there are dice.
    repetitions: usize,
}

/// Counts the steps of a computation.
pub(crate) struct StepCounter<'a> {
    steps: &'a mut usize,
    /// The steps to merge a list, in hundredths.
    hundredths_for_lists: usize,
}

impl StepCounter<'_> {
    /// Counts the merging of that number of pairs, with states of at most that length. `None` if the limit is exceeded.
    fn count(&mut self, pairs: usize, longest_state: usize) -> Option<()> {
        let hundredths = 10 + longest_state / 2 + self.hundredths_for_lists;
        *self.steps += pairs * hundredths / 100;

        if *self.steps <= MOST_STEPS {
            Some(())
        } else {
            None
        }
    }
}

impl PoolQuery {
    /// Returns every way in which the pending dice can fall, explosions included, and the number of all ways.
    ///
    /// Adds the work to `steps`. `None` if too many states differ or the work would take too long.
    pub(crate) fn ways(&self, steps: &mut usize) -> Option<(QueryWays, Natural)> {
        let lists = self.readings.iter().filter(|reading| reading.keeps_list());
        let mut counter = StepCounter {
            steps,
            hundredths_for_lists: 15 * lists.count() * self.part_count(),
        };

        let mut states: Ways<PoolState> = Ways::default();
        states.insert(self.empty_state(), Natural::ONE);
        let mut total = Natural::ONE;

        for (index, group) in self.groups.iter().enumerate() {
            let mut dice = group.pending.clone();
            dice.sort_unstable();

            for equal_dice in dice.chunk_by(|a, b| a == b) {
                let falls = self.falls(index, equal_dice, &mut counter)?;
                let ways_of_falls: Natural = falls.ways.values().sum();
                for _ in 0..falls.repetitions {
                    total = &total * &ways_of_falls;
                    states = self.merge_ways(&states, &falls.ways, &mut counter)?;
                }
            }
        }

        let ways = if self.is_final {
            let results = states
                .into_iter()
                .map(|(state, ways)| (self.results(&state), ways))
                .collect();
            QueryWays::Results(merge_equal(results))
        } else {
            QueryWays::States(merge_equal(states.into_iter().collect()))
        };
        Some((ways, total))
    }

    /// Merges each state of one map with each state of the other.
    fn merge_ways(
        &self,
        states: &Ways<PoolState>,
        falls: &Ways<PoolState>,
        counter: &mut StepCounter<'_>,
    ) -> Option<Ways<PoolState>> {
        let longest = states.keys().map(PoolState::len).max().unwrap_or(0);
        counter.count(states.len() * falls.len(), longest)?;

        let mut merged: Ways<PoolState> = Ways::default();
        for (state, ways) in states {
            for (fall, ways_of_fall) in falls {
                let sum = merged
                    .entry(self.merge(state, fall))
                    .or_insert(Natural::ZERO);
                sum.add_product(ways, ways_of_fall);
            }
            if merged.len() > MOST_STATES {
                return None;
            }
        }
        Some(merged)
    }

    /// Returns the ways of some equal dice of a group: of all together if their sum alone matters, otherwise of one.
    fn falls(
        &self,
        group: usize,
        equal_dice: &[PendingDie],
        counter: &mut StepCounter<'_>,
    ) -> Option<Falls> {
        if let Some(reading) = self.only_sum(group) {
            return Some(Falls {
                ways: self.sums_of(group, reading, equal_dice.len()),
                repetitions: 1,
            });
        }
        Some(Falls {
            ways: self.ways_of_die(group, *equal_dice.first()?, counter)?,
            repetitions: equal_dice.len(),
        })
    }

    /// Returns the index of the reading if the plain sum is all that is read of the group, and all faces count.
    fn only_sum(&self, group: usize) -> Option<usize> {
        let DiceGroup {
            explodes, rerolls, ..
        } = &self.groups[group];
        let mut readings = self
            .readings
            .iter()
            .enumerate()
            .filter(|(_, reading)| reading.includes_group(group));
        let (index, reading) = readings.next()?;
        if readings.next().is_some() || reading.kind != ReadingKind::Sum {
            return None;
        }

        let values = self.groups[group].values();
        let all_count = values.iter().all(|value| reading.counts(group, *value));
        let is_fair = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        if all_count && is_fair && explodes.is_none() && rerolls.is_empty() {
            Some(index)
        } else {
            None
        }
    }

    /// Returns the sums of that number of fair dice of a group, computed by running sums.
    fn sums_of(&self, group: usize, reading: usize, count: usize) -> Ways<PoolState> {
        let values = self.groups[group].values();
        let lowest = values.first().copied().unwrap_or(0);
        let lowest_sum = lowest.saturating_mul(i32::try_from(count).unwrap_or(i32::MAX));

        (lowest_sum..)
            .zip(Series::equal_dice(count, values.len()).0)
            .map(|(sum, ways)| (self.state_of_number(reading, sum), ways))
            .collect()
    }

    /// Returns every way in which one die can fall, each followed to its last roll.
    ///
    /// A die with s sides that may explode e times has sᵉ⁺¹ ways.
    fn ways_of_die(
        &self,
        group_index: usize,
        die: PendingDie,
        counter: &mut StepCounter<'_>,
    ) -> Option<Ways<PoolState>> {
        let group = &self.groups[group_index];
        let values = group.values();
        let sides = Natural::from(values.len());
        let most_explosions = match group.explodes {
            Some(_) => die.explosions_left,
            None => 0,
        };

        let mut stopped = Ways::default();
        // Dice to be rolled again, with the state of their earlier rolls.
        let mut rolling: Ways<(i32, PoolState)> = Ways::default();
        rolling.insert((die.total, self.empty_state()), Natural::ONE);

        for explosions_left in (0..=most_explosions).rev() {
            let unused_rolls = sides.pow(explosions_left.into());
            let longest = rolling.keys().map(|(_, state)| state.len()).max();
            counter.count(rolling.len() * values.len(), longest.unwrap_or(0))?;

            for ((total, state), ways) in std::mem::take(&mut rolling) {
                for &face in &values {
                    let value = total + face;
                    let explosion = group.explosion(face, explosions_left);
                    let Some(explosion) = explosion else {
                        let state = self.merge(&state, &self.state_of_die(group_index, value));
                        stopped
                            .entry(state)
                            .or_insert(Natural::ZERO)
                            .add_product(&ways, &unused_rolls);
                        continue;
                    };

                    let again = if explosion.adds_dice {
                        let state = self.merge(&state, &self.state_of_die(group_index, value));
                        (0, state)
                    } else {
                        (value, state.clone())
                    };
                    *rolling.entry(again).or_insert(Natural::ZERO) += &ways;
                }
            }
        }
        Some(stopped)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::Die;
    use crate::query::{Explosion, PoolReading};

    /// Computes the readings from the values of single dice.
    fn read_values(query: &PoolQuery, dice: &[(usize, i32)]) -> Vec<i32> {
        let mut results = Vec::new();
        for reading in &query.readings {
            let mut values: Vec<i32> = dice
                .iter()
                .filter(|(group, value)| {
                    reading.groups >> group & 1 == 1
                        && (reading.lowest..=reading.highest).contains(value)
                })
                .map(|(_, value)| *value)
                .collect();
            values.sort_unstable();

            results.push(match reading.kind {
                ReadingKind::Sum | ReadingKind::Symbol(_) => values.iter().sum(),
                ReadingKind::Count => i32::try_from(values.len()).unwrap(),
                ReadingKind::SumOfKept {
                    count,
                    highest: true,
                } => values.iter().rev().take(count.into()).sum(),
                ReadingKind::SumOfKept {
                    count,
                    highest: false,
                } => values.iter().take(count.into()).sum(),
                ReadingKind::LargestSet => {
                    let mut sets: BTreeMap<i32, i32> = BTreeMap::new();
                    for value in &values {
                        *sets.entry(*value).or_default() += 1;
                    }
                    sets.into_values().max().unwrap_or(0)
                }
            });
        }
        results
    }

    /// Rolls the pending dice in every way, follows each explosion, and counts the results.
    fn roll_in_every_way(
        query: &PoolQuery,
        pending: &mut Vec<(usize, PendingDie)>,
        on_table: &mut Vec<(usize, i32)>,
        ways: &Natural,
        results: &mut BTreeMap<Vec<i32>, Natural>,
    ) {
        let Some((index, die)) = pending.pop() else {
            let sum = results.entry(read_values(query, on_table)).or_default();
            *sum += ways;
            return;
        };

        let group = &query.groups[index];
        let sides = Natural::from(group.values().len());
        for face in group.values() {
            let dice_before = on_table.len();
            let mut pending_after = pending.clone();
            let mut ways = ways.clone();

            match group.explodes {
                Some(explosion) if die.explosions_left > 0 && face >= explosion.lowest => {
                    let total = if explosion.adds_dice {
                        0
                    } else {
                        die.total + face
                    };
                    if explosion.adds_dice {
                        on_table.push((index, die.total + face));
                    }
                    let explosions_left = die.explosions_left - 1;
                    pending_after.push((
                        index,
                        PendingDie {
                            total,
                            explosions_left,
                        },
                    ));
                }
                explodes => {
                    // The die counts for all rolls that it might have had.
                    if explodes.is_some() {
                        ways = &ways * &sides.pow(die.explosions_left.into());
                    }
                    on_table.push((index, die.total + face));
                }
            }
            roll_in_every_way(query, &mut pending_after, on_table, &ways, results);
            on_table.truncate(dice_before);
        }
    }

    fn groups() -> impl Strategy<Value = DiceGroup> {
        let die = prop_oneof![
            Just(Die::D4),
            Just(Die::D6),
            Just(Die::Digit),
            Just(Die::Sides(3))
        ];
        let explodes = prop::option::of(
            (2_i32..7, any::<bool>())
                .prop_map(|(lowest, adds_dice)| Explosion { lowest, adds_dice }),
        );
        (die, 0_usize..3, explodes, 0_u8..3).prop_map(|(die, count, explodes, most)| {
            let explosions_left = if explodes.is_some() { most } else { 0 };
            DiceGroup {
                die,
                is_percentile: false,
                pending: vec![PendingDie::new(explosions_left); count],
                explodes,
                rerolls: Vec::new(),
            }
        })
    }

    fn readings() -> impl Strategy<Value = PoolReading> {
        let kind = prop_oneof![
            Just(ReadingKind::Sum),
            Just(ReadingKind::Count),
            Just(ReadingKind::LargestSet),
            (1_u16..4, any::<bool>())
                .prop_map(|(count, highest)| ReadingKind::SumOfKept { count, highest }),
        ];
        (kind, 1_u32..4, -1_i32..3, 3_i32..12).prop_map(|(kind, groups, lowest, highest)| {
            PoolReading {
                kind,
                groups,
                lowest,
                highest,
            }
        })
    }

    fn number_of_ways(groups: &[DiceGroup]) -> usize {
        groups
            .iter()
            .flat_map(|group| {
                group
                    .pending
                    .iter()
                    .map(|die| group.values().len().pow(1 + u32::from(die.explosions_left)))
            })
            .product()
    }

    fn queries() -> impl Strategy<Value = PoolQuery> {
        let groups = prop::collection::vec(groups(), 2)
            .prop_filter("few enough ways", |groups| number_of_ways(groups) < 20_000);
        (groups, prop::collection::vec(readings(), 1..4)).prop_map(|(groups, readings)| PoolQuery {
            groups,
            readings,
            is_final: true,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn results_are_those_of_every_roll(query in queries()) {
            let mut pending: Vec<(usize, PendingDie)> = Vec::new();
            for (index, group) in query.groups.iter().enumerate() {
                pending.extend(group.pending.iter().map(|die| (index, *die)));
            }
            let mut expected = BTreeMap::new();
            roll_in_every_way(&query, &mut pending, &mut Vec::new(), &Natural::ONE, &mut expected);

            let (ways, total) = query.ways(&mut 0).unwrap();
            let QueryWays::Results(ways) = ways else {
                panic!("a final query has results");
            };
            let ways: BTreeMap<Vec<i32>, Natural> = ways
                .into_iter()
                .map(|(results, ways)| (results.into_vec(), ways))
                .collect();
            prop_assert_eq!(&expected.values().sum::<Natural>(), &total);
            prop_assert_eq!(ways, expected);
        }
    }
}
