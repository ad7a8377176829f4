//! What people do with token pools.

use super::{named, numbered};
use crate::session::event::EntityKind;
use crate::session::{
    Change, CommandError, Event, EventKind, Gains, MOST, PoolId, PoolKind, Session, TokenPool,
    write_thresholds,
};

impl Session {
    pub(super) fn decide_add_pool(&self, pool: &TokenPool) -> Result<Event, CommandError> {
        if self.pools.len() >= MOST {
            return Err(CommandError::TooMany("pool"));
        }
        let mut pool = pool.clone();
        let beside = self.pools.iter().filter(|other| other.owner == pool.owner);
        pool.id = PoolId(self.next_id);
        pool.name = named("pool", &pool.name, beside.map(|other| other.name.as_str()))?;
        pool.tokens = pool.within(pool.tokens);
        pool.settle_thresholds();
        Ok(Event {
            what: EventKind::Added {
                kind: EntityKind::Pool,
                name: pool.name.clone(),
            },
            changes: vec![Change::Pool {
                at: self.pools.len(),
                from: None,
                to: Some(Box::new(pool)),
            }],
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
        let beside = self
            .pools
            .iter()
            .filter(|other| other.id != pool.id && other.owner == pool.owner);
        let mut after = pool.clone();
        after.name = named("pool", &after.name, beside.map(|other| other.name.as_str()))?;
        after.tokens = after.within(after.tokens);
        after.settle_thresholds();
        if *before == after {
            return Err(CommandError::Unchanged);
        }
        let most = |pool: &TokenPool| pool.gains.map(|gains| gains.most);
        if most(before) != most(&after) && before.kind != PoolKind::Own {
            return Err(CommandError::RulesLimit(before.name.clone()));
        }
        let mut how = Vec::new();
        if before.name != after.name {
            how.push(format!("now named {}", after.name));
        }
        if before.tokens != after.tokens {
            how.push(format!("{} to {} tokens", before.tokens, after.tokens));
        }
        if (before.floor, before.cap) != (after.floor, after.cap) {
            let cap = after
                .cap
                .map_or_else(|| "no".to_owned(), |cap| cap.to_string());
            how.push(format!("at least {}, at most {cap}", after.floor));
        }
        if most(before) != most(&after) {
            how.push(match most(&after) {
                Some(most) => format!("a scene gives at most {most}"),
                None => "a scene gives any number".to_owned(),
            });
        }
        if before.thresholds != after.thresholds {
            how.push(match write_thresholds(&after.thresholds) {
                told if told.is_empty() => "tells nothing any more".to_owned(),
                told => format!("tells at {told}"),
            });
        }
        if before.owner != after.owner {
            how.push(format!("belongs to {}", self.owner_name(after.owner)));
        }
        if how.is_empty() {
            how.push("other terms".to_owned());
        }
        Ok(Event {
            what: EventKind::Edited {
                kind: EntityKind::Pool,
                name: before.name.clone(),
                how: how.join(", "),
            },
            changes: vec![Change::Pool {
                at: self.pool_place(pool.id),
                from: Some(Box::new(before.clone())),
                to: Some(Box::new(after)),
            }],
        })
    }

    pub(super) fn decide_remove_pool(&self, id: PoolId) -> Result<Event, CommandError> {
        let pool = self.known_pool(id)?;
        Ok(Event {
            what: EventKind::Removed {
                kind: EntityKind::Pool,
                name: pool.name.clone(),
            },
            changes: vec![Change::Pool {
                at: self.pool_place(id),
                from: Some(Box::new(pool.clone())),
                to: None,
            }],
        })
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
        let mut event = self.decide_set_tokens(id, pool.tokens.saturating_add(by.min(room)))?;
        if let (Some(gains), EventKind::Tokens { by, .. }) = (limit, &event.what) {
            event.changes.push(Change::Gained {
                pool: id,
                from: gains.this_scene,
                to: gains.this_scene + by,
            });
        }
        Ok(event)
    }

    /// What somebody counted anew, whatever a scene may give.
    pub(super) fn decide_set_tokens(&self, id: PoolId, to: i32) -> Result<Event, CommandError> {
        let pool = self.known_pool(id)?;
        let by = to.saturating_sub(pool.tokens);
        let to = pool.within(to);
        if to == pool.tokens {
            return Err(if by == 0 {
                CommandError::Unchanged
            } else {
                self.at_end(pool, by)
            });
        }
        Ok(Event {
            what: EventKind::Tokens {
                owner: self.owner_name(pool.owner).to_owned(),
                pool: pool.name.clone(),
                by: to - pool.tokens,
                now: to,
                note: pool.told_at(to),
            },
            changes: vec![Change::Tokens {
                pool: id,
                from: pool.tokens,
                to,
            }],
        })
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
        let notes = [from_whom, source.told_at(left), target.told_at(full)].into_iter();
        let notes: Vec<String> = notes.filter(|note| !note.is_empty()).collect();
        Ok(Event {
            what: EventKind::Tokens {
                owner: self.owner_name(target.owner).to_owned(),
                pool: target.name.clone(),
                by: amount,
                now: full,
                note: notes.join("; "),
            },
            changes: vec![
                Change::Tokens {
                    pool: from,
                    from: source.tokens,
                    to: left,
                },
                Change::Tokens {
                    pool: to,
                    from: target.tokens,
                    to: full,
                },
            ],
        })
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

    fn pool_place(&self, id: PoolId) -> usize {
        let place = self.pools.iter().position(|pool| pool.id == id);
        place.unwrap_or(self.pools.len())
    }
}
