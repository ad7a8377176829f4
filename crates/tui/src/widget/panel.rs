//! A frame with a title around a panel.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

use crate::theme::Role;
use crate::widget::{Appearance, after, below, columns, left, line_columns, right, row};

/// A frame. An area with fewer than three rows shows only the title.
#[derive(Clone, Copy, Debug)]
pub struct PanelFrame<'a> {
    pub title: &'a str,
    /// A text at the right end of the upper border, for example a count.
    pub note: &'a str,
    /// A text in the lower border.
    pub foot: &'a str,
    /// True if the panel has the focus.
    pub focused: bool,
    pub look: Appearance<'a>,
}

impl<'a> PanelFrame<'a> {
    /// Returns a frame with only a title.
    pub const fn new(title: &'a str, look: Appearance<'a>) -> Self {
        Self {
            title,
            note: "",
            foot: "",
            focused: false,
            look,
        }
    }

    /// Returns the area inside the frame, without a blank column at either side if the frame is wide enough.
    ///
    /// In an area with fewer than three rows it is the area below the title.
    pub fn inner(&self, area: Rect) -> Rect {
        if area.height < 3 {
            return below(area, 1);
        }
        let side = if area.width > 20 { 2 } else { 1 };
        area.inner(Margin::new(side, 1))
    }

    /// Returns a text for the border, with a blank at either side. The line is empty if the text does not fit.
    fn words(&self, text: &str, role: Role, width: u16) -> Line<'static> {
        if text.is_empty() || width < 3 {
            return Line::default();
        }
        // The border below may be bold, and text that is drawn over it would stay bold.
        let style = self.look.style(role);
        let style = style.remove_modifier(Modifier::all().difference(style.add_modifier));
        let text = Span::styled(self.look.fit(text, width - 2).into_owned(), style);
        Line::from(vec![Span::raw(" "), text, Span::raw(" ")])
    }
}

impl Widget for &PanelFrame<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }
        let look = self.look;
        let head = after(left(area, area.width.saturating_sub(1)), 1);
        let title = self.words(self.title, Role::Title, head.width);
        if area.height < 3 {
            return look.put(&title, left(area, head.width), buffer);
        }
        let role = [Role::Border, Role::BorderFocus][usize::from(self.focused)];
        let border = look.style(role);
        let around = Block::bordered().border_type(BorderType::Rounded);
        around.border_style(border).render(area, buffer);
        look.put(&title, head, buffer);
        let room = head.width.saturating_sub(line_columns(&title));
        // A cut note would be useless, so the note is left out if it does not fit.
        if columns(self.note).saturating_add(3) <= room {
            let note = self.words(self.note, Role::Muted, room);
            look.put(&note, right(head, line_columns(&note)), buffer);
        }
        let foot = self.words(self.foot, Role::Muted, head.width);
        look.put(&foot, row(head, area.height - 1), buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::{shown, with_looks};

    #[test]
    fn a_note_is_whole_or_left_out() {
        with_looks(|look, _| {
            let panel = PanelFrame {
                note: "3 of 8",
                ..PanelFrame::new("Clocks", look)
            };
            for width in 0..40 {
                let drawn = shown(&panel, width, 3);
                assert_eq!(drawn.contains(" 3 of 8 "), width >= 19, "{drawn}");
                assert_eq!(drawn.contains('3'), width >= 19, "{drawn}");
            }
        });
    }

    #[test]
    fn what_is_inside_lies_inside() {
        with_looks(|look, _| {
            for width in 0..40 {
                for height in 0..6 {
                    let area = Rect::new(1, 1, width, height);
                    let inner = PanelFrame::new("x", look).inner(area);
                    assert!(
                        inner.is_empty() || area.union(inner) == area,
                        "{area} {inner}"
                    );
                }
            }
        });
    }
}
