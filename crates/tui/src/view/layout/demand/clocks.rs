//! The number of rows that the clocks of the table ask for.

use ratatui::layout::Size;

use crate::view::layout::contents::Lines;
use crate::view::layout::demand::{
    Candidate, Demand, Level, Quality, Step, count_entries, part_candidates,
};
use crate::view::layout::faces::min_cells;
use crate::widget::clock::{LARGEST, SMALLEST};

/// The least columns of a clock as the beginning of its name and a count.
const COMPACT_WIDTH: u16 = 17;
/// The least number of rows of a face with which a panel of clocks counts as full.
const FULL_FACE: u16 = 9;

/// The columns of a line besides the name: the gutter, the face, the count, and the spaces between them.
const BESIDE_NAME: u16 = 10;

/// The data on which the demand of the clocks depends, besides their lines.
#[derive(Clone, Copy)]
pub(in crate::view::layout) struct ClockContents {
    /// The columns of the longest name.
    pub(in crate::view::layout) longest_name: u16,
    /// True if the clocks have a column of their own, in which faces are a part of what the panel is for. Between other
    /// panels they are an addition.
    pub(in crate::view::layout) has_column: bool,
}

/// Returns the columns of a clock's name in a line of this width.
pub(crate) fn clock_name_width(line_width: u16) -> u16 {
    line_width.saturating_sub(BESIDE_NAME)
}

/// Returns the demand of the clocks: lines, or faces of each size.
pub(in crate::view::layout) fn clocks_demand(
    lines: Lines<'_>,
    width: u16,
    contents: ClockContents,
) -> Demand {
    let most_columns = (width / COMPACT_WIDTH).max(1);
    let mut candidates = part_candidates(lines, most_columns, width);

    for columns in 1..=most_columns {
        let cell = Size::new(width / columns, 1);
        let has_whole_names = clock_name_width(cell.width) >= contents.longest_name;
        let level = if has_whole_names && !contents.has_column {
            Level::Useful
        } else if has_whole_names || columns == 1 {
            Level::Min
        } else {
            Level::InSight
        };
        candidates.push(Candidate {
            step: Step::of_lines(lines, columns, cell),
            level,
            // Long names have more room in fewer columns.
            quality: Quality {
                preference: most_columns - columns,
                ..Quality::default()
            },
        });
    }

    let count = count_entries(lines);
    for face_rows in (SMALLEST..=LARGEST).step_by(2) {
        candidates.extend(face_candidates(face_rows, count, width));
    }
    Demand::from_candidates(candidates)
}

/// Returns the ways to show clocks as faces with this number of rows.
fn face_candidates(face_rows: u16, count: u16, width: u16) -> Vec<Candidate> {
    let level = if face_rows >= FULL_FACE {
        Level::Full
    } else {
        Level::Useful
    };

    let mut candidates = Vec::new();
    for (place, min_cell) in (0..).zip(min_cells(face_rows)) {
        let most_columns = width / min_cell.width;
        if most_columns == 0 {
            continue;
        }

        // As few columns as these rows allow, so that the text has room.
        let cell_rows = count.div_ceil(most_columns).max(1);
        let columns = count.div_ceil(cell_rows).max(1);
        let cell = Size::new(width / columns, min_cell.height);
        // The last row of faces needs no blank row below it.
        let rows = (cell_rows * min_cell.height).saturating_sub(1);

        candidates.push(Candidate {
            step: Step::of_cells(rows, cell),
            level,
            quality: Quality {
                rows: face_rows,
                // The first of the smallest cells has the best place for the text.
                preference: 3 - place,
                ..Quality::default()
            },
        });
    }
    candidates
}
