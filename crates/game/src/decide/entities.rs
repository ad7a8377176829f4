//! Deciding to add, edit, copy or remove an entity as a whole. The validation of each kind is in that kind's module.

use serde_json::Value as Json;

use super::clocks::refuse_host_clock;
use super::edit_event_of;
use crate::{
    Character, CharacterId, Entity, EntityRef, Event, EventKind, Game, LONGEST_NAME, MOST,
    NewClock, Result, Segments, differences, refused,
};
use tableside_dice::Dice;
use tableside_dice::notation::Notation;
use tableside_text::{fold, is_same_name, sanitise_name};

impl Game {
    pub(super) fn decide_add(&self, entity: Entity) -> Result<Event> {
        let mut after = self.clone();
        let added = after.add(entity)?;
        self.added_event(added, String::new(), &after)
    }

    /// Adds a clock. Numbers that were typed as dice are rolled, and the log shows their totals.
    pub(super) fn decide_add_clock(&self, rolled: &NewClock, dice: &mut dyn Dice) -> Result<Event> {
        let mut clock = rolled.clock.clone();
        let mut totals = Vec::new();
        if let Some(notation) = &rolled.segments {
            let total = roll_clock_number("segments", notation, dice, &mut totals)?;
            clock.segments = Segments::try_from(total)?;
        }
        if let Some(notation) = &rolled.filled {
            let total = roll_clock_number("filled", notation, dice, &mut totals)?;
            clock.filled = u8::try_from(total).map_err(|_error| {
                refused(format!(
                    "a clock cannot have {total} filled segments; fill from 0 up to all segments"
                ))
            })?;
        }

        let mut after = self.clone();
        let added = after.add(clock.into())?;
        self.added_event(added, totals.join(", "), &after)
    }

    fn added_event(&self, entity: EntityRef, how: String, after: &Self) -> Result<Event> {
        let (kind, name) = after.named(entity)?;
        let act = EventKind::Added { kind, name, how };
        Ok(self.event(act, after))
    }

    /// Adds an entity under the next free ID.
    pub(super) fn add(&mut self, mut entity: Entity) -> Result<EntityRef> {
        let kind = entity.entity_ref().kind();
        let count = self
            .named_entities()
            .filter(|other| other.entity.kind() == kind)
            .count();
        if count >= MOST {
            let kind = entity.entity_ref().word();
            return Err(refused(format!(
                "a game has at most {MOST} {kind}s; delete one first"
            )));
        }

        if let Entity::Pool(pool) = entity {
            entity = self.adopted_by_rules(pool).into();
        }
        entity.set_id(self.take_id());
        let entity_ref = entity.entity_ref();
        self.store(entity)?;
        Ok(entity_ref)
    }

    /// Validates an entity and stores it. A new entity goes to the end of its list. A new character gets its pools and
    /// clocks.
    fn store(&mut self, entity: Entity) -> Result<()> {
        match entity {
            Entity::Character(character) => self.store_character(character)?,
            Entity::Clock(clock) => {
                let clock = self.validate_clock(clock)?;
                match self.clock_mut(clock.id) {
                    Some(present) => *present = clock,
                    None => self.clocks.push(clock),
                }
            }
            Entity::Pool(pool) => {
                let pool = self.validate_pool(pool)?;
                match self.pool_mut(pool.id) {
                    Some(present) => *present = pool,
                    None => self.pools.push(pool),
                }
            }
            Entity::Prepared(scene) => {
                let scene = self.validate_prepared(scene)?;
                let mut scenes = self.prepared.iter_mut();
                match scenes.find(|present| present.id == scene.id) {
                    Some(present) => *present = scene,
                    None => self.prepared.push(scene),
                }
            }
        }
        self.normalise();
        Ok(())
    }

    fn store_character(&mut self, character: Character) -> Result<()> {
        let mut character = self.validate_character(character)?;
        let id = character.id;
        let before = self.character(id);
        let joins = before.is_none_or(|before| {
            !before.is_combatant() || (before.side != character.side && before.initiative.is_none())
        });
        if joins {
            self.join_side(&mut character);
        }
        match self.character_mut(id) {
            Some(present) => {
                let before = std::mem::replace(present, character);
                self.update_possessions(&before);
                Ok(())
            }
            None => {
                self.roster.push(character);
                self.give_possessions(id)
            }
        }
    }

    /// Adds a copy of an entity without its traces of play, under a numbered name.
    pub(super) fn decide_duplicate(&self, original: EntityRef) -> Result<Event> {
        let (kind, name) = self.named(original)?;
        let Some(mut copy) = self.entity(original) else {
            let kind = original.word();
            return Err(refused(format!("a {kind} cannot be copied")));
        };
        copy.reset();
        if let Entity::Character(character) = copy {
            return self.decide_duplicate_character(character);
        }

        let names_of_kind = self
            .named_entities()
            .filter(|other| other.entity.kind() == kind)
            .map(|other| other.name);
        copy.set_name(numbered_name(&name, names_of_kind));
        self.decide_add(copy)
    }

    pub(super) fn decide_edit(&self, edited: &Entity) -> Result<Event> {
        self.named(edited.entity_ref())?;
        let mut after = self.clone();
        after.store(edited.clone())?;
        self.change_event(edited.entity_ref(), &after)
    }

    /// Returns the event that gives an entity its state in `after`, with a description of each changed part.
    pub(super) fn change_event(&self, subject: EntityRef, after: &Self) -> Result<Event> {
        let (kind, name) = self.named(subject)?;

        let changes = differences(self, after);
        let mut descriptions: Vec<String> = changes
            .iter()
            .filter(|change| change.entity == subject)
            .filter_map(|change| change.describe(after, true))
            .collect();
        descriptions.dedup();

        edit_event_of(kind, &name, descriptions.join(", "), changes)
    }

    pub(super) fn decide_remove(&self, subject: EntityRef) -> Result<Event> {
        let (kind, name) = self.named(subject)?;
        if let EntityRef::Clock(id) = subject
            && self.known_clock(id)?.host_clock.is_some()
        {
            return Err(refuse_host_clock(&name));
        }

        let mut after = self.clone();
        match subject {
            EntityRef::Character(id) => after.remove_character(id),
            EntityRef::Clock(id) => after.remove_clocks(|clock| clock.id == id),
            _ => after
                .restore(subject, 0, &Json::Null)
                .map_err(|error| refused(error.to_string()))?,
        }
        Ok(self.event(EventKind::Removed { kind, name }, &after))
    }

    /// Returns a name in the form in which it is stored: without control characters, and of limited length. Refuses an
    /// empty name, and the name of another entity of the same kind and owner.
    pub(super) fn validate_name(
        &self,
        subject: EntityRef,
        owner: Option<CharacterId>,
        name: &str,
    ) -> Result<String> {
        let is_unchanged = self
            .named_entities()
            .any(|known| known.entity == subject && known.owner == owner && known.name == name);
        if is_unchanged {
            // An older version may have saved two names that this version considers the same.
            return Ok(name.to_owned());
        }

        let kind = subject.word();
        let name = sanitise_name(name, LONGEST_NAME);
        if name.is_empty() {
            return Err(refused(format!("a {kind} needs a name")));
        }

        for other in self.named_entities() {
            let is_comparable = other.entity != subject
                && other.entity.kind() == subject.kind()
                && other.owner == owner;
            if is_comparable && is_same_name(other.name, &name) {
                return Err(refused(format!(
                    "there is already a {kind} named {name}; choose another name"
                )));
            }
        }
        Ok(name)
    }
}

/// Returns a typed number of a clock. Dice are rolled, and their total is added to `totals` for the log.
fn roll_clock_number(
    part: &str,
    text: &str,
    dice: &mut dyn Dice,
    totals: &mut Vec<String>,
) -> Result<i32> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }

    let notation: Notation = text.parse()?;
    if notation.repetitions() > 1 {
        return Err(refused(format!(
            "{text} repeats its dice, but a clock needs a single total, as in 4+d4"
        )));
    }
    let total = notation.roll(dice).total;
    totals.push(format!("{part} {text}: {total}"));
    match i32::try_from(total) {
        Ok(number) => Ok(number),
        Err(_) => Err(refused(format!("{total} is too large for a clock"))),
    }
}

/// Returns the name if no other entity has it, otherwise the first free numbered name.
pub(crate) fn free_name<'a>(name: &str, others: impl Iterator<Item = &'a str> + Clone) -> String {
    if others.clone().any(|other| is_same_name(other, name)) {
        numbered_name(name, others)
    } else {
        name.to_owned()
    }
}

/// Returns the name with the first free number from 2: `Goblin 2`, `Goblin 3`.
pub fn numbered_name<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if is_number(number) => stem,
        _ => name,
    };

    let taken: Vec<String> = others.map(fold).collect();
    let mut number = 2;
    loop {
        let candidate = format!("{stem} {number}");
        if !taken.contains(&fold(&candidate)) {
            return candidate;
        }
        number += 1;
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|digit| digit.is_ascii_digit())
}
