//! How far a running check of a file has come: the step, the dice, the values read.

use std::sync::Arc;

use crate::system_file::program::expression::Known;
use tableside_dice::{DieRole, PendingDie, PoolQuery, PoolState};

/// How far a check has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stage {
    /// The step.
    pub(crate) step: usize,
    /// Whether the step's condition held: it waits for dice or an answer.
    pub(crate) is_in: bool,
    /// How often the step's question was answered.
    pub(crate) times: u8,
    /// What the readings and `let`s come to, in the order of their places; what is missing is 0.
    pub(crate) names: Vec<(usize, Known)>,
    /// The dice that lie there and may still be rolled again.
    pub(crate) rolled: Vec<Rolled>,
    /// The dice that are being rolled.
    pub(crate) rolling: Option<Arc<Rolling>>,
}

impl Stage {
    /// Where the value of a reading or `let` is, or where it belongs.
    pub(crate) fn find(&self, place: usize) -> Result<usize, usize> {
        self.names.binary_search_by_key(&place, |(at, _)| *at)
    }

    /// Sets the value of a reading or `let`.
    pub(crate) fn set(&mut self, place: usize, value: Known) {
        match self.find(place) {
            Ok(at) => self.names[at].1 = value,
            Err(at) => self.names.insert(at, (place, value)),
        }
    }
}

/// Dice that lie on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rolled {
    pub(crate) step: usize,
    pub(crate) fold: Arc<PoolQuery>,
    pub(crate) lying: PoolState,
}

/// Dice that are being rolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rolling {
    /// The step that describes them.
    pub(crate) step: usize,
    /// All that are to be rolled.
    pub(crate) fold: Arc<PoolQuery>,
    pub(crate) lying: PoolState,
    /// The place of the side that rolls now, among those that roll in this step.
    pub(crate) side: usize,
    /// The dice that this side rolls for faces that exploded; none before its first roll.
    pub(crate) open: Option<Vec<Vec<PendingDie>>>,
    /// Where they are rolled again, within which values each heap is.
    pub(crate) again: Vec<(DieRole, (i32, i32))>,
}
