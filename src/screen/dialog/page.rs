//! How dialogs look that are rows of values: a list that scrolls, a line of help, and whatever the
//! dialog draws beneath.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::wrap::wrap;
use crate::screen::depth::Depth;
use crate::screen::theme::{Role, Theme};
use crate::screen::widget::dialog::Dialog;
use crate::screen::widget::field::{Field, FieldView};
use crate::screen::widget::{Look, columns, row};

/// What stands in a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    /// A value that is stepped through.
    Value(&'a str),
    /// A value that is being typed over.
    Typed(&'a Field),
    /// A line of text, with what it is for while it is empty.
    Text(&'a Field, &'a str),
}

/// A row of a page.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    /// What it is called.
    pub(super) label: Cow<'a, str>,
    /// What it is.
    pub(super) cell: Cell<'a>,
    /// Where that comes from, or what it is called.
    pub(super) beside: Cow<'a, str>,
    /// What is wrong with it.
    pub(super) problem: Option<&'a str>,
    /// Whether it is as it always is, and stands back.
    pub(super) quiet: bool,
}

impl<'a> Row<'a> {
    /// A row with nothing beside it.
    pub(super) fn new(label: impl Into<Cow<'a, str>>, cell: Cell<'a>) -> Self {
        Self {
            label: label.into(),
            cell,
            beside: Cow::Borrowed(""),
            problem: None,
            quiet: false,
        }
    }
}

/// A dialog of rows.
#[derive(Clone, Debug)]
pub(super) struct Page<'a> {
    /// What it is about.
    pub(super) title: &'a str,
    /// What stands at the right of the title.
    pub(super) note: &'a str,
    /// The rows.
    pub(super) rows: &'a [Row<'a>],
    /// The row that keys act on.
    pub(super) focus: usize,
    /// A sentence about that row.
    pub(super) help: &'a str,
    /// What is wrong with the whole.
    pub(super) problem: Option<&'a str>,
    /// Rows that are wanted beneath.
    pub(super) tail: u16,
    /// Columns that are wanted.
    pub(super) width: u16,
    /// How the screen looks.
    pub(super) look: Look<'a>,
}

/// Where the parts of a page are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The rows in sight.
    pub(super) list: Rect,
    /// The first row in sight.
    pub(super) first: usize,
    /// The help, or what is wrong.
    pub(super) help: Rect,
    /// What the dialog draws itself.
    pub(super) tail: Rect,
}

/// So many rows are shown before the help gives way, and before the tail does.
const LEAST_ROWS: u16 = 3;
/// What is wrong may take so many lines.
const MOST_HELP: usize = 3;
/// Between two columns.
const GAP: u16 = 2;
/// Before the label: the marker and a blank.
const GUTTER: u16 = 2;

/// Where things are does not depend on how the screen looks: what finds the mouse needs no look.
pub(super) fn bare<T>(find: impl FnOnce(Look<'_>) -> T) -> T {
    let theme = Theme::default();
    find(Look::new(&theme, Depth::Mono))
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX)
}

impl<'a> Page<'a> {
    /// A page of rows with nothing else.
    pub(super) const fn new(title: &'a str, rows: &'a [Row<'a>], look: Look<'a>) -> Self {
        Self {
            title,
            note: "",
            rows,
            focus: 0,
            help: "",
            problem: None,
            tail: 0,
            width: 68,
            look,
        }
    }

    /// What is said beneath the rows: what is wrong, else the help.
    fn said(&self) -> (Role, String) {
        let wrong = self.rows.get(self.focus).and_then(|row| row.problem);
        match wrong.or(self.problem) {
            Some(problem) => (Role::Danger, format!("! {problem}")),
            None => (Role::Muted, self.help.to_owned()),
        }
    }

    fn frame(&self, area: Rect) -> Dialog<'a> {
        let width = self.width.min(area.width.saturating_sub(4));
        let said = count(wrap(&self.said().1, width).len().clamp(1, MOST_HELP));
        let tail = if self.tail > 0 { self.tail + 1 } else { 0 };
        let height = count(self.rows.len()) + 1 + said + tail;
        Dialog {
            note: self.note,
            ..Dialog::new(self.title, self.width, height, self.look)
        }
    }

    /// Where everything is, drawn over that area.
    pub(super) fn parts(&self, area: Rect) -> Parts {
        let frame = self.frame(area);
        let mut inner = frame.inner(area);
        let rows = count(self.rows.len());
        let said = count(wrap(&self.said().1, inner.width).len().clamp(1, MOST_HELP));
        let mut left = inner.height.saturating_sub(LEAST_ROWS.min(rows));
        let mut take = |wanted: u16| {
            let given = wanted.min(left);
            left -= given;
            given
        };
        // What is wrong is told first of all; help stands back behind what the dialog draws itself.
        let urgent = self.said().0 == Role::Danger;
        let told = if urgent { take(said) } else { 0 };
        let tail = take(self.tail);
        let told = if urgent { told } else { take(said) };
        let more = take(rows.saturating_sub(LEAST_ROWS));
        let gap = take(1);
        let tail_gap = if self.tail > 0 { take(1) } else { 0 };
        let list_height = LEAST_ROWS.min(rows).min(inner.height) + more;
        let mut cut = |height: u16| {
            let part = Rect {
                height: height.min(inner.height),
                ..inner
            };
            inner.y += part.height;
            inner.height -= part.height;
            part
        };
        let list = cut(list_height);
        cut(gap);
        let help = cut(told);
        cut(tail_gap);
        let tail = cut(tail);
        // The focus stands in the middle of what is in sight: it needs no memory of where it was.
        let shown = usize::from(list.height);
        let furthest = self.rows.len().saturating_sub(shown);
        let first = self.focus.saturating_sub(shown / 2).min(furthest);
        Parts {
            list,
            first,
            help,
            tail,
        }
    }

    /// The row at a place of the screen.
    pub(super) fn row_at(&self, area: Rect, at: Position) -> Option<usize> {
        let parts = self.parts(area);
        let down = usize::from(at.y.checked_sub(parts.list.y)?);
        let index = parts.first + down;
        (parts.list.contains(at) && index < self.rows.len()).then_some(index)
    }

    /// Where the value of the row in that line is drawn.
    pub(super) fn value_area(&self, line: Rect) -> Rect {
        let before = GUTTER + self.label_width(line.width) + GAP;
        Rect {
            x: line.x + before.min(line.width),
            width: line.width.saturating_sub(before),
            ..line
        }
    }

    fn label_width(&self, width: u16) -> u16 {
        let widest = self.rows.iter().map(|row| columns(&row.label)).max();
        widest.unwrap_or(0).min(width * 2 / 5)
    }

    /// What is beside the values begins after the widest of those that are stepped through.
    fn value_width(&self, width: u16) -> u16 {
        let own = |row: &Row<'_>| match row.cell {
            Cell::Value(value) => columns(value),
            Cell::Typed(field) => columns(field.value()) + 1,
            Cell::Text(..) => 0,
        };
        let widest = self.rows.iter().map(own).max().unwrap_or(0);
        (widest + 2).clamp(6, (width * 3 / 5).max(6))
    }

    /// Draws it; answers with where the dialog may draw beneath, and where the cursor belongs.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) -> (Parts, Option<Position>) {
        (&self.frame(area)).render(area, buffer);
        let parts = self.parts(area);
        let mut cursor = None;
        for (down, (index, one)) in
            (0..parts.list.height).zip(self.rows.iter().enumerate().skip(parts.first))
        {
            let line = row(parts.list, down);
            let placed = self.draw_row(one, index == self.focus, line, buffer);
            cursor = cursor.or(placed);
        }
        self.draw_more(&parts, buffer);
        let (role, said) = self.said();
        let lines = wrap(&said, parts.help.width);
        for (words, down) in lines.iter().zip(0..parts.help.height) {
            let line = row(parts.help, down);
            buffer.set_stringn(
                line.x,
                line.y,
                words,
                line.width.into(),
                self.look.style(role),
            );
        }
        (parts, cursor)
    }

    /// Signs on the frame that there are more rows above and below.
    fn draw_more(&self, parts: &Parts, buffer: &mut Buffer) {
        let Rect {
            x,
            y,
            width,
            height,
        } = parts.list;
        if height == 0 {
            return;
        }
        let glyphs = self.look.glyphs();
        let style = self.look.style(Role::BorderFocus);
        let edge = x + width + 1;
        if parts.first > 0 && edge < buffer.area.right() {
            buffer.set_string(edge, y, glyphs.above, style);
        }
        let shown = parts.first + usize::from(height);
        if shown < self.rows.len() && edge < buffer.area.right() {
            buffer.set_string(edge, y + height - 1, glyphs.below, style);
        }
    }

    fn draw_row(
        &self,
        one: &Row<'_>,
        focused: bool,
        line: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let look = self.look;
        let glyphs = look.glyphs();
        if focused {
            buffer.set_string(line.x, line.y, glyphs.marker, look.style(Role::Marker));
        } else if one.problem.is_some() {
            buffer.set_string(line.x, line.y, "!", look.style(Role::Danger));
        }
        let label = look.fit(&one.label, self.label_width(line.width));
        let role = match (focused, one.quiet) {
            (true, _) => Role::Heading,
            (false, true) => Role::Muted,
            (false, false) => Role::Text,
        };
        buffer.set_stringn(
            line.x + GUTTER,
            line.y,
            &label,
            line.width.saturating_sub(GUTTER).into(),
            look.style(role),
        );
        let value = self.value_area(line);
        let (taken, cursor) = match one.cell {
            Cell::Value(words) => (self.draw_value(one, words, focused, value, buffer), None),
            Cell::Typed(field) => {
                let width = self.value_width(value.width).min(value.width);
                let spot = Rect { width, ..value };
                (width, self.draw_field(field, "", focused, spot, buffer))
            }
            Cell::Text(field, hint) => {
                let beside = columns(&one.beside);
                let width = value
                    .width
                    .saturating_sub(if beside > 0 { beside + GAP } else { 0 });
                let spot = Rect { width, ..value };
                (width, self.draw_field(field, hint, focused, spot, buffer))
            }
        };
        let beside = Rect {
            x: value.x + (taken + GAP).min(value.width),
            width: value.width.saturating_sub(taken + GAP),
            ..value
        };
        let (words, role) = match one.problem {
            Some(problem) => (problem, Role::Danger),
            None => (&*one.beside, Role::Muted),
        };
        if beside.width > 2 {
            buffer.set_stringn(
                beside.x,
                beside.y,
                look.fit(words, beside.width),
                beside.width.into(),
                look.style(role),
            );
        }
        cursor
    }

    fn draw_field(
        &self,
        field: &Field,
        placeholder: &str,
        focused: bool,
        spot: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let view = FieldView {
            focused,
            placeholder,
            ..FieldView::new(field, self.look)
        };
        (&view).render(spot, buffer);
        view.cursor(spot)
    }

    /// Draws a value that is stepped through, between arrows while it has the focus.
    fn draw_value(
        &self,
        one: &Row<'_>,
        words: &str,
        focused: bool,
        spot: Rect,
        buffer: &mut Buffer,
    ) -> u16 {
        let look = self.look;
        let width = self.value_width(spot.width).min(spot.width);
        let words = look.fit(words, width.saturating_sub(2));
        let line = if focused {
            let [left, right] = look.pick(["‹", "›"], ["<", ">"]);
            let style = look.style(Role::Selected);
            Line::from(vec![
                Span::styled(left, look.style(Role::Marker)),
                Span::styled(words, style),
                Span::styled(right, look.style(Role::Marker)),
            ])
        } else {
            let role = if one.quiet { Role::Muted } else { Role::Text };
            Line::from(vec![Span::raw(" "), Span::styled(words, look.style(role))])
        };
        buffer.set_line(spot.x, spot.y, &line, width);
        width
    }
}
