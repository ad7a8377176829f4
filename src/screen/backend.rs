//! Frames as bytes: what ratatui draws through, for the local terminal and for SSH alike.
//!
//! It never asks a terminal anything: a size is told to it, and it knows where the cursor is and
//! which colours are on because it put them there. A frame is one run of bytes, in synchronized
//! output (DEC 2026) so that it appears whole, and there is none when nothing has changed.

mod pen;

use std::convert::Infallible;
use std::io::Write as _;
use std::mem;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Cell, CellWidth as _};
use ratatui::layout::{Position, Size};

use super::depth::Depth;
use crate::text;
use pen::Pen;

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// The largest frame that is drawn: a size is the far end's word, and every cell takes memory.
const LARGEST: Size = Size {
    width: 1000,
    height: 500,
};

/// Turns drawn cells into as few bytes as it can.
#[derive(Debug)]
pub struct AnsiBackend {
    bytes: Vec<u8>,
    size: Size,
    ascii: bool,
    pen: Pen,
    /// Where the terminal's cursor is; unknown where terminals disagree.
    at: Option<Position>,
    /// Whether the terminal shows its cursor; unknown at first.
    shown: Option<bool>,
    /// Where the program wants the cursor seen.
    wanted: Position,
    wanted_shown: bool,
}

impl AnsiBackend {
    /// A backend for a terminal of this size that shows so many colours.
    pub fn new(width: u16, height: u16, depth: Depth) -> Self {
        Self {
            bytes: Vec::new(),
            size: bounded(width, height),
            ascii: false,
            pen: Pen::new(depth),
            at: None,
            shown: None,
            wanted: Position::ORIGIN,
            wanted_shown: false,
        }
    }

    /// Sends ASCII and nothing else: letters outside it become `?`.
    #[must_use]
    pub fn ascii(self, ascii: bool) -> Self {
        Self { ascii, ..self }
    }

    /// Tells the size; the next draw fits itself to it.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = bounded(width, height);
        self.at = None;
    }

    /// Forgets what the terminal shows, because somebody else has written to it.
    ///
    /// The caller then clears ratatui's `Terminal`, so that everything is drawn anew.
    pub fn forget(&mut self) {
        self.bytes.clear();
        self.pen.forget();
        self.at = None;
        self.shown = None;
    }

    /// Takes what was drawn since the last time, to be written at once; empty when nothing changed.
    pub fn take_frame(&mut self) -> Vec<u8> {
        if self.wanted_shown && self.at != Some(self.wanted) {
            self.move_to(self.wanted);
        }
        if self.shown != Some(self.wanted_shown) {
            let toggle: &[u8] = if self.wanted_shown {
                b"\x1b[?25h"
            } else {
                b"\x1b[?25l"
            };
            self.put(toggle);
            self.shown = Some(self.wanted_shown);
        }
        if !self.bytes.is_empty() {
            self.bytes.extend_from_slice(END);
        }
        mem::take(&mut self.bytes)
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(BEGIN);
        }
        self.bytes.extend_from_slice(bytes);
    }

    fn draw_cell(&mut self, at: Position, cell: &Cell) {
        let mut symbol = safe_symbol(cell.symbol());
        let columns = if symbol == " " {
            1
        } else {
            cell.cell_width().max(1)
        };
        if self.ascii && !symbol.is_ascii() {
            symbol = if columns > 1 { "??" } else { "?" };
        }
        if self.at != Some(at) {
            self.move_to(at);
        }
        self.put(b"");
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
        self.put(b"");
        let absolute = absolute(to);
        let shortest = self
            .at
            .and_then(|from| relative(from, to))
            .filter(|steps| steps.len() < absolute.len())
            .unwrap_or(absolute);
        self.bytes.extend_from_slice(&shortest);
        self.at = Some(to);
    }
}

impl Backend for AnsiBackend {
    type Error = Infallible;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut covered = None;
        for (x, y, cell) in content {
            let at = Position { x, y };
            // ratatui also names the second half of some wide letters, to wipe it; `draw_cell` has.
            if covered == Some(at) {
                continue;
            }
            self.draw_cell(at, cell);
            let columns = cell.cell_width();
            covered = (columns > 1).then_some(Position {
                x: x + columns - 1,
                y,
            });
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        self.wanted_shown = false;
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        self.wanted_shown = true;
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(self.wanted)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), Infallible> {
        self.wanted = position.into();
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> Result<(), Infallible> {
        // Terminals fill with the colour that is on.
        self.put(b"");
        self.pen.reset(&mut self.bytes);
        let erase: &[u8] = match region {
            ClearType::All => b"\x1b[2J",
            ClearType::AfterCursor => b"\x1b[J",
            ClearType::BeforeCursor => b"\x1b[1J",
            ClearType::CurrentLine => b"\x1b[2K",
            ClearType::UntilNewLine => b"\x1b[K",
        };
        if region != ClearType::All {
            self.move_to(self.wanted);
        }
        self.bytes.extend_from_slice(erase);
        Ok(())
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize {
            columns_rows: self.size,
            pixels: Size::ZERO,
        })
    }

    /// Does nothing: a frame goes out whole, by [`AnsiBackend::take_frame`].
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

fn bounded(width: u16, height: u16) -> Size {
    Size {
        width: width.min(LARGEST.width),
        height: height.min(LARGEST.height),
    }
}

/// The last line of defence: whatever slipped past the sanitiser steers no terminal.
fn safe_symbol(symbol: &str) -> &str {
    if symbol.is_empty() || text::width(symbol) == 0 {
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

fn absolute(to: Position) -> Vec<u8> {
    let (row, column) = (u32::from(to.y) + 1, u32::from(to.x) + 1);
    match (row, column) {
        (1, 1) => b"\x1b[H".to_vec(),
        (_, 1) => format!("\x1b[{row}H").into_bytes(),
        _ => format!("\x1b[{row};{column}H").into_bytes(),
    }
}

/// Steps from one cell to another; nothing where there is no short way.
fn relative(from: Position, to: Position) -> Option<Vec<u8>> {
    let mut steps = Vec::with_capacity(8);
    let mut step = |count: u16, way: char| {
        let written = match count {
            0 => Ok(()),
            1 => write!(steps, "\x1b[{way}"),
            _ => write!(steps, "\x1b[{count}{way}"),
        };
        written.ok()
    };
    let (up, down) = (from.y.saturating_sub(to.y), to.y.saturating_sub(from.y));
    step(up, 'A')?;
    step(down, 'B')?;
    let (left, right) = (from.x.saturating_sub(to.x), to.x.saturating_sub(from.x));
    step(right, 'C')?;
    match left {
        0 => {}
        _ if to.x == 0 => steps.push(b'\r'),
        1..=3 => steps.extend(std::iter::repeat_n(b'\x08', left.into())),
        _ => write!(steps, "\x1b[{left}D").ok()?,
    }
    Some(steps)
}

#[cfg(test)]
mod tests;
