//! How a field is written: its value beside where it came from.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::rules::Value;

/// A field's value: `12`, or with where it came from, `["d10","Agility"]`, or `["d10"]` where it came
/// from the one stat that is its own.
pub(super) struct Given {
    pub(super) value: Value,
    pub(super) source: Came,
}

/// Where a value came from.
pub(super) enum Came {
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
