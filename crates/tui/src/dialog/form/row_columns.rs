//! The columns of a form: the labels, the values, and the texts next to the values.

use crate::dialog::form::draw_row::{ARROWS, GAP};
use crate::dialog::form::{Form, Row};
use crate::widget::columns;

/// From this width on, labels may use half of the columns.
const ROOMY: u16 = 60;

/// The number of columns before the label, for the marker of the focus.
pub(super) const GUTTER: u16 = 2;

/// The number of columns before and after a value in a narrow form. The arrows around the value widen these gaps.
const NARROW_GAP: u16 = 1;

/// The minimum width of the values that are stepped, with their arrows, in columns. A narrow form has no minimum.
const MIN_STEPPED_COLUMNS: u16 = 6;

/// The widths of the columns of a form's rows.
#[derive(Clone, Copy)]
pub(super) struct RowColumns {
    /// The width of the labels. [`Self::label_of`] widens it for some rows.
    label: u16,
    /// The width of the widest value that is stepped. The texts next to the values begin after it.
    pub(super) stepped_value: u16,
    /// The number of columns before the value, and before the text next to it.
    pub(super) gap: u16,
}

impl RowColumns {
    /// Returns the width of the label of a row. A label that is too long for its column moves the value to the right if
    /// the line has room for both. The columns of a list stay aligned.
    pub(super) fn label_of(self, row: &Row, line_width: u16) -> u16 {
        let room = line_width.saturating_sub(GUTTER + self.gap + row.columns_with_arrows());
        let label = columns(&row.label);
        if label <= room && !row.is_item() {
            label.max(self.label)
        } else {
            self.label
        }
    }
}

impl Form {
    /// Divides a line of this width.
    pub(super) fn row_columns(&self, width: u16) -> RowColumns {
        let widest = |columns_of: fn(&Row) -> u16| {
            let widths = self.rows.iter().map(columns_of);
            widths.max().unwrap_or(0)
        };

        let is_roomy = width >= ROOMY;
        let gap = if is_roomy { GAP } else { NARROW_GAP };
        let max_label = if is_roomy { width / 2 } else { width * 2 / 5 };
        // Labels may also use the columns that no value needs. On a narrow form, a label also precedes the texts next
        // to the values.
        let needed = if is_roomy {
            widest(Row::needed_columns)
        } else {
            widest(Row::columns_with_arrows)
        };
        let unused = width.saturating_sub(GUTTER + gap + needed);
        let label = widest(|row| columns(&row.label)).min(max_label.max(unused));
        let value = width.saturating_sub(GUTTER + label + gap);

        let min_stepped = if is_roomy { MIN_STEPPED_COLUMNS } else { 0 };
        let widest_beside = widest(|row| columns(&row.beside));
        let beside_rest = value.saturating_sub(widest_beside + gap);
        let max_stepped = (value * 3 / 5).max(beside_rest).max(MIN_STEPPED_COLUMNS);
        let stepped_value = widest(Row::value_columns) + ARROWS;
        RowColumns {
            label,
            stepped_value: stepped_value.clamp(min_stepped, max_stepped).min(value),
            gap,
        }
    }
}
