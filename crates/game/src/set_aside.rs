//! Tokens that a waiting roll has taken out of the pools.
//!
//! Tokens belong to a roll from its first die on. While it waits for an answer or for dice, the pools hold what is left
//! for everybody else. When the roll ends, the tokens go back and the roll pays in the same event; a roll that is given
//! up gives all of them back.

use serde::{Deserialize, Serialize};

use super::error::refused;
use super::{CharacterId, CommandError, Game, PoolId, Result, Roll, TokenPool, Unfinished};
use tableside_rules::{Fields, HouseRules, Id, Outcome, PoolOwner, TokenClaim};
use tableside_text::join;

/// Tokens of one pool that a waiting roll has taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The character that the roll takes them from; none for the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<CharacterId>,
    /// The pool that lacks them.
    pub pool: PoolId,
    /// The kind of the pool, by which it is found again if the player's characters share another one now.
    pub kind: Id,
    /// How many. Below 0 for tokens that the pool has more of, such as penalty tokens that it no longer owes.
    pub tokens: i32,
}

/// A claim of a roll on one pool of the game.
struct PoolClaim<'a> {
    claim: TokenClaim,
    who: Option<CharacterId>,
    pool: &'a TokenPool,
}

impl PoolClaim<'_> {
    /// How many tokens the roll can have: at most what the pool holds, owes or has room for.
    fn available(&self) -> i32 {
        let tokens = self.pool.tokens;
        if self.claim.most > 0 {
            let free = (tokens - self.pool.floor.max(0)).max(0);
            self.claim.most.min(free)
        } else if self.claim.is_owed {
            self.claim.most.max(tokens.min(0))
        } else {
            let room = self.pool.within(i32::MAX) - tokens;
            self.claim.most.max(-room)
        }
    }
}

impl Game {
    /// The pools that a roll of these fields may use up tokens of.
    fn pool_claims(
        &self,
        roll: &Roll,
        fields: &Fields,
        house: &HouseRules,
    ) -> Result<Vec<PoolClaim<'_>>> {
        let mut all = Vec::new();
        for claim in fields.spec().token_claims(fields, house) {
            for who in self.whom(roll, claim.of)? {
                let Some(pool) = self.pool_of(claim.pool, who) else {
                    continue;
                };
                // Coming to a number may empty this pool, so what is put in counts when the roll ends.
                let spec = self.system.spec().pool(claim.pool);
                let does_something = spec.is_some_and(|spec| !spec.at.is_empty());
                if claim.most < 0 && !claim.is_owed && does_something {
                    continue;
                }
                all.push(PoolClaim { claim, who, pool });
            }
        }
        Ok(all)
    }

    /// Refuses a roll that may use up more tokens than a pool holds or has room for. `asks` says of which claims; the
    /// pools may have moved on since a roll that is amended.
    pub(super) fn may_pay(
        &self,
        roll: &Roll,
        fields: &Fields,
        asks: impl Fn(&TokenClaim) -> bool,
    ) -> Result<()> {
        for one in self.pool_claims(roll, fields, &roll.house)? {
            let PoolClaim { claim, who, pool } = &one;
            // `owes` asks about what must be used.
            if claim.is_owed || !asks(claim) {
                continue;
            }
            let available = one.available();
            if available == claim.most {
                continue;
            }
            let owner = self.owner_name(who.or(pool.owner));
            return Err(if claim.most > 0 {
                self.not_enough(pool, owner, available, claim.most)
            } else {
                let most = pool.within(i32::MAX);
                let wanted = pool.tokens - claim.most;
                refused(format!(
                    "{owner} holds {} in {}, and {most} is the most; {wanted} would be too many",
                    pool.tokens, pool.name
                ))
            });
        }
        Ok(())
    }

    /// Takes the tokens that a roll may use up out of the pools. It takes no more than there are.
    pub(super) fn set_aside(&mut self, roll: &Roll) -> Result<Vec<SetAside>> {
        let fields = roll.claiming_fields(self.system)?;
        let claims = self.pool_claims(roll, &fields, &roll.house)?;
        let mut all = Vec::new();
        for one in claims {
            let tokens = one.available();
            if tokens == 0 {
                continue;
            }
            all.push(SetAside {
                who: one.who,
                pool: one.pool.id,
                kind: one.claim.pool,
                tokens,
            });
        }
        for one in &all {
            if let Some(pool) = self.pool_mut(one.pool) {
                pool.tokens -= one.tokens;
            }
        }
        Ok(all)
    }

    /// The tokens that stay set aside for a roll that goes on waiting. A refused field gives its tokens back.
    pub(super) fn keep_set_aside(
        &mut self,
        before: &Unfinished,
        roll: &Roll,
    ) -> Result<Option<Vec<SetAside>>> {
        let is_refused = |roll: &Roll| roll.refused_fields().next().is_some();
        if is_refused(&before.roll) || !is_refused(roll) {
            return Ok(before.set_aside.clone());
        }

        self.return_set_aside(before);
        self.set_aside(roll).map(Some)
    }

    /// Refuses to end a roll that uses more tokens than were set aside for it, because another roll that an older
    /// program began has them.
    pub(super) fn has_set_aside(&self, waiting: &Unfinished, outcome: &Outcome) -> Result<()> {
        let roll = &waiting.roll;
        let fields = roll.claiming_fields(self.system)?;
        for one in self.pool_claims(roll, &fields, &roll.house)? {
            let PoolClaim { claim, who, .. } = &one;
            let all = waiting.set_aside.iter().flatten();
            let set_aside: i32 = all
                .filter(|had| (had.kind, had.who) == (claim.pool, *who))
                .map(|had| had.tokens)
                .sum();
            let is_enough = if claim.most < 0 {
                set_aside == claim.most
            } else {
                set_aside >= claim.used_by(outcome)
            };
            if !is_enough {
                let due = self.system.spec().tokens(claim.pool, claim.most);
                let (owner, had) = (self.owner_name(*who), set_aside.abs());
                return Err(refused(format!(
                    "{owner}'s roll was begun with {due}, and {had} of them were left for it; give the roll up and \
                     roll again"
                )));
            }
        }
        Ok(())
    }

    /// Gives the tokens of a roll that ends back to the characters that it pays from. A pool may hold more than its
    /// most until the roll has paid, see [`Self::bound_pools`].
    pub(super) fn unset_aside(&mut self, waiting: &Unfinished) {
        for one in waiting.set_aside.iter().flatten() {
            let pool = self.pool_of(one.kind, one.who).map(|pool| pool.id);
            if let Some(pool) = self.pool_mut(pool.unwrap_or(one.pool)) {
                pool.tokens += one.tokens;
            }
        }
    }

    /// Gives the tokens of a roll that does not end back to the pools that they came from.
    pub(super) fn return_set_aside(&mut self, waiting: &Unfinished) {
        for one in waiting.set_aside.iter().flatten() {
            let known = self.pool(one.pool);
            let pool = known.or_else(|| self.pool_of(one.kind, one.who));
            let Some(id) = pool.map(|pool| pool.id) else {
                continue;
            };
            if let Some(pool) = self.pool_mut(id) {
                pool.tokens += one.tokens;
            }
        }
        self.bound_pools();
    }

    /// Has every pool hold no more and no fewer tokens than it may.
    pub(super) fn bound_pools(&mut self) {
        for pool in &mut self.pools {
            pool.tokens = pool.within(pool.tokens);
        }
    }

    /// The game with the tokens of all waiting rolls set aside, if an older program left some that are not. What the
    /// pools lack by then is not set aside, and such a roll is refused when it ends.
    pub(super) fn with_all_set_aside(&self) -> Option<Self> {
        let is_old = |waiting: &Unfinished| waiting.set_aside.is_none();
        if !self.unfinished.iter().any(is_old) {
            return None;
        }

        let mut after = self.clone();
        for at in 0..after.unfinished.len() {
            if after.unfinished[at].set_aside.is_some() {
                continue;
            }
            let roll = after.unfinished[at].roll.clone();
            // A roll by rules that are not known any more claims nothing.
            let set_aside = after.set_aside(&roll).unwrap_or_default();
            after.unfinished[at].set_aside = Some(set_aside);
        }
        Some(after)
    }

    /// The tokens of a character's pool that no waiting roll has, and the pool's name.
    pub(super) fn tokens_left(&self, kind: Id, who: CharacterId) -> Option<(i32, String)> {
        let all_set_aside = self.with_all_set_aside();
        let game = all_set_aside.as_ref().unwrap_or(self);
        let pool = game.pool_of(kind, Some(who))?;
        Some((pool.tokens, pool.name.clone()))
    }

    /// Refuses to spend more tokens than there are, and says how many of the pool a waiting roll has.
    pub(super) fn not_enough(
        &self,
        pool: &TokenPool,
        owner: &str,
        has: i32,
        needs: i32,
    ) -> CommandError {
        let all = self.unfinished.iter();
        let all = all.flat_map(|waiting| waiting.set_aside.iter().flatten());
        let waiting: i32 = all
            .filter(|one| one.pool == pool.id)
            .map(|one| one.tokens)
            .sum();
        let name = &pool.name;
        let and_waiting = match waiting {
            ..=0 => String::new(),
            1 => " (1 more is set aside for a roll that waits)".to_owned(),
            _ => format!(" ({waiting} more are set aside for a roll that waits)"),
        };
        refused(format!(
            "{owner} has {has} in {name}{and_waiting}, and {needs} would be spent; spend fewer or gain some first"
        ))
    }

    /// The tokens that are set aside for a waiting roll, in words: `2 bonus tokens`. Empty if there are none.
    pub fn set_aside_in_words(&self, waiting: &Unfinished) -> String {
        let spec = self.system.spec();
        let all = waiting.set_aside.iter().flatten();
        let words = all.map(|one| {
            let tokens = spec.tokens(one.kind, one.tokens);
            let is_shared = spec
                .pool(one.kind)
                .is_some_and(|pool| pool.purse == PoolOwner::Table);
            if one.who == waiting.roll.id || is_shared {
                tokens
            } else {
                format!("{tokens} of {}", self.owner_name(one.who))
            }
        });
        join(words, ", ")
    }
}
