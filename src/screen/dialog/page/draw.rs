//! How a page is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Cell, GAP, GUTTER, NARROW, Page, Parts, Row, text_area};
use crate::screen::dialog::wrap::{spell, wrap};
use crate::screen::theme::Role;
use crate::screen::widget::field::{Field, FieldView};
use crate::screen::widget::{columns, row};

impl Page<'_> {
    /// Draws it; answers with where the dialog may draw beneath, and where the cursor belongs.
    pub(in crate::screen::dialog) fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
    ) -> (Parts, Option<Position>) {
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
            let is_last = down + 1 == parts.help.height;
            let goes_on = is_last && lines.len() > usize::from(parts.help.height);
            let words = if goes_on {
                self.look.fit_more(words, line.width)
            } else {
                words.into()
            };
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
                let spot = Rect {
                    x: value.x + 1,
                    width: width.saturating_sub(1),
                    ..value
                };
                (width, self.draw_field(field, "", focused, spot, buffer))
            }
            Cell::Text(field, hint) => {
                let spot = text_area(value, &one.beside);
                let taken = spot.right() - value.x;
                (taken, self.draw_field(field, hint, focused, spot, buffer))
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
        let words = spell(words, &look);
        // What is wrong with the row in focus is told beneath in any case: beside it, whole or not at all.
        let cut_short = columns(&words) > beside.width && one.problem.is_some() && focused;
        if beside.width > 4 && !cut_short {
            buffer.set_stringn(
                beside.x,
                beside.y,
                look.fit(&words, beside.width),
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
        let alone = one.beside.is_empty() && one.problem.is_none();
        let width = if alone {
            spot.width
        } else if spot.width < NARROW {
            (columns(words) + 2).clamp(6, spot.width.max(6))
        } else {
            self.value_width(spot.width).min(spot.width)
        };
        // Where there is nothing yet, there is room for it to see.
        let words = if words.is_empty() { "   " } else { words };
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
