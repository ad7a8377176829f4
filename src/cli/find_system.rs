//! How words of the command line name rule systems: by a name, or by a path that ends in `.toml`.

use super::{App, CliError};
use crate::config::{Config, SystemFile};
use tableside_rules::System;

impl App<'_> {
    /// The system of that name or in that file; the user's own go first.
    pub(super) fn system(&self, named: &str) -> Result<System, CliError> {
        if let Some((_, system)) = self.named.iter().find(|(word, _)| *word == named) {
            return Ok(*system);
        }
        find_system(&self.config, named)
    }
}

/// The same for those who have no command line.
pub(super) fn find_system(config: &Config, named: &str) -> Result<System, CliError> {
    if let Some(own) = config.system_file(named) {
        return Ok(own.read()?);
    }
    let own: Vec<String> = config.own_systems().map(|own| own.id).collect();
    Ok(System::named(named, own.iter().map(String::as_str))?)
}

/// Every system by its name: those that come along, but for those that a file of the user's own stands in for, then
/// the user's own with their files.
pub(super) fn all_systems(config: &Config) -> Vec<(String, Option<SystemFile>)> {
    let own: Vec<SystemFile> = config.own_systems().collect();
    let shipped = System::shipped().map(System::id);
    let shipped: Vec<&str> = shipped
        .filter(|id| own.iter().all(|own| own.id != *id))
        .collect();
    let own = own.into_iter().map(|own| (own.id.clone(), Some(own)));
    let shipped = shipped.into_iter().map(|id| (id.to_owned(), None));
    shipped.chain(own).collect()
}
