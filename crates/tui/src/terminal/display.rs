//! The display of a terminal: it compares each frame with the previous one, and writes the changed cells as bytes.
//!
//! ratatui's `Terminal` asks the process's own terminal for its size and its cursor, which over SSH is the host's. A
//! display gets the size from its caller and asks for nothing. It uses ratatui's buffers. A frame with more than a few
//! cells is sent as synchronized output (DEC 2026), so that the terminal shows it at once.

mod cell_writer;

use std::cell::RefCell;

use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::{Position, Rect};

use cell_writer::CellWriter;
use tableside_text::{is_hostile, portable_form, width};

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// The maximum length, in bytes, of a frame that all terminals read and show at once.
const SHORT_FRAME: usize = 400;

thread_local! {
    /// The buffer that frames are drawn on. All screens of a thread share it, because a server may have thousands of
    /// screens.
    static PAPER: RefCell<Buffer> = RefCell::default();
}

/// The contents of a terminal, which are compared with each new frame.
#[derive(Debug)]
pub struct Display {
    area: Rect,
    ascii: bool,
    /// The cells that the terminal shows. If its area is not `area`, the whole screen must be redrawn.
    shown: Buffer,
    /// The position of the terminal's cursor. `None` if it is hidden.
    cursor: Option<Position>,
    /// False if the terminal may show another cursor than `cursor`.
    is_cursor_known: bool,
}

impl Display {
    /// Creates a display for an empty terminal with this number of columns and rows.
    pub fn new(width: u16, height: u16) -> Self {
        let area = Rect::new(0, 0, width, height);
        Self {
            area,
            ascii: false,
            shown: Buffer::empty(area),
            cursor: None,
            is_cursor_known: false,
        }
    }

    /// Restricts the output to ASCII. Symbols are replaced by similar ones, and other letters by `?`.
    pub fn ascii(self, ascii: bool) -> Self {
        Self { ascii, ..self }
    }

    /// Sets the number of columns and rows. If they changed, the next frame redraws the whole screen.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.area = Rect::new(0, 0, width, height);
    }

    /// Redraws the whole screen with the next frame, because another program may have written to the terminal.
    pub fn forget(&mut self) {
        self.is_cursor_known = false;
        self.shown = Buffer::default();
    }

    /// True if the next frame redraws the whole screen.
    pub fn is_blank(&self) -> bool {
        self.shown.area != self.area
    }

    /// Draws a frame. Returns the bytes to write to the terminal, in one write. Empty if the frame has not changed.
    ///
    /// `paint` draws on a buffer that may contain the frame of another screen; it also gets the cells that the terminal
    /// shows. It returns the position of the cursor, and the areas in which it drew every cell. The terminal keeps all
    /// other cells. No wide letter crosses the edges of the areas.
    pub fn frame(
        &mut self,
        paint: impl FnOnce(&mut Buffer, &Buffer) -> (Option<Position>, Vec<Rect>),
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.is_blank() {
            // Clearing fills the screen with the current background, so reset the colours first.
            bytes.extend_from_slice(b"\x1b[m\x1b[2J");
            self.shown = Buffer::empty(self.area);
        }

        let mut paper = PAPER.take();
        paper.resize(self.area);
        let (cursor, areas) = paint(&mut paper, &self.shown);
        let mut changed = Vec::new();
        for row in areas.iter().flat_map(|area| area.rows()) {
            self.update_row(&paper, row, &mut changed);
        }
        PAPER.set(paper);

        if !changed.is_empty() {
            let mut writer = CellWriter::new(&mut bytes);
            for changed in &changed {
                writer.write(changed.position, &changed.cell);
            }
            writer.finish();
        }
        self.put_cursor(cursor, !changed.is_empty(), &mut bytes);

        if bytes.len() > SHORT_FRAME {
            bytes.splice(..0, BEGIN.iter().copied());
            bytes.extend_from_slice(END);
        }
        bytes
    }

    /// The cells that the terminal shows.
    #[cfg(debug_assertions)]
    pub(crate) fn shown(&self) -> &Buffer {
        &self.shown
    }

    /// Copies a row of an area from the paper, and adds the cells to write to `changed`.
    ///
    /// These are the cells that differ, and cells that a wide letter covered before. Cells that a wide letter covers
    /// now are not written.
    fn update_row(&mut self, paper: &Buffer, row: Rect, changed: &mut Vec<ChangedCell>) {
        let row_start = paper.index_of(row.x, row.y);
        let row_range = row_start..row_start + usize::from(row.width);
        let old_cells = &self.shown.content[row_range.clone()];
        let new_cells = &paper.content[row_range];

        // ratatui's `Buffer::diff` computes the width of each cell, which takes a third of the time of a frame.
        let differ = |(old, new): (&Cell, &Cell)| !is_same(old, new);
        let mut pairs = old_cells.iter().zip(new_cells);
        let Some(first_changed) = pairs.clone().position(differ) else {
            return;
        };
        let last_changed = pairs.rposition(differ).unwrap_or(first_changed);
        // A wide letter covers one more cell.
        let first = first_changed.saturating_sub(1);
        let end = (last_changed + 2).min(new_cells.len());

        // The columns up to which a wide letter covers cells now, and covered them before.
        let mut covered_to = 0;
        let mut covered_before_to = 0;
        let columns = row.x..;
        let cells = old_cells.iter().zip(new_cells).zip(columns);
        for ((old, new), x) in cells.take(end).skip(first) {
            let has_changed = !is_same(old, new);
            let is_covered = x < covered_to;
            if has_changed || is_covered {
                covered_before_to = covered_before_to.max(x + old.cell_width());
            }
            if is_covered {
                continue;
            }

            covered_to = x + new.cell_width();
            if has_changed || x < covered_before_to {
                changed.push(ChangedCell {
                    position: Position::new(x, row.y),
                    cell: self.displayable(new),
                });
            }
        }

        let copied = row_start + first..row_start + end;
        self.shown.content[copied.clone()].clone_from_slice(&paper.content[copied]);
    }

    /// Replaces a symbol that the terminal cannot show, or that could control it.
    ///
    /// All text is sanitised before it is drawn. This is the last line of defence.
    fn displayable(&self, cell: &Cell) -> Cell {
        let mut displayable = cell.clone();
        let symbol = cell.symbol();
        let is_printable_ascii = matches!(symbol.as_bytes(), [b' '..=b'~']);
        if is_printable_ascii {
            return displayable;
        }

        if symbol.is_empty() || width(symbol) == 0 {
            displayable.set_symbol(" ");
        } else if self.ascii && !symbol.is_ascii() {
            displayable.set_symbol(in_ascii(symbol));
        } else if symbol.chars().any(is_hostile) {
            displayable.set_symbol("\u{FFFD}");
        } else if let Some(portable) = portable_form(symbol) {
            displayable.set_symbol(&portable);
        }
        displayable
    }

    /// Shows the cursor at its position, or hides it. Drawing cells moves a visible cursor away from its position.
    fn put_cursor(&mut self, cursor: Option<Position>, has_drawn: bool, bytes: &mut Vec<u8>) {
        let has_moved = has_drawn && cursor.is_some();
        if self.is_cursor_known && self.cursor == cursor && !has_moved {
            return;
        }

        let mut backend = CrosstermBackend::new(bytes);
        let result = match cursor {
            Some(position) => backend
                .set_cursor_position(position)
                .and_then(|()| backend.show_cursor()),
            None => backend.hide_cursor(),
        };
        result.expect("writing to a Vec never fails");
        self.cursor = cursor;
        self.is_cursor_known = true;
    }
}

/// True if a terminal shows two cells alike. The cells of this program have no other properties.
fn is_same(first: &Cell, second: &Cell) -> bool {
    first.symbol() == second.symbol()
        && first.fg == second.fg
        && first.bg == second.bg
        && first.modifier == second.modifier
}

/// A cell to write to the terminal.
struct ChangedCell {
    position: Position,
    cell: Cell,
}

/// Returns the ASCII replacement of a symbol.
pub(crate) fn in_ascii(symbol: &str) -> &'static str {
    match symbol {
        // The cursor, an effect and a folded panel have different signs.
        "›" | "▶" => ">",
        "→" => "}",
        "←" | "‹" | "◀" => "<",
        "↑" | "▴" => "^",
        "↓" | "▾" | "▼" => "v",
        "◁" => "(",
        "▷" => ")",
        "─" | "•" | "−" | "–" | "—" | "◔" => "-",
        "▱" | "░" => "_",
        "✗" => "X",
        "■" => "\\",
        "±" => "/",
        "✱" => "&",
        "│" | "┣" | "┤" => "|",
        "╭" | "╮" | "╰" | "╯" | "✓" | "▒" | "▸" => "+",
        "▓" | "━" | "◑" | "▰" => "=",
        "≡" | "◕" => "%",
        "█" | "▇" => "#",
        "●" => "O",
        "┆" | "▄" | "▅" | "▆" => ":",
        "·" | "┄" | "○" | "▁" | "▂" | "▃" => ".",
        "◆" => "o",
        "★" | "✎" => "*",
        "…" | "╌" => "~",
        "‼" => "!",
        "×" => "x",
        "‘" | "’" => "'",
        "“" | "”" => "\"",
        wide if width(wide) > 1 => "??",
        _ => "?",
    }
}

#[cfg(test)]
mod tests;
