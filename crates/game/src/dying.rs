//! What happens to a character at 0 hit points, in a system whose file says so (5e core, SRD 5.2.1, Dropping to 0 Hit
//! Points).

use super::error::refused;
use super::{Blow, Character, CharacterId, Condition, Game, Result, Roll};
use tableside_rules::{DyingRules, Effect, HIT_POINTS, Id, Standing, Value};
use tableside_text::is_same_name;

/// Damage that a character takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The damage before it is cut short at 0 hit points.
    pub(super) damage: i32,
    pub(super) blow: Blow,
}

impl Game {
    /// What the rules say of 0 hit points; nothing in most systems.
    pub(super) fn dying_rules(&self) -> Option<&'static DyingRules> {
        self.system.spec().dying.as_ref()
    }

    /// How a roll's damage hits; always the same in a system without rules for 0 hit points.
    pub(super) fn blow_of(&self, roll: &Roll) -> Blow {
        match self.dying_rules() {
            Some(rules) => blow_under(rules, roll),
            None => Blow::Ordinary,
        }
    }

    /// How a character stands, in the word of the rules.
    pub fn standing_of(&self, character: &Character) -> Option<Standing> {
        let standing = |word, means| {
            Some(Standing {
                word,
                means,
                check: "",
                asks: &[],
            })
        };
        match self.dying_rules() {
            Some(rules) if character.suffers(rules.dead) => standing(rules.dead, "dead"),
            Some(rules) if character.suffers(rules.stable) && hit_points(character) == 0 => {
                standing(rules.stable, "unconscious and stable; no death saves")
            }
            _ => character.sheet.standing(&self.house),
        }
    }

    /// Refuses a death save of a character who makes none.
    pub(super) fn may_save_from_death(&self, roll: &Roll) -> Result<()> {
        let character = roll.id.and_then(|id| self.character(id));
        let (Some(rules), Some(character)) = (self.dying_rules(), character) else {
            return Ok(());
        };
        if roll.check != rules.save {
            return Ok(());
        }

        let name = &character.name;
        if character.suffers(rules.dead) {
            return Err(refused(format!("{name} is dead and makes no death saves")));
        }
        if hit_points(character) > 0 {
            return Err(refused(format!(
                "{name} has {} hit points; only a character with 0 makes death saves",
                hit_points(character)
            )));
        }
        if character.suffers(rules.stable) {
            return Err(refused(format!(
                "{name} is stable and makes no death saves until damage comes"
            )));
        }
        Ok(())
    }

    /// Refuses to heal the dead.
    pub(super) fn may_be_healed(&self, character: &Character) -> Result<()> {
        match self.dying_rules() {
            Some(rules) if character.suffers(rules.dead) => Err(refused(format!(
                "{} is dead, and healing does not help; remove the condition {} first",
                character.name, rules.dead
            ))),
            _ => Ok(()),
        }
    }

    /// Applies what follows from a change of hit points, and returns it in words. `before` is the character as it was,
    /// and `hit` the damage that changed them.
    pub(super) fn settle_hit_points(
        &mut self,
        before: &Character,
        hit: Option<Hit>,
    ) -> Result<Vec<String>> {
        let (Some(rules), Some(now)) = (self.dying_rules(), self.character(before.id).cloned())
        else {
            return Ok(Vec::new());
        };
        let (had, has) = (hit_points(before), hit_points(&now));
        let most = now.sheet.number(rules.most).unwrap_or(i32::MAX);
        let is_dead = now.suffers(rules.dead);

        match hit {
            Some(hit) if had > 0 && has == 0 => {
                if hit.blow == Blow::KnockOut {
                    return Ok(self.knock_out(rules, now.id));
                }
                if dies_at_once(rules, &now) {
                    return Ok(self.die(rules, now.id, "dies at 0 hit points"));
                }
                if hit.damage - had >= most {
                    let why = format!("dies: {} damage remain of {}", hit.damage - had, hit.damage);
                    return Ok(self.die(rules, now.id, &why));
                }
                Ok(self.fall(rules, now.id))
            }
            Some(hit) if has == 0 && hit.damage > 0 && !is_dead => {
                if hit.damage >= most {
                    let why = format!("dies: {} damage at 0 hit points", hit.damage);
                    return Ok(self.die(rules, now.id, &why));
                }
                self.fail_saves(rules, &now, hit.blow)
            }
            None if had > 0 && has == 0 && !is_dead => {
                if dies_at_once(rules, &now) {
                    return Ok(self.die(rules, now.id, "dies at 0 hit points"));
                }
                Ok(self.fall(rules, now.id))
            }
            _ if had == 0 && has > 0 => {
                self.end_conditions(now.id, &[rules.falls, rules.stable, rules.dead]);
                self.reset_saves(rules, now.id);
                Ok(vec!["awake again".to_owned()])
            }
            _ => {
                self.settle_conditions(rules, before);
                Ok(Vec::new())
            }
        }
    }

    /// Sets both counts of saves back when a character became stable, or is dead no longer.
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

    fn fall(&mut self, rules: &DyingRules, who: CharacterId) -> Vec<String> {
        self.begin_condition(who, rules.falls);
        vec![format!("falls {}", rules.falls)]
    }

    /// A melee attack that would leave 0 hit points leaves 1 instead.
    fn knock_out(&mut self, rules: &DyingRules, who: CharacterId) -> Vec<String> {
        if let Some(one) = self.character_mut(who) {
            // One hit point is within the bounds of every sheet that has hit points.
            one.sheet.record(HIT_POINTS, Value::Number(1)).ok();
        }
        self.begin_condition(who, rules.falls);
        vec![format!("knocked out with 1 hit point, {}", rules.falls)]
    }

    fn die(&mut self, rules: &DyingRules, who: CharacterId, why: &str) -> Vec<String> {
        self.end_conditions(who, &[rules.falls, rules.stable]);
        self.begin_condition(who, rules.dead);
        vec![why.to_owned()]
    }

    /// Damage at 0 hit points is a failed save, and a critical hit is two.
    fn fail_saves(
        &mut self,
        rules: &DyingRules,
        character: &Character,
        blow: Blow,
    ) -> Result<Vec<String>> {
        self.end_conditions(character.id, &[rules.stable]);
        self.begin_condition(character.id, rules.falls);
        let Some(pool) = self.pool_of(rules.failures, Some(character.id)).cloned() else {
            return Ok(Vec::new());
        };
        let failed = if blow == Blow::Critical { 2 } else { 1 };
        let to = pool.within(pool.tokens + failed);
        self.set_tokens(pool.id, to, 0);

        let mut words = vec![format!("{} {} to {to}", pool.name, pool.tokens)];
        for effect in self.come_to(&pool, to, Some(character.id), 0)? {
            words.push(match effect {
                Effect::Reached { told, .. } => told,
                effect => effect.text(self.system),
            });
        }
        Ok(words)
    }

    fn reset_saves(&mut self, rules: &DyingRules, who: CharacterId) {
        for kind in [rules.successes, rules.failures] {
            self.empty_pool(kind, who);
        }
    }

    fn empty_pool(&mut self, kind: Id, who: CharacterId) {
        let pool = self.pool_of(kind, Some(who));
        if let Some((id, start)) = pool.map(|pool| (pool.id, pool.start)) {
            self.set_tokens(id, start, 0);
        }
    }

    fn begin_condition(&mut self, who: CharacterId, name: &str) {
        if let Some(one) = self.character_mut(who)
            && !one.suffers(name)
        {
            one.conditions.push(Condition::new(name, None, None));
        }
    }

    fn end_conditions(&mut self, who: CharacterId, names: &[&str]) {
        if let Some(one) = self.character_mut(who) {
            one.conditions
                .retain(|condition| !names.iter().any(|name| is_same_name(&condition.name, name)));
        }
    }
}

/// How a roll's damage hits under these rules.
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

/// Whether a character dies as soon as it has no hit points left.
fn dies_at_once(rules: &DyingRules, character: &Character) -> bool {
    use super::Allegiance::{Adversary, Apathetic};
    let is_other = matches!(character.side, Adversary | Apathetic);
    rules.others_die && is_other && character.player.is_empty()
}

/// The hit points of a character. A sheet whose numbers this seat may not read counts as unharmed.
fn hit_points(character: &Character) -> i32 {
    character.sheet.number(HIT_POINTS).unwrap_or(1)
}
