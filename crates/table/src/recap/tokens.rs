//! The tokens that pools gained and lost over the whole evening.

use super::TokenMove;
use crate::SeatView;
use tableside_game::{Change, EntityRef, Part, PoolId, PoolKind};

/// The tokens of one pool in the entries that were added so far.
#[derive(Debug)]
struct PoolSum {
    pool: PoolId,
    from: i64,
    to: i64,
    gained: i64,
    spent: i64,
}

/// Adds up the changes of pools.
#[derive(Debug, Default)]
pub(super) struct TokenSums(Vec<PoolSum>);

impl TokenSums {
    /// Adds a change of an entry. If the entry was undone or replaced, only the new number of tokens counts.
    pub(super) fn add(&mut self, change: &Change, holds: bool) {
        let (EntityRef::Pool(id), Part::Tokens) = (change.entity, &change.part) else {
            return;
        };
        let from: i64 = change.before().unwrap_or(0);
        let to: i64 = change.after().unwrap_or(0);

        let index = self.0.iter().position(|sum| sum.pool == id);
        let index = index.unwrap_or_else(|| {
            self.0.push(PoolSum {
                pool: id,
                from,
                to,
                gained: 0,
                spent: 0,
            });
            self.0.len() - 1
        });
        let sum = &mut self.0[index];
        sum.to = to;
        if holds {
            sum.gained += (to - from).max(0);
            sum.spent += (from - to).max(0);
        }
    }

    /// Returns what each visible pool gained and spent: first the characters' pools, in the order of the roster.
    /// `is_present` is true if the pools have not changed after the recap.
    pub(super) fn finish(self, view: &SeatView<'_>, is_present: bool) -> Vec<TokenMove> {
        let dying = view.system().spec().dying;
        let mut moves = Vec::new();
        for pool in view.pools() {
            let counts_saves = dying.is_some_and(|rules| {
                let kinds = [rules.successes, rules.failures].map(PoolKind::Rule);
                kinds.contains(&pool.kind)
            });
            let Some(sum) = self.0.iter().find(|sum| sum.pool == pool.id) else {
                continue;
            };
            if counts_saves || (sum.gained == 0 && sum.spent == 0) {
                continue;
            }

            // Players do not read every change of a pool, so the last change that they read may be outdated.
            let to = if is_present {
                i64::from(pool.tokens)
            } else {
                sum.to
            };
            moves.push(TokenMove {
                owner: pool.owner.map(|_| view.owner_name(pool.owner).to_owned()),
                pool: pool.name.clone(),
                from: sum.from,
                to,
                gained: sum.gained,
                spent: sum.spent,
            });
        }

        let place = |name: &Option<String>| {
            let mut roster = view.roster();
            let place = name
                .as_ref()
                .and_then(|name| roster.position(|character| character.name == *name));
            place.unwrap_or(usize::MAX)
        };
        moves.sort_by_key(|tokens| (tokens.owner.is_none(), place(&tokens.owner)));
        moves
    }
}
