//! A party as people write it down elsewhere: a character a table, a row or an object, its keys the stats
//! of the sheet. Nothing is taken where anything is wrong, and the line and the field are named.

mod formats;

use std::path::Path;

use crate::cli::CliError;
use crate::cli::new::system_named;
use crate::rules::{Kind, Sheet, Stat, System, Value};
use crate::session::{Allegiance, Character, MOST};
use crate::text::{is_same, nearest};

/// A field as it was written.
struct Written {
    name: String,
    value: Value,
    /// In which line, from 1.
    line: usize,
}

/// A character as it was written.
struct Draft {
    /// In which line it begins, from 1.
    line: usize,
    fields: Vec<Written>,
}

/// What a file says.
#[derive(Default)]
struct Party {
    /// The system, where the file names it.
    system: Option<String>,
    drafts: Vec<Draft>,
}

/// What is wrong in a line, and what would be right.
struct Wrong {
    /// The line, from 1.
    line: usize,
    what: String,
}

impl Wrong {
    fn new(line: usize, what: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
        }
    }
}

/// Fields of a character beside its sheet.
const PARTS: [&str; 6] = ["name", "player", "side", "notes", "hidden", "absent"];

/// Reads the characters of a file; its name says how it is written.
pub(super) fn read(
    path: &Path,
    text: &str,
    system: Option<System>,
) -> Result<(System, Vec<Character>), CliError> {
    let wrong = |wrong: Wrong| {
        CliError::failed(format!(
            "{}, line {}: {}",
            path.display(),
            wrong.line,
            wrong.what
        ))
        .hint("nothing was imported; docs/import.md shows how a party is written")
    };
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let party = match extension.as_str() {
        "toml" => formats::toml(text),
        "json" => formats::json(text),
        "csv" => formats::csv(text),
        _ => {
            return Err(CliError::failed(format!(
                "{} is no exported session, and its name does not say how a party is written in it",
                path.display()
            ))
            .hint("a party is a file named .toml, .csv or .json"));
        }
    }
    .map_err(wrong)?;
    let named = party.system.as_deref().map(system_named).transpose()?;
    let system = match (system, named) {
        (Some(given), Some(named)) if given != named => {
            return Err(CliError::failed(format!(
                "{} is a party of {named}, and {given} is asked for",
                path.display()
            )));
        }
        (Some(system), _) | (None, Some(system)) => system,
        (None, None) => {
            return Err(CliError::usage(
                "say the system with --system, or the session to add to with --session",
            ));
        }
    };
    if party.drafts.is_empty() {
        return Err(
            CliError::failed(format!("there is no character in {}", path.display()))
                .hint("docs/import.md shows how a party is written"),
        );
    }
    if party.drafts.len() > MOST {
        return Err(CliError::failed(format!(
            "{} holds {} characters; {MOST} is the most of a session",
            path.display(),
            party.drafts.len()
        )));
    }
    let mut characters: Vec<Character> = Vec::with_capacity(party.drafts.len());
    for draft in party.drafts {
        let line = draft.line;
        let character = draft.finish(system).map_err(wrong)?;
        let same = |known: &Character| is_same(&known.name, &character.name);
        if characters.iter().any(same) {
            let what = format!(
                "name: there are two named {}; names must differ",
                character.name
            );
            return Err(wrong(Wrong::new(line, what)));
        }
        characters.push(character);
    }
    Ok((system, characters))
}

impl Draft {
    fn finish(self, system: System) -> Result<Character, Wrong> {
        let mut character = Character::new("", Sheet::new(system));
        let mut given: Vec<&'static str> = Vec::new();
        for field in &self.fields {
            let name = field.name.trim().to_lowercase().replace([' ', '_'], "-");
            let wrong = |what: String| Wrong::new(field.line, format!("{name}: {what}"));
            let text = field.value.to_string();
            match name.as_str() {
                "name" => text.trim().clone_into(&mut character.name),
                "player" => character.player = text,
                "notes" => character.notes = text,
                "side" => {
                    let side = Allegiance::ALL
                        .into_iter()
                        .find(|side| side.id() == text.to_lowercase());
                    character.side = side.ok_or_else(|| {
                        wrong(format!("it must be one of party, ally, adversary, apathetic, and {text:?} was given"))
                    })?;
                }
                "hidden" => character.hidden = flag(&field.value).map_err(wrong)?,
                "absent" => character.absent = flag(&field.value).map_err(wrong)?,
                _ => {
                    let Some(stat) = stat_named(system, &name) else {
                        return Err(Wrong::new(field.line, unknown(system, &field.name)));
                    };
                    if given.contains(&stat.id) {
                        return Err(wrong("it is given twice".to_owned()));
                    }
                    given.push(stat.id);
                    let value = value_of(stat, &field.value)
                        .map_err(|what| Wrong::new(field.line, what))?;
                    let set = character.sheet.set(stat.id, value);
                    set.map_err(|error| Wrong::new(field.line, error.to_string()))?;
                }
            }
        }
        if character.name.is_empty() {
            return Err(Wrong::new(self.line, "name: a character needs one"));
        }
        complete(&mut character.sheet, &given);
        let bounds = character.sheet.check_bounds();
        bounds.map_err(|error| Wrong::new(self.line, format!("{}: {error}", character.name)))?;
        Ok(character)
    }
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

fn stat_named(system: System, name: &str) -> Option<&'static Stat> {
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

fn value_of(stat: &'static Stat, written: &Value) -> Result<Value, String> {
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
