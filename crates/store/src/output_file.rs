//! Writes a file completely or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{IoContext as _, Result, StoreError};

/// Writes a text to a file as [`write_file`] does.
pub fn write_text(path: &Path, replace: bool, text: &str) -> Result<()> {
    write_file(path, replace, |file| {
        file.write_all(text.as_bytes()).io_context("write", path)
    })
}

/// Writes a file completely or not at all. Only its owner can read the file. Fails if the path is an existing file and
/// `replace` is false, or if it is a folder or a device.
pub fn write_file(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let write_error = |error| StoreError::io("write", path, error);
    let exists_error = || StoreError::Exists(path.to_path_buf());

    if let Ok(metadata) = fs::symlink_metadata(path) {
        let is_replaceable = metadata.is_file() || metadata.is_symlink();
        if !(replace && is_replaceable) {
            return Err(exists_error());
        }
    }

    let mut temporary = tempfile::Builder::new()
        .prefix(".tableside-")
        .tempfile_in(folder_of(path))
        .map_err(write_error)?;

    let mut writer = BufWriter::new(temporary.as_file_mut());
    write(&mut writer)?;
    writer.flush().map_err(write_error)?;
    drop(writer);
    temporary.as_file().sync_all().map_err(write_error)?;

    let persisted = if replace {
        temporary.persist(path)
    } else {
        temporary.persist_noclobber(path)
    };
    match persisted {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists_error()),
        Err(error) => Err(write_error(error.error)),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
