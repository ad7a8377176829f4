//! The round face of a clock, with its wedges separated by lines, shades or signs.

mod palette;

use std::cmp::Reverse;
use std::convert::Infallible;
use std::f64::consts::TAU;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::theme::Role;
use crate::widget::clock::{Clock, SMALLEST};
use tableside_dice::Memo;

pub(super) use palette::FacePalette;
#[cfg(test)]
pub(super) use palette::{QUADRANTS, SHADES};

/// The maximum number of segments that lines or shades separate.
pub(super) const MAX_SEPARATED: u16 = 12;
/// The minimum length of a wedge's rim, in dots, for lines between the wedges. Denser lines would blur.
const MIN_RIM_BETWEEN_LINES: f64 = 3.6;
/// The minimum length of a wedge's rim, in dots, for wedges in alternating shades.
const MIN_RIM_OF_SHADES: f64 = 2.0;
/// The maximum number of lines that meet in the middle. More lines end before it.
const MAX_MEETING_LINES: u16 = 4;
/// The width of a wedge, in dots, at which lines end that do not meet in the middle.
const MIN_ARC_BETWEEN_LINES: f64 = 2.5;
/// The minimum number of rows of a face with more than [`MAX_MEETING_LINES`] lines.
const MIN_ROWS_WITH_MANY_LINES: u16 = 15;

/// The value of dots outside the face.
const OUTSIDE: u8 = 0;
/// The value of dots on a line between two wedges.
const LINE: u8 = u8::MAX;
impl Clock<'_> {
    /// Draws the round face. Each cell has four dots: two columns of two rows.
    pub(super) fn draw_face(&self, area: Rect, buffer: &mut Buffer) {
        // A row is as high as two columns are wide.
        let rows = area.height.min(area.width / 2);
        let columns = rows * 2;
        let left = area.x + (area.width - columns) / 2;
        let top = area.y + (area.height - rows) / 2;

        let palette = FacePalette::new(self);
        let is_shaded = has_shades(rows, self.segments);
        let cells = wedges(rows, self.segments);
        let mut parts = Vec::new();
        for (cell_wedges, index) in cells.iter().zip(0..) {
            self.find_cell_parts(*cell_wedges, is_shaded, &mut parts);
            let is_line = cell_wedges.map(|wedge| usize::from(wedge == LINE));
            let line_dots = is_line.iter().sum();
            if let Some((sign, style)) = palette.cell(&parts, line_dots) {
                let x = left + index % columns;
                let y = top + index / columns;
                buffer[(x, y)].set_char(sign).set_style(style);
            }
        }

        if self.filled.is_none() {
            let style = self.look.style(Role::Hidden);
            buffer.set_string(left + rows - 1, top + rows / 2, "?", style);
        }
    }

    /// Replaces `parts` by the parts of a cell whose dots belong to these wedges. The part with the most dots comes first,
    /// and of equal parts the fuller one.
    fn find_cell_parts(&self, wedges: [u8; 4], is_shaded: bool, parts: &mut Vec<CellPart>) {
        parts.clear();
        for (dot, wedge) in wedges.into_iter().enumerate() {
            if wedge == OUTSIDE || wedge == LINE {
                continue;
            }

            let wedge = u16::from(wedge);
            let fill = self.fill_of(wedge);
            let shade = if is_shaded {
                shade_of(wedge, self.segments)
            } else {
                0
            };
            let mask = 1 << dot;
            let same_look = parts
                .iter_mut()
                .find(|part| part.fill == fill && part.shade == shade);
            match same_look {
                Some(part) => part.mask |= mask,
                None => parts.push(CellPart { fill, shade, mask }),
            }
        }
        parts.sort_by_key(|part| (Reverse(part.count()), part.fill));
    }

    fn fill_of(&self, wedge: u16) -> Fill {
        let filled = self.filled.unwrap_or(0);
        if wedge > filled {
            Fill::Empty
        } else if wedge > filled.saturating_sub(self.fresh) {
            Fill::Fresh
        } else {
            Fill::Filled
        }
    }
}

/// The state of a segment, in the order from full to empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fill {
    Filled,
    /// Filled since the last key.
    Fresh,
    Empty,
}

/// A value for each [`Fill`].
pub(super) struct PerFill<T> {
    pub(super) filled: T,
    pub(super) fresh: T,
    pub(super) empty: T,
}

impl<T: Copy> PerFill<T> {
    fn of(&self, fill: Fill) -> T {
        match fill {
            Fill::Filled => self.filled,
            Fill::Fresh => self.fresh,
            Fill::Empty => self.empty,
        }
    }
}

/// The dots of a cell that belong to segments of the same look.
struct CellPart {
    fill: Fill,
    shade: usize,
    /// The mask of the dots.
    mask: u8,
}

impl CellPart {
    fn count(&self) -> u32 {
        self.mask.count_ones()
    }
}

/// Returns the shade of a wedge, which differs from those of its neighbours.
fn shade_of(wedge: u16, segments: u16) -> usize {
    let is_odd_last = segments % 2 == 1 && wedge == segments && segments > 1;
    if is_odd_last {
        2
    } else {
        usize::from(wedge.is_multiple_of(2))
    }
}

/// Returns the wedge of each dot of a face, cell by cell. Wedges are counted from 1; see [`OUTSIDE`] and [`LINE`] for
/// other dots.
///
/// The result is cached for each number of rows and segments.
fn wedges(rows: u16, segments: u16) -> Arc<[[u8; 4]]> {
    static CACHE: Memo<(u16, u16), Arc<[[u8; 4]]>> = Memo::new(64);

    let columns = rows * 2;
    let cell_dots = |index: u16| {
        let first_column = index % columns * 2;
        let first_row = index / columns * 2;
        [0, 1, 2, 3].map(|dot| {
            let column = first_column + dot % 2;
            let row = first_row + dot / 2;
            wedge(column, row, rows, segments)
        })
    };
    let compute = || {
        let cells = 0..rows * columns;
        Ok::<_, Infallible>(cells.map(cell_dots).collect())
    };
    let Ok(wedges) = CACHE.get_or_compute(&(rows, segments), compute, |_| 1);
    wedges
}

/// Returns true if lines separate the wedges of a face.
///
/// More than four lines on a low face would leave only teeth of its wedges.
fn has_lines(rows: u16, segments: u16) -> bool {
    let has_few_lines = rows > SMALLEST && segments <= MAX_MEETING_LINES;
    let is_large_enough = rows >= MIN_ROWS_WITH_MANY_LINES || has_few_lines;
    is_large_enough && is_separable(segments) && rim(rows, segments) >= MIN_RIM_BETWEEN_LINES
}

/// Returns true if shades separate the wedges of a face.
fn has_shades(rows: u16, segments: u16) -> bool {
    let is_shadable = is_separable(segments) && rim(rows, segments) >= MIN_RIM_OF_SHADES;
    is_shadable && !has_lines(rows, segments)
}

fn is_separable(segments: u16) -> bool {
    (2..=MAX_SEPARATED).contains(&segments)
}

/// Returns the length of a wedge's rim, in dots.
fn rim(rows: u16, segments: u16) -> f64 {
    f64::from(rows) * TAU / f64::from(segments)
}

/// Returns the wedge of a dot. A face has twice as many rows of dots as rows of cells.
fn wedge(column: u16, row: u16, rows: u16, segments: u16) -> u8 {
    // Coordinates from the centre, in heights of a dot.
    let face_radius = f64::from(rows);
    let x = (f64::from(column) + 0.5) * 0.5 - face_radius;
    let y = f64::from(row) + 0.5 - face_radius;
    let radius = x.hypot(y);
    if radius > face_radius {
        return OUTSIDE;
    }

    let count = f64::from(segments);
    // The angle from twelve o'clock, clockwise, in segments.
    let turn = |y: f64| (x.atan2(-y) / TAU).rem_euclid(1.0) * count;

    if has_lines(rows, segments) {
        // A horizontal line between two rows of dots belongs to the upper row.
        let nearby = turn(y + 0.1).fract();
        let arc = radius * TAU / count;
        let is_clear = segments <= MAX_MEETING_LINES || arc > MIN_ARC_BETWEEN_LINES;
        let distance_to_line = nearby.min(1.0 - nearby) * arc;
        if is_clear && distance_to_line < 0.5 {
            return LINE;
        }
    }

    let wedge = (1..=segments).rfind(|wedge| f64::from(wedge - 1) <= turn(y));
    wedge
        .and_then(|wedge| u8::try_from(wedge).ok())
        .unwrap_or(1)
}
