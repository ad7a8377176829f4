//! What follows a roll, booked with it: tokens spent and gained, wedges filled, consequences taken.

use super::clock::usual_ticks;
use super::error::{Result, refused};
use super::fill::{check_rank, rank_of};
use super::{
    Character, CharacterId, Clock, ClockId, CommandError, PoolKind, Roll, Session, TokenPool,
};
use crate::rules::{
    Consequence, Effect, Field, Fields, House, Kind, Outcome, Shares, Source, TokenKind, Value,
    Whose, gnosis, heart_rush,
};
use crate::text::is_same;

impl Session {
    /// Refuses what may not be tried: a lock, an aspect beyond its rank or both ways at once, or more tokens
    /// spent than there are.
    pub(super) fn may_be_tried(&self, roll: &Roll, fields: &Fields) -> Result<()> {
        let Some(id) = roll.id else {
            return Ok(());
        };
        let about = fields.text("about").trim();
        // Only what locks is locked: the same door may still be tried by force (Friday Night Dungeon,
        // Repeating Challenges).
        let locks = matches!(fields.text("kind"), "mental" | "charm");
        if locks && about.is_empty() {
            let why = format!(
                "about is missing: say in a word or two what is tried, for a {} challenge that fails is locked by \
                 that name",
                fields.text("kind")
            );
            return Err(refused(why));
        }
        if locks && self.is_locked(id, about) {
            return Err(refused(format!(
                "{} failed at this before ({about}); it takes inspiration, a clue or rest first",
                roll.who
            )));
        }
        let opponent = self.opponent(fields.spec(), &roll.sources);
        for (field, value) in fields.iter() {
            let holder = match field.whose {
                Whose::Own => self.character(id),
                Whose::Opponent => opponent,
                Whose::Helper => None,
            };
            let (Some(holder), Some(Value::Number(given @ 1..))) = (holder, value) else {
                continue;
            };
            if field.spends.or(field.gains).is_some() {
                one_way(roll, fields, field)?;
                binds(roll, (field, *given), holder)?;
            }
            let pool = field
                .spends
                .and_then(|kind| self.pool_of(kind, Some(holder.id)));
            if let Some(pool) = pool.filter(|pool| *given > pool.tokens) {
                return Err(pool.not_enough(&holder.name, pool.tokens.max(0), *given));
            }
        }
        Ok(())
    }

    /// Refuses fewer or more tokens than the pool says must be used (HFRPG, Bonuses & Penalties).
    pub(super) fn owes(&self, who: Option<CharacterId>, fields: &Fields) -> Result<()> {
        let Some(character) = who.and_then(|id| self.character(id)) else {
            return Ok(());
        };
        for (field, value) in fields.iter() {
            let (Source::Tokens { kind, owed: true }, Some(Value::Number(given))) =
                (field.source, value)
            else {
                continue;
            };
            let Some((Value::Number(due), _)) = self.offered(character, field) else {
                continue;
            };
            if *given != due {
                let (name, id) = (&character.name, field.id);
                let why = if due == 0 {
                    format!("{name} owes no tokens; leave {id} out")
                } else {
                    let due = kind.words(-due);
                    format!(
                        "{name} owes {due} and must use all of it; leave {id} out, for it is filled in"
                    )
                };
                return Err(refused(why));
            }
        }
        Ok(())
    }

    fn is_locked(&self, id: CharacterId, about: &str) -> bool {
        let same = |what: &str| is_same(what.trim(), about.trim());
        self.locks
            .iter()
            .any(|(who, what)| *who == id && same(what))
    }

    /// The rules' pool of a character, else that of its player, else the table's.
    pub fn pool_of(&self, kind: TokenKind, owner: Option<CharacterId>) -> Option<&TokenPool> {
        let is_theirs = |pool: &&TokenPool| owner.is_some_and(|id| self.shares(id, pool));
        let pools = self.pools.iter();
        let pools = pools.filter(|pool| pool.kind == PoolKind::Rule(kind));
        let own = pools.clone().find(|pool| pool.owner == owner);
        let shared = || pools.clone().find(is_theirs);
        own.or_else(shared)
            .or_else(|| pools.clone().find(|pool| pool.owner.is_none()))
    }

    /// Books what follows a roll; returns the effects as they were booked.
    pub(super) fn book(
        &mut self,
        roll: &Roll,
        outcome: &Outcome,
        levels: i32,
    ) -> Result<Vec<Effect>> {
        let mut booking = Booking {
            after: self,
            reached: Vec::new(),
            shared: Vec::new(),
        };
        let mut effects = Vec::new();
        for effect in &outcome.effects {
            effects.extend(booking.book(roll, effect)?);
        }
        effects.append(&mut booking.reached);
        let shared = booking.shared;
        let helping = roll.spec(self.system)?.helping;
        let names = match helping.map(|helping| helping.shares) {
            Some(Shares::WhatGoesWrong) if went_wrong(outcome) => {
                roll.helpers.iter().map(|one| one.name.clone()).collect()
            }
            Some(Shares::Consequences) => shared,
            Some(Shares::WhatGoesWrong | Shares::Nothing) | None => Vec::new(),
        };
        if !names.is_empty() {
            effects.push(Effect::SharedWith { names });
        }
        if let Some(clock) = roll.clock {
            self.fill_for(clock, roll, outcome, levels)?;
        }
        Ok(effects)
    }

    /// Fills the clock that a roll was made for.
    fn fill_for(&mut self, id: ClockId, roll: &Roll, outcome: &Outcome, levels: i32) -> Result<()> {
        let spec = roll.spec(self.system)?;
        let before = self.clone();
        if let Some(clock) = before.clock(id) {
            let attached = clock.check.as_deref();
            let by = match attached.filter(|attached| attached.check == roll.check) {
                Some(attached) => attached.ticks(clock.kind, spec, outcome.outcome, levels),
                None => usual_ticks(clock.kind, spec, outcome.outcome, levels),
            };
            before.advance(self, id, by);
        }
        Ok(())
    }
}

/// Refuses an aspect that would help and hinder one roll at once.
fn one_way(roll: &Roll, fields: &Fields, field: &Field) -> Result<()> {
    let source = |id: &str| {
        let found = roll.sources.iter().find(|(known, _)| known == id);
        found.map(|(_, source)| source)
    };
    let Some(aspect) = source(field.id).filter(|_| field.spends.is_some()) else {
        return Ok(());
    };
    let against = fields.iter().map(|(other, _)| other);
    let mut against = against.filter(|other| other.gains.is_some() && other.whose == field.whose);
    match against.find(|other| source(other.id) == Some(aspect)) {
        None => Ok(()),
        Some(other) => Err(refused(format!(
            "{aspect} cannot help and hinder the same roll; leave out {} or {}",
            field.id, other.id
        ))),
    }
}

/// Refuses what no aspect on the sheet allows: more points than the rank of the one that is named, or of
/// the highest there is; a penalty that is the rank of none (Heart Rush, Using Aspects).
fn binds(roll: &Roll, (field, given): (&Field, i32), holder: &Character) -> Result<()> {
    let Source::Ranked { list, .. } = field.source else {
        return Ok(());
    };
    let aspects = holder.sheet.ranks(list).iter();
    if field.spends.is_none() {
        // Wounds are aspects too, but only ever against who bears them (Heart Rush, Wounds).
        let mut ranks = aspects.chain(holder.sheet.ranks("wounds"));
        let is_one = ranks.any(|(_, rank)| *rank == given);
        return is_one
            .then_some(())
            .ok_or_else(|| whole_rank(holder, field, given));
    }
    let source = roll.sources.iter().find(|(known, _)| known == field.id);
    let named = source.and_then(|(_, source)| {
        let name = &source.what;
        Some((name, rank_of(holder, field, name)?))
    });
    let highest = aspects.max_by_key(|(_, rank)| *rank);
    let bound = named.or_else(|| highest.map(|(name, rank)| (name, *rank)));
    let (aspect, rank) = bound.ok_or_else(|| {
        let why = format!("{} has no aspect to spend points on", holder.name);
        refused(why)
    })?;
    check_rank(aspect, rank, given)
}

fn whole_rank(holder: &Character, field: &Field, given: i32) -> CommandError {
    let lists = ["aspects", "wounds"].map(|list| holder.sheet.ranks(list));
    let ranks = lists.iter().flat_map(|ranks| ranks.iter());
    let ranks: Vec<String> = ranks.map(|(name, rank)| format!("{name} {rank}")).collect();
    let ranks = match ranks.as_slice() {
        [] => "no aspect".to_owned(),
        ranks => ranks.join(", "),
    };
    refused(format!(
        "{} takes the whole rank of an aspect, and {given} was given; {} has {ranks}",
        field.id, holder.name
    ))
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
    let empties = house.departs(&gnosis::FULL_CLOCK);
    let (mut filled, mut wounds) = (clock.filled, 0);
    for _ in 0..amount {
        let was_full = filled >= clock.segments.count();
        if !was_full {
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
            } => self.book_tokens(roll, owner.as_deref(), (*pool, *amount)),
            Effect::Consequence { amount, of } => {
                let rule = match of {
                    Consequence::Stress => "stress",
                    Consequence::Blood => "blood",
                    Consequence::None => "",
                };
                self.share_consequences(roll, rule, *amount);
                Ok(Some(effect.clone()))
            }
            Effect::Lock { about } => {
                if let Some(who) = roll.id {
                    self.after.lock(who, about);
                }
                Ok(Some(effect.clone()))
            }
            // Told, or waiting for people to act on them.
            Effect::Complication
            | Effect::SharedWith { .. }
            | Effect::EffectLevels { .. }
            | Effect::AtACost
            | Effect::Damage { .. }
            | Effect::Wound { .. }
            | Effect::Reached { .. }
            | Effect::TakenOut => Ok(Some(effect.clone())),
        }
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
        let (id, tokens) = (pool.id, pool.tokens);
        let gain = pool.gain(amount);
        if gain.scene < amount && self.after.house.departs(&heart_rush::SCENE_CAP) {
            return Err(pool.too_much(&owner, amount));
        }
        let to = tokens + gain.booked;
        self.reached.extend(pool.reached_at(to));
        self.reached
            .extend(gain.kept_back.map(|told| Effect::Reached {
                pool: pool.name.clone(),
                now: to,
                told,
            }));
        if let Some(pool) = self.after.pool_mut(id) {
            pool.tokens = to;
            if let Some(gains) = &mut pool.gains {
                gains.this_scene += gain.booked.max(0);
            }
        }
        Ok((to != tokens).then(|| recorded(to - tokens)))
    }

    /// Consequences are split evenly among all who worked together; what does not divide begins with the
    /// one who rolled (Gnosis, Working Together).
    fn share_consequences(&mut self, roll: &Roll, rule: &str, amount: i32) {
        let helpers = roll.helpers.iter().map(|one| one.id);
        let helpers = helpers.filter(|id| self.after.character(*id).is_some());
        let all: Vec<CharacterId> = roll.id.into_iter().chain(helpers).collect();
        let Ok(count) = i32::try_from(all.len()) else {
            return;
        };
        for (place, who) in (0..).zip(all) {
            let share = amount / count + i32::from(place < amount % count);
            if share > 0 && !rule.is_empty() {
                self.take_consequences(who, rule, share);
            }
            if share > 0 && Some(who) != roll.id {
                let name = self.after.character(who).map(|one| one.name.clone());
                self.shared.extend(name);
            }
        }
    }

    /// Fills the character's clock of that rule; what is beyond it is harm.
    fn take_consequences(&mut self, who: CharacterId, rule: &str, amount: i32) {
        let mut left = amount;
        let own =
            |clock: &&mut Clock| clock.owner == Some(who) && clock.rule.as_deref() == Some(rule);
        if let Some(clock) = self.after.clocks.iter_mut().find(own) {
            (clock.filled, left) = overflow(clock, amount, &self.after.house);
        }
        let mut clocks = self.after.system.spec().clocks.iter();
        let stat = clocks.find(|clock| clock.id == rule);
        let before = self.after.character(who).filter(|_| left > 0).cloned();
        let (Some(rule), Some(before)) = (stat, before) else {
            return;
        };
        let (stat, now) = (
            before.sheet.stat(rule.overflow),
            before.sheet.number(rule.overflow),
        );
        if let (Ok(stat), Some(from), Some(one)) = (stat, now, self.after.character_mut(who)) {
            let to = match stat.kind {
                Kind::Number { max, .. } => (from + left).min(max),
                _ => from + left,
            };
            one.sheet.record(stat.id, Value::Number(to)).ok();
            self.after.count_recent_harm(&before);
        }
    }
}
