//! What an outcome achieves and costs, by the difference in scale (Gnosis, Challenge: the effect table).

use crate::OutcomeId;

/// What an outcome achieves and costs at one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, derive_more::From)]
pub(super) struct Cell {
    /// Effect levels.
    pub(super) levels: i32,
    /// It succeeds, but something bad happens in the narration.
    pub(super) at_a_cost: bool,
    /// Consequences to be taken.
    pub(super) consequences: i32,
}

/// The cells of the table from the best to the worst: levels, whether at a cost, consequences. Each scale's row, from
/// critical success to critical failure, is five of them and begins one further on than the row above it.
const CELLS: [(i32, bool, i32); 10] = [
    (3, false, 0),
    (3, false, 0),
    (2, false, 0),
    (1, false, 0),
    (1, true, 0),
    (0, false, 1),
    (0, false, 2),
    (0, false, 3),
    (0, false, 3),
    (0, false, 3),
];

/// The cell of an outcome in that row of the table: the place of the scale, from the Hero's best to the worst.
pub(super) fn cell(row: usize, outcome: OutcomeId) -> Cell {
    CELLS[row + usize::from(outcome.0)].into()
}
