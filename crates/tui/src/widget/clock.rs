//! Progress clocks: a round face with wedges, a bar, or one character. A tug-of-war is a rope with a knot.

use std::convert::Infallible;
use std::f64::consts::TAU;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::terminal::color_depth::Depth;
use crate::theme::Role;
use crate::widget::{Appearance, HIDDEN, row};
use tableside_dice::Memo;

/// The greatest number of segments that a face separates by lines.
const SPOKES: u16 = 12;
/// The least length of a wedge's rim, in dots, for lines between the wedges. Denser lines would blur.
const WEDGE: f64 = 3.6;
/// The greatest number of lines that meet in the middle.
const CROSS: u16 = 4;
/// If there are more lines, they end where the wedges have this width, in dots.
const BETWEEN: f64 = 2.5;

/// The rows of the largest face. Each face is twice as many columns wide.
pub const LARGEST: u16 = 25;
/// The rows of the smallest round face.
pub const SMALLEST: u16 = 3;
/// The rows of the smallest face in ASCII.
const LETTERS: u16 = 5;

/// A progress clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a> {
    /// The number of filled segments, or `None` if the seat does not see the progress.
    pub filled: Option<u16>,
    /// The number of segments that were filled since the last key.
    pub fresh: u16,
    /// The number of segments, at least 1.
    pub segments: u16,
    /// The role of the filled segments.
    pub role: Role,
    /// True for a tug-of-war.
    pub is_pulled: bool,
    pub look: Appearance<'a>,
}

impl Clock<'_> {
    /// Returns the progress as one character.
    pub fn glyph(&self) -> Span<'static> {
        let Some(filled) = self.filled else {
            return Span::styled(HIDDEN, self.look.style(Role::TokenEmpty));
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
            0 => Role::TokenEmpty,
            _ => self.role,
        };
        Span::styled(signs[nth], self.look.style(role))
    }

    /// Returns the progress as numbers: `3/8`.
    pub fn count(&self) -> String {
        let unknown = || format!("?/{}", self.segments);
        let known = |filled| format!("{filled}/{}", self.segments);
        self.filled.map_or_else(unknown, known)
    }

    /// Returns a bar of at most `width` columns, with one sign for each segment if they fit.
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
        let filled = self.filled.unwrap_or(0);
        let full = scale(filled, self.segments, cells);
        let settled = scale(filled.saturating_sub(self.fresh), self.segments, cells);
        Line::from(vec![
            part("▰", settled, self.role),
            part("▰", full - settled, Role::Notice),
            part("▱", cells - full, Role::TokenEmpty),
        ])
    }

    fn draw_face(&self, area: Rect, buffer: &mut Buffer) {
        // Two dots to a row, two to a column: a row is as high as two columns are wide.
        let rows = area.height.min(area.width / 2);
        let left = area.x + (area.width - rows * 2) / 2;
        let top = area.y + (area.height - rows) / 2;
        let roles = [self.role, Role::Notice, Role::ClockEmpty];
        let mut styles = roles.map(|role| self.look.style(role));
        // With few colours, or with the colours of the terminal, shades show the empty segments.
        let is_shaded = self.look.depth <= Depth::Ansi16 || styles[0].fg == styles[2].fg;
        if is_shaded || self.look.ascii {
            // The colour of empty segments is too dim for single signs.
            styles[2] = self.look.style(Role::TokenEmpty);
        }
        let filled = self.filled.unwrap_or(0);
        let settled = filled.saturating_sub(self.fresh);
        let cells = wedges(rows, self.segments);
        for (dots, place) in cells.iter().zip(0..) {
            // The dots of filled segments, of just filled ones, and of empty ones, as bit masks.
            let mut parts = [0_usize; 3];
            for (dot, wedge) in dots.iter().enumerate() {
                let wedge = u16::from(*wedge);
                let part = usize::from(wedge > settled) + usize::from(wedge > filled);
                parts[part] |= usize::from((1..LINE.into()).contains(&wedge)) << dot;
            }
            // The first of equal parts wins.
            let count = |part: &usize| parts[*part].count_ones();
            let most = [2, 1, 0].into_iter().max_by_key(count).unwrap_or(0);
            let others = [2, 1, 0].into_iter().filter(|part| *part != most);
            let next = others.max_by_key(count).unwrap_or(0);
            let lines: u32 = dots.map(|wedge| u32::from(wedge == LINE)).iter().sum();
            let (sign, style) = if self.look.ascii {
                let sign = ['█', '▓', '·'][most];
                (if lines > 1 { ' ' } else { sign }, styles[most])
            } else if !is_shaded {
                // The other dots show the background, or the part with the second most dots.
                let is_shared = parts.iter().sum::<usize>() == ALL_DOTS && parts[next] > 0;
                let ground = styles[next].fg.filter(|_| is_shared);
                let style = ground.map_or(styles[most], |ground| styles[most].bg(ground));
                (QUADRANTS[parts[most]], style)
            } else if most == 2 {
                let is_empty = lines < 2 && parts[2].count_ones() > 1;
                (if is_empty { '░' } else { ' ' }, styles[2])
            } else if parts[1] == ALL_DOTS {
                ('▓', styles[1])
            } else {
                let part = usize::from(parts[1].count_ones() > parts[0].count_ones());
                (QUADRANTS[parts[0] | parts[1]], styles[part])
            };
            let dots = parts[most].count_ones();
            if dots > u32::from(self.look.ascii) && sign != ' ' {
                buffer[(left + place % (rows * 2), top + place / (rows * 2))]
                    .set_char(sign)
                    .set_style(style);
            }
        }
        if self.filled.is_none() {
            let style = self.look.style(Role::Hidden);
            buffer.set_string(left + rows - 1, top + rows / 2, "?", style);
        }
    }
}

/// Returns the wedge of each dot of a face, cell by cell, counted from 1. Dots outside the face have 0.
///
/// The result is cached for each size of face.
fn wedges(rows: u16, segments: u16) -> Arc<[[u8; 4]]> {
    static KNOWN: Memo<(u16, u16), Arc<[[u8; 4]]>> = Memo::new(64);
    let dots = |place: u16| {
        let (column, row) = (place % (rows * 2), place / (rows * 2));
        [0, 1, 2, 3].map(|dot| wedge(column * 2 + dot % 2, row * 2 + dot / 2, rows, segments))
    };
    let work_out = || Ok::<_, Infallible>((0..rows * rows * 2).map(dots).collect());
    let Ok(known) = KNOWN.get_or_compute(&(rows, segments), work_out, |_| 1);
    known
}

/// Returns the wedge of a dot.
fn wedge(column: u16, row: u16, rows: u16, segments: u16) -> u8 {
    // Coordinates from the centre, in heights of a dot.
    let end = f64::from(rows);
    let x = (f64::from(column) + 0.5) * 0.5 - end;
    let y = f64::from(row) + 0.5 - end;
    let radius = x.hypot(y);
    if radius > end {
        return 0;
    }
    let count = f64::from(segments);
    // The angle from twelve o'clock, clockwise, in segments.
    let turn = |y: f64| (x.atan2(-y) / TAU).rem_euclid(1.0) * count;
    // A horizontal line between two rows of dots belongs to the upper row.
    let nearby = turn(y + 0.1).fract();
    let arc = radius * TAU / count;
    let is_few = (2..=SPOKES).contains(&segments) && end * TAU / count >= WEDGE;
    let has_lines = rows > SMALLEST && is_few;
    let is_clear = segments <= CROSS || arc > BETWEEN;
    if has_lines && is_clear && nearby.min(1.0 - nearby) * arc < 0.5 {
        return LINE;
    }
    let mut wedges = (1..=segments).rev();
    let nth = wedges.find(|nth| f64::from(nth - 1) <= turn(y));
    nth.and_then(|nth| u8::try_from(nth).ok()).unwrap_or(1)
}

impl Widget for &Clock<'_> {
    /// Draws the largest form that fits.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let smallest = if self.look.ascii { LETTERS } else { SMALLEST };
        let is_large = area.width >= smallest * 2 && area.height >= smallest;
        let is_round = is_large && !(self.is_pulled && self.filled.is_some());
        if is_round {
            self.draw_face(area, buffer);
        } else if area.width >= 3 {
            let middle = if area.height > 2 { area.height / 2 } else { 0 };
            self.look
                .put(&self.bar(area.width), row(area, middle), buffer);
        } else {
            self.look.put(&self.glyph().into(), area, buffer);
        }
    }
}

/// The value of dots on a line between two wedges.
const LINE: u8 = u8::MAX;
/// The bit mask of all quarters of a cell.
const ALL_DOTS: usize = 15;

/// The block signs, indexed by the bit mask of their quarters: upper left, upper right, lower left, lower right.
const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// Scales `part` of `whole` to `cells`. Only 0 becomes 0, and only the whole becomes all cells.
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
    use super::*;
    use crate::theme::Theme;
    use crate::widget::tests::{shown, with_looks};
    use ratatui::style::Color;
    use std::fmt::Write as _;

    pub(in super::super) fn clock(
        filled: Option<u16>,
        segments: u16,
        look: Appearance<'_>,
    ) -> Clock<'_> {
        Clock {
            filled,
            fresh: 0,
            segments,
            role: Role::ClockFill,
            is_pulled: false,
            look,
        }
    }

    /// How a clock looks on a face of so many rows.
    fn face(shown_clock: &Clock<'_>, rows: u16) -> String {
        shown(shown_clock, rows * 2, rows)
    }

    #[test]
    fn faces_show_their_wedges() {
        with_looks(|look, name| {
            // Without colour each part has a sign of its own.
            let look = Appearance {
                depth: Depth::Mono,
                ..look
            };
            let mut text = String::new();
            let freshly = Clock {
                fresh: 2,
                ..clock(Some(5), 8, look)
            };
            for shown_clock in [
                clock(Some(0), 4, look),
                clock(Some(1), 3, look),
                freshly,
                clock(Some(50), 128, look),
                clock(None, 6, look),
            ] {
                let face = face(&shown_clock, 7);
                write!(text, "{}\n{face}\n", shown_clock.count()).unwrap();
            }
            for (width, height) in [(26, 13), (18, 9), (10, 5), (6, 3), (20, 1), (6, 1), (1, 1)] {
                let face = shown(&clock(Some(3), 8, look), width, height);
                write!(text, "{width}x{height}\n{face}\n").unwrap();
            }
            insta::assert_snapshot!(format!("clock_{name}"), text);
        });
    }

    /// The colours of a face, each with how many quarters of a cell it has.
    fn colours(shown_clock: &Clock<'_>, rows: u16) -> Vec<(Color, u32)> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, rows * 2, rows));
        shown_clock.render(buffer.area, &mut buffer);
        let mut all: Vec<(Color, u32)> = Vec::new();
        for cell in &buffer.content {
            let sign = cell.symbol().chars().next();
            let dots = QUADRANTS.iter().position(|known| Some(*known) == sign);
            let dots = dots.unwrap().count_ones();
            for (colour, dots) in [(cell.fg, dots), (cell.bg, 4 - dots)] {
                match all.iter_mut().find(|(known, _)| *known == colour) {
                    Some((_, count)) => *count += dots,
                    None => all.push((colour, dots)),
                }
            }
        }
        all
    }

    #[test]
    fn each_part_of_a_face_has_its_colour_and_its_share() {
        let theme = Theme::default();
        let look = Appearance::new(&theme, Depth::True);
        let colour = |role| look.style(role).fg.unwrap();
        for (rows, segments) in [(3, 3), (5, 3), (7, 8), (13, 6), (25, 12)] {
            let half = Clock {
                fresh: 1,
                ..clock(Some(segments / 2), segments, look)
            };
            let found = colours(&half, rows);
            let dots = |role| {
                let mut found = found.iter();
                let found = found.find(|(known, _)| *known == colour(role));
                found.map_or(0.0, |(_, dots)| f64::from(*dots))
            };
            let parts = [Role::ClockFill, Role::Notice, Role::ClockEmpty].map(dots);
            let all: f64 = parts.iter().sum();
            for (part, wedges) in parts
                .iter()
                .zip([segments / 2 - 1, 1, segments.div_ceil(2)])
            {
                let due = f64::from(wedges) / f64::from(segments);
                let share = part / all;
                assert!(
                    (share - due).abs() < 0.08,
                    "{rows} {segments}: {share} for {due}"
                );
            }
            let area = f64::from(rows).powi(2) * std::f64::consts::PI * 2.0;
            assert!(
                all > area * 0.7 && all < area * 1.05,
                "{rows}: {all} of {area}"
            );
        }
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
                let look = Appearance {
                    depth: Depth::Mono,
                    ..look
                };
                let face = |filled| face(&clock(Some(filled), segments, look), 7);
                for filled in 0..segments {
                    assert_ne!(face(filled), face(filled + 1), "{filled} of {segments}");
                }
            }
        });
    }
}
