//! The rows that cards need, for the layout of the table.

use crate::view::card::face::FaceLayout;
use tableside_rules::SystemSpec;

/// The most rows of a card.
const MOST_ROWS: u16 = 9;
/// The rows of a card that shows lists, such as skills, before longer lists get more.
pub(crate) const LIST_ROWS: u16 = 2;

/// The rows of a card at a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardHeights {
    /// The least rows that show the values of `first`, without bars.
    pub(crate) minimum: u16,
    /// The rows that show the values of `first` with bars.
    pub(crate) useful: u16,
    /// The rows that show all values, with the conditions beside the name and one row of lists.
    pub(crate) compact: u16,
    /// The rows that show all values.
    pub(crate) full: u16,
}

/// Returns the rows of the head of a sheet of this width: the name, the values of `first` and the state.
pub(crate) fn head_rows(spec: &SystemSpec, width: u16) -> u16 {
    FaceLayout::new(spec, width, false).head_rows()
}

/// Returns the rows of a card of this width.
pub(crate) fn card_heights(spec: &SystemSpec, width: u16) -> CardHeights {
    let layout = FaceLayout::new(spec, width, false);
    let first = layout.first_values();
    let rows_with_bars = layout.rows_of(&first, true);
    let rows_without_bars = layout.rows_of(&first, false);
    let text_rows = u16::from(layout.has_texts());

    let minimum = if layout.values_in_row(&first) == first.len() && text_rows == 0 {
        1
    } else {
        1 + rows_without_bars + text_rows
    };
    let useful = (1 + rows_with_bars + text_rows).max(2);
    let full = layout.full_height(rows_with_bars);
    CardHeights {
        minimum: minimum.min(useful),
        useful: useful.min(MOST_ROWS),
        compact: layout
            .compact_height(rows_with_bars)
            .max(useful)
            .min(MOST_ROWS),
        full: full.max(useful).min(MOST_ROWS),
    }
}
