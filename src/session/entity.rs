//! What characters, clocks, pools, prepared scenes, calls and waiting checks have in common: a number, a name,
//! and parts that are read and set by their names in files.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::change::{Change, json, part, stat_of};
use super::{Call, Character, Clock, Prepared, Subject, TokenPool, Unfinished};
use crate::rules::{Sheet, Value};

pub(super) trait Entity: Clone + PartialEq + Serialize + DeserializeOwned {
    fn subject(&self) -> Subject;

    fn name(&self) -> &str;

    /// Brings within its bounds what is beyond them.
    fn settle(&mut self) {}

    /// Sets a part, if it takes that; returns whether it does.
    fn set(&mut self, part: &str, to: &Json) -> bool {
        set_as_written(self, part, to)
    }
}

impl Entity for Character {
    fn subject(&self) -> Subject {
        Subject::Character(self.id)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn set(&mut self, part: &str, to: &Json) -> bool {
        let Some(stat) = stat_of(part) else {
            // On its way from one state to another a sheet need not hold together: it is set aside.
            let empty = Sheet::new(self.sheet.system());
            let sheet = std::mem::replace(&mut self.sheet, empty);
            let is_set = set_as_written(self, part, to);
            self.sheet = sheet;
            return is_set;
        };
        let value = serde_json::from_value::<Value>(to.clone()).ok();
        value.is_some_and(|value| self.sheet.record(stat, value).is_ok())
    }
}

impl Entity for Clock {
    fn subject(&self) -> Subject {
        Subject::Clock(self.id)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn settle(&mut self) {
        self.filled = self.filled.min(self.segments.count());
    }
}

impl Entity for TokenPool {
    fn subject(&self) -> Subject {
        Subject::Pool(self.id)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn settle(&mut self) {
        self.tokens = self.within(self.tokens);
    }
}

impl Entity for Prepared {
    fn subject(&self) -> Subject {
        Subject::Prepared(self.id)
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Entity for Call {
    fn subject(&self) -> Subject {
        Subject::Call(self.id)
    }

    fn name(&self) -> &'static str {
        "that call"
    }
}

impl Entity for Unfinished {
    fn subject(&self) -> Subject {
        Subject::Unfinished(self.id)
    }

    fn name(&self) -> &'static str {
        "that check"
    }
}

/// A list changed by what concerns one thing of it: `step` makes of what is there, if it is, what is there
/// after a change.
pub(super) fn change_in<T: Entity, E>(
    list: &mut Vec<T>,
    of: Subject,
    changes: &[&Change],
    step: impl Fn(Option<T>, &Change) -> Result<Option<T>, E>,
) -> Result<(), E> {
    let place = list.iter().position(|one| one.subject() == of);
    let mut now = place.and_then(|place| list.get(place)).cloned();
    let mut at = list.len();
    for change in changes {
        now = step(now, change)?;
        if change.part.is_empty() {
            at = change.at;
        }
    }
    // Only now: bounds may change with what they bound.
    now.iter_mut().for_each(Entity::settle);
    match (now, place) {
        (Some(now), Some(place)) => list[place] = now,
        (Some(now), None) => list.insert(at.min(list.len()), now),
        (None, Some(place)) => {
            list.remove(place);
        }
        (None, None) => {}
    }
    Ok(())
}

/// Puts a thing in the place of the one that has its number.
pub(super) fn replace<T: Entity>(list: &mut [T], thing: T) {
    let mut known = list.iter_mut();
    if let Some(known) = known.find(|known| known.subject() == thing.subject()) {
        *known = thing;
    }
}

/// Every part that differs, with what it was and is.
pub(super) fn difference(from: &Json, to: &Json) -> Vec<(String, (Json, Json))> {
    let mut parts = Vec::new();
    compare("", from, to, &mut parts);
    parts
}

fn compare(name: &str, from: &Json, to: &Json, parts: &mut Vec<(String, (Json, Json))>) {
    match (name, from, to) {
        ("" | part::SHEET | "/gains", Json::Object(from), Json::Object(to)) => {
            compare_keys(name, (from, to), parts);
        }
        // Each number by itself, also where there was none before.
        (part::FRESH, from, to) => {
            let side = |side: &Json| side.as_object().cloned().unwrap_or_default();
            compare_keys(name, (&side(from), &side(to)), parts);
        }
        // As text: the order of ranks counts, too.
        _ if from != to || written(from) != written(to) => {
            parts.push((name.to_owned(), (from.clone(), to.clone())));
        }
        _ => {}
    }
}

fn written(side: &Json) -> String {
    side.to_string()
}

fn compare_keys(
    name: &str,
    (from, to): (&Map<String, Json>, &Map<String, Json>),
    parts: &mut Vec<(String, (Json, Json))>,
) {
    let new = to.keys().filter(|key| !from.contains_key(*key));
    for key in from.keys().chain(new) {
        let side = |side: &Map<String, Json>| side.get(key).cloned().unwrap_or_default();
        compare(&format!("{name}/{key}"), &side(from), &side(to), parts);
    }
}

fn set_as_written<T: Serialize + DeserializeOwned>(thing: &mut T, part: &str, to: &Json) -> bool {
    let mut whole = json(thing);
    put(&mut whole, part, to.clone());
    serde_json::from_value(whole)
        .map(|read| *thing = read)
        .is_ok()
}

/// Sets what a pointer points at; null takes it away.
fn put(whole: &mut Json, part: &str, to: Json) {
    let Some((outer, key)) = part.rsplit_once('/') else {
        return;
    };
    if whole.pointer(outer).is_none() && !to.is_null() {
        put(whole, outer, Json::Object(Map::new()));
    }
    if let Some(Json::Object(outer)) = whole.pointer_mut(outer) {
        match to {
            Json::Null => outer.remove(key),
            to => outer.insert(key.to_owned(), to),
        };
    }
}
