//! The round face of a clock, with its wedges separated by lines, shades or signs.

use std::cmp::Reverse;
use std::convert::Infallible;
use std::f64::consts::TAU;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::terminal::color_depth::Depth;
use crate::theme::Role;
use crate::widget::clock::{Clock, SMALLEST};
use tableside_dice::Memo;

/// The greatest number of segments that a face separates by lines.
pub(super) const SPOKES: u16 = 12;
/// The least length of a wedge's rim, in dots, for lines between the wedges. Denser lines would blur.
const WEDGE: f64 = 3.6;
/// The least length of a wedge's rim, in dots, for wedges in alternating shades.
const SHADED_WEDGE: f64 = 2.0;
/// The greatest number of lines that meet in the middle.
const CROSS: u16 = 4;
/// If there are more lines, they end where the wedges have this width, in dots.
const BETWEEN: f64 = 2.5;

/// The rows of the smallest face with more than four lines between its wedges.
const LINED: u16 = 15;
/// The value of dots outside the face.
const OUTSIDE: u8 = 0;
/// The value of dots on a line between two wedges.
const LINE: u8 = u8::MAX;
/// The bit mask of all quarters of a cell.
const ALL_DOTS: usize = 15;

/// The block signs, indexed by the bit mask of their quarters: upper left, upper right, lower left, lower right.
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
        for (dots, index) in cells.iter().zip(0..) {
            let parts = self.cell_parts(*dots, is_shaded);
            let line_dots = dots.map(|wedge| usize::from(wedge == LINE)).iter().sum();
            if let Some((sign, style)) = palette.cell(&parts, line_dots) {
                buffer[(left + index % columns, top + index / columns)]
                    .set_char(sign)
                    .set_style(style);
            }
        }

        if self.filled.is_none() {
            let style = self.look.style(Role::Hidden);
            buffer.set_string(left + rows - 1, top + rows / 2, "?", style);
        }
    }

    /// Returns the parts of a cell with these dots. The part with the most dots comes first, and of equal parts the fuller
    /// one.
    fn cell_parts(&self, dots: [u8; 4], is_shaded: bool) -> Vec<CellPart> {
        let mut parts: Vec<CellPart> = Vec::with_capacity(4);
        for (place, wedge) in dots.into_iter().enumerate() {
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
            let same_look = parts
                .iter_mut()
                .find(|part| part.fill == fill && part.shade == shade);
            match same_look {
                Some(part) => part.dots |= 1 << place,
                None => parts.push(CellPart {
                    fill,
                    shade,
                    dots: 1 << place,
                }),
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

/// The state of a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fill {
    Filled,
    /// Filled since the last key.
    Fresh,
    Empty,
}

/// The dots of a cell that belong to segments of the same look.
struct CellPart {
    fill: Fill,
    shade: usize,
    /// The bit mask of the dots.
    dots: usize,
}

impl CellPart {
    fn count(&self) -> u32 {
        self.dots.count_ones()
    }
}

/// The number of shades. Two alternate, and with an odd number of segments the last one has the third.
pub(super) const SHADES: usize = 3;
/// The signs of filled, fresh and empty segments in ASCII.
const ASCII_SIGNS: [char; 3] = ['#', '=', '.'];

/// Returns the shade of a wedge, which differs from those of its neighbours.
fn shade_of(wedge: u16, segments: u16) -> usize {
    let is_odd_last = segments % 2 == 1 && wedge == segments && segments > 1;
    if is_odd_last {
        2
    } else {
        usize::from(wedge.is_multiple_of(2))
    }
}

/// How the segments of a face are told apart.
pub(super) enum FacePalette {
    /// By colours: for each [`Fill`] one colour in each shade.
    Colors { fills: [[Style; SHADES]; 3] },
    /// By signs, on terminals with few colours.
    Signs { ascii: bool, styles: [Style; 3] },
}

impl FacePalette {
    pub(super) fn new(clock: &Clock<'_>) -> Self {
        let look = clock.look;
        let roles = [clock.role, Role::Notice, Role::ClockEmpty];
        let [filled, fresh, empty] = roles.map(|role| look.style(role));

        // With few colours, or with the colours of the terminal, signs show the empty segments.
        let has_few_colors = look.depth <= Depth::Ansi16 || filled.fg == empty.fg;
        if has_few_colors || look.ascii {
            // The colour of empty segments is too dim for single signs.
            let empty = look.style(Role::TokenEmpty);
            return Self::Signs {
                ascii: look.ascii,
                styles: [filled, fresh, empty],
            };
        }

        let darker = |style: Style, towards: Style, percent: [u16; 2]| {
            [
                style,
                mixed(style, towards, percent[0]),
                mixed(style, towards, percent[1]),
            ]
        };
        let ground = Style {
            fg: look.base().bg,
            ..empty
        };
        let shades_of_empty = if ground.fg.is_some_and(|color| rgb(color).is_some()) {
            darker(empty, ground, [38, 62])
        } else {
            darker(empty, filled, [14, 26])
        };
        Self::Colors {
            fills: [
                darker(filled, empty, [30, 50]),
                darker(fresh, empty, [30, 50]),
                shades_of_empty,
            ],
        }
    }
}

impl FacePalette {
    /// Returns the sign and the style of a cell, or `None` if it stays blank. `line_dots` of its dots are on a line.
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

/// Returns a cell with one letter for its largest part.
fn ascii_cell(parts: &[CellPart], line_dots: usize, styles: &[Style; 3]) -> Option<(char, Style)> {
    let first = parts.first()?;
    if line_dots > 1 || first.count() < 2 {
        return None;
    }
    let sign = ASCII_SIGNS[first.fill as usize];
    Some((sign, styles[first.fill as usize]))
}

/// Returns a cell in the colour of its largest part. The other dots show the background, or the second largest part.
fn colored_cell(parts: &[CellPart], fills: &[[Style; SHADES]; 3]) -> Option<(char, Style)> {
    let first = parts.first()?;
    let style_of = |part: &CellPart| fills[part.fill as usize][part.shade];
    let style = style_of(first);

    let all_dots: usize = parts.iter().map(|part| part.dots).sum();
    let second_color = match parts.get(1) {
        Some(second) if all_dots == ALL_DOTS => style_of(second).fg,
        _ => None,
    };
    let style = match second_color {
        Some(color) => style.bg(color),
        None => style,
    };
    Some((QUADRANTS[first.dots], style))
}

/// Returns a cell in which signs distinguish the parts: blocks, shades for fresh segments, and light shades for empty ones.
fn signed_cell(parts: &[CellPart], line_dots: usize, styles: &[Style; 3]) -> Option<(char, Style)> {
    let first = parts.first()?;
    let style = styles[first.fill as usize];
    match first.fill {
        Fill::Empty if line_dots < 2 && first.count() > 1 => Some(('░', style)),
        Fill::Empty => None,
        Fill::Fresh if first.dots == ALL_DOTS => Some(('▒', style)),
        Fill::Filled | Fill::Fresh => {
            let filled_dots: usize = parts
                .iter()
                .filter(|part| part.fill != Fill::Empty)
                .map(|part| part.dots)
                .sum();
            Some((QUADRANTS[filled_dots], style))
        }
    }
}

/// Mixes a share of another foreground colour into a style. Colours of the terminal itself stay as they are.
fn mixed(style: Style, other: Style, percent: u16) -> Style {
    let (Some(color), Some(other)) = (style.fg, other.fg) else {
        return style;
    };
    let (Some(own), Some(added)) = (rgb(color), rgb(other)) else {
        return style;
    };

    let channel = |index: usize| {
        let own_part = u16::from(own[index]) * (100 - percent);
        let added_part = u16::from(added[index]) * percent;
        u8::try_from((own_part + added_part) / 100).unwrap_or(u8::MAX)
    };
    let [r, g, b] = [0, 1, 2].map(channel);
    let is_indexed = matches!(color, Color::Indexed(_));
    let mixed = if is_indexed {
        Color::Indexed(anstyle_lossy::rgb_to_xterm((r, g, b).into()).index())
    } else {
        Color::Rgb(r, g, b)
    };
    style.fg(mixed)
}

/// Returns the red, green and blue of a colour. The sixteen colours of the terminal have none.
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

/// Returns the wedge of each dot of a face, cell by cell, counted from 1. Dots outside the face have 0.
///
/// The result is cached for each size of face.
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
    let compute = || Ok::<_, Infallible>((0..rows * columns).map(cell_dots).collect());
    let Ok(wedges) = CACHE.get_or_compute(&(rows, segments), compute, |_| 1);
    wedges
}

/// Returns true if lines separate the wedges of a face.
///
/// More than four lines on a low face would leave only teeth of its wedges.
fn has_lines(rows: u16, segments: u16) -> bool {
    let is_large_enough = rows >= LINED || (rows > SMALLEST && segments <= CROSS);
    is_large_enough && (2..=SPOKES).contains(&segments) && rim(rows, segments) >= WEDGE
}

/// Returns true if shades separate the wedges of a face.
fn has_shades(rows: u16, segments: u16) -> bool {
    let is_separable = (2..=SPOKES).contains(&segments) && rim(rows, segments) >= SHADED_WEDGE;
    is_separable && !has_lines(rows, segments)
}

/// Returns the length of a wedge's rim, in dots.
fn rim(rows: u16, segments: u16) -> f64 {
    f64::from(rows) * TAU / f64::from(segments)
}

/// Returns the wedge of a dot.
fn wedge(column: u16, row: u16, rows: u16, segments: u16) -> u8 {
    // Coordinates from the centre, in heights of a dot.
    let end = f64::from(rows);
    let x = (f64::from(column) + 0.5) * 0.5 - end;
    let y = f64::from(row) + 0.5 - end;
    let radius = x.hypot(y);
    if radius > end {
        return OUTSIDE;
    }

    let count = f64::from(segments);
    // The angle from twelve o'clock, clockwise, in segments.
    let turn = |y: f64| (x.atan2(-y) / TAU).rem_euclid(1.0) * count;

    if has_lines(rows, segments) {
        // A horizontal line between two rows of dots belongs to the upper row.
        let nearby = turn(y + 0.1).fract();
        let arc = radius * TAU / count;
        let is_clear = segments <= CROSS || arc > BETWEEN;
        if is_clear && nearby.min(1.0 - nearby) * arc < 0.5 {
            return LINE;
        }
    }

    let wedge = (1..=segments).rfind(|wedge| f64::from(wedge - 1) <= turn(y));
    wedge
        .and_then(|wedge| u8::try_from(wedge).ok())
        .unwrap_or(1)
}
