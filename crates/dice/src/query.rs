//! Readings of several groups of dice, put together die by die.
//!
//! What a rule reads of dice is a query: the reading of all is put together from the readings of each, in any order.
//! Dice are therefore counted and never told apart, an exploding die only adds to what lies there already, and so
//! does one that is rolled again.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use super::{Die, Face, Natural, Series};

/// What may be read of dice. What is added here is also told to `Reading`'s `is_list` and `finish` and to `PoolQuery`'s
/// `one`, `drops` and `kept`, and has a word in a system's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReadingKind {
    /// Their sum.
    Sum,
    /// The sum of a number of the highest, or of the lowest.
    SumOfKept {
        /// How many.
        count: u16,
        /// Whether the highest.
        highest: bool,
    },
    /// How many there are.
    Count,
    /// The size of the largest set of equal ones.
    LargestSet,
    /// How often they show this symbol, by its place on dice with symbols.
    Symbol(&'static str),
}

/// One reading of some groups, of the dice with a value within bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reading {
    /// What.
    pub kind: ReadingKind,
    /// Of which groups: a bit for each.
    pub groups: u32,
    /// The lowest value that is looked at.
    pub lowest: i32,
    /// The highest.
    pub highest: i32,
}

impl Reading {
    fn looks_at(&self, group: usize, value: i32) -> bool {
        self.groups >> group & 1 == 1 && (self.lowest..=self.highest).contains(&value)
    }

    /// Whether it keeps single values; else a number is enough.
    const fn is_list(&self) -> bool {
        matches!(
            self.kind,
            ReadingKind::SumOfKept { .. } | ReadingKind::LargestSet
        )
    }

    /// The numbers of a list, in the order in which they are kept, as many as matter.
    fn settle(&self, values: &mut Vec<i32>) {
        values.sort_unstable_by(|a, b| b.cmp(a));
        if let ReadingKind::SumOfKept { count, highest } = self.kind {
            if !highest {
                values.reverse();
            }
            values.truncate(count.into());
        }
    }

    fn finish(&self, values: &[i32]) -> i32 {
        match self.kind {
            ReadingKind::LargestSet => {
                let sets = values.chunk_by(|a, b| a == b);
                let largest = sets.map(<[i32]>::len).max().unwrap_or(0);
                i32::try_from(largest).unwrap_or(i32::MAX)
            }
            _ => values.iter().sum(),
        }
    }
}

/// One die to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PendingDie {
    /// What its earlier rolls came to, where they are one number.
    pub total: i32,
    /// How often it may still be rolled for a face that explodes.
    pub explosions_left: u8,
}

impl PendingDie {
    /// A die that was not rolled yet.
    pub const fn new(explosions_left: u8) -> Self {
        Self {
            total: 0,
            explosions_left,
        }
    }
}

/// How dice of a group explode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Explosion {
    /// The lowest face that does.
    pub lowest: i32,
    /// Whether each further roll is a die of its own; else all are one number.
    pub adds_dice: bool,
}

/// The values at which a die may be rolled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RerollRange {
    /// Tells apart the rules that allow the re-roll.
    pub tag: (usize, usize),
    /// The lowest of the values.
    pub lowest: i32,
    /// The highest of the values.
    pub highest: i32,
}

/// Dice of one kind that are rolled together and read by one name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiceGroup {
    /// The die.
    pub die: Die,
    /// Whether two digits make one number from 1 to 100.
    pub is_percentile: bool,
    /// The dice to be rolled.
    pub pending: Vec<PendingDie>,
    /// How they explode, where they do.
    pub explodes: Option<Explosion>,
    /// The values that may be rolled again, both bounds included, each with the step and the option that does it.
    pub rerolls: Vec<RerollRange>,
}

impl DiceGroup {
    /// What one of its dice may show, the digits of a hundred as their number.
    fn values(&self) -> Vec<i32> {
        if self.is_percentile {
            return (1..=100).collect();
        }
        self.die.faces().into_iter().map(i32::from).collect()
    }

    fn explodes(&self, face: i32, left: u8) -> bool {
        let from = self.explodes.map(|explosion| explosion.lowest);
        left > 0 && from.is_some_and(|from| face >= from)
    }

    /// To which die each of these faces belongs, in the order in which they fell: one that exploded brings one more,
    /// and what it brings comes after the others.
    pub fn owners(&self, faces: &[Face], most: u8) -> Vec<usize> {
        let follow = |dice: usize| {
            let mut owners: Vec<(usize, u8)> = (0..dice).map(|die| (die, most)).collect();
            for (at, face) in faces.iter().enumerate() {
                let (die, left) = *owners.get(at)?;
                if self.is_sum() && self.explodes((*face).into(), left) {
                    owners.push((die, left - 1));
                }
            }
            (owners.len() == faces.len()).then_some(owners)
        };
        let owners = (0..=faces.len()).find_map(follow).unwrap_or_default();
        owners.into_iter().map(|(die, _)| die).collect()
    }

    /// How many parts of what lies there are its own; none where nothing is rolled again.
    fn parts(&self) -> usize {
        (1 << self.rerolls.len()) & !1
    }

    fn is_sum(&self) -> bool {
        self.explodes.is_some_and(|explosion| !explosion.adds_dice)
    }

    /// Which of the values that may be rolled again this one is among: a bit for each pair of bounds.
    fn again(&self, value: i32) -> usize {
        let bits = self.rerolls.iter().enumerate();
        let among = bits.filter(|(_, range)| (range.lowest..=range.highest).contains(&value));
        among.fold(0, |bits, (place, _)| bits | 1 << place)
    }
}

/// What lies on the table, as far as anything still looks at it: for each part (the dice that stay, then those of each
/// group by whether they may be rolled again) how many dice there are, and for each reading its number, or how many
/// numbers and the numbers.
pub type PoolState = Box<[i32]>;

/// What a rolled query shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RolledQuery {
    /// What lies there, or the finished readings where the query [is final](PoolQuery::is_final).
    pub state: PoolState,
    /// The dice of each group that are to be rolled for faces that exploded.
    pub pending: Vec<Vec<PendingDie>>,
}

/// Heaps of dice and what is read of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PoolQuery {
    /// The dice.
    pub groups: Vec<DiceGroup>,
    /// What is read.
    pub readings: Vec<Reading>,
    /// Whether a roll is followed to the end of all explosions, as odds do it.
    pub is_whole: bool,
    /// Whether nothing is rolled again and nothing lay there before: then the readings alone are looked at.
    pub is_final: bool,
}

/// Odds look folds up by the thousand; how many dice there are tells nearly all of them apart.
impl Hash for PoolQuery {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for group in &self.groups {
            group.pending.len().hash(state);
        }
    }
}

type Ways<K> = FxHashMap<K, Natural>;

/// More different throws than this are not weighed.
const MOST_WAYS: usize = 100_000;

/// Nor are throws that take more steps to put together; a step is about a microsecond.
const MOST_THROW_STEPS: usize = 500_000;

impl PoolQuery {
    /// Counts the steps of putting pairs of throws together. None once they are too many.
    fn count(&self, steps: &mut usize, pairs: usize, longest: Option<usize>) -> Option<()> {
        let lists = self.readings.iter().filter(|reading| reading.is_list());
        let hundredths = 10 + longest.unwrap_or(0) / 2 + 15 * lists.count() * self.parts();
        *steps += pairs * hundredths / 100;
        (*steps <= MOST_THROW_STEPS).then_some(())
    }

    fn parts(&self) -> usize {
        self.first_part(self.groups.len())
    }

    /// The first part of a group whose dice may be rolled again.
    fn first_part(&self, group: usize) -> usize {
        1 + self.groups[..group]
            .iter()
            .map(DiceGroup::parts)
            .sum::<usize>()
    }

    fn part_of(&self, group: usize, value: i32) -> usize {
        if self.groups[group].rerolls.is_empty() {
            return 0;
        }
        self.first_part(group) + self.groups[group].again(value)
    }

    /// Nothing on the table.
    pub fn empty_state(&self) -> PoolState {
        vec![0; self.parts() * (1 + self.readings.len())].into()
    }

    /// One die of that group with that value.
    fn one(&self, group: usize, value: i32) -> PoolState {
        let part = self.part_of(group, value);
        let mut state = Vec::with_capacity(2 + self.parts() * (1 + self.readings.len()));
        for at in 0..self.parts() {
            let here = at == part;
            state.push((here && part > 0).into());
            for reading in &self.readings {
                let number = match reading.kind {
                    _ if !here || !reading.looks_at(group, value) => None,
                    ReadingKind::Count => Some(1),
                    ReadingKind::Symbol(symbol) => {
                        Some(symbols(self.groups[group].die, symbol, value))
                    }
                    _ => Some(value),
                };
                match number {
                    Some(number) if reading.is_list() => state.extend([1, number]),
                    number => state.push(number.unwrap_or(0)),
                }
            }
        }
        state.into()
    }

    /// Both together.
    pub fn merge(&self, a: &[i32], b: &[i32]) -> PoolState {
        let (mut a, mut b) = (a.iter().copied(), b.iter().copied());
        let mut all = Vec::with_capacity(a.len() + b.len());
        for _ in 0..self.parts() {
            all.push(a.next().unwrap_or(0) + b.next().unwrap_or(0));
            for reading in &self.readings {
                let (one, other) = (a.next().unwrap_or(0), b.next().unwrap_or(0));
                if !reading.is_list() {
                    all.push(one + other);
                    continue;
                }
                let mut values: Vec<i32> = a.by_ref().take(length(one)).collect();
                values.extend(b.by_ref().take(length(other)));
                reading.settle(&mut values);
                all.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
                all.extend(values);
            }
        }
        all.into()
    }

    /// Goes through the parts: how many dice each has, and each reading of them, by its place.
    fn each<'a>(&self, state: &'a [i32], mut see: impl FnMut(usize, Option<usize>, &'a [i32])) {
        let mut rest = state;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at(count.min(rest.len()));
            rest = left;
            taken
        };
        for at in 0..self.parts() {
            see(at, None, take(1));
            for (reading, kind) in self.readings.iter().enumerate() {
                let mut values = take(1);
                if kind.is_list() {
                    values = take(length(values.iter().sum()));
                }
                see(at, Some(reading), values);
            }
        }
    }

    /// What every reading comes to.
    pub fn results(&self, state: &[i32]) -> Box<[i32]> {
        let mut finished: Box<[i32]> = vec![0; self.readings.len()].into();
        let mut lists = vec![Vec::new(); self.readings.len()];
        self.each(state, |_, reading, values| match reading {
            Some(at) if self.readings[at].is_list() => lists[at].extend_from_slice(values),
            Some(at) => finished[at] += values.iter().sum::<i32>(),
            None => {}
        });
        for (at, reading) in self.readings.iter().enumerate() {
            if reading.is_list() {
                reading.settle(&mut lists[at]);
                finished[at] = reading.finish(&lists[at]);
            }
        }
        finished
    }

    /// The same where nothing is rolled again any more, and what lies there then.
    pub fn without_rerolls(mut self, state: &[i32]) -> (Self, PoolState) {
        let mut parts = vec![Vec::new(); self.parts()];
        self.each(state, |at, reading, values| {
            let is_list = reading.is_some_and(|at| self.readings[at].is_list());
            parts[at].extend(is_list.then(|| i32::try_from(values.len()).unwrap_or(i32::MAX)));
            parts[at].extend(values);
        });
        self.groups
            .iter_mut()
            .for_each(|group| group.rerolls.clear());
        let parts = parts.iter();
        let mut state = parts.fold(self.empty_state(), |all, part| self.merge(&all, part));
        // Dice that stay are not counted.
        state[0] = 0;
        self.merge_groups();
        (self, state)
    }

    /// Puts dice together, for odds, that nothing tells apart: then fewer ways differ.
    pub fn merge_groups(&mut self) {
        for at in 1..self.groups.len() {
            let kind = |at: usize| {
                let (group, of) = (&self.groups[at], self.readings.iter().map(|one| one.groups));
                let of: Vec<u32> = of.map(|of| of >> at & 1).collect();
                let dice = (group.die, group.is_percentile, group.pending.first());
                (dice, group.explodes, &group.rerolls, of)
            };
            if let Some(first) = (0..at).find(|first| kind(*first) == kind(at)) {
                let chains = std::mem::take(&mut self.groups[at].pending);
                self.groups[first].pending.extend(chains);
                self.groups[at].rerolls.clear();
            }
        }
    }

    /// Takes up the dice of a group that lie within those bounds, by their place among the group's: how many there were,
    /// and what is left.
    pub fn remove_in_range(
        &self,
        state: &[i32],
        group: usize,
        bounds: usize,
    ) -> (usize, PoolState) {
        let (mut taken, mut left) = (0, Vec::with_capacity(state.len()));
        let parts = self.first_part(group)..self.first_part(group + 1);
        self.each(state, |at, reading, values| {
            if parts.contains(&at) && (at - parts.start) >> bounds & 1 == 1 {
                taken += reading.map_or_else(|| length(values.iter().sum()), |_| 0);
                left.push(0);
                return;
            }
            if reading.is_some_and(|reading| self.readings[reading].is_list()) {
                left.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
            }
            left.extend_from_slice(values);
        });
        (taken, left.into())
    }

    /// Returns the same query for other dice: `pending` holds those of each group, in order.
    pub fn with_pending(&self, pending: Vec<Vec<PendingDie>>) -> Self {
        let mut query = self.clone();
        let mut pending = pending.into_iter();

        for group in &mut query.groups {
            group.pending = pending.next().unwrap_or_default();
        }
        query
    }

    /// The value of each die of these faces, in rolled order: two digits are one number.
    fn thrown(&self, faces: &[Face]) -> Vec<(usize, PendingDie, i32)> {
        let mut faces = faces.iter().copied().map(i32::from);
        let groups = self.groups.iter().enumerate();
        let chains = groups.flat_map(|(at, group)| group.pending.iter().map(move |one| (at, *one)));
        let thrown = chains.map(|(at, chain)| {
            let first = faces.next().unwrap_or(0);
            let value = if self.groups[at].is_percentile {
                match first * 10 + faces.next().unwrap_or(0) {
                    0 => 100,
                    number => number,
                }
            } else {
                first
            };
            (at, chain, value)
        });
        thrown.collect()
    }

    /// What these faces, in rolled order, show.
    pub(super) fn read(&self, faces: &[Face]) -> RolledQuery {
        let mut open = vec![Vec::new(); self.groups.len()];
        let mut state = self.empty_state();
        for (at, chain, face) in self.thrown(faces) {
            let group = &self.groups[at];
            let goes_on = group.explodes(face, chain.explosions_left);
            let value = chain.total + face;
            if goes_on {
                let sum = if group.is_sum() { value } else { 0 };
                let left = chain.explosions_left - 1;
                open[at].push(PendingDie {
                    total: sum,
                    explosions_left: left,
                });
            }
            if !goes_on || !group.is_sum() {
                state = self.merge(&state, &self.one(at, value));
            }
        }
        RolledQuery {
            state,
            pending: open,
        }
    }

    /// Whether a reading keeps some dice and drops others.
    pub(super) fn drops(&self) -> bool {
        let mut readings = self.readings.iter();
        readings.any(|reading| matches!(reading.kind, ReadingKind::SumOfKept { .. }))
    }

    /// The dice whose values count for the first reading of their group, in rolled order, each digit by itself.
    pub fn kept(&self, faces: &[Face]) -> Vec<bool> {
        let thrown = self.thrown(faces);
        let mut kept = vec![false; thrown.len()];
        let first_of = |group: usize| {
            let mut readings = self.readings.iter();
            readings.position(|reading| reading.groups >> group & 1 == 1)
        };
        for first in (0..self.readings.len()).map(Some).chain([None]) {
            let value = |at: &usize| thrown[*at].1.total + thrown[*at].2;
            let mut counted: Vec<usize> = (0..thrown.len()).collect();
            counted.retain(|at| first_of(thrown[*at].0) == first);
            let Some(first) = first.map(|first| &self.readings[first]) else {
                for at in counted {
                    kept[at] = true;
                }
                continue;
            };
            counted.retain(|at| first.looks_at(thrown[*at].0, value(at)));
            match first.kind {
                ReadingKind::SumOfKept { count, highest } => {
                    counted.sort_by_key(|at| if highest { -value(at) } else { value(at) });
                    counted.truncate(count.into());
                }
                ReadingKind::LargestSet => {
                    counted.sort_by_key(|at| -value(at));
                    let sets = counted.chunk_by(|a, b| value(a) == value(b));
                    let largest = sets.rev().max_by_key(|set| set.len());
                    counted = largest.unwrap_or_default().to_vec();
                }
                ReadingKind::Symbol(symbol) => {
                    let die = |at: &usize| self.groups[thrown[*at].0].die;
                    counted.retain(|at| symbols(die(at), symbol, value(at)) != 0);
                }
                ReadingKind::Sum | ReadingKind::Count => {}
            }
            for at in counted {
                kept[at] = true;
            }
        }
        let digits = thrown.iter().zip(kept).flat_map(|((group, ..), kept)| {
            let count = if self.groups[*group].is_percentile {
                2
            } else {
                1
            };
            vec![kept; count]
        });
        digits.collect()
    }

    /// Every way in which one die can fall, its explosions followed to their end: out of its sides to the power of all
    /// its rolls.
    fn ways_of(&self, at: usize, chain: PendingDie, steps: &mut usize) -> Option<Ways<PoolState>> {
        let group = &self.groups[at];
        let values = group.values();
        let sides = Natural::from(values.len());
        let mut ended = Ways::default();
        let mut open: Ways<(i32, PoolState)> = Ways::default();
        open.insert((chain.total, self.empty_state()), Natural::ONE);
        let rolls = group.explodes.map_or(0, |_| chain.explosions_left);
        for left in (0..=rolls).rev() {
            // A die that ended is counted as if it were rolled on.
            let rest = sides.pow(left.into());
            let longest = open.keys().map(|(_, state)| state.len()).max();
            self.count(steps, open.len() * values.len(), longest)?;
            for ((sum, state), ways) in std::mem::take(&mut open) {
                for &face in &values {
                    let goes_on = group.explodes(face, left);
                    let value = sum + face;
                    let state = if goes_on && group.is_sum() {
                        state.clone()
                    } else {
                        self.merge(&state, &self.one(at, value))
                    };
                    if goes_on {
                        let sum = if group.is_sum() { value } else { 0 };
                        *open.entry((sum, state)).or_insert(Natural::ZERO) += &ways;
                    } else {
                        let sum = ended.entry(state).or_insert(Natural::ZERO);
                        sum.add_product(&ways, &rest);
                    }
                }
            }
        }
        Some(ended)
    }

    /// Every way in which so many dice of a group can fall of which the plain sum alone is read: these are running sums.
    fn sums(&self, at: usize, count: usize) -> Option<Ways<PoolState>> {
        let group = &self.groups[at];
        let values = group.values();
        let read = (1..).zip(&self.readings);
        let mut read = read.filter(|(_, reading)| reading.groups >> at & 1 == 1);
        let (Some((place, reading)), None) = (read.next(), read.next()) else {
            return None;
        };
        let is_whole = values.iter().all(|value| reading.looks_at(at, *value));
        let is_even = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let is_plain = reading.kind == ReadingKind::Sum && group.explodes.is_none();
        if !(is_whole && is_even && is_plain && group.rerolls.is_empty()) {
            return None;
        }
        let least = values.first()? * i32::try_from(count).ok()?;
        let sums = Series::equal_dice(count, values.len()).0;
        let sums = (least..).zip(sums).map(|(sum, ways)| {
            let mut state = self.empty_state();
            state[place] = sum;
            (state, ways)
        });
        Some(sums.collect())
    }

    /// Every way in which all dice can fall, and how many there are; adds the steps that it took. None if too many of
    /// them differ, or it takes too long.
    pub(super) fn ways(&self, steps: &mut usize) -> Option<(Vec<(PoolState, Natural)>, Natural)> {
        let mut all: Ways<PoolState> = Ways::default();
        all.insert(self.empty_state(), Natural::ONE);
        let mut total = Natural::ONE;
        for (at, group) in self.groups.iter().enumerate() {
            let mut chains = group.pending.clone();
            chains.sort_unstable();
            for equal in chains.chunk_by(|a, b| a == b) {
                let (one, times) = match self.sums(at, equal.len()) {
                    Some(sums) => (sums, 1),
                    None => (self.ways_of(at, equal[0], steps)?, equal.len()),
                };
                let of_one: Natural = one.values().sum();
                for _ in 0..times {
                    total = &total * &of_one;
                    let mut more: Ways<PoolState> = Ways::default();
                    let longest = all.keys().map(|state| state.len()).max();
                    self.count(steps, all.len() * one.len(), longest)?;
                    for (state, ways) in &all {
                        for (die, falls) in &one {
                            let both = self.merge(state, die);
                            let sum = more.entry(both).or_insert(Natural::ZERO);
                            sum.add_product(ways, falls);
                        }
                        if more.len() > MOST_WAYS {
                            return None;
                        }
                    }
                    all = more;
                }
            }
        }
        let finished = all.into_iter().map(|(state, ways)| {
            let finished = self.is_final.then(|| self.results(&state));
            (finished.unwrap_or(state), ways)
        });
        Some((super::distribution::merged(finished.collect()), total))
    }
}

fn length(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

/// How often the side at that place, from 1, shows the symbol.
fn symbols(die: Die, symbol: &str, place: i32) -> i32 {
    let Die::Custom(own) = die else { return 0 };
    let shown = own.symbols.iter().find(|(name, _)| *name == symbol);
    let shown = shown.and_then(|(_, each)| each.get(usize::try_from(place - 1).ok()?));
    shown.copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::{DieRole, Pool};

    /// What is read of these dice, one by one.
    fn read_plainly(query: &PoolQuery, dice: &[(usize, i32)]) -> Vec<i32> {
        let read = query.readings.iter().map(|reading| {
            let mine = dice.iter().filter(|(group, value)| {
                reading.groups >> group & 1 == 1
                    && (reading.lowest..=reading.highest).contains(value)
            });
            let mut values: Vec<i32> = mine.map(|(_, value)| *value).collect();
            values.sort_unstable();
            match reading.kind {
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
            }
        });
        read.collect()
    }

    /// Rolls the dice from that place on in every way, follows each explosion, and counts what is read at the end.
    fn roll_all(
        query: &PoolQuery,
        open: &mut Vec<(usize, PendingDie)>,
        state: &mut Vec<(usize, i32)>,
        ways: &Natural,
        ends: &mut BTreeMap<Vec<i32>, Natural>,
    ) {
        let Some((at, chain)) = open.pop() else {
            let sum = ends.entry(read_plainly(query, state)).or_default();
            *sum += ways;
            return;
        };
        let group = &query.groups[at];
        // Every die counts for all the rolls that it might have had.
        let sides = Natural::from(group.values().len());
        for face in group.values() {
            let goes_on = group.explodes(face, chain.explosions_left);
            let rolls = if group.explodes.is_some() {
                chain.explosions_left
            } else {
                0
            };
            let ways = if goes_on {
                ways.clone()
            } else {
                ways * &sides.pow(rolls.into())
            };
            let (before, lay) = (open.len(), state.len());
            if goes_on {
                let sum = if group.is_sum() {
                    chain.total + face
                } else {
                    0
                };
                let left = chain.explosions_left - 1;
                open.push((
                    at,
                    PendingDie {
                        total: sum,
                        explosions_left: left,
                    },
                ));
            }
            if !goes_on || !group.is_sum() {
                state.push((at, chain.total + face));
            }
            let rest = open[..before].to_vec();
            roll_all(query, open, state, &ways, ends);
            *open = rest;
            state.truncate(lay);
        }
        open.push((at, chain));
    }

    fn folds() -> impl Strategy<Value = PoolQuery> {
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
        let group =
            (die, 0_usize..3, explodes, 0_u8..3).prop_map(|(die, count, explodes, left)| {
                DiceGroup {
                    die,
                    is_percentile: false,
                    pending: vec![
                        PendingDie {
                            total: 0,
                            explosions_left: if explodes.is_some() { left } else { 0 }
                        };
                        count
                    ],
                    explodes,
                    rerolls: Vec::new(),
                }
            });
        let kind = prop_oneof![
            Just(ReadingKind::Sum),
            Just(ReadingKind::Count),
            Just(ReadingKind::LargestSet),
            (1_u16..4, any::<bool>())
                .prop_map(|(count, highest)| ReadingKind::SumOfKept { count, highest }),
        ];
        let reading =
            (kind, 1_u32..4, -1_i32..3, 3_i32..12).prop_map(|(kind, groups, lowest, highest)| {
                Reading {
                    kind,
                    groups,
                    lowest,
                    highest,
                }
            });
        let few = prop::collection::vec(group, 2).prop_filter("few enough to roll", |groups| {
            let dice = groups.iter().flat_map(|group| {
                let rolls = |chain: &PendingDie| {
                    group
                        .values()
                        .len()
                        .pow(1 + u32::from(chain.explosions_left))
                };
                group.pending.iter().map(rolls)
            });
            dice.product::<usize>() < 20_000
        });
        (few, prop::collection::vec(reading, 1..4)).prop_map(|(groups, readings)| PoolQuery {
            groups,
            readings,
            is_whole: true,
            is_final: true,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn readings_are_those_of_every_roll(query in folds()) {
            let mut open: Vec<(usize, PendingDie)> = Vec::new();
            for (at, group) in query.groups.iter().enumerate() {
                open.extend(group.pending.iter().map(|chain| (at, *chain)));
            }
            let mut ends = BTreeMap::new();
            roll_all(&query, &mut open, &mut Vec::new(), &Natural::ONE, &mut ends);
            let (ways, total) = query.ways(&mut 0).unwrap();
            let ways = ways.into_iter().map(|(readings, ways)| (readings.into_vec(), ways));
            prop_assert_eq!(&ends.values().sum::<Natural>(), &total);
            prop_assert_eq!(ways.collect::<BTreeMap<_, _>>(), ends);
        }
    }

    #[test]
    fn dice_within_bounds_are_taken_up_and_the_others_stay() {
        let group = DiceGroup {
            die: Die::D6,
            is_percentile: false,
            pending: vec![
                PendingDie {
                    total: 0,
                    explosions_left: 0
                };
                4
            ],
            explodes: None,
            rerolls: vec![RerollRange {
                tag: (0, 0),
                lowest: 2,
                highest: 5,
            }],
        };
        let count = |value| Reading {
            kind: ReadingKind::Count,
            groups: 1,
            lowest: value,
            highest: value,
        };
        let query = PoolQuery {
            groups: vec![group],
            readings: vec![count(1), count(6), count(3)],
            is_whole: false,
            is_final: false,
        };
        let state = query.read(&[1, 3, 6, 3]).state;
        assert_eq!(*query.results(&state), [1, 1, 2]);
        let (taken, left) = query.remove_in_range(&state, 0, 0);
        assert_eq!((taken, query.results(&left)), (2, [1, 1, 0].into()));
        let again = query.with_pending(vec![vec![PendingDie::new(0); taken]]);
        let more = again.read(&[6, 4]).state;
        assert_eq!(*query.results(&query.merge(&left, &more)), [1, 2, 0]);
    }

    #[test]
    fn the_digits_of_a_hundred_are_one_number() {
        let group = DiceGroup {
            die: Die::Digit,
            is_percentile: true,
            pending: vec![
                PendingDie {
                    total: 0,
                    explosions_left: 0
                };
                2
            ],
            explodes: None,
            rerolls: Vec::new(),
        };
        let lowest = Reading {
            kind: ReadingKind::SumOfKept {
                count: 1,
                highest: false,
            },
            groups: 1,
            lowest: i32::MIN,
            highest: i32::MAX,
        };
        let query = PoolQuery {
            groups: vec![group],
            readings: vec![lowest],
            is_whole: false,
            is_final: false,
        };
        let pool = Pool::from_query(query.clone(), &[DieRole::POOL]);
        assert_eq!(pool.len(), 4);
        assert_eq!(pool.kept(&[0, 0, 4, 2]), [false, false, true, true]);
        assert_eq!(*query.results(&query.read(&[0, 0, 4, 2]).state), [42]);
    }
}
