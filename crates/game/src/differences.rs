//! Comparing two states of a game.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::stored_form::to_json;
use super::{Change, CharacterId, EntityRef, Game, Part};

/// Returns every change that turns one state of a game into another.
pub fn differences(before: &Game, after: &Game) -> Vec<Change> {
    let mut changes = Vec::new();

    compare_lists(&before.pools, &after.pools, &mut changes, |pool| {
        EntityRef::Pool(pool.id)
    });
    compare_lists(&before.clocks, &after.clocks, &mut changes, |clock| {
        EntityRef::Clock(clock.id)
    });
    compare_lists(&before.roster, &after.roster, &mut changes, |character| {
        EntityRef::Character(character.id)
    });
    compare_lists(&before.prepared, &after.prepared, &mut changes, |scene| {
        EntityRef::Prepared(scene.id)
    });
    if !Arc::ptr_eq(&before.notes, &after.notes) {
        compare_lists(&before.notes, &after.notes, &mut changes, |note| {
            EntityRef::Note(note.id)
        });
    }
    compare_lists(&before.calls, &after.calls, &mut changes, |call| {
        EntityRef::Call(call.id)
    });
    compare_lists(
        &before.unfinished,
        &after.unfinished,
        &mut changes,
        |waiting| EntityRef::Unfinished(waiting.id),
    );
    compare_lists(
        &before.host_requests,
        &after.host_requests,
        &mut changes,
        |ask| EntityRef::HostRequest(ask.id),
    );

    for entity in changed_settings(before, after) {
        let (before, after) = (before.stored(entity), after.stored(entity));
        compare(entity, &before, &after, &mut changes);
    }
    changes
}

/// Returns the changes of clocks and of requests to the host, which are all that a tick can change.
pub(super) fn tick_differences(before: &Game, after: &Game) -> Vec<Change> {
    let mut changes = Vec::new();

    compare_lists(&before.clocks, &after.clocks, &mut changes, |clock| {
        EntityRef::Clock(clock.id)
    });
    compare_lists(
        &before.host_requests,
        &after.host_requests,
        &mut changes,
        |request| EntityRef::HostRequest(request.id),
    );
    changes
}

/// Returns the entities outside of the lists that may differ: locks, rules, the round and scenes.
fn changed_settings(before: &Game, after: &Game) -> Vec<EntityRef> {
    let mut entities = Vec::new();

    if before.locks != after.locks || before.gm_locks != after.gm_locks {
        let all_locks = before.locks.iter().chain(&after.locks);
        let locked: BTreeSet<CharacterId> = all_locks.map(|(character, _)| *character).collect();
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

/// Adds the changes of a list of entities.
///
/// Removals come first, from the last entity to the first, and additions go from the first to the last. Each index is
/// then right when the changes are applied in order, and when they are undone in reverse order.
fn compare_lists<T: PartialEq + Serialize>(
    before: &[T],
    after: &[T],
    changes: &mut Vec<Change>,
    entity_ref: impl Fn(&T) -> EntityRef,
) {
    for (index, old) in before.iter().enumerate().rev() {
        let entity = entity_ref(old);
        if find_near(after, index, |new| entity_ref(new) == entity).is_none() {
            changes.push(Change {
                index,
                ..Change::new(entity, Part::Whole, to_json(old), Json::Null)
            });
        }
    }

    for (index, new) in after.iter().enumerate() {
        let entity = entity_ref(new);
        match find_near(before, index, |old| entity_ref(old) == entity) {
            Some(old) if old == new => {}
            Some(old) => compare(entity, &to_json(old), &to_json(new), changes),
            None => changes.push(Change {
                index,
                ..Change::new(entity, Part::Whole, Json::Null, to_json(new))
            }),
        }
    }
}

/// Finds an entity in a list. It usually has the same index as in the other list.
fn find_near<T>(list: &[T], index: usize, is_wanted: impl Fn(&T) -> bool) -> Option<&T> {
    match list.get(index) {
        Some(entity) if is_wanted(entity) => Some(entity),
        _ => list.iter().find(|entity| is_wanted(entity)),
    }
}

/// Adds a change for each part of an entity that differs between two stored forms.
pub(super) fn compare(entity: EntityRef, before: &Json, after: &Json, changes: &mut Vec<Change>) {
    if before.is_null() || after.is_null() {
        changes.push(Change::new(
            entity,
            Part::Whole,
            before.clone(),
            after.clone(),
        ));
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
    let before = before.as_object().unwrap_or(&empty);
    let after = after.as_object().unwrap_or(&empty);

    let new_keys = after.keys().filter(|key| !before.contains_key(*key));
    for key in before.keys().chain(new_keys) {
        let old = before.get(key).unwrap_or(&Json::Null);
        let new = after.get(key).unwrap_or(&Json::Null);
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

/// True if two values are written the same. The order of keys counts, because ranks are kept in their order.
fn is_same(left: &Json, right: &Json) -> bool {
    if left != right {
        return false;
    }
    if !has_order(left) {
        return true;
    }

    let (left, right) = (left.to_string(), right.to_string());
    left == right
}

fn has_order(value: &Json) -> bool {
    value.is_object() || value.is_array()
}
