//! A frame with a title around a part of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

use crate::theme::Role;
use crate::widget::{Appearance, after, below, columns, left, line_columns, right, row};

/// A frame. Where there are fewer than three rows, only the title is drawn.
#[derive(Clone, Copy, Debug)]
pub struct PanelFrame<'a> {
    /// What the panel shows.
    pub title: &'a str,
    /// What stands at the right of the title: a count, a filter.
    pub note: &'a str,
    /// What stands in the lower line.
    pub foot: &'a str,
    /// Whether keys go here.
    pub focused: bool,
    /// How the screen looks.
    pub look: Appearance<'a>,
}

impl<'a> PanelFrame<'a> {
    /// A panel with a title and nothing else.
    pub const fn new(title: &'a str, look: Appearance<'a>) -> Self {
        Self {
            title,
            note: "",
            foot: "",
            focused: false,
            look,
        }
    }

    /// What is left inside, with a blank column at either side where there is room for it; of fewer than three
    /// rows, what is left beneath the title.
    pub fn inner(&self, area: Rect) -> Rect {
        if area.height < 3 {
            return below(area, 1);
        }
        let side = if area.width > 20 { 2 } else { 1 };
        area.inner(Margin::new(side, 1))
    }

    /// Words of the frame, with a blank at either side; empty where there is no room for them.
    fn words(&self, text: &str, role: Role, width: u16) -> Line<'static> {
        if text.is_empty() || width < 3 {
            return Line::default();
        }
        // The frame beneath may be bold, which words drawn over it would keep.
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
        // A note that must be cut says nothing: with its blanks and a piece of frame it fits, or is left out.
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
