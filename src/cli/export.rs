//! `tableside export`: a whole session as one file.

use std::path::PathBuf;

use clap::ArgMatches;

use super::{CliError, Desk, open};
use crate::store::{StoreError, export, write_file};

/// Writes a session into a file.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let given = matches.get_one::<String>("name").map_or("", String::as_str);
    let name = open::name(given)?;
    let folder = name.in_folder(desk.config.data()?);
    let Some(path) = matches.get_one::<PathBuf>("file") else {
        return Err(CliError::usage("FILE is missing"));
    };
    let at = (desk.clock)();
    let written = write_file(path, matches.get_flag("force"), |file| {
        export(&folder, name.as_str(), at, file)
    });
    match written {
        Err(StoreError::Missing { .. }) => return Err(desk.missing(&name)),
        Err(error @ StoreError::Exists { .. }) => {
            return Err(CliError::failed(error.to_string())
                .hint("choose another name, or replace it with --force"));
        }
        written => written?,
    }
    desk.out.line(&format!(
        "{name} is in {}; `tableside import` makes the session of it again",
        path.display()
    ))
}
