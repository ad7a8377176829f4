//! Tracks the tokens of every pool from entry to entry, so that `verify` can report an entry in which a pool pays more
//! tokens than it had.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use tableside_game::{
    Change, CharacterId, CommandError, EntityRef, Event, EventKind, Part, PoolId, PoolKind, Roll,
    SetAside, TokenPool, Unfinished, opponent_of,
};
use tableside_rules::{Effect, Id, Outcome, Party, PoolOwner, System, TokenClaim};
use tableside_text::pluralise;

/// The pools after the entries that were applied so far. Pools that are older than the journal are missing.
#[derive(Debug, Default)]
pub(super) struct PoolLedger {
    pools: BTreeMap<u32, TokenPool>,
}

/// The tokens that a roll claims. They are computed without the pools, on several threads.
pub(super) struct RollClaims {
    claims: Vec<TokenClaim>,
    outcome: Outcome,
}

impl RollClaims {
    /// Returns the claims of a roll with its outcome. `None` for a roll that claims no tokens, and for other events,
    /// including amendments and rerolls.
    pub(super) fn of(
        event: &Event,
        outcome: Option<Outcome>,
        system: System,
    ) -> Result<Option<Self>, String> {
        let (EventKind::Rolled(roll), Some(outcome)) = (&event.what, outcome) else {
            return Ok(None);
        };
        let claims = claims_of(roll, system).map_err(|error| error.to_string())?;
        if claims.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { claims, outcome }))
    }
}

fn claims_of(roll: &Roll, system: System) -> Result<Vec<TokenClaim>, CommandError> {
    let fields = roll.claiming_fields(system)?;
    let spec = roll.spec(system)?;
    Ok(spec.token_claims(&fields, &roll.house))
}

impl PoolLedger {
    /// True if the event moves or claims tokens. For all other events [`Self::check_and_apply`] does nothing.
    pub(super) fn checks(event: &Event, claims: &Result<Option<RollClaims>, String>) -> bool {
        let is_of_pool = |change: &Change| matches!(change.entity, EntityRef::Pool(_));
        let has_claims = !matches!(claims, Ok(None));
        let sets_aside = matches!(event.what, EventKind::Incomplete(_));
        has_claims || sets_aside || event.changes.iter().any(is_of_pool)
    }

    /// Checks the tokens that an entry takes out of the pools, then applies the entry.
    pub(super) fn check_and_apply(
        &mut self,
        event: &Event,
        claims: &Result<Option<RollClaims>, String>,
        system: System,
    ) -> Result<(), String> {
        let paid = self.check(event, claims, system);
        for change in &event.changes {
            if let EntityRef::Pool(id) = change.entity {
                self.apply(id, &change.part, &change.to);
            }
        }
        let bounds = self.check_bounds(event);
        paid.and(bounds)
    }

    fn apply(&mut self, id: PoolId, part: &Part, to: &Json) {
        if part.is_whole() {
            if let Ok(pool) = serde_json::from_value(to.clone()) {
                self.pools.insert(id.0, pool);
            } else {
                // The pool was removed.
                self.pools.remove(&id.0);
            }
            return;
        }

        let Some(pool) = self.pools.get_mut(&id.0) else {
            return;
        };
        let number = as_i32(to);
        match part {
            Part::Tokens => pool.tokens = number.unwrap_or(0),
            Part::Floor => pool.floor = number.unwrap_or(0),
            Part::Cap => pool.cap = number,
            Part::Owner => {
                let owner = number.and_then(|id| u32::try_from(id).ok());
                pool.owner = owner.map(CharacterId);
            }
            Part::Name => {
                let name = to.as_str().unwrap_or_default();
                name.clone_into(&mut pool.name);
            }
            _ => {}
        }
    }

    /// Fails if an entry leaves a pool with fewer tokens than its minimum.
    fn check_bounds(&mut self, event: &Event) -> Result<(), String> {
        let mut all_within = Ok(());
        for change in &event.changes {
            let EntityRef::Pool(id) = change.entity else {
                continue;
            };
            let Some(pool) = self.pools.get_mut(&id.0) else {
                continue;
            };
            let within = pool.within(pool.tokens);
            if pool.tokens < within && change.part == Part::Tokens {
                all_within = Err(format!(
                    "{} has {} after this entry, but its minimum is {within}",
                    pool.name,
                    pluralise(pool.tokens, "token")
                ));
            }
            pool.tokens = within;
        }
        all_within
    }

    fn check(
        &self,
        event: &Event,
        claims: &Result<Option<RollClaims>, String>,
        system: System,
    ) -> Result<(), String> {
        for change in &event.changes {
            let EntityRef::Pool(id) = change.entity else {
                continue;
            };
            if change.part == Part::Tokens
                && let Some(pool) = self.pools.get(&id.0)
                && change.from.as_i64() != Some(pool.tokens.into())
            {
                return Err(format!(
                    "{} had {} before this entry, but the entry records {}",
                    pool.name,
                    pluralise(pool.tokens, "token"),
                    change.from
                ));
            }
        }

        match &event.what {
            EventKind::Incomplete(_) => {
                let begun = event.changes.iter().find_map(Change::waiting_after);
                match begun {
                    Some(begun) => self.check_set_aside(&begun, event, system),
                    None => Ok(()),
                }
            }
            EventKind::Rolled(roll) => match claims {
                Ok(Some(claims)) => self.check_roll(roll, claims, event, system),
                Ok(None) => Ok(()),
                Err(error) => Err(error.clone()),
            },
            _ => Ok(()),
        }
    }

    /// Fails if a pool sets more tokens aside for a waiting roll than it held.
    fn check_set_aside(
        &self,
        begun: &Unfinished,
        event: &Event,
        system: System,
    ) -> Result<(), String> {
        for cost in begun.set_aside.iter().flatten() {
            let Some(held) = self.held(cost.pool, event) else {
                continue;
            };
            let is_there = if cost.tokens > 0 {
                cost.tokens <= held
            } else {
                // Owed tokens are below 0. A cost that adds tokens to a pool is checked against the pool's bounds.
                held >= 0 || cost.tokens >= held
            };
            if !is_there {
                let spec = system.spec();
                let cost_text = spec.tokens(cost.kind, cost.tokens);
                let held_text = spec.tokens(cost.kind, held);
                return Err(format!(
                    "the entry sets {cost_text} aside, but the pool had {held_text}"
                ));
            }
        }
        Ok(())
    }

    /// Fails if a roll uses more tokens than its pools held or had set aside for it.
    fn check_roll(
        &self,
        roll: &Roll,
        claimed: &RollClaims,
        event: &Event,
        system: System,
    ) -> Result<(), String> {
        let spec = roll.spec(system).map_err(|error| error.to_string())?;
        let outcome = &claimed.outcome;
        let ended = event.changes.iter().find_map(Change::waiting_before);
        let set_aside = ended.and_then(|ended| ended.set_aside);

        let owners: BTreeSet<&Option<String>> = roll
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Token { owner, .. } => Some(owner),
                _ => None,
            })
            .collect();
        let is_one_sided = owners.len() <= 1;

        for claim in &claimed.claims {
            let who = match claim.of {
                Party::Roller => roll.id,
                Party::Opponent => opponent_of(spec, &roll.sources),
                Party::Helpers | Party::Table => continue,
            };
            let Some(who) = who else {
                continue;
            };
            let available = if let Some(set_aside) = &set_aside {
                set_aside_for(set_aside, claim.pool, who)
            } else {
                let mut pool = self.own_pool(claim.pool, who);
                // If the tokens of two sides are used, the only pool that changes may belong to the other side.
                if pool.is_none() && is_one_sided {
                    pool = self.changed_pool(claim.pool, event, system);
                }
                let Some(pool) = pool else {
                    continue;
                };
                self.held(pool, event).unwrap_or(0)
            };
            if !is_covered(claim, outcome, available) {
                let spec = system.spec();
                let used = claim.used_by(outcome);
                let used_text = spec.tokens(claim.pool, used);
                let held_text = spec.tokens(claim.pool, available);
                return Err(format!(
                    "the entry uses {used_text}, but the pool had {held_text}"
                ));
            }
        }
        Ok(())
    }

    /// Returns the tokens of a pool before an entry.
    fn held(&self, id: PoolId, event: &Event) -> Option<i32> {
        let subject = EntityRef::Pool(id);
        let mut changes = event.changes.iter();
        let change = changes.find(|change| change.is_of(subject, &Part::Tokens));
        if let Some(change) = change
            && let Some(recorded) = as_i32(&change.from)
        {
            return Some(recorded);
        }

        let pool = self.pools.get(&id.0)?;
        Some(pool.tokens)
    }

    /// Returns the pool of that kind which belongs to a character, if the journal names it.
    fn own_pool(&self, kind: Id, who: CharacterId) -> Option<PoolId> {
        let rule = PoolKind::Rule(kind);
        let mut pools = self.pools.values();
        let pool = pools.find(|pool| pool.kind == rule && pool.owner == Some(who))?;
        Some(pool.id)
    }

    /// Returns the only pool that an entry changes, for a character whose pool the journal does not name: a pool from
    /// before the journal, or one that the characters of a player share.
    fn changed_pool(&self, kind: Id, event: &Event, system: System) -> Option<PoolId> {
        let mut changed = event
            .changes
            .iter()
            .filter_map(|change| match change.entity {
                EntityRef::Pool(id) if change.part == Part::Tokens => Some(id),
                _ => None,
            });
        let id = changed.next()?;
        if changed.next().is_some() {
            return None;
        }

        let Some(pool) = self.pools.get(&id.0) else {
            return Some(id);
        };
        let spec = system.spec().pool(kind)?;
        let is_shared = spec.purse != PoolOwner::Character;
        let may_be_used = is_shared || pool.owner.is_none();
        if pool.kind == PoolKind::Rule(kind) && may_be_used {
            Some(id)
        } else {
            None
        }
    }
}

/// The tokens that were set aside in a character's pool of this kind.
fn set_aside_for(set_aside: &[SetAside], kind: Id, who: CharacterId) -> i32 {
    set_aside
        .iter()
        .filter(|cost| cost.kind == kind && cost.who == Some(who))
        .map(|cost| cost.tokens)
        .sum()
}

fn as_i32(value: &Json) -> Option<i32> {
    let number = value.as_i64()?;
    i32::try_from(number).ok()
}

/// True if the available tokens cover the tokens that a roll uses for a claim.
fn is_covered(claim: &TokenClaim, outcome: &Outcome, available: i32) -> bool {
    let used = claim.used_by(outcome);
    if used > 0 {
        used <= available
    } else {
        used == 0 || !claim.is_owed || used >= available
    }
}
