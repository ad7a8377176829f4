//! Creates the folder of a game completely or not at all.
//!
//! The files are written to a folder with a temporary name, which is renamed at the end.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};
use crate::folder::{
    create_data_folder, create_private_folder, exists, make_private, rename_folder,
};

/// The beginning of temporary names.
const TEMPORARY_PREFIX: &str = ".new-";

/// Creates the folder of a game. `write_files` gets the path of the temporary folder.
pub(super) fn create_game_folder(
    folder: &Path,
    write_files: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    if exists(folder) {
        return Err(StoreError::Exists(folder.to_path_buf()));
    }

    let create_error = |error| StoreError::io("make", folder, error);
    let data_folder = folder.parent().unwrap_or(folder);
    create_data_folder(data_folder)?;
    remove_abandoned_folders(data_folder);

    let temporary = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .tempdir_in(data_folder)
        .map_err(create_error)?;
    let temporary_path = temporary.path();

    // The lock prevents other processes from removing the folder as abandoned.
    let lock = File::open(temporary_path).map_err(create_error)?;
    lock.lock().map_err(create_error)?;

    make_private(temporary_path).map_err(create_error)?;
    create_private_folder(&temporary_path.join("journal")).map_err(create_error)?;
    write_files(temporary_path)?;
    rename_folder(temporary_path, folder)?;

    // The folder now has its final name. Forget the temporary name, so that dropping `temporary` does not remove the
    // folder.
    let _old_path: PathBuf = temporary.keep();
    Ok(())
}

/// Removes temporary folders that interrupted processes left behind.
fn remove_abandoned_folders(data_folder: &Path) {
    for entry in fs::read_dir(data_folder).into_iter().flatten().flatten() {
        let has_temporary_name = entry
            .file_name()
            .to_string_lossy()
            .starts_with(TEMPORARY_PREFIX);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());

        if has_temporary_name && is_folder && is_unlocked(&entry.path()) {
            // An abandoned folder that cannot be removed does no harm.
            let _removed = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_unlocked(folder: &Path) -> bool {
    match File::open(folder) {
        Ok(folder) => folder.try_lock().is_ok(),
        Err(_) => false,
    }
}
