//! The colours and the signs of a clock's face.

use ratatui::style::{Color, Style};

use super::{CellPart, Fill, PerFill};
use crate::terminal::color_depth::Depth;
use crate::theme::{Role, indexed};
use crate::widget::clock::Clock;

/// The mask of all dots of a cell.
const ALL_DOTS: u8 = 15;

/// The block signs, indexed by the mask of their dots. The bits are, from the lowest: upper left, upper right, lower
/// left, lower right.
pub(in crate::widget::clock) const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// The number of shades. Two alternate, and with an odd number of segments the last one has the third.
pub(in crate::widget::clock) const SHADES: usize = 3;
/// The signs of segments in ASCII.
const ASCII_SIGNS: PerFill<char> = PerFill {
    filled: '#',
    fresh: '=',
    empty: '.',
};

/// The colours or signs that distinguish the segments of a face.
pub(in crate::widget::clock) enum FacePalette {
    /// Colours, one in each shade.
    Colors { fills: PerFill<[Style; SHADES]> },
    /// Signs, on terminals with few colours.
    Signs { ascii: bool, styles: PerFill<Style> },
}

impl FacePalette {
    pub(in crate::widget::clock) fn new(clock: &Clock<'_>) -> Self {
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
    pub(super) fn cell(&self, parts: &[CellPart], line_dots: usize) -> Option<(char, Style)> {
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

/// Returns the block sign that shows these dots.
fn block_sign(mask: u8) -> char {
    QUADRANTS[usize::from(mask)]
}
