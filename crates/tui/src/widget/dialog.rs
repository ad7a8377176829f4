//! A panel in the middle of the screen, on a ground of its own, over what goes on.

use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::theme::Role;
use crate::widget::panel::PanelFrame;

/// A dialog that leaves so few columns beside it takes its rows from edge to edge.
const SLIVER: u16 = 2;

/// A dialog. On a small screen it takes all of it, and what it holds is scrolled.
#[derive(Clone, Copy, Debug)]
pub struct DialogFrame<'a> {
    /// What stands around its content.
    pub panel: PanelFrame<'a>,
    /// The columns and rows that its content wants.
    pub size: (u16, u16),
}

impl DialogFrame<'_> {
    /// Where it stands on the screen, with its frame.
    pub fn area(&self, screen: Rect) -> Rect {
        // A frame, and a blank column at either side.
        let width = self.size.0.saturating_add(4).min(screen.width);
        let height = self.size.1.saturating_add(2).min(screen.height);
        let x = screen.x + (screen.width - width) / 2;
        // A little above the middle looks like the middle.
        let y = screen.y + (screen.height - height) * 2 / 5;
        Rect::new(x, y, width, height)
    }

    /// Where its content goes.
    pub fn inner(&self, screen: Rect) -> Rect {
        self.panel.inner(self.area(screen))
    }
}

impl Widget for &DialogFrame<'_> {
    /// Draws over `screen`: the frame and an empty ground.
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let screen = screen.intersection(buffer.area);
        let area = self.area(screen);
        let beside = area.x - screen.x;
        // A sliver of what is beneath says nothing, and its last letters look like the dialog's.
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

/// The first row in sight so that rows `from` to `to` are, moving as little as can be.
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
