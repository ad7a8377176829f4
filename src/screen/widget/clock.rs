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

use super::Look;
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
    /// None when only its being there is known.
    filled: Option<u16>,
    segments: u16,
    role: Role,
    /// It is pulled between two ends.
    is_pulled: bool,
    look: Look<'a>,
}

impl<'a> Clock<'a> {
    /// A clock with so many of its segments filled; `None` where that is not known.
    pub fn new(filled: Option<u16>, segments: u16, look: Look<'a>) -> Self {
        let segments = segments.max(1);
        Self {
            filled: filled.map(|filled| filled.min(segments)),
            segments,
            role: Role::ClockFill,
            is_pulled: false,
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
            is_pulled: true,
            ..self
        }
    }

    /// How full, in one character.
    pub fn glyph(&self) -> Span<'static> {
        let unicode = ["○", "◔", "◑", "◕", "●"];
        let [empty, little, half, much, full] = self.look.pick(unicode, [".", "-", "=", "+", "#"]);
        let (sign, role) = match self.filled {
            Some(filled) if self.is_pulled => return tug::glyph(filled, self.segments, self.look),
            None => (self.look.pick("◌", "?"), Role::ClockEmpty),
            Some(0) => (empty, Role::ClockEmpty),
            Some(filled) => {
                let eighths = u32::from(filled) * 8 / u32::from(self.segments);
                let sign = match eighths {
                    0..=2 => little,
                    3..=4 => half,
                    5..=7 => much,
                    _ => full,
                };
                (sign, self.role)
            }
        };
        Span::styled(sign, self.look.style(role))
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
        if let Some(filled) = self.filled.filter(|_| self.is_pulled) {
            return tug(filled, self.segments, width, self.look);
        }
        let [on, off, veil] = self.look.pick(["▰", "▱", "▱"], ["#", "-", "?"]);
        let cells = self
            .segments
            .min(self.look.pick(width, width.saturating_sub(2)));
        let full = scale(self.filled.unwrap_or(0), self.segments, cells);
        let off = if self.filled.is_some() { off } else { veil };
        Line::from(vec![
            Span::raw(self.look.pick("", "[")),
            Span::styled(on.repeat(full.into()), self.look.style(self.role)),
            Span::styled(
                off.repeat((cells - full).into()),
                self.look.style(Role::ClockEmpty),
            ),
            Span::raw(self.look.pick("", "]")),
        ])
    }

    /// What a dot of the face belongs to.
    fn belongs(&self, dot: Dot) -> Belongs {
        let Dot {
            radius,
            turn,
            lower,
            height,
        } = dot;
        if radius > 1.0 {
            return Belongs::Outside;
        }
        let at = turn * f64::from(self.segments);
        let nearby = lower * f64::from(self.segments);
        let to_spoke =
            nearby.fract().min(1.0 - nearby.fract()) / f64::from(self.segments) * TAU * radius;
        let room = f64::from(self.segments) * WEDGE * height <= TAU;
        let on_spoke = (2..=SPOKES).contains(&self.segments) && room && to_spoke < height * 0.45;
        if on_spoke {
            Belongs::Gap
        } else if at < f64::from(self.filled.unwrap_or(0)) {
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
        let dots = dots(rows);
        let mut cells = dots.iter();
        for row in 0..rows {
            for column in 0..rows * 2 {
                let (mut filled, mut empty, mut gap) = (0_usize, 0, 0);
                for (index, dot) in cells.next().into_iter().flatten().enumerate() {
                    match self.belongs(*dot) {
                        Belongs::Filled => filled |= 1 << index,
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
        }
        if self.filled.is_none() {
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
                let (sign, role) = match self.belongs(Dot::at(x, y, 0.0)) {
                    Belongs::Outside | Belongs::Gap => continue,
                    Belongs::Filled => ("#", self.role),
                    Belongs::Empty if self.filled.is_none() => ("?", Role::ClockEmpty),
                    Belongs::Empty => (".", Role::ClockEmpty),
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
        match self.filled.filter(|_| self.is_pulled) {
            Some(filled) if round => {
                tug::draw((filled, self.segments), self.look, area, buffer);
            }
            None if round && self.look.ascii => self.draw_ascii_face(area, buffer),
            None if round => self.draw_face(area, buffer),
            _ if area.width >= 3 => self.look.put(&self.bar(area.width), area, buffer),
            _ => self.look.put(&self.glyph().into(), area, buffer),
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
mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn faces_show_their_wedges() {
        with_looks(|look, name| {
            let mut text = String::new();
            for (filled, segments) in [(0, 4), (3, 4), (4, 4), (5, 8), (50, 128)] {
                let clock = Clock::new(Some(filled), segments, look);
                let face = shown(&clock, LARGE.0, LARGE.1);
                write!(text, "{}\n{face}\n", clock.count()).unwrap();
            }
            let veiled = Clock::new(None, 6, look);
            let face = shown(&veiled, LARGE.0, LARGE.1);
            write!(text, "{}\n{face}\n", veiled.count()).unwrap();
            for (width, height) in [MEDIUM, SMALL, (20, 1), (6, 1), (1, 1)] {
                let face = shown(&Clock::new(Some(3), 8, look), width, height);
                write!(text, "{width}x{height}\n{face}\n").unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("clock_{name}"), text);
            }
        });
    }

    #[test]
    fn a_filled_clock_never_looks_like_another() {
        with_looks(|look, _| {
            for segments in [2, 4, 6, 8, 12, 20, 128] {
                let face =
                    |filled| shown(&Clock::new(Some(filled), segments, look), LARGE.0, LARGE.1);
                let bar = |filled| Clock::new(Some(filled), segments, look).bar(10).to_string();
                assert_ne!(face(0), face(segments));
                for filled in 1..segments {
                    assert_ne!(bar(filled), bar(0));
                    assert_ne!(bar(filled), bar(segments));
                    assert_ne!(
                        Clock::new(Some(filled), segments, look).glyph().content,
                        "●"
                    );
                }
            }
        });
    }

    #[test]
    fn each_segment_up_to_twelve_changes_the_face() {
        with_looks(|look, _| {
            for segments in 2..=SPOKES {
                let face =
                    |filled| shown(&Clock::new(Some(filled), segments, look), LARGE.0, LARGE.1);
                for filled in 0..segments {
                    assert_ne!(face(filled), face(filled + 1), "{filled} of {segments}");
                }
            }
        });
    }
}
