//! Deciding damage, healing, and the treatment of wounds.

use super::entities::free_name;
use super::party::at_bound;
use crate::dying::Hit;
use crate::group::bounded;
use crate::{Blow, Character, CharacterId, CommandError, Event, Game};
use crate::{EntityKind, Result, refused};
use tableside_rules::{HIT_POINTS, Id, Refused, RuleError, Sheet, Value};

/// The suffix of a treated wound's name.
const TREATED: &str = " (treated)";

/// The highest rank of a wound on a sheet.
const HIGHEST_WOUND_RANK: i32 = 99;

/// Damage that is dealt to a character.
#[derive(Clone, Copy)]
pub(super) struct DamageTaken {
    pub(super) amount: i32,
    pub(super) blow: Blow,
    /// True if the character shrugs off half of the damage, which makes the heart die one size smaller.
    pub(super) shrugs_off: bool,
}

impl Character {
    /// True if the character has a wound that was not treated yet.
    pub fn has_untreated_wound(&self) -> bool {
        let mut wounds = self.sheet.ranks("wounds").iter();
        wounds.any(|(name, _)| !name.ends_with(TREATED))
    }
}

impl Game {
    /// Deals damage to a character (Heart Rush, Combat, Damage and Wounds; Friday Night Dungeon, Health).
    pub(super) fn decide_damage(&self, id: CharacterId, damage: DamageTaken) -> Result<Event> {
        let character = self.known_character(id)?;
        if damage.blow != Blow::Ordinary && self.dying_rules().is_none() {
            return Err(cannot(character, "take a critical hit or be knocked out").into());
        }
        let known_hit_points = hit_points(character, damage.amount)?;

        let mut after = self.clone();
        let mut sheet = character.sheet.clone();
        let mut messages = Vec::new();
        let mut taken = damage.amount;
        if damage.shrugs_off {
            messages.push(format!("shrugs off half of {}", damage.amount));
            messages.push(shrug_off(&mut sheet, character)?);
            taken -= damage.amount / 2;
        }

        let absorbed = after.absorb_damage(id, taken);
        let hit = Hit {
            damage: absorbed.remaining,
            blow: damage.blow,
        };
        let before = known_hit_points.unwrap_or(0);
        let hit_points = set_hit_points(&mut sheet, before.saturating_sub(hit.damage))?;
        let mut damage_message = format!("{taken} damage");
        for message in &absorbed.messages {
            damage_message += &format!(", {message}");
        }
        if known_hit_points.is_some() && hit.damage > 0 {
            damage_message += &format!(", hit points {before} to {hit_points}");
        }
        messages.push(damage_message);
        messages.extend(self.wound_by_damage(&mut sheet, taken)?);
        if self.dying_rules().is_none()
            && let Some(standing) = sheet.standing(&self.house)
        {
            messages.push(standing.means.to_owned());
        }

        after.set_sheet(id, sheet);
        messages.extend(after.settle_damage(character, Some(hit), taken)?);
        after.count_recent_harm(character);
        self.character_event(character, &messages, &after)
    }

    /// Marks a wound if the damage is high enough under the house rules, and returns messages about it.
    fn wound_by_damage(&self, sheet: &mut Sheet, damage: i32) -> Result<Vec<String>> {
        let threshold = self.house.number(self.system, "wound-at");
        if threshold <= 0 || damage < threshold {
            return Ok(Vec::new());
        }

        let mut messages = vec![mark_wound(sheet, damage)?];
        if self.house.is("wound-heart", "shrinks") {
            messages.extend(shrink_heart_die(sheet)?);
        }
        Ok(messages)
    }

    /// Returns the event of a change of hit points, with the consequences of 0 hit points.
    fn hit_point_event(
        &self,
        character: &Character,
        sheet: Sheet,
        mut messages: Vec<String>,
    ) -> Result<Event> {
        let mut after = self.clone();
        after.set_sheet(character.id, sheet);
        messages.extend(after.settle_hit_points(character, None)?);
        after.count_recent_harm(character);
        self.character_event(character, &messages, &after)
    }

    /// Returns the event of a change of a sheet.
    fn sheet_event(
        &self,
        character: &Character,
        sheet: Sheet,
        messages: &[String],
    ) -> Result<Event> {
        let mut after = self.clone();
        after.set_sheet(character.id, sheet);
        after.count_recent_harm(character);
        self.character_event(character, messages, &after)
    }

    pub(super) fn character_event(
        &self,
        character: &Character,
        messages: &[String],
        after: &Self,
    ) -> Result<Event> {
        let description = messages.join("; ");
        self.edit_event(EntityKind::Character, &character.name, description, after)
    }

    fn set_sheet(&mut self, id: CharacterId, sheet: Sheet) {
        if let Some(character) = self.character_mut(id) {
            character.sheet = sheet;
        }
    }

    /// Restores hit points, up to the maximum that wounds leave.
    pub(super) fn decide_heal(&self, id: CharacterId, amount: i32) -> Result<Event> {
        let character = self.known_character(id)?;
        self.validate_healing(character)?;
        let before = hit_points(character, amount)?.unwrap_or(0);

        let mut sheet = character.sheet.clone();
        let mut wanted = before.saturating_add(amount);
        if let Some(maximum) = sheet.most_hit_points() {
            // A character with more hit points than the maximum keeps them.
            wanted = wanted.min(maximum.max(before));
        }
        let after = set_hit_points(&mut sheet, wanted)?;
        if after == before {
            return Err(at_bound(character, sheet.stat(HIT_POINTS)?, amount));
        }

        let healed = after - before;
        let message = format!("heals {healed}, hit points {before} to {after}");
        self.hit_point_event(character, sheet, vec![message])
    }

    /// Ends the state in which the rules see a character: the values behind it change as the system file says.
    pub(super) fn decide_end_standing(&self, id: CharacterId, word: &str) -> Result<Event> {
        let character = self.known_character(id)?;
        let name = &character.name;
        let standing = self.standing_of(character);
        if standing.is_none_or(|standing| standing.word != word) {
            return Err(refused(format!("{name} is not {word}")));
        }

        let mut sheet = character.sheet.clone();
        let mut messages = vec![format!("no longer {word}")];
        for stat in sheet.end_standing(&self.house)? {
            let label = sheet.stat(stat)?.label;
            let text_in = |sheet: &Sheet| match sheet.value(stat) {
                Some(Value::Ranks(ranks)) if ranks.is_empty() => "none".to_owned(),
                value => value.map(Value::to_string).unwrap_or_default(),
            };
            let before = text_in(&character.sheet);
            messages.push(format!("{label} {before} to {}", text_in(&sheet)));
        }
        if messages.len() == 1 {
            return Err(cannot(character, &format!("stop being {word} by a command")).into());
        }
        self.hit_point_event(character, sheet, messages)
    }

    /// Subtracts the total of a medicine check from the rank of every untreated wound. Each wound is treated once (Heart
    /// Rush, Treating Wounds).
    pub(super) fn decide_treatment(&self, id: CharacterId, total: i32) -> Result<Event> {
        let character = self.known_character(id)?;
        let Some(Value::Ranks(wounds)) = character.sheet.value("wounds") else {
            return Err(cannot(character, "have wounds treated").into());
        };
        if total < 1 {
            return Err(CommandError::Unchanged);
        }
        if !character.has_untreated_wound() {
            let name = &character.name;
            return Err(refused(format!("{name} has no untreated wound")));
        }

        let mut messages = vec![format!("wounds treated with {total}")];
        let mut remaining_wounds = Vec::new();
        for (name, rank) in wounds {
            if name.ends_with(TREATED) {
                remaining_wounds.push((name.clone(), *rank));
                continue;
            }
            let treated_rank = rank - total;
            if treated_rank < 1 {
                messages.push(format!("{name} is gone"));
            } else {
                messages.push(format!("{name} {rank} to {treated_rank}"));
                let treated_name = format!("{name}{TREATED}");
                remaining_wounds.push((treated_name, treated_rank));
            }
        }

        let mut sheet = character.sheet.clone();
        sheet.set("wounds", Value::Ranks(remaining_wounds))?;
        self.sheet_event(character, sheet, &messages)
    }

    /// Removes Traumas or Wounds, one for each effect level of First Aid. First Aid removes only harm of this scene and
    /// the scene before (Gnosis, First Aid).
    pub(super) fn decide_first_aid(
        &self,
        id: CharacterId,
        clock: Id,
        levels: i32,
    ) -> Result<Event> {
        let character = self.known_character(id)?;
        let clock = self.system.spec().clock(clock);
        let overflow = clock.map_or("", |clock| clock.overflow);
        let Some(before) = character.sheet.number(overflow) else {
            return Err(cannot(character, "receive First Aid").into());
        };

        let label = character.sheet.stat(overflow)?.label;
        let treatable = self.treatable(character, overflow).min(before);
        if treatable < 1 && before > 0 {
            return Err(refused(format!(
                "First Aid removes only {label} of this scene and the scene before, in which {} took none",
                character.name
            )));
        }

        let after = before - levels.clamp(0, treatable);
        let mut sheet = character.sheet.clone();
        sheet.set(overflow, Value::Number(after))?;
        let message = format!("First Aid, {label} {before} to {after}");
        self.sheet_event(character, sheet, &[message])
    }
}

pub(super) fn cannot(character: &Character, what: &str) -> Refused {
    let name = &character.name;
    Refused(format!("{name} cannot {what} in this system"))
}

/// Returns the character's hit points, or `None` if the sheet is redacted. Refuses systems without hit points, and an
/// amount below 1.
fn hit_points(character: &Character, amount: i32) -> Result<Option<i32>> {
    if character.sheet.stat(HIT_POINTS).is_err() {
        return Err(cannot(character, "lose or recover hit points").into());
    }
    if amount < 1 {
        return Err(CommandError::Unchanged);
    }
    Ok(character.sheet.number(HIT_POINTS))
}

/// Sets the hit points within the bounds of the sheet, and returns them.
pub(super) fn set_hit_points(sheet: &mut Sheet, hit_points: i32) -> Result<i32, RuleError> {
    let stat = sheet.stat(HIT_POINTS)?;
    let within_bounds = bounded(stat, hit_points);
    sheet.set(HIT_POINTS, Value::Number(within_bounds))?;
    Ok(within_bounds)
}

/// Makes the heart die a size smaller, as the price of shrugging off damage. Refuses if it is the smallest die.
fn shrug_off(sheet: &mut Sheet, character: &Character) -> Result<String> {
    let Some(die) = sheet.die("heart-now") else {
        return Err(cannot(character, "shrug off damage").into());
    };
    match shrink_heart_die(sheet)? {
        Some(message) => Ok(message),
        None => Err(refused(format!(
            "{}: the heart die is already {die}; a short rest restores it",
            character.name
        ))),
    }
}

/// Makes the heart die a size smaller and returns a message. The smallest die does not change.
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

/// Adds a wound whose rank is the damage, under a free name, and returns a message.
fn mark_wound(sheet: &mut Sheet, damage: i32) -> Result<String, RuleError> {
    let mut wounds = sheet.ranks("wounds").to_vec();
    let names = wounds
        .iter()
        .map(|(name, _)| name.trim_end_matches(TREATED));
    let name = free_name("Wound", names);
    let rank = damage.min(HIGHEST_WOUND_RANK);

    let message = format!("{name}, rank {rank}");
    wounds.push((name, rank));
    sheet.set("wounds", Value::Ranks(wounds))?;
    Ok(message)
}
