//! A party as people write it down elsewhere, in TOML, JSON or CSV: a character a table, an object or a row,
//! its keys the stats of the sheet. Nothing is taken where anything is wrong, and the character and the field are
//! named.

use std::path::Path;

use serde_json::Value as Json;

use super::App;
use super::error::CliError;
use crate::rules::{Field, Kind, Sheet, System, Value};
use crate::session::{Allegiance, Character};
use crate::text::{is_same, joined, nearest, toml_fault};

/// Fields of a character beside its sheet.
const PARTS: [&str; 6] = ["name", "player", "side", "notes", "hidden", "absent"];

/// A character as it was written: where, and its fields.
struct Draft {
    place: String,
    fields: Vec<(String, Value)>,
}

/// The system where the file names it, and the characters; or what is wrong, and where.
type Party = Result<(Option<String>, Vec<Draft>), String>;

/// Reads the characters of a file; its name says how it is written.
pub(super) fn read(
    app: &App<'_>,
    (path, text): (&Path, &str),
    system: Option<System>,
) -> Result<(System, Vec<Character>), CliError> {
    const SHOWN: &str = "the book's page import.md shows how a party is written";
    let file = path.display();
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
    let wrong = |what: String| {
        CliError::failed(format!("{file}, {what}")).hint(format!("nothing was imported; {SHOWN}"))
    };
    let (named, drafts) = party.map_err(wrong)?;
    // What a game or the command line says is read already, and its file may not be here.
    let known = |named: &str| system.filter(|given| given.id() == named);
    let find = |named: &str| known(named).map_or_else(|| app.system(named), Ok);
    let named = named.as_deref().map(find).transpose()?;
    if let (Some(given), Some(named)) = (system, named)
        && given != named
    {
        let what = format!("{file} is a party of {named}, and {given} is asked for");
        return Err(CliError::failed(what));
    }
    let system = system.or(named).ok_or_else(|| {
        CliError::usage("say the system with --system, or the session to add to with --session")
    })?;
    if drafts.is_empty() {
        let what = format!("there is no character in {file}");
        return Err(CliError::failed(what).hint(SHOWN));
    }
    let mut characters: Vec<Character> = Vec::with_capacity(drafts.len());
    for Draft { place, fields } in drafts {
        let character = character(fields, system).and_then(|character| {
            let name = &character.name;
            if characters.iter().any(|known| is_same(&known.name, name)) {
                return Err(format!(
                    "name: there are two named {name}; names must differ"
                ));
            }
            Ok(character)
        });
        characters.push(character.map_err(|what| wrong(format!("{place}: {what}")))?);
    }
    Ok((system, characters))
}

/// The system where the file is to say it, and a `[[character]]` each.
fn toml(text: &str) -> Party {
    party(toml::from_str(text).map_err(|error| toml_fault(text, &error))?)
}

/// An array of objects, or an object with the system and the characters; also what `tableside status --json`
/// prints.
fn json(text: &str) -> Party {
    let document = serde_json::from_str(text).map_err(|error| {
        let line = error.line().max(1);
        format!("line {line}: it is no JSON: {error}")
    });
    party(document?)
}

fn party(document: Json) -> Party {
    let (system, characters) = match document {
        Json::Object(mut whole) => {
            let mut names = ["characters", "character", "party"].into_iter();
            let characters = names.find_map(|name| whole.remove(name));
            let system = whole.get("system").and_then(Json::as_str);
            (system.map(str::to_owned), characters.unwrap_or_default())
        }
        characters => (None, characters),
    };
    let Json::Array(characters) = characters else {
        let what = "there should be a list of characters: `characters`, or [[character]] in TOML";
        return Err(format!("line 1: {what}"));
    };
    let drafts = (1..).zip(characters).map(|(number, character)| {
        let place = format!("character {number}");
        let mut fields = Vec::new();
        match collect(character, &mut fields) {
            Ok(()) => Ok(Draft { place, fields }),
            Err(what) => Err(format!("{place}: {what}")),
        }
    });
    Ok((system, drafts.collect::<Result<_, _>>()?))
}

/// Collects the fields of a character; those of its sheet may stand in a table of their own.
fn collect(written: Json, fields: &mut Vec<(String, Value)>) -> Result<(), String> {
    let Json::Object(written) = written else {
        return Err(format!("its fields should stand where {written} does"));
    };
    for (name, value) in written {
        match name.as_str() {
            "sheet" | "stats" => collect(value, fields)?,
            // `status --json` prints them, and a new character has none.
            "conditions" => {}
            _ => {
                let value = serde_json::from_value::<Option<Value>>(value);
                let value = value.map_err(|error| format!("{name}: {error}"))?;
                fields.extend(value.map(|value| (name, value)));
            }
        }
    }
    Ok(())
}

/// The first row names the fields, each other row is a character; an empty cell says nothing.
fn csv(text: &str) -> Party {
    // Some programs put semicolons where the comma is for decimals.
    let head = text.lines().next().unwrap_or_default();
    let semicolons = head.matches(';').count() > head.matches(',').count();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if semicolons { b';' } else { b',' })
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let wrong = |error: csv::Error| format!("it is no table of cells: {error}");
    let heads = reader.headers().map_err(wrong)?.clone();
    let mut drafts = Vec::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let place = format!("line {}", record.position().map_or(1, csv::Position::line));
        if record.len() > heads.len() {
            let (cells, fields) = (record.len(), heads.len());
            return Err(format!(
                "{place}: there are {cells} cells, and the first row names {fields} fields"
            ));
        }
        let cells = heads.iter().zip(&record);
        let fields = cells.filter(|(_, cell)| !cell.is_empty());
        let fields = fields.map(|(name, cell)| (name.to_owned(), cell.into()));
        let fields: Vec<_> = fields.collect();
        drafts.extend((!fields.is_empty()).then_some(Draft { place, fields }));
    }
    Ok((None, drafts))
}

/// The character with those fields, or what is wrong with one of them.
fn character(fields: Vec<(String, Value)>, system: System) -> Result<Character, String> {
    let mut character = Character::new("", Sheet::new(system));
    let mut given: Vec<&'static str> = Vec::new();
    for (written, value) in fields {
        let name = written.trim().to_lowercase().replace([' ', '_'], "-");
        let here = |what: &str| format!("{name}: {what}");
        let text = value.to_string();
        match name.as_str() {
            "name" => text.trim().clone_into(&mut character.name),
            "player" => character.player = text,
            "notes" => character.notes = text,
            "side" => {
                let mut sides = Allegiance::ALL.into_iter();
                let side = sides.find(|side| side.into_str() == text.to_lowercase());
                character.side = side.ok_or_else(|| {
                    let known = Allegiance::ALL.map(<&str>::from).join(", ");
                    here(&format!(
                        "it must be one of {known}, and {text:?} was given"
                    ))
                })?;
            }
            "hidden" | "absent" => {
                let flag = match text.trim().to_lowercase().as_str() {
                    "yes" | "true" | "1" | "x" => true,
                    "no" | "false" | "0" | "" => false,
                    _ => {
                        return Err(here(&format!(
                            "it must be yes or no, and {text:?} was given"
                        )));
                    }
                };
                match name.as_str() {
                    "hidden" => character.hidden = flag,
                    _ => character.absent = flag,
                }
            }
            _ => {
                let stat = stat_named(system, &name).ok_or_else(|| unknown(system, &written))?;
                if given.contains(&stat.id) {
                    return Err(here("it is given twice"));
                }
                given.push(stat.id);
                let value = match (stat.kind, &value) {
                    // A name in a table may hold what would part the names in a text.
                    (Kind::Ranks { .. }, Value::Ranks(_)) => Ok(value),
                    _ => stat.parse(&text),
                };
                let set = value.and_then(|value| character.sheet.set(stat.id, value));
                set.map_err(|error| error.to_string())?;
            }
        }
    }
    if character.name.is_empty() {
        return Err("name: a character needs one".to_owned());
    }
    complete(&mut character.sheet, &given);
    let bounds = character.sheet.check_bounds();
    bounds.map_err(|error| format!("{}: {error}", character.name))?;
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

/// The stat of that name in files or on the screen, or of that short one.
fn stat_named(system: System, name: &str) -> Option<&'static Field> {
    let is_called =
        |known: &str| !known.is_empty() && known.to_lowercase().replace(' ', "-") == name;
    let find = |names: fn(&Field) -> [&'static str; 2]| {
        let mut stats = system.spec().stats.iter();
        stats.find(|stat| names(stat).into_iter().any(is_called))
    };
    find(|stat| [stat.id, stat.label]).or_else(|| find(|stat| [stat.short; 2]))
}

fn unknown(system: System, given: &str) -> String {
    let stats = system.spec().stats.iter().map(|stat| stat.id);
    let known = || PARTS.into_iter().chain(stats.clone());
    let shown: String = given.chars().take(40).collect();
    let near = nearest(&given.to_lowercase(), known()).map(|near| format!("did you mean {near}?"));
    let has = || format!("a character of {system} has {}", joined(known(), ", "));
    format!("there is no field {shown:?}; {}", near.unwrap_or_else(has))
}
