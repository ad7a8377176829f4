//! One event with its number, its time, and who did it: an entry of the log.

use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::SeatId;
use crate::dice::notation::{Fate, RolledDie};
use crate::rules::{Fields, Outcome, System};
use crate::session::{Event, EventKind, Origin, Roll, Subject};

/// One event as it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its place in the history, from 1.
    pub number: u64,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// Who did it, as people read it.
    pub by: String,
    /// The seat that did it.
    pub seat: SeatId,
    pub event: Event,
    #[serde(skip)]
    reading: Reading,
}

/// What a resolved check says, once somebody has asked: it follows from its faces, and is the same ever after.
#[derive(Clone, Debug, Default)]
struct Reading(OnceLock<Option<Box<Outcome>>>);

impl PartialEq for Reading {
    fn eq(&self, _other: &Self) -> bool {
        // It follows from the event.
        true
    }
}

impl Entry {
    /// An entry as it was recorded, of that seat.
    pub fn new(
        number: u64,
        at: DateTime<Utc>,
        (by, seat): (impl Into<String>, SeatId),
        event: Event,
    ) -> Self {
        Self {
            number,
            at,
            by: by.into(),
            seat,
            event,
            reading: Reading::default(),
        }
    }

    /// What it says, where it is a resolved check that holds together; it is worked out once. The effects are
    /// those of the rules; what was booked stands in the roll.
    pub fn reading(&self, system: System) -> Option<&Outcome> {
        let read = || {
            let roll = self.event.what.resolved()?;
            roll.derive(system).ok().map(Box::new)
        };
        self.reading.0.get_or_init(read).as_deref()
    }

    /// The check, where it is one.
    pub fn roll(&self) -> Option<&Roll> {
        self.event.what.roll()
    }
}

/// A resolved check as `roll --json` shows it.
pub fn roll_json(
    fields: &Fields,
    sources: &[(String, Origin)],
    outcome: &Outcome,
    roll: &[crate::rules::Answer],
) -> Json {
    let spec = fields.spec();
    let shown = fields.shown();
    let shown = shown.map(|(name, value)| (name.to_owned(), to_json(value)));
    let mut json = object(json!({
        "system": spec.system,
        "check": spec.id,
        "fields": shown.collect::<Map<_, _>>(),
    }));
    if !sources.is_empty() {
        let sources = sources
            .iter()
            .map(|(field, source)| (field.clone(), json!(source.to_string())));
        json.insert("sources".into(), Json::Object(sources.collect()));
    }
    let dice = outcome.dice.iter().map(|die| {
        let mut shown = object(json!({"die": die.die, "face": die.face}));
        shown.extend(die.value.map(|value| ("value".to_owned(), json!(value))));
        shown.insert("kept".into(), json!(die.kept));
        shown.insert("role".into(), json!(die.role.name()));
        let replaces = die.replaces;
        shown.extend(replaces.map(|place| ("replaces".to_owned(), json!(place))));
        Json::Object(shown)
    });
    json.insert("dice".into(), dice.collect());
    let choices = roll.iter().filter_map(|answer| match answer {
        crate::rules::Answer::Chose { choice, chose, by } => {
            Some(json!({"choice": choice, "chose": chose, "by": by}))
        }
        crate::rules::Answer::Faces(_) => None,
    });
    json.insert("choices".into(), choices.collect());
    json.insert("total".into(), json!(outcome.total));
    json.insert("target".into(), json!(outcome.target));
    json.insert("outcome".into(), json!(spec.outcome(outcome.outcome).id));
    if let Some(success) = outcome.success {
        json.insert("success".into(), json!(success));
    }
    for (key, value) in &outcome.keys {
        json.insert((*key).to_owned(), to_json(value));
    }
    json.insert("effects".into(), to_json(&outcome.effects));
    Json::Object(json)
}

/// Free dice as `roll dice --json` shows them.
pub fn thrown_json(notation: &str, dice: &[RolledDie], total: i64) -> Json {
    let dice = dice.iter().map(|die| {
        let mut shown = object(json!({
            "die": format!("d{}", die.sides),
            "face": die.face,
            "kept": die.fate == Fate::Kept,
        }));
        if die.fate == Fate::Rerolled {
            shown.insert("rerolled".into(), json!(true));
        }
        if die.chain {
            shown.insert("chain".into(), json!(true));
        }
        Json::Object(shown)
    });
    json!({"notation": notation, "dice": dice.collect::<Vec<_>>(), "total": total})
}

/// An entry as `log --json` shows it.
pub fn log_json(entry: &Entry, scene: &str, is_struck: bool, system: System) -> Json {
    let mut json = object(json!({
        "number": entry.number,
        "at": entry.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        "scene": scene,
        "by": entry.by,
        "kind": entry.event.what.kind(),
    }));
    let (hidden_from, _) = entry.event.what.hidden_from();
    if let Some(roll) = entry.event.what.resolved() {
        json.insert("who".into(), json!(roll.who));
        json.insert("hidden-from".into(), json!(hidden_from));
        if roll.noticed {
            json.insert("noticed".into(), json!(true));
        }
        json.insert("struck".into(), json!(is_struck));
        if let (Ok(fields), Ok(mut outcome)) = (roll.all_fields(system), roll.derive(system)) {
            // What followed is what was booked, with owners and within limits.
            outcome.effects.clone_from(&roll.effects);
            let resolved = roll_json(&fields, &roll.sources, &outcome, &roll.trail);
            json.insert("roll".into(), resolved);
        }
        match &entry.event.what {
            EventKind::Amended { entry, .. } => json.insert("amends".into(), json!(entry)),
            EventKind::Rerolled { entry, .. } => json.insert("rolls-again".into(), json!(entry)),
            _ => None,
        };
    } else {
        json.insert("hidden-from".into(), json!(hidden_from));
        json.insert("struck".into(), json!(is_struck));
        json.insert("text".into(), json!(entry.event.text(system)));
        match &entry.event.what {
            EventKind::Incomplete(roll) | EventKind::Abandoned(roll) => {
                let mut changes = entry.event.changes.iter();
                let waits = changes.find_map(|change| match change.of {
                    Subject::Unfinished(id) => Some(id),
                    _ => None,
                });
                json.insert("who".into(), json!(roll.who));
                json.insert("check".into(), json!(roll.check));
                json.insert("id".into(), json!(waits));
                return Json::Object(json);
            }
            EventKind::Thrown(thrown) => {
                json.insert("who".into(), json!(thrown.who));
                let dice = thrown.rolled().map_or_else(Vec::new, |rolled| rolled.dice);
                let thrown = thrown_json(&thrown.notation, &dice, thrown.total);
                json.extend(object(thrown));
                return Json::Object(json);
            }
            _ => {}
        }
        for keys in object(to_json(&entry.event.what)).into_values() {
            for (key, value) in object(keys).into_iter().filter(|(key, _)| key != "kind") {
                // `by` is the seat that did it, never how much it did.
                let key = if key == "by" { "amount" } else { &key };
                json.entry(key).or_insert(value);
            }
        }
    }
    Json::Object(json)
}

/// The keys of an object; none where it is none.
fn object(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(keys) => keys,
        _ => Map::new(),
    }
}

fn to_json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}
