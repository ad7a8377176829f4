//! Progress clocks: a round face with wedges, a bar, or one character.

mod tug;

use std::cell::RefCell;
use std::f64::consts::TAU;
use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use rustc_hash::FxHashMap;

use super::{Look, columns};
use crate::screen::theme::Role;
pub use tug::tug;

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
    filled: u16,
    segments: u16,
    role: Role,
    veiled: bool,
    /// It is pulled between two ends.
    pulled: bool,
    look: Look<'a>,
}

impl<'a> Clock<'a> {
    /// A clock with so many of its segments filled.
    pub fn new(filled: u16, segments: u16, look: Look<'a>) -> Self {
        let segments = segments.max(1);
        Self {
            filled: filled.min(segments),
            segments,
            role: Role::ClockFill,
            veiled: false,
            pulled: false,
            look,
        }
    }

    /// It fills on trouble.
    #[must_use]
    pub fn countdown(self) -> Self {
        Self {
            role: Role::CountdownFill,
            ..self
        }
    }

    /// It is a tug of war.
    #[must_use]
    pub fn pulled(self) -> Self {
        Self {
            pulled: true,
            ..self
        }
    }

    /// It is known to exist, but not how full it is.
    #[must_use]
    pub fn veiled(self) -> Self {
        Self {
            veiled: true,
            ..self
        }
    }

    /// How full, in one character.
    pub fn glyph(&self) -> Span<'static> {
        let quarters = u32::from(self.filled) * 8 / u32::from(self.segments);
        let [empty, little, half, much, full] = self
            .look
            .pick(["○", "◔", "◑", "◕", "●"], [".", "-", "=", "+", "#"]);
        if self.pulled && !self.veiled {
            return tug::glyph(self.filled, self.segments, self.look);
        }
        let sign = match quarters {
            _ if self.veiled => self.look.pick("◌", "?"),
            _ if self.filled == 0 => empty,
            0..=2 => little,
            3..=4 => half,
            5..=7 => much,
            _ => full,
        };
        Span::styled(
            sign,
            self.look.style(if self.filled == 0 {
                Role::ClockEmpty
            } else {
                self.role
            }),
        )
    }

    /// How full, in numbers: `3/8`.
    pub fn count(&self) -> String {
        if self.veiled {
            format!("?/{}", self.segments)
        } else {
            format!("{}/{}", self.filled, self.segments)
        }
    }

    /// A bar of at most so many columns: one sign for a segment where there is room.
    pub fn bar(&self, width: u16) -> Line<'static> {
        if self.pulled && !self.veiled {
            return tug(self.filled, self.segments, width, self.look);
        }
        let room = self.look.pick(width, width.saturating_sub(2));
        let cells = self.segments.min(room);
        let full = scale(self.filled, self.segments, cells);
        let [on, off, veil] = self.look.pick(["▰", "▱", "▱"], ["#", "-", "?"]);
        let (on_role, off_role) = (
            self.look.style(self.role),
            self.look.style(Role::ClockEmpty),
        );
        let mut line = Line::default();
        line.push_span(self.look.pick("", "["));
        if self.veiled {
            line.push_span(Span::styled(veil.repeat(cells.into()), off_role));
        } else {
            line.push_span(Span::styled(on.repeat(full.into()), on_role));
            line.push_span(Span::styled(off.repeat((cells - full).into()), off_role));
        }
        line.push_span(self.look.pick("", "]"));
        line
    }

    /// What a dot of the face belongs to.
    fn part(&self, dot: Dot) -> Part {
        let Dot {
            radius,
            turn,
            lower,
            height,
        } = dot;
        if radius > 1.0 {
            return Part::Outside;
        }
        let at = turn * f64::from(self.segments);
        let nearby = lower * f64::from(self.segments);
        let to_spoke =
            nearby.fract().min(1.0 - nearby.fract()) / f64::from(self.segments) * TAU * radius;
        let room = f64::from(self.segments) * WEDGE * height <= TAU;
        let on_spoke = (2..=SPOKES).contains(&self.segments) && room && to_spoke < height * 0.45;
        if on_spoke {
            Part::Gap
        } else if !self.veiled && at < f64::from(self.filled) {
            Part::Filled
        } else {
            Part::Empty
        }
    }

    fn draw_face(&self, area: Rect, buffer: &mut Buffer) {
        // Two dots to a row, two to a column: a row is as high as two columns are wide.
        let rows = area.height.min(area.width / 2);
        let left = area.x + (area.width - rows * 2) / 2;
        let top = area.y + (area.height - rows) / 2;
        let dots = dots(rows);
        let mut cells = dots.iter();
        for row in 0..rows {
            for column in 0..rows * 2 {
                let (mut filled, mut empty, mut gap) = (0_usize, 0, 0);
                for (index, dot) in cells.next().into_iter().flatten().enumerate() {
                    match self.part(*dot) {
                        Part::Filled => filled |= 1 << index,
                        Part::Empty => empty += 1,
                        Part::Gap => gap += 1,
                        Part::Outside => {}
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
        }
        if self.veiled {
            let middle = (left + rows - 1, top + rows / 2);
            buffer.set_string(middle.0, middle.1, "?", self.look.style(Role::Hidden));
        }
    }

    fn draw_ascii_face(&self, area: Rect, buffer: &mut Buffer) {
        let rows = area.height.min(area.width / 2);
        let left = area.x + (area.width - rows * 2) / 2;
        let place = |cell: u16, cells: u16| (f64::from(cell) + 0.5) / f64::from(cells) * 2.0 - 1.0;
        for row in 0..rows {
            for column in 0..rows * 2 {
                let (x, y) = (place(column, rows * 2), place(row, rows));
                // No spokes: a character is too coarse for them.
                let (sign, role) = match self.part(Dot::at(x, y, 0.0)) {
                    Part::Outside | Part::Gap => continue,
                    Part::Filled => ("#", self.role),
                    Part::Empty if self.veiled => ("?", Role::ClockEmpty),
                    Part::Empty => (".", Role::ClockEmpty),
                };
                buffer.set_string(left + column, area.y + row, sign, self.look.style(role));
            }
        }
    }
}

/// Where a dot of a face lies.
#[derive(Clone, Copy, Debug)]
struct Dot {
    /// How far from the middle; 1 at the rim.
    radius: f64,
    /// Which part of a turn, from twelve o'clock on, as the hands go.
    turn: f64,
    /// The same a little lower: a level line between two rows of dots belongs to the upper one.
    lower: f64,
    /// How high a dot is.
    height: f64,
}

impl Dot {
    /// The dot there, from the middle, both −1 to 1 at the rim.
    fn at(x: f64, y: f64, height: f64) -> Self {
        let turn = |y: f64| (x.atan2(-y) / TAU).rem_euclid(1.0);
        Self {
            radius: x.hypot(y),
            turn: turn(y),
            lower: turn(y + height * 0.1),
            height,
        }
    }
}

/// The four dots of each cell of a face of so many rows, row by row. They are the same in every frame, and
/// worked out once.
fn dots(rows: u16) -> Rc<[[Dot; 4]]> {
    thread_local! {
        static FACES: RefCell<FxHashMap<u16, Rc<[[Dot; 4]]>>> = RefCell::default();
    }
    let work_out = || {
        let across = |dots: u16| f64::from(rows) * f64::from(dots);
        let place = |dot: u16, dots: u16| (f64::from(dot) + 0.5) / across(dots) * 2.0 - 1.0;
        let cells = (0..rows).flat_map(|row| (0..rows * 2).map(move |column| (column, row)));
        let dots = cells.map(|(column, row)| {
            [0, 1, 2, 3].map(|index| {
                let (x, y) = (column * 2 + index % 2, row * 2 + index / 2);
                Dot::at(place(x, 4), place(y, 2), 2.0 / across(2))
            })
        });
        dots.collect()
    };
    FACES.with_borrow_mut(|faces| Rc::clone(faces.entry(rows).or_insert_with(work_out)))
}

impl Widget for &Clock<'_> {
    /// Draws the largest form that fits.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let round = area.width >= SMALL.0 && area.height >= SMALL.1;
        if area.is_empty() {
        } else if round && self.pulled && !self.veiled {
            tug::draw((self.filled, self.segments), self.look, area, buffer);
        } else if round && self.look.ascii {
            self.draw_ascii_face(area, buffer);
        } else if round {
            self.draw_face(area, buffer);
        } else if area.width >= 3 {
            buffer.set_line(area.x, area.y, &self.bar(area.width), area.width);
        } else {
            buffer.set_span(area.x, area.y, &self.glyph(), area.width);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
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

/// The columns of a bar and a count side by side, for a card.
pub fn card_width(segments: u16, look: Look<'_>) -> u16 {
    let bar = segments.min(SPOKES) + look.pick(0, 2);
    bar + 1 + columns(&format!("{segments}/{segments}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn faces_show_their_wedges() {
        with_looks(|look, name| {
            let mut text = String::new();
            for (filled, segments) in [
                (0, 4),
                (1, 4),
                (3, 4),
                (4, 4),
                (3, 6),
                (5, 8),
                (7, 12),
                (50, 128),
            ] {
                let clock = Clock::new(filled, segments, look);
                write!(
                    text,
                    "{}\n{}\n",
                    clock.count(),
                    shown(&clock, LARGE.0, LARGE.1)
                )
                .unwrap();
            }
            let veiled = Clock::new(2, 6, look).veiled();
            write!(
                text,
                "{}\n{}\n",
                veiled.count(),
                shown(&veiled, LARGE.0, LARGE.1)
            )
            .unwrap();
            for (width, height) in [MEDIUM, SMALL, (20, 1), (6, 1), (1, 1)] {
                write!(
                    text,
                    "{width}x{height}\n{}\n",
                    shown(&Clock::new(3, 8, look), width, height)
                )
                .unwrap();
            }
            insta::assert_snapshot!(format!("clock_{name}"), text);
        });
    }

    #[test]
    fn a_filled_clock_never_looks_like_another() {
        with_looks(|look, _| {
            for segments in [2, 4, 6, 8, 12, 20, 128] {
                let face = |filled| shown(&Clock::new(filled, segments, look), LARGE.0, LARGE.1);
                let bar = |filled| Clock::new(filled, segments, look).bar(10).to_string();
                assert_ne!(face(0), face(segments));
                for filled in 1..segments {
                    assert_ne!(bar(filled), bar(0));
                    assert_ne!(bar(filled), bar(segments));
                    assert_ne!(Clock::new(filled, segments, look).glyph().content, "●");
                }
            }
        });
    }

    #[test]
    fn each_segment_up_to_twelve_changes_the_face() {
        with_looks(|look, _| {
            for segments in 2..=SPOKES {
                let face = |filled| shown(&Clock::new(filled, segments, look), LARGE.0, LARGE.1);
                for filled in 0..segments {
                    assert_ne!(face(filled), face(filled + 1), "{filled} of {segments}");
                }
            }
        });
    }

    #[test]
    fn a_tug_of_war_has_two_ends() {
        with_looks(|look, name| {
            let lines: Vec<String> = (0..=8).map(|at| tug(at, 8, 13, look).to_string()).collect();
            insta::assert_snapshot!(format!("tug_{name}"), lines.join("\n"));
        });
    }
}
