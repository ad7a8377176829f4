//! Tokens from one pool to another.

use super::DialogAction;
use super::award::named;
use super::field_row::pool_of;
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use crate::session::{Command, PoolId, TokenPool};
use crate::table::SeatView;

#[derive(Debug)]
pub struct TransferForm {
    /// The pools that are offered, kept while the form is open.
    pools: Vec<PoolId>,
}

impl TransferForm {
    pub fn open(from: PoolId, seen: &SeatView<'_>) -> FormDialog<Self> {
        let pools: Vec<PoolId> = seen.pools().map(|pool| pool.id).collect();
        let names = || seen.pools().map(|pool| named(pool, seen));
        let at = pools.iter().position(|pool| *pool == from).unwrap_or(0);
        let rows = vec![
            Row::number("amount", "How many", Some(1), (1, 9_999))
                .help("So many leave the one pool for the other."),
            Row::choice("to", "To", names(), likely_target(at, seen)).help("Who gets them."),
            Row::choice("from", "From", names(), at).help("Who gives them."),
        ];
        FormDialog::new(Form::new("Move tokens", rows), Self { pools }, seen)
    }

    fn pool(&self, form: &Form, end: &'static str) -> Option<PoolId> {
        self.pools.get(form.choice(end)).copied()
    }
}

/// The next pool of the same name, else the next one at all.
fn likely_target(from: usize, seen: &SeatView<'_>) -> usize {
    let pools: Vec<&TokenPool> = seen.pools().collect();
    let count = pools.len();
    let name = pools.get(from).map(|pool| &pool.name);
    let mut others = (1..count).map(|by| (from + by) % count);
    let first = others.clone().next();
    let found = others.find(|at| pools.get(*at).map(|pool| &pool.name) == name);
    found.or(first).unwrap_or(from)
}

impl FormSpec for TransferForm {
    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        let amount = form.row("amount").and_then(|row| row.needed_number().ok());
        for (end, sign) in [("from", -1), ("to", 1)] {
            let pool = self.pool(form, end).and_then(|id| pool_of(id, seen));
            if let Some(row) = form.row_mut(end) {
                row.beside = match (pool, amount) {
                    (Some(pool), Some(amount)) => {
                        let after = pool.tokens.saturating_add(sign * amount);
                        format!("{} → {after}", pool.tokens)
                    }
                    (Some(pool), None) => pool.tokens.to_string(),
                    (None, _) => "not there any more".to_owned(),
                };
            }
        }
        form.check(|form, row| match row.id {
            Id::Row("amount") => row.needed_number().err().or_else(|| {
                let from = pool_of(self.pool(form, "from")?, seen)?;
                let spare = from.tokens.saturating_sub(from.floor).max(0);
                (amount? > spare).then(|| format!("{} has {spare} to give", named(from, seen)))
            }),
            Id::Row("to") if self.pool(form, "from") == self.pool(form, "to") => {
                Some("choose another pool than the one that gives".to_owned())
            }
            _ => None,
        });
    }

    fn submit(&mut self, form: &Form, _seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let amount = form.row("amount").map_or(Ok(1), Row::needed_number)?;
        let ends = self.pool(form, "from").zip(self.pool(form, "to"));
        let (from, to) = ends.ok_or("there is no pool to move tokens to")?;
        Ok(Command::MoveTokens { from, to, amount }.into())
    }
}
