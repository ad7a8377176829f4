//! Applying the effects that a system's file defines: changes of numbers and conditions, and the thresholds of pools.

use super::error::{Result, refused};
use super::harm_taken::{hit_point_damage, reduce_damage};
use super::{CharacterId, Clock, CommandError, Condition, Game, PoolKind, Roll, TokenPool};
use tableside_rules::{
    ConditionChange, Counted, Effect, HIT_POINTS, NumberChange, Party, PoolSpec,
};
use tableside_text::{is_same_name, join};

/// The longest chain of pools in which the threshold of one changes the next.
const LONGEST_THRESHOLD_CHAIN: usize = 4;

impl Game {
    /// Applies an effect from a system file to one side of a roll: the roller, the helpers, the opponent or the table.
    /// Returns the effect, then the resulting messages.
    ///
    /// The effect is returned unchanged. A message reports a bound that cut the change short, or a threshold that the
    /// change reached.
    pub(super) fn apply_file_effect_of_roll(
        &mut self,
        roll: &Roll,
        effect: &Effect,
        party: Party,
    ) -> Result<Vec<Effect>> {
        let members = self.party_members(roll, party)?;
        let mut applied = vec![effect.clone()];

        let mut payable = effect.clone();
        if let Effect::Number(change) = &mut payable {
            change.must |= self.is_claimed(roll, change)?;
        }

        for member in members {
            let before = self.optional_character(member).cloned();
            let mut member_effect = payable.clone();
            if let Some(damage) = hit_point_damage(&payable)
                && let Some(member) = member
            {
                let absorbed = self.absorb_damage(member, damage);
                reduce_damage(&mut member_effect, absorbed.remaining);
                applied.extend(self.hit_point_messages(member, party, absorbed.messages));
            }

            let messages = self.apply_file_effect(member, &member_effect, 0)?;
            applied.extend(messages);
            if let Some(before) = before {
                let whole = hit_point_damage(&payable).unwrap_or(0);
                let consequences =
                    self.settle_hit_points_of_roll(roll, &member_effect, &before, whole)?;
                applied.extend(consequences);
            }
        }

        Ok(applied)
    }

    /// True if a change spends tokens that the roll claimed when its first die was rolled. Such tokens are paid in full.
    fn is_claimed(&self, roll: &Roll, change: &NumberChange) -> Result<bool> {
        let spends = change.by.is_some_and(|amount| amount < 0);
        if change.what != Counted::Pool || !spends {
            return Ok(false);
        }

        let fields = roll.all_fields(self.system)?;
        let claims = fields.spec().token_claims(&fields, &roll.house);
        let is_claimed = claims.iter().any(|claim| {
            let is_on_pool = claim.pool == change.id && claim.of == change.of;
            is_on_pool && claim.most > 0
        });
        Ok(is_claimed)
    }

    /// Returns the characters on one side of a roll. [`Party::Table`] has the single member `None`, which is the table.
    pub fn party_members(&self, roll: &Roll, party: Party) -> Result<Vec<Option<CharacterId>>> {
        let members = match party {
            Party::Table => vec![None],
            Party::Roller => roll.id.into_iter().map(Some).collect(),
            Party::Helpers => {
                let helpers = roll.helpers.iter();
                helpers.map(|helper| Some(helper.id)).collect()
            }
            Party::Opponent => {
                let check = roll.spec(self.system)?;
                let opponent = self.opponent(check, &roll.sources);
                opponent
                    .map(|opponent| Some(opponent.id))
                    .into_iter()
                    .collect()
            }
        };
        Ok(members)
    }

    /// Applies an effect of a system's file to a character, or to the table, and returns the messages that follow.
    ///
    /// `depth` counts the thresholds that led to this effect; see [`LONGEST_THRESHOLD_CHAIN`].
    pub(super) fn apply_file_effect(
        &mut self,
        target: Option<CharacterId>,
        effect: &Effect,
        depth: usize,
    ) -> Result<Vec<Effect>> {
        if depth > LONGEST_THRESHOLD_CHAIN {
            return Ok(Vec::new());
        }

        match effect {
            Effect::Number(change) => match change.what {
                Counted::Pool => self.change_pool(target, change, depth),
                Counted::Clock => {
                    self.change_clock(target, change);
                    Ok(Vec::new())
                }
                Counted::Stat => {
                    let message = self.change_stat(target, change);
                    Ok(message.into_iter().collect())
                }
            },
            Effect::Condition(change) => {
                self.change_condition(target, change);
                Ok(Vec::new())
            }
            // A file defines no other effects that change the game.
            _ => Ok(Vec::new()),
        }
    }

    fn change_pool(
        &mut self,
        target: Option<CharacterId>,
        change: &NumberChange,
        depth: usize,
    ) -> Result<Vec<Effect>> {
        let Some(pool) = self.pool_of(change.id, target).cloned() else {
            return Ok(Vec::new());
        };

        let wanted = match (change.by, change.to) {
            (Some(amount), _) => self.tokens_after_gain(&pool, amount),
            (None, Some(number)) => number,
            (None, None) => pool.start,
        };
        let tokens = pool.within(wanted);
        if change.must {
            self.require_tokens(&pool, wanted)?;
        }
        self.set_tokens(pool.id, tokens, 0);

        let mut messages = Vec::new();
        if tokens != wanted {
            messages.push(Effect::Reached {
                pool: format!("{}{}", change.of, pool.name),
                pool_id: Some(pool.id.0),
                now: tokens,
                told: describe_limit(wanted, tokens).to_owned(),
                of: pool.owner.map(|owner| owner.0),
            });
        }
        messages.extend(self.apply_thresholds(&pool, tokens, target, depth)?);
        Ok(messages)
    }

    /// Refuses a number of tokens that the pool cannot hold.
    fn require_tokens(&self, pool: &TokenPool, wanted: i32) -> Result<()> {
        let owner = self.owner_name(pool.owner);
        let possible = pool.within(wanted);

        if wanted < possible {
            let needed = pool.tokens - wanted;
            return Err(self.not_enough(pool, owner, pool.tokens, needed));
        }
        if wanted > possible {
            return Err(too_many_tokens(pool, owner, wanted));
        }
        Ok(())
    }

    fn change_condition(&mut self, target: Option<CharacterId>, change: &ConditionChange) {
        let Some(before) = self.optional_character(target).cloned() else {
            return;
        };
        let Some(character) = self.character_mut(before.id) else {
            return;
        };

        character
            .conditions
            .retain(|condition| !is_same_name(&condition.name, &change.name));
        if !change.gone {
            // A condition without a level has level 1.
            let level = match change.level {
                1 => None,
                level => Some(level),
            };
            let rounds = change
                .rounds
                .and_then(|rounds| u32::try_from(rounds).ok())
                .filter(|rounds| *rounds > 0);
            let condition = Condition::new(&change.name, level, rounds);
            character.conditions.push(condition);
        }

        if let Some(rules) = self.dying_rules() {
            self.settle_conditions(rules, &before);
        }
        self.settle_new_conditions(&before);
    }

    /// Applies the thresholds that a pool reaches with this number of tokens, and returns their messages: the notes of
    /// the table, and the messages and effects of the system's file. `before` is the pool before the change.
    pub(super) fn apply_thresholds(
        &mut self,
        before: &TokenPool,
        tokens: i32,
        target: Option<CharacterId>,
        depth: usize,
    ) -> Result<Vec<Effect>> {
        let mut messages = Vec::from_iter(before.reached_at(tokens));
        let Some(spec) = self.pool_spec(before) else {
            return Ok(messages);
        };

        for threshold in spec.at {
            let was_reached = before.reaches(threshold.value, before.tokens);
            let is_reached = before.reaches(threshold.value, tokens);
            if was_reached || !is_reached {
                continue;
            }

            let effects = threshold.effects();
            let mut parts = Vec::new();
            if !threshold.say.is_empty() {
                parts.push(threshold.say.to_owned());
            }
            for effect in &effects {
                parts.push(effect.text(self.system));
            }
            let message = join(parts, ", ");
            messages.push(before.reached_effect(tokens, message));

            let affected = target.or(before.owner);
            for effect in effects {
                let further = self.apply_file_effect(affected, &effect, depth + 1)?;
                messages.extend(further);
            }
        }

        Ok(messages)
    }

    /// The rules' description of a pool. `None` if the group added the pool.
    pub(crate) fn pool_spec(&self, pool: &TokenPool) -> Option<&'static PoolSpec> {
        match pool.kind {
            PoolKind::Rule(id) => self.system.spec().pool(id),
            PoolKind::Own => None,
        }
    }

    /// Fills or empties segments of the clock that the rules give to a character. Segments that no longer fit into the
    /// clock count as wounds or traumas on the sheet.
    fn change_clock(&mut self, target: Option<CharacterId>, change: &NumberChange) {
        let Some(character) = self.optional_character(target).cloned() else {
            return;
        };
        let clock = self
            .clocks
            .iter_mut()
            .find(|clock| clock.is_given(change.id, character.id));
        let Some(clock) = clock else {
            return;
        };

        let segments = segments_to_add(clock, change);
        if segments > 0 {
            self.take_consequences(&character, change.id, segments);
        } else {
            let filled = i32::from(clock.filled) + segments;
            clock.filled = u8::try_from(filled).unwrap_or(0);
        }
    }

    /// Changes a value of a sheet within its bounds, and returns a message if a bound cut the change short.
    fn change_stat(
        &mut self,
        target: Option<CharacterId>,
        change: &NumberChange,
    ) -> Option<Effect> {
        let before = self.character(target?)?.clone();
        let stat = before.sheet.stat(change.id.as_str()).ok()?;

        let value = match (change.by, change.to) {
            (Some(steps), _) => before.sheet.stepped(stat, steps)?,
            (None, Some(number)) => stat.value_of(number)?,
            (None, None) => stat.at_first(),
        };
        let character = self.character_mut(before.id)?;
        character.sheet.set(stat.id, value).ok()?;

        let number = character.sheet.number(stat.id)?;
        let wanted = match change.by {
            Some(amount) => {
                let number_before = before.sheet.number(stat.id).unwrap_or(0);
                Some(number_before.saturating_add(amount))
            }
            None => change.to,
        };
        let wanted = wanted?;
        if wanted == number {
            return None;
        }

        let is_down = stat.id == HIT_POINTS && wanted < number;
        let message = if is_down {
            "down"
        } else {
            describe_limit(wanted, number)
        };
        Some(Effect::Reached {
            pool: format!("{}{}", change.of, stat.label),
            pool_id: None,
            now: number,
            told: message.to_owned(),
            of: Some(before.id.0),
        })
    }
}

/// The segments that a change adds to a clock, below 0 for segments that it empties.
fn segments_to_add(clock: &Clock, change: &NumberChange) -> i32 {
    match change.by {
        Some(segments) => segments,
        None => change.to.unwrap_or(0) - i32::from(clock.filled),
    }
}

/// Names the bound that a number reached instead of the wanted value.
fn describe_limit(wanted: i32, reached: i32) -> &'static str {
    if wanted > reached {
        "the maximum"
    } else {
        "the minimum"
    }
}

/// Refuses more tokens than a pool has room for. `wanted` is the total that the pool would contain.
pub(super) fn too_many_tokens(pool: &TokenPool, owner: &str, wanted: i32) -> CommandError {
    let name = &pool.name;
    let tokens = pool.tokens;
    let maximum = pool.within(i32::MAX);
    refused(format!(
        "{owner} has {tokens} in {name}; {wanted} would be more than the maximum of {maximum}"
    ))
}
