//! Dice, clock faces, odds, fields and panels. Widgets do not know the game.
//!
//! Each widget has an [`Appearance`] and implements `Widget` by reference. A shape or a word always repeats the meaning
//! of a colour.

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

pub use self::bar::bar;
pub use self::dialog::{DialogFrame, scroll_to};
pub use self::die::{DiceRow, DieBox, in_rows};
pub use self::field::{Field, FieldView};
pub use self::grid::{
    Column, GAP, GUTTER, Grid, GridColumns, RowMarks, draw_bar, draw_marks, draw_resting_cursor,
};
pub use self::odds::{Chance, OddsBar, large_digits, percent};
pub use self::panel::PanelFrame;
pub use self::wrap::{wrap, wrap_line};

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::terminal::color_depth::Depth;
use crate::theme::{Role, Theme};
use tableside_text;

/// The theme of a screen and the abilities of its terminal.
#[derive(Clone, Copy, Debug)]
pub struct Appearance<'a> {
    pub theme: &'a Theme,
    /// The number of colours that the terminal shows.
    pub depth: Depth,
    /// True if the terminal shows only ASCII.
    pub ascii: bool,
}

// Signs that many views share. Terminals with only ASCII show other signs instead.

/// The sign before the selected row.
pub const MARKER: &str = "›";
/// The sign at the end of text that was cut.
pub const CUT: &str = "…";
/// The sign for something that is hidden from players. [`Appearance::hidden_sign`] is for terminals with only ASCII.
pub const HIDDEN: &str = "◌";
/// The sign of a character that has acted this round.
pub const ACTED: &str = "■";
/// The sign of an entry that is marked to be acted on with others.
pub const MARKED: &str = "✱";
/// The sign for rows above the visible ones.
pub const ABOVE: &str = "▴";
/// The sign for rows below the visible ones.
pub const BELOW: &str = "▾";

/// Whether a list has rows above and below those in sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoreRows {
    pub above: bool,
    pub below: bool,
}

impl<'a> Appearance<'a> {
    /// Returns the appearance on a terminal with Unicode.
    pub const fn new(theme: &'a Theme, depth: Depth) -> Self {
        Self {
            theme,
            depth,
            ascii: false,
        }
    }

    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role, self.depth)
    }

    /// Returns the style of an empty screen.
    pub fn base(&self) -> Style {
        self.theme.base(self.depth)
    }

    /// Returns the sign before something that is hidden from players. ASCII has no sign for it, so it is a word.
    pub const fn hidden_sign(&self) -> &'static str {
        if self.ascii { "(hidden)" } else { HIDDEN }
    }

    /// Cuts text to this number of columns and marks the cut.
    pub fn fit<'t>(&self, text: &'t str, columns: u16) -> Cow<'t, str> {
        tableside_text::fit_with_marker(text, columns.into(), CUT)
    }

    /// Cuts a name to this number of columns, but keeps the number at its end: `Goblin 12` becomes `Gob… 12`.
    ///
    /// In a list of names, a number belongs only to the last name, so lists are cut as any text.
    pub fn fit_name(&self, name: &str, columns: u16) -> String {
        let alone = Some(name).filter(|name| !name.contains(", "));
        let words = alone.and_then(|name| name.rsplit_once(' '));
        let number = words.map_or("", |(_, last)| last);
        let is_number = number.chars().all(char::is_numeric) && !number.is_empty();
        let kept = self::columns(number) + 1;
        if self::columns(name) <= columns || !is_number || kept + 3 > columns {
            return self.fit(name, columns).into_owned();
        }
        let head = name.strip_suffix(number).unwrap_or(name).trim_end();
        format!("{} {number}", self.fit(head, columns - kept))
    }

    /// Cuts a line at its least important place.
    ///
    /// For a roll this is the tested value before the colon, so that the outcome and the numbers stay. For other lines
    /// it is the name at the end.
    pub fn fit_within<'t>(&self, line: &Line<'t>, width: u16) -> Line<'t> {
        let mut line = line.clone();
        let mut spans = line.spans.iter();
        let tested = spans.position(|span| span.content.ends_with(": "));
        let end = tested.map_or(line.spans.len(), |at| at + 3);
        let kept = line.spans.iter().take(end);
        let kept: u16 = kept.map(|span| columns(&span.content)).sum();
        // A blank and the sign for cut text need two columns.
        let sign = if end < line.spans.len() { 2 } else { 0 };
        let over = (kept + sign).saturating_sub(width);
        let at = tested.map_or(end, |at| at + 1).saturating_sub(1);
        if let Some(span) = line.spans.get_mut(at).filter(|_| over > 0) {
            let (words, colon) = span
                .content
                .split_at(span.content.trim_end_matches(": ").len());
            let room = self::columns(words).saturating_sub(over).max(width / 4);
            span.content = (self.fit_name(words, room) + colon).into();
        }
        line
    }

    /// Cuts text to this number of columns, always with the sign for cut text.
    pub fn fit_more<'t>(&self, text: &'t str, columns: u16) -> Cow<'t, str> {
        let room = columns.saturating_sub(self::columns(CUT));
        let kept = tableside_text::fit_with_marker(text, room.into(), "");
        Cow::Owned(format!("{}{CUT}", kept.trim_end()))
    }

    /// Draws a line on the first row of an area and cuts it at the right edge.
    pub fn put(&self, line: &Line<'_>, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let is_long = line_columns(line) > area.width;
        let cut = is_long.then(|| self.fit_line(line, area.width));
        let line = cut.as_ref().unwrap_or(line);
        let mut rest = area;
        for span in &line.spans {
            let style = line.style.patch(span.style);
            let taken = put_text(&span.content, rest, style, buffer);
            rest.x += taken;
            rest.width -= taken;
        }
    }

    /// Draws signs at the ends of an edge if rows above or below are out of sight.
    pub fn put_more(&self, more: MoreRows, edge: Rect, role: Role, buffer: &mut Buffer) {
        let low = edge.height.saturating_sub(1);
        for (is_more, down, sign) in [(more.above, 0, ABOVE), (more.below, low, BELOW)] {
            if is_more {
                let sign = Line::styled(sign, self.style(role));
                self.put(&sign, row(edge, down), buffer);
            }
        }
    }

    /// Cuts a line of several styles to this number of columns and marks the cut.
    pub fn fit_line<'t>(&self, line: &Line<'t>, width: u16) -> Line<'t> {
        if line_columns(line) <= width {
            return line.clone();
        }
        let mut cut = Line {
            spans: Vec::new(),
            ..*line
        };
        let mut left = width;
        for span in &line.spans {
            let own = columns(&span.content);
            // A span that fits exactly would leave no room for the sign.
            if own < left {
                cut.push_span(span.clone());
                left -= own;
            } else {
                let sign = columns(CUT);
                let room = left.saturating_sub(sign);
                let kept = tableside_text::fit_with_marker(&span.content, room.into(), "");
                let kept = kept.trim_end_matches(CUT);
                // Text that was cut before already has its sign.
                let mut before = cut.spans.last().into_iter();
                if !(kept.is_empty() && before.any(|before| before.content.ends_with(CUT))) {
                    cut.push_span(Span::styled(format!("{kept}{CUT}"), span.style));
                }
                break;
            }
        }
        cut
    }
}

/// Returns the columns that a text takes on the screen.
pub fn columns(text: &str) -> u16 {
    u16::try_from(tableside_text::width(text)).unwrap_or(u16::MAX)
}

/// Returns the columns that a line takes on the screen.
pub fn line_columns(line: &Line<'_>) -> u16 {
    let spans = line.spans.iter();
    spans.fold(0, |sum, span| sum.saturating_add(columns(&span.content)))
}

/// Draws the part of a text that fits on the first row of an area. Returns its columns.
pub fn put_text(text: &str, area: Rect, style: Style, buffer: &mut Buffer) -> u16 {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return 0;
    }
    if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        let (end, _) = buffer.set_stringn(area.x, area.y, text, area.width.into(), style);
        return end - area.x;
    }
    // ratatui segments text into graphemes, which takes most of the time of a frame. ASCII needs no segmentation.
    let from = buffer.index_of(area.x, area.y);
    let cells = buffer.content[from..][..area.width.into()].iter_mut();
    let mut taken = 0;
    for (cell, letter) in cells.zip(text.chars()) {
        cell.set_char(letter).set_style(style);
        taken += 1;
    }
    taken
}

/// Makes a line own its text.
pub fn owned(line: Line<'_>) -> Line<'static> {
    let own = |span: Span<'_>| Span::styled(span.content.into_owned(), span.style);
    let spans: Line<'static> = line.spans.into_iter().map(own).collect();
    spans.style(line.style)
}

/// Returns a row of an area, counted from its top. The row is empty if the area has fewer rows.
pub fn row(area: Rect, down: u16) -> Rect {
    let height = u16::from(down < area.height);
    Rect::new(area.x, area.y.saturating_add(down), area.width, height)
}

/// Returns the area without its first rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect::new(area.x, area.y + rows, area.width, area.height - rows)
}

/// Returns the first rows of an area.
pub fn top(area: Rect, rows: u16) -> Rect {
    Rect::new(area.x, area.y, area.width, rows.min(area.height))
}

/// Returns the first columns of an area.
pub fn left(area: Rect, width: u16) -> Rect {
    Rect::new(area.x, area.y, width.min(area.width), area.height)
}

/// Returns the last columns of an area.
pub fn right(area: Rect, width: u16) -> Rect {
    after(area, area.width.saturating_sub(width))
}

/// Returns the area without its first columns.
pub fn after(area: Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    Rect::new(area.x + width, area.y, area.width - width, area.height)
}

/// Joins the parts that are not empty into one line, with a separator.
pub fn join<'a>(parts: impl IntoIterator<Item = Line<'a>>, between: &'static str) -> Line<'a> {
    let mut line = Line::default();
    for part in parts {
        let spans = part.spans.into_iter();
        let mut spans = spans.filter(|span| !span.content.is_empty()).peekable();
        if !line.spans.is_empty() && spans.peek().is_some() {
            line.push_span(between);
        }
        line.spans.extend(spans);
    }
    line
}

#[cfg(test)]
mod tests;
