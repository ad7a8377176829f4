//! The frame of a dialog, in the middle of the screen.

use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::theme::Role;
use crate::widget::panel::PanelFrame;

/// A dialog with at most this number of columns beside it clears its rows from edge to edge.
const SLIVER: u16 = 2;

/// The frame of a dialog. On a small screen it takes the whole screen, and its contents scroll.
#[derive(Clone, Copy, Debug)]
pub struct DialogFrame<'a> {
    pub panel: PanelFrame<'a>,
    /// The columns and rows of its contents.
    pub size: (u16, u16),
}

impl DialogFrame<'_> {
    /// Returns its area on the screen, with the frame.
    pub fn area(&self, screen: Rect) -> Rect {
        // A frame, and a blank column at either side.
        let width = self.size.0.saturating_add(4).min(screen.width);
        let height = self.size.1.saturating_add(2).min(screen.height);
        let x = screen.x + (screen.width - width) / 2;
        // A dialog looks centred if it stands a little above the middle.
        let y = screen.y + (screen.height - height) * 2 / 5;
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
        let beside = area.x - screen.x;
        // A few columns of the tab beside the dialog would look like a part of the dialog.
        let across = Rect::new(screen.x, area.y, screen.width, area.height);
        let ground = if beside <= SLIVER { across } else { area };
        Clear.render(ground, buffer);
        buffer.set_style(ground, self.panel.look.base());
        // The left edge may have cut a wide letter in two.
        if let Some(x) = area.x.checked_sub(1).filter(|x| *x >= buffer.area.x) {
            for y in area.y..area.bottom() {
                if let Some(cell) = buffer.cell_mut((x, y)).filter(|cell| cell.cell_width() > 1) {
                    cell.set_symbol(" ");
                }
            }
        }
        buffer.set_style(area, self.panel.look.style(Role::Dialog));
        self.panel.render(area, buffer);
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

    #[test]
    fn scrolling_moves_as_little_as_can_be() {
        assert_eq!(scroll_to(0, 5, 2, 2), 0);
        assert_eq!(scroll_to(0, 5, 7, 7), 3);
        assert_eq!(scroll_to(6, 5, 2, 3), 2);
        assert_eq!(scroll_to(0, 3, 4, 9), 4);
    }
}
