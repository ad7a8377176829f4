//! A party as a document: TOML, JSON, or the output of `tableside status --json`.

use serde_json::{Map, Value as Json};

use super::{CharacterState, Draft, OTHER_PROGRAMS, PartyFile};
use crate::cli::status;
use tableside_game::{ArrivingClock, ArrivingPool};
use tableside_rules::Value;
use tableside_text::describe_toml_error;

/// The parts of `status --json` that an import leaves out, each with its description.
const LEFT_BEHIND: [(&str, &str); 5] = [
    ("log", "the log"),
    ("round", "the round"),
    ("unfinished", "unfinished rolls"),
    ("calls", "calls for a roll"),
    ("locks", "what may not be tried again"),
];

/// Reads a document with the system, and a `[[character]]` for each character.
pub(super) fn read_toml(text: &str) -> Result<PartyFile, String> {
    let document = toml::from_str(text).map_err(|error| describe_toml_error(text, &error))?;
    read_document(document)
}

/// Reads an array of characters, or an object with the system and the characters.
pub(super) fn read_json(text: &str) -> Result<PartyFile, String> {
    let document = serde_json::from_str(text).map_err(|error| {
        let line = error.line().max(1);
        format!("line {line}: it is no JSON: {error}")
    })?;
    read_document(document)
}

fn read_document(document: Json) -> Result<PartyFile, String> {
    let mut party = PartyFile::default();
    let characters = match document {
        Json::Object(mut parts) => {
            let characters = ["characters", "character", "party"]
                .into_iter()
                .find_map(|name| parts.remove(name));
            read_clocks_and_pools(&mut parts, &mut party)?;
            party.left_behind.extend(parts_left_behind(&parts));
            party.left_behind.dedup();
            party.system = parts
                .get("system")
                .and_then(Json::as_str)
                .map(str::to_owned);
            characters.unwrap_or_default()
        }
        characters => characters,
    };

    let Json::Array(characters) = characters else {
        let problem = "expected a list of characters: `characters`, or [[character]] in TOML";
        return Err(format!("line 1: {problem}; {OTHER_PROGRAMS}"));
    };
    for (number, character) in (1..).zip(characters) {
        let place = format!("character {number}");
        let draft = read_character(character, place)?;
        party.drafts.push(draft);
    }
    Ok(party)
}

/// Reads the clocks and pools of `status --json`. The host's clocks are left out.
fn read_clocks_and_pools(
    parts: &mut Map<String, Json>,
    party: &mut PartyFile,
) -> Result<(), String> {
    for clock in take_list(parts, "clocks")? {
        if is_host_clock(&clock) {
            party.left_behind.push("the host's clocks");
        } else {
            let clock: ArrivingClock = status::read_clock(clock)?;
            party.clocks.push(clock);
        }
    }
    for pool in take_list(parts, "pools")? {
        let pool: ArrivingPool = status::read_pool(pool)?;
        party.pools.push(pool);
    }
    Ok(())
}

fn is_host_clock(clock: &Json) -> bool {
    // Earlier versions wrote `house`.
    ["host", "house"]
        .iter()
        .any(|key| clock.get(key) == Some(&Json::Bool(true)))
}

/// Describes the parts of a document that are not empty and that an import leaves out.
fn parts_left_behind(parts: &Map<String, Json>) -> Vec<&'static str> {
    let mut descriptions = Vec::new();
    for (name, description) in LEFT_BEHIND {
        let has_contents = match parts.get(name) {
            Some(Json::Array(items)) => !items.is_empty(),
            Some(Json::Number(number)) => number.as_u64() != Some(0),
            _ => false,
        };
        if has_contents {
            descriptions.push(description);
        }
    }
    descriptions
}

/// Removes a list from a document.
fn take_list(parts: &mut Map<String, Json>, name: &str) -> Result<Vec<Json>, String> {
    match parts.remove(name) {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::Array(items)) => Ok(items),
        Some(_) => Err(format!("{name}: expected a list")),
    }
}

fn read_character(character: Json, place: String) -> Result<Draft, String> {
    let mut fields = Vec::new();
    let mut state = CharacterState::default();
    collect_fields(character, &mut fields, &mut state)
        .map_err(|problem| format!("{place}: {problem}"))?;
    Ok(Draft {
        place,
        fields,
        state,
    })
}

/// Collects the fields of a character. The fields of its sheet may be in a table of their own.
fn collect_fields(
    character: Json,
    fields: &mut Vec<(String, Value)>,
    state: &mut CharacterState,
) -> Result<(), String> {
    let Json::Object(entries) = character else {
        return Err(format!("its fields should be in place of {character}"));
    };

    for (name, value) in entries {
        let describe_error = |error: serde_json::Error| format!("{name}: {error}");
        match name.as_str() {
            "sheet" | "stats" => collect_fields(value, fields, state)?,
            // `status --json` prints these.
            "conditions" => {
                state.conditions = serde_json::from_value(value).map_err(describe_error)?;
            }
            "initiative" if !value.is_string() => {
                state.initiative = serde_json::from_value(value).map_err(describe_error)?;
            }
            "acted" => {
                state.acted = serde_json::from_value(value).map_err(describe_error)?;
            }
            "on-turn" => {}
            _ => {
                if let Some(field_value) = read_value(&name, value)? {
                    fields.push((name, field_value));
                }
            }
        }
    }
    Ok(())
}

fn read_value(name: &str, value: Json) -> Result<Option<Value>, String> {
    let normalised = match value {
        // A spreadsheet's converter writes 10 as 10.0, and an initiative may have decimals.
        Json::Number(number) if !number.is_i64() => {
            let text = number.to_string();
            let without_zero = text.strip_suffix(".0").unwrap_or(&text);
            Json::String(without_zero.to_owned())
        }
        value => value,
    };
    serde_json::from_value(normalised)
        .map_err(|_error| format!("{name}: expected a number or a text; {OTHER_PROGRAMS}"))
}
