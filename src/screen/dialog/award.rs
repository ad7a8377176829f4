//! Tokens without a roll: what people give, and what an aspect that complicates life gains.

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::rules::TokenKind;
use crate::session::{Command, LONGEST_NAME, PoolId, PoolKind, TokenPool};
use crate::table::SeatView;

/// Tokens without a roll.
#[derive(Clone, Debug)]
pub struct AwardForm {
    /// The pools that are offered, kept while the form is open.
    pools: Vec<PoolId>,
    /// The aspects that could complicate life, each with its rank.
    aspects: Vec<(String, i32)>,
    form: Form,
}

/// The lists of a sheet that hold aspects; wounds are aspects too (Heart Rush, Wounds).
const ASPECTS: [&str; 2] = ["aspects", "wounds"];
/// The rows.
const POOL: &str = "pool";
const FOR: &str = "for";
const AMOUNT: &str = "amount";
const WHY: &str = "why";

impl AwardForm {
    /// Opens it for that pool.
    pub fn open(pool: PoolId, seen: &SeatView<'_>) -> Self {
        let pools: Vec<PoolId> = seen.pools().map(|pool| pool.id).collect();
        let at = pools.iter().position(|one| *one == pool).unwrap_or(0);
        let mut opened = Self {
            pools,
            aspects: Vec::new(),
            form: Form::new(Vec::new()).titled("Without a roll"),
        };
        opened.lay_out(at, seen);
        // Whose it is was chosen outside.
        opened.form.focus_on(1);
        opened
    }

    fn pool<'a>(&self, seen: &SeatView<'a>) -> Option<&'a TokenPool> {
        let id = self.pools.get(self.form.choice(POOL))?;
        seen.pools().find(|pool| pool.id == *id)
    }

    /// The aspect that complicates life, where it is no plain award.
    fn aspect(&self) -> Option<&(String, i32)> {
        self.aspects.get(self.form.choice(FOR).checked_sub(1)?)
    }

    /// Makes the rows anew: what a pool may be given for is its owner's affair.
    fn lay_out(&mut self, at: usize, seen: &SeatView<'_>) {
        let id = self.pools.get(at).copied();
        let pool = id.and_then(|id| seen.pools().find(|pool| pool.id == id));
        let before = std::mem::take(&mut self.aspects);
        self.aspects = pool.map_or_else(Vec::new, |pool| aspects(pool, seen));
        let chosen = if before == self.aspects {
            self.form.choice(FOR)
        } else {
            0
        };
        let named = self.pools.iter().map(|id| {
            let pool = seen.pools().find(|pool| pool.id == *id);
            pool.map_or_else(String::new, |pool| {
                format!("{}: {}", seen.owner_name(pool.owner), pool.name)
            })
        });
        let named: Vec<String> = named.collect();
        let mut items = vec![Item::new(
            POOL,
            "To",
            Entry::word(named, at),
            "Who gets them, and of which pool.",
        )];
        if !self.aspects.is_empty() {
            let each = self.aspects.iter();
            let each = each.map(|(name, rank)| format!("{name} {rank} complicates life"));
            let words: Vec<String> = std::iter::once("an award".to_owned()).chain(each).collect();
            let help = "An award, which no limit counts; or an aspect or wound that complicates life \
                        and gains its rank, as far as the scene's limit leaves.";
            items.push(Item::new(FOR, "For", Entry::word(words, chosen), help));
        }
        let is_award = chosen == 0;
        if is_award {
            let amount = self.form.item(AMOUNT).map(|item| item.entry.clone());
            let why = self.form.item(WHY).map(|item| item.entry.clone());
            items.push(
                Item::new(
                    AMOUNT,
                    "How many",
                    amount.unwrap_or_else(|| Entry::number(Some(1))),
                    "So many tokens are given.",
                )
                .within(1, 9_999),
            );
            items.push(
                Item::new(
                    WHY,
                    "Why",
                    why.unwrap_or_else(|| Entry::text("", LONGEST_NAME)),
                    "What for, as the log remembers it.",
                )
                .hint("good play"),
            );
        }
        let focus = self.form.items.get(self.form.focus).map(|item| item.id);
        self.form.items = items;
        let place = self
            .form
            .items
            .iter()
            .position(|item| Some(item.id) == focus);
        self.form.focus = place.unwrap_or(0);
        self.check(seen);
    }

    fn check(&mut self, seen: &SeatView<'_>) {
        let pool = self.pool(seen);
        let aspect = self.aspect().cloned();
        let amount = self.form.item(AMOUNT).and_then(|item| item.number().ok());
        for item in &mut self.form.items {
            item.problem = match (item.id, pool) {
                (POOL, None) => Some("that pool is not there any more".to_owned()),
                (AMOUNT, _) => item.number().err(),
                _ => None,
            };
            item.beside = match (item.id, pool, &aspect, amount) {
                (POOL, Some(pool), None, Some(amount)) => {
                    let after = pool.within(pool.tokens.saturating_add(amount));
                    format!("{} → {after}", pool.tokens)
                }
                (POOL, Some(pool), Some((_, rank)), _) => {
                    let room = pool
                        .gains
                        .map(|gains| (gains.most - gains.this_scene).max(0));
                    let gain = room.map_or(*rank, |room| room.min(*rank));
                    let after = pool.within(pool.tokens + gain);
                    let cut = if gain < *rank {
                        ", no more this scene".to_owned()
                    } else {
                        String::new()
                    };
                    format!("{} → {after}{cut}", pool.tokens)
                }
                _ => String::new(),
            };
        }
    }
}

/// What could complicate its owner's life, where the pool gains by that.
fn aspects(pool: &TokenPool, seen: &SeatView<'_>) -> Vec<(String, i32)> {
    let owner = pool.owner.and_then(|id| seen.character(id));
    let Some(owner) = owner.filter(|_| pool.kind == PoolKind::Rule(TokenKind::Destiny)) else {
        return Vec::new();
    };
    let lists = ASPECTS.into_iter().flat_map(|list| owner.sheet.ranks(list));
    lists.cloned().collect()
}

impl Filled for AwardForm {
    its_form!();

    fn entered(&mut self, seen: &SeatView<'_>) {
        self.lay_out(self.form.choice(POOL), seen);
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        self.lay_out(self.form.choice(POOL), seen);
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.check(seen);
        let gone = || "that pool is not there any more".to_owned();
        let built = self.pool(seen).ok_or_else(gone).and_then(|pool| {
            if let Some((aspect, _)) = self.aspect() {
                let who = pool.owner.ok_or_else(gone)?;
                let aspect = aspect.clone();
                return Ok(Command::Complicate { who, aspect });
            }
            Ok(Command::Award {
                pool: pool.id,
                amount: self.form.item(AMOUNT).map_or(Ok(1), Item::number)?,
                why: self.form.text(WHY),
            })
        });
        self.form.finish(built)
    }
}
