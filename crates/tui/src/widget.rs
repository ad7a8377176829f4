//! Things to draw: dice, clock faces, odds, fields, panels. None knows a game.
//!
//! Each takes a [`Appearance`], which says how this screen looks, and draws itself by `&Thing: Widget`.
//! Whatever a colour says, a shape or a word says too.

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
    Column, GAP, GUTTER, Grid, GridColumns, RowMarks, draw_marks, draw_resting_cursor,
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

/// How a screen looks: its colours, how many its terminal shows, and whether it shows only ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Appearance<'a> {
    /// The colours by role.
    pub theme: &'a Theme,
    /// How many colours the terminal shows.
    pub depth: Depth,
    /// Whether only ASCII may be drawn.
    pub ascii: bool,
}

// Signs that many views share. A terminal of ASCII alone shows others in their place.

/// Stands before the selected row.
pub const MARKER: &str = "›";
/// Stands where text was cut.
pub const CUT: &str = "…";
/// Says that something is hidden from players.
pub const HIDDEN: &str = "◌";
/// Says that there is more above.
pub const ABOVE: &str = "▴";
/// Says that there is more below.
pub const BELOW: &str = "▾";

/// Whether a list has rows above and below those in sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoreRows {
    pub above: bool,
    pub below: bool,
}

impl<'a> Appearance<'a> {
    /// The look of a terminal that shows every letter.
    pub const fn new(theme: &'a Theme, depth: Depth) -> Self {
        Self {
            theme,
            depth,
            ascii: false,
        }
    }

    /// How a role looks here.
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role, self.depth)
    }

    /// What lies under everything.
    pub fn base(&self) -> Style {
        self.theme.base(self.depth)
    }

    /// Cuts text to so many columns, with this screen's sign for what is gone.
    pub fn fit<'t>(&self, text: &'t str, columns: u16) -> Cow<'t, str> {
        tableside_text::fit_with_marker(text, columns.into(), CUT)
    }

    /// Cuts a name to so many columns; of several that are called alike the number at the end stays. In a list that
    /// is another's.
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

    /// Cuts a line where it may be cut: a roll in what was tested, up to its colon, before the outcome and the numbers
    /// behind it; others in the name at their end.
    pub fn fit_within<'t>(&self, line: &Line<'t>, width: u16) -> Line<'t> {
        let mut line = line.clone();
        let mut spans = line.spans.iter();
        let tested = spans.position(|span| span.content.ends_with(": "));
        let end = tested.map_or(line.spans.len(), |at| at + 3);
        let kept = line.spans.iter().take(end);
        let kept: u16 = kept.map(|span| columns(&span.content)).sum();
        // A blank and a sign say that more is cut.
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

    /// Text with this screen's sign behind it that there is more of it, in so many columns.
    pub fn fit_more<'t>(&self, text: &'t str, columns: u16) -> Cow<'t, str> {
        let room = columns.saturating_sub(self::columns(CUT));
        let kept = tableside_text::fit_with_marker(text, room.into(), "");
        Cow::Owned(format!("{}{CUT}", kept.trim_end()))
    }

    /// Draws a line on the first row of an area, cut with this screen's sign where it is too long.
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

    /// Draws signs at the ends of an edge that there is more above and below.
    pub fn put_more(&self, more: MoreRows, edge: Rect, role: Role, buffer: &mut Buffer) {
        let low = edge.height.saturating_sub(1);
        for (is_more, down, sign) in [(more.above, 0, ABOVE), (more.below, low, BELOW)] {
            if is_more {
                let sign = Line::styled(sign, self.style(role));
                self.put(&sign, row(edge, down), buffer);
            }
        }
    }

    /// Cuts a line of several styles to so many columns.
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
            // A span that only just fits would leave no room for the sign that more is gone.
            if own < left {
                cut.push_span(span.clone());
                left -= own;
            } else {
                let sign = columns(CUT);
                let room = left.saturating_sub(sign);
                let kept = tableside_text::fit_with_marker(&span.content, room.into(), "");
                let kept = kept.trim_end_matches(CUT);
                // What was cut already has its sign.
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

/// The columns that a text takes, as the layout counts them.
pub fn columns(text: &str) -> u16 {
    u16::try_from(tableside_text::width(text)).unwrap_or(u16::MAX)
}

/// The columns that a line takes.
pub fn line_columns(line: &Line<'_>) -> u16 {
    let spans = line.spans.iter();
    spans.fold(0, |sum, span| sum.saturating_add(columns(&span.content)))
}

/// Draws text on the first row of an area, as much as has room. Returns the columns that it takes.
pub fn put_text(text: &str, area: Rect, style: Style, buffer: &mut Buffer) -> u16 {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return 0;
    }
    if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        let (end, _) = buffer.set_stringn(area.x, area.y, text, area.width.into(), style);
        return end - area.x;
    }
    // ratatui looks for the ends of letters, which takes most of a frame; most text is ASCII.
    let from = buffer.index_of(area.x, area.y);
    let cells = buffer.content[from..][..area.width.into()].iter_mut();
    let mut taken = 0;
    for (cell, letter) in cells.zip(text.chars()) {
        cell.set_char(letter).set_style(style);
        taken += 1;
    }
    taken
}

/// A line that holds its own letters.
pub fn owned(line: Line<'_>) -> Line<'static> {
    let own = |span: Span<'_>| Span::styled(span.content.into_owned(), span.style);
    let spans: Line<'static> = line.spans.into_iter().map(own).collect();
    spans.style(line.style)
}

/// A line of an area, counted from its top; empty below its end.
pub fn row(area: Rect, down: u16) -> Rect {
    let height = u16::from(down < area.height);
    Rect::new(area.x, area.y.saturating_add(down), area.width, height)
}

/// What is left of an area beneath so many rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect::new(area.x, area.y + rows, area.width, area.height - rows)
}

/// The first rows of an area.
pub fn top(area: Rect, rows: u16) -> Rect {
    Rect::new(area.x, area.y, area.width, rows.min(area.height))
}

/// The first columns of an area.
pub fn left(area: Rect, width: u16) -> Rect {
    Rect::new(area.x, area.y, width.min(area.width), area.height)
}

/// The last columns of an area.
pub fn right(area: Rect, width: u16) -> Rect {
    after(area, area.width.saturating_sub(width))
}

/// What is left of an area behind so many columns.
pub fn after(area: Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    Rect::new(area.x + width, area.y, area.width - width, area.height)
}

/// Puts parts into one line, with blanks between those that say something.
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
