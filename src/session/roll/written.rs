//! How a roll is written down: nothing twice, and nothing that can be told from the rest. A field stands
//! beside where it came from, an effect is a word with its number, and the roller's name is not repeated.

mod followed;
mod given;
mod own;

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize, de};

use self::followed::Followed;
use self::given::{Came, Given};
use self::own::Known;
use super::{Roll, pairs};
use crate::rules::{Answer, House, Value};
use crate::session::{CharacterId, ClockId};

/// A roll as the journal and `session.toml` hold it: its fields stand under the check's own name. Before, the
/// name stood under `check` and they under `fields`, and what it came to had a name for each part; that is read as
/// ever.
#[derive(Default)]
pub(super) struct Written {
    who: String,
    id: Option<CharacterId>,
    check: String,
    fields: Vec<(String, Given)>,
    /// The values of the first fields that come from a stat of their own.
    own: Vec<Value>,
    /// Sources of fields that are not recorded.
    sources: Vec<(String, String)>,
    house: House,
    trail: Vec<Answer>,
    clock: Option<ClockId>,
    helpers: Vec<String>,
    group: bool,
    hidden_from: Vec<String>,
    noticed: bool,
    came: CameTo,
    effects: Vec<Followed>,
}

/// The names under which something else than a check stands.
#[cfg(test)]
pub(super) const TAKEN: [&str; 18] = [
    "who",
    "id",
    "check",
    "fields",
    "own",
    "sources",
    "house",
    "trail",
    "clock",
    "helpers",
    "group",
    "hidden_from",
    "noticed",
    "total",
    "outcome",
    "luck",
    "came",
    "effects",
];

/// What a roll came to: `["success",953,26]`, the outcome, how lucky it was and the total; where the total is
/// missing, or it and the luck, they are left out.
#[derive(Default)]
struct CameTo {
    outcome: String,
    luck: Option<u16>,
    total: Option<i32>,
}

impl CameTo {
    const fn is_nothing(&self) -> bool {
        self.outcome.is_empty() && self.luck.is_none() && self.total.is_none()
    }
}

impl Serialize for CameTo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        list.serialize_element(&self.outcome)?;
        if let Some(luck) = self.luck {
            list.serialize_element(&luck)?;
        }
        if let Some(total) = self.total {
            list.serialize_element(&total)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for CameTo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(AnEnd)
    }
}

struct AnEnd;

impl<'de> Visitor<'de> for AnEnd {
    type Value = CameTo;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an outcome, with its luck and its total where it has them")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CameTo, A::Error> {
        let missing = || de::Error::invalid_length(0, &self);
        Ok(CameTo {
            outcome: list.next_element()?.ok_or_else(missing)?,
            luck: list.next_element()?,
            total: list.next_element()?,
        })
    }
}

/// Pairs as a map.
struct Pairs<'a, V>(&'a [(String, V)]);

impl<V: Serialize> Serialize for Pairs<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        pairs::serialize(self.0, serializer)
    }
}

/// Pairs, read from a map.
struct Paired<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Paired<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        pairs::deserialize(deserializer).map(Self)
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.who.is_empty() {
            map.serialize_entry("who", &self.who)?;
        }
        if let Some(id) = self.id {
            map.serialize_entry("id", &id)?;
        }
        map.serialize_entry(&self.check, &Pairs(&self.fields))?;
        if !self.own.is_empty() {
            map.serialize_entry("own", &self.own)?;
        }
        if !self.sources.is_empty() {
            map.serialize_entry("sources", &Pairs(&self.sources))?;
        }
        if !self.house.is_plain() {
            map.serialize_entry("house", &self.house)?;
        }
        if !self.trail.is_empty() {
            map.serialize_entry("trail", &self.trail)?;
        }
        if let Some(clock) = self.clock {
            map.serialize_entry("clock", &clock)?;
        }
        for (name, names) in [
            ("helpers", &self.helpers),
            ("hidden_from", &self.hidden_from),
        ] {
            if !names.is_empty() {
                map.serialize_entry(name, names)?;
            }
        }
        for (name, flag) in [("group", self.group), ("noticed", self.noticed)] {
            if flag {
                map.serialize_entry(name, &true)?;
            }
        }
        match &self.came {
            // Without luck the total would stand in its place.
            CameTo {
                outcome,
                luck: None,
                total: Some(total),
            } => {
                map.serialize_entry("total", total)?;
                if !outcome.is_empty() {
                    map.serialize_entry("outcome", outcome)?;
                }
            }
            came if came.is_nothing() => {}
            came => map.serialize_entry("came", came)?,
        }
        if !self.effects.is_empty() {
            map.serialize_entry("effects", &self.effects)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnyWritten)
    }
}

struct AnyWritten;

impl<'de> Visitor<'de> for AnyWritten {
    type Value = Written;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a check with what came of it")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
        let mut written = Written::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "who" => written.who = map.next_value()?,
                "id" => written.id = map.next_value()?,
                "check" => written.check = map.next_value()?,
                "fields" => Paired(written.fields) = map.next_value()?,
                "sources" => Paired(written.sources) = map.next_value()?,
                "house" => written.house = map.next_value()?,
                "trail" => written.trail = map.next_value()?,
                "clock" => written.clock = map.next_value()?,
                "helpers" => written.helpers = map.next_value()?,
                "hidden_from" => written.hidden_from = map.next_value()?,
                "group" => written.group = map.next_value()?,
                "noticed" => written.noticed = map.next_value()?,
                "total" => written.came.total = map.next_value()?,
                "outcome" => written.came.outcome = map.next_value()?,
                "luck" => written.came.luck = map.next_value()?,
                "came" => written.came = map.next_value()?,
                "own" => written.own = map.next_value()?,
                "effects" => written.effects = map.next_value()?,
                _ if written.check.is_empty() => {
                    Paired(written.fields) = map.next_value()?;
                    written.check = key;
                }
                _ => return Err(de::Error::custom(format!("{key} is no part of a check"))),
            }
        }
        if written.check.is_empty() {
            return Err(de::Error::missing_field("check"));
        }
        written.name_own().map_err(de::Error::custom)?;
        Ok(written)
    }
}

impl Written {
    /// Gives the values without names back to their fields.
    fn name_own(&mut self) -> Result<(), String> {
        if self.own.is_empty() {
            return Ok(());
        }
        let own = std::mem::take(&mut self.own);
        let count = own.len();
        let known = Known::of(&self.check);
        let put = known.map_or(Err(0), |known| known.put_own(&mut self.fields, own));
        put.map_err(|most| {
            let check = &self.check;
            format!("{check} has {most} fields that come from a stat of their own, not {count}")
        })
    }
}

impl From<Roll> for Written {
    fn from(roll: Roll) -> Self {
        let known = Known::of(&roll.check);
        let mut sources = roll.sources;
        let fields = roll.fields.into_iter().map(|(name, value)| {
            let at = sources.iter().position(|(field, _)| *field == name);
            let own = known.and_then(|known| known.own(&name));
            let source = match at.map(|at| sources.remove(at).1) {
                None => Came::Nowhere,
                Some(source) if own == Some(&source) => Came::OwnStat,
                Some(source) => Came::Words(source),
            };
            (name, Given { value, source })
        });
        let mut fields = fields.collect();
        let own = known.map(|known| known.take_own(&mut fields));
        let effects = roll.effects.into_iter();
        let effects = effects.map(|effect| Followed::of(effect, &roll.who));
        Self {
            effects: effects.collect(),
            who: roll.who,
            id: roll.id,
            check: roll.check,
            fields,
            own: own.unwrap_or_default(),
            sources,
            house: roll.house,
            trail: roll.trail,
            clock: roll.clock,
            helpers: roll.helpers,
            group: roll.group,
            hidden_from: roll.hidden_from,
            noticed: roll.noticed,
            came: CameTo {
                outcome: roll.outcome,
                luck: roll.luck,
                total: roll.total,
            },
        }
    }
}

impl From<Written> for Roll {
    fn from(written: Written) -> Self {
        let known = Known::of(&written.check);
        let mut sources = Vec::new();
        let mut fields = Vec::with_capacity(written.fields.len());
        for (name, given) in written.fields {
            match given.source {
                Came::Nowhere => {}
                Came::OwnStat => {
                    let own = known.and_then(|known| known.own(&name));
                    sources.push((name.clone(), own.unwrap_or_default().to_owned()));
                }
                Came::Words(source) => sources.push((name.clone(), source)),
            }
            fields.push((name, given.value));
        }
        sources.extend(written.sources);
        let effects = written.effects.into_iter();
        let effects = effects.map(|followed| followed.effect(&written.who));
        Self {
            effects: effects.collect(),
            who: written.who,
            id: written.id,
            check: written.check,
            fields,
            sources,
            house: written.house,
            trail: written.trail,
            clock: written.clock,
            helpers: written.helpers,
            group: written.group,
            hidden_from: written.hidden_from,
            noticed: written.noticed,
            total: written.came.total,
            outcome: written.came.outcome,
            luck: written.came.luck,
        }
    }
}

#[cfg(test)]
mod tests;
