//! Frames as bytes: what a picture of ratatui's widgets becomes, for the local terminal and for SSH alike.
//!
//! A display remembers one picture, the one that its terminal shows. The next is painted on paper that all
//! displays of a thread share, and what differs is sent; then the two change places. ratatui's own
//! `Terminal` keeps two pictures to each screen, and compares and copies every cell twice on the way.
//!
//! It never asks a terminal anything: a size is told to it, and it knows where the cursor is and
//! which colours are on because it put them there. A frame is one run of bytes, and there is none when
//! nothing has changed. One of more than a few cells stands in synchronized output (DEC 2026), so that
//! it appears whole. Lines that only moved are moved by the terminal itself, where that is shorter.

mod change;
mod scroll;
mod sgr;

use std::cell::RefCell;
use std::mem;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};

use super::color_depth::Depth;
use crate::text;
use change::{changes, columns_of};
use scroll::Shift;
use sgr::{Ink, Pen};

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// From so many blanks on, erasing them and stepping over them is shorter than writing them.
const WORTH_ERASING: u16 = 12;

/// From so many bytes on it is worth looking for lines that only moved: to have them moved, and to draw
/// the one that comes in, takes about as many.
const WORTH_MOVING: usize = 120;

/// So many bytes appear at once, whatever the terminal: it reads more than that at a time.
const AT_ONCE: usize = 400;

/// The largest frame that is drawn: a size is the far end's word, and every cell takes memory.
const LARGEST: Size = Size {
    width: 1000,
    height: 500,
};

thread_local! {
    /// What the next picture is painted on.
    static PAPER: RefCell<Buffer> = RefCell::new(Buffer::default());
}

/// What a terminal shows, and the bytes that bring it from one picture to the next.
#[derive(Debug)]
pub struct Display {
    bytes: Vec<u8>,
    size: Size,
    ascii: bool,
    pen: Pen,
    /// Where the terminal's cursor is; unknown where terminals disagree.
    at: Option<Position>,
    /// Whether the terminal shows its cursor; unknown at first.
    is_cursor_shown: Option<bool>,
    /// What the terminal shows; of another size than the display's where everything is to be drawn anew.
    shown: Buffer,
    /// Nothing has been drawn yet, or everything is erased: there is nothing that could have moved.
    is_bare: bool,
    /// Whether the terminal fills what it erases with the colour that is on.
    erases: bool,
}

impl Display {
    /// A display for a terminal of this size, at most 1000×500, that shows so many colours. The terminal is
    /// blank.
    pub fn new(width: u16, height: u16, depth: Depth) -> Self {
        let size = bounded(width, height);
        Self {
            bytes: Vec::new(),
            size,
            shown: Buffer::empty(Rect::from((Position::ORIGIN, size))),
            is_bare: true,
            erases: false,
            ascii: false,
            pen: Pen::new(depth),
            at: None,
            is_cursor_shown: None,
        }
    }

    /// Sends ASCII and nothing else: letters outside it become `?`.
    #[must_use]
    pub fn ascii(self, ascii: bool) -> Self {
        Self { ascii, ..self }
    }

    /// Erases long blanks, for terminals that fill what they erase with the colour that is on.
    #[must_use]
    pub fn erases(self, erases: bool) -> Self {
        Self { erases, ..self }
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        (self.size.width, self.size.height)
    }

    /// Tells the size; where it is another one, the next frame draws everything anew.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = bounded(width, height);
    }

    /// Forgets what the terminal shows, because somebody else has written to it: the next frame draws
    /// everything anew.
    pub fn forget(&mut self) {
        self.pen.forget();
        self.is_cursor_shown = None;
        self.shown = Buffer::default();
    }

    /// Paints the next picture, on a blank one; answers with what is to be written to the terminal at once,
    /// empty when nothing changed. The cursor is seen where the painter says.
    pub fn frame(&mut self, paint: impl FnOnce(&mut Buffer) -> Option<Position>) -> Vec<u8> {
        // Whoever paints on it paints nothing else meanwhile; a painter that panicked left it to the next.
        let mut paper = PAPER.take();
        let area = Rect::from((Position::ORIGIN, self.size));
        paper.resize(area);
        paper.reset();
        let cursor = paint(&mut paper);
        if self.shown.area != area {
            self.clear(area);
        }
        let before = mem::replace(&mut self.shown, paper);
        PAPER.set(self.encode(before));
        self.finish(cursor)
    }

    /// Whether there is no picture that [`retouch`](Self::retouch) could go on from.
    pub fn is_blank(&self) -> bool {
        self.shown.area != Rect::from((Position::ORIGIN, self.size))
    }

    /// The same as [`frame`](Self::frame) where only these areas may be otherwise: the painter paints
    /// them, on blanks, and nothing else; all else stays as it is shown. They do not overlap, and no letter
    /// stands across their edges.
    pub fn retouch(
        &mut self,
        areas: &[Rect],
        paint: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> Vec<u8> {
        let mut paper = PAPER.take();
        paper.resize(self.shown.area);
        for row in areas.iter().flat_map(|area| area.rows()) {
            cells(&mut paper, row).fill(Cell::EMPTY);
        }
        let cursor = paint(&mut paper);
        let mut shown = mem::take(&mut self.shown);
        for area in areas {
            self.draw_difference(&shown, &paper, *area);
        }
        for row in areas.iter().flat_map(|area| area.rows()) {
            cells(&mut shown, row).swap_with_slice(cells(&mut paper, row));
        }
        self.shown = shown;
        PAPER.set(paper);
        self.finish(cursor)
    }

    /// The bytes of a frame; the cursor is seen there.
    fn finish(&mut self, cursor: Option<Position>) -> Vec<u8> {
        self.put_cursor(cursor);
        let frame = mem::take(&mut self.bytes);
        if frame.len() > AT_ONCE {
            [BEGIN, &frame, END].concat()
        } else {
            frame
        }
    }

    /// What it believes that its terminal shows.
    #[cfg(debug_assertions)]
    pub(super) fn shown(&self) -> &Buffer {
        &self.shown
    }

    fn put_cursor(&mut self, cursor: Option<Position>) {
        if let Some(cursor) = cursor
            && self.at != Some(cursor)
        {
            self.move_to(cursor);
        }
        if self.is_cursor_shown != Some(cursor.is_some()) {
            let toggle: &[u8] = if cursor.is_some() {
                b"\x1b[?25h"
            } else {
                b"\x1b[?25l"
            };
            self.put(toggle);
            self.is_cursor_shown = Some(cursor.is_some());
        }
    }

    /// Erases everything, whatever is there.
    fn clear(&mut self, area: Rect) {
        // Terminals fill with the colour that is on.
        self.pen.reset(&mut self.bytes);
        self.put(b"\x1b[2J");
        self.at = None;
        self.shown = Buffer::empty(area);
        self.is_bare = true;
    }

    /// Writes what brings the terminal from one picture to the one it is to show, the shorter way; gives
    /// the paper of the former back.
    fn encode(&mut self, mut before: Buffer) -> Buffer {
        let start = (self.bytes.len(), self.pen.ink(), self.at);
        let next = mem::take(&mut self.shown);
        self.draw_difference(&before, &next, next.area);
        if !mem::take(&mut self.is_bare) {
            self.encode_moved(&mut before, &next, start);
        }
        self.shown = next;
        before
    }

    /// Takes the bytes since that start back where it is shorter to have the terminal move lines.
    fn encode_moved(
        &mut self,
        before: &mut Buffer,
        next: &Buffer,
        start: (usize, Option<Ink>, Option<Position>),
    ) {
        if self.bytes.len() - start.0 < WORTH_MOVING {
            return;
        }
        let Some(shift) = scroll::find(before, next) else {
            return;
        };
        let plain = self.bytes.split_off(start.0);
        let plainly = (
            self.pen.change_ink(start.1),
            mem::replace(&mut self.at, start.2),
        );
        shift.apply(before);
        self.shift(shift);
        self.draw_difference(before, next, next.area);
        if self.bytes.len() - start.0 >= plain.len() {
            self.bytes.truncate(start.0);
            self.bytes.extend_from_slice(&plain);
            self.pen.change_ink(plainly.0);
            self.at = plainly.1;
        }
    }

    /// Has the terminal move lines.
    fn shift(&mut self, shift: Shift) {
        // Terminals differ in the ground that new lines come in: those are drawn whole.
        let (top, bottom) = (shift.top + 1, shift.bottom);
        let (count, way) = (
            shift.by.unsigned_abs(),
            if shift.by > 0 { 'L' } else { 'M' },
        );
        let count = if count == 1 {
            String::new()
        } else {
            count.to_string()
        };
        let bytes = format!("\x1b[{top};{bottom}r\x1b[{top}H\x1b[{count}{way}\x1b[r");
        self.bytes.extend_from_slice(bytes.as_bytes());
        self.at = Some(Position::ORIGIN);
    }

    fn draw_difference(&mut self, before: &Buffer, next: &Buffer, area: Rect) {
        let mut erased = 0;
        let changed = changes(before, next, area);
        for (index, (x, y, cell)) in changed.iter().enumerate() {
            let (at, cell) = (Position { x: *x, y: *y }, *cell);
            if index < erased {
                continue;
            }
            if let Some(blanks) = self.blanks(changed.get(index..).unwrap_or_default()) {
                erased = index + usize::from(blanks);
                self.erase(at, cell, blanks);
            } else {
                self.draw_cell(at, cell);
            }
        }
    }

    /// How many blanks of one ground these cells begin with, where erasing them is shorter than writing
    /// them.
    fn blanks(&self, cells: &[(u16, u16, &Cell)]) -> Option<u16> {
        let (x, y, first) = cells.first()?;
        let is_bare = |cell: &Cell| cell.symbol() == " " && cell.modifier.is_empty();
        if !self.erases || !is_bare(first) {
            return None;
        }
        let run = cells
            .iter()
            .zip(0..)
            .take_while(|((column, row, cell), place)| {
                *row == *y && *column == x + place && is_bare(cell) && cell.bg == first.bg
            });
        let count = u16::try_from(run.count()).ok()?;
        (count >= WORTH_ERASING).then_some(count)
    }

    /// Erases cells: they take the ground that is on.
    fn erase(&mut self, at: Position, cell: &Cell, count: u16) {
        if self.at != Some(at) {
            self.move_to(at);
        }
        self.pen.take_up(cell, true, &mut self.bytes);
        put_sequence(&mut self.bytes, &[count.into()], b'X');
    }

    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn draw_cell(&mut self, at: Position, cell: &Cell) {
        let mut symbol = safe_symbol(cell.symbol());
        let columns = if symbol == " " {
            1
        } else {
            columns_of(cell).max(1)
        };
        if self.ascii && !symbol.is_ascii() {
            symbol = if columns > 1 { "??" } else { "?" };
        }
        if self.at != Some(at) {
            self.move_to(at);
        }
        self.pen.take_up(cell, symbol == " ", &mut self.bytes);
        let sure = symbol.is_ascii() || is_sure(symbol, columns);
        if !sure {
            // Some terminals draw this letter narrower, and would leave old text beside it.
            self.bytes.extend(std::iter::repeat_n(b' ', columns.into()));
            self.at = Some(Position {
                x: at.x + columns,
                ..at
            })
            .filter(|at| at.x < self.size.width);
            self.move_to(at);
        }
        self.bytes.extend_from_slice(symbol.as_bytes());
        // After the last column the cursor hangs between two lines.
        let after = Position {
            x: at.x.saturating_add(columns),
            ..at
        };
        self.at = (sure && after.x < self.size.width).then_some(after);
    }

    /// Moves the cursor the shortest way.
    fn move_to(&mut self, to: Position) {
        let absolute = absolute(to);
        let shortest = self
            .at
            .map(|from| relative(from, to))
            .filter(|steps| steps.len() < absolute.len())
            .unwrap_or(absolute);
        self.bytes.extend_from_slice(&shortest);
        self.at = Some(to);
    }
}

/// The cells of a row, or of a part of one.
fn cells(picture: &mut Buffer, row: Rect) -> &mut [Cell] {
    let row = row.intersection(picture.area);
    let from = usize::from(row.y) * usize::from(picture.area.width) + usize::from(row.x);
    let to = from + usize::from(row.width);
    picture.content.get_mut(from..to).unwrap_or_default()
}

fn bounded(width: u16, height: u16) -> Size {
    Size {
        width: width.min(LARGEST.width),
        height: height.min(LARGEST.height),
    }
}

/// The last line of defence: whatever slipped past the sanitiser steers no terminal.
fn safe_symbol(symbol: &str) -> &str {
    if matches!(symbol.as_bytes(), [b' '..=b'~']) {
        symbol
    } else if symbol.is_empty() || text::width(symbol) == 0 {
        " "
    } else if symbol.chars().any(text::is_hostile) {
        "\u{FFFD}"
    } else {
        symbol
    }
}

/// Whether every terminal agrees how wide a letter is.
fn is_sure(symbol: &str, columns: u16) -> bool {
    let mut letters = symbol.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return false;
    };
    let east_asian = matches!(
        letter,
        '\u{1100}'..='\u{115F}'
            | '\u{2E80}'..='\u{303E}'
            | '\u{3041}'..='\u{A4CF}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF01}'..='\u{FF60}'
            | '\u{20000}'..='\u{3FFFD}'
    );
    columns == 1 || east_asian
}

/// Writes a number in digits.
fn put_number(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Writes a sequence of numbers that ends in that letter; a lone 1 goes without saying.
fn put_sequence(out: &mut Vec<u8>, numbers: &[u32], letter: u8) {
    out.extend_from_slice(b"\x1b[");
    for (index, number) in numbers.iter().enumerate() {
        if index > 0 {
            out.push(b';');
        }
        if numbers != [1] {
            put_number(out, *number);
        }
    }
    out.push(letter);
}

fn absolute(to: Position) -> Vec<u8> {
    let mut steps = Vec::with_capacity(12);
    let place = [u32::from(to.y) + 1, u32::from(to.x) + 1];
    let named = if to.x == 0 { 1 } else { 2 };
    put_sequence(&mut steps, place.get(..named).unwrap_or(&place), b'H');
    steps
}

/// Steps from one cell to another.
fn relative(from: Position, to: Position) -> Vec<u8> {
    let mut steps = Vec::with_capacity(12);
    let mut step = |count: u16, way: u8| {
        if count > 0 {
            put_sequence(&mut steps, &[count.into()], way);
        }
    };
    step(from.y.saturating_sub(to.y), b'A');
    step(to.y.saturating_sub(from.y), b'B');
    step(to.x.saturating_sub(from.x), b'C');
    match from.x.saturating_sub(to.x) {
        0 => {}
        _ if to.x == 0 => steps.push(b'\r'),
        left @ 1..=3 => steps.extend(std::iter::repeat_n(b'\x08', left.into())),
        left => put_sequence(&mut steps, &[left.into()], b'D'),
    }
    steps
}

#[cfg(test)]
mod tests;
