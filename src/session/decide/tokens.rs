//! What people do with token pools.

use super::{named, numbered};
use crate::session::event::Thing;
use crate::session::{Change, Event, MOST, PoolId, Refusal, Session, TokenPool, What};

impl Session {
    pub(super) fn decide_add_pool(&self, pool: &TokenPool) -> Result<Event, Refusal> {
        if self.pools.len() >= MOST {
            return Err(Refusal::TooMany("pool"));
        }
        let mut pool = pool.clone();
        let beside = self.pools.iter().filter(|other| other.owner == pool.owner);
        pool.id = PoolId(self.next_id);
        pool.name = named("pool", &pool.name, beside.map(|other| other.name.as_str()))?;
        pool.tokens = pool.within(pool.tokens);
        Ok(Event {
            what: What::Added {
                kind: Thing::Pool,
                name: pool.name.clone(),
            },
            changes: vec![Change::Pool {
                at: self.pools.len(),
                from: None,
                to: Some(Box::new(pool)),
            }],
        })
    }

    pub(super) fn decide_duplicate_pool(&self, id: PoolId) -> Result<Event, Refusal> {
        let original = self.known_pool(id)?;
        let names = self.pools.iter().map(|pool| pool.name.as_str());
        let mut copy = original.clone();
        copy.name = numbered(&original.name, names);
        copy.tokens = copy.start;
        self.decide_add_pool(&copy)
    }

    pub(super) fn decide_edit_pool(&self, pool: &TokenPool) -> Result<Event, Refusal> {
        let before = self.known_pool(pool.id)?;
        let beside = self
            .pools
            .iter()
            .filter(|other| other.id != pool.id && other.owner == pool.owner);
        let mut after = pool.clone();
        after.name = named("pool", &after.name, beside.map(|other| other.name.as_str()))?;
        after.tokens = after.within(after.tokens);
        if *before == after {
            return Err(Refusal::Unchanged);
        }
        let mut how = Vec::new();
        if before.name != after.name {
            how.push(format!("now named {}", after.name));
        }
        if before.tokens != after.tokens {
            how.push(format!("{} → {} tokens", before.tokens, after.tokens));
        }
        if (before.floor, before.cap) != (after.floor, after.cap) {
            let cap = after
                .cap
                .map_or_else(|| "no".to_owned(), |cap| cap.to_string());
            how.push(format!("at least {}, at most {cap}", after.floor));
        }
        if before.owner != after.owner {
            how.push(format!("belongs to {}", self.owner_name(after.owner)));
        }
        if how.is_empty() {
            how.push("other terms".to_owned());
        }
        Ok(Event {
            what: What::Edited {
                kind: Thing::Pool,
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

    pub(super) fn decide_remove_pool(&self, id: PoolId) -> Result<Event, Refusal> {
        let pool = self.known_pool(id)?;
        Ok(Event {
            what: What::Removed {
                kind: Thing::Pool,
                name: pool.name.clone(),
            },
            changes: vec![Change::Pool {
                at: self.pool_place(id),
                from: Some(Box::new(pool.clone())),
                to: None,
            }],
        })
    }

    pub(super) fn decide_tokens(&self, id: PoolId, by: i32) -> Result<Event, Refusal> {
        let pool = self.known_pool(id)?;
        let to = pool.within(pool.tokens.saturating_add(by));
        if to == pool.tokens {
            return Err(if by == 0 {
                Refusal::Unchanged
            } else {
                self.at_end(pool, by)
            });
        }
        Ok(Event {
            what: What::Tokens {
                owner: self.owner_name(pool.owner).to_owned(),
                pool: pool.name.clone(),
                by: to - pool.tokens,
                now: to,
                note: threshold(pool, to),
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
    ) -> Result<Event, Refusal> {
        let (source, target) = (self.known_pool(from)?, self.known_pool(to)?);
        let left = source.within(source.tokens.saturating_sub(amount));
        let full = target.within(target.tokens.saturating_add(amount));
        if amount < 1 || from == to {
            return Err(Refusal::Unchanged);
        }
        if source.tokens - left < amount {
            return Err(Refusal::NotEnough {
                owner: self.owner_name(source.owner).to_owned(),
                pool: source.name.clone(),
                has: source.tokens - source.floor,
                needs: amount,
            });
        }
        if full - target.tokens < amount {
            return Err(self.at_end(target, amount));
        }
        Ok(Event {
            what: What::Tokens {
                owner: self.owner_name(target.owner).to_owned(),
                pool: target.name.clone(),
                by: amount,
                now: full,
                note: format!("from {}", self.owner_name(source.owner)),
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

    pub(super) fn at_end(&self, pool: &TokenPool, by: i32) -> Refusal {
        let limit = if by > 0 {
            format!("{} is the most", pool.within(i32::MAX))
        } else {
            format!("{} is the least", pool.floor)
        };
        Refusal::PoolAtEnd {
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

/// The note of a threshold that this number reaches from below.
pub(super) fn threshold(pool: &TokenPool, to: i32) -> String {
    let reached = pool
        .thresholds
        .iter()
        .filter(|(at, _)| (pool.tokens + 1..=to).contains(at));
    let notes: Vec<&str> = reached.map(|(_, note)| note.as_str()).collect();
    notes.join("; ")
}
