//! A party as people write it down elsewhere: a character a table, a row or an object, its keys the stats
//! of the sheet. Nothing is taken where anything is wrong, and the line and the field are named.

use std::path::Path;

use super::formats::{Draft, Wrong, csv, json, toml};
use crate::cli::error::{CliError, system_named};
use crate::rules::{Field, Kind, Sheet, System, Value};
use crate::session::{Allegiance, Character, MOST};
use crate::text::{is_same, nearest};

/// Fields of a character beside its sheet.
const PARTS: [&str; 6] = ["name", "player", "side", "notes", "hidden", "absent"];

/// Reads the characters of a file; its name says how it is written.
pub(super) fn read(
    path: &Path,
    text: &str,
    system: Option<System>,
) -> Result<(System, Vec<Character>), CliError> {
    const SHOWN: &str = "docs/import.md shows how a party is written";
    let file = path.display();
    let wrong = |Wrong { line, what }| {
        let hint = format!("nothing was imported; {SHOWN}");
        CliError::failed(format!("{file}, line {line}: {what}")).hint(hint)
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let party = match extension.to_lowercase().as_str() {
        "toml" => toml(text),
        "json" => json(text),
        "csv" => csv(text),
        _ => {
            let what =
                "is no exported session, and its name does not say how a party is written in it";
            let hint = "a party is a file named .toml, .csv or .json";
            return Err(CliError::failed(format!("{file} {what}")).hint(hint));
        }
    };
    let party = party.map_err(wrong)?;
    let named = party.system.as_deref().map(system_named).transpose()?;
    if let (Some(given), Some(named)) = (system, named)
        && given != named
    {
        let what = format!("{file} is a party of {named}, and {given} is asked for");
        return Err(CliError::failed(what));
    }
    let system = system.or(named).ok_or_else(|| {
        CliError::usage("say the system with --system, or the session to add to with --session")
    })?;
    match party.drafts.len() {
        0 => {
            let what = format!("there is no character in {file}");
            return Err(CliError::failed(what).hint(SHOWN));
        }
        count if count > MOST => {
            let what = format!("{file} holds {count} characters; {MOST} is the most of a session");
            return Err(CliError::failed(what));
        }
        _ => {}
    }
    let mut characters: Vec<Character> = Vec::with_capacity(party.drafts.len());
    for draft in party.drafts {
        let character = character(&draft, system).map_err(wrong)?;
        let name = &character.name;
        if characters.iter().any(|known| is_same(&known.name, name)) {
            let what = format!("name: there are two named {name}; names must differ");
            return Err(wrong(Wrong::new(draft.line, what)));
        }
        characters.push(character);
    }
    Ok((system, characters))
}

fn character(draft: &Draft, system: System) -> Result<Character, Wrong> {
    let mut character = Character::new("", Sheet::new(system));
    let mut given: Vec<&'static str> = Vec::new();
    for field in &draft.fields {
        let name = field.name.trim().to_lowercase().replace([' ', '_'], "-");
        let wrong = |what: String| Wrong::new(field.line, what);
        let here = |what: String| wrong(format!("{name}: {what}"));
        let text = field.value.to_string();
        match name.as_str() {
            "name" => text.trim().clone_into(&mut character.name),
            "player" => character.player = text,
            "notes" => character.notes = text,
            "side" => {
                let mut sides = Allegiance::ALL.into_iter();
                let side = sides.find(|side| side.id() == text.to_lowercase());
                character.side = side.ok_or_else(|| {
                    let known = Allegiance::ALL.map(Allegiance::id).join(", ");
                    here(format!("it must be one of {known}, and {text:?} was given"))
                })?;
            }
            "hidden" => character.hidden = flag(&field.value).map_err(here)?,
            "absent" => character.absent = flag(&field.value).map_err(here)?,
            _ => {
                let stat = stat_named(system, &name);
                let stat = stat.ok_or_else(|| wrong(unknown(system, &field.name)))?;
                if given.contains(&stat.id) {
                    return Err(here("it is given twice".to_owned()));
                }
                given.push(stat.id);
                let value = value_of(stat, &field.value).map_err(wrong)?;
                let set = character.sheet.set(stat.id, value);
                set.map_err(|error| wrong(error.to_string()))?;
            }
        }
    }
    if character.name.is_empty() {
        return Err(Wrong::new(draft.line, "name: a character needs one"));
    }
    complete(&mut character.sheet, &given);
    let bounds = character.sheet.check_bounds();
    bounds.map_err(|error| Wrong::new(draft.line, format!("{}: {error}", character.name)))?;
    Ok(character)
}

/// Fills in what was left out: a present value from its maximum, a shrunken die from the whole one.
fn complete(sheet: &mut Sheet, given: &[&str]) {
    let follows: Vec<(&'static str, Value)> = sheet
        .iter()
        .filter(|(stat, _)| !given.contains(&stat.id))
        .filter_map(|(stat, _)| {
            let most = match (stat.at_most, stat.kind) {
                (Some(bound), _) => bound.to_owned(),
                (None, Kind::Number { .. }) => format!("{}-most", stat.id),
                _ => return None,
            };
            let followed = given.contains(&most.as_str());
            Some((stat.id, sheet.value(&most).filter(|_| followed)?.clone()))
        })
        .collect();
    for (stat, value) in follows {
        // What does not fit stays as it is, and the bounds are checked after it.
        sheet.set(stat, value).unwrap_or_default();
    }
}

fn stat_named(system: System, name: &str) -> Option<&'static Field> {
    let same = |known: &str| known.to_lowercase().replace(' ', "-") == name;
    let stats = system.spec().stats;
    let found = stats.iter().find(|stat| same(stat.id) || same(stat.label));
    found.or_else(|| {
        stats
            .iter()
            .find(|stat| !stat.short.is_empty() && same(stat.short))
    })
}

fn unknown(system: System, given: &str) -> String {
    let stats = system.spec().stats.iter().map(|stat| stat.id);
    let known = || PARTS.into_iter().chain(stats.clone());
    let shown: String = given.chars().take(40).collect();
    match nearest(&given.to_lowercase(), known()) {
        Some(near) => format!("there is no field {shown:?}; did you mean {near}?"),
        None => format!(
            "there is no field {shown:?}; a character of {system} has {}",
            known().collect::<Vec<_>>().join(", ")
        ),
    }
}

fn value_of(stat: &'static Field, written: &Value) -> Result<Value, String> {
    let value = match (stat.kind, written) {
        (Kind::Text, value) => stat.kind.coerce(stat.id, Value::Text(value.to_string())),
        (_, Value::Text(text)) => stat.parse(text),
        (_, value) => stat.kind.coerce(stat.id, value.clone()),
    };
    value.map_err(|error| error.to_string())
}

fn flag(value: &Value) -> Result<bool, String> {
    match value {
        Value::Flag(flag) => Ok(*flag),
        other => match other.to_string().trim().to_lowercase().as_str() {
            "yes" | "true" | "1" | "x" => Ok(true),
            "no" | "false" | "0" | "" => Ok(false),
            other => Err(format!("it must be yes or no, and {other:?} was given")),
        },
    }
}
