//! Token pools: tokens to count while they are few, numbers when they are many.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::Look;
use crate::screen::theme::Role;

/// So many tokens can be counted at a glance.
const COUNTABLE: u64 = 10;

/// A pool of tokens; below nought they are owed, or count against one.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'a> {
    /// How many there are.
    pub count: i64,
    /// How many there may be.
    pub cap: Option<i64>,
    /// How the screen looks.
    pub look: Look<'a>,
}

impl Tokens<'_> {
    /// The pool in at most so many columns: `●●●○○`, `▼▼`, or `37/50`.
    pub fn line(&self, width: u16) -> Line<'static> {
        let room = u64::from(width).min(COUNTABLE);
        let there = self.count.unsigned_abs();
        let allowed = self.cap.and_then(|cap| u64::try_from(cap).ok());
        let shown = if self.count < 0 {
            there
        } else {
            there.max(allowed.unwrap_or(0))
        };
        if shown > room {
            return self.number();
        }
        let [full, free, debt, empty] = self.look.pick(["●", "○", "▼", "–"], ["@", "o", "v", "-"]);
        let repeat = |sign: &str, count: u64| sign.repeat(usize::try_from(count).unwrap_or(0));
        let mut line = Line::default();
        if self.count < 0 {
            line.push_span(Span::styled(
                repeat(debt, there),
                self.look.style(Role::TokenDebt),
            ));
        } else if shown == 0 {
            line.push_span(Span::styled(empty, self.look.style(Role::TokenEmpty)));
        } else {
            line.push_span(Span::styled(
                repeat(full, there),
                self.look.style(Role::Token),
            ));
            line.push_span(Span::styled(
                repeat(free, shown - there),
                self.look.style(Role::TokenEmpty),
            ));
        }
        line
    }

    fn number(&self) -> Line<'static> {
        let role = if self.count < 0 {
            Role::TokenDebt
        } else {
            Role::Token
        };
        let mut line = Line::from(Span::styled(self.count.to_string(), self.look.style(role)));
        if let Some(cap) = self.cap {
            line.push_span(Span::styled(
                format!("/{cap}"),
                self.look.style(Role::Muted),
            ));
        }
        line
    }
}

impl Widget for &Tokens<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if !area.is_empty() {
            buffer.set_line(area.x, area.y, &self.line(area.width), area.width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_looks;
    use super::*;

    #[test]
    fn few_are_counted_and_many_are_numbered() {
        with_looks(|look, name| {
            let pools = [
                (3, Some(5)),
                (0, Some(5)),
                (0, None),
                (4, None),
                (-2, None),
                (-2, Some(3)),
                (7, Some(5)),
                (37, Some(50)),
                (12, None),
                (-14, None),
                (i64::MIN, Some(-3)),
            ];
            let line = |(count, cap)| Tokens { count, cap, look }.line(20).to_string();
            let text: Vec<String> = pools.into_iter().map(line).collect();
            insta::assert_snapshot!(format!("tokens_{name}"), text.join("\n"));
            assert_eq!(
                Tokens {
                    count: 3,
                    cap: Some(5),
                    look
                }
                .line(4)
                .to_string(),
                "3/5"
            );
        });
    }
}
