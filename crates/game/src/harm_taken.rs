//! What follows from damage besides the loss of hit points: pools that take it first, and checks that conditions ask for.

use super::dying::Hit;
use super::{CallCommand, CallId, Character, CharacterId, Game, PoolId, Result, Roll, TokenPool};
use tableside_rules::{Counted, Effect, GainRule, HIT_POINTS, HarmedCheck, Party};
use tableside_text::is_same_name;

/// The damage that pools left over.
pub(super) struct Absorbed {
    /// The damage that reaches hit points.
    pub(super) remaining: i32,
    pub(super) messages: Vec<String>,
}

impl Game {
    /// Lets the pools of a character take damage before its hit points, such as temporary hit points.
    pub(super) fn absorb_damage(&mut self, id: CharacterId, damage: i32) -> Absorbed {
        let mut absorbed = Absorbed {
            remaining: damage,
            messages: Vec::new(),
        };
        let mut absorbing: Vec<PoolId> = Vec::new();
        for pool in &self.pools {
            let spec = self.pool_spec(pool);
            if pool.owner == Some(id) && spec.is_some_and(|spec| spec.absorbs_damage) {
                absorbing.push(pool.id);
            }
        }

        for pool in absorbing {
            let Some(pool) = self.pool_mut(pool) else {
                continue;
            };
            let taken = pool.tokens.min(absorbed.remaining);
            if taken <= 0 {
                continue;
            }

            let before = pool.tokens;
            pool.tokens -= taken;
            absorbed.remaining -= taken;
            let message = format!("{} {before} to {}", pool.name, pool.tokens);
            absorbed.messages.push(message);
        }
        absorbed
    }

    /// Applies everything that follows from damage to a character, and returns messages about it. `before` is the
    /// character before the damage, `hit` the damage that reached its hit points, and `whole` all damage.
    pub(super) fn settle_damage(
        &mut self,
        before: &Character,
        hit: Option<Hit>,
        whole: i32,
    ) -> Result<Vec<String>> {
        let mut messages = self.settle_hit_points(before, hit)?;
        if whole > 0 {
            messages.extend(self.ask_for_harmed_checks(before.id, whole));
        }
        Ok(messages)
    }

    /// Applies the consequences of an effect on hit points. `before` is the character before the effect, and `whole` the
    /// damage with the part that pools took.
    pub(super) fn settle_hit_points_of_roll(
        &mut self,
        roll: &Roll,
        effect: &Effect,
        before: &Character,
        whole: i32,
    ) -> Result<Vec<Effect>> {
        let Effect::Number(change) = effect else {
            return Ok(Vec::new());
        };
        if change.what != Counted::Stat || change.id.as_str() != HIT_POINTS {
            return Ok(Vec::new());
        }

        let hit = hit_point_damage(effect).map(|damage| Hit {
            damage,
            blow: self.blow_of(roll),
        });
        let messages = self.settle_damage(before, hit, whole)?;
        Ok(self.hit_point_messages(before.id, change.of, messages))
    }

    /// Returns messages about the hit points of a character as effects, which the log records.
    pub(super) fn hit_point_messages(
        &self,
        id: CharacterId,
        party: Party,
        messages: Vec<String>,
    ) -> Vec<Effect> {
        let Some(character) = self.character(id) else {
            return Vec::new();
        };
        let label = match character.sheet.stat(HIT_POINTS) {
            Ok(stat) => stat.label,
            Err(_) => return Vec::new(),
        };
        let hit_points = character.sheet.number(HIT_POINTS).unwrap_or(0);

        let mut effects = Vec::new();
        for message in messages {
            effects.push(Effect::Reached {
                pool: format!("{party}{label}"),
                pool_id: None,
                now: hit_points,
                told: message,
                of: Some(id.0),
            });
        }
        effects
    }

    /// Calls a character to make the checks that its conditions ask for after damage, and returns messages about them.
    fn ask_for_harmed_checks(&mut self, id: CharacterId, damage: i32) -> Vec<String> {
        let mut messages = Vec::new();
        for harmed in self.system.spec().harmed {
            let is_due = self
                .character(id)
                .is_some_and(|character| character.suffers(harmed.condition));
            if is_due {
                messages.extend(self.ask_for_harmed_check(harmed, id, damage));
            }
        }
        messages
    }

    fn ask_for_harmed_check(
        &mut self,
        harmed: &HarmedCheck,
        id: CharacterId,
        damage: i32,
    ) -> Option<String> {
        let check = self.system.check(harmed.check).ok()?;
        let fields = harmed.fields(damage);
        let mut values = Vec::new();
        for (field, value) in &fields {
            let label = check
                .field(field)
                .map_or(field.as_str(), |field| field.label);
            values.push(format!("{label} {value}"));
        }
        let message = format!("{}, {}", check.label, values.join(", "));

        let command = CallCommand {
            who: vec![id],
            check: harmed.check.to_owned(),
            fields,
            helpers: Vec::new(),
            group: false,
            shown: true,
        };
        // A sheet that lacks a value of the check cannot be called, but the message still names the check.
        if let Ok(mut call) = self.prepare_call(&command, check, id, &mut Vec::new()) {
            call.id = CallId(self.take_id());
            self.calls.push(call);
        }
        Some(message)
    }

    /// Applies what begins and ends with the conditions that a character got: a condition may end and begin others,
    /// begin another one at its highest level, and no longer ask for a check.
    pub(super) fn settle_new_conditions(&mut self, before: &Character) {
        let specs = self.system.spec().conditions;
        let Some(now) = self.character(before.id).cloned() else {
            return;
        };

        for spec in specs {
            let is_new = now.suffers(spec.name) && !before.suffers(spec.name);
            if is_new {
                self.end_conditions(now.id, spec.ends);
                for name in spec.begins {
                    self.begin_condition(now.id, name);
                }
            }

            let level = now
                .conditions
                .iter()
                .find(|condition| is_same_name(&condition.name, spec.name))
                .and_then(|condition| condition.value);
            let is_highest = spec.has_levels() && level.is_some_and(|level| level >= spec.levels);
            if is_highest && !spec.at_highest.is_empty() && !now.suffers(spec.at_highest) {
                self.begin_condition(now.id, spec.at_highest);
            }
        }
        self.cancel_harmed_checks(before);
    }

    /// Cancels the calls for checks of conditions that a character no longer has.
    fn cancel_harmed_checks(&mut self, before: &Character) {
        let Some(now) = self.character(before.id).cloned() else {
            return;
        };
        for harmed in self.system.spec().harmed {
            if before.suffers(harmed.condition) && !now.suffers(harmed.condition) {
                self.calls
                    .retain(|call| call.who != now.id || call.check != harmed.check);
            }
        }
    }

    /// The tokens of a pool after a gain by its rules: the sum, or the higher of the two.
    pub(super) fn tokens_after_gain(&self, pool: &TokenPool, amount: i32) -> i32 {
        let rule = self.pool_spec(pool).map(|spec| spec.gain);
        if amount > 0 && rule == Some(GainRule::Higher) {
            pool.tokens.max(amount)
        } else {
            pool.tokens.saturating_add(amount)
        }
    }
}

/// The damage that an effect deals to hit points. `None` for any other effect.
pub(super) fn hit_point_damage(effect: &Effect) -> Option<i32> {
    let Effect::Number(change) = effect else {
        return None;
    };
    let changes_hit_points = change.what == Counted::Stat && change.id.as_str() == HIT_POINTS;
    match change.by {
        Some(amount) if amount < 0 && changes_hit_points => Some(amount.saturating_neg()),
        _ => None,
    }
}

/// Lowers the damage of an effect to the part that reaches hit points.
pub(super) fn reduce_damage(effect: &mut Effect, remaining: i32) {
    if let Effect::Number(change) = effect {
        change.by = Some(-remaining);
    }
}
