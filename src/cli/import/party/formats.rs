//! The three ways in which a party is written: TOML, JSON and CSV.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use toml::Spanned;
use toml::de::DeTable;

use super::{Draft, Party, Written, Wrong};
use crate::rules::Value;

/// The fields of a character in their order; those of its sheet may stand in a table of their own.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(AnyFields)
    }
}

struct AnyFields;

impl<'de> Visitor<'de> for AnyFields {
    type Value = Fields;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a character with its fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "sheet" | "stats" => fields.extend(map.next_value::<Fields>()?.0),
                // `status --json` prints them, and a new character has none.
                "conditions" => drop(map.next_value::<IgnoredAny>()?),
                _ => fields.extend(
                    map.next_value::<Option<Value>>()?
                        .map(|value| (name, value)),
                ),
            }
        }
        Ok(Fields(fields))
    }
}

/// A character that begins there in the text; its fields stand in the lines where their names do.
fn draft(text: &str, begins: usize, fields: Fields) -> Draft {
    let own = text.get(begins..).unwrap_or_default();
    let fields = fields.0.into_iter().map(|(name, value)| {
        let is_key = |at: &usize| {
            let behind = own.get(at + name.len()..).unwrap_or_default();
            let behind = behind.trim_start_matches(['"', '\'']).trim_start();
            behind.starts_with(['=', ':'])
        };
        let mut found = own.match_indices(name.as_str()).map(|(at, _)| at);
        let at = found.find(is_key).unwrap_or(0);
        Written {
            line: line_at(text, begins + at),
            name,
            value,
        }
    });
    Draft {
        fields: fields.collect(),
        line: line_at(text, begins),
    }
}

/// The line, from 1, of a place in the text.
fn line_at(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// The system where the file is to say it, and a `[[character]]` each.
pub(super) fn toml(text: &str) -> Result<Party, Wrong> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Whole {
        system: Option<String>,
        #[serde(default, alias = "characters", alias = "party")]
        character: Vec<Spanned<Fields>>,
    }
    let wrong = |error: toml::de::Error, about: &str| {
        let at = error.span().map_or(0, |span| span.start);
        let what = format!("{about}{}", error.message().trim());
        Wrong::new(line_at(text, at), what)
    };
    DeTable::parse(text).map_err(|error| wrong(error, "it is no TOML: "))?;
    let whole: Whole = toml::from_str(text).map_err(|error| wrong(error, ""))?;
    let drafts = whole.character.into_iter().map(|character| {
        let begins = character.span().start;
        draft(text, begins, character.into_inner())
    });
    Ok(Party {
        system: whole.system,
        drafts: drafts.collect(),
    })
}

/// An array of objects, or an object with the system and the characters; also what `tableside status --json`
/// prints.
pub(super) fn json(text: &str) -> Result<Party, Wrong> {
    #[derive(Deserialize)]
    struct Whole<'a> {
        system: Option<String>,
        #[serde(borrow, alias = "party", alias = "character")]
        characters: Vec<&'a RawValue>,
    }
    let wrong = |error: serde_json::Error, about: &str| {
        Wrong::new(error.line().max(1), format!("{about}{error}"))
    };
    // First as any JSON, so that what is no JSON at all is told as that.
    serde_json::from_str::<&RawValue>(text).map_err(|error| wrong(error, "it is no JSON: "))?;
    let whole = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map(|characters| Whole {
            system: None,
            characters,
        })
    } else {
        serde_json::from_str(text)
    };
    let whole = whole.map_err(|error| wrong(error, "there should be a list of characters: "))?;
    let drafts = whole.characters.into_iter().map(|raw| {
        let begins = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let fields = serde_json::from_str(raw.get());
        let fields =
            fields.map_err(|error| Wrong::new(line_at(text, begins), error.to_string()))?;
        Ok(draft(text, begins, fields))
    });
    Ok(Party {
        system: whole.system,
        drafts: drafts.collect::<Result<_, _>>()?,
    })
}

/// The first row names the fields, each other row is a character; an empty cell says nothing.
pub(super) fn csv(text: &str) -> Result<Party, Wrong> {
    // Some programs put semicolons where the comma is for decimals.
    let head = text.lines().next().unwrap_or_default();
    let semicolons = head.matches(';').count() > head.matches(',').count();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if semicolons { b';' } else { b',' })
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let line_of = |at: Option<&csv::Position>| {
        at.map_or(1, |at| usize::try_from(at.line()).unwrap_or(usize::MAX))
    };
    let wrong = |error: csv::Error| {
        let line = line_of(error.position());
        Wrong::new(line, format!("it is no table of cells: {error}"))
    };
    let heads = reader.headers().map_err(wrong)?.clone();
    let mut party = Party::default();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let line = line_of(record.position());
        if record.len() > heads.len() {
            let (cells, fields) = (record.len(), heads.len());
            let what = format!("there are {cells} cells, and the first row names {fields} fields");
            return Err(Wrong::new(line, what));
        }
        let cells = heads.iter().zip(&record);
        let fields = cells.filter(|(_, cell)| !cell.is_empty());
        let fields: Vec<Written> = fields
            .map(|(name, cell)| Written {
                name: name.to_owned(),
                value: cell.into(),
                line,
            })
            .collect();
        if !fields.is_empty() {
            party.drafts.push(Draft { line, fields });
        }
    }
    Ok(party)
}
