//! Deciding commands about token pools, and the tokens that are gained without a roll.

use crate::sheet_lookup::find_rank;
use crate::{
    Character, CharacterId, CommandError, EntityRef, Event, EventKind, Game, LONGEST_NAME, PoolId,
    PoolKind, Result, TokenPool, refused,
};
use tableside_rules::{Effect, Id, Value};
use tableside_text::{join, sanitise_name};

/// The lists of a sheet that contain aspects. Wounds count as aspects (Heart Rush, Wounds).
pub const ASPECTS: [&str; 2] = ["aspects", "wounds"];
/// The pool that grows when an aspect complicates life.
pub const DESTINY: Id = Id::new("destiny");

/// A change of a pool's tokens, and how the log explains it.
struct PoolChange<'a> {
    pool: &'a TokenPool,
    /// The tokens after the change.
    tokens: i32,
    /// The part of the gain that counts towards the limit of the scene.
    counted_gain: i32,
    /// A note for the log. May be empty.
    note: &'a str,
}

/// An aspect on a sheet.
struct Aspect {
    name: String,
    rank: i32,
}

impl Game {
    /// Validates a pool, and returns it in the form in which the game stores it.
    pub(super) fn validate_pool(&self, mut pool: TokenPool) -> Result<TokenPool> {
        let subject = EntityRef::Pool(pool.id);
        pool.name = self.validate_name(subject, pool.owner, &pool.name)?;
        pool.clean_thresholds()
            .map_err(|problem| refused(format!("the pool {}: {problem}", pool.name)))?;

        if let Some(before) = self.pool(pool.id)
            && before.kind != PoolKind::Own
        {
            let limit_before = before.gains.map(|gains| gains.most);
            let limit = pool.gains.map(|gains| gains.most);
            if limit != limit_before {
                return Err(refused(format!(
                    "the rules limit how many tokens {} gains in a scene; only pools that the rules do not define can have another limit",
                    before.name
                )));
            }
        }
        Ok(pool)
    }

    /// Returns the event of a change of tokens. Thresholds that the pool reaches are applied.
    fn token_event(&self, change: &PoolChange<'_>) -> Result<Event> {
        let tokens = self.bounded_tokens(change.pool, change.tokens)?;

        let mut after = self.clone();
        after.set_tokens(change.pool.id, tokens, change.counted_gain);
        let messages = after.apply_thresholds(change.pool, tokens, None, 0)?;

        let bounded = PoolChange { tokens, ..*change };
        Ok(self.log_tokens(&bounded, &messages, &after))
    }

    /// Returns the event that turns the game into `after`. The log describes it as a change of one pool, followed by
    /// the messages.
    fn log_tokens(&self, change: &PoolChange<'_>, messages: &[Effect], after: &Self) -> Event {
        let pool = change.pool;
        let mut notes = vec![change.note.to_owned()];
        for message in messages {
            notes.push(match message {
                Effect::Reached {
                    told, pool: name, ..
                } if *name == pool.name => told.clone(),
                effect => effect.text(self.system),
            });
        }
        notes.retain(|note| !note.is_empty());

        let act = EventKind::Tokens {
            owner: self.owner_name(pool.owner).to_owned(),
            pool: pool.name.clone(),
            by: change.tokens - pool.tokens,
            // A threshold may have reset the pool, and its message tells that.
            now: change.tokens,
            note: notes.join("; "),
        };
        let mut event = self.event(act, after);
        event.begin_with(EntityRef::Pool(pool.id));
        event
    }

    /// Adds or removes tokens. The limit per scene applies only to pools that the group added; in pools of the rules,
    /// it applies only to rolls and aspects.
    pub(super) fn decide_tokens(&self, id: PoolId, amount: i32) -> Result<Event> {
        let pool = self.known_pool(id)?;
        let owner = self.owner_name(pool.owner);

        let limit = if amount > 0 && pool.kind == PoolKind::Own {
            pool.gains
        } else {
            None
        };
        let room = match limit {
            Some(gains) => (gains.most - gains.this_scene).max(0),
            None => i32::MAX,
        };
        if room == 0 {
            return Err(pool.too_much(owner, amount));
        }

        let tokens = pool.tokens.saturating_add(amount.min(room));
        let tokens_within = pool.within(tokens);
        let spent = pool.tokens - tokens_within;
        let wanted = amount.saturating_neg();
        if spent > 0 && spent < wanted {
            return Err(self.not_enough(pool, owner, spent, wanted));
        }

        let counted_gain = match limit {
            Some(_) => tokens_within - pool.tokens,
            None => 0,
        };
        self.token_event(&PoolChange {
            pool,
            tokens,
            counted_gain,
            note: "",
        })
    }

    pub(super) fn decide_set_tokens(&self, id: PoolId, tokens: i32) -> Result<Event> {
        let pool = self.known_pool(id)?;
        pool.validate_tokens(tokens)?;
        self.token_event(&PoolChange {
            pool,
            tokens,
            counted_gain: 0,
            note: "",
        })
    }

    /// Returns the nearest number of tokens that the pool can hold. Refuses the number that it already holds.
    fn bounded_tokens(&self, pool: &TokenPool, tokens: i32) -> Result<i32> {
        if tokens == pool.tokens {
            return Err(CommandError::Unchanged);
        }
        let bounded = pool.within(tokens);
        if bounded == pool.tokens {
            return Err(if tokens > pool.tokens {
                self.at_maximum(pool)
            } else {
                self.at_minimum(pool)
            });
        }
        Ok(bounded)
    }

    fn at_maximum(&self, pool: &TokenPool) -> CommandError {
        let maximum = pool.within(i32::MAX);
        self.at_bound(pool, &format!("{maximum} is the maximum"))
    }

    fn at_minimum(&self, pool: &TokenPool) -> CommandError {
        self.at_bound(pool, &format!("{} is the minimum", pool.floor))
    }

    fn at_bound(&self, pool: &TokenPool, bound: &str) -> CommandError {
        let owner = self.owner_name(pool.owner);
        let name = &pool.name;
        let tokens = pool.tokens;
        CommandError::AtEnd(format!("{owner}: {name} holds {tokens}, and {bound}"))
    }

    pub(super) fn decide_move(&self, from: PoolId, to: PoolId, amount: i32) -> Result<Event> {
        let source = self.known_pool(from)?;
        let target = self.known_pool(to)?;
        if amount < 1 || from == to {
            return Err(CommandError::Unchanged);
        }

        let owner = self.owner_name(source.owner);
        let source_tokens = source.within(source.tokens.saturating_sub(amount));
        if source.tokens - source_tokens < amount {
            let available = source.tokens - source.floor;
            return Err(self.not_enough(source, owner, available, amount));
        }
        let target_tokens = target.within(target.tokens.saturating_add(amount));
        if target_tokens - target.tokens < amount {
            return Err(self.at_maximum(target));
        }

        let mut after = self.clone();
        after.set_tokens(from, source_tokens, 0);
        after.set_tokens(to, target_tokens, 0);
        let mut messages = after.apply_thresholds(source, source_tokens, None, 0)?;
        messages.extend(after.apply_thresholds(target, target_tokens, None, 0)?);

        let change = PoolChange {
            pool: target,
            tokens: target_tokens,
            counted_gain: 0,
            note: &format!("from {owner}: {}, now {source_tokens}", source.name),
        };
        Ok(self.log_tokens(&change, &messages, &after))
    }

    /// Gains as many tokens as the rank of an aspect that complicates life, within the limit of the scene (Heart Rush,
    /// Negative Invocation; house rule `scene-cap`).
    pub(super) fn decide_complicate(&self, id: CharacterId, aspect: &str) -> Result<Event> {
        let character = self.known_character(id)?;
        let pool = self.pool_of(DESTINY, Some(id));
        let Some(pool) = pool else {
            return Err(unknown_aspect(character, aspect));
        };
        let Some(aspect) = find_aspect(character, aspect) else {
            return Err(unknown_aspect(character, aspect));
        };

        let gain = pool.gain(aspect.rank);
        let refuses_part = self.house.is("scene-cap", "refuse");
        let is_part = gain.within_limit < aspect.rank;
        let is_refused = gain.within_limit == 0 || (is_part && refuses_part);
        if pool.gains.is_some() && is_refused {
            return Err(pool.too_much(&character.name, aspect.rank));
        }

        let mut note = format!("{} complicates life", aspect.name);
        if let Some(reason) = gain.remark {
            note = format!("{note}; {reason}");
        }
        self.token_event(&PoolChange {
            pool,
            tokens: pool.tokens.saturating_add(gain.within_limit),
            counted_gain: gain.applied,
            note: &note,
        })
    }

    /// Gives tokens that do not count towards the limit of the scene.
    pub(super) fn decide_award(&self, id: PoolId, amount: i32, reason: &str) -> Result<Event> {
        let pool = self.known_pool(id)?;
        if amount < 1 {
            return Err(CommandError::Unchanged);
        }
        self.token_event(&PoolChange {
            pool,
            tokens: pool.tokens.saturating_add(amount),
            counted_gain: 0,
            note: &sanitise_name(reason, LONGEST_NAME),
        })
    }
}

fn find_aspect(character: &Character, input: &str) -> Option<Aspect> {
    for list in ASPECTS {
        let ranks = character.sheet.ranks(list);
        if let Some(found) = find_rank(ranks, input.trim())
            && let Value::Number(rank) = found.value
        {
            return Some(Aspect {
                name: found.name,
                rank,
            });
        }
    }
    None
}

/// Refuses an aspect that is not on the sheet, and lists those that are.
fn unknown_aspect(character: &Character, input: &str) -> CommandError {
    let aspects = ASPECTS
        .iter()
        .flat_map(|list| character.sheet.ranks(list))
        .map(|(name, _)| name);
    let names = join(aspects, ", ");
    let advice = if names.is_empty() {
        String::new()
    } else {
        format!("; {} has {names}", character.name)
    };
    CommandError::Unknown {
        kind: "aspect",
        given: input.chars().take(40).collect(),
        known: advice,
    }
}
