//! What follows a roll, booked with it: tokens spent and gained, wedges filled, consequences taken.

use super::error::Result;
use super::{Character, CharacterId, Clock, PoolKind, Roll, Session, TokenPool};
use crate::rules::{Consequence, Effect, House, Kind, Outcome, Shares, TokenKind, Value};

impl Session {
    /// The rules' pool of a character, else that of its player, else the table's.
    pub fn pool_of(&self, kind: TokenKind, owner: Option<CharacterId>) -> Option<&TokenPool> {
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
        let mut booking = Booking {
            after: self,
            reached: Vec::new(),
            shared: Vec::new(),
        };
        let mut effects = Vec::new();
        for effect in &outcome.effects {
            effects.extend(booking.book(roll, effect)?);
        }
        let Booking {
            mut reached,
            shared,
            ..
        } = booking;
        effects.append(&mut reached);
        let names = match spec.helping.map(|helping| helping.shares) {
            Some(Shares::WhatGoesWrong) if went_wrong(outcome) => {
                roll.helpers.iter().map(|one| one.name.clone()).collect()
            }
            Some(Shares::Consequences) => shared,
            Some(Shares::WhatGoesWrong | Shares::Nothing) | None => Vec::new(),
        };
        if !names.is_empty() {
            effects.push(Effect::SharedWith { names });
        }
        // The clock that the roll was made for.
        let before = self.clone();
        if let Some(clock) = roll.clock.and_then(|id| before.clock(id)) {
            let by = clock.ticks_of(spec, outcome.outcome, levels);
            before.advance(self, clock.id, by);
        }
        Ok(effects)
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
fn overflow(clock: &Clock, amount: i32, house: &House) -> (u8, i32) {
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

/// What follows a roll while it is booked.
struct Booking<'a> {
    after: &'a mut Session,
    /// What pools tell that have come to a number.
    reached: Vec<Effect>,
    /// Who of the helpers takes a share of the consequences.
    shared: Vec<String>,
}

impl Booking<'_> {
    /// Books one effect; returns what is recorded, none where a limit left nothing.
    fn book(&mut self, roll: &Roll, effect: &Effect) -> Result<Option<Effect>> {
        match effect {
            Effect::Token {
                pool,
                amount,
                owner,
            } => return self.book_tokens(roll, owner.as_deref(), (*pool, *amount)),
            Effect::Consequence { amount, of } => {
                let rule = match of {
                    Consequence::Stress => "stress",
                    Consequence::Blood => "blood",
                    Consequence::None => "",
                };
                self.share_consequences(roll, rule, *amount);
            }
            Effect::Lock { about } => {
                if let Some(who) = roll.id {
                    self.after.lock(who, about);
                }
            }
            // Told, or waiting for people to act on them.
            Effect::Complication
            | Effect::SharedWith { .. }
            | Effect::EffectLevels { .. }
            | Effect::AtACost
            | Effect::Damage { .. }
            | Effect::Wound { .. }
            | Effect::Reached { .. }
            | Effect::TakenOut => {}
        }
        Ok(Some(effect.clone()))
    }

    /// Books tokens of the one who rolled, or with `side` of the opponent, and says what limits kept back.
    fn book_tokens(
        &mut self,
        roll: &Roll,
        side: Option<&str>,
        (kind, amount): (TokenKind, i32),
    ) -> Result<Option<Effect>> {
        let (holder, owner) = match side {
            None => (roll.id, roll.who.clone()),
            Some(side) => {
                let spec = roll.spec(self.after.system)?;
                let opponent = self.after.opponent(spec, &roll.sources);
                let name = opponent.map_or(side, |one| &one.name).to_owned();
                (opponent.map(|one| one.id), name)
            }
        };
        let recorded = |amount: i32| Effect::Token {
            pool: kind,
            owner: (!owner.is_empty()).then(|| owner.clone()),
            amount,
        };
        let Some(pool) = holder.and_then(|id| self.after.pool_of(kind, Some(id))) else {
            return Ok(Some(recorded(amount)));
        };
        let gain = pool.gain(amount);
        if gain.scene < amount && self.after.house.is("scene-cap", "refuse") {
            return Err(pool.too_much(&owner, amount));
        }
        let (id, to) = (pool.id, pool.tokens + gain.booked);
        let kept_back = gain.kept_back.map(|told| pool.tells(to, told));
        let reached = pool.reached_at(to);
        self.reached.extend(reached.into_iter().chain(kept_back));
        self.after.set_tokens(id, to, gain.booked.max(0));
        Ok((gain.booked != 0).then(|| recorded(gain.booked)))
    }

    /// Consequences are split evenly among all who worked together; what does not divide begins with the
    /// one who rolled (Gnosis, Working Together).
    fn share_consequences(&mut self, roll: &Roll, rule: &str, amount: i32) {
        let all = roll
            .id
            .into_iter()
            .chain(roll.helpers.iter().map(|one| one.id));
        let all: Vec<Character> = all
            .filter_map(|id| self.after.character(id).cloned())
            .collect();
        let count = i32::try_from(all.len()).unwrap_or(i32::MAX).max(1);
        for (place, one) in (0..).zip(all) {
            let share = amount / count + i32::from(place < amount % count);
            if share > 0 {
                self.take_consequences(&one, rule, share);
            }
            if share > 0 && Some(one.id) != roll.id {
                self.shared.push(one.name);
            }
        }
    }

    /// Fills the character's clock of that rule; what is beyond it is harm.
    fn take_consequences(&mut self, before: &Character, rule: &str, amount: i32) {
        let mut clocks = self.after.system.spec().clocks.iter();
        let Some(spec) = clocks.find(|clock| clock.id == rule) else {
            return;
        };
        let is_own = |clock: &&mut Clock| {
            clock.owner == Some(before.id) && clock.rule.as_deref() == Some(rule)
        };
        let mut left = amount;
        if let Some(clock) = self.after.clocks.iter_mut().find(is_own) {
            (clock.filled, left) = overflow(clock, amount, &self.after.house);
        }
        let (stat, now) = (
            before.sheet.stat(spec.overflow),
            before.sheet.number(spec.overflow),
        );
        let one = self.after.character_mut(before.id).filter(|_| left > 0);
        if let (Ok(stat), Some(from), Some(one)) = (stat, now, one) {
            let to = match stat.kind {
                Kind::Number { max, .. } => (from + left).min(max),
                _ => from + left,
            };
            one.sheet.record(stat.id, Value::Number(to)).ok();
            self.after.count_recent_harm(before);
        }
    }
}
