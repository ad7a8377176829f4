//! The tokens that pools gained and lost over the whole evening.

use super::TokenMove;
use crate::SeatView;
use tableside_game::{Change, EntityRef, Part, PoolId, PoolKind};

/// The tokens of one pool, up to the present entry.
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
    /// Adds a change of an entry. If the entry no longer holds, only the number of tokens after it matters.
    pub(super) fn add(&mut self, change: &Change, holds: bool) {
        let EntityRef::Pool(pool) = change.entity else {
            return;
        };
        if change.part != Part::Tokens {
            return;
        }

        let from: i64 = change.before().unwrap_or(0);
        let to: i64 = change.after().unwrap_or(0);
        let sum = self.sum_of(pool, from);
        sum.to = to;
        if holds {
            sum.gained += (to - from).max(0);
            sum.spent += (from - to).max(0);
        }
    }

    /// The sum of a pool, which begins with `from` tokens at the pool's first change.
    fn sum_of(&mut self, pool: PoolId, from: i64) -> &mut PoolSum {
        let mut pools = self.0.iter().map(|sum| sum.pool);
        let index = match pools.position(|changed| changed == pool) {
            Some(index) => index,
            None => {
                self.0.push(PoolSum {
                    pool,
                    from,
                    to: from,
                    gained: 0,
                    spent: 0,
                });
                self.0.len() - 1
            }
        };
        &mut self.0[index]
    }

    /// The sums of the pools that the seat sees, the characters' pools first, in the order of the game.
    pub(super) fn finish(self, view: &SeatView<'_>) -> Vec<TokenMove> {
        let dying = view.system().spec().dying;
        let mut moves = Vec::new();
        for pool in view.pools() {
            let counts_saves = dying.is_some_and(|rules| {
                let successes = PoolKind::Rule(rules.successes);
                let failures = PoolKind::Rule(rules.failures);
                pool.kind == successes || pool.kind == failures
            });
            let mut sums = self.0.iter();
            let Some(sum) = sums.find(|sum| sum.pool == pool.id) else {
                continue;
            };
            if counts_saves || (sum.gained == 0 && sum.spent == 0) {
                continue;
            }

            moves.push(TokenMove {
                owner: pool.owner.map(|_| view.owner_name(pool.owner).to_owned()),
                pool: pool.name.clone(),
                from: sum.from,
                to: sum.to,
                gained: sum.gained,
                spent: sum.spent,
            });
        }

        moves.sort_by_key(|tokens| {
            let mut names = view.roster().map(|character| &character.name);
            let place = match &tokens.owner {
                Some(owner) => names.position(|name| name == owner),
                None => None,
            };
            (tokens.owner.is_none(), place.unwrap_or(usize::MAX))
        });
        moves
    }
}
