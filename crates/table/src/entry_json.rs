//! Entries and rolls as JSON: `log --json`, `roll --json`, `do --json` and hooks.
//!
//! The documents are written straight from the entry, without a tree of JSON values between them, because an export of a
//! large log writes millions of values.

mod event_keys;

use std::collections::BTreeMap;

use chrono::SecondsFormat;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use super::Entry;
use event_keys::serialize_event_keys;
use tableside_dice::notation::{DieStatus, RolledDie, RolledNotation};
use tableside_dice::{Die, Face};
use tableside_game::{EventKind, InitiativeRoll, Origin, Readers, Roll, Thrown};
use tableside_rules::{Answer, Effect, Fields, Outcome, ShownDie, System};

/// A resolved check, as `roll --json` prints it.
#[derive(Clone, Copy, Debug)]
pub struct RollJson<'a> {
    /// All fields of the check.
    pub fields: &'a Fields,
    /// The sheets that values came from.
    pub sources: &'a BTreeMap<String, Origin>,
    pub outcome: &'a Outcome,
    /// The effects: those of the rules, or those that a game applied.
    pub effects: &'a [Effect],
    /// The dice and the answers.
    pub trail: &'a [Answer],
}

/// The keys of every roll. A value that a system file defines under the same name gets a prefix.
const ROLL_KEYS: [&str; 11] = [
    "system", "check", "fields", "sources", "dice", "choices", "total", "target", "outcome",
    "success", "effects",
];

impl Serialize for RollJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let spec = self.fields.spec();
        let outcome = self.outcome;

        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("system", spec.system.id())?;
        map.serialize_entry("check", spec.id)?;
        map.serialize_entry("fields", &FieldValues(self.fields))?;
        if !self.sources.is_empty() {
            map.serialize_entry("sources", &FieldSources(self))?;
        }
        let dice = outcome.dice.iter().map(DieJson::new);
        map.serialize_entry("dice", &List(dice))?;
        let choices = self.choices();
        map.serialize_entry("choices", &List(choices))?;
        // The total and the target are null if the check has none.
        map.serialize_entry("total", &outcome.total)?;
        map.serialize_entry("target", &outcome.target)?;
        let outcome_id = spec.outcome(outcome.outcome).id;
        map.serialize_entry("outcome", outcome_id)?;
        if let Some(success) = outcome.success {
            map.serialize_entry("success", &success)?;
        }
        for (key, value) in &outcome.keys {
            if ROLL_KEYS.contains(key) {
                map.serialize_entry(&format!("read.{key}"), value)?;
            } else {
                map.serialize_entry(key, value)?;
            }
        }
        map.serialize_entry("effects", self.effects)?;
        map.end()
    }
}

impl<'a> RollJson<'a> {
    fn choices(&self) -> impl Iterator<Item = &'a Answer> + Clone {
        self.trail
            .iter()
            .filter(|answer| matches!(answer, Answer::Chose { .. }))
    }
}

struct FieldValues<'a>(&'a Fields);

impl Serialize for FieldValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.shown())
    }
}

struct FieldSources<'a>(&'a RollJson<'a>);

impl Serialize for FieldSources<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RollJson {
            fields, sources, ..
        } = self.0;
        let mut map = serializer.serialize_map(None)?;
        for field in fields.spec().fields {
            if let Some(source) = sources.get(field.id) {
                map.serialize_entry(field.id, &source.to_string())?;
            }
        }
        map.end()
    }
}

/// A die of a check. The fields have the order of the keys in the JSON.
#[derive(Serialize)]
struct DieJson {
    die: Die,
    face: Face,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Face>,
    kept: bool,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<usize>,
}

impl DieJson {
    fn new(shown: &ShownDie) -> Self {
        Self {
            die: shown.die,
            face: shown.face,
            value: shown.value,
            kept: shown.kept,
            role: shown.role.name(),
            replaces: shown.replaces,
        }
    }
}

/// Free dice, as `roll dice --json` prints them.
#[derive(Clone, Copy, Debug)]
pub struct FreeDiceJson<'a> {
    pub notation: &'a str,
    pub rolled: &'a RolledNotation,
}

impl FreeDiceJson<'_> {
    /// Adds the keys to a JSON object that has other keys, too.
    fn serialize_keys<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("notation", self.notation)?;
        let comment = match self.notation.split_once('#') {
            Some((_, comment)) => comment.trim(),
            None => "",
        };
        if !comment.is_empty() {
            map.serialize_entry("comment", comment)?;
        }
        let dice = self.rolled.dice.iter().map(FreeDieJson::new);
        map.serialize_entry("dice", &List(dice))?;
        if !self.rolled.repetitions.is_empty() {
            map.serialize_entry("totals", &self.rolled.totals())?;
        }
        map.serialize_entry("total", &self.rolled.total)
    }
}

impl Serialize for FreeDiceJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_keys(&mut map)?;
        map.end()
    }
}

/// A free die. The fields have the order of the keys in the JSON.
#[derive(Serialize)]
struct FreeDieJson {
    die: String,
    face: i32,
    kept: bool,
    /// Written only if true.
    #[serde(skip_serializing_if = "is_false")]
    rerolled: bool,
    /// Written only if true.
    #[serde(skip_serializing_if = "is_false")]
    chain: bool,
}

impl FreeDieJson {
    fn new(rolled: &RolledDie) -> Self {
        Self {
            die: format!("d{}", rolled.sides),
            face: rolled.face,
            kept: rolled.status == DieStatus::Kept,
            rerolled: rolled.status == DieStatus::Rerolled,
            chain: rolled.chain,
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// A roll on a random table or of free dice, within an entry.
struct ThrownJson<'a>(&'a Thrown);

impl ThrownJson<'_> {
    fn serialize_keys<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let thrown = self.0;
        let rolled = RolledNotation {
            total: thrown.total,
            ..thrown.rolled().unwrap_or_default()
        };
        let dice = FreeDiceJson {
            notation: &thrown.notation,
            rolled: &rolled,
        };
        dice.serialize_keys(map)?;
        if !thrown.table.is_empty() {
            map.serialize_entry("table", &thrown.table)?;
            map.serialize_entry("says", &thrown.text)?;
        }
        Ok(())
    }
}

impl Serialize for ThrownJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_keys(&mut map)?;
        map.end()
    }
}

/// An entry of the log, as `log --json` prints it.
#[derive(Clone, Copy, Debug)]
pub struct EntryJson<'a> {
    pub entry: &'a Entry,
    /// The name of the scene in which it happened.
    pub scene: &'a str,
    /// The number of the session in which it happened.
    pub session: usize,
    /// True if the entry was undone or replaced.
    pub is_struck: bool,
    pub system: System,
}

impl EntryJson<'_> {
    /// Adds the keys of the entry's kind.
    fn serialize_kind<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match &self.entry.event.what {
            EventKind::Rolled(_) => Ok(()),
            EventKind::Amended { entry, .. } => map.serialize_entry("amends", entry),
            EventKind::Rerolled { entry, .. } => map.serialize_entry("rolls-again", entry),
            EventKind::Incomplete(roll) | EventKind::Abandoned(roll) => {
                map.serialize_entry("who", &roll.who)?;
                map.serialize_entry("check", &roll.check)?;
                map.serialize_entry("id", &self.entry.waits())
            }
            EventKind::Thrown(thrown) => {
                map.serialize_entry("who", &thrown.who)?;
                ThrownJson(thrown).serialize_keys(map)?;
                if !thrown.table.is_empty() {
                    let further_rolls = thrown.then.iter().map(ThrownJson);
                    map.serialize_entry("then", &List(further_rolls))?;
                }
                Ok(())
            }
            EventKind::Noted {
                about,
                readers,
                handout,
                ..
            } => {
                if let Some(about) = about {
                    map.serialize_entry("about", about)?;
                }
                if let Some(readers) = readers {
                    map.serialize_entry("readers", &ReadersJson(readers))?;
                }
                map.serialize_entry("handout", handout)
            }
            EventKind::Initiative { rolls, .. } => {
                let rolls = rolls.iter().map(|rolled| InitiativeJson {
                    rolled,
                    system: self.system,
                });
                map.serialize_entry("rolls", &List(rolls))?;
                serialize_event_keys(map, &self.entry.event.what)
            }
            kind => serialize_event_keys(map, kind),
        }
    }
}

/// A roll of one character for initiative.
struct InitiativeJson<'a> {
    rolled: &'a InitiativeRoll,
    system: System,
}

impl Serialize for InitiativeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let roll = &self.rolled.roll;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("who", &roll.who)?;
        map.serialize_entry("initiative", &self.rolled.initiative)?;
        serialize_roll(&mut map, roll, self.system)?;
        map.end()
    }
}

/// Adds a roll with its fields and its outcome. A roll that the rules cannot read again is left out.
fn serialize_roll<M: SerializeMap>(
    map: &mut M,
    roll: &Roll,
    system: System,
) -> Result<(), M::Error> {
    let Ok(fields) = roll.all_fields(system) else {
        return Ok(());
    };
    let Ok(outcome) = roll.derive_with(&fields) else {
        return Ok(());
    };

    let json = RollJson {
        fields: &fields,
        sources: &roll.sources,
        outcome: &outcome,
        effects: &roll.effects,
        trail: &roll.trail,
    };
    map.serialize_entry("roll", &json)
}

/// The readers of a note: `"author"`, `"gm"`, `"everybody"`, or a list of names.
#[derive(Clone, Copy, Debug)]
pub struct ReadersJson<'a>(pub &'a Readers);

impl Serialize for ReadersJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Readers::Author => serializer.serialize_str("author"),
            Readers::Gm => serializer.serialize_str("gm"),
            Readers::Everybody => serializer.serialize_str("everybody"),
            Readers::Characters(characters) => {
                serializer.collect_seq(characters.iter().map(|named| &named.name))
            }
            Readers::Seat { name, .. } => serializer.collect_seq([name]),
        }
    }
}

impl Serialize for EntryJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { entry, system, .. } = *self;
        let kind = &entry.event.what;
        let resolved = kind.resolved();
        let (hidden_from, _) = kind.hidden_from();

        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("number", &entry.number)?;
        let at = entry.at.to_rfc3339_opts(SecondsFormat::Secs, true);
        map.serialize_entry("at", &at)?;
        map.serialize_entry("scene", self.scene)?;
        map.serialize_entry("session", &self.session)?;
        map.serialize_entry("by", &entry.by)?;
        map.serialize_entry("kind", kind.kind())?;
        if let Some(roll) = resolved {
            map.serialize_entry("who", &roll.who)?;
        }
        map.serialize_entry("hidden-from", hidden_from)?;
        if resolved.is_some_and(|roll| roll.noticed) {
            map.serialize_entry("noticed", &true)?;
        }
        map.serialize_entry("struck", &self.is_struck)?;
        match resolved {
            None => {
                let text = entry.event.text(system);
                map.serialize_entry("text", &text)?;
            }
            Some(roll) => serialize_roll(&mut map, roll, system)?,
        }
        self.serialize_kind(&mut map)?;
        map.end()
    }
}

/// A JSON list of the items of an iterator.
struct List<I>(I);

impl<I> Serialize for List<I>
where
    I: Iterator<Item: Serialize> + Clone,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for item in self.0.clone() {
            list.serialize_element(&item)?;
        }
        list.end()
    }
}
