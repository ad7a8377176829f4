//! Deciding to add, edit, copy or remove an entity as a whole. The validation of each kind is in that kind's module.

use serde_json::Value as Json;

use super::clocks::refuse_shared_clock;
use crate::stored_form::to_json;
use crate::{
    CharacterId, Entity, EntityRef, Event, EventKind, Game, LONGEST_NAME, MOST, Part, Result,
    differences, refused,
};
use tableside_dice::Dice;
use tableside_dice::notation::Notation;
use tableside_text::{fold, is_same_name, sanitise_name};

/// The parts of an entity that a copy does not have, because they come from play.
const PARTS_FROM_PLAY: [Part; 6] = [
    Part::Acted,
    Part::Conditions,
    Part::RecentHarms,
    Part::Filled,
    Part::Turns,
    Part::GainedThisScene,
];

impl Game {
    pub(super) fn decide_add(&self, mut entity: Entity, dice: &mut dyn Dice) -> Result<Event> {
        let how = roll_clock_numbers(&mut entity, dice)?;

        let mut after = self.clone();
        let subject = after.add(entity)?;
        let (kind, name) = after.named(subject)?;
        Ok(self.event(EventKind::Added { kind, name, how }, &after))
    }

    /// Adds an entity under the next free id, and returns that id.
    pub(super) fn add(&mut self, entity: Entity) -> Result<EntityRef> {
        let Entity {
            entity: of,
            mut stored,
        } = entity;
        let count = self
            .things()
            .filter(|(other, ..)| other.kind() == of.kind())
            .count();
        if count >= MOST {
            let kind = of.word();
            return Err(refused(format!("a game holds at most {MOST} {kind}s")));
        }

        let subject = of.numbered(self.take_id());
        stored["id"] = subject.number().into();
        self.store(&Entity {
            entity: subject,
            stored,
        })?;
        Ok(subject)
    }

    /// Validates an entity and stores it, as a new one at the end of its list. For a character, its pools and clocks
    /// follow.
    fn store(&mut self, entity: &Entity) -> Result<()> {
        let subject = entity.entity;
        let valid = match subject {
            EntityRef::Character(_) => {
                let character = self.validate_character(entity.read()?)?;
                to_json(&character)
            }
            EntityRef::Clock(_) => {
                let clock = self.validate_clock(entity.read()?)?;
                to_json(&clock)
            }
            EntityRef::Pool(_) => {
                let pool = self.validate_pool(entity.read()?)?;
                to_json(&pool)
            }
            _ => {
                let scene = self.validate_prepared(entity.read()?)?;
                to_json(&scene)
            }
        };

        let character_before = match subject {
            EntityRef::Character(id) => self.character(id).cloned(),
            _ => None,
        };
        self.restore(subject, usize::MAX, &valid)
            .map_err(|error| refused(error.to_string()))?;
        self.normalise();

        if let EntityRef::Character(id) = subject {
            match character_before {
                Some(before) => self.update_possessions(&before),
                None => self.give_possessions(id)?,
            }
        }
        Ok(())
    }

    /// Adds a copy of an entity in its original state, under a numbered name.
    pub(super) fn decide_duplicate(
        &self,
        subject: EntityRef,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let (kind, name) = self.named(subject)?;

        let mut copy = self.stored(subject);
        for part in PARTS_FROM_PLAY {
            part.set_in(&mut copy, Json::Null);
        }
        if let Some(start) = copy.get("start").cloned() {
            Part::Tokens.set_in(&mut copy, start);
        }

        let names_of_kind = self
            .things()
            .filter(|(other, ..)| other.kind() == kind)
            .map(|(.., name)| name);
        copy["name"] = numbered_name(&name, names_of_kind).into();

        let entity = Entity {
            entity: subject,
            stored: copy,
        };
        self.decide_add(entity, dice)
    }

    pub(super) fn decide_edit(&self, edited: &Entity) -> Result<Event> {
        self.named(edited.entity)?;
        let mut after = self.clone();
        after.store(edited)?;
        self.change_event(edited.entity, &after)
    }

    /// The event that gives an entity its state in `after`, with a description of each changed part.
    pub(super) fn change_event(&self, subject: EntityRef, after: &Self) -> Result<Event> {
        let (kind, name) = self.named(subject)?;

        let mut descriptions: Vec<String> = differences(self, after)
            .iter()
            .filter(|change| change.entity == subject)
            .filter_map(|change| change.describe(after, true))
            .collect();
        descriptions.dedup();

        let description = descriptions.join(", ");
        self.edit_event(kind, &name, description, after)
    }

    pub(super) fn decide_remove(&self, subject: EntityRef) -> Result<Event> {
        let (kind, name) = self.named(subject)?;
        if let EntityRef::Clock(id) = subject
            && self.known_clock(id)?.host_clock.is_some()
        {
            return Err(refuse_shared_clock(&name));
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
        let is_unchanged = self.things().any(|entity| entity == (subject, owner, name));
        if is_unchanged {
            // An older version may have saved two names that this version considers the same.
            return Ok(name.to_owned());
        }

        let kind = subject.word();
        let name = sanitise_name(name, LONGEST_NAME);
        if name.is_empty() {
            return Err(refused(format!("a {kind} needs a name")));
        }

        for (other, other_owner, other_name) in self.things() {
            let is_comparable =
                other != subject && other.kind() == subject.kind() && other_owner == owner;
            if is_comparable && is_same_name(other_name, &name) {
                return Err(refused(format!(
                    "there is a {kind} named {name} already; names must differ"
                )));
            }
        }
        Ok(name)
    }
}

/// Rolls for the numbers of a clock that are written as dice, and describes the rolls.
fn roll_clock_numbers(entity: &mut Entity, dice: &mut dyn Dice) -> Result<String> {
    let mut descriptions = Vec::new();
    for part in ["segments", "filled"] {
        let Some(text) = entity.stored.get(part).and_then(Json::as_str) else {
            continue;
        };

        let notation: Notation = text.parse()?;
        if notation.repetitions() > 1 {
            return Err(refused(format!("the {part} of a clock are rolled once")));
        }

        let rolled = notation.roll(dice);
        descriptions.push(format!("{part} {text}: {}", rolled.total));
        entity.stored[part] = rolled.total.into();
    }

    Ok(descriptions.join(", "))
}

/// Returns the name if no other has it, otherwise the first free numbered name.
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
