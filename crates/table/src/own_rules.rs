//! The rules that a game keeps beside it: a copy of the file that it is played by, and of those before, so that it
//! opens for ever, and what was rolled keeps its meaning.
//!
//! `system.toml` is for people. What counts are the copies that bear their own SHA-256 in their names: they are never
//! written again.

use std::fs;
use std::path::Path;

use super::seat_view::SeatView;
use tableside_game::CommandError;
use tableside_rules::{Refused, RuleError, System};
use tableside_store::{GameLocation, Sidecar, StoreError, is_rules};

/// The copy of the present rules.
const FILE: &str = "system.toml";

/// Where the file is that the game was made of or last took its rules from, on this machine.
const ORIGIN: &str = "system-from";

fn copy_name(system: System) -> String {
    format!("system-{}.toml", system.sha256())
}

/// The files that a new game of that system gets.
pub(super) fn copies(system: System) -> Vec<(String, &'static str)> {
    if !system.is_kept() {
        return Vec::new();
    }
    let names = [FILE.to_owned(), copy_name(system)];
    names.map(|name| (name, system.text())).into()
}

/// Reads the copies beside a game, so that what names them is understood, and returns the rules that it was saved
/// with, where it keeps a copy.
pub fn rules_beside(place: &GameLocation) -> Option<System> {
    let names = Sidecar::names(place).unwrap_or_default();
    for name in names.iter().filter(|name| is_rules(name)) {
        read(place, name);
    }
    let saved = place.snapshot_text()?;
    let mut lines = saved.lines().take_while(|line| !line.starts_with('['));
    let system = lines.find_map(|line| line.strip_prefix("system = "))?;
    let system: System = system.trim_matches('"').parse().ok()?;
    Some(system).filter(|system| system.is_kept())
}

/// A copy, where it can be read.
fn read(place: &GameLocation, name: &str) -> Option<System> {
    let text = Sidecar::new(place, name).read().ok()??;
    System::of_file(&text, false).ok()
}

/// Keeps a copy of rules before anything names them.
pub(super) fn keep(place: &GameLocation, system: System) -> Result<(), StoreError> {
    let file = Sidecar::new(place, &copy_name(system));
    if system.is_kept() && file.stamp().is_none() {
        file.create(system.text())?;
    }
    Ok(())
}

/// Puts the present rules where people look for them. An edit of theirs stays, and is told.
pub(super) fn show(place: &GameLocation, system: System) -> Option<String> {
    let file = Sidecar::new(place, FILE);
    let found = file.read().ok().flatten();
    if !system.is_kept() || found.as_deref() == Some(system.text()) {
        return None;
    }
    if is_edited(place, found.as_deref()) {
        return Some(format!(
            "{} was changed, and the game goes on with the rules that it has; \"take the new rules\" takes those of the file",
            file.path().display()
        ));
    }
    // Where that cannot be, it is done when the game is opened again.
    file.replace(system.text()).ok();
    None
}

/// Whether `system.toml` is no copy that this program wrote.
fn is_edited(place: &GameLocation, text: Option<&str>) -> bool {
    let known = |text: &str| {
        let system = System::of_file(text, false);
        system.is_ok_and(|system| Sidecar::new(place, &copy_name(system)).stamp().is_some())
    };
    text.is_some_and(|text| !known(text))
}

/// Remembers the file that the game's rules come from.
pub fn keep_origin(place: &GameLocation, from: &Path) -> Result<(), StoreError> {
    let from = fs::canonicalize(from).unwrap_or_else(|_gone| from.to_path_buf());
    Sidecar::new(place, ORIGIN).replace(&from.to_string_lossy())
}

impl SeatView<'_> {
    /// The rules that are to be taken: those of the file named, else an edited `system.toml`, else the file that the
    /// game was made of, else the system of the same name as it is now.
    pub fn rules_to_take(&self, named: &str) -> Result<System, CommandError> {
        let edited = |place: &GameLocation| {
            let file = Sidecar::new(place, FILE);
            let text = file.read().ok().flatten();
            let is_edited = is_edited(place, text.as_deref());
            is_edited.then(|| file.path().to_string_lossy().into_owned())
        };
        let origin = |place: &GameLocation| {
            let origin = Sidecar::new(place, ORIGIN).read().ok().flatten();
            origin.filter(|origin| Path::new(origin).exists())
        };
        let given = Some(named.to_owned()).filter(|named| !named.is_empty());
        let beside = |place: &GameLocation| edited(place).or_else(|| origin(place));
        let named = given.or_else(|| beside(&self.place()?));
        let named = named.unwrap_or_else(|| self.system().id().to_owned());
        let found = self.find_system().map(|find| find(&named));
        let parsed = || named.parse().map_err(|error: RuleError| error.to_string());
        let found = found.unwrap_or_else(parsed);
        found.map_err(|why| Refused(why).into())
    }
}
