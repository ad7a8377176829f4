//! How a form looks: a list that scrolls, a line of help, and room for what the dialog draws beneath.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::entry::Digits;
use super::{Entry, Form, Row};
use crate::screen::dialog::reading::{Block, Scroll, height, sign, wanted};
use crate::screen::dialog::{Canvas, Touched};
use crate::screen::theme::Role;
use crate::screen::widget::dialog::DialogFrame;
use crate::screen::widget::field::{Field, FieldView};
use crate::screen::widget::wrap::wrap;
use crate::screen::widget::{Look, columns, row};

/// So many rows are shown before anything else is, and so many before all that is wanted beneath.
const LEAST_ROWS: u16 = 4;
const SOME_ROWS: u16 = 8;
/// So many rows beneath are shown before more of the help is.
const LEAST_BENEATH: u16 = 3;
/// What is wrong may take so many lines.
const MOST_HELP: usize = 5;
/// From so many columns on a label may take half of them.
const ROOMY: u16 = 60;
/// In fewer columns what is beside a value follows it at once.
const NARROW: u16 = 24;
const GAP: u16 = 2;
/// Before the label: the marker and a blank.
const GUTTER: u16 = 2;
/// A text keeps at least so many columns from what stands beside it.
const LEAST_TEXT: u16 = 20;

/// Columns that are wanted, and rows beneath: at the least, and for all of it.
type Wanted = (u16, (u16, u16));

struct Parts {
    list: Rect,
    /// The first row in sight.
    first: usize,
    help: Rect,
    tail: Rect,
}

#[derive(Clone, Copy)]
struct Columns {
    label: u16,
    value: u16,
    /// What is beside the values begins after the widest of those that are stepped through.
    widest: u16,
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// Where a text is typed, in line with the values; what stands beside it gives way where it is narrow.
fn text_area(value: Rect, beside: &str) -> Rect {
    let indent = 1.min(value.width);
    let whole = value.width - indent;
    let taken = match columns(beside) {
        0 => 0,
        columns => columns + GAP,
    };
    let width = whole.saturating_sub(taken);
    Rect {
        x: value.x + indent,
        width: if width < LEAST_TEXT { whole } else { width },
        ..value
    }
}

impl Row {
    /// The digits being typed over its value.
    fn being_typed(&self) -> Option<&Field> {
        match &self.entry {
            Entry::Shown { typed, .. } => typed.as_ref().map(Digits::field),
            Entry::Choice { words, digits, .. } => {
                let digits = digits.as_ref()?;
                let field = digits.being_typed()?;
                (words.is_empty() || !digits.text().is_empty()).then_some(field)
            }
            Entry::Text(_) | Entry::Die(_) | Entry::Flag(_) => None,
        }
    }

    /// Its value in words, or the hint while it is empty.
    fn value_words(&self) -> String {
        let words = self.entry.words();
        let words = if words.is_empty() { &self.hint } else { &words };
        words.clone().into_owned()
    }

    fn value_columns(&self) -> u16 {
        match (&self.entry, self.being_typed()) {
            (Entry::Text(_), _) => 0,
            (_, Some(field)) => columns(field.value()) + 1,
            (_, None) => columns(&self.value_words()),
        }
    }
}

impl Form {
    /// What is said beneath the rows: what is wrong, else the help.
    fn said(&self) -> (Role, String) {
        let focused = self.rows.get(self.focus);
        let wrong = focused.and_then(|row| row.problem.as_ref());
        if let Some(problem) = wrong.or(self.problem.as_ref()) {
            return (Role::Danger, format!("! {problem}"));
        }
        let help = focused.map_or(self.none, |row| &row.help);
        (Role::Muted, help.to_owned())
    }

    fn frame<'a>(
        &self,
        (title, note): (&'a str, &'a str),
        (width, tail): Wanted,
        (area, look): (Rect, Look<'a>),
    ) -> DialogFrame<'a> {
        let wide = width.min(area.width.saturating_sub(4));
        let tail = tail.1 + u16::from(tail.1 > 0);
        // There is room for the longest help: the dialog stays as it stands while the focus moves.
        let helps = self.rows.iter().map(|row| &row.help);
        let longest = helps
            .max_by_key(|help| columns(help))
            .map_or("", |help| help);
        let longest = wrap(longest, wide).len().min(MOST_HELP);
        let said = wrap(&self.said().1, wide).len().clamp(1, MOST_HELP);
        let height = count(self.rows.len()) + 1 + count(said.max(longest)) + tail;
        let height = height.min(area.height.saturating_sub(2));
        DialogFrame {
            note,
            ..DialogFrame::new(title, width, height, look)
        }
    }

    fn parts(
        &self,
        mut inner: Rect,
        (role, said): (Role, &[String]),
        beneath: (u16, u16),
    ) -> Parts {
        let rows = count(self.rows.len());
        let said = count(said.len().clamp(1, MOST_HELP));
        let mut left = inner.height;
        let mut grow = |part: &mut u16, wanted: u16| {
            let more = wanted.saturating_sub(*part).min(left);
            *part += more;
            left -= more;
        };
        let (mut list, mut tail, mut help, mut gap, mut tail_gap) = (0, 0, 0, 0, 0);
        // What is wrong is told first of all; help stands back behind what the dialog draws itself.
        if role == Role::Danger {
            grow(&mut help, said.min(2));
        }
        grow(&mut list, rows.min(LEAST_ROWS));
        grow(&mut tail, beneath.0);
        grow(&mut help, 1);
        grow(&mut list, rows.min(SOME_ROWS));
        grow(&mut tail, beneath.1);
        grow(&mut help, said);
        grow(&mut list, rows);
        grow(&mut gap, 1);
        grow(&mut tail_gap, u16::from(tail > 0));
        // What is drawn beneath stays where it is, however much is said above it.
        grow(&mut help, u16::MAX);
        let mut cut = |height: u16| {
            let part = Rect { height, ..inner };
            inner.y += height;
            part
        };
        let list = cut(list);
        cut(gap);
        let help = cut(help);
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

    fn columns(&self, width: u16) -> Columns {
        let widest = self.rows.iter().map(|row| columns(&row.label)).max();
        let most = if width < ROOMY {
            width * 2 / 5
        } else {
            width / 2
        };
        let label = widest.unwrap_or(0).min(most);
        let value = width.saturating_sub(GUTTER + label + GAP);
        let widest = self.rows.iter().map(Row::value_columns).max().unwrap_or(0);
        let beside = self.rows.iter().map(|row| columns(&row.beside)).max();
        let left = value.saturating_sub(beside.unwrap_or(0) + GAP);
        let widest = (widest + 2).clamp(6, (value * 3 / 5).max(left).max(6));
        Columns {
            label,
            value,
            widest: widest.min(value),
        }
    }

    /// Draws it; returns the room beneath, and where the cursor belongs.
    pub(in crate::screen::dialog) fn draw(
        &self,
        title: &str,
        note: &str,
        canvas: &mut Canvas<'_>,
    ) -> (Rect, Option<Position>) {
        self.draw_in(title, note, (self.width, self.tail), canvas)
    }

    /// Draws it in so many columns, with so many rows beneath.
    pub(in crate::screen::dialog) fn draw_in(
        &self,
        title: &str,
        note: &str,
        wanted: Wanted,
        canvas: &mut Canvas<'_>,
    ) -> (Rect, Option<Position>) {
        let look = canvas.look;
        let frame = self.frame((title, note), wanted, (canvas.area, look));
        (&frame).render(canvas.area, canvas.buffer);
        let inner = frame.inner(canvas.area);
        let (role, said) = self.said();
        let said = wrap(&said, inner.width);
        let parts = self.parts(inner, (role, &said), wanted.1);
        let columns = self.columns(parts.list.width);
        let mut cursor = None;
        for (down, place) in (0..parts.list.height).zip(parts.first..self.rows.len()) {
            let line = row(parts.list, down);
            let placed = self.draw_row(place, columns, line, canvas);
            cursor = cursor.or(placed);
        }
        let shown = parts.first + usize::from(parts.list.height);
        if parts.list.height > 0 {
            sign(
                (parts.first > 0, shown < self.rows.len()),
                parts.list,
                canvas,
            );
        }
        for (words, down) in said.iter().zip(0..parts.help.height) {
            let line = row(parts.help, down);
            let is_last = down + 1 == parts.help.height;
            let goes_on = is_last && said.len() > usize::from(parts.help.height);
            let words = if goes_on {
                look.fit_more(words, line.width)
            } else {
                words.into()
            };
            put(canvas.buffer, line, &words, look, role);
        }
        (parts.tail, cursor)
    }

    /// Draws it as wide as what is told of a check, with these blocks beneath.
    pub(in crate::screen::dialog) fn draw_over(
        &self,
        (title, note): (&str, &str),
        blocks: &[Block],
        scroll: &Scroll,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let width = wanted(canvas.area);
        let room = width.min(canvas.area.width.saturating_sub(4));
        let all = height(blocks, room, canvas.look);
        let beneath = (all.min(LEAST_BENEATH), all);
        let (tail, cursor) = self.draw_in(title, note, (width, beneath), canvas);
        let more = scroll.draw(blocks, tail, canvas);
        sign(more, tail, canvas);
        cursor
    }

    fn draw_row(
        &self,
        place: usize,
        wide: Columns,
        line: Rect,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let one = self.rows.get(place)?;
        let (look, is_focused) = (canvas.look, place == self.focus);
        canvas.touch(line, Touched::Row(place));
        if is_focused {
            let marker = look.glyphs().marker;
            canvas
                .buffer
                .set_string(line.x, line.y, marker, look.style(Role::Marker));
        } else if one.problem.is_some() {
            canvas
                .buffer
                .set_string(line.x, line.y, "!", look.style(Role::Danger));
        }
        let role = match (is_focused, one.is_quiet) {
            (true, _) => Role::Heading,
            (false, true) => Role::Muted,
            (false, false) => Role::Text,
        };
        let label = indented(line, GUTTER);
        put(
            canvas.buffer,
            label,
            &look.fit(&one.label, wide.label),
            look,
            role,
        );
        let value = indented(line, line.width - wide.value);
        let (taken, cursor) = match (&one.entry, one.being_typed()) {
            (Entry::Text(field), _) => {
                let spot = text_area(value, &one.beside);
                canvas.touch(value, Touched::Text(place, spot));
                let cursor = draw_field(field, &one.hint, is_focused, spot, canvas);
                (spot.right() - value.x, cursor)
            }
            (_, Some(field)) => {
                let spot = Rect {
                    x: value.x + 1,
                    width: wide.widest.saturating_sub(1),
                    ..value
                };
                (wide.widest, draw_field(field, "", is_focused, spot, canvas))
            }
            (_, None) => (one.draw_value(is_focused, wide, value, canvas), None),
        };
        if !one.entry.is_text() {
            canvas.touch(value, Touched::Value(place, 1));
            let arrow = Rect {
                width: value.width.min(1),
                ..value
            };
            canvas.touch(arrow, Touched::Value(place, -1));
        }
        let beside = indented(value, taken + GAP);
        let (words, role) = match &one.problem {
            Some(problem) => (problem, Role::Danger),
            None => (&one.beside, Role::Muted),
        };
        // What is wrong with the row in focus is told beneath in any case: beside it, whole or not at all.
        let cut_short = columns(words) > beside.width && one.problem.is_some() && is_focused;
        if beside.width > 4 && !cut_short {
            put(
                canvas.buffer,
                beside,
                &look.fit(words, beside.width),
                look,
                role,
            );
        }
        cursor
    }
}

impl Row {
    /// Draws a value that is stepped through, between arrows while it has the focus; returns its columns.
    fn draw_value(
        &self,
        is_focused: bool,
        wide: Columns,
        spot: Rect,
        canvas: &mut Canvas<'_>,
    ) -> u16 {
        let look = canvas.look;
        let words = self.value_words();
        let width = if self.beside.is_empty() && self.problem.is_none() {
            spot.width
        } else if spot.width < NARROW {
            (columns(&words) + 2).clamp(6, spot.width.max(6))
        } else {
            wide.widest
        };
        // Where there is nothing yet, there is room for it to see.
        let words = if words.is_empty() { "   " } else { &words };
        let words = look.fit(words, width.saturating_sub(2));
        let line = if is_focused {
            let [left, right] = if self.is_stepped() {
                look.pick(["‹", "›"], ["<", ">"])
            } else {
                [" ", " "]
            };
            Line::from(vec![
                Span::styled(left, look.style(Role::Marker)),
                Span::styled(words, look.style(Role::Selected)),
                Span::styled(right, look.style(Role::Marker)),
            ])
        } else {
            let role = if self.is_quiet {
                Role::Muted
            } else {
                Role::Text
            };
            Line::from(vec![Span::raw(" "), Span::styled(words, look.style(role))])
        };
        canvas.buffer.set_line(spot.x, spot.y, &line, width);
        width
    }
}

fn draw_field(
    field: &Field,
    placeholder: &str,
    focused: bool,
    spot: Rect,
    canvas: &mut Canvas<'_>,
) -> Option<Position> {
    let view = FieldView {
        focused,
        placeholder,
        ..FieldView::new(field, canvas.look)
    };
    (&view).render(spot, canvas.buffer);
    view.cursor(spot)
}

/// What is left of a line after so many columns.
fn indented(line: Rect, by: u16) -> Rect {
    let by = by.min(line.width);
    Rect {
        x: line.x + by,
        width: line.width - by,
        ..line
    }
}

fn put(buffer: &mut Buffer, line: Rect, words: &str, look: Look<'_>, role: Role) {
    if !line.is_empty() {
        buffer.set_stringn(line.x, line.y, words, line.width.into(), look.style(role));
    }
}
