//! Applying the effects of a roll: tokens spent and gained, clocks filled, consequences taken.

use super::clock_advance::ClockMessage;
use super::{Character, CharacterId, Clock, Game, PoolKind, Result, Roll, TokenPool};
use tableside_rules::{
    CheckSpec, ConditionChange, Effect, HouseRules, Id, Kind, NumberChange, Outcome,
    SharedConsequences, Value,
};

/// Tokens of one kind that a character gains (above 0) or spends (below 0).
pub(super) struct TokenChange<'a> {
    pub(super) kind: Id,
    pub(super) amount: i32,
    /// The owner of the pool, or a character that shares it. `None` if the roll names no character.
    pub(super) owner: Option<CharacterId>,
    /// The name under which the change is recorded; empty if there is no character.
    pub(super) owner_name: &'a str,
}

/// The effects of a roll that have been applied.
#[derive(Default)]
pub(super) struct AppliedEffects {
    /// The effects in the form that the log records. A limit may have reduced their amounts.
    pub(super) effects: Vec<Effect>,
    /// Messages of pools that reached a threshold or a limit.
    pub(super) remarks: Vec<Effect>,
    /// The names of the helpers that take a share of the consequences.
    sharing_helpers: Vec<String>,
}

impl TokenChange<'_> {
    /// The effect that records the change with this amount.
    fn recorded(&self, amount: i32) -> Effect {
        let owner = if self.owner_name.is_empty() {
            None
        } else {
            Some(self.owner_name.to_owned())
        };
        Effect::Token {
            pool: self.kind,
            owner,
            amount,
        }
    }
}

impl Game {
    /// The pool of this kind that a character spends from: the character's own, the player's, or the table's.
    pub fn pool_of(&self, kind: Id, owner: Option<CharacterId>) -> Option<&TokenPool> {
        let shared_pools = match owner {
            Some(owner) => self.shared_pools(owner),
            None => Vec::new(),
        };

        let mut shared_pool = None;
        let mut table_pool = None;
        for pool in &self.pools {
            if pool.kind != PoolKind::Rule(kind) {
                continue;
            }
            if pool.owner == owner {
                return Some(pool);
            }
            if shared_pools.contains(&pool.id) {
                shared_pool = shared_pool.or(Some(pool));
            } else if pool.owner.is_none() {
                table_pool = table_pool.or(Some(pool));
            }
        }
        shared_pool.or(table_pool)
    }

    /// Applies the effects of a roll and returns the effects to record. `levels` are the effect levels of the result,
    /// which fill segments of its clock.
    pub(super) fn apply_effects(
        &mut self,
        roll: &Roll,
        outcome: &Outcome,
        levels: i32,
    ) -> Result<Vec<Effect>> {
        let spec = roll.spec(self.system)?;

        let mut applied = AppliedEffects::default();
        for effect in &outcome.effects {
            self.apply_effect(roll, effect, &mut applied)?;
        }

        let mut effects = applied.effects;
        effects.extend(self.missing_recipients(roll, &outcome.effects));
        effects.append(&mut applied.remarks);

        let sharing_helpers = match spec.helping.map(|helping| helping.shares) {
            Some(SharedConsequences::WhatGoesWrong) if went_wrong(outcome) => {
                let helpers = roll.helpers.iter();
                helpers.map(|helper| helper.name.clone()).collect()
            }
            Some(SharedConsequences::Consequences) => applied.sharing_helpers,
            Some(SharedConsequences::WhatGoesWrong | SharedConsequences::Nothing) | None => {
                Vec::new()
            }
        };
        if !sharing_helpers.is_empty() {
            effects.push(Effect::SharedWith {
                names: sharing_helpers,
            });
        }

        let ticks = |clock: &Clock| clock.ticks_of(spec, outcome.outcome, levels);
        effects.extend(self.advance_clocks_of_roll(roll, spec, ticks));
        Ok(effects)
    }

    /// Applies one effect and adds it to the recorded ones.
    fn apply_effect(
        &mut self,
        roll: &Roll,
        effect: &Effect,
        applied: &mut AppliedEffects,
    ) -> Result<()> {
        match effect {
            Effect::Token {
                pool,
                amount,
                owner,
            } => self.apply_tokens_of_roll(roll, owner.as_deref(), *pool, *amount, applied),
            Effect::Number(NumberChange { of, .. })
            | Effect::Condition(ConditionChange { of, .. }) => {
                let changes = self.apply_file_effect_of_roll(roll, effect, *of)?;
                applied.effects.extend(changes);
                Ok(())
            }
            Effect::Consequence { amount, of } => {
                let names = self.share_consequences(roll, *of, *amount);
                applied.sharing_helpers.extend(names);
                applied.effects.push(effect.clone());
                Ok(())
            }
            Effect::Lock { about, by_gm } => {
                if let Some(roller) = roll.id {
                    self.lock(roller, about, *by_gm);
                }
                applied.effects.push(effect.clone());
                Ok(())
            }
            // Messages change no values, and the other effects wait until a player or the GM acts on them.
            Effect::Complication
            | Effect::SharedWith { .. }
            | Effect::EffectLevels { .. }
            | Effect::AtACost
            | Effect::Damage { .. }
            | Effect::Wound { .. }
            | Effect::TakenOut
            | Effect::Reached { .. }
            | Effect::ClockMessage { .. }
            | Effect::NoRecipient { .. }
            | Effect::Told { .. }
            | Effect::Offer { .. } => {
                applied.effects.push(effect.clone());
                Ok(())
            }
        }
    }

    /// Changes the tokens of the roller, or of the opponent if the effect has an `owner`.
    fn apply_tokens_of_roll(
        &mut self,
        roll: &Roll,
        owner: Option<&str>,
        kind: Id,
        amount: i32,
        applied: &mut AppliedEffects,
    ) -> Result<()> {
        let (id, name) = match owner {
            None => (roll.id, roll.who.clone()),
            Some(owner) => {
                let check = roll.spec(self.system)?;
                match self.opponent(check, &roll.sources) {
                    Some(opponent) => (Some(opponent.id), opponent.name.clone()),
                    None => (None, owner.to_owned()),
                }
            }
        };

        let change = TokenChange {
            kind,
            amount,
            owner: id,
            owner_name: &name,
        };
        self.apply_tokens(&change, applied)
    }

    /// Changes the tokens of a character. The effect is not recorded if a limit leaves no tokens.
    pub(super) fn apply_tokens(
        &mut self,
        change: &TokenChange<'_>,
        applied: &mut AppliedEffects,
    ) -> Result<()> {
        let amount = change.amount;
        let pool = match change.owner {
            Some(owner) => self.pool_of(change.kind, Some(owner)),
            None => None,
        };
        let Some(pool) = pool.cloned() else {
            applied.effects.push(change.recorded(amount));
            return Ok(());
        };

        let gain = pool.gain(amount);
        let refuses_excess = self.house.is("scene-cap", "refuse");
        if gain.within_limit < amount && refuses_excess {
            return Err(pool.too_much(change.owner_name, amount));
        }
        // The tokens counted in full for the roll, so the pool must pay all of them.
        if amount < 0 && gain.applied > amount {
            let owner = change.owner_name;
            return Err(self.not_enough(&pool, owner, -gain.applied, -amount));
        }

        let tokens = pool.tokens + gain.applied;
        let gained = gain.applied.max(0);
        self.set_tokens(pool.id, tokens, gained);

        let reached = self.apply_thresholds(&pool, tokens, change.owner, 0)?;
        applied.remarks.extend(reached);
        if let Some(message) = gain.remark {
            applied.remarks.push(pool.reached_effect(tokens, message));
        }

        if gain.applied != 0 {
            applied.effects.push(change.recorded(gain.applied));
        }
        Ok(())
    }

    /// Splits consequences evenly among the roller and the helpers, and returns the names of the helpers that take a share.
    ///
    /// The remainder goes to the first characters, beginning with the roller (Gnosis, Working Together).
    fn share_consequences(&mut self, roll: &Roll, clock: Id, amount: i32) -> Vec<String> {
        let helpers = roll.helpers.iter().map(|helper| helper.id);
        let characters: Vec<Character> = roll
            .id
            .into_iter()
            .chain(helpers)
            .filter_map(|id| self.character(id).cloned())
            .collect();

        let sharers = i32::try_from(characters.len()).unwrap_or(i32::MAX);
        let count = sharers.max(1);
        let mut names = Vec::new();
        for (place, character) in (0..).zip(characters) {
            let remainder = i32::from(place < amount % count);
            let share = amount / count + remainder;
            if share <= 0 {
                break;
            }

            self.take_consequences(&character, clock, share);
            if Some(character.id) != roll.id {
                names.push(character.name);
            }
        }

        names
    }

    /// Fills the character's clock of this rule. Consequences beyond the clock count as wounds or traumas on the sheet.
    pub(super) fn take_consequences(&mut self, character: &Character, clock: Id, amount: i32) {
        let Some(spec) = self.system.spec().clock(clock) else {
            return;
        };

        let mut overflow = amount;
        let own_clock = self
            .clocks
            .iter_mut()
            .find(|own_clock| own_clock.is_given(clock, character.id));
        if let Some(own_clock) = own_clock {
            let fill = fill_with_consequences(own_clock, amount, &self.house);
            own_clock.filled = fill.filled;
            overflow = fill.overflow;
        }
        if overflow <= 0 {
            return;
        }

        let Ok(stat) = character.sheet.stat(spec.overflow) else {
            return;
        };
        let Some(before) = character.sheet.number(spec.overflow) else {
            return;
        };
        let number = match stat.kind {
            Kind::Number { max, .. } => (before + overflow).min(max),
            _ => before + overflow,
        };

        if let Some(changed) = self.character_mut(character.id) {
            // A stat of another type cannot store the number and keeps its value.
            changed.sheet.record(stat.id, Value::Number(number)).ok();
            self.count_recent_harm(character);
        }
    }

    /// Advances the clocks that a roll counts for, and returns the messages about them: first the clock that the roll
    /// was made for, then the clock that is linked to count with it, and clocks that count every roll of this check.
    fn advance_clocks_of_roll(
        &mut self,
        roll: &Roll,
        spec: &CheckSpec,
        ticks: impl Fn(&Clock) -> i32,
    ) -> Vec<Effect> {
        let before = self.clone();
        let mut effects = Vec::new();

        let rolled_clock = roll.clock.and_then(|id| before.clock(id));
        if let Some(clock) = rolled_clock {
            let chain = before.advance(self, clock.id, ticks(clock));
            for ClockMessage { clock: id, text } in chain.messages {
                let message = if id == clock.id && clock.host_clock.is_none() {
                    format!("{}: {text}", clock.name)
                } else {
                    text
                };
                effects.push(clock_message(id, message));
            }
        }

        for clock in &before.clocks {
            if Some(clock.id) == roll.clock {
                continue;
            }
            let counts_every_roll = clock
                .check
                .as_ref()
                .is_some_and(|attached| attached.counts_all_rolls && attached.check == spec.id);
            let is_beside =
                rolled_clock.is_some_and(|rolled_clock| rolled_clock.is_beside(clock.id));
            if !counts_every_roll && !is_beside {
                continue;
            }

            for message in self.advance_and_describe(clock.id, ticks(clock)) {
                effects.push(clock_message(message.clock, message.text));
            }
        }

        effects
    }
}

/// The effect that records a message about a clock.
fn clock_message(clock: super::ClockId, text: String) -> Effect {
    Effect::ClockMessage {
        clock: clock.0,
        text,
    }
}

/// True if helpers share the result: a failure, a complication or a consequence.
fn went_wrong(outcome: &Outcome) -> bool {
    let is_bad = |effect: &Effect| {
        matches!(
            effect,
            Effect::Complication | Effect::AtACost | Effect::Consequence { .. } | Effect::TakenOut
        )
    };
    let failed = outcome.success == Some(false);
    failed || outcome.effects.iter().any(is_bad)
}

/// The result of filling a clock with consequences.
struct ConsequenceFill {
    filled: u8,
    /// The consequences that the full clock did not take. These consequences become wounds or traumas.
    overflow: i32,
}

/// Fills a clock with consequences. A full clock stays full, or empties if the house rule `full-clock` is `empties`.
fn fill_with_consequences(clock: &Clock, amount: i32, house_rules: &HouseRules) -> ConsequenceFill {
    let empties = house_rules.is("full-clock", "empties");
    let mut fill = ConsequenceFill {
        filled: clock.filled,
        overflow: 0,
    };

    for _ in 0..amount {
        if fill.filled < clock.segments.count() {
            fill.filled += 1;
            continue;
        }
        fill.overflow += 1;
        if empties {
            fill.filled = 0;
        }
    }

    fill
}
