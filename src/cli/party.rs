//! Reads a party from a file written by hand or by a spreadsheet: TOML, JSON or CSV.
//!
//! A character is a table, an object or a row, and its keys are the stats of the sheet. After any fault, no character is
//! imported, and the error names the character and the field.

mod character;
mod document;
mod table;

use std::path::Path;

use super::App;
use super::error::CliError;
use character::build_character;
use document::{read_json, read_toml};
use table::read_csv;
use tableside_game::{
    Arrivals, ArrivingClock, ArrivingPool, Character, Condition, Initiative, numbered_name,
};
use tableside_rules::{System, Value};
use tableside_text::is_same_name;

pub(super) use table::{is_table, separator_of};

/// The advice for a file of another program.
const OTHER_PROGRAMS: &str = "Tableside cannot read files of other trackers: write name, player and stats into a \
                              spreadsheet, and save it as CSV";
/// The advice for a file with an error.
const FORMAT_HINT: &str = "the book's page import.md shows how a party is written";

/// A character as the file has it.
struct Draft {
    /// The place in the file, for errors.
    place: String,
    fields: Vec<(String, Value)>,
    state: CharacterState,
}

/// The state of a character, which `status --json` prints beside its sheet.
#[derive(Debug, Default)]
struct CharacterState {
    conditions: Vec<Condition>,
    initiative: Option<Initiative>,
    acted: bool,
}

/// The contents of a file.
#[derive(Default)]
struct PartyFile {
    /// The system, if the file names it.
    system: Option<String>,
    drafts: Vec<Draft>,
    clocks: Vec<ArrivingClock>,
    pools: Vec<ArrivingPool>,
    /// The parts of the file that are not imported.
    left_behind: Vec<&'static str>,
}

/// A party that was read.
pub(super) struct ReadParty {
    pub(super) system: System,
    pub(super) arrivals: Arrivals,
    /// Sentences about changes to the written values.
    pub(super) remarks: Vec<String>,
    /// The parts of the file that are not imported.
    pub(super) left_behind: Vec<&'static str>,
}

/// Reads the characters of a file, whose name shows its format.
///
/// If several characters have the same name, all but the first get a number. No other character of the file and none of
/// `taken_names` has the new name.
pub(super) fn read(
    app: &App<'_>,
    path: &Path,
    text: &str,
    system: Option<System>,
    taken_names: &[String],
) -> Result<ReadParty, CliError> {
    let file = path.display();
    let fail = |problem: String| {
        CliError::failed(format!("{file}, {problem}"))
            .hint(format!("the import failed; {FORMAT_HINT}"))
    };

    let party = match format_of(path, text)? {
        PartyFormat::Toml => read_toml(text),
        PartyFormat::Json => read_json(text),
        PartyFormat::Table => read_csv(text),
    };
    let party = party.map_err(fail)?;
    let system = choose_system(app, path, system, party.system.as_deref())?;
    if party.drafts.is_empty() {
        let problem = format!("there is no character in {file}");
        return Err(CliError::failed(problem).hint(FORMAT_HINT));
    }

    let mut characters = Vec::with_capacity(party.drafts.len());
    for draft in party.drafts {
        let place = draft.place;
        let mut character = build_character(draft.fields, system)
            .map_err(|problem| fail(format!("{place}: {problem}")))?;
        character.conditions = draft.state.conditions;
        character.acted = draft.state.acted;
        if draft.state.initiative.is_some() {
            character.initiative = draft.state.initiative;
        }
        characters.push(character);
    }

    let remarks = number_repeated_names(&mut characters, taken_names);
    Ok(ReadParty {
        system,
        arrivals: Arrivals {
            characters,
            clocks: party.clocks,
            pools: party.pools,
        },
        remarks,
        left_behind: party.left_behind,
    })
}

enum PartyFormat {
    Toml,
    Json,
    Table,
}

fn format_of(path: &Path, text: &str) -> Result<PartyFormat, CliError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    match extension.to_lowercase().as_str() {
        "toml" => Ok(PartyFormat::Toml),
        "json" => Ok(PartyFormat::Json),
        _ if is_table(path, text) => Ok(PartyFormat::Table),
        _ => {
            let file = path.display();
            let problem =
                "is not an exported game, and its name does not show the format of a party";
            let hint = "a party is a file named .csv, .tsv, .toml or .json";
            Err(CliError::failed(format!("{file} {problem}")).hint(hint))
        }
    }
}

/// Returns the system of the game or the command line, or else the one that the file names.
fn choose_system(
    app: &App<'_>,
    path: &Path,
    given: Option<System>,
    named: Option<&str>,
) -> Result<System, CliError> {
    let Some(name) = named else {
        return given.ok_or_else(|| {
            CliError::usage("give the system with --system, or the game to add to with --game")
        });
    };

    let Some(given) = given else {
        return app.system(name);
    };
    // The given system is read already, and its file may not be here.
    if given.id() == name {
        return Ok(given);
    }
    let named = app.system(name)?;
    if given != named {
        let file = path.display();
        let problem = format!("{file} is a party of {named}, and {given} is asked for");
        return Err(CliError::failed(problem));
    }
    Ok(given)
}

/// Adds numbers to names that occur more than once. Returns a sentence about each of them.
fn number_repeated_names(characters: &mut [Character], taken_names: &[String]) -> Vec<String> {
    let written_names: Vec<String> = characters
        .iter()
        .map(|character| character.name.clone())
        .collect();
    let mut used_names = written_names.clone();
    used_names.extend_from_slice(taken_names);

    let mut remarks = Vec::new();
    for (index, character) in characters.iter_mut().enumerate() {
        let is_repeated = written_names[..index]
            .iter()
            .any(|name| is_same_name(name, &character.name));
        if !is_repeated {
            continue;
        }

        let new_name = numbered_name(&character.name, used_names.iter().map(String::as_str));
        remarks.push(format!(
            "{} occurs more than once; one is renamed to {new_name}",
            character.name
        ));
        used_names.push(new_name.clone());
        character.name = new_name;
    }
    remarks
}
