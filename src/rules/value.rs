//! A value of a field or of a sheet.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::dice::Die;

/// A value of a field or of a sheet.
///
/// In JSON and TOML a die and a word are strings and ranks are a table of names and numbers. A string
/// is read back as text; the field or stat that it belongs to knows whether it is a die.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// On or off.
    Flag(bool),
    /// A whole number.
    Number(i32),
    /// A die.
    Die(Die),
    /// A word or a free text.
    Text(String),
    /// Named numbers: professions, skills, aspects with their ranks, in the player's order.
    Ranks(Vec<(String, i32)>),
}

impl Value {
    /// The value as it is read back from a record: a die is its name there.
    #[must_use]
    pub fn recorded(&self) -> Self {
        match self {
            Self::Die(die) => Self::Text(die.name().to_owned()),
            other => other.clone(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(true) => formatter.pad("yes"),
            Self::Flag(false) => formatter.pad("no"),
            Self::Number(number) => fmt::Display::fmt(number, formatter),
            Self::Die(die) => fmt::Display::fmt(die, formatter),
            Self::Text(text) => formatter.pad(text),
            Self::Ranks(ranks) => {
                let words: Vec<String> = ranks
                    .iter()
                    .map(|(name, rank)| format!("{name} {rank}"))
                    .collect();
                formatter.pad(&words.join(", "))
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => serializer.serialize_i32(*number),
            Self::Die(die) => serializer.serialize_str(die.name()),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Ranks(ranks) => {
                let mut map = serializer.serialize_map(Some(ranks.len()))?;
                for (name, rank) in ranks {
                    map.serialize_entry(name, rank)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, a text, true or false, or a table of names and numbers")
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        i32::try_from(number)
            .map(Value::Number)
            .map_err(|_too_large| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        i32::try_from(number)
            .map(Value::Number)
            .map_err(|_too_large| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut ranks: Vec<(String, i32)> = Vec::new();
        while let Some((name, rank)) = map.next_entry::<String, i32>()? {
            ranks.push((name, rank));
        }
        Ok(Value::Ranks(ranks))
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Die> for Value {
    fn from(die: Die) -> Self {
        Self::Die(die)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
