//! Places side by side, in as many rows as they need.

use ratatui::layout::Rect;

use crate::view::card::stops::Stops;

/// A place in the rows of values that is filled from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) width: u16,
    pub(super) gap: u16,
    pub(super) x: u16,
    pub(super) y: u16,
}

impl Pen {
    /// Returns the place for this number of columns: in the same row, or else at the start of the next one.
    pub(super) fn place(&mut self, columns: u16) -> Rect {
        if self.x > 0 && self.x + columns > self.width {
            self.x = 0;
            self.y += 1;
        }
        let area = Rect::new(self.x, self.y, columns.min(self.width), 1);
        self.x += columns + self.gap;
        area
    }

    /// Returns the place for this number of columns at the next stop of the row, or else at the start of the next one.
    pub(super) fn place_at_stop(&mut self, columns: u16, stops: &Stops) -> Rect {
        let stop = stops.at_or_after(self.x);
        self.x = stop.unwrap_or(self.width);
        let area = self.place(columns);
        // A value fills the columns up to its end without a gap, because the next one begins at a stop.
        self.x = area.right() + 1;
        area
    }

    /// Returns the columns that are left in the present row.
    pub(super) fn free(self) -> Rect {
        let x = self.x.min(self.width);
        Rect::new(x, self.y, self.width - x, 1)
    }

    /// Returns the first row without values.
    pub(super) fn next_row(self) -> u16 {
        if self.x > 0 { self.y + 1 } else { self.y }
    }
}
