//! A party as people write it down elsewhere, in TOML, JSON or CSV: a character a table, an object or a row,
//! its keys the stats of the sheet. Nothing is taken where anything is wrong, and the character and the field are
//! named.

use std::path::Path;

use serde_json::{Map, Value as Json};

use super::error::CliError;
use super::{App, status};
use tableside_game::{
    Allegiance, Arrivals, ArrivingClock, ArrivingPool, Character, Condition, Initiative,
    InitiativeError, LONGEST_NAME, numbered_name,
};
use tableside_rules::{Field, Kind, Sheet, System, Value};
use tableside_text::{describe_toml_error, fold, is_same_name, join, nearest, sanitise_name};

/// Fields of a character beside its sheet.
const PARTS: [&str; 6] = ["name", "player", "side", "notes", "hidden", "absent"];

/// What to do with the file of another program.
const OF_OTHERS: &str = "files of other trackers are not read as they are: write name, player and stats into a \
                         spreadsheet, and save it as CSV";

/// A character as it was written: where, its fields, and what `status --json` says of it besides.
struct Draft {
    place: String,
    fields: Vec<(String, Value)>,
    state: CharacterState,
}

/// How a character stands, beside its sheet.
#[derive(Debug, Default)]
struct CharacterState {
    conditions: Vec<Condition>,
    initiative: Option<Initiative>,
    acted: bool,
}

/// A party as a file holds it; or what is wrong, and where.
type Party = Result<Written, String>;

struct Written {
    /// The system, if the file names it.
    system: Option<String>,
    drafts: Vec<Draft>,
    /// What `status --json` prints beside the party.
    clocks: Vec<ArrivingClock>,
    pools: Vec<ArrivingPool>,
    left_behind: Vec<&'static str>,
}

/// A party that was read.
pub(super) struct ReadParty {
    pub(super) system: System,
    pub(super) arrivals: Arrivals,
    /// What was read otherwise than it is written, in sentences.
    pub(super) remarks: Vec<String>,
    /// The parts of the document that do not come along.
    pub(super) left_behind: Vec<&'static str>,
}

/// Reads the characters of a file; its name says how it is written. Of several with one name, all but the first get a
/// number that no other character of the file has, and none of those `taken`.
pub(super) fn read(
    app: &App<'_>,
    (path, text): (&Path, &str),
    system: Option<System>,
    taken: &[String],
) -> Result<ReadParty, CliError> {
    const SHOWN: &str = "the book's page import.md shows how a party is written";
    let file = path.display();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let party = match extension.to_lowercase().as_str() {
        "toml" => toml(text),
        "json" => json(text),
        _ if is_table(path, text) => csv(text),
        _ => {
            let what = "is not an exported game, and its name does not show the format of a party";
            let hint = "a party is a file named .csv, .tsv, .toml or .json";
            return Err(CliError::failed(format!("{file} {what}")).hint(hint));
        }
    };
    let wrong = |what: String| {
        CliError::failed(format!("{file}, {what}")).hint(format!("the import failed; {SHOWN}"))
    };
    let Written {
        system: named,
        drafts,
        clocks,
        pools,
        left_behind,
    } = party.map_err(wrong)?;
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
        CliError::usage("give the system with --system, or the game to add to with --game")
    })?;
    if drafts.is_empty() {
        let what = format!("there is no character in {file}");
        return Err(CliError::failed(what).hint(SHOWN));
    }
    let mut characters: Vec<Character> = Vec::with_capacity(drafts.len());
    for Draft {
        place,
        fields,
        state,
    } in drafts
    {
        let mut character =
            character(fields, system).map_err(|what| wrong(format!("{place}: {what}")))?;
        character.conditions = state.conditions;
        character.acted = state.acted;
        if state.initiative.is_some() {
            character.initiative = state.initiative;
        }
        characters.push(character);
    }

    let remarks = tell_apart(&mut characters, taken);
    Ok(ReadParty {
        system,
        arrivals: Arrivals {
            characters,
            clocks,
            pools,
        },
        remarks,
        left_behind,
    })
}

/// Whether a file is a table of cells: by its name, or a text that a spreadsheet saved.
pub(super) fn is_table(path: &Path, text: &str) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    match extension.to_lowercase().as_str() {
        "csv" | "tsv" | "tab" => true,
        "txt" => text.contains('\t'),
        _ => false,
    }
}

/// Puts numbers behind names that stand twice, and says so.
fn tell_apart(characters: &mut [Character], taken: &[String]) -> Vec<String> {
    let written: Vec<String> = characters.iter().map(|one| one.name.clone()).collect();
    let mut known: Vec<String> = written.iter().chain(taken).cloned().collect();
    let mut remarks = Vec::new();

    for (at, character) in characters.iter_mut().enumerate() {
        let mut before = written.iter().take(at);
        if !before.any(|name| is_same_name(name, &character.name)) {
            continue;
        }
        let name = numbered_name(&character.name, known.iter().map(String::as_str));
        remarks.push(format!(
            "{} occurs more than once; one is renamed to {name}",
            character.name
        ));
        known.push(name.clone());
        character.name = name;
    }

    remarks
}

/// The system where the file is to say it, and a `[[character]]` each.
fn toml(text: &str) -> Party {
    party(toml::from_str(text).map_err(|error| describe_toml_error(text, &error))?)
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
    let mut clocks = Vec::new();
    let mut pools = Vec::new();
    let mut left_behind = Vec::new();
    let (system, characters) = match document {
        Json::Object(mut whole) => {
            let mut names = ["characters", "character", "party"].into_iter();
            let characters = names.find_map(|name| whole.remove(name));
            for written in list(&mut whole, "clocks")? {
                // A document of an earlier version says `house`.
                let is_host_clock = ["host", "house"]
                    .iter()
                    .any(|key| written.get(key) == Some(&Json::Bool(true)));
                if is_host_clock {
                    left_behind.push("the host's clocks");
                    continue;
                }
                clocks.push(status::read_clock(written)?);
            }
            for written in list(&mut whole, "pools")? {
                pools.push(status::read_pool(written)?);
            }
            for (part, words) in LEFT_BEHIND {
                let is_there = match whole.get(part) {
                    Some(Json::Array(all)) => !all.is_empty(),
                    Some(Json::Number(number)) => number.as_u64() != Some(0),
                    _ => false,
                };
                if is_there {
                    left_behind.push(words);
                }
            }
            let system = whole.get("system").and_then(Json::as_str);
            (system.map(str::to_owned), characters.unwrap_or_default())
        }
        characters => (None, characters),
    };
    left_behind.dedup();
    let Json::Array(characters) = characters else {
        let what = "expected a list of characters: `characters`, or [[character]] in TOML";
        return Err(format!("line 1: {what}; {OF_OTHERS}"));
    };

    let mut drafts = Vec::new();
    for (number, character) in (1..).zip(characters) {
        let place = format!("character {number}");
        let mut fields = Vec::new();
        let mut state = CharacterState::default();
        collect(character, &mut fields, &mut state).map_err(|what| format!("{place}: {what}"))?;
        drafts.push(Draft {
            place,
            fields,
            state,
        });
    }
    Ok(Written {
        system,
        drafts,
        clocks,
        pools,
        left_behind,
    })
}

/// What `status --json` prints and a party does not take along, by the part of the document.
const LEFT_BEHIND: [(&str, &str); 5] = [
    ("log", "the log"),
    ("round", "the round"),
    ("unfinished", "unfinished rolls"),
    ("calls", "calls for a roll"),
    ("locks", "what may not be tried again"),
];

/// A list of a document, taken out of it.
fn list(whole: &mut Map<String, Json>, name: &str) -> Result<Vec<Json>, String> {
    match whole.remove(name) {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::Array(all)) => Ok(all),
        Some(_) => Err(format!("{name}: expected a list")),
    }
}

/// Collects the fields of a character; those of its sheet may stand in a table of their own.
fn collect(
    written: Json,
    fields: &mut Vec<(String, Value)>,
    state: &mut CharacterState,
) -> Result<(), String> {
    let Json::Object(written) = written else {
        return Err(format!("its fields should be in place of {written}"));
    };
    for (name, value) in written {
        let wrong = |error: serde_json::Error| format!("{name}: {error}");
        match name.as_str() {
            "sheet" | "stats" => collect(value, fields, state)?,
            // `status --json` prints these.
            "conditions" => state.conditions = serde_json::from_value(value).map_err(wrong)?,
            "initiative" if !value.is_string() => {
                state.initiative = serde_json::from_value(value).map_err(wrong)?;
            }
            "acted" => state.acted = serde_json::from_value(value).map_err(wrong)?,
            "on-turn" => {}
            _ => {
                let value = match value {
                    // A spreadsheet's converter writes 10 as 10.0, and an initiative may have decimals.
                    Json::Number(number) if !number.is_i64() => {
                        let text = number.to_string();
                        Json::String(text.strip_suffix(".0").unwrap_or(&text).to_owned())
                    }
                    value => value,
                };
                let value = serde_json::from_value::<Option<Value>>(value).map_err(|_error| {
                    format!("{name}: expected a number or a text; {OF_OTHERS}")
                })?;
                fields.extend(value.map(|value| (name, value)));
            }
        }
    }
    Ok(())
}

/// The first row names the fields, each other row is a character; an empty cell says nothing.
fn csv(text: &str) -> Party {
    let (text, separator) = separator_of(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .trim(csv::Trim::All)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());

    let mut heads: Option<Vec<String>> = None;
    let mut drafts = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("it is no table of cells: {error}"))?;
        let place = format!("line {}", record.position().map_or(1, csv::Position::line));
        let mut cells: Vec<&str> = record.iter().map(str::trim).collect();
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        if cells.is_empty() {
            continue;
        }

        match &heads {
            None => heads = Some(heads_of(&cells, &place)?),
            Some(heads) => {
                let fields = fields_of(&cells, heads, &place)?;
                drafts.push(Draft {
                    place,
                    fields,
                    state: CharacterState::default(),
                });
            }
        }
    }
    Ok(Written {
        system: None,
        drafts,
        clocks: Vec::new(),
        pools: Vec::new(),
        left_behind: Vec::new(),
    })
}

/// The text without a line `sep=;`, and what separates its cells: the sign that its first row has most often outside of
/// quotation marks.
pub(super) fn separator_of(text: &str) -> (&str, u8) {
    let text = text.trim_start_matches('\n');
    let (first, behind) = text.split_once('\n').unwrap_or((text, ""));
    if let Some(&[said]) = first.trim().strip_prefix("sep=").map(str::as_bytes) {
        return (behind, said);
    }

    let outside = first.split('"').step_by(2);
    let count = |separator: char| {
        outside
            .clone()
            .map(|part| part.matches(separator).count())
            .sum::<usize>()
    };
    let mut separator = ',';
    for other in [';', '\t'] {
        if count(other) > count(separator) {
            separator = other;
        }
    }
    (text, u8::try_from(separator).unwrap_or(b','))
}

/// The names in the first row.
fn heads_of(cells: &[&str], place: &str) -> Result<Vec<String>, String> {
    for (at, cell) in cells.iter().enumerate() {
        let mut before = cells.iter().take(at);
        if !cell.is_empty() && before.any(|other| is_same_name(other, cell)) {
            return Err(format!(
                "{place}: two columns are named {cell:?}; names must differ"
            ));
        }
    }
    Ok(cells.iter().map(|cell| (*cell).to_owned()).collect())
}

/// The fields of a row.
fn fields_of(
    cells: &[&str],
    heads: &[String],
    place: &str,
) -> Result<Vec<(String, Value)>, String> {
    if cells.len() > heads.len() {
        let (cells, fields) = (cells.len(), heads.len());
        return Err(format!(
            "{place}: there are {cells} cells, and the first row names {fields} fields"
        ));
    }

    let mut fields = Vec::new();
    for (at, (head, cell)) in heads.iter().zip(cells).enumerate() {
        if cell.is_empty() {
            continue;
        }
        if head.is_empty() {
            let column = at + 1;
            return Err(format!(
                "{place}: {cell:?} is in column {column}, which has no name in the first row; name the column, or empty the cell"
            ));
        }
        fields.push((head.clone(), (*cell).into()));
    }
    Ok(fields)
}

/// The character with those fields, or what is wrong with one of them.
fn character(fields: Vec<(String, Value)>, system: System) -> Result<Character, String> {
    let mut character = Character::new("", Sheet::new(system));
    let mut given: Vec<&'static str> = Vec::new();
    for (written, value) in fields {
        let name = fold(&written).replace([' ', '_'], "-");
        let here = |what: &str| format!("{name}: {what}");
        let text = value.to_string();
        match name.as_str() {
            "name" => character.name = sanitise_name(&text, LONGEST_NAME),
            "player" => character.player = text,
            "notes" => character.notes = text,
            "side" => {
                let mut sides = Allegiance::ALL.into_iter();
                // Older exports have the former word for neutral.
                let text = if is_same_name(&text, "apathetic") {
                    "neutral".to_owned()
                } else {
                    text
                };
                let side = sides.find(|side| is_same_name(side.into_str(), &text));
                character.side = side.ok_or_else(|| {
                    let known = Allegiance::ALL.map(<&str>::from).join(", ");
                    here(&format!(
                        "it must be one of {known}, and {text:?} was given"
                    ))
                })?;
            }
            "hidden" | "absent" => {
                let flag = match fold(&text).as_str() {
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
            "initiative" if stat_named(system, &name).is_none() => {
                let initiative = text
                    .parse()
                    .map_err(|error: InitiativeError| here(&error.to_string()));
                character.initiative = Some(initiative?);
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
    character.sheet.follow_maximums(&given);
    let bounds = character.sheet.check_bounds();
    bounds.map_err(|error| format!("{}: {error}", character.name))?;
    Ok(character)
}

/// The stat of that name in files or on the screen, or of that short one.
fn stat_named(system: System, name: &str) -> Option<&'static Field> {
    let is_called = |known: &str| !known.is_empty() && fold(known).replace(' ', "-") == name;
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
    let has = || format!("a character of {system} has {}", join(known(), ", "));
    format!("there is no field {shown:?}; {}", near.unwrap_or_else(has))
}
