//! Cells in columns: cards of characters, and clocks with their faces.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::{BlockLayout, StyledText, styled_line};
use crate::Role;
use crate::widget::clock::Clock;
use crate::widget::{after, left, wrap_line};

/// The minimum width of a cell, in columns.
const MIN_CELL_COLUMNS: u16 = 30;

/// The number of columns between two cells.
const GAP: u16 = 2;

/// The height of the face of a clock, in rows.
const FACE_ROWS: u16 = 5;

/// The number of cells of the bar that replaces a face in the low layout.
const BAR_CELLS: u16 = 8;

/// A cell: a few lines, which may have the face of a clock next to them.
#[derive(Clone, Debug)]
pub struct BlockCell {
    pub(in crate::dialog) clock: Option<CellClock>,
    pub(in crate::dialog) lines: Vec<Vec<StyledText>>,
}

/// The clock of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellClock {
    pub(in crate::dialog) filled: Option<u16>,
    pub(in crate::dialog) segments: u16,
    pub(in crate::dialog) role: Role,
    pub(in crate::dialog) is_pulled: bool,
}

impl CellClock {
    fn face(self, layout: BlockLayout<'_>) -> Clock<'_> {
        Clock {
            filled: self.filled,
            fresh: 0,
            segments: self.segments,
            role: self.role,
            is_pulled: self.is_pulled,
            look: layout.look,
        }
    }
}

impl BlockCell {
    fn height(&self, layout: BlockLayout<'_>) -> u16 {
        let lines = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        match self.clock {
            Some(_) if layout.is_low => 1,
            Some(_) => lines.max(FACE_ROWS),
            None => lines,
        }
    }

    fn draw(&self, area: Rect, layout: BlockLayout<'_>, buffer: &mut Buffer) {
        let look = layout.look;
        let mut text_area = area;
        let mut lines: Vec<Line<'_>> = self
            .lines
            .iter()
            .map(|parts| styled_line(parts, look))
            .collect();
        match self.clock {
            Some(clock) if layout.is_low => {
                let bar = clock.face(layout).bar(BAR_CELLS);
                look.put(&bar, left(area, BAR_CELLS), buffer);
                text_area = after(area, BAR_CELLS + 1);
            }
            Some(clock) => {
                let face_area = Rect {
                    width: FACE_ROWS * 2,
                    height: FACE_ROWS,
                    ..area
                };
                clock
                    .face(layout)
                    .render(face_area.intersection(area), buffer);
                text_area = after(area, FACE_ROWS * 2 + GAP);
                // A long name continues in the next row next to the face.
                lines = lines
                    .iter()
                    .flat_map(|line| wrap_line(line, text_area.width))
                    .collect();
                // The text begins in the middle of the face.
                let line_count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
                let free_rows = area.height.saturating_sub(line_count) / 2;
                text_area.y += free_rows;
                text_area.height -= free_rows;
            }
            None => {}
        }

        for (line, place) in lines.iter().zip(text_area.rows()) {
            look.put(line, place, buffer);
        }
    }
}

/// Returns the number of cells side by side.
fn cells_per_row(width: u16) -> u16 {
    ((width + GAP) / (MIN_CELL_COLUMNS + GAP)).max(1)
}

/// Returns the rows of cells, and for each the height of its tallest cell.
fn rows_of<'a>(
    cells: &'a [BlockCell],
    layout: BlockLayout<'a>,
) -> impl Iterator<Item = (&'a [BlockCell], u16)> {
    let per_row = cells_per_row(layout.width);
    cells.chunks(per_row.into()).map(move |row| {
        let height = row.iter().map(|cell| cell.height(layout)).max();
        (row, height.unwrap_or(0))
    })
}

/// Returns the height of all cells, with a blank row between two rows of cells.
pub(super) fn cells_height(cells: &[BlockCell], layout: BlockLayout<'_>) -> u16 {
    let gap = row_gap(layout);
    let mut height: u16 = 0;
    for (_, row_height) in rows_of(cells, layout) {
        height = height.saturating_add(row_height + gap);
    }
    height.saturating_sub(gap)
}

fn row_gap(layout: BlockLayout<'_>) -> u16 {
    u16::from(!layout.is_low)
}

pub(super) fn draw_cells(
    cells: &[BlockCell],
    area: Rect,
    layout: BlockLayout<'_>,
    buffer: &mut Buffer,
) {
    let per_row = cells_per_row(area.width);
    let cell_width = (area.width + GAP) / per_row;
    let mut top = area.y;
    for (row, height) in rows_of(cells, layout) {
        for (column, cell) in (0..).zip(row) {
            let place = Rect {
                x: area.x + column * cell_width,
                y: top,
                width: cell_width - GAP.min(cell_width),
                height,
            };
            cell.draw(place.intersection(area), layout, buffer);
        }
        top = top.saturating_add(height + row_gap(layout));
    }
}
