//! Token pools: tokens to count while they are few, numbers when they are many.

use ratatui::text::{Line, Span};

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
        let part = |sign: &str, count: u64, role| {
            let signs = sign.repeat(usize::try_from(count).unwrap_or(0));
            Span::styled(signs, self.look.style(role))
        };
        Line::from(if self.count < 0 {
            vec![part(debt, there, Role::TokenDebt)]
        } else if shown == 0 {
            vec![part(empty, 1, Role::TokenEmpty)]
        } else {
            let free = part(free, shown - there, Role::TokenEmpty);
            vec![part(full, there, Role::Token), free]
        })
    }

    /// The number, with the cap where there is one; a minus is as wide as a plus.
    pub fn number(&self) -> Line<'static> {
        let is_debt = self.count < 0;
        let role = if is_debt {
            Role::TokenDebt
        } else {
            Role::Token
        };
        let count = self
            .count
            .to_string()
            .replace('-', self.look.pick("−", "-"));
        let cap = self.cap.map(|cap| format!("/{cap}"));
        Line::from(vec![
            Span::styled(count, self.look.style(role)),
            Span::styled(cap.unwrap_or_default(), self.look.style(Role::Muted)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_looks;
    use super::*;

    #[test]
    fn few_are_counted_and_many_are_numbered() {
        with_looks(|look, _| {
            let shown = |count, cap, width| {
                let line = Tokens { count, cap, look }.line(width).to_string();
                line.replace('@', "●").replace('o', "○").replace('v', "▼")
            };
            assert_eq!(shown(3, Some(5), 20), "●●●○○");
            assert_eq!(shown(3, Some(5), 4), "3/5");
            assert_eq!(shown(7, Some(5), 20), "●●●●●●●");
            assert_eq!(shown(-2, Some(3), 20), "▼▼");
            assert_eq!(shown(0, None, 20), look.pick("–", "-"));
            assert_eq!(shown(12, None, 20), "12");
            assert_eq!(shown(-12, None, 20), look.pick("−12", "-12"));
        });
    }
}
