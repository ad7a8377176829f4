//! Drawing a text field.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Paragraph, Widget};

use super::Field;
use crate::Role;
use crate::widget::{Appearance, CUT};

/// A field with its appearance.
#[derive(Clone, Copy, Debug)]
pub struct FieldView<'a> {
    pub field: &'a Field,
    /// True if the field has the focus.
    pub focused: bool,
    /// The text that an empty field shows.
    pub placeholder: &'a str,
    pub look: Appearance<'a>,
}

impl<'a> FieldView<'a> {
    /// Returns the view of a field without the focus.
    pub const fn new(field: &'a Field, look: Appearance<'a>) -> Self {
        Self {
            field,
            focused: false,
            placeholder: "",
            look,
        }
    }

    /// Returns the position of the terminal's cursor if the field has the focus.
    pub fn cursor(&self, area: Rect) -> Option<Position> {
        let scroll = self.field.scroll(area.width);
        let visible_column = self.field.input.visual_cursor().checked_sub(scroll)?;
        let column = u16::try_from(visible_column).ok()?;

        let is_inside = column < area.width && area.height > 0;
        if self.focused && is_inside {
            Some(Position::new(area.x + column, area.y))
        } else {
            None
        }
    }
}

impl Widget for &FieldView<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }

        let line = Rect { height: 1, ..area };
        let role = if self.focused {
            Role::FieldFocus
        } else {
            Role::Field
        };
        let ground = self.look.style(role);
        // The field may be drawn over other text.
        let blanks = " ".repeat(line.width.into());
        buffer.set_string(line.x, line.y, blanks, ground);

        let value = self.field.value();
        if value.is_empty() {
            let placeholder_style = ground.patch(self.look.style(Role::Placeholder));
            let placeholder = self.look.fit(self.placeholder, line.width);
            draw_text(placeholder, 0, placeholder_style, line, buffer);
        } else if self.focused {
            let hidden_columns = self.field.scroll(line.width);
            let scroll = u16::try_from(hidden_columns).unwrap_or(u16::MAX);
            draw_text(value.into(), scroll, ground, line, buffer);
            if scroll > 0 {
                buffer.set_string(line.x, line.y, CUT, ground);
            }
        } else {
            // A field without the focus shows the beginning of its text.
            let start = self.look.fit_name(value, line.width);
            draw_text(start.into(), 0, ground, line, buffer);
        }
    }
}

fn draw_text(text: Cow<'_, str>, scroll: u16, style: Style, line: Rect, buffer: &mut Buffer) {
    Paragraph::new(text)
        .style(style)
        .scroll((0, scroll))
        .render(line, buffer);
}
