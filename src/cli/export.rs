//! `tableside export`: a whole session as one file.

use std::path::PathBuf;

use super::App;
use super::error::CliError;
use crate::store::{StoreError, export, write_file};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session
    session: String,
    /// The file to write; what is there already is not replaced
    file: PathBuf,
    /// Replaces the file where there is one
    #[arg(long)]
    force: bool,
}

/// Writes a session into a file.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = app.name(&args.session)?;
    let folder = name.in_folder(app.config.data()?);
    let at = (app.clock)();
    let written = write_file(&args.file, args.force, |file| {
        export(&folder, name.as_str(), at, file)
    });
    match written {
        Err(StoreError::Missing { .. }) => return Err(app.missing(&name)),
        Err(error @ StoreError::Exists { .. }) => {
            return Err(CliError::failed(error.to_string())
                .hint("choose another name, or replace it with --force"));
        }
        written => written?,
    }
    app.out.line(&format!(
        "{name} is in {}; `tableside import` makes the session of it again",
        args.file.display()
    ))
}
