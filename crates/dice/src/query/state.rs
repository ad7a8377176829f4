//! The state of the dice on the table, as a query stores it.

use super::reading::count_symbol;
use super::{DiceGroup, PoolQuery, ReadingKind};

/// The state of the dice on the table. It holds only the numbers that the readings and re-rolls of a [`PoolQuery`] need.
///
/// The state is divided into parts. Part 0 describes all dice that cannot be rolled again. Each group with re-rolls has
/// one part for each set of its re-roll ranges, which describes the dice whose values lie in exactly these ranges. A
/// part consists of the number of its dice (always 0 in part 0, where the number does not matter) and one entry for
/// each reading: a number, or a list of values if the reading needs the single values (the sum of kept dice, the
/// largest set).
///
/// To compute odds, thousands of states are hashed and merged, so all entries are stored in one slice. A list is stored
/// as its length and its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolState {
    cells: Box<[i32]>,
}

impl PoolState {
    /// The number of cells of the state. The work to merge two states grows with it.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }
}

/// Reads the cells of a state from first to last. Missing cells are 0.
struct Cells<'a> {
    rest: &'a [i32],
}

impl<'a> Cells<'a> {
    fn of(state: &'a PoolState) -> Self {
        Self { rest: &state.cells }
    }

    fn number(&mut self) -> i32 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    fn list(&mut self) -> &'a [i32] {
        let length = usize::try_from(self.number()).unwrap_or(0);
        let end = length.min(self.rest.len());
        let (list, rest) = self.rest.split_at(end);
        self.rest = rest;
        list
    }
}

fn push_list(cells: &mut Vec<i32>, values: &[i32]) {
    cells.push(to_cell(values.len()));
    cells.extend_from_slice(values);
}

fn to_cell(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

impl DiceGroup {
    /// The number of parts of a state that belong to this group: one for each set of re-roll ranges, or none.
    fn part_count(&self) -> usize {
        if self.rerolls.is_empty() {
            0
        } else {
            1 << self.rerolls.len()
        }
    }
}

impl PoolQuery {
    /// The number of parts of a state.
    pub(super) fn part_count(&self) -> usize {
        self.first_part_index(self.groups.len())
    }

    /// The index of the first part that belongs to a group, which is at least 1. For a group without re-rolls, it is
    /// the first part of the next group.
    fn first_part_index(&self, group: usize) -> usize {
        let mut first = 1;
        for earlier in &self.groups[..group] {
            first += earlier.part_count();
        }
        first
    }

    /// The number of cells of a state without lists.
    fn cell_count(&self) -> usize {
        let cells_per_part = 1 + self.readings.len();
        self.part_count() * cells_per_part
    }

    /// The index of the part to which a die of a group belongs.
    fn part_of(&self, group: usize, value: i32) -> usize {
        if self.groups[group].rerolls.is_empty() {
            return 0;
        }
        self.first_part_index(group) + self.groups[group].reroll_set(value)
    }

    /// Returns the state of an empty table.
    pub fn empty_state(&self) -> PoolState {
        PoolState {
            cells: vec![0; self.cell_count()].into(),
        }
    }

    /// Returns the state of a table with a single die, which belongs to that group.
    pub(super) fn state_of_die(&self, group: usize, value: i32) -> PoolState {
        let part_of_die = self.part_of(group, value);
        let mut cells = Vec::with_capacity(2 + self.cell_count());

        for part in 0..self.part_count() {
            let is_part_of_die = part == part_of_die;
            cells.push(i32::from(is_part_of_die && part > 0));

            for reading in &self.readings {
                if !is_part_of_die || !reading.counts(group, value) {
                    cells.push(0);
                    continue;
                }
                match reading.kind {
                    ReadingKind::Sum => cells.push(value),
                    ReadingKind::Count => cells.push(1),
                    ReadingKind::Symbol(symbol) => {
                        let die = self.groups[group].die;
                        cells.push(count_symbol(die, symbol, value));
                    }
                    ReadingKind::SumOfKept { .. } | ReadingKind::LargestSet => {
                        push_list(&mut cells, &[value]);
                    }
                }
            }
        }
        PoolState {
            cells: cells.into(),
        }
    }

    /// Returns a state without dice in which the reading at that index has that result. The reading must not keep a list.
    pub(super) fn state_of_number(&self, reading: usize, result: i32) -> PoolState {
        let mut state = self.empty_state();
        state.cells[1 + reading] = result;
        state
    }

    /// Returns the state with the dice of both states.
    pub fn merge(&self, left: &PoolState, right: &PoolState) -> PoolState {
        let mut left_cells = Cells::of(left);
        let mut right_cells = Cells::of(right);
        let mut cells = Vec::with_capacity(left.len() + right.len());

        for _ in 0..self.part_count() {
            cells.push(left_cells.number() + right_cells.number());

            for reading in &self.readings {
                if !reading.keeps_list() {
                    cells.push(left_cells.number() + right_cells.number());
                    continue;
                }

                let length_cell = cells.len();
                cells.push(0);
                cells.extend_from_slice(left_cells.list());
                cells.extend_from_slice(right_cells.list());

                let first_value = length_cell + 1;
                let kept = reading.arrange(&mut cells[first_value..]);
                cells.truncate(first_value + kept);
                cells[length_cell] = to_cell(kept);
            }
        }
        PoolState {
            cells: cells.into(),
        }
    }

    /// Returns the result of each reading, over all parts of the state.
    pub fn results(&self, state: &PoolState) -> Box<[i32]> {
        let mut results: Box<[i32]> = vec![0; self.readings.len()].into();
        let mut lists = vec![Vec::new(); self.readings.len()];
        let mut cells = Cells::of(state);

        for _ in 0..self.part_count() {
            cells.number();
            for (index, reading) in self.readings.iter().enumerate() {
                if reading.keeps_list() {
                    lists[index].extend_from_slice(cells.list());
                } else {
                    results[index] += cells.number();
                }
            }
        }

        for (index, reading) in self.readings.iter().enumerate() {
            if reading.keeps_list() {
                let kept = reading.arrange(&mut lists[index]);
                results[index] = reading.summarize(&lists[index][..kept]);
            }
        }
        results
    }

    /// Removes the dice of a group whose values lie in one of its re-roll ranges. `range` is the index of the range.
    ///
    /// Returns the number of removed dice and the state without them.
    pub fn remove_in_range(
        &self,
        state: &PoolState,
        group: usize,
        range: usize,
    ) -> (usize, PoolState) {
        let first_part_index = self.first_part_index(group);
        let parts_of_group = first_part_index..self.first_part_index(group + 1);
        let mut removed = 0;
        let mut remaining = Vec::with_capacity(state.len());
        let mut cells = Cells::of(state);

        for part in 0..self.part_count() {
            let is_removed = parts_of_group.contains(&part) && {
                let reroll_set = part - first_part_index;
                reroll_set >> range & 1 == 1
            };

            let dice = cells.number();
            if is_removed {
                removed += usize::try_from(dice).unwrap_or(0);
            }
            remaining.push(if is_removed { 0 } else { dice });

            for reading in &self.readings {
                if reading.keeps_list() {
                    let list = cells.list();
                    push_list(&mut remaining, if is_removed { &[] } else { list });
                } else {
                    let number = cells.number();
                    remaining.push(if is_removed { 0 } else { number });
                }
            }
        }
        let state = PoolState {
            cells: remaining.into(),
        };
        (removed, state)
    }

    /// Returns the query and the state without re-rolls: all dice stay on the table from now on.
    pub fn without_rerolls(mut self, state: &PoolState) -> (Self, PoolState) {
        let mut parts = Vec::new();
        let mut cells = Cells::of(state);

        for _ in 0..self.part_count() {
            // The number of dice does not matter once they stay.
            cells.number();
            let mut part = vec![0];
            for reading in &self.readings {
                if reading.keeps_list() {
                    push_list(&mut part, cells.list());
                } else {
                    part.push(cells.number());
                }
            }
            parts.push(PoolState { cells: part.into() });
        }

        for group in &mut self.groups {
            group.rerolls.clear();
        }

        let mut merged = self.empty_state();
        for part in &parts {
            merged = self.merge(&merged, part);
        }
        self.merge_groups();
        (self, merged)
    }
}
