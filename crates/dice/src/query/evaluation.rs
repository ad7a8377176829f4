//! All ways in which the dice of a query can fall.
//!
//! The ways are computed die by die. After each die, a map holds every possible state with its number of ways. For the next
//! die, each state of the die is merged into each state of the map. The ways of equal states are added up, so the work
//! depends on the number of different states and not on the number of ways, which grows exponentially.
//!
//! The states of an exploding die are computed first, up to its last possible roll. A die that stops early has the ways
//! of its unused rolls as well, so that all ways are equally likely.

use rustc_hash::FxHashMap;

use super::{PendingDie, PoolQuery, PoolReading, PoolState, ReadingKind};
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

/// The ways in which some equal dice fall: either those of all dice together, or those of a single die.
struct Falls {
    ways: Ways<PoolState>,
    /// How often the ways must be merged into the states: once if they are those of all dice, otherwise once for each
    /// die.
    repetitions: usize,
}

/// A die that exploded and must be rolled again.
#[derive(PartialEq, Eq, Hash)]
struct RollingDie {
    /// The sum of its earlier rolls, 0 if each roll counts as a separate die.
    total: i32,
    /// Its earlier rolls, if each counts as a separate die.
    state: PoolState,
}

/// Counts the steps of a computation.
pub(crate) struct StepCounter<'a> {
    steps: &'a mut usize,
    /// The steps to merge all lists of a pair of states, in hundredths.
    hundredths_for_lists: usize,
}

impl StepCounter<'_> {
    /// Counts the steps to merge that number of pairs of states, none of which is longer than `longest_state`. `None` if
    /// the limit is exceeded.
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
        let readings = self.readings.iter();
        let lists = readings.filter(|reading| reading.keeps_list()).count();
        let mut counter = StepCounter {
            steps,
            hundredths_for_lists: 15 * lists * self.part_count(),
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

        if self.is_final {
            let mut results = Vec::with_capacity(states.len());
            for (state, ways) in states {
                results.push((self.results(&state), ways));
            }
            return Some((QueryWays::Results(merge_equal(results)), total));
        }
        let states = states.into_iter().collect();
        Some((QueryWays::States(merge_equal(states)), total))
    }

    /// Merges each state of one map with each state of the other.
    fn merge_ways(
        &self,
        states: &Ways<PoolState>,
        falls: &Ways<PoolState>,
        counter: &mut StepCounter<'_>,
    ) -> Option<Ways<PoolState>> {
        let pairs = states.len() * falls.len();
        let longest_state = states.keys().map(PoolState::len).max();
        counter.count(pairs, longest_state.unwrap_or(0))?;

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
        let die = *equal_dice.first()?;
        Some(Falls {
            ways: self.ways_of_die(group, die, counter)?,
            repetitions: equal_dice.len(),
        })
    }

    /// Returns the index of the reading that sums the group, if no other reading looks at the group and all its faces
    /// count. Otherwise `None`.
    fn only_sum(&self, group_index: usize) -> Option<usize> {
        let group = &self.groups[group_index];
        if group.explodes.is_some() || !group.rerolls.is_empty() {
            return None;
        }

        let includes_group = |reading: &PoolReading| reading.includes_group(group_index);
        let index = self.readings.iter().position(includes_group)?;
        let reading = &self.readings[index];
        let is_only_reading = !self.readings[index + 1..].iter().any(includes_group);
        if !is_only_reading || reading.kind != ReadingKind::Sum {
            return None;
        }

        let values = group.values();
        let mut neighbours = values.windows(2);
        let is_fair = neighbours.all(|pair| pair[0] + 1 == pair[1]);
        let all_count = values
            .iter()
            .all(|value| reading.counts(group_index, *value));
        if is_fair && all_count {
            Some(index)
        } else {
            None
        }
    }

    /// Returns the sums of that number of fair dice of a group, computed by running sums.
    fn sums_of(&self, group: usize, reading: usize, count: usize) -> Ways<PoolState> {
        let values = self.groups[group].values();
        let lowest = values.first().copied().unwrap_or(0);
        let factor = i32::try_from(count).unwrap_or(i32::MAX);
        let lowest_sum = lowest.saturating_mul(factor);

        let sums = Series::equal_dice(count, values.len());
        let mut states = Ways::default();
        for (sum, ways) in (lowest_sum..).zip(sums.0) {
            states.insert(self.state_of_number(reading, sum), ways);
        }
        states
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

        let mut stopped: Ways<PoolState> = Ways::default();
        let mut rolling: Ways<RollingDie> = Ways::default();
        let first_roll = RollingDie {
            total: die.total,
            state: self.empty_state(),
        };
        rolling.insert(first_roll, Natural::ONE);

        for explosions_left in (0..=most_explosions).rev() {
            // A die that stops now has this number of ways for the rolls that it does not use.
            let unused_rolls = sides.pow(explosions_left.into());
            let pairs = rolling.len() * values.len();
            let longest_state = rolling.keys().map(|die| die.state.len()).max();
            counter.count(pairs, longest_state.unwrap_or(0))?;

            for (die, ways) in std::mem::take(&mut rolling) {
                for &face in &values {
                    let value = die.total + face;
                    let with_value =
                        || self.merge(&die.state, &self.state_of_die(group_index, value));

                    let Some(explosion) = group.explosion(face, explosions_left) else {
                        let sum = stopped.entry(with_value()).or_insert(Natural::ZERO);
                        sum.add_product(&ways, &unused_rolls);
                        continue;
                    };

                    let next_roll = if explosion.adds_dice {
                        RollingDie {
                            total: 0,
                            state: with_value(),
                        }
                    } else {
                        RollingDie {
                            total: value,
                            state: die.state.clone(),
                        }
                    };
                    *rolling.entry(next_roll).or_insert(Natural::ZERO) += &ways;
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
    use crate::query::{DiceGroup, Explosion};

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
                    // The die has as many ways as if it had used all its rolls.
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
