//! Deciding rests.

use super::harm::{cannot, set_hit_points};
use crate::{
    Character, CharacterId, CommandError, Condition, EntityKind, Event, EventKind, Every, Game,
    Rest, Result, refused,
};
use tableside_dice::Dice;
use tableside_rules::{HIT_POINTS, RestKind, Sheet, Value};
use tableside_text::is_same_name;

impl Game {
    /// Lets a character rest: it recovers hit points and the heart die (Heart Rush, Rests), everything that the system's
    /// file restores, and may retry attempts that it failed (Friday Night Dungeon, Repeating Challenges).
    pub(super) fn decide_rest(
        &self,
        id: CharacterId,
        rest: Rest,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let character = self.known_character(id)?;
        self.validate_rest(character)?;
        let mut rested = character.clone();
        let mut messages = vec![describe_rest(rest).to_owned()];

        let heart_die = rested.sheet.die("heart");
        if let Some(heart_die) = heart_die {
            rested.sheet.set("heart-now", Value::Die(heart_die))?;
        }
        let has_hit_points = rested.sheet.number(HIT_POINTS).is_some();
        if has_hit_points && heart_die.is_some() {
            messages.extend(self.recover_hit_points(&mut rested.sheet, rest)?);
            if rest == Rest::LongFailed {
                messages.push(self.worsen_random_condition(&mut rested.conditions, dice));
            }
        }

        let mut after = self.clone();
        after
            .locks
            .retain(|lock| lock.0 != id || self.gm_locks.contains(lock));
        let is_unlocked = after.locks.len() < self.locks.len();
        if is_unlocked {
            messages.push("may retry failed attempts".to_owned());
        }

        let mut has_effect = is_unlocked || heart_die.is_some() || self.ticks_every(Every::Rest);
        let has_rest_rules = self.system.spec().has_rest_rules();
        if let Some(kind) = kind_of(rest) {
            messages.extend(self.recover(&mut rested, kind)?);
            let refilled = after.refill_pools(id, kind);
            has_effect |= has_rest_rules || !refilled.is_empty();
            messages.extend(refilled);
        }
        if !has_effect {
            let refusal = cannot(character, "recover anything by resting");
            return Err(CommandError::AtEnd(refusal.0));
        }

        if let Some(character) = after.character_mut(id) {
            *character = rested;
        }
        if rest == Rest::LongFailed || has_rest_rules {
            // The dice were rolled, or time has passed, so the act is logged even if no value changed.
            let act = EventKind::Edited {
                kind: EntityKind::Character,
                name: character.name.clone(),
                how: messages.join("; "),
            };
            return Ok(self.event(act, &after));
        }
        self.character_event(character, &messages, &after)
    }

    /// Refuses a rest at 0 hit points (SRD 5.2.1, Long Rest and Short Rest: at least 1 hit point).
    fn validate_rest(&self, character: &Character) -> Result<()> {
        let is_down = character.sheet.number(HIT_POINTS) == Some(0);
        if self.dying_rules().is_some() && is_down {
            let name = &character.name;
            return Err(refused(format!(
                "{name} has 0 hit points; a rest needs at least 1"
            )));
        }
        Ok(())
    }

    /// Restores what the system's file says, and returns messages about it.
    fn recover(&self, character: &mut Character, kind: RestKind) -> Result<Vec<String>> {
        let recovery = self.system.spec().rest.of(kind);
        let mut messages = Vec::new();

        if recovery.heals
            && let Some(before) = character.sheet.number(HIT_POINTS)
            && let Some(maximum) = character.sheet.most_hit_points()
            && before < maximum
        {
            set_hit_points(&mut character.sheet, maximum)?;
            messages.push(format!("hit points {before} to {maximum}"));
        }
        for name in recovery.eases {
            messages.extend(ease(&mut character.conditions, name));
        }
        for name in recovery.ends {
            if character.suffers(name) {
                messages.push(format!("no longer {name}"));
            }
            character
                .conditions
                .retain(|condition| !is_same_name(&condition.name, name));
        }
        Ok(messages)
    }

    /// Sets the pools of a character to their start that this rest refills, and returns messages about them.
    fn refill_pools(&mut self, id: CharacterId, kind: RestKind) -> Vec<String> {
        let mut refilled = Vec::new();
        for pool in &self.pools {
            let is_due = pool.resets_after(kind, self.pool_spec(pool));
            if pool.owner == Some(id) && is_due && pool.tokens != pool.start {
                refilled.push(pool.id);
            }
        }

        let mut messages = Vec::new();
        for id in refilled {
            if let Some(pool) = self.pool_mut(id) {
                messages.push(format!("{} {} to {}", pool.name, pool.tokens, pool.start));
                pool.tokens = pool.start;
            }
        }
        messages
    }

    /// Restores the hit points that a rest gives, and returns messages about them. A long rest also heals each wound by
    /// one rank, which may raise the maximum of hit points.
    fn recover_hit_points(&self, sheet: &mut Sheet, rest: Rest) -> Result<Option<String>> {
        if rest == Rest::Long {
            let mut wounds = sheet.ranks("wounds").to_vec();
            for (_, rank) in &mut wounds {
                *rank -= 1;
            }
            wounds.retain(|(_, rank)| *rank > 0);
            sheet.set("wounds", Value::Ranks(wounds))?;
        }

        let before = sheet.number(HIT_POINTS).unwrap_or(0);
        let sheet_maximum = sheet.most_hit_points().unwrap_or(before);
        let maximum = sheet_maximum.max(before);
        let failed_rest_recovers_all = self.house.is("long-rest", "full");
        let after = match rest {
            Rest::Short => before,
            Rest::Long => maximum,
            Rest::LongFailed if failed_rest_recovers_all => maximum,
            Rest::LongFailed => before + (maximum - before) / 2,
        };
        set_hit_points(sheet, after)?;

        if after == before {
            Ok(None)
        } else {
            let message = format!("hit points {before} to {after}");
            Ok(Some(message))
        }
    }

    /// Worsens a random condition of the rules by one level, as a failed night does (Heart Rush, Rests).
    fn worsen_random_condition(
        &self,
        conditions: &mut Vec<Condition>,
        dice: &mut dyn Dice,
    ) -> String {
        let specs = self.system.spec().conditions;
        let count = u32::try_from(specs.len()).unwrap_or(1);
        let number = dice.up_to(count.max(1));
        let index = usize::try_from(number - 1).unwrap_or(0);
        let name = match specs.get(index) {
            Some(spec) => spec.name,
            None => "weary",
        };

        let level = Condition::worsen(conditions, name, 1);
        format!("{name} {level}, at random")
    }
}

/// The kind of rest that the rules of pools and files name. A failed night restores nothing by these rules.
const fn kind_of(rest: Rest) -> Option<RestKind> {
    match rest {
        Rest::Short => Some(RestKind::Short),
        Rest::Long => Some(RestKind::Long),
        Rest::LongFailed => None,
    }
}

/// Lowers a condition by one level, and returns a message about it. The first level ends.
fn ease(conditions: &mut Vec<Condition>, name: &str) -> Option<String> {
    let index = conditions
        .iter()
        .position(|condition| is_same_name(&condition.name, name))?;
    match conditions[index].value {
        Some(level) if level > 1 => {
            conditions[index].value = Some(level - 1);
            Some(format!("{name} {level} to {}", level - 1))
        }
        _ => {
            conditions.remove(index);
            Some(format!("no longer {name}"))
        }
    }
}

const fn describe_rest(rest: Rest) -> &'static str {
    match rest {
        Rest::Short => "a short rest",
        Rest::Long => "a long rest",
        Rest::LongFailed => "a failed long rest",
    }
}
