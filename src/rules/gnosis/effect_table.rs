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

/// One row of the table: from critical success to critical failure, in the order of the outcomes.
pub(super) type Row = [Cell; 5];

/// The scales, from the Hero's best to the worst.
pub(super) const SCALES: &[&str] = &[
    "unheroic",
    "punching-down",
    "similar-power",
    "punching-up",
    "severe-underdog",
    "impossible",
];

const fn levels(levels: i32) -> Cell {
    Cell {
        levels,
        at_a_cost: false,
        consequences: 0,
    }
}

const AT_A_COST: Cell = Cell {
    levels: 1,
    at_a_cost: true,
    consequences: 0,
};

const fn consequences(consequences: i32) -> Cell {
    Cell {
        levels: 0,
        at_a_cost: false,
        consequences,
    }
}

/// The table's row for that scale.
pub(super) fn row(scale: &str) -> Row {
    match scale {
        "unheroic" => [levels(3), levels(3), levels(2), levels(1), AT_A_COST],
        "punching-down" => [levels(3), levels(2), levels(1), AT_A_COST, consequences(1)],
        "punching-up" => [
            levels(1),
            AT_A_COST,
            consequences(1),
            consequences(2),
            consequences(3),
        ],
        "severe-underdog" => [
            AT_A_COST,
            consequences(1),
            consequences(2),
            consequences(3),
            consequences(3),
        ],
        "impossible" => [
            consequences(1),
            consequences(2),
            consequences(3),
            consequences(3),
            consequences(3),
        ],
        // Similar Power.
        _ => [
            levels(2),
            levels(1),
            AT_A_COST,
            consequences(1),
            consequences(2),
        ],
    }
}

/// The cell of that row for an outcome.
pub(super) fn cell(row: &Row, outcome: OutcomeId) -> Cell {
    row[usize::from(outcome.0).min(row.len() - 1)]
}
