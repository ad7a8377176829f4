//! The three ways in which a party is written, read as rows of fields: TOML, JSON and CSV.

use serde_json::Value as Json;

use crate::rules::Value;

/// A field as it was written.
pub(super) struct Written {
    pub(super) name: String,
    pub(super) value: Value,
    /// In which line, from 1.
    pub(super) line: usize,
}

/// A character as it was written.
pub(super) struct Draft {
    /// In which line it begins, from 1.
    pub(super) line: usize,
    pub(super) fields: Vec<Written>,
}

/// What a file says.
pub(super) struct Party {
    /// The system, where the file names it.
    pub(super) system: Option<String>,
    pub(super) drafts: Vec<Draft>,
}

/// What is wrong in a line, from 1, and what would be right.
pub(super) struct Wrong {
    pub(super) line: usize,
    pub(super) what: String,
}

impl Wrong {
    pub(super) fn new(line: usize, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { line, what }
    }
}

/// The system where the file is to say it, and a `[[character]]` each.
pub(super) fn toml(text: &str) -> Result<Party, Wrong> {
    let document = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = format!("it is no TOML: {}", error.message().trim());
        Wrong::new(line_at(text, at), what)
    });
    party(text, document?)
}

/// An array of objects, or an object with the system and the characters; also what `tableside status --json`
/// prints.
pub(super) fn json(text: &str) -> Result<Party, Wrong> {
    let document = serde_json::from_str(text).map_err(|error| {
        let what = format!("it is no JSON: {error}");
        Wrong::new(error.line().max(1), what)
    });
    party(text, document?)
}

/// The line, from 1, of a place in the text.
fn line_at(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

fn party(text: &str, document: Json) -> Result<Party, Wrong> {
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
        return Err(Wrong::new(1, what));
    };
    let mut places = Places { text, at: 0 };
    let mut drafts = Vec::with_capacity(characters.len());
    for character in characters {
        let mut fields = Vec::new();
        places.fields(character, &mut fields)?;
        let first = fields.first().map(|field: &Written| field.line);
        let line = first.unwrap_or_else(|| line_at(text, places.at));
        drafts.push(Draft { line, fields });
    }
    Ok(Party { system, drafts })
}

/// Finds the lines of keys, which come in the order of the text.
struct Places<'a> {
    text: &'a str,
    at: usize,
}

impl Places<'_> {
    /// Collects the fields of a character; those of its sheet may stand in a table of their own.
    fn fields(&mut self, character: Json, fields: &mut Vec<Written>) -> Result<(), Wrong> {
        let Json::Object(character) = character else {
            let what = format!("a character with its fields should stand where {character} does");
            return Err(Wrong::new(line_at(self.text, self.at), what));
        };
        for (name, value) in character {
            let line = self.line_of(&name);
            match name.as_str() {
                "sheet" | "stats" => self.fields(value, fields)?,
                // `status --json` prints them, and a new character has none.
                "conditions" => {}
                _ => {
                    let value = serde_json::from_value::<Option<Value>>(value);
                    let value = value.map_err(|error| Wrong::new(line, format!("{name}: {error}")));
                    fields.extend(value?.map(|value| Written { name, value, line }));
                }
            }
        }
        Ok(())
    }

    /// The line in which the next key of that name stands.
    fn line_of(&mut self, name: &str) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_key = |at: &usize| {
            let (before, behind) = rest.split_at(*at);
            let behind = behind.strip_prefix(name).unwrap_or_default();
            let behind = behind.trim_start_matches(['"', '\'']).trim_start();
            !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '-')
                && behind.starts_with(['=', ':'])
        };
        let mut found = rest.match_indices(name).map(|(at, _)| at);
        self.at += found.find(is_key).unwrap_or(0);
        line_at(self.text, self.at)
    }
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
    let mut drafts = Vec::new();
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
        let fields = fields.map(|(name, cell)| Written {
            name: name.to_owned(),
            value: cell.into(),
            line,
        });
        let fields: Vec<Written> = fields.collect();
        if !fields.is_empty() {
            drafts.push(Draft { line, fields });
        }
    }
    let system = None;
    Ok(Party { system, drafts })
}
