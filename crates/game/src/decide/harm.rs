//! Damage, wounds, rest and first aid.

use super::entities::free;
use crate::dying::Hit;
use crate::group::bounded;
use crate::{
    Blow, Character, CharacterId, CommandError, Condition, Event, EventKind, Every, Game, Rest,
};
use crate::{EntityKind, Result, refused};
use tableside_dice::Dice;
use tableside_rules::{Id, Refused, RuleError, Sheet, Value};

impl Game {
    /// Damage taken (Heart Rush, Combat, Damage and Wounds; Friday Night Dungeon, Health).
    pub(super) fn decide_damage(
        &self,
        who: CharacterId,
        (amount, blow): (i32, Blow),
        shrug_off: bool,
    ) -> Result<Event> {
        let character = self.known_character(who)?;
        if blow != Blow::Ordinary && self.dying_rules().is_none() {
            return Err(cannot(character, "take a critical hit or be knocked out").into());
        }
        let mut sheet = character.sheet.clone();
        let told = hit_points(character, amount)?;
        let before = told.unwrap_or(0);
        let mut how = Vec::new();
        let mut taken = amount;
        if shrug_off {
            taken = amount - amount / 2;
            how.push(format!("shrugs off half of {amount}"));
            let die = sheet.die("heart-now");
            let die = die.ok_or_else(|| cannot(character, "shrug off damage"))?;
            let name = &character.name;
            let smaller = die.next_smaller().ok_or_else(|| {
                Refused(format!(
                    "{name}: the heart die is {die} already; a short rest brings it back"
                ))
            })?;
            sheet.set("heart-now", Value::Die(smaller))?;
            how.push(format!("heart die {die} to {smaller}"));
        }
        let after = set_hit_points(&mut sheet, before.saturating_sub(taken))?;
        let left = told.map(|before| format!(", hit points {before} to {after}"));
        how.push(format!("{taken} damage{}", left.unwrap_or_default()));
        let wound_at = self.house.number(self.system, "wound-at");
        if wound_at > 0 && taken >= wound_at {
            how.push(mark_wound(&mut sheet, taken)?);
            if self.house.is("wound-heart", "shrinks") {
                how.extend(shrink_heart_die(&mut sheet)?);
            }
        }
        if self.dying_rules().is_some() {
            let hit = Hit {
                damage: taken,
                blow,
            };
            return self.with_hit_points(character, sheet, how, Some(hit));
        }
        let standing = sheet.standing(&self.house);
        how.extend(standing.map(|standing| standing.means.to_owned()));
        self.with_sheet(character, sheet, &how.join("; "))
    }

    /// The event that gives a character these hit points, with what follows from them at 0.
    fn with_hit_points(
        &self,
        character: &Character,
        sheet: Sheet,
        mut how: Vec<String>,
        hit: Option<Hit>,
    ) -> Result<Event> {
        let mut after = self.clone();
        if let Some(one) = after.character_mut(character.id) {
            one.sheet = sheet;
        }
        how.extend(after.settle_hit_points(character, hit)?);
        after.count_recent_harm(character);
        let how = [how.join("; ")];
        self.edited((EntityKind::Character, &character.name), &how, &after)
    }

    /// Hit points come back, up to the most that wounds leave; the rules say elsewhere what gives them.
    pub(super) fn decide_heal(&self, who: CharacterId, amount: i32) -> Result<Event> {
        let character = self.known_character(who)?;
        self.may_be_healed(character)?;
        let mut sheet = character.sheet.clone();
        let before = hit_points(character, amount)?.unwrap_or(0);
        let most = sheet.most_hit_points().map(|most| most.max(before));
        let to = before.saturating_add(amount).min(most.unwrap_or(i32::MAX));
        let after = set_hit_points(&mut sheet, to)?;
        if after == before {
            let name = &character.name;
            let full = format!("{name} has {before} hit points, and that is the maximum now");
            return Err(CommandError::AtEnd(full));
        }
        let healed = after - before;
        let how = format!("heals {healed}, hit points {before} to {after}");
        self.with_hit_points(character, sheet, vec![how], None)
    }

    /// What a rest gives back (Heart Rush, Rests); what may not be tried again before inspiration, a
    /// clue or rest may be tried after it (Friday Night Dungeon, Repeating Challenges).
    pub(super) fn decide_rest(
        &self,
        who: CharacterId,
        rest: Rest,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let character = self.known_character(who)?;
        let mut rested = character.clone();
        let sheet = &mut rested.sheet;
        let mut how = vec![
            match rest {
                Rest::Short => "a short rest",
                Rest::Long => "a long rest",
                Rest::LongFailed => "a long rest that failed",
            }
            .to_owned(),
        ];
        let heart = sheet.die("heart");
        // A night has ten quiet minutes in it too.
        if let Some(heart) = heart {
            sheet.set("heart-now", Value::Die(heart))?;
        }
        let hit_points = sheet.number("hit-points");
        let heals = hit_points.filter(|_| heart.is_some());
        if let Some(before) = heals {
            if rest == Rest::Long {
                let healed = sheet.ranks("wounds").iter();
                let healed = healed.map(|(name, rank)| (name.clone(), rank - 1));
                let left = healed.filter(|(_, rank)| *rank > 0).collect();
                sheet.set("wounds", Value::Ranks(left))?;
            }
            // Wounds that healed may allow for more.
            let most = sheet.most_hit_points().unwrap_or(before).max(before);
            let after = match rest {
                Rest::Short => before,
                Rest::LongFailed if !self.house.is("long-rest", "full") => {
                    before + (most - before) / 2
                }
                Rest::Long | Rest::LongFailed => most,
            };
            set_hit_points(sheet, after)?;
            how.extend((after != before).then(|| format!("hit points {before} to {after}")));
            if rest == Rest::LongFailed {
                how.push(self.worsen_by_lot(&mut rested.conditions, dice));
            }
        }
        let mut after = self.clone();
        after
            .locks
            .retain(|lock| lock.0 != who || self.gm_locks.contains(lock));
        let is_unlocked = after.locks.len() < self.locks.len();
        if is_unlocked {
            how.push("may try again what was failed".to_owned());
        } else if heart.is_none() && heals.is_none() && !self.ticks_every(Every::Rest) {
            let nothing = cannot(character, "get anything back by a rest");
            return Err(CommandError::AtEnd(nothing.0));
        }
        if let Some(one) = after.character_mut(who) {
            *one = rested;
        }
        let how = how.join("; ");
        if rest == Rest::LongFailed {
            // The lot was cast, also where nobody suffers more by it.
            let (kind, name) = (EntityKind::Character, character.name.clone());
            return Ok(self.event(EventKind::Edited { kind, name, how }, &after));
        }
        self.edited((EntityKind::Character, &character.name), &[how], &after)
    }

    fn with_sheet(&self, character: &Character, sheet: Sheet, how: &str) -> Result<Event> {
        let mut after = self.clone();
        if let Some(one) = after.character_mut(character.id) {
            one.sheet = sheet;
        }
        after.count_recent_harm(character);
        let how = [how.to_owned()];
        self.edited((EntityKind::Character, &character.name), &how, &after)
    }

    /// A night that failed leaves a condition at random: a level of one that the rules know (Heart Rush,
    /// Rests).
    fn worsen_by_lot(&self, conditions: &mut Vec<Condition>, dice: &mut dyn Dice) -> String {
        let known = self.system.spec().conditions;
        let sides = u32::try_from(known.len()).unwrap_or(1).max(1);
        let lot = usize::try_from(dice.up_to(sides) - 1).unwrap_or(0);
        let name = known.get(lot).map_or("weary", |spec| spec.name);
        format!("{name} {}, by lot", Condition::worsen(conditions, name, 1))
    }

    /// A medicine check takes its total off the rank of every wound that was not treated yet; each is
    /// treated once (Heart Rush, Treating Wounds).
    pub(super) fn decide_treatment(&self, who: CharacterId, total: i32) -> Result<Event> {
        let character = self.known_character(who)?;
        let Some(Value::Ranks(wounds)) = character.sheet.value("wounds") else {
            return Err(cannot(character, "have wounds treated so").into());
        };
        if total < 1 {
            return Err(CommandError::Unchanged);
        }
        let mut how = vec![format!("wounds treated with {total}")];
        let mut left = Vec::new();
        for (name, rank) in wounds {
            if name.ends_with(TREATED) {
                left.push((name.clone(), *rank));
            } else if rank - total < 1 {
                how.push(format!("{name} is gone"));
            } else {
                how.push(format!("{name} {rank} to {}", rank - total));
                left.push((format!("{name}{TREATED}"), rank - total));
            }
        }
        if how.len() == 1 {
            let name = &character.name;
            return Err(refused(format!(
                "{name} has no wound that was not treated yet"
            )));
        }
        let mut sheet = character.sheet.clone();
        sheet.set("wounds", Value::Ranks(left))?;
        self.with_sheet(character, sheet, &how.join("; "))
    }

    /// Each effect level of First Aid removes a Trauma or a Wound, at most what the scene brought, or the
    /// one that ended just now (Gnosis, First Aid).
    pub(super) fn decide_first_aid(&self, who: CharacterId, of: Id, levels: i32) -> Result<Event> {
        let character = self.known_character(who)?;
        let stat = self.system.spec().clock(of).map(|clock| clock.overflow);
        let stat = stat.unwrap_or_default();
        let Some(now) = character.sheet.number(stat) else {
            return Err(cannot(character, "be helped so").into());
        };
        let label = character.sheet.stat(stat)?.label;
        let most = self.treatable(character, stat).min(now);
        if most < 1 && now > 0 {
            return Err(refused(format!(
                "First Aid removes no more {label} than the scene brought, and {} took none in this one or the one \
                 before",
                character.name
            )));
        }
        let mut sheet = character.sheet.clone();
        let left = now - levels.clamp(0, most);
        sheet.set(stat, Value::Number(left))?;
        let how = format!("First Aid, {label} {now} to {left}");
        self.with_sheet(character, sheet, &how)
    }
}

/// What the name of a wound ends with that was treated.
const TREATED: &str = " (treated)";

fn cannot(character: &Character, what: &str) -> Refused {
    Refused(format!("{} cannot {what} in this system", character.name))
}

/// The hit points of somebody, where the system has any; nothing is lost or healed by less than one.
fn hit_points(of: &Character, amount: i32) -> Result<Option<i32>> {
    let stat = of.sheet.stat("hit-points");
    let stat = stat.map_err(|_none| cannot(of, "lose or get back hit points"))?;
    let now = of.sheet.number(stat.id);
    (amount > 0).then_some(now).ok_or(CommandError::Unchanged)
}

/// Sets the hit points, as low as the sheet takes them.
fn set_hit_points(sheet: &mut Sheet, to: i32) -> Result<i32, RuleError> {
    let to = bounded(sheet.stat("hit-points")?, to);
    sheet.set("hit-points", Value::Number(to))?;
    Ok(to)
}

/// Makes the heart die a size smaller and says so. The smallest die stays as it is.
fn shrink_heart_die(sheet: &mut Sheet) -> Result<Option<String>, RuleError> {
    let Some(die) = sheet.die("heart-now") else {
        return Ok(None);
    };
    let Some(smaller) = die.next_smaller() else {
        return Ok(None);
    };

    sheet.set("heart-now", Value::Die(smaller))?;
    Ok(Some(format!("heart die {die} to {smaller}")))
}

/// Marks a wound whose rank is the damage, under a name that no other wound has; returns it in words.
fn mark_wound(sheet: &mut Sheet, damage: i32) -> Result<String, RuleError> {
    const HIGHEST: i32 = 99;
    let mut wounds = sheet.ranks("wounds").to_vec();
    let known = wounds.iter();
    let known = known.map(|(name, _)| name.trim_end_matches(TREATED));
    let name = free("Wound", known);
    let rank = damage.min(HIGHEST);
    let told = format!("{name}, rank {rank}");
    wounds.push((name, rank));
    sheet.set("wounds", Value::Ranks(wounds))?;
    Ok(told)
}
