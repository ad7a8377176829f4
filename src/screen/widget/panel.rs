//! A frame with a title around a part of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Look, after, below, columns, left, line_columns, right, row};
use crate::screen::theme::Role;

/// A frame. Where there are fewer than three rows, only the title is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    /// What the panel shows.
    pub title: &'a str,
    /// What stands at the right of the title: a count, a filter.
    pub note: &'a str,
    /// What stands in the lower line.
    pub foot: &'a str,
    /// Whether keys go here.
    pub focused: bool,
    /// Whether there is more above and below what is in sight.
    pub more: (bool, bool),
    /// How the screen looks.
    pub look: Look<'a>,
}

impl<'a> Panel<'a> {
    /// A panel with a title and nothing else.
    pub const fn new(title: &'a str, look: Look<'a>) -> Self {
        Self {
            title,
            note: "",
            foot: "",
            focused: false,
            more: (false, false),
            look,
        }
    }

    /// What is left inside, with a blank column at either side where there is room for it.
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
        // The frame beneath may be bold.
        let style = self.look.style(role);
        let style = style.remove_modifier(Modifier::all().difference(style.add_modifier));
        let text = Span::styled(self.look.fit(text, width - 2).into_owned(), style);
        Line::from(vec![Span::raw(" "), text, Span::raw(" ")])
    }

    /// Draws the lines around. ratatui's `Block` asks of every cell how its line meets what is there, and a
    /// tenth of a frame went into that; nothing is there.
    fn draw_border(&self, area: Rect, style: Style, buffer: &mut Buffer) {
        let [top_left, level, top_right, upright, low_left, low_right] = self.look.pick(
            ["╭", "─", "╮", "│", "╰", "╯"],
            ["+", "-", "+", "|", "+", "+"],
        );
        let mut put = |x: u16, y: u16, symbol: &str| {
            buffer[(x, y)].set_symbol(symbol).set_style(style);
        };
        let (right, low) = (area.right() - 1, area.bottom() - 1);
        for x in area.x..right {
            put(x, area.y, level);
            put(x, low, level);
        }
        for y in area.y..low {
            put(area.x, y, upright);
            put(right, y, upright);
        }
        put(area.x, area.y, top_left);
        put(right, area.y, top_right);
        put(area.x, low, low_left);
        put(right, low, low_right);
    }
}

impl Widget for &Panel<'_> {
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
        let border = look.style(if self.focused {
            Role::BorderFocus
        } else {
            Role::Border
        });
        self.draw_border(area, border, buffer);
        look.put(&title, head, buffer);
        let room = head.width.saturating_sub(line_columns(&title));
        // A note that must be cut says nothing.
        if columns(self.note) + 3 <= room {
            let note = self.words(self.note, Role::Muted, room);
            look.put(&note, right(head, line_columns(&note)), buffer);
        }
        let foot = self.words(self.foot, Role::Muted, head.width);
        look.put(&foot, row(head, area.height - 1), buffer);
        let (above, below) = self.more;
        let edge = right(area, 1);
        let glyphs = look.glyphs();
        let signs = [
            (above, 1, glyphs.above),
            (below, area.height - 2, glyphs.below),
        ];
        for (_, down, sign) in signs.into_iter().filter(|(is_more, ..)| *is_more) {
            look.put(&Line::styled(sign, border), row(edge, down), buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_looks;
    use super::*;

    #[test]
    fn what_is_inside_lies_inside() {
        with_looks(|look, _| {
            for width in 0..40 {
                for height in 0..6 {
                    let area = Rect::new(1, 1, width, height);
                    let inner = Panel::new("x", look).inner(area);
                    assert!(
                        inner.is_empty() || area.union(inner) == area,
                        "{area} {inner}"
                    );
                }
            }
        });
    }
}
