//! Damage, wounds, rest and first aid.

use super::free;
use crate::dice::Dice;
use crate::rules::{Consequence, MOST_LEVELS, Refused, RuleError, Sheet, Value, heart_rush};
use crate::session::event::EntityKind;
use crate::session::{
    Character, CharacterId, CommandError, Condition, Event, EventKind, Rest, Session, edits,
};

impl Session {
    /// Damage taken (Heart Rush, Combat, Damage and Wounds; Friday Night Dungeon, Health).
    pub(super) fn decide_damage(
        &self,
        who: CharacterId,
        amount: i32,
        shrug_off: bool,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let mut sheet = character.sheet.clone();
        let before = hit_points(&sheet)?;
        if amount < 1 {
            return Err(CommandError::Unchanged);
        }
        let mut how = Vec::new();
        let mut taken = amount;
        if shrug_off {
            taken = (amount + 1) / 2;
            how.push(format!("shrugs off half of {amount}"));
            let die = sheet
                .die("heart-now")
                .ok_or_else(|| cannot(character, "shrug off damage"))?;
            let smaller = die.down().ok_or_else(|| {
                Refused(format!(
                    "{}: the heart die is {die} already; a short rest brings it back",
                    character.name
                ))
            })?;
            sheet.set("heart-now", Value::Die(smaller))?;
            how.push(format!("heart die {die} to {smaller}"));
        }
        let after = lower(&mut sheet, before - taken)?;
        how.push(format!("{taken} damage, hit points {before} to {after}"));
        if self.wound_at().is_some_and(|at| taken >= at) {
            let (name, rank) = mark_wound(&mut sheet, taken)?;
            how.push(format!("{name}, rank {rank}"));
        }
        how.extend(
            sheet
                .standing(&self.house)
                .map(|standing| standing.means.to_owned()),
        );
        self.with_sheet(character, sheet, how.join("; "))
    }

    /// The damage that leaves a wound, where the rules know such a thing.
    fn wound_at(&self) -> Option<i32> {
        let has_wounds = self.system.spec().house.contains(&heart_rush::WOUND_AT);
        has_wounds.then(|| self.house.number(&heart_rush::WOUND_AT))
    }

    /// What a rest gives back (Heart Rush, Rests); what may not be tried again before inspiration, a
    /// clue or rest may be tried after it (Friday Night Dungeon, Repeating Challenges).
    pub(super) fn decide_rest(
        &self,
        who: CharacterId,
        rest: Rest,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let mut sheet = character.sheet.clone();
        let mut how = vec![match rest {
            Rest::Short => "a short rest".to_owned(),
            Rest::Long => "a long rest".to_owned(),
            Rest::LongFailed => "a long rest that failed".to_owned(),
        }];
        let mut can_rest = false;
        let mut suffered = character.conditions.clone();
        // A night has ten quiet minutes in it too.
        if let Some(heart) = sheet.die("heart") {
            can_rest = true;
            sheet.set("heart-now", Value::Die(heart))?;
        }
        if let (Some(before), Some(_)) = (sheet.number("hit-points"), sheet.most_hit_points()) {
            can_rest = true;
            if rest == Rest::Long {
                let healed = sheet.ranks("wounds").iter();
                let healed = healed.map(|(name, rank)| (name.clone(), rank - 1));
                let left = healed.filter(|(_, rank)| *rank > 0).collect();
                sheet.set("wounds", Value::Ranks(left))?;
            }
            let most = sheet.most_hit_points().unwrap_or(before);
            let after = match rest {
                Rest::Short => before,
                Rest::LongFailed if self.house.departs(&heart_rush::LONG_REST) => before.max(most),
                Rest::Long => before.max(most),
                Rest::LongFailed => before + (most - before).max(0) / 2,
            };
            lower(&mut sheet, after)?;
            if after != before {
                how.push(format!("hit points {before} to {after}"));
            }
            if rest == Rest::LongFailed {
                how.push(self.worsen_by_lot(&mut suffered, dice));
            }
        }
        let mut after = self.clone();
        after.locks.retain(|(locked, _)| *locked != who);
        let is_unlocked = after.locks.len() < self.locks.len();
        if !is_unlocked && !can_rest {
            return Err(cannot(character, "get anything back by a rest").into());
        }
        if is_unlocked {
            how.push("may try again what was failed".to_owned());
        }
        if let Some(one) = after.character_mut(who) {
            one.sheet = sheet;
            one.conditions = suffered;
        }
        let how = how.join("; ");
        if rest == Rest::LongFailed {
            // The lot was cast, also where nobody suffers more by it.
            let (kind, name) = (EntityKind::Character, character.name.clone());
            return Ok(self.event(EventKind::Edited { kind, name, how }, &after));
        }
        self.told_of(character, &[how], after)
    }

    fn with_sheet(
        &self,
        character: &Character,
        sheet: Sheet,
        how: String,
    ) -> Result<Event, CommandError> {
        let mut after = self.clone();
        if let Some(one) = after.character_mut(character.id) {
            one.sheet = sheet;
        }
        self.told_of(character, &[how], after)
    }

    /// A night that failed leaves a condition at random: a level of one that the rules know (Heart Rush,
    /// Rests).
    fn worsen_by_lot(&self, conditions: &mut Vec<Condition>, dice: &mut dyn Dice) -> String {
        let known = self.system.spec().conditions;
        let sides = u32::try_from(known.len()).unwrap_or(1).max(1);
        let lot = usize::try_from(dice.up_to(sides) - 1).unwrap_or(0);
        let name = known.get(lot).map_or("weary", |spec| spec.name);
        let same = |one: &&mut Condition| one.name.to_lowercase() == name;
        let level = if let Some(known) = conditions.iter_mut().find(same) {
            let level = (known.value.unwrap_or(1) + 1).min(MOST_LEVELS);
            known.value = Some(level);
            level
        } else {
            conditions.push(Condition {
                name: name.to_owned(),
                value: Some(1),
                ..Condition::default()
            });
            1
        };
        format!("{name} {level}, by lot")
    }

    /// A medicine check takes its total off the rank of every wound that was not treated yet; each is
    /// treated once (Heart Rush, Treating Wounds).
    pub(super) fn decide_treatment(
        &self,
        who: CharacterId,
        total: i32,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let Some(Value::Ranks(wounds)) = character.sheet.value("wounds") else {
            return Err(cannot(character, "have wounds treated so").into());
        };
        if total < 1 {
            return Err(CommandError::Unchanged);
        }
        if wounds.iter().all(|(name, _)| is_treated(name)) {
            let why = "no wound that was not treated yet";
            return Err(Refused(format!("{} has {why}", character.name)).into());
        }
        let mut how = vec![format!("wounds treated with {total}")];
        let mut left = Vec::new();
        for (name, rank) in wounds {
            if is_treated(name) {
                left.push((name.clone(), *rank));
            } else if rank - total < 1 {
                how.push(format!("{name} is gone"));
            } else {
                how.push(format!("{name} {rank} to {}", rank - total));
                left.push((format!("{name}{TREATED}"), rank - total));
            }
        }
        let mut sheet = character.sheet.clone();
        sheet.set("wounds", Value::Ranks(left))?;
        self.with_sheet(character, sheet, how.join("; "))
    }

    /// Each effect level of First Aid removes a Trauma or a Wound, at most what the scene brought, or the
    /// one that ended just now (Gnosis, First Aid).
    pub(super) fn decide_first_aid(
        &self,
        who: CharacterId,
        of: Consequence,
        levels: i32,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let clocks = self.system.spec().clocks.iter();
        let (rule, harm) = match of {
            Consequence::Stress => ("stress", "Traumas"),
            Consequence::Blood => ("blood", "Wounds"),
            Consequence::None => ("", "Wounds"),
        };
        let stat = clocks.clone().find(|clock| clock.id == rule);
        let stat = stat.map(|clock| clock.overflow).unwrap_or_default();
        let Some(now) = character.sheet.number(stat).filter(|_| levels > 0) else {
            return Err(cannot(character, "be helped so").into());
        };
        let most = self.treatable(character, stat).min(now);
        if most < 1 && now > 0 {
            return Err(Refused(format!(
                "First Aid removes no more {harm} than the scene brought, and {} took none in this one or the one \
                 before",
                character.name
            ))
            .into());
        }
        let mut sheet = character.sheet.clone();
        sheet.set(stat, Value::Number(now - levels.min(most)))?;
        let how = edits::of_sheet(&character.sheet, &sheet).join(", ");
        self.with_sheet(character, sheet, format!("First Aid, {how}"))
    }
}

/// What the name of a wound ends with that was treated.
const TREATED: &str = " (treated)";

fn is_treated(name: &str) -> bool {
    name.ends_with(TREATED)
}

fn cannot(character: &Character, what: &str) -> Refused {
    Refused(format!("{} cannot {what} in this system", character.name))
}

fn hit_points(sheet: &Sheet) -> Result<i32, CommandError> {
    // The sheet itself says which stats there are.
    let stat = sheet.stat("hit-points")?;
    Ok(sheet.number(stat.id).unwrap_or(0))
}

/// Sets the hit points, as low as the sheet takes them.
fn lower(sheet: &mut Sheet, to: i32) -> Result<i32, RuleError> {
    let to = match sheet.stat("hit-points")?.kind {
        crate::rules::Kind::Number { min, max } => to.clamp(min, max),
        _ => to,
    };
    sheet.set("hit-points", Value::Number(to))?;
    Ok(to)
}

/// Marks a wound whose rank is the damage, under a name that no other wound has.
fn mark_wound(sheet: &mut Sheet, damage: i32) -> Result<(String, i32), RuleError> {
    const HIGHEST: i32 = 99;
    let mut wounds = sheet.ranks("wounds").to_vec();
    let names = wounds.iter().map(|(name, _)| name.as_str());
    let name = free("Wound", names);
    let rank = damage.min(HIGHEST);
    wounds.push((name.clone(), rank));
    sheet.set("wounds", Value::Ranks(wounds))?;
    Ok((name, rank))
}
