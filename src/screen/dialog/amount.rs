//! Tokens by a number: `7` makes it seven, `+5` gains five, `-3` spends three.

use super::DialogAction;
use super::field_row::pool_of;
use super::form::{Form, FormDialog, FormSpec, Row};
use crate::session::{Command, PoolId, TokenPool};
use crate::table::SeatView;

#[derive(Debug)]
pub struct AmountDialog {
    /// The pools, of which the first is looked at while one types.
    pools: Vec<PoolId>,
}

/// What a number means.
#[derive(Clone, Copy)]
enum Meant {
    By(i32),
    To(i32),
}

impl AmountDialog {
    /// Asks for a number for these pools; `begun` is what was typed already.
    pub fn open(
        pools: impl Into<Vec<PoolId>>,
        begun: &str,
        seen: &SeatView<'_>,
    ) -> FormDialog<Self> {
        let pools = pools.into();
        let title = match pools.as_slice() {
            [one] => pool_of(*one, seen).map_or_else(
                || "Tokens".to_owned(),
                |pool| format!("{}: {}", seen.owner_name(pool.owner), pool.name),
            ),
            all => format!("{} pools", all.len()),
        };
        let help = "7 makes it seven, +5 gains five, -3 spends three, =-2 makes it two below 0.";
        let row = Row::text("amount", "Amount", begun, 8);
        let rows = vec![row.hint("7, +5 or -3").help(help)];
        FormDialog::new(Form::new(title, rows), Self { pools }, seen)
    }
}

fn meant(form: &Form) -> Result<Meant, String> {
    let typed = form.text("amount").replace('−', "-");
    let wrong = || "must be a number, with + to gain or - to spend".to_owned();
    let number = |digits: &str| digits.trim().parse::<i32>().ok().ok_or_else(wrong);
    match typed.chars().next() {
        Some('=') => Ok(Meant::To(number(typed.trim_start_matches('='))?)),
        Some('+' | '-') => Ok(Meant::By(number(&typed)?)),
        _ => Ok(Meant::To(number(&typed)?)),
    }
}

impl FormSpec for AmountDialog {
    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        let (meant, is_empty) = (meant(form), form.text("amount").is_empty());
        let pool = self.pools.first().and_then(|id| pool_of(*id, seen));
        let several = self.pools.len() > 1;
        let after = |pool: &TokenPool| match meant {
            Ok(Meant::By(by)) => pool.tokens.saturating_add(by),
            Ok(Meant::To(to)) => to,
            Err(_) => pool.tokens,
        };
        for row in &mut form.rows {
            row.problem = match (&meant, pool) {
                (_, None) => Some("that pool is not there any more".to_owned()),
                _ if is_empty => None,
                (Err(problem), _) => Some(problem.clone()),
                (Ok(_), Some(pool)) => {
                    let (after, held) = (after(pool), pool.within(after(pool)));
                    let end = if held < after { "most" } else { "least" };
                    (held != after && !several)
                        .then(|| format!("{held} is the {end} that it may hold"))
                }
            };
            row.beside = match pool {
                None => String::new(),
                Some(_) if several => format!("{} pools", self.pools.len()),
                Some(pool) if is_empty || meant.is_err() => format!("{} now", pool.tokens),
                Some(pool) => format!("{} → {}", pool.tokens, after(pool)),
            };
        }
    }

    fn submit(&mut self, form: &Form, _seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let meant = meant(form)?;
        let each = self.pools.iter().map(|&pool| match meant {
            Meant::By(by) => Command::Tokens { pool, by },
            Meant::To(to) => Command::SetTokens { pool, to },
        });
        Ok(Command::together(each.collect()).into())
    }
}
