//! The place of a panel and of the cells in it.

use ratatui::layout::{Rect, Size};

use crate::app::state::Panel;
use crate::view::layout::block::{FRAME_COLUMNS, FRAME_ROWS};
use crate::view::layout::contents::Lines;
use crate::view::layout::demand::Step;
use crate::widget::clock::SMALLEST;
use crate::widget::{after, below, left, top};

/// The place of a panel and of the cells in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PanelLayout {
    pub(crate) panel: Panel,
    /// The whole panel. A folded panel consists only of its title.
    pub(crate) frame: Rect,
    /// The area of the cells.
    pub(crate) inner: Rect,
    /// The area above the cells for a larger picture of the newest roll. It may be empty.
    pub(crate) lead: Rect,
    /// The height of the first cell if it is as wide as the panel, for a player's own character. 0 if it is like the
    /// others.
    pub(crate) large_rows: u16,
    pub(crate) cells_in_row: u16,
    pub(crate) cell: Size,
    /// The height of a cell below the first heading.
    pub(crate) later_height: u16,
}

impl PanelLayout {
    /// Returns a panel with a frame, whose contents are shown as in this step.
    pub(super) fn framed(panel: Panel, frame: Rect, step: Step) -> Self {
        let contents = after(below(frame, 1), 2);
        let contents = top(contents, frame.height.saturating_sub(FRAME_ROWS));
        let contents = left(contents, frame.width.saturating_sub(FRAME_COLUMNS));
        let cells_in_row = (contents.width / step.cell.width.max(1)).max(1);

        Self {
            panel,
            frame,
            inner: below(contents, step.lead_rows),
            lead: top(contents, step.lead_rows),
            large_rows: step.large_rows,
            cells_in_row,
            cell: Size::new(contents.width / cells_in_row, step.cell.height.max(1)),
            later_height: step.later_height.max(1),
        }
    }

    /// Returns a panel without a frame: its title, and the contents below it.
    pub(super) fn folded(panel: Panel, frame: Rect) -> Self {
        let contents = below(frame, 1);
        let width = frame.width.saturating_sub(1);
        Self {
            panel,
            frame,
            inner: left(contents, width),
            lead: top(contents, 0),
            large_rows: 0,
            cells_in_row: 1,
            cell: Size::new(width.max(1), 1),
            later_height: 1,
        }
    }

    /// Returns true if the panel is not on the screen, because another one is maximised.
    pub(crate) fn is_absent(&self) -> bool {
        self.frame.is_empty()
    }

    /// Returns the number of rows of cells in sight.
    pub(crate) fn rows(&self) -> usize {
        let height = self.inner.height + self.spare_rows();
        let rows = height / self.cell.height.max(1);
        rows.into()
    }

    /// Returns the number of rows that the last row of cells can do without. A clock's cell ends with a blank row.
    fn spare_rows(&self) -> u16 {
        let has_faces = self.panel == Panel::Clocks && self.cell.height > SMALLEST;
        u16::from(has_faces)
    }

    /// Returns true if the cell of this line is as wide as the panel.
    pub(crate) fn is_large(&self, line: usize) -> bool {
        line == 0 && self.large_rows > 0
    }

    /// Returns the place of each line, relative to the first one. A heading takes a whole row.
    pub(crate) fn places(&self, lines: Lines<'_>) -> Vec<Rect> {
        let mut places = Vec::with_capacity(lines.len());
        let mut column = 0;
        let mut y = 0_u16;
        let mut cell_height = self.cell.height;
        let mut has_cells = false;

        for (line, id) in lines.iter().enumerate() {
            if self.is_large(line) {
                places.push(Rect::new(0, 0, self.inner.width, self.large_rows));
                y = self.large_rows;
                continue;
            }

            let is_heading = id.is_none();
            let is_row_full = column == self.cells_in_row;
            if is_row_full || (is_heading && column > 0) {
                column = 0;
                y = y.saturating_add(cell_height);
            }

            if is_heading {
                if has_cells {
                    cell_height = self.later_height;
                }
                places.push(Rect::new(0, y, self.inner.width, 1));
                y = y.saturating_add(1);
            } else {
                let x = column * self.cell.width;
                places.push(Rect::new(x, y, self.cell.width, cell_height));
                column += 1;
                has_cells = true;
            }
        }

        places
    }

    /// Returns the area of a place on the screen if it is completely in sight. `scrolled` is the number of rows above
    /// the visible ones.
    pub(crate) fn in_sight(&self, place: Rect, scrolled: usize) -> Option<Rect> {
        let scrolled = u16::try_from(scrolled).ok()?;
        let y = place.y.checked_sub(scrolled)?;
        let area = Rect {
            x: self.inner.x + place.x,
            y: self.inner.y.saturating_add(y),
            ..place
        };

        let visible = self.inner.intersection(area);
        if visible.height + self.spare_rows() >= area.height {
            Some(visible)
        } else {
            None
        }
    }
}
