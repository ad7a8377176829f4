//! What people do with token pools, and tokens without a roll: what an aspect that complicates life gains, and
//! what people give.

use crate::sheet_lookup::ranked;
use crate::{
    CharacterId, CommandError, Event, EventKind, Game, LONGEST_NAME, PoolId, PoolKind, Result,
    Subject, TokenPool, refused,
};
use tableside_rules::{Effect, Id, Value};
use tableside_text::{join, sanitise_name};

/// The lists of a sheet that hold aspects; wounds are aspects too (Heart Rush, Wounds).
pub const ASPECTS: [&str; 2] = ["aspects", "wounds"];
/// The pool that grows by it.
pub const DESTINY: Id = Id::new("destiny");

impl Game {
    /// The pool as it is fit to be kept, or what is wrong with it.
    pub(super) fn fit_pool(&self, mut pool: TokenPool) -> Result<TokenPool> {
        pool.name = self.fit_name(Subject::Pool(pool.id), pool.owner, &pool.name)?;
        let settled = pool.settle_thresholds();
        settled.map_err(|why| refused(format!("{}: {why}", pool.name)))?;
        let most = |pool: &TokenPool| pool.gains.map(|gains| gains.most);
        let before = self.pool(pool.id);
        let is_ruled = |known: &&TokenPool| known.kind != PoolKind::Own;
        if let Some(before) = before.filter(is_ruled)
            && most(before) != most(&pool)
        {
            return Err(refused(format!(
                "the rules say what a scene gives in {}; only a pool of your own has a limit of its own",
                before.name
            )));
        }
        Ok(pool)
    }

    /// The event by which a pool holds so many, and why; `counts` of them count toward what a scene gives at
    /// most.
    pub(super) fn counted(
        &self,
        pool: &TokenPool,
        to: i32,
        counts: i32,
        why: &str,
    ) -> Result<Event> {
        let to = self.counted_to(pool, to)?;
        let mut after = self.clone();
        after.set_tokens(pool.id, to, counts);
        let told = after.come_to(pool, to, None, 0)?;
        Ok(self.counted_in(pool, (to, &after), why, told))
    }

    /// The event by which the pool came to so many and is as it is in `after`, with what is told of it.
    fn counted_in(
        &self,
        pool: &TokenPool,
        (to, after): (i32, &Self),
        why: &str,
        told: Vec<Effect>,
    ) -> Event {
        let told = told.into_iter().map(|effect| match effect {
            Effect::Reached { told, pool: of, .. } if of == pool.name => told,
            effect => effect.text(self.system),
        });
        let notes = [why.to_owned()].into_iter().chain(told);
        let notes = notes.filter(|note| !note.is_empty());
        let what = EventKind::Tokens {
            owner: self.owner_name(pool.owner).to_owned(),
            pool: pool.name.clone(),
            by: to - pool.tokens,
            now: after.pool(pool.id).map_or(to, |pool| pool.tokens),
            note: join(notes, "; "),
        };
        let mut event = self.event(what, after);
        event.begin_with(Subject::Pool(pool.id));
        event
    }

    /// What people count in and out. In a pool of their own a scene gives no more than its limit; those of
    /// the rules are limited where a roll or an aspect books them.
    pub(super) fn decide_tokens(&self, id: PoolId, by: i32) -> Result<Event> {
        let pool = self.known_pool(id)?;
        let owner = self.owner_name(pool.owner);
        let limit = pool.gains;
        let limit = limit.filter(|_| by > 0 && pool.kind == PoolKind::Own);
        let room = limit.map_or(i32::MAX, |gains| (gains.most - gains.this_scene).max(0));
        if room == 0 {
            return Err(pool.too_much(owner, by));
        }
        let to = pool.tokens.saturating_add(by.min(room));
        let (spent, wanted) = (pool.tokens - pool.within(to), by.saturating_neg());
        if (1..wanted).contains(&spent) {
            return Err(self.not_enough(pool, owner, spent, wanted));
        }
        let counts = limit.map_or(0, |_| pool.within(to) - pool.tokens);
        self.counted(pool, to, counts, "")
    }

    /// What a pool would hold with this many tokens; `None` if that is what it holds now.
    fn counted_to(&self, pool: &TokenPool, to: i32) -> Result<i32> {
        match pool.within(to) {
            _ if to == pool.tokens => Err(CommandError::Unchanged),
            within if within == pool.tokens => Err(self.at_end(pool, to > pool.tokens)),
            within => Ok(within),
        }
    }

    fn at_end(&self, pool: &TokenPool, is_full: bool) -> CommandError {
        let limit = if is_full {
            format!("{} is the most", pool.within(i32::MAX))
        } else {
            format!("{} is the least", pool.floor)
        };
        let (owner, name) = (self.owner_name(pool.owner), &pool.name);
        CommandError::AtEnd(format!(
            "{owner}: {name} holds {}, and {limit}",
            pool.tokens
        ))
    }

    pub(super) fn decide_move(&self, from: PoolId, to: PoolId, amount: i32) -> Result<Event> {
        let (source, target) = (self.known_pool(from)?, self.known_pool(to)?);
        let left = source.within(source.tokens.saturating_sub(amount));
        let full = target.within(target.tokens.saturating_add(amount));
        let owner = self.owner_name(source.owner);
        if amount < 1 || from == to {
            return Err(CommandError::Unchanged);
        }
        if source.tokens - left < amount {
            return Err(self.not_enough(source, owner, source.tokens - source.floor, amount));
        }
        if full - target.tokens < amount {
            return Err(self.at_end(target, true));
        }
        let mut after = self.clone();
        for (id, tokens) in [(from, left), (to, full)] {
            after.set_tokens(id, tokens, 0);
        }
        let why = format!("from {owner}: {}, now {left}", source.name);
        let mut told = after.come_to(source, left, None, 0)?;
        told.extend(after.come_to(target, full, None, 0)?);
        Ok(self.counted_in(target, (full, &after), &why, told))
    }

    /// A negative invocation by a complication gains the aspect's rank, within the scene's limit (Heart
    /// Rush, Negative Invocation; house rule `scene-cap`).
    pub(super) fn decide_complicate(&self, who: CharacterId, aspect: &str) -> Result<Event> {
        let character = self.known_character(who)?;
        let lists = ASPECTS.map(|list| character.sheet.ranks(list));
        let found = lists.iter().find_map(|ranks| ranked(ranks, aspect.trim()));
        let pool = self.pool_of(DESTINY, Some(who));
        let (Some((Value::Number(rank), name)), Some(pool)) = (found, pool) else {
            let names = lists.iter().flat_map(|ranks| ranks.iter());
            let names = join(names.map(|(name, _)| name), ", ");
            return Err(CommandError::Unknown {
                kind: "aspect",
                given: aspect.chars().take(40).collect(),
                known: match names.as_str() {
                    "" => names,
                    names => format!("; {} has {names}", character.name),
                },
            });
        };
        let gain = pool.gain(rank);
        let cut = rank > gain.scene && self.house.is("scene-cap", "refuse");
        if pool.gains.is_some() && (cut || gain.scene == 0) {
            return Err(pool.too_much(&character.name, rank));
        }
        let kept_back = gain.kept_back.map(|why| format!("; {why}"));
        let why = format!("{name} complicates life{}", kept_back.unwrap_or_default());
        let to = pool.tokens.saturating_add(gain.scene);
        self.counted(pool, to, gain.booked, &why)
    }

    /// Gives tokens that no limit of a scene counts.
    pub(super) fn decide_award(&self, pool: PoolId, amount: i32, why: &str) -> Result<Event> {
        let pool = self.known_pool(pool)?;
        if amount < 1 {
            return Err(CommandError::Unchanged);
        }
        let why = sanitise_name(why, LONGEST_NAME);
        self.counted(pool, pool.tokens.saturating_add(amount), 0, &why)
    }
}
