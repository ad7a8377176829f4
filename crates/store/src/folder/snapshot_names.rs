//! The names of the snapshot files of a game, and the names that the first edition gave them.
//!
//! Opening a game for playing renames its files while the lock is held. Opening it read-only changes no file, so
//! readers look for both names.
//!
//! A crash or a power cut can interrupt the conversion after any of its renames, so each file is looked up separately.
//! Both names exist if a power cut undid a rename but not a later one, or if another program restored a file from a
//! backup. The valid file with the newest events is used, and the other one is kept under a third name.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::{IoContext as _, Result, StoreError};
use crate::folder::disk::{self, Disk};
use crate::folder::exists;
use crate::snapshot::{
    FORMER_PREVIOUS_SNAPSHOT_FILE, FORMER_SNAPSHOT_FILE, LARGEST_SNAPSHOT, PREVIOUS_SNAPSHOT_FILE,
    SNAPSHOT_FILE, Snapshot,
};

/// Temporary files that an interrupted save of the first edition may have left.
const FORMER_LEFTOVERS: [&str; 2] = [".session.toml.new", ".session.toml.before.new"];

/// The names of one of the snapshot files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SnapshotNames {
    name: &'static str,
    former_name: &'static str,
}

/// The names of the newest snapshot.
pub(crate) const NEWEST: SnapshotNames = SnapshotNames {
    name: SNAPSHOT_FILE,
    former_name: FORMER_SNAPSHOT_FILE,
};

/// The names of the snapshot before the newest one.
pub(super) const PREVIOUS: SnapshotNames = SnapshotNames {
    name: PREVIOUS_SNAPSHOT_FILE,
    former_name: FORMER_PREVIOUS_SNAPSHOT_FILE,
};

/// The rank of a snapshot file. If both names exist, the file with the greater rank is used.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Malformed,
    /// Edited by hand, damaged, or written before there were seals.
    Unsealed {
        last: u64,
    },
    Sealed {
        last: u64,
    },
    /// A newer version wrote the file, or the file cannot be read. This rank is the greatest, so that the user sees the
    /// error and not the other file.
    Refused,
}

/// The path and the bytes of a snapshot file.
pub(super) struct SnapshotFile {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

impl SnapshotNames {
    /// Returns the path of the file in the folder of a game: the former name if only that exists.
    pub(crate) fn find(self, game: &Path) -> PathBuf {
        let path = game.join(self.name);
        if exists(&path) {
            return path;
        }

        let former_path = game.join(self.former_name);
        if exists(&former_path) {
            former_path
        } else {
            path
        }
    }

    /// Reads the file and its header.
    pub(super) fn read(self, game: &Path) -> Result<Snapshot> {
        let file = self.read_file(game)?;
        Snapshot::parse(&file.path, file.bytes)
    }

    /// Reads the file without checking it.
    pub(super) fn read_file(self, game: &Path) -> Result<SnapshotFile> {
        let mut path = self.choose(game);
        let mut contents = disk::read_file(&path, LARGEST_SNAPSHOT);

        // Another process may have converted the game after the file was chosen.
        let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        if contents.as_ref().is_err_and(is_gone) {
            path = game.join(self.name);
            contents = disk::read_file(&path, LARGEST_SNAPSHOT);
        }

        let bytes = contents.io_context("read", &path)?;
        Ok(SnapshotFile { path, bytes })
    }

    /// Returns the path of the file that is used if both names exist.
    fn choose(self, game: &Path) -> PathBuf {
        let path = game.join(self.name);
        let former_path = game.join(self.former_name);
        if exists(&path) && exists(&former_path) && rank(&former_path) > rank(&path) {
            return former_path;
        }
        self.find(game)
    }

    /// Renames the file if it has its former name. Returns a notice if both names existed.
    fn convert(self, game: &Path, disk: &dyn Disk) -> Result<Option<String>> {
        let path = game.join(self.name);
        let former_path = game.join(self.former_name);
        if !exists(&path) {
            rename(disk, &former_path, &path)?;
            return Ok(None);
        }

        let chosen_path = self.choose(game);
        let other_path = if chosen_path == path {
            &former_path
        } else {
            &path
        };
        let kept_path = disk::free_name(other_path, "old");
        rename(disk, other_path, &kept_path)?;
        if chosen_path == former_path {
            rename(disk, &former_path, &path)?;
        }

        Ok(Some(format!(
            "{} and {} both existed. The game continues from the newer file, and the other one was renamed to {}.",
            path.display(),
            former_path.display(),
            kept_path.display()
        )))
    }
}

/// Renames the files of a game to their present names. Returns messages for the user. The caller holds the lock of the
/// game.
pub(super) fn convert_names(game: &Path, disk: &dyn Disk) -> Result<Vec<String>> {
    let mut notices = Vec::new();
    let mut has_renamed = false;
    for names in [PREVIOUS, NEWEST] {
        if exists(&game.join(names.former_name)) {
            notices.extend(names.convert(game, disk)?);
            has_renamed = true;
        }
    }
    if !has_renamed {
        return Ok(notices);
    }

    for name in FORMER_LEFTOVERS {
        let path = game.join(name);
        disk::remove_leftover(&path).io_context("remove", &path)?;
    }
    // The first save must not reach the disk before these renames.
    disk.sync(game).io_context("rename the files of", game)?;
    Ok(notices)
}

/// Returns true if there is a game in a folder. Its files need not be valid.
pub(super) fn has_game(folder: &Path) -> bool {
    exists(&NEWEST.find(folder))
}

fn rename(disk: &dyn Disk, from: &Path, to: &Path) -> Result<()> {
    disk.rename(from, to).io_context("rename", from)
}

fn rank(path: &Path) -> Rank {
    match Snapshot::read(path) {
        Ok(snapshot) if snapshot.is_sealed => Rank::Sealed {
            last: snapshot.last,
        },
        Ok(snapshot) => Rank::Unsealed {
            last: snapshot.last,
        },
        Err(StoreError::Malformed { .. }) => Rank::Malformed,
        Err(_) => Rank::Refused,
    }
}

#[cfg(test)]
mod tests;
