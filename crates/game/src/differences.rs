//! Comparing two states of a game.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::stored_form::to_json;
use super::{Change, CharacterId, EntityRef, Game, Part, SharedList};

/// Returns every change that turns one state of a game into another.
pub fn differences(before: &Game, after: &Game) -> Vec<Change> {
    let mut comparison = Comparison::new(before, after);

    comparison.compare_shared(|game| &game.pools, |pool| EntityRef::Pool(pool.id));
    comparison.compare_clocks();
    comparison.compare_shared(
        |game| &game.roster,
        |character| EntityRef::Character(character.id),
    );
    comparison.compare_lists(|game| &game.prepared, |scene| EntityRef::Prepared(scene.id));
    comparison.compare_shared(|game| &game.notes, |note| EntityRef::Note(note.id));
    comparison.compare_lists(|game| &game.calls, |call| EntityRef::Call(call.id));
    comparison.compare_lists(
        |game| &game.unfinished,
        |waiting| EntityRef::Unfinished(waiting.id),
    );
    comparison.compare_host_requests();
    comparison.compare_settings();
    comparison.changes
}

/// Returns the changes of clocks and of requests to the host. A tick changes nothing else.
pub(super) fn tick_differences(before: &Game, after: &Game) -> Vec<Change> {
    let mut comparison = Comparison::new(before, after);

    comparison.compare_clocks();
    comparison.compare_host_requests();
    comparison.changes
}

/// Two states of a game, and the changes that were found between them.
struct Comparison<'a> {
    before: &'a Game,
    after: &'a Game,
    changes: Vec<Change>,
}

impl<'a> Comparison<'a> {
    fn new(before: &'a Game, after: &'a Game) -> Self {
        Self {
            before,
            after,
            changes: Vec::new(),
        }
    }

    fn compare_clocks(&mut self) {
        self.compare_shared(|game| &game.clocks, |clock| EntityRef::Clock(clock.id));
    }

    fn compare_host_requests(&mut self) {
        self.compare_lists(
            |game| &game.host_requests,
            |request| EntityRef::HostRequest(request.id),
        );
    }

    /// Compares the parts of the game that are not lists of entities.
    fn compare_settings(&mut self) {
        for entity in changed_settings(self.before, self.after) {
            let before = self.before.stored(entity);
            let after = self.after.stored(entity);
            compare(entity, &before, &after, &mut self.changes);
        }
    }

    /// Adds the changes of a list that copies of the game share. An unchanged list has the same elements in both games.
    fn compare_shared<T: PartialEq + Serialize + 'a>(
        &mut self,
        list: impl Fn(&'a Game) -> &'a SharedList<T>,
        entity_ref: impl Fn(&T) -> EntityRef,
    ) {
        let before = list(self.before);
        let after = list(self.after);
        if before.is_copy_of(after) {
            return;
        }

        let before: Vec<&T> = before.iter().collect();
        let after: Vec<&T> = after.iter().collect();
        self.compare_elements(&before, &after, entity_ref);
    }

    fn compare_lists<T: PartialEq + Serialize + 'a>(
        &mut self,
        list: impl Fn(&'a Game) -> &'a [T],
        entity_ref: impl Fn(&T) -> EntityRef,
    ) {
        let before: Vec<&T> = list(self.before).iter().collect();
        let after: Vec<&T> = list(self.after).iter().collect();
        self.compare_elements(&before, &after, entity_ref);
    }

    /// Adds the changes of a list of entities.
    ///
    /// Removals come first, from the last entity to the first, and additions go from the first to the last. Each index
    /// is then right when the changes are applied in order, and when they are undone in reverse order.
    fn compare_elements<T: PartialEq + Serialize>(
        &mut self,
        before: &[&T],
        after: &[&T],
        entity_ref: impl Fn(&T) -> EntityRef,
    ) {
        let is_shared = |index: usize| match (before.get(index), after.get(index)) {
            (Some(old), Some(new)) => std::ptr::eq(*old, *new),
            _ => false,
        };

        for (index, old) in before.iter().copied().enumerate().rev() {
            if is_shared(index) {
                continue;
            }
            let entity = entity_ref(old);
            let kept = find_near(after, index, |new| entity_ref(new) == entity);
            if kept.is_none() {
                self.changes.push(Change {
                    index,
                    ..Change::new(entity, Part::Whole, to_json(old), Json::Null)
                });
            }
        }

        for (index, new) in after.iter().copied().enumerate() {
            if is_shared(index) {
                continue;
            }
            let entity = entity_ref(new);
            match find_near(before, index, |old| entity_ref(old) == entity) {
                Some(old) if old == new => {}
                Some(old) => {
                    let old_form = to_json(old);
                    let new_form = to_json(new);
                    compare(entity, &old_form, &new_form, &mut self.changes);
                }
                None => self.changes.push(Change {
                    index,
                    ..Change::new(entity, Part::Whole, Json::Null, to_json(new))
                }),
            }
        }
    }
}

/// Returns the entities outside of the lists that may differ, such as locks, rules, the round and scenes.
fn changed_settings(before: &Game, after: &Game) -> Vec<EntityRef> {
    let mut entities = Vec::new();

    if before.locks != after.locks || before.gm_locks != after.gm_locks {
        let locked: BTreeSet<CharacterId> = before
            .locks
            .iter()
            .chain(&after.locks)
            .map(|(character, _)| *character)
            .collect();
        entities.extend(locked.into_iter().map(EntityRef::Lock));
    }

    if before.system != after.system {
        entities.push(EntityRef::Rules);
    } else if before.house != after.house {
        entities.push(EntityRef::House);
    }

    if before.round != after.round {
        entities.push(EntityRef::Round);
    }
    if before.followed != after.followed {
        entities.push(EntityRef::HostLog);
    }

    if before.lines_and_veils != after.lines_and_veils {
        entities.push(EntityRef::LinesAndVeils);
    }

    let session_count = before.sessions.len().max(after.sessions.len());
    for index in 0..session_count {
        if before.sessions.get(index) != after.sessions.get(index) {
            entities.push(EntityRef::Session(index));
        }
    }

    let scene_count = before.scenes.len().max(after.scenes.len());
    for index in 0..scene_count {
        if before.scenes.get(index) != after.scenes.get(index) {
            entities.push(EntityRef::Scene(index));
        }
    }
    entities
}

/// Finds an entity in a list. The entity usually has the same index as in the other list.
fn find_near<'a, T>(list: &[&'a T], index: usize, is_wanted: impl Fn(&T) -> bool) -> Option<&'a T> {
    match list.get(index).copied() {
        Some(entity) if is_wanted(entity) => Some(entity),
        _ => list.iter().copied().find(|entity| is_wanted(entity)),
    }
}

/// Adds a change for each part of an entity that differs between two stored forms.
pub(super) fn compare(entity: EntityRef, before: &Json, after: &Json, changes: &mut Vec<Change>) {
    if before.is_null() || after.is_null() {
        let old = before.clone();
        let new = after.clone();
        changes.push(Change::new(entity, Part::Whole, old, new));
        return;
    }
    compare_fields(entity, "", before, after, changes);
}

/// Compares the fields of a JSON object within an entity. Stats, gains and recent harm are compared one by one.
fn compare_fields(
    entity: EntityRef,
    parent: &str,
    before: &Json,
    after: &Json,
    changes: &mut Vec<Change>,
) {
    let empty = Map::new();
    let old_fields = before.as_object().unwrap_or(&empty);
    let new_fields = after.as_object().unwrap_or(&empty);

    let added_keys = new_fields
        .keys()
        .filter(|key| !old_fields.contains_key(*key));
    for key in old_fields.keys().chain(added_keys) {
        let old = old_fields.get(key).unwrap_or(&Json::Null);
        let new = new_fields.get(key).unwrap_or(&Json::Null);
        if is_same(old, new) {
            continue;
        }

        let pointer = format!("{parent}/{key}");
        let has_both = !old.is_null() && !new.is_null();
        let by_field = match pointer.as_str() {
            "/sheet" | "/gains" => has_both,
            // A character without recent harm has no such object.
            "/fresh" => true,
            _ => false,
        };
        if by_field {
            compare_fields(entity, &pointer, old, new, changes);
        } else {
            let part = Part::from(pointer);
            changes.push(Change::new(entity, part, old.clone(), new.clone()));
        }
    }
}

/// True if two values have the same text. The order of keys counts, because ranks are kept in their order.
fn is_same(left: &Json, right: &Json) -> bool {
    if left != right {
        return false;
    }
    if !has_order(left) {
        return true;
    }

    let left_text = left.to_string();
    let right_text = right.to_string();
    left_text == right_text
}

fn has_order(value: &Json) -> bool {
    value.is_object() || value.is_array()
}
