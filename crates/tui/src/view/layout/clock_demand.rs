//! The rows that the clocks of the table ask for.

use ratatui::layout::Size;

use crate::view::layout::demand::{
    Candidate, Demand, Level, Step, cells_step, entries, part_candidates,
};
use crate::view::layout::faces::min_cells;
use crate::view::layout::panels::Lines;
use crate::widget::clock::{LARGEST, SMALLEST};

/// The least columns of a clock in one row, with its bar.
const CLOCK_WIDTH: u16 = 36;
/// The least columns of a clock as the beginning of its name and a count.
const COMPACT_WIDTH: u16 = 17;
/// The quality of a panel that shows all clocks.
const ALL_CLOCKS: u16 = 1_000;
/// The rows of the faces from which a panel of clocks counts as full.
const FULL_FACE: u16 = 9;

/// Returns the demand of the clocks: lines, or faces of each size.
///
/// In a column of their own, faces are a part of what the panel is for. Between other panels they are an addition.
pub(super) fn clocks_demand(lines: Lines<'_>, width: u16, has_column: bool) -> Demand {
    let count = entries(lines);
    let max_columns = (width / CLOCK_WIDTH).max(1);
    let most_in_row = (width / COMPACT_WIDTH).max(max_columns);
    let mut candidates = part_candidates(lines, most_in_row, width);
    for columns in max_columns + 1..=most_in_row {
        candidates.push(Candidate {
            step: cells_step(lines, columns, Size::new(width / columns, 1)),
            level: Level::All,
            quality: most_in_row - columns,
        });
    }
    for columns in 1..=max_columns {
        candidates.push(Candidate {
            step: cells_step(lines, columns, Size::new(width / columns, 1)),
            level: if has_column {
                Level::Min
            } else {
                Level::Useful
            },
            // Long names have more room in fewer columns.
            quality: ALL_CLOCKS + max_columns - columns,
        });
    }

    for face_rows in (SMALLEST..=LARGEST).step_by(2) {
        let level = match face_rows {
            FULL_FACE.. => Level::Full,
            _ => Level::Useful,
        };
        for (place, min_cell) in (0..).zip(min_cells(face_rows)) {
            let max_columns = width / min_cell.width;
            if max_columns == 0 {
                continue;
            }
            // As few columns as these rows allow, so that the text has room.
            let cell_rows = count.div_ceil(max_columns).max(1);
            let columns = count.div_ceil(cell_rows).max(1);
            candidates.push(Candidate {
                step: Step {
                    // The last row of faces needs no blank row below it.
                    rows: (cell_rows * min_cell.height).saturating_sub(1),
                    cell: Size::new(width / columns, min_cell.height),
                    later_height: min_cell.height,
                    lead: 0,
                    large: 0,
                },
                level,
                quality: ALL_CLOCKS + face_rows * 4 + 3 - place,
            });
        }
    }
    Demand::from_candidates(candidates)
}
