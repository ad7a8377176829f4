//! The widths and places of the columns in a line.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::GUTTER;
use super::column::{CellKind, Column};
use crate::widget::{after, columns, left, line_columns, right};

/// The minimum width to which columns shrink.
const MIN_SHRUNK_WIDTH: u16 = 4;

/// The place of a column in a line, and the width that its cells need.
#[derive(Debug)]
pub(super) struct PlacedColumn {
    pub(super) index: usize,
    pub(super) column: Column,
    pub(super) x: u16,
    pub(super) width: u16,
    pub(super) wanted: u16,
    pub(super) is_empty: bool,
}

impl PlacedColumn {
    pub(super) fn new(index: usize, column: Column, widest: u16) -> Self {
        let min_width = column.min_width.max(columns(column.title));
        Self {
            index,
            column,
            x: 0,
            width: widest.min(column.at_first).max(min_width),
            wanted: widest.min(column.max_width).max(min_width),
            is_empty: widest == 0 && !column.is_constant,
        }
    }

    /// Returns the area of a cell that continues up to the end of another column.
    pub(super) fn cell_area(&self, cell: &Line<'_>, end: &Self, line: Rect) -> Rect {
        let width = end.x + end.width - self.x;
        let area = left(after(line, self.x), width);
        if self.column.kind == CellKind::Numbers {
            right(area, line_columns(cell))
        } else {
            area
        }
    }
}

/// Distributes the width of the screen to columns.
pub(super) struct Placement {
    pub(super) columns: Vec<PlacedColumn>,
    pub(super) room: u16,
    pub(super) gap: u16,
    /// True if a column with contents was dropped.
    pub(super) is_cut: bool,
}

impl Placement {
    pub(super) fn place_columns(&mut self) {
        self.drop_columns();
        self.shrink_columns();
        self.distribute_spare_room();

        let mut x = GUTTER;
        for place in &mut self.columns {
            place.x = x;
            x += place.width + self.gap;
        }
    }

    fn total_width(&self) -> u16 {
        let gap_count = self.columns.len().saturating_sub(1);
        let mut total = u16::try_from(gap_count).unwrap_or(0) * self.gap;
        for place in &self.columns {
            total = total.saturating_add(place.width);
        }
        total
    }

    /// Drops columns until the others fit: first the empty ones, then those with the highest priority number.
    fn drop_columns(&mut self) {
        while self.total_width() > self.room {
            let droppable = self
                .columns
                .iter()
                .enumerate()
                .filter(|(_, place)| place.column.priority > 0)
                .max_by_key(|(_, place)| (place.is_empty, place.column.priority));
            let Some((index, place)) = droppable else {
                return;
            };

            // A smaller gap may save a column of numbers.
            let has_numbers = !place.is_empty && place.column.kind == CellKind::Numbers;
            if has_numbers && self.gap > 1 {
                self.gap = 1;
                continue;
            }
            let dropped = self.columns.remove(index);
            self.is_cut |= !dropped.is_empty;
        }
    }

    /// Narrows the widest column until all columns fit.
    fn shrink_columns(&mut self) {
        while self.total_width() > self.room {
            match self.columns.iter_mut().max_by_key(|place| place.width) {
                Some(widest) if widest.width > MIN_SHRUNK_WIDTH => widest.width -= 1,
                _ => return,
            }
        }
    }

    /// Distributes the spare room to the columns that need it, from left to right, and the rest to the growing column.
    fn distribute_spare_room(&mut self) {
        let mut spare = self.room.saturating_sub(self.total_width());
        for place in &mut self.columns {
            let missing = place.wanted.saturating_sub(place.width);
            let added = missing.min(spare);
            place.width += added;
            spare -= added;
        }

        if let Some(place) = self.columns.iter_mut().find(|place| place.column.grows) {
            place.width += spare;
        }
    }
}
