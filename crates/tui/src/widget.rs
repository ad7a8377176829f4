//! Dice, clock faces, odds, fields and panels. Widgets do not know the game.
//!
//! A widget that draws itself has an [`Appearance`] and implements `Widget` by reference. The others return lines of
//! text. A shape or a word always repeats the meaning of a colour.

mod appearance;
pub mod bar;
pub mod clock;
pub mod curve;
pub mod dialog;
pub mod die;
pub mod field;
pub mod grid;
pub mod odds;
pub mod panel;
pub mod wrap;

pub use self::appearance::Appearance;
pub use self::bar::{BarLevel, bar};
pub use self::dialog::{DialogFrame, scroll_to};
pub use self::die::{DiceRow, DieBox, in_rows};
pub use self::field::{Field, FieldView};
pub use self::grid::{
    Column, GAP, GUTTER, Grid, GridColumns, RowMarks, bar_style, draw_marks, draw_resting_cursor,
};
pub use self::odds::{Chance, OddsBar, large_digits, percent};
pub use self::panel::PanelFrame;
pub use self::wrap::{wrap, wrap_height, wrap_line, wrap_line_height};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

// Signs that many views share. Terminals with only ASCII show other signs instead.

/// The sign before the selected row.
pub const MARKER: &str = "›";
/// The sign at the end of text that was cut.
pub const CUT: &str = "…";
/// The sign for an entry that is hidden from players. [`Appearance::hidden_sign`] also works on terminals with only
/// ASCII.
pub const HIDDEN: &str = "◌";
/// The sign of a character that has acted this round.
pub const ACTED: &str = "■";
/// The sign of an entry that is marked to be acted on with others.
pub const MARKED: &str = "✱";
/// The sign for rows above the visible ones.
pub const ABOVE: &str = "▴";
/// The sign for rows below the visible ones.
pub const BELOW: &str = "▾";

/// Whether a list has rows above and below the visible ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoreRows {
    pub above: bool,
    pub below: bool,
}

/// Returns the number of columns of a text on the screen.
pub fn columns(text: &str) -> u16 {
    u16::try_from(tableside_text::width(text)).unwrap_or(u16::MAX)
}

/// Returns the number of columns of a line on the screen.
pub fn line_columns(line: &Line<'_>) -> u16 {
    let mut total: u16 = 0;
    for span in &line.spans {
        total = total.saturating_add(columns(&span.content));
    }
    total
}

/// Draws the part of a text that fits on the first row of an area. Returns the number of drawn columns.
pub fn put_text(text: &str, area: Rect, style: Style, buffer: &mut Buffer) -> u16 {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return 0;
    }

    let is_ascii = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if !is_ascii {
        let room = usize::from(area.width);
        let (end, _) = buffer.set_stringn(area.x, area.y, text, room, style);
        return end - area.x;
    }

    // ratatui segments text into graphemes, which takes most of the time of a frame. ASCII needs no segmentation.
    let start = buffer.index_of(area.x, area.y);
    let end = start + usize::from(area.width);
    let cells = &mut buffer.content[start..end];
    let mut used = 0;
    for (cell, letter) in cells.iter_mut().zip(text.chars()) {
        cell.set_char(letter).set_style(style);
        used += 1;
    }
    used
}

/// Makes a line own its text.
pub fn owned(line: Line<'_>) -> Line<'static> {
    let spans: Line<'static> = line
        .spans
        .into_iter()
        .map(|span| Span::styled(span.content.into_owned(), span.style))
        .collect();
    spans.style(line.style)
}

/// Returns a row of an area, counted from its top. The row is empty if the area has fewer rows.
pub fn row(area: Rect, down: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(down),
        height: u16::from(down < area.height),
        ..area
    }
}

/// Returns the area without its first rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// Returns the first rows of an area.
pub fn top(area: Rect, rows: u16) -> Rect {
    let height = rows.min(area.height);
    Rect { height, ..area }
}

/// Returns the first columns of an area.
pub fn left(area: Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    Rect { width, ..area }
}

/// Returns the last columns of an area.
pub fn right(area: Rect, width: u16) -> Rect {
    after(area, area.width.saturating_sub(width))
}

/// Returns the area without its first columns.
pub fn after(area: Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    Rect {
        x: area.x + width,
        width: area.width - width,
        ..area
    }
}

/// Joins the parts that are not empty into one line, with a separator.
pub fn join<'a>(parts: impl IntoIterator<Item = Line<'a>>, between: &'static str) -> Line<'a> {
    let mut line = Line::default();
    for part in parts {
        let has_text = part.spans.iter().any(|span| !span.content.is_empty());
        if !has_text {
            continue;
        }
        if !line.spans.is_empty() {
            line.push_span(between);
        }
        for span in part.spans {
            if !span.content.is_empty() {
                line.push_span(span);
            }
        }
    }
    line
}

#[cfg(test)]
mod tests;
