//! The values of a card in a row of the list of combatants.

use super::face::FaceLayout;
use super::value::ValueSlot;
use tableside_rules::{CardEntry, SystemSpec};

/// A value in a row of the list of combatants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowValue {
    pub(crate) entry: CardEntry,
    /// The cells of its bar; 0 if it has none.
    pub(crate) bar: u16,
    pub(crate) width: u16,
    /// True for a value that the card of the system shows first.
    pub(crate) is_first: bool,
}

impl RowValue {
    pub(crate) fn slot(&self) -> ValueSlot {
        ValueSlot {
            entry: self.entry,
            bar_cells: self.bar,
            width: self.width,
        }
    }

    /// Returns the value with a sign for each token of a pool and for each segment of a clock.
    pub(crate) fn with_dots(self, spec: &SystemSpec) -> Self {
        let layout = FaceLayout::new(spec, u16::MAX, true);
        let bar = layout.bar_if(self.entry, true);
        Self {
            bar,
            width: layout.columns_of(self.entry, bar),
            ..self
        }
    }
}

/// Returns the values of the card for a row of the list of combatants, in the order of the system. Only stats with a maximum
/// have bars.
pub(crate) fn row_values(spec: &SystemSpec, has_bars: bool) -> Vec<RowValue> {
    let layout = FaceLayout::new(spec, u16::MAX, true);
    let mut values = Vec::new();
    for entry in layout.first_values() {
        let is_stat = matches!(entry, CardEntry::Stat(_));
        let bar = layout.bar_if(entry, has_bars && is_stat);
        values.push(RowValue {
            entry,
            bar,
            width: layout.columns_of(entry, bar),
            is_first: true,
        });
    }
    for entry in layout.then_values() {
        values.push(RowValue {
            entry,
            bar: 0,
            width: layout.columns_of(entry, 0),
            is_first: false,
        });
    }
    values
}
