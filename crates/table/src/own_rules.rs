//! The copies of rules that a game keeps with its files: of its present system file and of earlier ones. With them the
//! game always opens, and old rolls keep their meaning.
//!
//! `system.toml` is for reading and editing. The program reads copies with their SHA-256 in the name, which never change.

use std::fs;
use std::path::Path;

use super::seat_view::SeatView;
use tableside_game::CommandError;
use tableside_rules::{Refused, RuleError, System};
use tableside_store::{GameLocation, Sidecar, StoreError, is_rules};

/// The readable copy of the present rules.
const FILE: &str = "system.toml";

/// The file that contains the path of the system file, on this computer, from which the game last took its rules.
const ORIGIN: &str = "system-from";

fn copy_name(system: System) -> String {
    format!("system-{}.toml", system.sha256())
}

/// Returns the copies of the rules for a new game, as pairs of file name and text.
pub(super) fn copies(system: System) -> Vec<(String, &'static str)> {
    if !system.is_kept() {
        return Vec::new();
    }
    let text = system.text();
    vec![(FILE.to_owned(), text), (copy_name(system), text)]
}

/// Reads the copies of rules that a game has, and returns the rules with which it was saved, if it has a copy of them.
pub fn load_kept_rules(place: &GameLocation) -> Option<System> {
    // If the files cannot be listed, opening the game fails later with a better message.
    let names = Sidecar::names(place).unwrap_or_default();
    let copies = names.iter().filter(|name| is_rules(name));
    for name in copies {
        read_copy(place, name);
    }

    let snapshot = place.snapshot_text()?;
    let system_id = snapshot
        .lines()
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| line.strip_prefix("system = "))?
        .trim_matches('"');
    let system: System = system_id.parse().ok()?;
    if system.is_kept() { Some(system) } else { None }
}

/// Reads a copy of rules, so that the system can be found by its name. `None` if the copy cannot be read.
fn read_copy(place: &GameLocation, name: &str) -> Option<System> {
    let file = Sidecar::new(place, name);
    let text = file.read().ok()??;
    System::of_file(&text, false).ok()
}

/// Writes a copy of rules. This must be done before an event names the rules.
pub(super) fn write_copy(place: &GameLocation, system: System) -> Result<(), StoreError> {
    let file = Sidecar::new(place, &copy_name(system));
    if system.is_kept() && file.stamp().is_none() {
        file.create(system.text())?;
    }
    Ok(())
}

/// Writes the present rules to `system.toml`. If the user has edited that file, the file stays the same, and a message
/// is returned.
pub(super) fn update_readable_copy(place: &GameLocation, system: System) -> Option<String> {
    if !system.is_kept() {
        return None;
    }
    let file = Sidecar::new(place, FILE);
    let text = file.read().ok().flatten();
    if text.as_deref() == Some(system.text()) {
        return None;
    }

    if is_edited(place, text.as_deref()) {
        return Some(format!(
            "{} was edited. The game keeps its present rules until you run \"load the new rules\"",
            file.path().display()
        ));
    }
    // On an error, the file is written when the game is opened the next time.
    let _result = file.replace(system.text());
    None
}

/// True if `system.toml` differs from every copy that this program wrote.
fn is_edited(place: &GameLocation, text: Option<&str>) -> bool {
    let Some(text) = text else {
        return false;
    };
    match System::of_file(text, false) {
        Ok(system) => {
            let copy = Sidecar::new(place, &copy_name(system));
            copy.stamp().is_none()
        }
        Err(_) => true,
    }
}

/// Saves the path of the file from which the game took its rules.
pub fn keep_origin(place: &GameLocation, from: &Path) -> Result<(), StoreError> {
    let path = match fs::canonicalize(from) {
        Ok(canonical) => canonical,
        Err(_) => from.to_path_buf(),
    };
    let origin = Sidecar::new(place, ORIGIN);
    origin.replace(&path.to_string_lossy())
}

impl SeatView<'_> {
    /// Returns the rules to take over: those of the named file or system, of an edited `system.toml`, of the file from
    /// which the game took its rules, or the newest version of its system.
    pub fn rules_to_take(&self, named: &str) -> Result<System, CommandError> {
        let name = if named.is_empty() {
            self.place()
                .and_then(|place| find_new_rules(&place))
                .unwrap_or_else(|| self.system().id().to_owned())
        } else {
            named.to_owned()
        };
        let system = match self.find_system() {
            Some(find) => find(&name),
            None => name.parse().map_err(|error: RuleError| error.to_string()),
        };
        system.map_err(|why| Refused(why).into())
    }
}

/// The path of an edited `system.toml`, or of the file from which the game took its rules.
fn find_new_rules(place: &GameLocation) -> Option<String> {
    let file = Sidecar::new(place, FILE);
    let text = file.read().ok().flatten();
    if is_edited(place, text.as_deref()) {
        return Some(file.path().to_string_lossy().into_owned());
    }

    let origin_file = Sidecar::new(place, ORIGIN);
    let origin = origin_file.read().ok()??;
    if Path::new(&origin).exists() {
        Some(origin)
    } else {
        None
    }
}
