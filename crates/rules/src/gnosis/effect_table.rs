//! The effect table (Gnosis, Challenge): the effect levels and consequences of an outcome at each scale.

use crate::OutcomeId;

/// A cell of the effect table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EffectCell {
    /// The effect levels that the outcome achieves.
    pub(super) levels: i32,
    /// True if the roll succeeds, but something bad happens in the narration.
    pub(super) at_a_cost: bool,
    /// The consequences that the Hero takes.
    pub(super) consequences: i32,
}

/// The cells of the table, from the best to the worst.
///
/// The row of a scale consists of five consecutive cells, from critical success to critical failure. The row of the
/// Hero's best scale begins with the first cell, and each worse row begins one cell later.
const CELLS: [EffectCell; 10] = [
    success(3),
    success(3),
    success(2),
    success(1),
    EffectCell {
        levels: 1,
        at_a_cost: true,
        consequences: 0,
    },
    failure(1),
    failure(2),
    failure(3),
    failure(3),
    failure(3),
];

const fn success(levels: i32) -> EffectCell {
    EffectCell {
        levels,
        at_a_cost: false,
        consequences: 0,
    }
}

const fn failure(consequences: i32) -> EffectCell {
    EffectCell {
        levels: 0,
        at_a_cost: false,
        consequences,
    }
}

/// Returns the cell of an outcome. `row` is the row of the scale, from 0 for the Hero's best scale.
pub(super) fn effect_cell(row: usize, outcome: OutcomeId) -> EffectCell {
    CELLS[row + usize::from(outcome.0)]
}
