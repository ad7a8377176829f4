//! Progress clocks: a round face with wedges, a bar, or one character. A tug of war is a rope with a knot where
//! it was pulled to.

use std::f64::consts::TAU;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{HIDDEN, Look, row};
use crate::screen::theme::Role;

/// Up to so many segments, a large face shows each of them.
const SPOKES: u16 = 12;
/// A wedge is shown while its rim is so many dots long: on a small face many lines are a blur.
const WEDGE: f64 = 6.5;

/// The columns and rows of a large face; every face is twice as wide as high.
pub const LARGE: (u16, u16) = (14, 7);
/// The columns and rows of a face on a card.
pub const MEDIUM: (u16, u16) = (8, 4);
/// The smallest face that is round.
pub const SMALL: (u16, u16) = (6, 3);

/// A progress clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a> {
    /// How many segments are filled; none where only its being there is known.
    pub filled: Option<u16>,
    /// How many there are, one at the least.
    pub segments: u16,
    /// What it fills on.
    pub role: Role,
    /// Whether it is pulled between two ends.
    pub is_pulled: bool,
    /// How the screen looks.
    pub look: Look<'a>,
}

impl Clock<'_> {
    /// How full, in one character.
    pub fn glyph(&self) -> Span<'static> {
        let Some(filled) = self.filled else {
            return Span::styled(HIDDEN, self.look.style(Role::ClockEmpty));
        };
        let eighths = u32::from(filled) * 8 / u32::from(self.segments);
        let is_past_middle = filled * 2 >= self.segments;
        let signs = if self.is_pulled {
            ["◀", "◁", "◆", "▷", "▶"]
        } else {
            ["○", "◔", "◑", "◕", "●"]
        };
        let nth = match eighths {
            _ if filled == 0 => 0,
            8.. => 4,
            _ if self.is_pulled && filled * 2 == self.segments => 2,
            _ if self.is_pulled => 1 + 2 * usize::from(is_past_middle),
            0..=2 => 1,
            3..=4 => 2,
            _ => 3,
        };
        let role = match filled {
            _ if self.is_pulled && is_past_middle => Role::ClockFill,
            _ if self.is_pulled => Role::CountdownFill,
            0 => Role::ClockEmpty,
            _ => self.role,
        };
        Span::styled(signs[nth], self.look.style(role))
    }

    /// How full, in numbers: `3/8`.
    pub fn count(&self) -> String {
        match self.filled {
            Some(filled) => format!("{filled}/{}", self.segments),
            None => format!("?/{}", self.segments),
        }
    }

    /// A bar of at most so many columns: one sign for a segment where there is room.
    pub fn bar(&self, width: u16) -> Line<'static> {
        let part = |sign: &str, count: u16, role| {
            Span::styled(sign.repeat(count.into()), self.look.style(role))
        };
        if let Some(filled) = self.filled.filter(|_| self.is_pulled) {
            let inner = width.saturating_sub(3).max(1);
            let before = scale(filled, self.segments, inner);
            return Line::from(vec![
                part("┣", 1, Role::ClockFill),
                part("━", before, Role::ClockFill),
                part("◆", 1, Role::Marker),
                part("─", inner - before, Role::CountdownFill),
                part("┤", 1, Role::CountdownFill),
            ]);
        }
        let cells = self.segments.min(width);
        let full = scale(self.filled.unwrap_or(0), self.segments, cells);
        Line::from(vec![
            part("▰", full, self.role),
            part("▱", cells - full, Role::ClockEmpty),
        ])
    }

    /// What a dot of the face belongs to; both coordinates are −1 to 1 at the rim.
    fn belongs(&self, x: f64, y: f64, height: f64) -> Belongs {
        let radius = x.hypot(y);
        if radius > 1.0 {
            return Belongs::Outside;
        }
        let segments = f64::from(self.segments);
        // From twelve o'clock on, as the hands go.
        let turn = |y: f64| (x.atan2(-y) / TAU).rem_euclid(1.0) * segments;
        // A level line between two rows of dots belongs to the upper one.
        let nearby = turn(y + height * 0.1).fract();
        let to_spoke = nearby.min(1.0 - nearby) / segments * TAU * radius;
        let has_spokes = (2..=SPOKES).contains(&self.segments) && segments * WEDGE * height <= TAU;
        if has_spokes && to_spoke < height * 0.45 {
            Belongs::Gap
        } else if turn(y) < f64::from(self.filled.unwrap_or(0)) {
            Belongs::Filled
        } else {
            Belongs::Empty
        }
    }

    fn draw_face(&self, area: Rect, buffer: &mut Buffer) {
        // Two dots to a row, two to a column: a row is as high as two columns are wide.
        let rows = area.height.min(area.width / 2);
        let left = area.x + (area.width - rows * 2) / 2;
        let top = area.y + (area.height - rows) / 2;
        let place = |dot: u16, dots: u16| (f64::from(dot) + 0.5) / f64::from(dots) * 2.0 - 1.0;
        let height = 1.0 / f64::from(rows);
        for (row, column) in (0..rows).flat_map(|row| (0..rows * 2).map(move |x| (row, x))) {
            let (mut filled, mut empty, mut gap) = (0, 0, 0);
            for dot in 0..4 {
                let (x, y) = (column * 2 + dot % 2, row * 2 + dot / 2);
                match self.belongs(place(x, rows * 4), place(y, rows * 2), height) {
                    Belongs::Filled => filled |= 1_usize << dot,
                    Belongs::Empty => empty += 1,
                    Belongs::Gap => gap += 1,
                    Belongs::Outside => {}
                }
            }
            let (sign, role) = match (filled, empty) {
                (0, 0..2) => continue,
                (0, _) if gap > 1 => continue,
                (0, _) => ('░', Role::ClockEmpty),
                (filled, _) => (QUADRANTS[filled], self.role),
            };
            buffer[(left + column, top + row)]
                .set_char(sign)
                .set_style(self.look.style(role));
        }
        if self.filled.is_none() {
            let style = self.look.style(Role::Hidden);
            buffer.set_string(left + rows - 1, top + rows / 2, "?", style);
        }
    }
}

impl Widget for &Clock<'_> {
    /// Draws the largest form that fits. A character is too coarse for a round face in ASCII.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let is_large = area.width >= SMALL.0 && area.height >= SMALL.1;
        let is_round = is_large && !self.look.ascii && !(self.is_pulled && self.filled.is_some());
        if is_round {
            self.draw_face(area, buffer);
        } else if area.width >= 3 {
            let middle = if is_large { area.height / 2 } else { 0 };
            self.look
                .put(&self.bar(area.width), row(area, middle), buffer);
        } else {
            self.look.put(&self.glyph().into(), area, buffer);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Belongs {
    Outside,
    /// The line between two wedges.
    Gap,
    Empty,
    Filled,
}

/// The block signs by the quarters that they fill: upper left, upper right, lower left, lower right.
const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// So many of `whole` brought down to `cells`: something is never nothing, and not all never all.
fn scale(part: u16, whole: u16, cells: u16) -> u16 {
    let scaled = u32::from(part) * u32::from(cells) / u32::from(whole.max(1));
    let scaled = u16::try_from(scaled).unwrap_or(cells);
    if part > 0 && part < whole && cells > 1 {
        scaled.clamp(1, cells - 1)
    } else {
        scaled.min(cells)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;
    use std::fmt::Write as _;

    pub(in super::super) fn clock(filled: Option<u16>, segments: u16, look: Look<'_>) -> Clock<'_> {
        Clock {
            filled,
            segments,
            role: Role::ClockFill,
            is_pulled: false,
            look,
        }
    }

    #[test]
    fn faces_show_their_wedges() {
        with_looks(|look, name| {
            let mut text = String::new();
            for (filled, segments) in [(0, 4), (3, 4), (4, 4), (5, 8), (50, 128)] {
                let shown_clock = clock(Some(filled), segments, look);
                let face = shown(&shown_clock, LARGE.0, LARGE.1);
                write!(text, "{}\n{face}\n", shown_clock.count()).unwrap();
            }
            let veiled = clock(None, 6, look);
            let face = shown(&veiled, LARGE.0, LARGE.1);
            write!(text, "{}\n{face}\n", veiled.count()).unwrap();
            for (width, height) in [MEDIUM, SMALL, (20, 1), (6, 1), (1, 1)] {
                let face = shown(&clock(Some(3), 8, look), width, height);
                write!(text, "{width}x{height}\n{face}\n").unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("clock_{name}"), text);
            }
        });
    }

    #[test]
    fn a_full_bar_and_an_empty_one_look_like_no_other() {
        with_looks(|look, _| {
            for segments in [2, 4, 12, 20, 128] {
                let bar = |filled| clock(Some(filled), segments, look).bar(10).to_string();
                let (empty, full) = (bar(0), bar(segments));
                assert!((1..segments).all(|filled| ![&empty, &full].contains(&&bar(filled))));
            }
        });
    }

    #[test]
    fn each_segment_up_to_twelve_changes_the_face() {
        with_looks(|look, _| {
            for segments in 2..=SPOKES {
                let face = |filled| shown(&clock(Some(filled), segments, look), LARGE.0, LARGE.1);
                for filled in 0..segments {
                    assert_ne!(face(filled), face(filled + 1), "{filled} of {segments}");
                }
            }
        });
    }
}
