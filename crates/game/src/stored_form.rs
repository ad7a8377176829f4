//! The stored form of the entities of a game: JSON, as in events and saved games.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::{CharacterId, Departed, EndedSession, EntityRef, Game, Part, Scene, SharedList};
use tableside_rules::{HouseRules, System, Value};

/// Returns the stored form of a value.
pub(super) fn to_json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).expect("every part of a game has a form in JSON")
}

impl Game {
    /// Returns the stored form of an entity, null if the game does not have it.
    pub(super) fn stored(&self, entity: EntityRef) -> Json {
        match entity {
            EntityRef::Character(id) => to_json(&self.character(id)),
            EntityRef::Clock(id) => to_json(&self.clock(id)),
            EntityRef::Pool(id) => to_json(&self.pool(id)),
            EntityRef::Prepared(id) => to_json(&self.prepared(id)),
            EntityRef::Call(id) => to_json(&self.call(id)),
            EntityRef::Unfinished(id) => to_json(&self.unfinished(id)),
            EntityRef::HostRequest(id) => {
                let mut requests = self.host_requests.iter();
                let request = requests.find(|request| request.id == id);
                to_json(&request)
            }
            EntityRef::Scene(index) => to_json(&self.scenes.get(index)),
            EntityRef::Lock(character) => json!({
                "about": locks_of(&self.locks, character),
                "by-gm": locks_of(&self.gm_locks, character),
            }),
            EntityRef::House => {
                let mut values = Map::new();
                for rule in self.system.spec().house {
                    let value = self.house.value(rule);
                    values.insert(rule.id.to_owned(), to_json(&value));
                }
                Json::Object(values)
            }
            EntityRef::Rules => json!({ "system": self.system, "house": self.house }),
            EntityRef::Note(id) => to_json(&self.note(id)),
            EntityRef::LinesAndVeils => json!({ "text": self.lines_and_veils }),
            EntityRef::Session(index) => to_json(&self.sessions.get(index)),
            EntityRef::Round => json!({ "round": self.round }),
            EntityRef::HostLog => json!({ "followed": self.followed }),
        }
    }

    /// Replaces an entity by its [stored form](Self::stored). A new entity is inserted into its list at `index`. Null
    /// removes the entity.
    ///
    /// The caller restores the bounds and the order of the game afterwards with [`Game::normalise`].
    ///
    /// # Errors
    /// Returns an error if the stored form is not valid under the rules of the game. The entity then stays unchanged.
    pub(super) fn restore(
        &mut self,
        entity: EntityRef,
        index: usize,
        stored: &Json,
    ) -> serde_json::Result<()> {
        match entity {
            EntityRef::Character(id) => self.restore_character(id, index, stored)?,
            EntityRef::Clock(id) => {
                restore_in(&mut self.clocks, |clock| clock.id == id, index, stored)?;
            }
            EntityRef::Pool(id) => {
                restore_in(&mut self.pools, |pool| pool.id == id, index, stored)?;
            }
            EntityRef::Prepared(id) => {
                restore_in(&mut self.prepared, |scene| scene.id == id, index, stored)?;
            }
            EntityRef::Call(id) => {
                restore_in(&mut self.calls, |call| call.id == id, index, stored)?;
            }
            EntityRef::Unfinished(id) => {
                let is_wanted = |waiting: &super::Unfinished| waiting.id == id;
                restore_in(&mut self.unfinished, is_wanted, index, stored)?;
            }
            EntityRef::HostRequest(id) => {
                restore_in(&mut self.host_requests, |ask| ask.id == id, index, stored)?;
            }
            EntityRef::Scene(index) => self.restore_scene(index, stored)?,
            EntityRef::Lock(character) => {
                let locks = read_locks(stored, &Part::Locks)?;
                let gm_locks = read_locks(stored, &Part::GmLocks)?;
                replace_locks(&mut self.locks, character, locks);
                replace_locks(&mut self.gm_locks, character, gm_locks);
            }
            EntityRef::House => {
                let values = BTreeMap::<String, Value>::deserialize(stored)?;
                for (rule, value) in values {
                    // An event may name a rule that this version of the system no longer has.
                    let _unknown_rule = self.house.set(self.system, &rule, value);
                }
            }
            EntityRef::Rules => {
                let system = System::deserialize(&stored["system"])?;
                let house = HouseRules::deserialize(&stored["house"])?;
                self.system = system;
                self.house = house;
            }
            EntityRef::Note(id) => {
                restore_in(&mut self.notes, |note| note.id == id, index, stored)?;
            }
            EntityRef::LinesAndVeils => {
                self.lines_and_veils = String::deserialize(&stored["text"])?;
            }
            EntityRef::Session(index) => self.restore_session(index, stored)?,
            EntityRef::Round => self.round = u32::deserialize(&stored["round"])?,
            EntityRef::HostLog => self.followed = u64::deserialize(&stored["followed"])?,
        }

        // An ID is never given twice, not even after its entity is removed.
        self.next_id = self.next_id.max(entity.number().saturating_add(1));
        Ok(())
    }

    /// Restores a character, and remembers a removed one for the log.
    fn restore_character(
        &mut self,
        id: CharacterId,
        index: usize,
        stored: &Json,
    ) -> serde_json::Result<()> {
        let before = self.character(id).map(Departed::from);
        restore_in(
            &mut self.roster,
            |character| character.id == id,
            index,
            stored,
        )?;

        self.departed.retain(|departed| departed.id != id);
        if self.character(id).is_none() {
            self.departed.extend(before);
        }
        Ok(())
    }

    /// Restores a scene. The first scene is never removed.
    fn restore_scene(&mut self, index: usize, stored: &Json) -> serde_json::Result<()> {
        let is_known = index < self.scenes.len();
        match Option::<Scene>::deserialize(stored)? {
            Some(scene) if is_known => self.scenes[index] = scene,
            Some(scene) => self.scenes.push(scene),
            None if is_known && index > 0 => {
                self.scenes.remove(index);
            }
            None => {}
        }
        Ok(())
    }

    fn restore_session(&mut self, index: usize, stored: &Json) -> serde_json::Result<()> {
        let is_known = index < self.sessions.len();
        match Option::<EndedSession>::deserialize(stored)? {
            Some(session) if is_known => self.sessions[index] = session,
            Some(session) => self.sessions.push(session),
            None if is_known => {
                self.sessions.remove(index);
            }
            None => {}
        }
        Ok(())
    }

    /// Restores the bounds of clocks and pools and the order of calls and waiting rolls, after entities were
    /// restored. A bound may have changed together with the value that it bounds.
    pub(super) fn normalise(&mut self) {
        self.clocks.change_where(
            |clock| clock.filled > clock.segments.count(),
            |clock| clock.filled = clock.segments.count(),
        );
        self.clamp_pools();
        self.calls.sort_by_key(|call| call.id);
        self.unfinished.sort_by_key(|waiting| waiting.id);
    }
}

/// A list of entities that events change.
trait EntityList<T> {
    fn as_iter<'a>(&'a self) -> impl ExactSizeIterator<Item = &'a T>
    where
        T: 'a;
    fn replace_at(&mut self, position: usize, entity: T);
    fn insert_at(&mut self, position: usize, entity: T);
    fn remove_at(&mut self, position: usize);
}

impl<T> EntityList<T> for Vec<T> {
    fn as_iter<'a>(&'a self) -> impl ExactSizeIterator<Item = &'a T>
    where
        T: 'a,
    {
        self.iter()
    }

    fn replace_at(&mut self, position: usize, entity: T) {
        self[position] = entity;
    }

    fn insert_at(&mut self, position: usize, entity: T) {
        self.insert(position, entity);
    }

    fn remove_at(&mut self, position: usize) {
        self.remove(position);
    }
}

impl<T: Clone> EntityList<T> for SharedList<T> {
    fn as_iter<'a>(&'a self) -> impl ExactSizeIterator<Item = &'a T>
    where
        T: 'a,
    {
        self.iter()
    }

    fn replace_at(&mut self, position: usize, entity: T) {
        self.replace(position, entity);
    }

    fn insert_at(&mut self, position: usize, entity: T) {
        self.insert(position, entity);
    }

    fn remove_at(&mut self, position: usize) {
        self.remove(position);
    }
}

/// Replaces, inserts or removes an entity of a list.
fn restore_in<T: DeserializeOwned>(
    list: &mut impl EntityList<T>,
    is_wanted: impl Fn(&T) -> bool,
    index: usize,
    stored: &Json,
) -> serde_json::Result<()> {
    let position = list.as_iter().position(is_wanted);
    let entity = Option::<T>::deserialize(stored)?;
    match (entity, position) {
        (Some(entity), Some(position)) => list.replace_at(position, entity),
        (Some(entity), None) => {
            let insert_at = index.min(list.as_iter().len());
            list.insert_at(insert_at, entity);
        }
        (None, Some(position)) => list.remove_at(position),
        (None, None) => {}
    }
    Ok(())
}

/// Returns the attempts that a character may not repeat.
fn locks_of(locks: &[(CharacterId, String)], character: CharacterId) -> Vec<&str> {
    locks
        .iter()
        .filter(|(locked, _)| *locked == character)
        .map(|(_, about)| about.as_str())
        .collect()
}

fn read_locks(stored: &Json, part: &Part) -> serde_json::Result<Vec<String>> {
    let value = part.value_in(stored);
    let locks = Option::<Vec<String>>::deserialize(value)?;
    Ok(locks.unwrap_or_default())
}

fn replace_locks(
    locks: &mut Vec<(CharacterId, String)>,
    character: CharacterId,
    abouts: Vec<String>,
) {
    locks.retain(|(locked, _)| *locked != character);
    for about in abouts {
        locks.push((character, about));
    }
    locks.sort();
}
