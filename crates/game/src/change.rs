//! One difference between two states of a game, with the values before and after it.
//!
//! A change names its entity and part by type. The values of a change are JSON, as in files: entities are compared,
//! changed and restored field by field in that form, so a new field of an entity is logged and undone without further
//! code.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{CharacterId, EntityPart, EntityRef, Note, Part, Roll, Unfinished};
use tableside_rules::System;

/// One difference between two states of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    #[serde(rename = "of")]
    pub entity: EntityRef,
    #[serde(default, skip_serializing_if = "Part::is_whole")]
    pub part: Part,
    /// The index of an added or removed entity in its list.
    #[serde(
        default,
        rename = "at",
        skip_serializing_if = "tableside_rules::is_default"
    )]
    pub index: usize,
    /// The value before the change, null if there was none.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub from: Json,
    /// The value after the change, null if the change removed it.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub to: Json,
}

impl Change {
    /// Creates a change of a part of an entity.
    pub fn new(entity: EntityRef, part: Part, from: impl Into<Json>, to: impl Into<Json>) -> Self {
        Self {
            entity,
            part,
            index: 0,
            from: from.into(),
            to: to.into(),
        }
    }

    /// True if the change is about this part, or added or removed its entity.
    pub fn touches(&self, target: &EntityPart) -> bool {
        self.entity == target.entity && (self.part == target.part || self.part.is_whole())
    }

    /// True if the change is about this part of this entity.
    pub fn is_of(&self, entity: EntityRef, part: &Part) -> bool {
        self.entity == entity && self.part == *part
    }

    /// True if the change added its entity.
    pub fn is_addition(&self) -> bool {
        self.part.is_whole() && self.from.is_null() && !self.to.is_null()
    }

    /// True if the change removed its entity.
    pub fn is_removal(&self) -> bool {
        self.part.is_whole() && self.to.is_null() && !self.from.is_null()
    }

    /// Returns the changed stat of a sheet, and the character.
    pub fn stat(&self) -> Option<(CharacterId, &str)> {
        match (self.entity, &self.part) {
            (EntityRef::Character(who), Part::Stat(id)) => Some((who, id)),
            _ => None,
        }
    }

    /// True if the change is about recent harm, or about a stat that shows a character's state, such as hit points.
    pub fn tells_state(&self, system: System) -> bool {
        match &self.part {
            Part::RecentHarms | Part::RecentHarm(_) => true,
            Part::Stat(id) => {
                let mut state_stats = system.spec().stats.iter().filter(|stat| stat.state);
                state_stats.any(|stat| stat.id == *id)
            }
            _ => false,
        }
    }

    /// Returns the rules that the change puts into force.
    pub fn new_rules(&self) -> Option<System> {
        if self.is_of(EntityRef::Rules, &Part::System) {
            self.after()
        } else {
            None
        }
    }

    /// Returns the waiting roll that the change removed.
    pub fn waiting_before(&self) -> Option<Unfinished> {
        if matches!(self.entity, EntityRef::Unfinished(_)) && self.is_removal() {
            self.before()
        } else {
            None
        }
    }

    /// Returns the waiting roll that the change added.
    pub fn waiting_after(&self) -> Option<Unfinished> {
        if matches!(self.entity, EntityRef::Unfinished(_)) && self.is_addition() {
            self.after()
        } else {
            None
        }
    }

    /// Returns the note that the change added or removed.
    pub fn note_before_or_after(&self) -> Option<Note> {
        if matches!(self.entity, EntityRef::Note(_)) && self.part.is_whole() {
            self.after().or_else(|| self.before())
        } else {
            None
        }
    }

    /// Returns the roll as it was before this change of a waiting roll.
    pub fn waited(&self) -> Option<Roll> {
        Roll::deserialize(self.from.get("roll").unwrap_or(&self.from)).ok()
    }

    /// Returns the value before the change, if it is a `T`.
    pub fn before<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&self.from).ok()
    }

    /// Returns the value after the change, if it is a `T`.
    pub fn after<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&self.to).ok()
    }

    /// Returns the values before and after the change, as far as they can be read as a `T`.
    pub fn sides<T: DeserializeOwned>(&self) -> impl Iterator<Item = T> {
        self.before().into_iter().chain(self.after())
    }
}

/// The changes of one entity within an event.
pub(super) struct EntityChanges<'a> {
    pub(super) entity: EntityRef,
    pub(super) changes: Vec<&'a Change>,
}

/// Groups changes by entity, in the order in which the entities first appear.
pub(super) fn group_by_entity(changes: &[Change]) -> Vec<EntityChanges<'_>> {
    let mut groups: Vec<EntityChanges<'_>> = Vec::new();
    for change in changes {
        let group = groups
            .iter_mut()
            .find(|group| group.entity == change.entity);
        match group {
            Some(group) => group.changes.push(change),
            None => groups.push(EntityChanges {
                entity: change.entity,
                changes: vec![change],
            }),
        }
    }
    groups
}
