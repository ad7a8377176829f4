//! Drawing the value of a row, and the text next to it.

use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::dialog::form::{Row, TypedValue};
use crate::dialog::{Canvas, Touched};
use crate::theme::Role;
use crate::widget::{FieldView, after, columns, left};

/// Below this width, the text next to a value follows the value directly.
const NARROW: u16 = 24;

/// The number of columns between a value and the text next to it.
pub(super) const GAP: u16 = 2;

/// The number of columns for the two arrows around a value that is stepped.
pub(super) const ARROWS: u16 = 2;

/// The minimum width of a text field next to another text, in columns.
const MIN_TEXT_COLUMNS: u16 = 20;

/// The number of columns that labels leave free for an empty text field.
const MIN_FIELD_COLUMNS: u16 = 8;

/// The focus of a row, which changes how its value is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RowFocus {
    None,
    /// The row has the focus, but the form is read-only.
    Read,
    Edited,
}

/// The result of drawing a value.
pub(crate) struct DrawnValue {
    pub(crate) columns: u16,
    pub(crate) cursor: Option<Position>,
}

impl Row {
    /// Returns the text of the value, or the hint if the value is empty.
    fn shown_value(&self) -> String {
        let value = self.entry.text();
        if value.is_empty() {
            return self.hint.clone().into_owned();
        }

        let is_number = value.parse::<f64>().is_ok();
        if is_number {
            // The minus sign is as wide as a plus, and the same on all screens.
            value.replace('-', "−")
        } else {
            value.into_owned()
        }
    }

    /// Returns the width of a value that is stepped, or of the hint if the value is empty. It is 0 for a text, which
    /// uses the rest of the line.
    pub(super) fn value_columns(&self) -> u16 {
        if self.entry.is_text() {
            return 0;
        }
        let shown_columns = columns(&self.shown_value());
        match self.entry.digits_field() {
            // The cursor needs a column.
            Some(field) => shown_columns.max(columns(field.value()) + 1),
            None => shown_columns,
        }
    }

    /// Returns the width that the value needs with its arrows. A long text scrolls in its field.
    pub(super) fn columns_with_arrows(&self) -> u16 {
        let value = if self.entry.is_text() {
            columns(&self.shown_value()).clamp(MIN_FIELD_COLUMNS, MIN_TEXT_COLUMNS)
        } else {
            self.value_columns()
        };
        value + ARROWS
    }

    /// Returns the width that the value needs with its arrows and the text next to it.
    pub(super) fn needed_columns(&self) -> u16 {
        self.columns_with_arrows() + self.beside_columns()
    }

    /// Returns the width of the text next to the value, with the gap before it.
    fn beside_columns(&self) -> u16 {
        match columns(&self.beside) {
            0 => 0,
            columns => columns + GAP,
        }
    }

    pub(crate) fn draw_value(
        &self,
        index: usize,
        focus: RowFocus,
        stepped_columns: u16,
        area: Rect,
        canvas: &mut Canvas<'_>,
    ) -> DrawnValue {
        let inner = after(area, 1);

        let (field, field_area) = if let TypedValue::Text(field) = &self.entry {
            let text_area = self.text_area(inner);
            canvas.touch(area, Touched::Text(index, text_area));
            (Some(field), text_area)
        } else {
            let width = stepped_columns.saturating_sub(1).min(inner.width);
            canvas.touch(area, Touched::Value(index, 1));
            canvas.touch(left(area, 1), Touched::Value(index, -1));
            (self.entry.digits_field(), Rect { width, ..inner })
        };

        let Some(field) = field else {
            return DrawnValue {
                columns: self.draw_stepped_value(focus, stepped_columns, area, canvas),
                cursor: None,
            };
        };
        let field_view = FieldView {
            focused: focus != RowFocus::None,
            placeholder: &self.hint,
            ..FieldView::new(field, canvas.look)
        };
        (&field_view).render(field_area, canvas.buffer);
        DrawnValue {
            columns: field_area.right() - area.x,
            cursor: field_view.cursor(field_area),
        }
    }

    /// Returns the area of a text field. It leaves room for the text next to it, unless the line is narrow.
    fn text_area(&self, area: Rect) -> Rect {
        let width = area.width.saturating_sub(self.beside_columns());
        if width < MIN_TEXT_COLUMNS {
            area
        } else {
            Rect { width, ..area }
        }
    }

    /// Draws a value that is stepped, with arrows around it while it is edited. Returns its width.
    fn draw_stepped_value(
        &self,
        focus: RowFocus,
        stepped_columns: u16,
        area: Rect,
        canvas: &mut Canvas<'_>,
    ) -> u16 {
        let look = canvas.look;
        let value = self.shown_value();

        let has_text_beside = !self.beside.is_empty() || self.problem.is_some();
        let width = if !has_text_beside {
            area.width
        } else if area.width < NARROW {
            (columns(&value) + ARROWS).min(area.width)
        } else {
            stepped_columns
        };

        // The colour of three spaces shows an empty value.
        let visible_value = if value.is_empty() { "   " } else { &value };
        let text = look.fit(visible_value, width.saturating_sub(ARROWS));

        let (left_mark, right_mark) = match focus {
            RowFocus::Edited if !self.is_item() => ("‹", "›"),
            RowFocus::Edited | RowFocus::Read => (" ", " "),
            RowFocus::None => (" ", ""),
        };
        let role = if self.entry.text().is_empty() {
            Role::Placeholder
        } else if focus != RowFocus::None {
            Role::Selected
        } else if self.is_quiet {
            Role::Muted
        } else {
            Role::Text
        };

        let line = Line::from(vec![
            Span::styled(left_mark, look.style(Role::Marker)),
            Span::styled(text, look.style(role)),
            Span::styled(right_mark, look.style(Role::Marker)),
        ]);
        canvas.buffer.set_line(area.x, area.y, &line, width);
        width
    }

    /// Draws the error of the row, or else the text next to its value.
    pub(super) fn draw_beside(&self, is_focused: bool, area: Rect, canvas: &mut Canvas<'_>) {
        let has_problem = self.problem.is_some();
        // The message shows the error of the row in focus.
        if area.width <= 4 || has_problem && is_focused {
            return;
        }

        let (text, role) = match &self.problem {
            Some(problem) => (problem, Role::Danger),
            None => (&self.beside, Role::Muted),
        };
        let fitted = canvas.look.fit(text, area.width);
        canvas.put(area, &fitted, role);
    }
}
