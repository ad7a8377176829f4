//! Tokens from one pool to another.

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::session::{Command, PoolId, TokenPool};
use crate::table::SeatView;

/// Tokens from one pool to another.
#[derive(Clone, Debug)]
pub struct TransferForm {
    /// The pools that are offered, kept while the form is open.
    pools: Vec<PoolId>,
    form: Form,
}

impl TransferForm {
    /// Opens it for that pool.
    pub fn open(from: PoolId, seen: &SeatView<'_>) -> Self {
        let pools: Vec<PoolId> = seen.pools().map(|pool| pool.id).collect();
        let names: Vec<String> = seen.pools().map(|pool| named(pool, seen)).collect();
        let at = pools.iter().position(|pool| *pool == from).unwrap_or(0);
        let to = likely_target(at, seen);
        let items = vec![
            Item::new(
                "amount",
                "How many",
                Entry::number(Some(1)),
                "So many leave the one pool for the other.",
            )
            .within(1, 9_999),
            Item::new("to", "To", Entry::word(names.clone(), to), "Who gets them."),
            Item::new("from", "From", Entry::word(names, at), "Who gives them."),
        ];
        let mut opened = Self {
            pools,
            form: Form::new(items).titled("Move tokens"),
        };
        opened.check(seen);
        opened
    }

    fn ends(&self) -> Option<(PoolId, PoolId)> {
        let pool = |id| self.pools.get(self.form.choice(id)).copied();
        Some((pool("from")?, pool("to")?))
    }

    fn check(&mut self, seen: &SeatView<'_>) {
        let ends = self.ends();
        let pool = |id| seen.pools().find(|pool| pool.id == id);
        let amount = self.form.item("amount").and_then(|item| item.number().ok());
        for item in &mut self.form.items {
            let (id, sign) = match (item.id, ends) {
                ("from", Some((from, _))) => (from, -1),
                ("to", Some((_, to))) => (to, 1),
                _ => continue,
            };
            item.beside = match (pool(id), amount) {
                (Some(pool), Some(amount)) => {
                    let after = pool.tokens.saturating_add(sign * amount);
                    format!("{} → {after}", pool.tokens)
                }
                (Some(pool), None) => pool.tokens.to_string(),
                (None, _) => "not there any more".to_owned(),
            };
        }
        self.form.check(|_, item| match (item.id, ends) {
            ("amount", Some((from, _))) => item.number().err().or_else(|| {
                let (from, amount) = (pool(from)?, item.number().ok()?);
                let spare = from.tokens.saturating_sub(from.floor).max(0);
                (amount > spare).then(|| format!("{} has {spare} to give", named(from, seen)))
            }),
            ("to", Some((from, to))) if from == to => {
                Some("choose another pool than the one that gives".to_owned())
            }
            _ => None,
        });
    }
}

fn named(pool: &TokenPool, seen: &SeatView<'_>) -> String {
    format!("{}: {}", seen.owner_name(pool.owner), pool.name)
}

/// The next pool of the same name, else the next one at all.
fn likely_target(from: usize, seen: &SeatView<'_>) -> usize {
    let pools: Vec<&TokenPool> = seen.pools().collect();
    let count = pools.len();
    let name = pools.get(from).map(|pool| &pool.name);
    let others = (1..count).map(|by| (from + by) % count);
    let same = |at: &usize| pools.get(*at).map(|pool| &pool.name) == name;
    let found = others.clone().find(same);
    found.or_else(|| others.clone().next()).unwrap_or(from)
}

impl Filled for TransferForm {
    its_form!();

    fn entered(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.check(seen);
        let amount = self.form.item("amount").map_or(Ok(1), Item::number);
        let ends = self.ends().ok_or("there is no pool to move tokens to");
        let built = amount.and_then(|amount| {
            let (from, to) = ends?;
            Ok(Command::MoveTokens { from, to, amount })
        });
        self.form.finish(built)
    }
}
