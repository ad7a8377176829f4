//! `tableside import --creatures`: templates from the JSON of Open5e and of Improved Initiative, and from a party's file.

mod foreign;

use std::path::Path;

use serde_json::Value as Json;

use self::foreign::Foreign;
use super::{App, CliError, party, pluralise};
use tableside_rules::{Creature, CreatureSide, System};

/// A file of creatures.
pub(super) struct CreatureFile<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
    /// The name of the file of templates. `None` for the name of the imported file.
    pub(super) name: Option<&'a str>,
    pub(super) system: Option<&'a str>,
}

/// Reads the creatures of a file and writes them as templates into a file of the user's own.
pub(super) fn import_creatures(app: &mut App<'_>, file: &CreatureFile<'_>) -> Result<(), CliError> {
    let (system, creatures) = match read_foreign(file)? {
        Some(creatures) => {
            let system = app.system(file.system.unwrap_or("5e"))?;
            check_fits(system, file.path)?;
            let creatures = creatures.iter().map(Foreign::to_creature).collect();
            (system, creatures)
        }
        None => read_party(app, file)?,
    };
    let creatures = checked(&creatures, system, file.path)?;

    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let name = file.name.unwrap_or(&stem);
    let path = app
        .config
        .save_creatures(name, system, &creatures)
        .map_err(|error| CliError::failed(error.to_string()).hint("nothing was imported"))?;
    let count = pluralise(creatures.len(), "creature");
    let system = system.spec().name;
    app.out
        .line(&format!("{count} of {system} in {}", path.display()))
}

/// Reads the creatures of Open5e or Improved Initiative. `None` if the file is a party's.
fn read_foreign(file: &CreatureFile<'_>) -> Result<Option<Vec<Foreign>>, CliError> {
    let extension = file.path.extension().unwrap_or_default();
    if !extension.eq_ignore_ascii_case("json") {
        return Ok(None);
    }

    let document: Json = serde_json::from_str(file.text).map_err(|error| {
        let shown = file.path.display();
        CliError::failed(format!("{shown}, line {}: {error}", error.line().max(1)))
            .hint("nothing was imported")
    })?;
    let mut creatures = Vec::new();
    collect_creatures(&document, &mut creatures);
    if creatures.is_empty() {
        return Ok(None);
    }
    Ok(Some(creatures))
}

/// Finds the creatures in a document: one, a list, a page of results, or the storage of Improved Initiative, whose
/// entries are JSON within texts.
fn collect_creatures(document: &Json, creatures: &mut Vec<Foreign>) {
    match document {
        Json::Array(entries) => {
            for entry in entries {
                collect_creatures(entry, creatures);
            }
        }
        Json::String(text) if text.trim_start().starts_with(['{', '[']) => {
            // A text that is no JSON holds no creature.
            if let Ok(inner) = serde_json::from_str(text) {
                collect_creatures(&inner, creatures);
            }
        }
        Json::Object(object) => {
            if let Some(creature) = Foreign::read(object) {
                creatures.push(creature);
                return;
            }
            for entry in object.values() {
                collect_creatures(entry, creatures);
            }
        }
        _ => {}
    }
}

/// Refuses a system whose sheet has no place for the values of these files.
fn check_fits(system: System, path: &Path) -> Result<(), CliError> {
    let stats = system.spec().stats;
    let has_stat = |id: &str| stats.iter().any(|stat| stat.id == id);
    if has_stat("armor-class") && has_stat("hit-points") {
        return Ok(());
    }
    let shown = path.display();
    let name = system.spec().name;
    Err(CliError::usage(format!(
        "{shown} has creatures of 5e, and {name} has other values; use --system 5e"
    )))
}

/// Reads a party's file as templates, each on the side of the adversaries unless the file says otherwise.
fn read_party(
    app: &mut App<'_>,
    file: &CreatureFile<'_>,
) -> Result<(System, Vec<Creature>), CliError> {
    let system = file.system.map(|named| app.system(named)).transpose()?;
    let read = party::read(app, file.path, file.text, system, &[])?;
    let mut creatures = Vec::new();
    for character in &read.arrivals.characters {
        let mut creature = character.to_creature();
        if creature.side == CreatureSide::Party {
            creature.side = CreatureSide::Adversary;
        }
        creatures.push(creature);
    }
    Ok((read.system, creatures))
}

/// Reads the creatures back from their own file, so that no file is written that the program would refuse.
fn checked(creatures: &[Creature], system: System, path: &Path) -> Result<Vec<Creature>, CliError> {
    let mut all = Vec::new();
    for creature in creatures {
        let text = Creature::write_file(system, std::slice::from_ref(creature));
        let read = Creature::read_file(&text, system).map_err(|error| {
            let shown = path.display();
            CliError::failed(format!("{shown}, {}: {error}", creature.name))
                .hint("nothing was imported")
        })?;
        all.extend(read);
    }
    Ok(all)
}
