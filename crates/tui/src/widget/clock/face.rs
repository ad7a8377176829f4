//! The round face of a clock, with its wedges separated by lines, shades or signs.

use std::cmp::Reverse;
use std::convert::Infallible;
use std::f64::consts::TAU;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::terminal::color_depth::Depth;
use crate::theme::{Role, indexed};
use crate::widget::clock::{Clock, SMALLEST};
use tableside_dice::Memo;

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
/// The mask of all dots of a cell.
const ALL_DOTS: u8 = 15;

/// The block signs, indexed by the mask of their dots. The bits are, from the lowest: upper left, upper right, lower
/// left, lower right.
pub(super) const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

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
        for (cell_wedges, index) in cells.iter().zip(0..) {
            let parts = self.cell_parts(*cell_wedges, is_shaded);
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

    /// Returns the parts of a cell whose dots belong to these wedges. The part with the most dots comes first, and of
    /// equal parts the fuller one.
    fn cell_parts(&self, wedges: [u8; 4], is_shaded: bool) -> Vec<CellPart> {
        let mut parts: Vec<CellPart> = Vec::with_capacity(4);
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
        parts
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

/// Returns the block sign that shows these dots.
fn block_sign(mask: u8) -> char {
    QUADRANTS[usize::from(mask)]
}

/// The number of shades. Two alternate, and with an odd number of segments the last one has the third.
pub(super) const SHADES: usize = 3;
/// The signs of segments in ASCII.
const ASCII_SIGNS: PerFill<char> = PerFill {
    filled: '#',
    fresh: '=',
    empty: '.',
};

/// Returns the shade of a wedge, which differs from those of its neighbours.
fn shade_of(wedge: u16, segments: u16) -> usize {
    let is_odd_last = segments % 2 == 1 && wedge == segments && segments > 1;
    if is_odd_last {
        2
    } else {
        usize::from(wedge.is_multiple_of(2))
    }
}

/// The colours or signs that distinguish the segments of a face.
pub(super) enum FacePalette {
    /// Colours, one in each shade.
    Colors { fills: PerFill<[Style; SHADES]> },
    /// Signs, on terminals with few colours.
    Signs { ascii: bool, styles: PerFill<Style> },
}

impl FacePalette {
    pub(super) fn new(clock: &Clock<'_>) -> Self {
        let look = clock.look;
        let filled = look.style(clock.role);
        let fresh = look.style(Role::Notice);
        let empty = look.style(Role::ClockEmpty);

        // With few colours, or with the colours of the terminal, signs show the empty segments.
        let has_few_colors = look.depth <= Depth::Ansi16 || filled.fg == empty.fg;
        if has_few_colors || look.ascii {
            let styles = PerFill {
                filled,
                fresh,
                // The colour of empty segments is too dim for single signs.
                empty: look.style(Role::TokenEmpty),
            };
            return Self::Signs {
                ascii: look.ascii,
                styles,
            };
        }

        let ground = Style {
            fg: look.base().bg,
            ..empty
        };
        let is_ground_known = ground.fg.and_then(rgb).is_some();
        let shades_of_empty = if is_ground_known {
            shades(empty, ground, [38, 62])
        } else {
            shades(empty, filled, [14, 26])
        };
        Self::Colors {
            fills: PerFill {
                filled: shades(filled, empty, [30, 50]),
                fresh: shades(fresh, empty, [30, 50]),
                empty: shades_of_empty,
            },
        }
    }

    /// Returns the sign and the style of a cell, or `None` if it stays blank. `line_dots` is the number of its dots on
    /// a line.
    fn cell(&self, parts: &[CellPart], line_dots: usize) -> Option<(char, Style)> {
        match self {
            Self::Colors { fills } => colored_cell(parts, fills),
            Self::Signs {
                ascii: true,
                styles,
            } => ascii_cell(parts, line_dots, styles),
            Self::Signs { styles, .. } => signed_cell(parts, line_dots, styles),
        }
    }
}

/// Returns a style in three shades: unchanged, and mixed with these percentages of another colour.
fn shades(style: Style, other: Style, percentages: [u16; 2]) -> [Style; SHADES] {
    let [second, third] = percentages;
    [
        style,
        mixed(style, other, second),
        mixed(style, other, third),
    ]
}

/// Returns a cell with one letter for its largest part.
fn ascii_cell(
    parts: &[CellPart],
    line_dots: usize,
    styles: &PerFill<Style>,
) -> Option<(char, Style)> {
    let first = parts.first()?;
    if line_dots > 1 || first.count() < 2 {
        return None;
    }
    Some((ASCII_SIGNS.of(first.fill), styles.of(first.fill)))
}

/// Returns a cell in the colour of its largest part. The other dots show the background, or the second largest part.
fn colored_cell(parts: &[CellPart], fills: &PerFill<[Style; SHADES]>) -> Option<(char, Style)> {
    let first = parts.first()?;
    let style_of = |part: &CellPart| fills.of(part.fill)[part.shade];
    let style = style_of(first);

    let all_dots: u8 = parts.iter().map(|part| part.mask).sum();
    let second_color = match parts.get(1) {
        Some(second) if all_dots == ALL_DOTS => style_of(second).fg,
        _ => None,
    };
    let style = match second_color {
        Some(color) => style.bg(color),
        None => style,
    };
    Some((block_sign(first.mask), style))
}

/// Returns a cell in which signs distinguish the parts: blocks, shades for fresh segments, and light shades for empty
/// segments.
fn signed_cell(
    parts: &[CellPart],
    line_dots: usize,
    styles: &PerFill<Style>,
) -> Option<(char, Style)> {
    let first = parts.first()?;
    let style = styles.of(first.fill);
    match first.fill {
        Fill::Empty if line_dots < 2 && first.count() > 1 => Some(('░', style)),
        Fill::Empty => None,
        Fill::Fresh if first.mask == ALL_DOTS => Some(('▒', style)),
        Fill::Filled | Fill::Fresh => {
            let filled_parts = parts.iter().filter(|part| part.fill != Fill::Empty);
            let filled_dots: u8 = filled_parts.map(|part| part.mask).sum();
            Some((block_sign(filled_dots), style))
        }
    }
}

/// Mixes a share of another foreground colour into a style. The sixteen colours of a terminal stay unchanged.
fn mixed(style: Style, other: Style, percent: u16) -> Style {
    let (Some(color), Some(other)) = (style.fg, other.fg) else {
        return style;
    };
    let (Some(own), Some(added)) = (rgb(color), rgb(other)) else {
        return style;
    };

    let mixed_channel = |index: usize| {
        let own_part = u16::from(own[index]) * (100 - percent);
        let added_part = u16::from(added[index]) * percent;
        u8::try_from((own_part + added_part) / 100).unwrap_or(u8::MAX)
    };
    let [r, g, b] = [0, 1, 2].map(mixed_channel);
    let mixed = Color::Rgb(r, g, b);
    let is_indexed = matches!(color, Color::Indexed(_));
    style.fg(if is_indexed { indexed(mixed) } else { mixed })
}

/// Returns the red, green and blue of a colour. `None` for the sixteen colours of a terminal, which differ between
/// terminals.
fn rgb(color: Color) -> Option<[u8; 3]> {
    match color {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(index @ 16..) => {
            let palette = anstyle_lossy::palette::VGA;
            let color = anstyle_lossy::xterm_to_rgb(index.into(), palette);
            Some([color.r(), color.g(), color.b()])
        }
        _ => None,
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
