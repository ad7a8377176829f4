//! The columns in which the rows of a card begin their values.

use crate::view::card::places::ValuePlace;

/// The columns at which values of `then` begin: the columns of the first row of values, and further columns between and
/// after them. So the rows of a card line up.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    columns: Vec<u16>,
}

impl Stops {
    /// Computes the stops of a card of this width. `first` are the places of the values above, and `step` is the width
    /// of the widest value with its gap.
    pub(super) fn new(first: &[ValuePlace], step: u16, width: u16) -> Self {
        let step = step.max(1);
        let mut starts: Vec<u16> = first
            .iter()
            .filter(|place| place.area.y == 1)
            .map(|place| place.area.x)
            .collect();
        if starts.is_empty() {
            starts.push(0);
        }

        let mut columns = Vec::new();
        for (index, start) in starts.iter().copied().enumerate() {
            let Some(end) = starts.get(index + 1) else {
                columns.extend((start..width).step_by(step.into()));
                break;
            };
            let room = end - start;
            let parts = (room / step).max(1);
            columns.extend((0..parts).map(|part| start + room * part / parts));
        }
        Self { columns }
    }

    /// Returns the first stop at or after this column.
    pub(super) fn at_or_after(&self, x: u16) -> Option<u16> {
        self.columns.iter().copied().find(|stop| *stop >= x)
    }
}
