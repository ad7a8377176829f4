//! Tokens that a waiting roll has taken out of the pools.
//!
//! Tokens belong to a roll from its first die on. While the roll waits for an answer or for dice, the pools hold the
//! remaining tokens, which other rolls can spend. When the roll ends, its tokens go back and the roll pays in the same
//! event. A cancelled roll gives all of them back.

use serde::{Deserialize, Serialize};

use super::error::refused;
use super::file_effects::too_many_tokens;
use super::{CharacterId, CommandError, Game, PoolId, Result, Roll, TokenPool, Unfinished};
use tableside_rules::{Fields, HouseRules, Id, Outcome, PoolOwner, TokenClaim};
use tableside_text::join;

/// Tokens of one pool that a waiting roll has taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The character that the roll takes them from. `None` for the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<CharacterId>,
    pub pool: PoolId,
    /// The kind of the pool, by which the tokens go back if the player's characters now share another pool.
    pub kind: Id,
    /// The number of tokens. Below 0 if the pool has more tokens while the roll waits, for example because it no longer
    /// owes penalty tokens.
    pub tokens: i32,
}

/// The tokens of a character's pool that no waiting roll has set aside.
pub(super) struct AvailableTokens {
    pub(super) tokens: i32,
    pub(super) pool_name: String,
}

/// A claim of a roll on one pool of the game.
struct PoolClaim<'a> {
    claim: TokenClaim,
    who: Option<CharacterId>,
    pool: &'a TokenPool,
}

impl PoolClaim<'_> {
    /// The number of tokens that the roll can have, limited by the tokens that the pool holds, owes or has room for.
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
    /// The pools that a roll with these fields may take tokens from.
    fn pool_claims(
        &self,
        roll: &Roll,
        fields: &Fields,
        house_rules: &HouseRules,
    ) -> Result<Vec<PoolClaim<'_>>> {
        let mut pool_claims = Vec::new();
        for claim in fields.spec().token_claims(fields, house_rules) {
            for who in self.party_members(roll, claim.of)? {
                let Some(pool) = self.pool_of(claim.pool, who) else {
                    continue;
                };
                // A threshold may empty this pool, so tokens that the roll adds count only when the roll ends.
                let spec = self.system.spec().pool(claim.pool);
                let has_thresholds = spec.is_some_and(|spec| !spec.at.is_empty());
                if claim.most < 0 && !claim.is_owed && has_thresholds {
                    continue;
                }
                pool_claims.push(PoolClaim { claim, who, pool });
            }
        }
        Ok(pool_claims)
    }

    /// Refuses a roll that may take more tokens than a pool holds or has room for.
    ///
    /// Only the claims that `is_checked` accepts are checked, because pools have changed since a roll that is amended.
    pub(super) fn require_claimed_tokens(
        &self,
        roll: &Roll,
        fields: &Fields,
        is_checked: impl Fn(&TokenClaim) -> bool,
    ) -> Result<()> {
        for pool_claim in self.pool_claims(roll, fields, &roll.house)? {
            let PoolClaim { claim, who, pool } = &pool_claim;
            // `require_owed_tokens` checks the tokens that a roll must take.
            if claim.is_owed || !is_checked(claim) {
                continue;
            }
            let available = pool_claim.available();
            if available == claim.most {
                continue;
            }

            let owner = self.owner_name(who.or(pool.owner));
            return Err(if claim.most > 0 {
                self.not_enough(pool, owner, available, claim.most)
            } else {
                too_many_tokens(pool, owner, pool.tokens - claim.most)
            });
        }
        Ok(())
    }

    /// Takes the tokens that a roll may use out of the pools, as far as the pools have them.
    pub(super) fn set_tokens_aside(&mut self, roll: &Roll) -> Result<Vec<SetAside>> {
        let fields = roll.claiming_fields(self.system)?;

        let mut all_set_aside = Vec::new();
        for pool_claim in self.pool_claims(roll, &fields, &roll.house)? {
            let tokens = pool_claim.available();
            if tokens != 0 {
                all_set_aside.push(SetAside {
                    who: pool_claim.who,
                    pool: pool_claim.pool.id,
                    kind: pool_claim.claim.pool,
                    tokens,
                });
            }
        }

        for set_aside in &all_set_aside {
            if let Some(pool) = self.pool_mut(set_aside.pool) {
                pool.tokens -= set_aside.tokens;
            }
        }
        Ok(all_set_aside)
    }

    /// Returns the tokens that stay set aside for a roll that continues to wait. A field that the GM refused gives its
    /// tokens back.
    pub(super) fn update_set_aside(
        &mut self,
        before: &Unfinished,
        roll: &Roll,
    ) -> Result<Option<Vec<SetAside>>> {
        let had_refusal = before.roll.refused_fields().next().is_some();
        let has_refusal = roll.refused_fields().next().is_some();
        if had_refusal || !has_refusal {
            return Ok(before.set_aside.clone());
        }

        self.return_set_aside(before);
        self.set_tokens_aside(roll).map(Some)
    }

    /// Refuses to end a roll that uses more tokens than were set aside for it. In a game of an older program, another
    /// waiting roll may have taken them.
    pub(super) fn require_set_aside(&self, waiting: &Unfinished, outcome: &Outcome) -> Result<()> {
        let roll = &waiting.roll;
        let fields = roll.claiming_fields(self.system)?;
        for PoolClaim { claim, who, .. } in self.pool_claims(roll, &fields, &roll.house)? {
            let mut available = 0;
            for set_aside in waiting.set_aside.iter().flatten() {
                if set_aside.kind == claim.pool && set_aside.who == who {
                    available += set_aside.tokens;
                }
            }

            let is_enough = if claim.most < 0 {
                available == claim.most
            } else {
                available >= claim.used_by(outcome)
            };
            if !is_enough {
                let owner = self.owner_name(who);
                let needed = self.system.spec().tokens(claim.pool, claim.most);
                return Err(refused(format!(
                    "{owner}'s roll needs {needed}, but has set aside only {}; cancel the roll and roll again",
                    available.abs()
                )));
            }
        }
        Ok(())
    }

    /// Gives the tokens of a roll that ends back to the characters that pay for it.
    ///
    /// A pool may then hold more than its maximum until the roll has paid; see [`Self::clamp_pools`].
    pub(super) fn release_set_aside(&mut self, waiting: &Unfinished) {
        for set_aside in waiting.set_aside.iter().flatten() {
            let paying_pool = self.pool_of(set_aside.kind, set_aside.who);
            let id = paying_pool.map_or(set_aside.pool, |pool| pool.id);
            if let Some(pool) = self.pool_mut(id) {
                pool.tokens += set_aside.tokens;
            }
        }
    }

    /// Gives the tokens of a cancelled roll back to the pools from which they were taken.
    pub(super) fn return_set_aside(&mut self, waiting: &Unfinished) {
        for set_aside in waiting.set_aside.iter().flatten() {
            let pool = self
                .pool(set_aside.pool)
                .or_else(|| self.pool_of(set_aside.kind, set_aside.who));
            let Some(id) = pool.map(|pool| pool.id) else {
                continue;
            };
            if let Some(pool) = self.pool_mut(id) {
                pool.tokens += set_aside.tokens;
            }
        }
        self.clamp_pools();
    }

    /// Limits the tokens of every pool to the range from its minimum to its maximum.
    pub(super) fn clamp_pools(&mut self) {
        self.pools.change_where(
            |pool| pool.tokens != pool.within(pool.tokens),
            |pool| pool.tokens = pool.within(pool.tokens),
        );
    }

    /// Returns the game with the tokens of all waiting rolls set aside. `None` if all these tokens are set aside
    /// already.
    ///
    /// Older programs did not set tokens aside. If the pools lack the tokens by now, the roll is refused when it ends.
    pub(super) fn with_all_set_aside(&self) -> Option<Self> {
        let has_old_rolls = self
            .unfinished
            .iter()
            .any(|waiting| waiting.set_aside.is_none());
        if !has_old_rolls {
            return None;
        }

        let mut after = self.clone();
        for index in 0..after.unfinished.len() {
            if after.unfinished[index].set_aside.is_some() {
                continue;
            }
            let roll = after.unfinished[index].roll.clone();
            // A roll under rules that the program no longer has claims no tokens.
            let set_aside = after.set_tokens_aside(&roll).unwrap_or_default();
            after.unfinished[index].set_aside = Some(set_aside);
        }
        Some(after)
    }

    /// The tokens of a character's pool that no waiting roll has set aside.
    pub(super) fn available_tokens(&self, kind: Id, who: CharacterId) -> Option<AvailableTokens> {
        let all_set_aside = self.with_all_set_aside();
        let game = all_set_aside.as_ref().unwrap_or(self);
        let pool = game.pool_of(kind, Some(who))?;
        Some(AvailableTokens {
            tokens: pool.tokens,
            pool_name: pool.name.clone(),
        })
    }

    /// Refuses to spend more tokens than a pool holds. The message mentions tokens that are set aside for waiting rolls.
    pub(super) fn not_enough(
        &self,
        pool: &TokenPool,
        owner: &str,
        available: i32,
        needed: i32,
    ) -> CommandError {
        let mut waiting_tokens = 0;
        for waiting in &self.unfinished {
            for set_aside in waiting.set_aside.iter().flatten() {
                if set_aside.pool == pool.id {
                    waiting_tokens += set_aside.tokens;
                }
            }
        }

        let note = match waiting_tokens {
            ..=0 => String::new(),
            1 => " (1 more is set aside for a waiting roll)".to_owned(),
            count => format!(" ({count} more are set aside for a waiting roll)"),
        };
        let name = &pool.name;
        refused(format!(
            "{owner} has {available} in {name}{note} and cannot spend {needed}"
        ))
    }

    /// Describes the tokens that are set aside for a waiting roll: `2 bonus tokens`. Empty without set-aside tokens.
    pub fn describe_set_aside(&self, waiting: &Unfinished) -> String {
        let spec = self.system.spec();
        let mut descriptions = Vec::new();
        for set_aside in waiting.set_aside.iter().flatten() {
            let tokens = spec.tokens(set_aside.kind, set_aside.tokens);
            let is_shared = spec
                .pool(set_aside.kind)
                .is_some_and(|pool| pool.purse == PoolOwner::Table);
            if set_aside.who == waiting.roll.id || is_shared {
                descriptions.push(tokens);
            } else {
                let owner = self.owner_name(set_aside.who);
                descriptions.push(format!("{tokens} of {owner}"));
            }
        }
        join(descriptions, ", ")
    }
}
