//! Things that come, go and are edited as a whole; what is special about each kind stands beside.

use std::collections::BTreeMap;

use crate::session::error::{Result, refused};
use crate::session::{
    Character, Clock, Entity, Event, EventKind, Gains, LONGEST_NAME, MOST, Prepared, Session,
    Subject, TokenPool,
};
use crate::text::sanitise;

impl Session {
    pub(super) fn decide_add(&self, entity: Entity) -> Result<Event> {
        let mut after = self.clone();
        let of = after.add(entity)?;
        let (kind, name) = after.entity(of)?.named();
        Ok(self.event(EventKind::Added { kind, name }, &after))
    }

    /// Adds a thing under the next number.
    pub(super) fn add(&mut self, mut entity: Entity) -> Result<Subject> {
        let many = match &entity {
            Entity::Character(_) => self.roster.len(),
            Entity::Clock(_) => self.clocks.len(),
            Entity::Pool(_) => self.pools.len(),
            Entity::Prepared(scene) => {
                let held = scene.cast.len() + scene.clocks.len();
                self.prepared.len().max(held.saturating_sub(1))
            }
        };
        if many >= MOST {
            let word = entity.subject().word();
            return Err(refused(format!("a session holds at most {MOST} {word}s")));
        }
        let number = self.take_id();
        match &mut entity {
            Entity::Character(one) => one.id.0 = number,
            Entity::Clock(one) => one.id.0 = number,
            Entity::Pool(one) => one.id.0 = number,
            Entity::Prepared(one) => one.id.0 = number,
        }
        let of = entity.subject();
        match entity {
            Entity::Character(one) => self.add_character(one)?,
            Entity::Clock(one) => self.add_clock(one)?,
            Entity::Pool(one) => self.add_pool(one)?,
            Entity::Prepared(one) => self.add_prepared(one)?,
        }
        Ok(of)
    }

    /// Another thing like it, as it was at first.
    pub(super) fn decide_duplicate(&self, of: Subject) -> Result<Event> {
        let original = self.entity(of)?;
        let name = original.named().1;
        self.decide_add(match original {
            Entity::Character(one) => Entity::from(Character {
                name: numbered(&name, self.roster.iter().map(|other| other.name.as_str())),
                acted: false,
                conditions: Vec::new(),
                fresh: BTreeMap::new(),
                ..one
            }),
            Entity::Clock(one) => Entity::from(Clock {
                name: numbered(&name, self.clocks.iter().map(|other| other.name.as_str())),
                filled: one.begins_at(),
                ..one
            }),
            Entity::Pool(one) => Entity::from(TokenPool {
                name: numbered(&name, self.pools.iter().map(|other| other.name.as_str())),
                tokens: one.start,
                gains: one.gains.map(|gains| Gains::of(gains.most)),
                ..one
            }),
            Entity::Prepared(one) => Entity::from(Prepared {
                name: numbered(&name, self.prepared.iter().map(|other| other.name.as_str())),
                ..one
            }),
        })
    }

    pub(super) fn decide_edit(&self, edited: Entity) -> Result<Event> {
        let of = edited.subject();
        self.entity(of)?;
        let mut after = self.clone();
        match edited {
            Entity::Character(one) => after.edit_character(one)?,
            Entity::Clock(one) => after.edit_clock(one)?,
            Entity::Pool(one) => after.edit_pool(one)?,
            Entity::Prepared(one) => after.edit_prepared(one)?,
        }
        self.changed(of, &after)
    }

    /// The event by which a thing is as it is in `after`, told by its parts.
    pub(super) fn changed(&self, of: Subject, after: &Self) -> Result<Event> {
        let (kind, name) = self.entity(of)?.named();
        let changes = crate::session::differences(self, after);
        let told = changes.iter().filter(|change| change.of == of);
        let mut how: Vec<String> = told.filter_map(|change| change.words(after)).collect();
        how.dedup();
        self.edited((kind, &name), &how, after)
    }

    pub(super) fn decide_remove(&self, of: Subject) -> Result<Event> {
        let (kind, name) = match of {
            Subject::Call(id) => self.call_in_words(id)?,
            of => self.entity(of)?.named(),
        };
        let mut after = self.clone();
        match of {
            Subject::Character(id) => after.remove_character(id),
            Subject::Clock(id) => after.remove_clocks(|clock| clock.id == id),
            Subject::Pool(id) => after.pools.retain(|pool| pool.id != id),
            Subject::Prepared(id) => after.prepared.retain(|scene| scene.id != id),
            Subject::Call(id) => after.calls.retain(|call| call.id != id),
            Subject::Unfinished(_)
            | Subject::Lock(_)
            | Subject::Scene(_)
            | Subject::House
            | Subject::Round => {}
        }
        Ok(self.event(EventKind::Removed { kind, name }, &after))
    }
}

/// A name as it is kept: no control characters, not too long, not empty, not another's.
pub(super) fn named<'a>(
    kind: &str,
    name: &str,
    mut others: impl Iterator<Item = &'a str>,
) -> Result<String> {
    let name = sanitise(name.trim(), LONGEST_NAME).into_owned();
    if name.is_empty() {
        return Err(refused(format!("a {kind} needs a name")));
    }
    let folded = name.to_lowercase();
    if others.any(|other| other.to_lowercase() == folded) {
        return Err(refused(format!(
            "there is a {kind} named {name} already; names must differ"
        )));
    }
    Ok(name)
}

/// The name as it is, or where somebody has it the first free number with it.
pub(super) fn free<'a>(name: &str, others: impl Iterator<Item = &'a str> + Clone) -> String {
    let folded = name.to_lowercase();
    if others.clone().any(|other| other.to_lowercase() == folded) {
        numbered(name, others)
    } else {
        name.to_owned()
    }
}

/// The name with the first number that nobody has: `Goblin`, `Goblin 2`, `Goblin 3`.
pub(super) fn numbered<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.chars().all(|digit| digit.is_ascii_digit()) => stem,
        _ => name,
    };
    let taken: Vec<String> = others.map(str::to_lowercase).collect();
    (2..=taken.len() + 2)
        .map(|number| format!("{stem} {number}"))
        .find(|name| !taken.contains(&name.to_lowercase()))
        .unwrap_or_default()
}
