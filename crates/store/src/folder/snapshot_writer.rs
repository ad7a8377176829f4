//! Replacing the snapshot of a game completely or not at all.
//!
//! The new snapshot is written to a temporary file, synced, and renamed. This is written by hand, because the previous
//! snapshot is kept between the sync and the rename, because tests make each step fail through [`Disk`], and because a
//! fixed temporary name leaves only one file behind after crashes.

use std::io;
use std::path::Path;

use crate::error::{IoContext as _, Result, StoreError};
use crate::folder::disk::{self, Disk};
use crate::snapshot::{LARGEST_SNAPSHOT, PREVIOUS_SNAPSHOT_FILE, SNAPSHOT_FILE, Snapshot};

const NEW_FILE: &str = ".game.toml.new";
const NEW_PREVIOUS_FILE: &str = ".game.toml.before.new";

/// Replaces the snapshot of one game, and detects edits by other programs.
#[derive(Debug)]
pub(super) struct SnapshotWriter {
    /// The checksum of the last known contents of the file.
    known_crc: u32,
    /// Whether an edited snapshot may be replaced. It is kept under another name.
    pub(super) may_replace_edit: bool,
}

impl SnapshotWriter {
    pub(super) fn new(opened: &Snapshot) -> Self {
        Self {
            known_crc: crc32c::crc32c(opened.text.as_bytes()),
            may_replace_edit: false,
        }
    }

    /// Replaces the snapshot in a folder. Keeps the present one as the previous snapshot, or as an edited file.
    pub(super) fn write(&mut self, disk: &dyn Disk, folder: &Path, text: &str) -> Result<()> {
        let path = folder.join(SNAPSHOT_FILE);
        self.check_edit(folder)?;
        write_new_file(disk, folder, text)?;

        // Check again as late as possible, to find an edit that was made a moment ago.
        self.check_edit(folder)?;
        let replace_error = |error| StoreError::io("replace", &path, error);
        self.keep_present_file(disk, folder)
            .map_err(replace_error)?;
        disk.rename(&folder.join(NEW_FILE), &path)
            .map_err(replace_error)?;

        // From now on the new file is in use, even if the following sync fails.
        self.known_crc = crc32c::crc32c(text.as_bytes());
        self.may_replace_edit = false;
        disk.sync(folder).map_err(replace_error)
    }

    /// Fails if another program changed the file, unless it may be replaced.
    fn check_edit(&self, folder: &Path) -> Result<()> {
        let path = folder.join(SNAPSHOT_FILE);

        // Compare the contents, not the time, to find edits within the resolution of the clock. The file is small.
        match disk::read_file(&path, LARGEST_SNAPSHOT) {
            Ok(bytes) => {
                let is_known = crc32c::crc32c(&bytes) == self.known_crc;
                if is_known || self.may_replace_edit {
                    Ok(())
                } else {
                    Err(StoreError::EditedOutside(path))
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StoreError::io("read", &path, error)),
        }
    }

    fn keep_present_file(&self, disk: &dyn Disk, folder: &Path) -> io::Result<()> {
        let path = folder.join(SNAPSHOT_FILE);
        if !path.exists() {
            return Ok(());
        }

        if self.may_replace_edit {
            // An edited file is not a state of this program, so it must not become the previous snapshot, and the next
            // save must not remove it.
            return disk.copy(&path, &disk::free_name(&path, "edited"));
        }

        let new_previous = folder.join(NEW_PREVIOUS_FILE);
        disk::remove_leftover(&new_previous)?;
        disk.copy(&path, &new_previous)?;
        disk.rename(&new_previous, &folder.join(PREVIOUS_SNAPSHOT_FILE))
    }
}

/// Writes a new snapshot to the temporary file, and waits until it is on the disk.
fn write_new_file(disk: &dyn Disk, folder: &Path, text: &str) -> Result<()> {
    let path = folder.join(NEW_FILE);
    let write = || -> io::Result<()> {
        disk::remove_leftover(&path)?;
        let file = disk.create(&path)?;
        disk::write_all(file.as_ref(), text.as_bytes())?;
        file.sync()
    };
    write().io_context("write", &path)
}
