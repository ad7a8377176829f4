//! Frames as bytes: ratatui's buffers, and its crossterm backend over a `Vec`, for the local terminal and for
//! SSH alike.
//!
//! ratatui's `Terminal` would ask the terminal for its size and its cursor, and over SSH that would be the
//! host's own. A display is told the size, and asks nothing. A frame is one run of bytes, and there is none
//! when nothing has changed. One of more than a few cells stands in synchronized output (DEC 2026), so that
//! it appears whole.

use std::cell::RefCell;

use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::crossterm::style::force_color_output;
use ratatui::layout::{Position, Rect};

use tableside_text;

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// Up to so many bytes appear at once, whatever the terminal: it reads more than that at a time.
const AT_ONCE: usize = 400;

thread_local! {
    /// What pictures are painted on. Two thousand screens over SSH share the few that their threads have.
    static PAPER: RefCell<Buffer> = RefCell::default();
}

/// What a terminal shows, and the bytes that bring it from one picture to the next.
#[derive(Debug)]
pub struct Display {
    area: Rect,
    ascii: bool,
    /// What the terminal shows; of another size than the display's where everything is to be drawn anew.
    shown: Buffer,
    /// Where the terminal shows its cursor, if it does and that is known.
    cursor: Option<Position>,
    is_cursor_known: bool,
}

impl Display {
    /// A display for a blank terminal of this size.
    pub fn new(width: u16, height: u16) -> Self {
        // Whether there are colours is the far end's to say, not this process's environment's.
        force_color_output(true);
        let area = Rect::new(0, 0, width, height);
        Self {
            area,
            ascii: false,
            shown: Buffer::empty(area),
            cursor: None,
            is_cursor_known: false,
        }
    }

    /// Sends ASCII and nothing else: signs become others, and letters outside it `?`.
    pub fn ascii(self, ascii: bool) -> Self {
        Self { ascii, ..self }
    }

    /// Tells the size; where it is another one, the next frame draws everything anew.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.area = Rect::new(0, 0, width, height);
    }

    /// Forgets what the terminal shows, because somebody else has written to it: the next frame draws
    /// everything anew.
    pub fn forget(&mut self) {
        self.is_cursor_known = false;
        self.shown = Buffer::default();
    }

    /// Whether everything is to be drawn anew.
    pub fn is_blank(&self) -> bool {
        self.shown.area != self.area
    }

    /// Paints what is new of the next picture, on paper that may bear another's. The painter says where the cursor is
    /// seen, and which areas it painted, whole: all else stays as it is shown. They do not overlap, and no letter
    /// stands across their edges. Returns what is to be written to the terminal at once, empty when nothing changed.
    pub fn frame(
        &mut self,
        paint: impl FnOnce(&mut Buffer) -> (Option<Position>, Vec<Rect>),
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.is_blank() {
            // Terminals fill with the colour that is on.
            bytes.extend_from_slice(b"\x1b[m\x1b[2J");
            self.shown = Buffer::empty(self.area);
        }
        let mut paper = PAPER.take();
        paper.resize(self.area);
        let (cursor, areas) = paint(&mut paper);
        let mut changed = Vec::new();
        for row in areas.iter().flat_map(|area| area.rows()) {
            self.take_over(&paper, row, &mut changed);
        }
        PAPER.set(paper);
        if !changed.is_empty() {
            let cells = changed.iter().map(|(x, y, cell)| (*x, *y, cell));
            let drawn = CrosstermBackend::new(&mut bytes).draw(cells);
            drawn.expect("a Vec takes every byte");
        }
        self.put_cursor(cursor, !changed.is_empty(), &mut bytes);
        if bytes.len() > AT_ONCE {
            bytes.splice(..0, BEGIN.iter().copied());
            bytes.extend_from_slice(END);
        }
        bytes
    }

    /// What it believes that its terminal shows.
    #[cfg(debug_assertions)]
    pub(crate) fn shown(&self) -> &Buffer {
        &self.shown
    }

    /// Takes over what was painted on a row, and notes the cells that are to be written: those that are
    /// otherwise, but for what a wide letter covers, and those that a wide letter covered before.
    fn take_over(&mut self, paper: &Buffer, row: Rect, changed: &mut Vec<(u16, u16, Cell)>) {
        let start = paper.index_of(row.x, row.y);
        let cells = start..start + usize::from(row.width);
        let (old, new) = (&self.shown.content[cells.clone()], &paper.content[cells]);
        let mut cells = old.iter().zip(new);
        // ratatui's `Buffer::diff` would look at the width of each cell, which takes a third of a frame.
        let Some(first) = cells.clone().position(|(was, is)| was != is) else {
            return;
        };
        let last = cells.rposition(|(was, is)| was != is).unwrap_or(first);
        // A wide letter reaches one further.
        let (first, end) = (first.saturating_sub(1), (last + 2).min(new.len()));
        let (mut covered, mut bared) = (0, 0);
        let cells = old.iter().zip(new).zip(row.x..);
        for ((was, is), x) in cells.take(end).skip(first) {
            let (differs, is_hidden) = (was != is, x < covered);
            if differs || is_hidden {
                bared = bared.max(x + was.cell_width());
            }
            if is_hidden {
                continue;
            }
            covered = x + is.cell_width();
            changed.extend((differs || x < bared).then(|| (x, row.y, self.in_reach(is))));
        }
        let cells = start + first..start + end;
        self.shown.content[cells.clone()].clone_from_slice(&paper.content[cells]);
    }

    /// A cell in letters that this terminal shows.
    fn in_reach(&self, cell: &Cell) -> Cell {
        let mut shown = cell.clone();
        let symbol = cell.symbol();
        if !matches!(symbol.as_bytes(), [b' '..=b'~']) {
            // The last line of defence: whatever slipped past the sanitiser steers no terminal.
            if symbol.is_empty() || tableside_text::width(symbol) == 0 {
                shown.set_symbol(" ");
            } else if self.ascii && !symbol.is_ascii() {
                shown.set_symbol(in_ascii(symbol));
            } else if symbol.chars().any(tableside_text::is_hostile) {
                shown.set_symbol("\u{FFFD}");
            } else if let Some(plain) = tableside_text::portable_form(symbol) {
                shown.set_symbol(&plain);
            }
        }
        shown
    }

    fn put_cursor(&mut self, cursor: Option<Position>, has_moved: bool, bytes: &mut Vec<u8>) {
        if self.is_cursor_known && self.cursor == cursor && !(has_moved && cursor.is_some()) {
            return;
        }
        let mut backend = CrosstermBackend::new(bytes);
        let put = match cursor {
            Some(at) => backend
                .set_cursor_position(at)
                .and_then(|()| backend.show_cursor()),
            None => backend.hide_cursor(),
        };
        put.expect("a Vec takes every byte");
        (self.cursor, self.is_cursor_known) = (cursor, true);
    }
}

/// What stands in the place of a sign on a terminal that shows ASCII alone.
pub(crate) fn in_ascii(sign: &str) -> &'static str {
    match sign {
        "→" | "›" | "▶" | "▸" => ">",
        "←" | "‹" | "◀" => "<",
        "↑" | "▴" => "^",
        "↓" | "▾" | "▼" => "v",
        "◁" => "(",
        "▷" => ")",
        "─" | "•" | "−" | "–" | "—" | "▱" | "░" | "◔" | "✗" => "-",
        "│" | "┣" | "┤" => "|",
        "╭" | "╮" | "╰" | "╯" | "✓" | "▒" => "+",
        "▓" | "━" | "◑" => "=",
        "≡" => "%",
        "█" | "▇" | "▰" | "●" => "#",
        "┆" | "▄" | "▅" | "▆" => ":",
        "·" | "┄" | "○" | "▁" | "▂" | "▃" => ".",
        "◆" => "o",
        "★" | "✎" => "*",
        "±" | "…" | "╌" => "~",
        "‼" => "!",
        "×" => "x",
        "‘" | "’" => "'",
        "“" | "”" => "\"",
        wide if tableside_text::width(wide) > 1 => "??",
        _ => "?",
    }
}

#[cfg(test)]
mod tests;
