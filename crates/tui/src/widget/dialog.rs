//! The frame of a dialog, in the middle of the screen.

use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::theme::Role;
use crate::widget::panel::PanelFrame;

/// A dialog with at most this number of columns beside it clears its rows from edge to edge.
const SLIVER: u16 = 2;

/// The rows of a tall form, with its frame. A form that keeps its top edge leaves room for them.
const TALL_FORM: u16 = 23;

/// The frame of a dialog. On a small screen it fills the whole screen, and its contents scroll.
#[derive(Clone, Copy, Debug)]
pub struct DialogFrame<'a> {
    pub panel: PanelFrame<'a>,
    /// The number of columns and rows of its contents.
    pub size: (u16, u16),
    /// True if the top edge stays in the same row while the height changes.
    pub keeps_top: bool,
}

impl DialogFrame<'_> {
    /// Returns its area on the screen, with the frame.
    pub fn area(&self, screen: Rect) -> Rect {
        let (columns, rows) = self.size;
        // A frame, and a blank column at either side.
        let width = columns.saturating_add(4).min(screen.width);
        let height = rows.saturating_add(2).min(screen.height);

        let spare_columns = screen.width - width;
        let spare_rows = screen.height - height;
        let x = screen.x + spare_columns / 2;
        let rows_above = if self.keeps_top {
            let rows_above_tall_form = screen.height.saturating_sub(TALL_FORM);
            spare_rows.min(rows_above_tall_form).min(screen.height / 8)
        } else {
            // A dialog looks centred if it is a little above the middle.
            spare_rows * 2 / 5
        };
        let y = screen.y + rows_above;
        Rect::new(x, y, width, height)
    }

    /// Returns the area of its contents.
    pub fn inner(&self, screen: Rect) -> Rect {
        self.panel.inner(self.area(screen))
    }
}

impl Widget for &DialogFrame<'_> {
    /// Draws the frame on an empty ground over the screen.
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let screen = screen.intersection(buffer.area);
        let area = self.area(screen);

        // A few columns of the tab next to the dialog would look like a part of the dialog.
        let left_columns = area.x - screen.x;
        let ground = if left_columns <= SLIVER {
            Rect::new(screen.x, area.y, screen.width, area.height)
        } else {
            area
        };
        Clear.render(ground, buffer);
        buffer.set_style(ground, self.panel.look.base());
        clear_cut_letters(area, buffer);

        buffer.set_style(area, self.panel.look.style(Role::Dialog));
        self.panel.render(area, buffer);
    }
}

/// Clears wide letters left of an area whose right half the area covers.
fn clear_cut_letters(area: Rect, buffer: &mut Buffer) {
    if area.x <= buffer.area.x {
        return;
    }

    let x = area.x - 1;
    for y in area.y..area.bottom() {
        let Some(cell) = buffer.cell_mut((x, y)) else {
            continue;
        };
        if cell.cell_width() > 1 {
            cell.set_symbol(" ");
        }
    }
}

/// Returns the first visible row after the smallest scroll that makes the rows `from` to `to` visible.
pub fn scroll_to(offset: usize, shown: usize, from: usize, to: usize) -> usize {
    let lowest = to.saturating_add(1).saturating_sub(shown);
    offset.max(lowest).min(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::color_depth::Depth;
    use crate::widget::Appearance;

    #[test]
    fn scrolling_moves_as_little_as_can_be() {
        assert_eq!(scroll_to(0, 5, 2, 2), 0);
        assert_eq!(scroll_to(0, 5, 7, 7), 3);
        assert_eq!(scroll_to(6, 5, 2, 3), 2);
        assert_eq!(scroll_to(0, 3, 4, 9), 4);
    }

    #[test]
    fn a_frame_that_keeps_its_top_edge_does_not_jump() {
        let theme = crate::Theme::default();
        let look = Appearance::new(&theme, Depth::True);
        for screen_height in [12, 23, 39] {
            let screen = Rect::new(0, 0, 80, screen_height);
            let top_of = |rows| {
                let frame = DialogFrame {
                    panel: PanelFrame::new("Roll", look),
                    size: (70, rows),
                    keeps_top: true,
                };
                frame.area(screen).y
            };
            assert!((8..=21).all(|rows| top_of(rows) == top_of(8)));
        }
    }
}
