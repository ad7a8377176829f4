//! How a roll is written down: nothing twice, and nothing that can be told from the rest. A field stands
//! beside where it came from, an effect is a word with its number, and the roller's name is not repeated.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize, de};

use super::{Roll, pairs};
use crate::rules::{Answer, Consequence, Effect, House, Source, System, TokenKind, Value};
use crate::session::{CharacterId, ClockId};

/// A roll as the journal and `session.toml` hold it: its fields stand under the check's own name. Before, the
/// name stood under `check` and they under `fields`; that is read as ever.
#[derive(Default)]
pub(super) struct Written {
    who: String,
    id: Option<CharacterId>,
    check: String,
    fields: Vec<(String, Given)>,
    /// Sources of fields that are not recorded.
    sources: Vec<(String, String)>,
    house: House,
    trail: Vec<Answer>,
    clock: Option<ClockId>,
    helpers: Vec<String>,
    hidden_from: Vec<String>,
    noticed: bool,
    total: Option<i32>,
    outcome: String,
    luck: Option<u16>,
    effects: Vec<Followed>,
}

/// The names under which something else than a check stands.
#[cfg(test)]
pub(super) const TAKEN: [&str; 15] = [
    "who",
    "id",
    "check",
    "fields",
    "sources",
    "house",
    "trail",
    "clock",
    "helpers",
    "hidden_from",
    "noticed",
    "total",
    "outcome",
    "luck",
    "effects",
];

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
        if self.noticed {
            map.serialize_entry("noticed", &true)?;
        }
        if let Some(total) = self.total {
            map.serialize_entry("total", &total)?;
        }
        if !self.outcome.is_empty() {
            map.serialize_entry("outcome", &self.outcome)?;
        }
        if let Some(luck) = self.luck {
            map.serialize_entry("luck", &luck)?;
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
                "noticed" => written.noticed = map.next_value()?,
                "total" => written.total = map.next_value()?,
                "outcome" => written.outcome = map.next_value()?,
                "luck" => written.luck = map.next_value()?,
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
        Ok(written)
    }
}

impl From<Roll> for Written {
    fn from(roll: Roll) -> Self {
        let mut sources = roll.sources;
        let fields = roll.fields.into_iter().map(|(name, value)| {
            let at = sources.iter().position(|(field, _)| *field == name);
            let source = match at.map(|at| sources.remove(at).1) {
                None => Came::Nowhere,
                Some(source) if own_stat(&roll.check, &name) == Some(&source) => Came::OwnStat,
                Some(source) => Came::Words(source),
            };
            (name, Given { value, source })
        });
        let fields = fields.collect();
        let effects = roll.effects.into_iter();
        let effects = effects.map(|effect| Followed::of(effect, &roll.who));
        Self {
            effects: effects.collect(),
            who: roll.who,
            id: roll.id,
            check: roll.check,
            fields,
            sources,
            house: roll.house,
            trail: roll.trail,
            clock: roll.clock,
            helpers: roll.helpers,
            hidden_from: roll.hidden_from,
            noticed: roll.noticed,
            total: roll.total,
            outcome: roll.outcome,
            luck: roll.luck,
        }
    }
}

impl From<Written> for Roll {
    fn from(written: Written) -> Self {
        let mut sources = Vec::new();
        let mut fields = Vec::with_capacity(written.fields.len());
        for (name, given) in written.fields {
            match given.source {
                Came::Nowhere => {}
                Came::OwnStat => {
                    let label = own_stat(&written.check, &name).unwrap_or_default();
                    sources.push((name.clone(), label.to_owned()));
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
            hidden_from: written.hidden_from,
            noticed: written.noticed,
            total: written.total,
            outcome: written.outcome,
            luck: written.luck,
        }
    }
}

/// The stat or the pool that a field of a check is always read from, by its label, whatever the system;
/// nothing where that leaves a doubt.
fn own_stat(check: &str, field: &str) -> Option<&'static str> {
    let mut labels = System::ALL.iter().filter_map(|system| {
        let field = system.check(check).ok()?.field(field)?;
        match field.source {
            Source::Stat(id) => {
                let mut stats = system.spec().stats.iter();
                stats.find(|stat| stat.id == id).map(|stat| stat.label)
            }
            Source::Tokens { kind, .. } => {
                let mut pools = system.spec().pools.iter();
                pools.find(|pool| pool.kind == kind).map(|pool| pool.name)
            }
            Source::Table
            | Source::OneOf(_)
            | Source::Ranked { .. }
            | Source::Derived
            | Source::Condition(_) => None,
        }
    });
    let label = labels.next()?;
    labels.all(|other| other == label).then_some(label)
}

/// A field's value: `12`, or with where it came from, `["d10","Agility"]`, or `["d10"]` where it came
/// from the one stat that is its own.
struct Given {
    value: Value,
    source: Came,
}

enum Came {
    /// A person gave it.
    Nowhere,
    OwnStat,
    Words(String),
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.source {
            Came::Nowhere => self.value.serialize(serializer),
            Came::OwnStat => (&self.value,).serialize(serializer),
            Came::Words(source) => (&self.value, source).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyGiven)
    }
}

struct AnyGiven;

impl AnyGiven {
    fn plain<'de, E: de::Error>(value: impl IntoDeserializer<'de, E>) -> Result<Given, E> {
        let value = Value::deserialize(value.into_deserializer())?;
        Ok(Given {
            value,
            source: Came::Nowhere,
        })
    }
}

impl<'de> Visitor<'de> for AnyGiven {
    type Value = Given;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value, or a list of a value and where it came from")
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Given, E> {
        Self::plain(flag)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Given, E> {
        Self::plain(number)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Given, E> {
        Self::plain(number)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Given, E> {
        Self::plain(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Given, A::Error> {
        let value = Value::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Given {
            value,
            source: Came::Nowhere,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Given, A::Error> {
        let missing = || de::Error::invalid_length(0, &self);
        Ok(Given {
            value: list.next_element()?.ok_or_else(missing)?,
            source: list.next_element()?.map_or(Came::OwnStat, Came::Words),
        })
    }
}

/// An effect: `{"destiny":-2}`, `"complication"`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Followed {
    /// The roller's Destiny Points.
    Destiny(i32),
    /// The roller's bonus or penalty tokens.
    Tokens(i32),
    /// The roller's Favor.
    Favor(i32),
    /// The roller's Logos.
    Logos(i32),
    /// The roller's Watch Actions.
    WatchActions(i32),
    /// Somebody else's tokens.
    Token {
        pool: TokenKind,
        owner: Option<String>,
        amount: i32,
    },
    Complication,
    SharedWith(Vec<String>),
    EffectLevels(i32),
    AtACost,
    Stress(i32),
    Blood(i32),
    /// Consequences that are told only.
    Consequences(i32),
    Damage(i32),
    DamageTaken(i32),
    Wound(i32),
    WoundTaken(i32),
    TakenOut,
    /// A pool, what it holds now, and what that tells.
    Reached(String, i32, String),
    Lock(String),
}

impl Followed {
    fn of(effect: Effect, who: &str) -> Self {
        match effect {
            Effect::Token {
                pool,
                owner,
                amount,
            } => {
                if owner.as_deref().unwrap_or("") != who {
                    return Self::Token {
                        pool,
                        owner,
                        amount,
                    };
                }
                match pool {
                    TokenKind::Destiny => Self::Destiny(amount),
                    TokenKind::Tokens => Self::Tokens(amount),
                    TokenKind::Favor => Self::Favor(amount),
                    TokenKind::Logos => Self::Logos(amount),
                    TokenKind::WatchActions => Self::WatchActions(amount),
                }
            }
            Effect::Complication => Self::Complication,
            Effect::SharedWith { names } => Self::SharedWith(names),
            Effect::EffectLevels { amount } => Self::EffectLevels(amount),
            Effect::AtACost => Self::AtACost,
            Effect::Consequence { amount, of } => match of {
                Consequence::Stress => Self::Stress(amount),
                Consequence::Blood => Self::Blood(amount),
                Consequence::None => Self::Consequences(amount),
            },
            Effect::Damage { amount, own: false } => Self::Damage(amount),
            Effect::Damage { amount, own: true } => Self::DamageTaken(amount),
            Effect::Wound { rank, own: false } => Self::Wound(rank),
            Effect::Wound { rank, own: true } => Self::WoundTaken(rank),
            Effect::TakenOut => Self::TakenOut,
            Effect::Reached { pool, now, told } => Self::Reached(pool, now, told),
            Effect::Lock { about } => Self::Lock(about),
        }
    }

    fn effect(self, who: &str) -> Effect {
        let token = |pool, amount| Effect::Token {
            pool,
            owner: (!who.is_empty()).then(|| who.to_owned()),
            amount,
        };
        let consequence = |amount, of| Effect::Consequence { amount, of };
        match self {
            Self::Destiny(amount) => token(TokenKind::Destiny, amount),
            Self::Tokens(amount) => token(TokenKind::Tokens, amount),
            Self::Favor(amount) => token(TokenKind::Favor, amount),
            Self::Logos(amount) => token(TokenKind::Logos, amount),
            Self::WatchActions(amount) => token(TokenKind::WatchActions, amount),
            Self::Token {
                pool,
                owner,
                amount,
            } => Effect::Token {
                pool,
                owner,
                amount,
            },
            Self::Complication => Effect::Complication,
            Self::SharedWith(names) => Effect::SharedWith { names },
            Self::EffectLevels(amount) => Effect::EffectLevels { amount },
            Self::AtACost => Effect::AtACost,
            Self::Stress(amount) => consequence(amount, Consequence::Stress),
            Self::Blood(amount) => consequence(amount, Consequence::Blood),
            Self::Consequences(amount) => consequence(amount, Consequence::None),
            Self::Damage(amount) => Effect::Damage { amount, own: false },
            Self::DamageTaken(amount) => Effect::Damage { amount, own: true },
            Self::Wound(rank) => Effect::Wound { rank, own: false },
            Self::WoundTaken(rank) => Effect::Wound { rank, own: true },
            Self::TakenOut => Effect::TakenOut,
            Self::Reached(pool, now, told) => Effect::Reached { pool, now, told },
            Self::Lock(about) => Effect::Lock { about },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_check_is_called_like_another_part_of_a_roll() {
        for system in System::ALL {
            for check in system.spec().checks {
                assert!(!TAKEN.contains(&check.id), "{system}: {}", check.id);
            }
        }
    }

    #[test]
    fn a_roll_is_read_as_it_was_written_before() {
        let before = r#"{"who":"Mira","id":3,"check":"skill","fields":{"heart":["d8"],"cn":12},"trail":[[1,5]],"total":6,"outcome":"failure","luck":125,"effects":[{"destiny":-2},"complication"]}"#;
        let now = r#"{"who":"Mira","id":3,"skill":{"heart":["d8"],"cn":12},"trail":[[1,5]],"total":6,"outcome":"failure","luck":125,"effects":[{"destiny":-2},"complication"]}"#;
        let read: Roll = serde_json::from_str(before).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), now);
        assert_eq!(serde_json::from_str::<Roll>(now).unwrap(), read);
    }

    #[test]
    fn what_is_no_part_of_a_roll_is_refused() {
        for line in [
            r#"{"who":"Mira"}"#,
            r#"{"skill":{},"trail":[],"colour":{}}"#,
        ] {
            assert!(serde_json::from_str::<Roll>(line).is_err(), "{line}");
        }
    }
}
