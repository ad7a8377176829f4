//! How an answer is written down: faces as a list, `[5,7]`, a choice by its name, `{"complication":"fail",
//! "by":"gm"}`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Answer;
use crate::dice::Face;

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Faces(faces) => faces.serialize(serializer),
            Self::Chose { choice, chose, by } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry(choice, chose)?;
                map.serialize_entry("by", by)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnAnswer)
    }
}

struct AnAnswer;

impl<'de> Visitor<'de> for AnAnswer {
    type Value = Answer;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of faces, or a choice with what was chosen and by whom")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Answer, A::Error> {
        let mut faces: Vec<Face> = Vec::with_capacity(list.size_hint().unwrap_or(0).min(64));
        while let Some(face) = list.next_element()? {
            faces.push(face);
        }
        Ok(Answer::Faces(faces))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Answer, A::Error> {
        let (mut made, mut by) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            if key == "by" {
                by = Some(map.next_value()?);
            } else if made.is_none() {
                made = Some((key, map.next_value()?));
            } else {
                return Err(de::Error::custom("two choices where one was put"));
            }
        }
        let (choice, chose) =
            made.ok_or_else(|| de::Error::custom("what was chosen is missing"))?;
        let by = by.ok_or_else(|| de::Error::missing_field("by"))?;
        Ok(Answer::Chose { choice, chose, by })
    }
}
