//! Readings: the numbers that a query computes from rolled dice.

use crate::Die;

/// The kinds of readings.
///
/// A new kind also needs a case in `PoolReading::keeps_list`, `PoolReading::summarize`, `PoolQuery::state_of_die`,
/// `PoolQuery::drops_dice` and `PoolQuery::kept`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReadingKind {
    /// The sum of the values.
    Sum,
    /// The sum of the highest or lowest values.
    SumOfKept {
        /// The number of dice that count.
        count: u16,
        /// True for the highest dice, false for the lowest.
        highest: bool,
    },
    /// The number of dice.
    Count,
    /// The size of the largest set of equal values.
    LargestSet,
    /// The number of times that the dice show this symbol. The value of such a die is the index of its side, from 1.
    Symbol(&'static str),
}

/// One reading of the dice in some groups with values within bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolReading {
    /// The number to compute.
    pub kind: ReadingKind,
    /// The groups that are read, one bit for each: bit 0 stands for the first group.
    pub groups: u32,
    /// The lowest value that counts.
    pub lowest: i32,
    /// The highest value that counts.
    pub highest: i32,
}

impl PoolReading {
    pub(super) const fn includes_group(&self, group: usize) -> bool {
        self.groups >> group & 1 == 1
    }

    /// True if a die of `group` that has `value` counts for this reading.
    pub(super) fn counts(&self, group: usize, value: i32) -> bool {
        self.includes_group(group) && (self.lowest..=self.highest).contains(&value)
    }

    /// True if a state needs a list of values for the reading. For other readings it needs only one number, because the
    /// numbers of two states can be added.
    pub(super) const fn keeps_list(&self) -> bool {
        matches!(
            self.kind,
            ReadingKind::SumOfKept { .. } | ReadingKind::LargestSet
        )
    }

    /// Sorts the values of a list so that the kept ones come first, and returns how many are kept.
    pub(super) fn arrange(&self, values: &mut [i32]) -> usize {
        values.sort_unstable_by(|a, b| b.cmp(a));

        match self.kind {
            ReadingKind::SumOfKept { count, highest } => {
                if !highest {
                    values.reverse();
                }
                values.len().min(count.into())
            }
            _ => values.len(),
        }
    }

    /// Returns the result of a list that was [arranged](PoolReading::arrange).
    pub(super) fn summarize(&self, values: &[i32]) -> i32 {
        match self.kind {
            ReadingKind::LargestSet => {
                let largest = values
                    .chunk_by(|a, b| a == b)
                    .map(<[i32]>::len)
                    .max()
                    .unwrap_or(0);
                i32::try_from(largest).unwrap_or(i32::MAX)
            }
            _ => values.iter().sum(),
        }
    }
}

/// Returns how often a side of the die shows the symbol. The value is the index of the side, from 1.
pub(super) fn count_symbol(die: Die, symbol: &str, value: i32) -> i32 {
    let Die::Custom(custom) = die else {
        return 0;
    };
    let Ok(side) = usize::try_from(value - 1) else {
        return 0;
    };

    for (name, counts) in custom.symbols {
        if *name == symbol {
            return counts.get(side).copied().unwrap_or(0);
        }
    }
    0
}
