//! The marks before a row of a list, and the bar behind the selected row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::theme::Role;
use crate::widget::{Appearance, MARKED, MARKER, after, left};

/// The marks before a row of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowMarks {
    /// True for the row under the cursor.
    pub is_selected: bool,
    /// True for a row that is marked, so that keys act on it together with others.
    pub is_marked: bool,
}

impl RowMarks {
    /// The row under the cursor, not marked.
    pub const SELECTED: Self = Self {
        is_selected: true,
        is_marked: false,
    };
}

/// Draws the bar behind the selected row, the sign of the cursor before it, and the sign of a marked row.
pub fn draw_marks(marks: RowMarks, look: Appearance<'_>, line: Rect, buffer: &mut Buffer) {
    if marks.is_selected {
        buffer.set_style(line.intersection(buffer.area), bar_style(look));
        let marker = look.line(MARKER, Role::Marker);
        look.put(&marker, left(line, 1), buffer);
    }
    if marks.is_marked {
        let mark = look.line(MARKED, Role::Marked);
        let mark_area = left(after(line, 1), 1);
        look.put(&mark, mark_area, buffer);
    }
}

/// Returns the style of the bar behind the selected entry. The cells keep their own text colours.
pub fn bar_style(look: Appearance<'_>) -> Style {
    Style {
        fg: None,
        ..look.style(Role::Row)
    }
}

/// Draws the cursor of a list without the focus.
pub fn draw_resting_cursor(look: Appearance<'_>, line: Rect, buffer: &mut Buffer) {
    let marker = look.line(MARKER, Role::Muted);
    look.put(&marker, left(line, 1), buffer);
}
