//! The state of a running check.

use std::sync::Arc;

use tableside_dice::{PendingDie, PoolQuery, PoolState};

use super::shown_dice::RerolledGroup;
use crate::system_file::program::expression::ExpressionValue;

/// The state of a running check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct FileCheckState {
    /// The index of the current step.
    pub(super) step: usize,
    /// True if the condition of the step held, and the step waits for dice or an answer.
    pub(super) has_entered_step: bool,
    /// The number of times that the question of the step was answered.
    pub(super) times_answered: u8,
    /// The values of readings and `let`s with their indices in `Program::names`, in ascending order. A missing value is
    /// 0.
    pub(super) values: Vec<(usize, ExpressionValue)>,
    /// The dice on the table that may still be rolled again.
    pub(super) rolled: Vec<FinishedRoll>,
    /// The dice that are being rolled.
    pub(super) rolling: Option<Arc<RollInProgress>>,
}

impl FileCheckState {
    /// Returns the position in `values` of the value with this index. If the value is missing, the error is the position
    /// at which to insert it.
    pub(super) fn find(&self, place: usize) -> Result<usize, usize> {
        self.values
            .binary_search_by_key(&place, |(known, _)| *known)
    }

    /// Returns the value with this index if it is set.
    pub(super) fn value(&self, place: usize) -> Option<&ExpressionValue> {
        let index = self.find(place).ok()?;
        Some(&self.values[index].1)
    }

    /// Sets the value with this index.
    pub(super) fn set(&mut self, place: usize, value: ExpressionValue) {
        match self.find(place) {
            Ok(index) => self.values[index].1 = value,
            Err(index) => self.values.insert(index, (place, value)),
        }
    }
}

/// Dice on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FinishedRoll {
    /// The index of the step that rolled them.
    pub(super) step: usize,
    pub(super) query: Arc<PoolQuery>,
    pub(super) on_table: PoolState,
}

/// Dice that are being rolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RollInProgress {
    /// The index of the step that rolls them.
    pub(super) step: usize,
    /// All dice of the step.
    pub(super) query: Arc<PoolQuery>,
    pub(super) on_table: PoolState,
    /// The index of the side that rolls now, among the sides that roll in this step.
    pub(super) side: usize,
    /// For each group, the dice that this side must still roll because other dice exploded; `None` before the side's
    /// first roll.
    pub(super) open: Option<Vec<Vec<PendingDie>>>,
    /// The groups that are rolled again; empty in the first roll of the dice.
    pub(super) rerolled: Vec<RerolledGroup>,
}
