//! Tokens by a number: `7` makes it seven, `+5` gains five, `-3` spends three.

use std::borrow::Cow;

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::session::{Command, PoolId, TokenPool};
use crate::table::SeatView;

/// Tokens by a number.
#[derive(Clone, Debug)]
pub struct AmountDialog {
    /// The pools, of which the first is looked at while one types.
    pools: Vec<PoolId>,
    form: Form,
}

/// What a number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    By(i32),
    To(i32),
}

impl AmountDialog {
    /// Asks for a number for these pools; `begun` is what was typed already.
    pub fn new(pools: impl Into<Vec<PoolId>>, begun: &str) -> Self {
        let help = "7 makes it seven, +5 gains five, -3 spends three, =-2 makes it two below 0.";
        let item = Item::new("amount", "Amount", Entry::text(begun, 8), help).hint("7, +5 or -3");
        Self {
            pools: pools.into(),
            form: Form::new(vec![item]),
        }
    }

    fn meant(&self) -> Result<Meant, String> {
        let typed = self.form.text("amount").replace('−', "-");
        let wrong = || "must be a number, with + to gain or - to spend".to_owned();
        let number = |digits: &str| digits.trim().parse::<i32>().ok().ok_or_else(wrong);
        match typed.chars().next() {
            Some('=') => Ok(Meant::To(number(typed.trim_start_matches('='))?)),
            Some('+' | '-') => Ok(Meant::By(number(&typed)?)),
            _ => Ok(Meant::To(number(&typed)?)),
        }
    }

    fn check(&mut self, seen: &SeatView<'_>) {
        let meant = self.meant();
        let empty = self.form.text("amount").is_empty();
        let pool = self.pools.first().and_then(|id| pool(*id, seen));
        let several = self.pools.len() > 1;
        let after = |pool: &TokenPool| match meant {
            Ok(Meant::By(by)) => pool.tokens.saturating_add(by),
            Ok(Meant::To(to)) => to,
            Err(_) => pool.tokens,
        };
        for item in &mut self.form.items {
            item.problem = match (&meant, pool) {
                (_, None) => Some("that pool is not there any more".to_owned()),
                _ if empty => None,
                (Err(problem), _) => Some(problem.clone()),
                (Ok(_), Some(pool)) => {
                    let (after, held) = (after(pool), pool.within(after(pool)));
                    let end = if held < after { "most" } else { "least" };
                    (held != after && !several)
                        .then(|| format!("{held} is the {end} that it may hold"))
                }
            };
            item.beside = pool.map_or_else(String::new, |pool| {
                if several {
                    format!("{} pools", self.pools.len())
                } else if empty || meant.is_err() {
                    format!("{} now", pool.tokens)
                } else {
                    format!("{} → {}", pool.tokens, after(pool))
                }
            });
        }
    }
}

fn pool<'a>(id: PoolId, seen: &SeatView<'a>) -> Option<&'a TokenPool> {
    seen.pools().find(|pool| pool.id == id)
}

impl Filled for AmountDialog {
    its_form!();

    fn title(&self, seen: &SeatView<'_>) -> Cow<'_, str> {
        Cow::Owned(match self.pools.as_slice() {
            [one] => pool(*one, seen).map_or_else(
                || "Tokens".to_owned(),
                |pool| format!("{}: {}", seen.owner_name(pool.owner), pool.name),
            ),
            all => format!("{} pools", all.len()),
        })
    }

    fn entered(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn submit(&mut self, _seen: &SeatView<'_>) -> DialogAction {
        let built = self.meant().map(|meant| {
            let each = self.pools.iter().map(|&pool| match meant {
                Meant::By(by) => Command::Tokens { pool, by },
                Meant::To(to) => Command::SetTokens { pool, to },
            });
            Command::together(each.collect())
        });
        self.form.finish(built)
    }
}
