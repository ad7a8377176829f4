//! Dying: the consequences of 0 hit points, in a system whose file defines them (5e core, SRD 5.2.1, Dropping to 0 Hit
//! Points).

use super::error::refused;
use super::{Allegiance, Blow, Character, CharacterId, Condition, Game, Result, Roll};
use tableside_rules::{DyingRules, Effect, HIT_POINTS, Id, Severity, Standing, Value};
use tableside_text::{is_same_name, join, pluralise};

/// Damage that a character takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The whole damage, including the part beyond 0 hit points.
    pub(super) damage: i32,
    pub(super) blow: Blow,
}

impl Game {
    /// The rules for 0 hit points. Most systems have none.
    pub(super) fn dying_rules(&self) -> Option<&'static DyingRules> {
        self.system.spec().dying.as_ref()
    }

    /// The kind of blow by which a roll deals damage.
    pub fn blow_of(&self, roll: &Roll) -> Blow {
        match self.dying_rules() {
            Some(rules) => blow_under(rules, roll),
            None => Blow::Ordinary,
        }
    }

    /// The state of a character that is down, in the words of the system.
    pub fn standing_of(&self, character: &Character) -> Option<Standing> {
        let Some(rules) = self.dying_rules() else {
            return character.sheet.standing(&self.house);
        };

        let is_down = hit_points(character) == 0;
        let (word, means, check, severity) = if character.suffers(rules.dead) {
            (rules.dead, "dead", "", Severity::Dead)
        } else if character.suffers(rules.stable) && is_down {
            let means = "no death saves";
            (rules.stable, means, rules.recovery, Severity::Out)
        } else {
            return character.sheet.standing(&self.house);
        };
        Some(Standing {
            word,
            means,
            check,
            asks: &[],
            severity,
            can_end: false,
        })
    }

    /// Refuses a death save of a character that makes none, and the recovery of a character that is not down.
    ///
    /// # Errors
    /// If the state of the character does not allow the check.
    pub fn validate_state_for(&self, check: &str, roller: Option<CharacterId>) -> Result<()> {
        let Some(rules) = self.dying_rules() else {
            return Ok(());
        };
        let Some(character) = self.optional_character(roller) else {
            return Ok(());
        };
        let attempt = if check == rules.save {
            "makes death saves"
        } else if check == rules.recovery {
            "recovers in this way"
        } else {
            return Ok(());
        };

        let name = &character.name;
        if character.suffers(rules.dead) {
            let negated = if check == rules.save {
                "makes no death saves"
            } else {
                "does not recover"
            };
            return Err(refused(format!("{name} is dead and {negated}")));
        }
        let hit_points = hit_points(character);
        if hit_points > 0 {
            let remaining = pluralise(hit_points, "hit point");
            return Err(refused(format!(
                "{name} has {remaining}; only a character with 0 hit points {attempt}"
            )));
        }
        if check == rules.save && character.suffers(rules.stable) {
            return Err(refused(format!(
                "{name} is stable and makes no death saves before taking damage again"
            )));
        }
        Ok(())
    }

    /// Refuses to heal the dead.
    pub(super) fn validate_healing(&self, character: &Character) -> Result<()> {
        match self.standing_of(character) {
            Some(standing) if standing.severity == Severity::Dead => Err(refused(format!(
                "{} is dead, and healing does not help; remove the condition {} first",
                character.name, standing.word
            ))),
            _ => Ok(()),
        }
    }

    /// Applies the consequences of a change of hit points, and returns messages about them.
    ///
    /// `before` is the character before the change, and `hit` the damage that caused it.
    pub(super) fn settle_hit_points(
        &mut self,
        before: &Character,
        hit: Option<Hit>,
    ) -> Result<Vec<String>> {
        let Some(rules) = self.dying_rules() else {
            return Ok(Vec::new());
        };
        let Some(now) = self.character(before.id).cloned() else {
            return Ok(Vec::new());
        };

        let was_up = hit_points(before) > 0;
        let is_up = hit_points(&now) > 0;
        let is_dead = now.suffers(rules.dead);
        // A creature that was knocked out has 1 hit point and wakes up with the next one.
        let is_healed = hit_points(&now) > hit_points(before);
        let was_knocked_out = hit_points(before) == 1 && before.suffers(rules.falls);
        if (!was_up && is_up) || (was_knocked_out && is_healed) {
            return Ok(self.wake_up(rules, now.id));
        }
        if was_up && !is_up {
            if let Some(hit) = hit {
                return Ok(self.drop_by_hit(rules, before, &now, hit));
            }
            if !is_dead {
                return Ok(self.drop_by_edit(rules, &now));
            }
        }
        if let Some(hit) = hit
            && !is_up
            && !is_dead
            && hit.damage > 0
        {
            return self.hit_at_zero(rules, &now, hit);
        }

        self.settle_conditions(rules, before);
        Ok(Vec::new())
    }

    /// Applies a hit that leaves 0 hit points: the character is knocked out, dies, or falls unconscious.
    fn drop_by_hit(
        &mut self,
        rules: &DyingRules,
        before: &Character,
        now: &Character,
        hit: Hit,
    ) -> Vec<String> {
        if hit.blow == Blow::KnockOut {
            return self.knock_out(rules, now.id);
        }
        if dies_at_once(rules, now) {
            return self.die(rules, now.id, "dies at 0 hit points");
        }

        let remaining_damage = hit.damage - hit_points(before);
        if remaining_damage >= maximum_hit_points(rules, now) {
            let damage = hit.damage;
            let message =
                format!("dies: {remaining_damage} of {damage} damage is left at 0 hit points");
            return self.die(rules, now.id, &message);
        }
        self.fall(rules, now.id)
    }

    /// Makes a character whose hit points were set to 0 die or fall unconscious.
    fn drop_by_edit(&mut self, rules: &DyingRules, now: &Character) -> Vec<String> {
        if dies_at_once(rules, now) {
            self.die(rules, now.id, "dies at 0 hit points")
        } else {
            self.fall(rules, now.id)
        }
    }

    /// Applies a hit at 0 hit points: the character dies, or the hit counts as failed death saves.
    fn hit_at_zero(
        &mut self,
        rules: &DyingRules,
        now: &Character,
        hit: Hit,
    ) -> Result<Vec<String>> {
        if hit.damage >= maximum_hit_points(rules, now) {
            let damage = hit.damage;
            let message = format!("dies: {damage} damage at 0 hit points");
            return Ok(self.die(rules, now.id, &message));
        }
        self.fail_saves(rules, now, hit.blow)
    }

    fn wake_up(&mut self, rules: &DyingRules, id: CharacterId) -> Vec<String> {
        self.end_conditions(id, &[rules.falls, rules.stable, rules.dead]);
        self.reset_saves(rules, id);
        vec!["awake again".to_owned()]
    }

    /// Resets the counts of saves of a character that became stable, or that is no longer dead.
    pub(super) fn settle_conditions(&mut self, rules: &DyingRules, before: &Character) {
        let Some(now) = self.character(before.id) else {
            return;
        };
        let becomes_stable = now.suffers(rules.stable) && !before.suffers(rules.stable);
        let is_revived = before.suffers(rules.dead) && !now.suffers(rules.dead);
        if becomes_stable || is_revived {
            self.reset_saves(rules, before.id);
        }
    }

    fn fall(&mut self, rules: &DyingRules, id: CharacterId) -> Vec<String> {
        let begun = self.begin_with_others(id, rules.falls);
        vec![format!("falls {begun}")]
    }

    /// Begins a condition, and names it with the conditions that began with it: `unconscious and prone`.
    fn begin_with_others(&mut self, id: CharacterId, name: &str) -> String {
        let names_of = |game: &Self| -> Vec<String> {
            let character = game.character(id);
            let conditions = character.map(|character| character.conditions.iter());
            conditions
                .into_iter()
                .flatten()
                .map(|condition| condition.name.clone())
                .collect()
        };
        let before = names_of(self);
        self.begin_condition(id, name);

        let mut begun = names_of(self);
        begun.retain(|condition| condition != name && !before.contains(condition));
        begun.insert(0, name.to_owned());
        join(begun, " and ")
    }

    /// Knocks a character out: a melee attack that would leave 0 hit points leaves 1 instead.
    fn knock_out(&mut self, rules: &DyingRules, id: CharacterId) -> Vec<String> {
        if let Some(character) = self.character_mut(id) {
            // One hit point is within the bounds of every sheet that has hit points.
            character.sheet.record(HIT_POINTS, Value::Number(1)).ok();
        }
        let begun = self.begin_with_others(id, rules.falls);
        vec![format!("knocked out with 1 hit point, {begun}")]
    }

    fn die(&mut self, rules: &DyingRules, id: CharacterId, message: &str) -> Vec<String> {
        self.end_conditions(id, &[rules.falls, rules.stable]);
        self.begin_condition(id, rules.dead);
        vec![message.to_owned()]
    }

    /// Counts damage at 0 hit points as one failed save, and a critical hit as two.
    fn fail_saves(
        &mut self,
        rules: &DyingRules,
        character: &Character,
        blow: Blow,
    ) -> Result<Vec<String>> {
        let id = character.id;
        self.end_conditions(id, &[rules.stable]);
        self.begin_condition(id, rules.falls);

        let failed_saves = self.pool_of(rules.failures, Some(id));
        let Some(pool) = failed_saves.cloned() else {
            return Ok(Vec::new());
        };
        let failures = if blow == Blow::Critical { 2 } else { 1 };
        let tokens = pool.within(pool.tokens + failures);
        self.set_tokens(pool.id, tokens, 0);

        let name = &pool.name;
        let before = pool.tokens;
        let mut messages = vec![format!("{name} {before} to {tokens}")];
        for effect in self.apply_thresholds(&pool, tokens, Some(id), 0)? {
            messages.push(match effect {
                Effect::Reached { told, .. } => told,
                effect => effect.text(self.system),
            });
        }
        Ok(messages)
    }

    fn reset_saves(&mut self, rules: &DyingRules, id: CharacterId) {
        for kind in [rules.successes, rules.failures] {
            self.reset_pool(kind, id);
        }
    }

    fn reset_pool(&mut self, kind: Id, owner: CharacterId) {
        if let Some(pool) = self.pool_of(kind, Some(owner)) {
            self.set_tokens(pool.id, pool.start, 0);
        }
    }

    pub(super) fn begin_condition(&mut self, id: CharacterId, name: &str) {
        let Some(before) = self.character(id).cloned() else {
            return;
        };
        if let Some(character) = self.character_mut(id)
            && !character.suffers(name)
        {
            let condition = Condition::new(name, None, None);
            character.conditions.push(condition);
            self.settle_new_conditions(&before);
        }
    }

    pub(super) fn end_conditions(&mut self, id: CharacterId, names: &[&str]) {
        if let Some(character) = self.character_mut(id) {
            for name in names {
                character
                    .conditions
                    .retain(|condition| !is_same_name(&condition.name, name));
            }
        }
    }
}

/// The kind of blow by which a roll deals damage under these rules.
fn blow_under(rules: &DyingRules, roll: &Roll) -> Blow {
    let knocks_out = roll.fields.get(rules.knocks_out);
    if knocks_out == Some(&Value::Flag(true)) {
        Blow::KnockOut
    } else if roll.outcome == rules.critical {
        Blow::Critical
    } else {
        Blow::Ordinary
    }
}

/// True if a character dies at 0 hit points without death saves.
fn dies_at_once(rules: &DyingRules, character: &Character) -> bool {
    let is_in_party = matches!(character.side, Allegiance::Party | Allegiance::Ally);
    rules.others_die && !is_in_party && character.player.is_empty()
}

/// The hit points of a character. A character with a redacted sheet counts as being up.
fn hit_points(character: &Character) -> i32 {
    character.sheet.number(HIT_POINTS).unwrap_or(1)
}

fn maximum_hit_points(rules: &DyingRules, character: &Character) -> i32 {
    character.sheet.number(rules.most).unwrap_or(i32::MAX)
}
