//! The sizes of clock faces, and the places of the text beside or below them.

use ratatui::layout::{Rect, Size};

use crate::widget::clock::{LARGEST, SMALLEST};
use crate::widget::grid::GUTTER;
use crate::widget::{after, below, left, top};

/// The columns of the text beside the smallest face.
pub(super) const WIDE_WORDS: u16 = 15;
/// The columns of the text beside a larger face, which has more rows for it.
pub(super) const NARROW_WORDS: u16 = 12;
/// The least columns of the text below a face.
const MIN_WORDS_BELOW: u16 = 21;
/// The number of rows of the text below a face.
pub(super) const WORD_ROWS_BELOW: u16 = 3;

/// A grid of cells, each with a clock's face and its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceGrid {
    /// The number of cells in a row.
    columns: u16,
    pub(super) cell: Size,
}

impl FaceGrid {
    /// Returns the grid with the fewest columns in which `count` cells fit into the area.
    fn with_cells(min_cell: Size, area: Size, count: u16) -> Option<Self> {
        let max_columns = area.width / min_cell.width;
        let columns = (1..=max_columns).find(|columns| {
            let rows = count.div_ceil(*columns);
            rows.saturating_mul(min_cell.height) <= area.height
        })?;

        Some(Self {
            columns,
            cell: Size::new(area.width / columns, min_cell.height),
        })
    }

    /// Returns the place of the cell with this index.
    pub(super) fn place(self, area: Rect, index: u16) -> Rect {
        let Size { width, height } = self.cell;
        let column = after(area, index % self.columns * width);
        let cell = below(column, index / self.columns * height);
        top(left(cell, width), height)
    }

    /// Returns the number of rows that `count` cells take.
    pub(super) fn height(self, count: u16) -> u16 {
        count.div_ceil(self.columns) * self.cell.height
    }
}

/// Returns the grid with the largest faces, if `count` of them fit into the area.
pub(super) fn largest_grid(area: Size, count: u16) -> Option<FaceGrid> {
    for face_rows in (SMALLEST..=LARGEST).rev().step_by(2) {
        for min_cell in min_cells(face_rows) {
            if let Some(grid) = FaceGrid::with_cells(min_cell, area, count) {
                return Some(grid);
            }
        }
    }
    None
}

/// Returns the smallest cells for a face with this number of rows: with wide text beside it, with text below it, and
/// with narrow text beside it. Each cell ends with a blank row.
pub(super) fn min_cells(face_rows: u16) -> [Size; 3] {
    let face_columns = face_rows * 2;
    let narrow_words = if face_rows > SMALLEST {
        NARROW_WORDS
    } else {
        WIDE_WORDS
    };
    let beside = |words: u16| Size::new(GUTTER + face_columns + 1 + words, face_rows + 1);

    let width_below = face_columns.max(MIN_WORDS_BELOW);
    let below = Size::new(GUTTER + width_below + 1, face_rows + WORD_ROWS_BELOW + 1);

    [beside(WIDE_WORDS), below, beside(narrow_words)]
}

/// Returns the places of the face and of the text in a cell without its gutter.
pub(crate) fn face_and_words(cell: Rect) -> (Rect, Rect) {
    let rows_beside = |words: u16| {
        let columns = cell.width.saturating_sub(words + 1);
        largest_face_rows(cell.height.min(columns / 2))
    };
    let rows_above_words = cell.height.saturating_sub(WORD_ROWS_BELOW);
    let rows_above = largest_face_rows(rows_above_words.min(cell.width / 2));

    let face_rows = rows_above
        .max(rows_beside(WIDE_WORDS))
        .max(rows_beside(NARROW_WORDS));
    let face = top(left(cell, face_rows * 2), face_rows);

    // Text stands below the face if wide text beside it would make the face smaller.
    let is_below = rows_above == face_rows && rows_beside(WIDE_WORDS) < face_rows;
    let words = if is_below {
        top(below(cell, face_rows), WORD_ROWS_BELOW)
    } else {
        after(top(cell, face_rows), face.width + 1)
    };
    (face, left(words, words.width.saturating_sub(1)))
}

/// Returns the height of the largest face that fits into this number of rows. A face has an odd number of rows.
fn largest_face_rows(rows: u16) -> u16 {
    rows.clamp(1, LARGEST).saturating_sub(1) | 1
}
