//! Tokens without a roll: what people give, and what an aspect that complicates life gains.

use super::DialogAction;
use super::field_row::pool_of;
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use crate::rules::TokenKind;
use crate::session::{Command, LONGEST_NAME, PoolId, PoolKind, TokenPool};
use crate::table::SeatView;

/// Tokens without a roll.
#[derive(Debug)]
pub struct AwardForm {
    /// The pools that are offered, kept while the form is open.
    pools: Vec<PoolId>,
}

/// The lists of a sheet that hold aspects; wounds are aspects too (Heart Rush, Wounds).
const ASPECTS: [&str; 2] = ["aspects", "wounds"];

const GONE: &str = "that pool is not there any more";

impl AwardForm {
    pub fn open(pool: PoolId, seen: &SeatView<'_>) -> FormDialog<Self> {
        let pools: Vec<PoolId> = seen.pools().map(|pool| pool.id).collect();
        let named = seen.pools().map(|pool| named(pool, seen));
        let at = pools.iter().position(|one| *one == pool).unwrap_or(0);
        let to = Row::choice("pool", "To", named, at).help("Who gets them, and of which pool.");
        let form = Form::new("Without a roll", vec![to]);
        let opened = FormDialog::new(form, Self { pools }, seen);
        // Whose it is was chosen outside.
        opened.at_place(1)
    }

    fn pool<'a>(&self, form: &Form, seen: &SeatView<'a>) -> Option<&'a TokenPool> {
        pool_of(*self.pools.get(form.choice("pool"))?, seen)
    }

    /// The aspect that complicates life, if it is no plain award.
    fn aspect(&self, form: &Form, seen: &SeatView<'_>) -> Option<(String, i32)> {
        let pool = self.pool(form, seen)?;
        let at = form.choice(why_row(pool)).checked_sub(1)?;
        aspects(pool, seen).into_iter().nth(at)
    }
}

/// What a pool may be given for is its owner's affair.
fn why_row(pool: &TokenPool) -> Id {
    Id::Nth("for", pool.id.0)
}

/// `Mira: Destiny Points`.
pub(super) fn named(pool: &TokenPool, seen: &SeatView<'_>) -> String {
    format!("{}: {}", seen.owner_name(pool.owner), pool.name)
}

/// What could complicate its owner's life, if the pool gains by that.
fn aspects(pool: &TokenPool, seen: &SeatView<'_>) -> Vec<(String, i32)> {
    let owner = pool.owner.and_then(|id| seen.character(id));
    let owner = owner.filter(|_| pool.kind == PoolKind::Rule(TokenKind::Destiny));
    let ranks = |list| owner.map_or(&[][..], |owner| owner.sheet.ranks(list));
    ASPECTS.into_iter().flat_map(ranks).cloned().collect()
}

impl FormSpec for AwardForm {
    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        let pool = self.pool(form, seen);
        let aspects = pool.map_or_else(Vec::new, |pool| aspects(pool, seen));
        let mut rows: Vec<Row> = form.rows.first().cloned().into_iter().collect();
        if let Some(pool) = pool.filter(|_| !aspects.is_empty()) {
            let each = aspects.iter();
            let each = each.map(|(name, rank)| format!("{name} {rank} complicates life"));
            let words = std::iter::once("an award".to_owned()).chain(each);
            let help = "An award, which no limit counts; or an aspect or wound that complicates life \
                        and gains its rank, as far as the scene's limit leaves.";
            rows.push(Row::choice(why_row(pool), "For", words, 0).help(help));
        }
        let aspect = self.aspect(form, seen);
        if aspect.is_none() {
            let amount = Row::number("amount", "How many", Some(1), (1, 9_999));
            rows.push(amount.help("So many tokens are given."));
            let why = Row::text("why", "Why", "", LONGEST_NAME).hint("good play");
            rows.push(why.help("What for, as the log remembers it."));
        }
        form.lay_out(rows);
        form.check(|_, row| match row.id {
            Id::Row("pool") if pool.is_none() => Some(GONE.to_owned()),
            Id::Row("amount") => row.needed_number().err(),
            _ => None,
        });
        let amount = form.row("amount").map(Row::needed_number);
        let beside = pool.and_then(|pool| {
            let (gain, cut) = match (&aspect, amount) {
                (None, Some(Ok(amount))) => (amount, ""),
                (Some((_, rank)), _) => {
                    let left = |gains: crate::session::Gains| gains.most - gains.this_scene;
                    let room = pool.gains.map_or(*rank, |gains| left(gains).max(0));
                    let cut = if room < *rank {
                        ", no more this scene"
                    } else {
                        ""
                    };
                    (room.min(*rank), cut)
                }
                _ => return None,
            };
            let after = pool.within(pool.tokens.saturating_add(gain));
            Some(format!("{} → {after}{cut}", pool.tokens))
        });
        if let Some(row) = form.row_mut("pool") {
            row.beside = beside.unwrap_or_default();
        }
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let pool = self.pool(form, seen).ok_or(GONE)?;
        let command = match (self.aspect(form, seen), pool.owner) {
            (Some((aspect, _)), Some(who)) => Command::Complicate { who, aspect },
            _ => Command::Award {
                pool: pool.id,
                amount: form.row("amount").map_or(Ok(1), Row::needed_number)?,
                why: form.text("why"),
            },
        };
        Ok(command.into())
    }
}
