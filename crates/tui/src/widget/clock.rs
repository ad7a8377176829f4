//! Progress clocks, drawn as a round face with wedges, as a bar, or as one character. A tug-of-war is a rope with a
//! knot.

mod face;

use std::cmp::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::theme::Role;
use crate::widget::{Appearance, HIDDEN, row};

/// The number of rows of the largest face. Each face has twice as many columns as rows.
pub const LARGEST: u16 = 25;
/// The number of rows of the smallest round face.
pub const SMALLEST: u16 = 5;

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
            return self.look.span(HIDDEN, Role::TokenEmpty);
        };

        let eighths = u32::from(filled) * 8 / u32::from(self.segments);
        let (sign, role) = if self.is_pulled {
            self.rope_glyph(filled)
        } else {
            match eighths {
                _ if filled == 0 => ("○", Role::TokenEmpty),
                0..=2 => ("◔", self.role),
                3..=4 => ("◑", self.role),
                // One of many segments is left.
                5..=7 if filled + 1 == self.segments => ("◕", Role::Warning),
                5..=7 => ("◕", self.role),
                8.. => ("●", self.role),
            }
        };
        self.look.span(sign, role)
    }

    /// Returns the sign of a tug-of-war, which points to the side that is ahead.
    fn rope_glyph(&self, filled: u16) -> (&'static str, Role) {
        match (filled * 2).cmp(&self.segments) {
            Ordering::Less if filled == 0 => ("◀", Role::CountdownFill),
            Ordering::Less => ("◁", Role::CountdownFill),
            Ordering::Equal => ("◆", Role::ClockFill),
            Ordering::Greater if filled >= self.segments => ("▶", Role::ClockFill),
            Ordering::Greater => ("▷", Role::ClockFill),
        }
    }

    /// Returns the progress as numbers: `3/8`.
    pub fn count(&self) -> String {
        match self.filled {
            Some(filled) => format!("{filled}/{}", self.segments),
            None => format!("?/{}", self.segments),
        }
    }

    /// Returns a bar of at most `width` columns, with one sign for each segment if all segments fit.
    pub fn bar(&self, width: u16) -> Line<'static> {
        if self.is_pulled
            && let Some(filled) = self.filled
        {
            return self.rope(filled, width);
        }

        let filled = self.filled.unwrap_or(0);
        let settled = filled.saturating_sub(self.fresh);
        let cells = self.segments.min(width);
        let full_cells = scale(filled, self.segments, cells);
        let settled_cells = scale(settled, self.segments, cells);
        Line::from(vec![
            self.repeat("▰", settled_cells, self.role),
            self.repeat("▰", full_cells - settled_cells, Role::Notice),
            self.repeat("▱", cells - full_cells, Role::TokenEmpty),
        ])
    }

    /// Returns a tug-of-war as a rope with a knot.
    fn rope(&self, filled: u16, width: u16) -> Line<'static> {
        let rope_cells = width.saturating_sub(3).max(1);
        let cells_before_knot = scale(filled, self.segments, rope_cells);
        let cells_after_knot = rope_cells - cells_before_knot;
        Line::from(vec![
            self.repeat("┣", 1, Role::ClockFill),
            self.repeat("━", cells_before_knot, Role::ClockFill),
            self.repeat("◆", 1, Role::Marker),
            self.repeat("─", cells_after_knot, Role::CountdownFill),
            self.repeat("┤", 1, Role::CountdownFill),
        ])
    }

    fn repeat(&self, sign: &str, count: u16, role: Role) -> Span<'static> {
        self.look.span(sign.repeat(count.into()), role)
    }
}

impl Widget for &Clock<'_> {
    /// Draws the largest form that fits.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let has_room_for_face = area.width >= SMALLEST * 2 && area.height >= SMALLEST;
        let is_rope = self.is_pulled && self.filled.is_some();

        if has_room_for_face && !is_rope {
            self.draw_face(area, buffer);
        } else if area.width >= 3 {
            let is_high = area.height > 2;
            let middle = if is_high { area.height / 2 } else { 0 };
            let bar = self.bar(area.width);
            self.look.put(&bar, row(area, middle), buffer);
        } else {
            let glyph = Line::from(self.glyph());
            self.look.put(&glyph, area, buffer);
        }
    }
}

/// Returns the number of cells that show `part` of `whole`. Only 0 becomes 0 cells, and only the whole becomes all
/// cells.
fn scale(part: u16, whole: u16, cells: u16) -> u16 {
    let product = u32::from(part) * u32::from(cells);
    let share = product / u32::from(whole.max(1));
    let scaled = u16::try_from(share).unwrap_or(cells);
    if part > 0 && part < whole && cells > 1 {
        scaled.clamp(1, cells - 1)
    } else {
        scaled.min(cells)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::terminal::color_depth::Depth;
    use crate::theme::Theme;
    use crate::widget::clock::face::{FacePalette, MAX_SEPARATED, QUADRANTS, SHADES};
    use crate::widget::tests::{shown, with_looks};
    use ratatui::style::{Color, Style};
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

    /// Draws a clock as a face with this number of rows.
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

    /// Returns the colours of a face, each with its number of dots.
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
        for (rows, segments) in [(5, 3), (7, 8), (13, 6), (25, 12)] {
            let half = Clock {
                fresh: 1,
                ..clock(Some(segments / 2), segments, look)
            };
            let found = colours(&half, rows);
            let FacePalette::Colors { fills } = FacePalette::new(&half) else {
                panic!("the theme has colours");
            };
            let dots = |shades: [Style; SHADES]| {
                let of_fill = |(known, _): &&(Color, u32)| {
                    shades.iter().any(|shade| shade.fg == Some(*known))
                };
                let dots: u32 = found.iter().filter(of_fill).map(|(_, dots)| dots).sum();
                f64::from(dots)
            };
            let parts = [fills.filled, fills.fresh, fills.empty].map(dots);
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
            for segments in 2..=MAX_SEPARATED {
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
