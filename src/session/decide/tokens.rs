//! What people do with token pools.

use super::{named, numbered};
use crate::session::entity::replace;
use crate::session::event::EntityKind;
use crate::session::{
    CommandError, Event, EventKind, Gains, MOST, PoolId, PoolKind, Session, Subject, TokenPool,
    edits,
};

impl Session {
    /// Makes a pool fit to be kept, or says what is wrong with it.
    fn settle_pool(&self, pool: &mut TokenPool) -> Result<(), CommandError> {
        let beside = self.pools.iter();
        let beside = beside.filter(|other| other.id != pool.id && other.owner == pool.owner);
        pool.name = named("pool", &pool.name, beside.map(|other| other.name.as_str()))?;
        pool.tokens = pool.within(pool.tokens);
        pool.settle_thresholds();
        Ok(())
    }

    pub(super) fn decide_add_pool(&self, pool: &TokenPool) -> Result<Event, CommandError> {
        if self.pools.len() >= MOST {
            return Err(CommandError::TooMany("pool"));
        }
        self.added(EntityKind::Pool, |after| {
            let mut pool = pool.clone();
            pool.id = PoolId(after.take_id());
            after.settle_pool(&mut pool)?;
            let name = pool.name.clone();
            after.pools.push(pool);
            Ok(name)
        })
    }

    pub(super) fn decide_duplicate_pool(&self, id: PoolId) -> Result<Event, CommandError> {
        let original = self.known_pool(id)?;
        let names = self.pools.iter().map(|pool| pool.name.as_str());
        let mut copy = original.clone();
        copy.name = numbered(&original.name, names);
        copy.tokens = copy.start;
        copy.gains = copy.gains.map(|gains| Gains {
            this_scene: 0,
            ..gains
        });
        self.decide_add_pool(&copy)
    }

    pub(super) fn decide_edit_pool(&self, pool: &TokenPool) -> Result<Event, CommandError> {
        let before = self.known_pool(pool.id)?;
        let mut edited = pool.clone();
        self.settle_pool(&mut edited)?;
        let most = |pool: &TokenPool| pool.gains.map(|gains| gains.most);
        if most(before) != most(&edited) && before.kind != PoolKind::Own {
            return Err(CommandError::RulesLimit(before.name.clone()));
        }
        let how = edits::of_pool(before, &edited, self);
        let mut after = self.clone();
        replace(&mut after.pools, edited);
        self.edited((EntityKind::Pool, &before.name), &how, &after)
    }

    pub(super) fn decide_remove_pool(&self, id: PoolId) -> Result<Event, CommandError> {
        let name = &self.known_pool(id)?.name;
        Ok(self.removed(EntityKind::Pool, name, |after| {
            after.pools.retain(|pool| pool.id != id);
        }))
    }

    /// The event by which a pool holds so many, and why; `counts` of them count toward what a scene gives at
    /// most.
    pub(super) fn counted(&self, pool: &TokenPool, to: i32, counts: i32, why: &str) -> Event {
        let mut after = self.clone();
        if let Some(pool) = after.pool_mut(pool.id) {
            pool.tokens = to;
            if let Some(gains) = &mut pool.gains {
                gains.this_scene += counts;
            }
        }
        self.counted_in(pool, &after, &[why])
    }

    /// The event by which the pool is as it is in `after`. It stands first among the changes: who may see it
    /// reads of it, whatever else is hidden.
    fn counted_in(&self, pool: &TokenPool, after: &Self, why: &[&str]) -> Event {
        let now = after.pool(pool.id).map_or(pool.tokens, |pool| pool.tokens);
        let reached = pool.told_at(now);
        let notes = why.iter().copied().chain([&*reached]);
        let notes: Vec<&str> = notes.filter(|note| !note.is_empty()).collect();
        let what = EventKind::Tokens {
            owner: self.owner_name(pool.owner).to_owned(),
            pool: pool.name.clone(),
            by: now - pool.tokens,
            now,
            note: notes.join("; "),
        };
        let mut event = self.event(what, after);
        event
            .changes
            .sort_by_key(|change| change.of != Subject::Pool(pool.id));
        event
    }

    /// What people count in and out. In a pool of their own a scene gives no more than its limit; those of
    /// the rules are limited where a roll or an aspect books them.
    pub(super) fn decide_tokens(&self, id: PoolId, by: i32) -> Result<Event, CommandError> {
        let pool = self.known_pool(id)?;
        let limit = pool.gains;
        let limit = limit.filter(|_| by > 0 && pool.kind == PoolKind::Own);
        let room = limit.map_or(i32::MAX, |gains| (gains.most - gains.this_scene).max(0));
        if let Some(gains) = limit.filter(|_| room == 0) {
            return Err(CommandError::SceneCap {
                owner: self.owner_name(pool.owner).to_owned(),
                pool: pool.name.clone(),
                gained: gains.this_scene,
                most: gains.most,
                more: by,
            });
        }
        let spent = pool.tokens - pool.within(pool.tokens.saturating_add(by));
        if (1..by.saturating_neg()).contains(&spent) {
            return Err(CommandError::NotEnough {
                owner: self.owner_name(pool.owner).to_owned(),
                pool: pool.name.clone(),
                has: spent,
                needs: by.saturating_neg(),
            });
        }
        let to = self.counted_to(pool, pool.tokens.saturating_add(by.min(room)))?;
        let counts = limit.map_or(0, |_| to - pool.tokens);
        Ok(self.counted(pool, to, counts, ""))
    }

    /// What somebody counted anew, whatever a scene may give.
    pub(super) fn decide_set_tokens(&self, id: PoolId, to: i32) -> Result<Event, CommandError> {
        let pool = self.known_pool(id)?;
        Ok(self.counted(pool, self.counted_to(pool, to)?, 0, ""))
    }

    /// What a pool holds when so many are put into it, if that is otherwise than now.
    fn counted_to(&self, pool: &TokenPool, to: i32) -> Result<i32, CommandError> {
        let by = to.saturating_sub(pool.tokens);
        match pool.within(to) {
            _ if by == 0 => Err(CommandError::Unchanged),
            to if to == pool.tokens => Err(self.at_end(pool, by)),
            to => Ok(to),
        }
    }

    pub(super) fn decide_move(
        &self,
        from: PoolId,
        to: PoolId,
        amount: i32,
    ) -> Result<Event, CommandError> {
        let (source, target) = (self.known_pool(from)?, self.known_pool(to)?);
        let left = source.within(source.tokens.saturating_sub(amount));
        let full = target.within(target.tokens.saturating_add(amount));
        if amount < 1 || from == to {
            return Err(CommandError::Unchanged);
        }
        if source.tokens - left < amount {
            return Err(CommandError::NotEnough {
                owner: self.owner_name(source.owner).to_owned(),
                pool: source.name.clone(),
                has: source.tokens - source.floor,
                needs: amount,
            });
        }
        if full - target.tokens < amount {
            return Err(self.at_end(target, amount));
        }
        let from_whom = format!("from {}", self.owner_name(source.owner));
        let mut after = self.clone();
        for (id, tokens) in [(from, left), (to, full)] {
            if let Some(pool) = after.pool_mut(id) {
                pool.tokens = tokens;
            }
        }
        Ok(self.counted_in(target, &after, &[&from_whom, &source.told_at(left)]))
    }

    pub(super) fn at_end(&self, pool: &TokenPool, by: i32) -> CommandError {
        let limit = if by > 0 {
            format!("{} is the most", pool.within(i32::MAX))
        } else {
            format!("{} is the least", pool.floor)
        };
        CommandError::PoolAtEnd {
            owner: self.owner_name(pool.owner).to_owned(),
            pool: pool.name.clone(),
            tokens: pool.tokens,
            limit,
        }
    }
}
