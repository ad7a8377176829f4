//! A file that somebody asked for, written whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::error::StoreError;

/// Writes a file whole or not at all, readable by its owner only; what is there already is replaced only
/// where that is wanted.
pub fn write_file(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let exists = || StoreError::Exists(path.to_path_buf());
    let refused = |error| StoreError::io("write", path, error);
    if !replace && fs::symlink_metadata(path).is_ok() {
        return Err(exists());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".tableside-")
        .tempfile_in(folder)
        .map_err(refused)?;
    let mut writer = BufWriter::new(file.as_file_mut());
    write(&mut writer)?;
    let flushed = writer.flush();
    drop(writer);
    flushed
        .and_then(|()| file.as_file().sync_all())
        .map_err(refused)?;
    let kept = if replace {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    match kept {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists()),
        Err(error) => Err(refused(error.error)),
    }
}
