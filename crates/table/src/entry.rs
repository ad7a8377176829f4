//! One event with its number, its time, and who did it: an entry of the log.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::SeatId;
use tableside_dice::notation::{Fate, RolledNotation};
use tableside_game::{Event, EventKind, Origin, Roll, Subject, Thrown, UnfinishedId};
use tableside_rules::{Answer, Fields, Outcome, System};

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
struct Reading {
    outcome: OnceLock<Option<Box<Outcome>>>,
    chance: OnceLock<Option<f64>>,
}

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
        self.reading.outcome.get_or_init(read).as_deref()
    }

    /// The chance of success that it had, where it is a resolved check that tells success from failure; it is
    /// worked out once. See [`Roll::chance`].
    pub fn chance(&self, system: System) -> Option<f64> {
        let weigh = || self.event.what.resolved()?.chance(system);
        *self.reading.chance.get_or_init(weigh)
    }

    /// Whether it is what one entry of the house came to here, and can be taken back there.
    pub(super) fn is_host_step(&self) -> bool {
        use EventKind::{Redone, Ticked, Undone};
        let what = &self.event.what;
        matches!(what, Ticked { .. } | Undone { .. } | Redone { .. })
            && self.event.host_entry().is_some()
    }

    /// Whether somebody did it in this game, so that it may be taken back there; what came from elsewhere in the house is
    /// taken back where it was done.
    pub fn is_an_act(&self) -> bool {
        let event = &self.event;
        let is_own = event.at.is_none() && matches!(event.what, EventKind::Ticked { .. });
        event.what.is_an_act() && (is_own || event.host_entry().is_none())
    }

    /// The check that it left waiting, or that waited before it.
    pub fn waits(&self) -> Option<UnfinishedId> {
        let mut changes = self.event.changes.iter();
        changes.find_map(|change| match change.of {
            Subject::Unfinished(id) => Some(id),
            _ => None,
        })
    }

    /// The check, where it is one.
    pub fn roll(&self) -> Option<&Roll> {
        self.event.what.roll()
    }
}

/// A resolved check as `roll --json` shows it.
pub fn roll_json(
    fields: &Fields,
    sources: &BTreeMap<String, Origin>,
    outcome: &Outcome,
    trail: &[Answer],
) -> Json {
    let spec = fields.spec();
    let shown = fields.shown();
    let shown = shown.map(|(name, value)| (name.to_owned(), to_json(&value)));
    let from = spec.fields.iter().filter_map(|field| {
        let source = sources.get(field.id)?;
        Some((field.id.to_owned(), json!(source.to_string())))
    });
    let dice = outcome.dice.iter().map(|die| {
        known(json!({
            "die": die.die,
            "face": die.face,
            "value": die.value,
            "kept": die.kept,
            "role": die.role.name(),
            "replaces": die.replaces,
        }))
    });
    let mut choices: Vec<&Answer> = trail.iter().collect();
    choices.retain(|answer| matches!(answer, Answer::Chose { .. }));
    let mut json = known(json!({
        "system": spec.system.id(),
        "check": spec.id,
        "fields": shown.collect::<Map<_, _>>(),
        "sources": (!sources.is_empty()).then(|| from.collect::<Map<_, _>>()),
        "dice": dice.collect::<Vec<_>>(),
        "choices": choices,
    }));
    // These two are null where the check has none.
    json.insert("total".into(), json!(outcome.total));
    json.insert("target".into(), json!(outcome.target));
    json.extend(known(json!({
        "outcome": spec.outcome(outcome.outcome).id,
        "success": outcome.success,
    })));
    // A reading of a system's file may be called like a key that every check has.
    let is_taken = |key| json.contains_key(key) || ["sources", "success", "effects"].contains(&key);
    let keys = outcome.keys.iter().map(|(key, value)| {
        let apart = if is_taken(key) { "read." } else { "" };
        (format!("{apart}{key}"), to_json(value))
    });
    let keys: Vec<_> = keys.collect();
    json.extend(keys);
    json.insert("effects".into(), to_json(&outcome.effects));
    Json::Object(json)
}

/// Free dice as `roll dice --json` shows them.
pub fn thrown_json(notation: &str, rolled: &RolledNotation) -> Json {
    let dice = rolled.dice.iter().map(|die| {
        known(json!({
            "die": format!("d{}", die.sides),
            "face": die.face,
            "kept": die.fate == Fate::Kept,
            "rerolled": (die.fate == Fate::Rerolled).then_some(true),
            "chain": die.chain.then_some(true),
        }))
    });
    let comment = notation
        .split_once('#')
        .map(|(_, comment)| comment.trim())
        .filter(|comment| !comment.is_empty());
    let totals = if rolled.repetitions.is_empty() {
        None
    } else {
        Some(rolled.totals())
    };
    Json::Object(known(json!({
        "notation": notation,
        "comment": comment,
        "dice": dice.collect::<Vec<_>>(),
        "totals": totals,
        "total": rolled.total,
    })))
}

/// An entry as `log --json` shows it.
pub fn log_json(entry: &Entry, scene: &str, is_struck: bool, system: System) -> Json {
    let what = &entry.event.what;
    let (hidden_from, _) = what.hidden_from();
    let resolved = what.resolved();
    let mut json = known(json!({
        "number": entry.number,
        "at": entry.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        "scene": scene,
        "by": entry.by,
        "kind": what.kind(),
        "who": resolved.map(|roll| &roll.who),
        "hidden-from": hidden_from,
        "noticed": resolved.filter(|roll| roll.noticed).map(|_| true),
        "struck": is_struck,
        "text": resolved.is_none().then(|| entry.event.text(system)),
    }));
    if let Some(roll) = resolved
        && let (Ok(fields), Ok(mut outcome)) = (roll.all_fields(system), roll.derive(system))
    {
        // What followed is what was booked, with owners and within limits.
        outcome.effects.clone_from(&roll.effects);
        let resolved = roll_json(&fields, &roll.sources, &outcome, &roll.trail);
        json.insert("roll".into(), resolved);
    }
    match what {
        EventKind::Rolled(_) => {}
        EventKind::Amended { entry, .. } => {
            json.insert("amends".into(), json!(entry));
        }
        EventKind::Rerolled { entry, .. } => {
            json.insert("rolls-again".into(), json!(entry));
        }
        EventKind::Incomplete(roll) | EventKind::Abandoned(roll) => {
            let id = entry.waits();
            let waiting = json!({"who": roll.who, "check": roll.check, "id": id});
            json.extend(object(waiting));
        }
        EventKind::Thrown(thrown) => {
            json.insert("who".into(), json!(thrown.who));
            let roll = |one: &Thrown| {
                let rolled = RolledNotation {
                    total: one.total,
                    ..one.rolled().unwrap_or_default()
                };
                let mut roll = object(thrown_json(&one.notation, &rolled));
                if !one.table.is_empty() {
                    roll.insert("table".into(), json!(one.table));
                    roll.insert("says".into(), json!(one.text));
                }
                roll
            };
            json.extend(roll(thrown));
            if !thrown.table.is_empty() {
                let then: Vec<_> = thrown.then.iter().map(roll).collect();
                json.insert("then".into(), json!(then));
            }
        }
        what => {
            for keys in object(to_json(what)).into_values() {
                for (key, value) in object(keys).into_iter().filter(|(key, _)| key != "kind") {
                    // `by` is the seat that did it, never how much it did.
                    let key = if key == "by" { "amount" } else { &key };
                    json.entry(key).or_insert(value);
                }
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

/// The keys of an object, but for those that are null.
fn known(json: Json) -> Map<String, Json> {
    let mut keys = object(json);
    keys.retain(|_, value| !value.is_null());
    keys
}

fn to_json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}
