//! Replaces the snapshot of a game completely or not at all.
//!
//! The new snapshot is written to a temporary file, synced, and renamed. This module does not use a library for these
//! steps, for three reasons: the previous snapshot is kept between the sync and the rename, tests make each step fail
//! through [`Disk`], and a fixed temporary name leaves at most one file behind after crashes.

use std::io;
use std::path::Path;

use crate::error::{IoContext as _, Result, StoreError};
use crate::folder::disk::{self, Disk};
use crate::snapshot::{LARGEST_SNAPSHOT, PREVIOUS_SNAPSHOT_FILE, SNAPSHOT_FILE, Snapshot};

const NEW_FILE: &str = ".game.toml.new";
/// The copy of the present snapshot, until it is renamed.
const COPY_FILE: &str = ".game.toml.before.new";

/// Replaces the snapshot of one game, and detects edits by other programs.
#[derive(Debug)]
pub(super) struct SnapshotWriter {
    /// The checksum of the last known contents of the file.
    known_crc: u32,
    /// True if a snapshot that another program edited may be replaced. The edited file is kept under another name.
    pub(super) may_replace_edit: bool,
    /// The checksum of the contents that are already kept under another name, so that a retry does not keep them again.
    kept_crc: Option<u32>,
}

impl SnapshotWriter {
    pub(super) fn new(opened: &Snapshot) -> Self {
        Self {
            known_crc: crc32c::crc32c(opened.text.as_bytes()),
            may_replace_edit: false,
            kept_crc: None,
        }
    }

    /// Replaces the snapshot in a folder. The old file is kept as the previous snapshot, or under another name if it
    /// was edited.
    pub(super) fn write(&mut self, disk: &dyn Disk, folder: &Path, text: &str) -> Result<()> {
        let path = folder.join(SNAPSHOT_FILE);
        self.check_edit(folder)?;
        write_new_file(disk, folder, text)?;

        // Check again as late as possible, to detect an edit during the write.
        self.check_edit(folder)?;
        let replace_error = |error| StoreError::io("replace", &path, error);
        self.keep_present_file(disk, folder)
            .map_err(replace_error)?;
        disk.rename(&folder.join(NEW_FILE), &path)
            .map_err(replace_error)?;

        // From now on the new file is in use, even if the following sync fails.
        self.known_crc = crc32c::crc32c(text.as_bytes());
        self.may_replace_edit = false;
        self.kept_crc = None;
        disk.sync(folder).map_err(replace_error)
    }

    /// Fails if another program has edited the snapshot, unless an edited snapshot may be replaced.
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

    fn keep_present_file(&mut self, disk: &dyn Disk, folder: &Path) -> io::Result<()> {
        let path = folder.join(SNAPSHOT_FILE);
        if !path.exists() {
            return Ok(());
        }

        if !self.may_replace_edit {
            return keep_as(disk, folder, &folder.join(PREVIOUS_SNAPSHOT_FILE));
        }

        // The present snapshot was edited, or the game continues from the previous snapshot instead of it. In both cases it
        // must not replace the previous snapshot, and the next save must not remove it.
        let present_crc = crc32c::crc32c(&disk::read_file(&path, LARGEST_SNAPSHOT)?);
        if self.kept_crc != Some(present_crc) {
            keep_as(disk, folder, &disk::free_name(&path, "edited"))?;
            self.kept_crc = Some(present_crc);
        }
        Ok(())
    }
}

/// Copies the present snapshot to `target`, completely or not at all.
fn keep_as(disk: &dyn Disk, folder: &Path, target: &Path) -> io::Result<()> {
    let copy = folder.join(COPY_FILE);
    disk::remove_leftover(&copy)?;
    disk.copy(&folder.join(SNAPSHOT_FILE), &copy)?;
    disk.rename(&copy, target)
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
