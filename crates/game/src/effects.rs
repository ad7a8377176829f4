//! What follows a roll, booked with it: tokens spent and gained, wedges filled, consequences taken.

use super::{Character, CharacterId, Clock, Game, PoolKind, Result, Roll, TokenPool};
use tableside_rules::{
    ConditionChange, Effect, HouseRules, Id, Kind, NumberChange, Outcome, SharedConsequences, Value,
};

impl Game {
    /// The rules' pool of a character, else that of its player, else the table's.
    pub fn pool_of(&self, kind: Id, owner: Option<CharacterId>) -> Option<&TokenPool> {
        let pools = self.pools.iter();
        let pools = pools.filter(|pool| pool.kind == PoolKind::Rule(kind));
        let find = |is_it: &dyn Fn(&TokenPool) -> bool| pools.clone().find(|pool| is_it(pool));
        find(&|pool| pool.owner == owner)
            .or_else(|| find(&|pool| owner.is_some_and(|id| self.shares(id, pool))))
            .or_else(|| find(&|pool| pool.owner.is_none()))
    }

    /// Books what follows a roll; returns the effects as they were booked.
    pub(super) fn book(
        &mut self,
        roll: &Roll,
        outcome: &Outcome,
        levels: i32,
    ) -> Result<Vec<Effect>> {
        let spec = roll.spec(self.system)?;
        let (mut effects, mut reached, mut shared) = (Vec::new(), Vec::new(), Vec::new());
        for effect in &outcome.effects {
            match effect {
                Effect::Token {
                    pool,
                    amount,
                    owner,
                } => {
                    let (side, many) = (owner.as_deref(), (*pool, *amount));
                    effects.extend(self.book_tokens(roll, side, many, &mut reached)?);
                    continue;
                }
                Effect::Consequence { amount, of } => {
                    shared.extend(self.share_consequences(roll, *of, *amount));
                }
                Effect::Number(NumberChange { of, .. })
                | Effect::Condition(ConditionChange { of, .. }) => {
                    effects.extend(self.book_of_file(roll, effect, *of)?);
                    continue;
                }
                Effect::Lock { about, by_gm } => {
                    if let Some(who) = roll.id {
                        self.lock(who, about, *by_gm);
                    }
                }
                // Told, or waiting for people to act on them.
                Effect::Complication
                | Effect::SharedWith { .. }
                | Effect::EffectLevels { .. }
                | Effect::AtACost
                | Effect::Damage { .. }
                | Effect::Wound { .. }
                | Effect::TakenOut
                | Effect::Reached { .. }
                | Effect::Led { .. }
                | Effect::NotBooked { .. }
                | Effect::Told { .. }
                | Effect::Offer { .. } => {}
            }
            effects.push(effect.clone());
        }
        effects.extend(self.missing_recipients(roll, &outcome.effects));
        effects.append(&mut reached);
        let names = match spec.helping.map(|helping| helping.shares) {
            Some(SharedConsequences::WhatGoesWrong) if went_wrong(outcome) => {
                roll.helpers.iter().map(|one| one.name.clone()).collect()
            }
            Some(SharedConsequences::Consequences) => shared,
            Some(SharedConsequences::WhatGoesWrong | SharedConsequences::Nothing) | None => {
                Vec::new()
            }
        };
        effects.extend((!names.is_empty()).then_some(Effect::SharedWith { names }));
        // The clock that the roll was made for.
        let before = self.clone();
        let made_for = roll.clock.and_then(|id| before.clock(id));
        let worth = |clock: &Clock| clock.ticks_of(spec, outcome.outcome, levels);
        if let Some(clock) = made_for {
            let led = before.advance(self, clock.id, worth(clock)).then;
            effects.extend(led.into_iter().map(|(id, words)| Effect::Led {
                clock: id.0,
                told: if id == clock.id && clock.follows.is_none() {
                    format!("{}: {words}", clock.name)
                } else {
                    words
                },
            }));
        }
        // The clock beside it, and those that every such roll counts for.
        let counts = |clock: &&Clock| {
            let own = clock.check.as_deref();
            let hears = own.is_some_and(|own| own.hears_all && own.check == spec.id);
            let is_beside = made_for.is_some_and(|one| one.stands_beside(clock.id));
            (hears || is_beside) && Some(clock.id) != roll.clock
        };
        for clock in before.clocks.iter().filter(counts) {
            let came = self.advance_unasked(clock.id, worth(clock)).into_iter();
            effects.extend(came.map(|(id, told)| Effect::Led { clock: id.0, told }));
        }
        Ok(effects)
    }

    /// Books tokens of the one who rolled, or with `side` of the opponent, and says what limits kept back; returns
    /// what is recorded, none where a limit left nothing.
    fn book_tokens(
        &mut self,
        roll: &Roll,
        side: Option<&str>,
        (kind, amount): (Id, i32),
        reached: &mut Vec<Effect>,
    ) -> Result<Option<Effect>> {
        let (holder, owner) = match side {
            None => (roll.id, roll.who.clone()),
            Some(side) => {
                let opponent = self.opponent(roll.spec(self.system)?, &roll.sources);
                let name = opponent.map_or(side, |one| &one.name).to_owned();
                (opponent.map(|one| one.id), name)
            }
        };
        self.book_tokens_of(holder, &owner, (kind, amount), reached)
    }

    /// Books tokens of that character; returns the effect to record, or `None` if a limit left nothing.
    pub(super) fn book_tokens_of(
        &mut self,
        holder: Option<CharacterId>,
        owner: &str,
        (kind, amount): (Id, i32),
        reached: &mut Vec<Effect>,
    ) -> Result<Option<Effect>> {
        let recorded = |amount: i32| Effect::Token {
            pool: kind,
            owner: (!owner.is_empty()).then(|| owner.to_owned()),
            amount,
        };
        let Some(pool) = holder.and_then(|id| self.pool_of(kind, Some(id))) else {
            return Ok(Some(recorded(amount)));
        };
        let gain = pool.gain(amount);
        if gain.scene < amount && self.house.is("scene-cap", "refuse") {
            return Err(pool.too_much(owner, amount));
        }
        let pool = pool.clone();
        // What is spent is paid in full, for the roll had the benefit of it.
        if gain.booked > amount && amount < 0 {
            return Err(self.not_enough(&pool, owner, -gain.booked, -amount));
        }
        let to = pool.tokens + gain.booked;
        let kept_back = gain.kept_back.map(|told| pool.tells(to, told));
        self.set_tokens(pool.id, to, gain.booked.max(0));
        reached.extend(self.come_to(&pool, to, holder, 0)?);
        reached.extend(kept_back);
        Ok((gain.booked != 0).then(|| recorded(gain.booked)))
    }

    /// Consequences are split evenly among all who worked together; what does not divide begins with the
    /// one who rolled (Gnosis, Working Together). Returns which helpers take a share.
    fn share_consequences(&mut self, roll: &Roll, of: Id, amount: i32) -> Vec<String> {
        let helpers = roll.helpers.iter().map(|one| one.id);
        let all = roll.id.into_iter().chain(helpers);
        let all: Vec<Character> = all.filter_map(|id| self.character(id).cloned()).collect();
        let count = i32::try_from(all.len()).unwrap_or(i32::MAX).max(1);
        let share = |place| amount / count + i32::from(place < amount % count);
        let mut shared = Vec::new();
        for (place, one) in (0..).zip(all).take_while(|(place, _)| share(*place) > 0) {
            self.take_consequences(&one, of, share(place));
            shared.extend((Some(one.id) != roll.id).then_some(one.name));
        }
        shared
    }

    /// Fills the character's clock of that rule; what is beyond it is harm.
    pub(super) fn take_consequences(&mut self, before: &Character, of: Id, amount: i32) {
        let Some(spec) = self.system.spec().clock(of) else {
            return;
        };
        let mut left = amount;
        let mut clocks = self.clocks.iter_mut();
        if let Some(clock) = clocks.find(|clock| clock.is_given(of, before.id)) {
            (clock.filled, left) = overflow(clock, amount, &self.house);
        }
        let stat = before.sheet.stat(spec.overflow);
        let now = before.sheet.number(spec.overflow);
        let one = self.character_mut(before.id).filter(|_| left > 0);
        if let (Ok(stat), Some(from), Some(one)) = (stat, now, one) {
            let to = match stat.kind {
                Kind::Number { max, .. } => (from + left).min(max),
                _ => from + left,
            };
            one.sheet.record(stat.id, Value::Number(to)).ok();
            self.count_recent_harm(before);
        }
    }
}

/// Whether there is something that helpers share: a failure, a complication, a consequence.
fn went_wrong(outcome: &Outcome) -> bool {
    let bad = |effect: &Effect| {
        matches!(
            effect,
            Effect::Complication | Effect::AtACost | Effect::Consequence { .. } | Effect::TakenOut
        )
    };
    outcome.success == Some(false) || outcome.effects.iter().any(bad)
}

/// How full so many consequences leave a clock, and how many of them are Wounds or Traumas.
fn overflow(clock: &Clock, amount: i32, house: &HouseRules) -> (u8, i32) {
    let empties = house.is("full-clock", "empties");
    let (mut filled, mut wounds) = (clock.filled, 0);
    for _ in 0..amount {
        if filled < clock.segments.count() {
            filled += 1;
            continue;
        }
        wounds += 1;
        filled = if empties { 0 } else { filled };
    }
    (filled, wounds)
}
