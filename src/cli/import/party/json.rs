//! A party as JSON: an array of objects, or an object with the system and the characters; also what
//! `tableside status --json` prints.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};

use super::{Draft, Party, Written, Wrong};
use crate::rules::Value;

#[derive(Deserialize)]
struct Whole<'a> {
    system: Option<String>,
    #[serde(borrow, alias = "party", alias = "character")]
    characters: Vec<&'a RawValue>,
}

pub(super) fn read(text: &str) -> Result<Party, Wrong> {
    let wrong = |error: &serde_json::Error| {
        Wrong::new(error.line().max(1), format!("it is no JSON: {error}"))
    };
    let begins = text.trim_start();
    let whole = if begins.starts_with('[') {
        Whole {
            system: None,
            characters: serde_json::from_str(text).map_err(|error| wrong(&error))?,
        }
    } else {
        // First as any JSON, so that what is no JSON at all is told as that.
        serde_json::from_str::<&RawValue>(text).map_err(|error| wrong(&error))?;
        serde_json::from_str(text).map_err(|error| {
            let what = format!("there should be a list of characters: {error}");
            Wrong::new(error.line().max(1), what)
        })?
    };
    let mut drafts = Vec::new();
    for raw in whole.characters {
        let line = line_of(text, raw.get());
        let object: Map<String, Json> = serde_json::from_str(raw.get())
            .map_err(|_other| Wrong::new(line, "a character should be an object"))?;
        let mut fields = Vec::new();
        for (name, value) in object {
            match (name.as_str(), value) {
                // The sheet of `status --json`.
                ("sheet", Json::Object(sheet)) => {
                    for (name, value) in sheet {
                        fields.push(written(text, raw.get(), line, name, value)?);
                    }
                }
                ("conditions", Json::Array(_)) | (_, Json::Null) => {}
                (_, value) => fields.push(written(text, raw.get(), line, name, value)?),
            }
        }
        drafts.push(Draft { line, fields });
    }
    Ok(Party {
        system: whole.system,
        drafts,
    })
}

fn written(
    text: &str,
    raw: &str,
    line: usize,
    name: String,
    value: Json,
) -> Result<Written, Wrong> {
    // The key's own line, where it stands as it is read; else the character's.
    let key = serde_json::to_string(&name).unwrap_or_default();
    let line = raw
        .find(&key)
        .and_then(|at| raw.get(at..))
        .map_or(line, |found| line_of(text, found));
    let wrong = || {
        Wrong::new(
            line,
            format!("{name}: it should be a text, a number, or names with numbers"),
        )
    };
    let value = match value {
        Json::String(text) => Value::Text(text),
        Json::Bool(flag) => Value::Flag(flag),
        other => serde_json::from_value(other).map_err(|_other| wrong())?,
    };
    Ok(Written { name, value, line })
}

/// The line, from 1, in which a piece of the text begins.
fn line_of(text: &str, piece: &str) -> usize {
    let at = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}
