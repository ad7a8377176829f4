//! `tableside export`: a whole session as one file.

use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::{Desk, Trouble, open};
use crate::store::{StoreError, export};

/// Writes a session into a file.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let given = matches.get_one::<String>("name").map_or("", String::as_str);
    let name = open::name(given)?;
    let folder = name.in_folder(desk.config.data()?);
    let Some(path) = matches.get_one::<PathBuf>("file") else {
        return Err(Trouble::usage("FILE is missing"));
    };
    let at = (desk.clock)();
    let written = write_whole(path, matches.get_flag("force"), |file| {
        export(&folder, name.as_str(), at, file)
    });
    match written {
        Err(Trouble::Failed { what, .. }) if what.starts_with("there is no session at") => {
            return Err(desk.missing(&name));
        }
        written => written?,
    }
    desk.out.line(&format!(
        "{name} is in {}; `tableside import` makes the session of it again",
        path.display()
    ))
}

/// Writes a file whole or not at all; what is there already is replaced only by force.
pub(super) fn write_whole(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn io::Write) -> Result<(), StoreError>,
) -> Result<(), Trouble> {
    let exists = || {
        Trouble::failed(format!("{} exists already", path.display()))
            .hint("choose another name, or replace it with --force")
    };
    let refused = |error: &io::Error| {
        Trouble::failed(format!("{} cannot be written: {error}", path.display()))
    };
    if !force && fs::symlink_metadata(path).is_ok() {
        return Err(exists());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".tableside-")
        .tempfile_in(folder)
        .map_err(|error| refused(&error))?;
    let mut writer = BufWriter::new(file.as_file_mut());
    write(&mut writer)?;
    let flushed = writer.flush();
    drop(writer);
    flushed
        .and_then(|()| file.as_file().sync_all())
        .map_err(|error| refused(&error))?;
    let kept = if force {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    match kept {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists()),
        Err(error) => Err(refused(&error.error)),
    }
}
