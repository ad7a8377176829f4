//! The appearance of a screen: its colours and its signs, and text that is cut to fit.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{ABOVE, BELOW, CUT, HIDDEN, MoreRows, columns, line_columns, put_text, row};
use crate::terminal::color_depth::Depth;
use crate::theme::{Role, Theme};
use tableside_text::fit_with_marker;

/// The theme of a screen and the abilities of its terminal.
#[derive(Clone, Copy, Debug)]
pub struct Appearance<'a> {
    pub theme: &'a Theme,
    /// The number of colours that the terminal shows.
    pub depth: Depth,
    /// True if the terminal shows only ASCII.
    pub ascii: bool,
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

    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role, self.depth)
    }

    /// Returns a text in the style of a role.
    pub fn span<'t>(&self, text: impl Into<Cow<'t, str>>, role: Role) -> Span<'t> {
        Span::styled(text, self.style(role))
    }

    /// Returns a line with a text in the style of a role.
    pub fn line<'t>(&self, text: impl Into<Cow<'t, str>>, role: Role) -> Line<'t> {
        Line::from(self.span(text, role))
    }

    /// Returns the style of an empty screen.
    pub fn base(&self) -> Style {
        self.theme.base(self.depth)
    }

    /// Returns the sign before entries that are hidden from players. ASCII has no such sign, so it is a word.
    pub const fn hidden_sign(&self) -> &'static str {
        if self.ascii { "(hidden)" } else { HIDDEN }
    }

    /// Returns the sign of the character whose turn it is. In ASCII it differs from the sign of the cursor.
    pub const fn acting_sign(&self) -> &'static str {
        if self.ascii { "@" } else { "▶" }
    }

    /// Cuts text to this number of columns and marks the cut.
    pub fn fit<'t>(&self, text: &'t str, room: u16) -> Cow<'t, str> {
        fit_with_marker(text, room.into(), CUT)
    }

    /// Cuts a name to this number of columns, but keeps the number at its end: `Goblin 12` becomes `Gob… 12`.
    ///
    /// In a list of names, a number belongs only to the last name, so a list is cut like any other text.
    pub fn fit_name(&self, name: &str, room: u16) -> String {
        if columns(name) <= room {
            return name.to_owned();
        }
        let Some((head, number)) = split_number(name) else {
            return self.fit(name, room).into_owned();
        };

        let number_columns = columns(number) + 1;
        // At least two letters and the sign for cut text stay before the number.
        let has_room_for_head = number_columns + 3 <= room;
        if !has_room_for_head {
            return self.fit(name, room).into_owned();
        }

        let short_head = self.fit(head.trim_end(), room - number_columns);
        format!("{short_head} {number}")
    }

    /// Cuts a line at its least important place.
    ///
    /// For a roll this is the tested value before the colon, so that the outcome and the numbers stay. For other lines
    /// it is the name at the end.
    pub fn fit_roll_or_name<'t>(&self, line: &Line<'t>, width: u16) -> Line<'t> {
        let cut_place = CutPlace::of(line);
        let excess = cut_place.needed_columns(line).saturating_sub(width);
        if excess == 0 {
            return line.clone();
        }

        let mut line = line.clone();
        if let Some(span) = line.spans.get_mut(cut_place.span) {
            let text_end = span.content.trim_end_matches(COLON).len();
            let (text, colon) = span.content.split_at(text_end);
            let least_room = width / 4;
            let room = columns(text).saturating_sub(excess).max(least_room);
            span.content = (self.fit_name(text, room) + colon).into();
        }
        line
    }

    /// Cuts text to this number of columns and always ends it with the sign for cut text.
    pub fn fit_more<'t>(&self, text: &'t str, room: u16) -> Cow<'t, str> {
        let text_room = room.saturating_sub(columns(CUT));
        let kept = fit_with_marker(text, text_room.into(), "");
        Cow::Owned(format!("{}{CUT}", kept.trim_end()))
    }

    /// Draws a line on the first row of an area and cuts it at the right edge.
    pub fn put(&self, line: &Line<'_>, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }

        if line_columns(line) > area.width {
            let cut_line = self.fit_line(line, area.width);
            put_spans(&cut_line, area, buffer);
        } else {
            put_spans(line, area, buffer);
        }
    }

    /// Draws a sign at the top of an edge for rows above the visible ones, and a sign at its bottom for rows below.
    pub fn put_more(&self, more: MoreRows, edge: Rect, role: Role, buffer: &mut Buffer) {
        if more.above {
            let sign = self.line(ABOVE, role);
            self.put(&sign, row(edge, 0), buffer);
        }
        if more.below {
            let sign = self.line(BELOW, role);
            let last_row = edge.height.saturating_sub(1);
            self.put(&sign, row(edge, last_row), buffer);
        }
    }

    /// Cuts a line of several styles to this number of columns and marks the cut.
    pub fn fit_line<'t>(&self, line: &Line<'t>, width: u16) -> Line<'t> {
        if line_columns(line) <= width {
            return line.clone();
        }

        let mut cut_line = Line {
            spans: Vec::new(),
            ..*line
        };
        let mut room = width;
        for span in &line.spans {
            let span_columns = columns(&span.content);
            // A span that fits exactly would leave no room for the sign.
            if span_columns >= room {
                push_cut_span(&mut cut_line, span, room);
                break;
            }
            cut_line.push_span(span.clone());
            room -= span_columns;
        }
        cut_line
    }
}

/// The end of the first span of a roll, which is the tested value.
const COLON: &str = ": ";
/// The number of spans of a roll that stay: the tested value, the outcome and the numbers, as `RollView::line` writes
/// them.
const ROLL_SPANS: usize = 3;

/// The place where a line is cut.
struct CutPlace {
    /// The index of the span that is shortened.
    span: usize,
    /// The number of spans that stay visible. Spans after them are cut first.
    kept: usize,
}

impl CutPlace {
    fn of(line: &Line<'_>) -> Self {
        let mut spans = line.spans.iter();
        let tested_value = spans.position(|span| span.content.ends_with(COLON));
        match tested_value {
            Some(index) => Self {
                span: index,
                kept: index + ROLL_SPANS,
            },
            None => Self {
                span: line.spans.len().saturating_sub(1),
                kept: line.spans.len(),
            },
        }
    }

    /// Returns the number of columns that the kept spans need, with a blank and the sign for cut text if spans follow.
    fn needed_columns(&self, line: &Line<'_>) -> u16 {
        let kept_spans = line.spans.iter().take(self.kept);
        let kept_columns: u16 = kept_spans.map(|span| columns(&span.content)).sum();
        let has_later_spans = self.kept < line.spans.len();
        if has_later_spans {
            kept_columns + 1 + columns(CUT)
        } else {
            kept_columns
        }
    }
}

/// Splits a name such as `Goblin 12` before its number. Returns `None` for a list of names.
fn split_number(name: &str) -> Option<(&str, &str)> {
    if name.contains(", ") {
        return None;
    }
    let (head, number) = name.rsplit_once(' ')?;
    let is_number = !number.is_empty() && number.chars().all(char::is_numeric);
    if is_number {
        Some((head, number))
    } else {
        None
    }
}

fn put_spans(line: &Line<'_>, area: Rect, buffer: &mut Buffer) {
    let mut free = area;
    for span in &line.spans {
        let style = line.style.patch(span.style);
        let used = put_text(&span.content, free, style, buffer);
        free.x += used;
        free.width -= used;
    }
}

/// Adds the part of a span that fits in `room`, with the sign for cut text.
fn push_cut_span(line: &mut Line<'_>, span: &Span<'_>, room: u16) {
    let text_room = room.saturating_sub(columns(CUT));
    let fitting = fit_with_marker(&span.content, text_room.into(), "");
    let text = fitting.trim_end_matches(CUT);

    // Text that was cut before already has its sign.
    let has_sign = match line.spans.last() {
        Some(last) => last.content.ends_with(CUT),
        None => false,
    };
    if text.is_empty() && has_sign {
        return;
    }
    line.push_span(Span::styled(format!("{text}{CUT}"), span.style));
}
