//! The values of a card in a row of the list of combatants.

use super::planner::CardPlanner;
use super::value::ValueSlot;
use tableside_rules::{CardEntry, SystemSpec};

/// A value in a row of the list of combatants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowValue {
    pub(crate) slot: ValueSlot,
    /// True for a value that the card of the system shows first.
    pub(crate) is_first: bool,
}

impl RowValue {
    /// Returns the value with a sign for each token of a pool and for each segment of a clock.
    pub(crate) fn with_dots(self, spec: &SystemSpec) -> Self {
        let planner = planner_of_rows(spec);
        let entry = self.slot.entry;
        let bar_cells = planner.bar_cells(entry);
        Self {
            slot: planner.slot(entry, bar_cells),
            ..self
        }
    }
}

/// Returns the values of the card for a row of the list of combatants, in the order of the system. Only stats with a
/// maximum have bars.
pub(crate) fn row_values(spec: &SystemSpec, has_bars: bool) -> Vec<RowValue> {
    let planner = planner_of_rows(spec);
    let mut values = Vec::new();
    for entry in planner.first_values() {
        let bar_cells = match entry {
            CardEntry::Stat(_) if has_bars => planner.bar_cells(entry),
            _ => 0,
        };
        values.push(RowValue {
            slot: planner.slot(entry, bar_cells),
            is_first: true,
        });
    }
    for entry in planner.then_values() {
        values.push(RowValue {
            slot: planner.slot(entry, 0),
            is_first: false,
        });
    }
    values
}

/// The widths of values do not depend on the width of the card.
fn planner_of_rows(spec: &SystemSpec) -> CardPlanner<'_> {
    CardPlanner::new(spec, u16::MAX, true)
}
