//! The heights at which a card shows more or less, for the layout of the table.

use crate::view::card::planner::CardPlanner;
use tableside_rules::SystemSpec;

/// The maximum height of a card, before long lists add to it.
const MOST_ROWS: u16 = 9;
/// The number of rows of the lists on a card, such as skills, before longer lists get more.
pub(crate) const LIST_ROWS: u16 = 2;

/// The heights of a card of some width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardHeights {
    /// The least height that shows the values of `first`, without bars.
    pub(crate) minimum: u16,
    /// The height that shows the values of `first` with bars.
    pub(crate) useful: u16,
    /// The height that shows all values, with the conditions beside the name and one row of lists.
    pub(crate) compact: u16,
    /// The height that also gives the conditions a row of their own and the lists their usual rows.
    pub(crate) full: u16,
}

/// Returns the number of rows of the head of a sheet of this width: the name, the values of `first` and the state.
pub(crate) fn head_rows(spec: &SystemSpec, width: u16) -> u16 {
    CardPlanner::new(spec, width, false).head_rows()
}

/// Returns the heights of a card of this width.
pub(crate) fn card_heights(spec: &SystemSpec, width: u16) -> CardHeights {
    let planner = CardPlanner::new(spec, width, false);
    let first = planner.first_values();
    let text_rows = planner.text_rows();
    let rows_with_bars = planner.value_rows(&first, true);
    let rows_without_bars = planner.value_rows(&first, false);

    let fits_in_row = text_rows == 0 && planner.values_in_row(&first) == first.len();
    let minimum = if fits_in_row {
        1
    } else {
        1 + rows_without_bars + text_rows
    };
    let useful = (1 + rows_with_bars + text_rows).max(2);
    let compact = planner.compact_height(rows_with_bars).max(useful);
    let full = planner.full_height(rows_with_bars).max(useful);

    CardHeights {
        minimum: minimum.min(useful),
        useful: useful.min(MOST_ROWS),
        compact: compact.min(MOST_ROWS),
        full: full.min(MOST_ROWS),
    }
}
