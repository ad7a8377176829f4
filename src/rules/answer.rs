//! How an answer is written down: faces as a list, `[5,7]`, a choice by its name, `{"complication":"fail",
//! "by":"gm"}`; what nobody chose names nobody.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Answer, ChosenBy};
use crate::dice::Face;

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Faces(faces) => faces.serialize(serializer),
            Self::Chose { choice, chose, by } => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry(choice, chose)?;
                if *by != ChosenBy::Default {
                    map.serialize_entry("by", by)?;
                }
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
        let (mut made, mut by) = (None, ChosenBy::Default);
        while let Some(key) = map.next_key::<String>()? {
            if key == "by" {
                by = map.next_value()?;
            } else if made.is_none() {
                made = Some((key, map.next_value()?));
            } else {
                return Err(de::Error::custom("two choices where one was put"));
            }
        }
        let (choice, chose) =
            made.ok_or_else(|| de::Error::custom("what was chosen is missing"))?;
        Ok(Answer::Chose { choice, chose, by })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_and_choices_are_read_as_they_were_written() {
        let chose = |by| Answer::Chose {
            choice: "complication".into(),
            chose: "fail".into(),
            by,
        };
        for (answer, text) in [
            (Answer::Faces(vec![5, 7]), "[5,7]"),
            (Answer::Faces(Vec::new()), "[]"),
            (chose(ChosenBy::Gm), r#"{"complication":"fail","by":"gm"}"#),
            (chose(ChosenBy::Default), r#"{"complication":"fail"}"#),
        ] {
            assert_eq!(serde_json::to_string(&answer).unwrap(), text);
            assert_eq!(serde_json::from_str::<Answer>(text).unwrap(), answer);
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for text in ["{}", r#"{"by":"gm"}"#, r#"{"a":"b","c":"d"}"#, "[300]", "7"] {
            assert!(serde_json::from_str::<Answer>(text).is_err(), "{text}");
        }
    }
}
