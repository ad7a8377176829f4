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

    fn draw_border(&self, area: Rect, buffer: &mut Buffer) {
        let role = if self.focused {
            Role::BorderFocus
        } else {
            Role::Border
        };
        Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(self.look.style(role))
            .render(area, buffer);
    }

    /// Returns a text for the border, with a blank at either side. The line is empty if the text does not fit.
    fn words(&self, text: &str, role: Role, width: u16) -> Line<'static> {
        if text.is_empty() || width < 3 {
            return Line::default();
        }

        // The border below may be bold, and text that is drawn over it would stay bold.
        let role_style = self.look.style(role);
        let other_modifiers = Modifier::all().difference(role_style.add_modifier);
        let style = role_style.remove_modifier(other_modifiers);

        let fitting_text = self.look.fit(text, width - 2).into_owned();
        let words = Span::styled(fitting_text, style);
        Line::from(vec![Span::raw(" "), words, Span::raw(" ")])
    }
}

impl Widget for &PanelFrame<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }

        let look = self.look;
        let head = inside_corners(area);
        let title = self.words(self.title, Role::Title, head.width);
        if area.height < 3 {
            look.put(&title, left(area, head.width), buffer);
            return;
        }

        self.draw_border(area, buffer);
        look.put(&title, head, buffer);

        // A cut note would be useless, so the note is left out if it does not fit.
        let room = head.width.saturating_sub(line_columns(&title));
        let note_columns = columns(self.note).saturating_add(3);
        if note_columns <= room {
            let note = self.words(self.note, Role::Muted, room);
            let note_area = right(head, line_columns(&note));
            look.put(&note, note_area, buffer);
        }

        let foot = self.words(self.foot, Role::Muted, head.width);
        let foot_line = row(head, area.height - 1);
        look.put(&foot, foot_line, buffer);
    }
}

/// Returns an area without its first and its last column.
fn inside_corners(area: Rect) -> Rect {
    let without_last = left(area, area.width.saturating_sub(1));
    after(without_last, 1)
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
