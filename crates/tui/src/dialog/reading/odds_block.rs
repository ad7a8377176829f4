//! The odds of a check: the chance of success in large figures, followed by a bar of all outcomes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{BlockLayout, StyledText, draw_lines, styled_line, to_rows};
use crate::Role;
use crate::widget::wrap::HARD_BLANK;
use crate::widget::{
    Chance, OddsBar, after, below, columns, join, large_digits, row, top, wrap_line,
};
use tableside_text::join as join_texts;

/// The minimum width of the bar next to large figures, in columns.
const MIN_BAR_COLUMNS: u16 = 48;

#[derive(Clone, Debug)]
pub struct OddsBlock {
    /// The chance of success as text. `None` if the check has no success.
    pub(in crate::dialog) success: Option<String>,
    pub(in crate::dialog) chances: Vec<Chance<'static>>,
    /// The changes that would raise the chance of success, for the text below the bar.
    pub(in crate::dialog) helps: Vec<String>,
}

/// The chance of success, to the left of the bar.
struct SuccessText {
    lines: Vec<String>,
    /// The width in columns, with the gap before the bar.
    width: u16,
}

impl OddsBlock {
    /// Returns the chance of success in large figures, or in one line if large figures leave no room for the bar.
    fn success_text(&self, layout: BlockLayout<'_>) -> SuccessText {
        let Some(success) = &self.success else {
            return SuccessText {
                lines: Vec::new(),
                width: 0,
            };
        };

        let large_lines = large_digits(success).to_vec();
        let large_width = columns(&large_lines[0]) + 2;
        let has_room = layout.width >= large_width + MIN_BAR_COLUMNS;
        if has_room && !layout.is_low && !layout.look.ascii {
            SuccessText {
                lines: large_lines,
                width: large_width,
            }
        } else {
            SuccessText {
                lines: vec![success.clone()],
                width: columns(success) + 2,
            }
        }
    }

    /// Returns the width of the bar and of the text below it. In the low layout, the text has the full width.
    fn text_width(&self, layout: BlockLayout<'_>) -> u16 {
        if layout.is_low {
            layout.width
        } else {
            let success_width = self.success_text(layout).width;
            layout.width.saturating_sub(success_width)
        }
    }

    fn bar_height(&self, layout: BlockLayout<'_>) -> u16 {
        if layout.is_low {
            return 2;
        }
        let bar = OddsBar {
            chances: &self.chances,
            look: layout.look,
        };
        bar.height(self.text_width(layout))
    }

    /// Returns the lines below the bar.
    fn text_lines(&self, layout: BlockLayout<'_>) -> Vec<Line<'static>> {
        let look = layout.look;
        let mut parts = Vec::new();
        // Large figures consist of block characters, which screen readers cannot read. So the chance is also written as
        // text.
        if let Some(success) = &self.success
            && !layout.is_low
        {
            let text = format!("{success} to succeed");
            parts.push(Line::from(Span::styled(text, look.style(Role::Muted))));
        }
        let label = if layout.is_low {
            "Helps:"
        } else {
            "What would help:"
        };
        parts.push(styled_line(
            &labelled_list(label, Role::Info, &self.helps),
            look,
        ));

        let text = join(parts, "   ");
        if text.spans.is_empty() {
            Vec::new()
        } else {
            wrap_line(&text, self.text_width(layout))
        }
    }

    pub(super) fn height(&self, layout: BlockLayout<'_>) -> u16 {
        let success_height = to_rows(self.success_text(layout).lines.len());
        let bar_height = self.bar_height(layout);
        let text_height = to_rows(self.text_lines(layout).len());
        success_height.max(bar_height + text_height)
    }

    pub(super) fn draw(&self, area: Rect, layout: BlockLayout<'_>, buffer: &mut Buffer) {
        let look = layout.look;
        let success = self.success_text(layout);
        for (text, place) in success.lines.into_iter().zip(area.rows()) {
            let line = Line::styled(text, look.style(Role::Heading));
            look.put(&line, place, buffer);
        }

        let bar = OddsBar {
            chances: &self.chances,
            look,
        };
        let bar_height = self.bar_height(layout);
        let lines = self.text_lines(layout);
        let beside_success = after(area, success.width);
        if layout.is_low {
            (&bar).render(row(beside_success, 0), buffer);
            look.put(&bar.in_short(), row(area, 1), buffer);
            draw_lines(&lines, below(area, bar_height), look, buffer);
        } else {
            (&bar).render(top(beside_success, bar_height), buffer);
            draw_lines(&lines, below(beside_success, bar_height), look, buffer);
        }
    }
}

/// Returns a label and the items after it, with dots between them. A line never breaks within an item, or after the
/// label.
pub(in crate::dialog) fn labelled_list(
    label: &str,
    role: Role,
    items: &[String],
) -> Vec<StyledText> {
    if items.is_empty() {
        return Vec::new();
    }
    let unbroken_items = items.iter().map(|item| item.replace(' ', HARD_BLANK));
    let list = join_texts(unbroken_items, &format!(" ·{HARD_BLANK}"));
    vec![(Role::Muted, format!("{label}{HARD_BLANK}")), (role, list)]
}
