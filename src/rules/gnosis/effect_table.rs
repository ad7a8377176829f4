//! What an outcome achieves and costs, by the difference in scale (Gnosis, Challenge: the effect table).

use crate::rules::OutcomeId;

/// What an outcome achieves and costs at one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    /// Effect levels.
    pub(super) levels: i32,
    /// It succeeds, but something bad happens in the narration.
    pub(super) at_a_cost: bool,
    /// Consequences to be taken.
    pub(super) consequences: i32,
}

const fn cell_of(levels: i32, at_a_cost: bool, consequences: i32) -> Cell {
    Cell {
        levels,
        at_a_cost,
        consequences,
    }
}

/// The cells of the table from the best to the worst. Each scale's row, from critical success to critical
/// failure, is five of them and begins one further on than the row above it.
const CELLS: [Cell; 10] = [
    cell_of(3, false, 0),
    cell_of(3, false, 0),
    cell_of(2, false, 0),
    cell_of(1, false, 0),
    cell_of(1, true, 0),
    cell_of(0, false, 1),
    cell_of(0, false, 2),
    cell_of(0, false, 3),
    cell_of(0, false, 3),
    cell_of(0, false, 3),
];

/// The cell of an outcome in that row of the table: the place of the scale, from the Hero's best to the worst.
pub(super) fn cell(row: usize, outcome: OutcomeId) -> Cell {
    CELLS[row + usize::from(outcome.0)]
}
