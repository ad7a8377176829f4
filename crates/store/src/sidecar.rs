//! Files next to a saved game, such as `access.toml`, the host key, and copies of the rules. Only their owner can read
//! them.

use std::fmt;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::file::OpenToOthers;
use crate::game_location::GameLocation;

/// The maximum size of a file that is read, in bytes.
pub const LARGEST_SIDECAR: u64 = 1 << 20;

/// A file next to a saved game.
#[derive(Debug, Clone)]
pub struct Sidecar {
    path: PathBuf,
    file: Arc<dyn SidecarFile>,
}

/// Identifies a version of a file. A change of the file changes its stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64, i64, i64)", into = "(u64, u64, i64, i64)")]
pub struct FileStamp {
    inode: u64,
    length: u64,
    /// The time of the last change of the contents or of the rights, in seconds since 1970.
    pub(crate) changed: i64,
    changed_nanoseconds: i64,
}

impl From<(u64, u64, i64, i64)> for FileStamp {
    fn from((inode, length, changed, changed_nanoseconds): (u64, u64, i64, i64)) -> Self {
        Self {
            inode,
            length,
            changed,
            changed_nanoseconds,
        }
    }
}

impl From<FileStamp> for (u64, u64, i64, i64) {
    fn from(stamp: FileStamp) -> Self {
        (
            stamp.inode,
            stamp.length,
            stamp.changed,
            stamp.changed_nanoseconds,
        )
    }
}

impl FileStamp {
    /// Returns the stamp of a file or a folder, or `None` if it does not exist.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path)
            .ok()
            .map(|metadata| Self::from_metadata(&metadata))
    }

    pub(crate) fn from_metadata(metadata: &fs::Metadata) -> Self {
        Self {
            inode: metadata.ino(),
            length: metadata.len(),
            changed: metadata.ctime(),
            changed_nanoseconds: metadata.ctime_nsec(),
        }
    }

    /// Returns the stamp of a file that has version numbers, as in a database.
    pub fn from_version(version: i64) -> Self {
        Self {
            inode: 0,
            length: 0,
            changed: version,
            changed_nanoseconds: 0,
        }
    }

    /// Returns the version number that [`from_version`](Self::from_version) was called with.
    pub fn version(&self) -> i64 {
        self.changed
    }
}

/// Access to one file next to a saved game. [`Sidecar`] documents the methods.
pub trait SidecarFile: fmt::Debug + Send + Sync {
    fn stamp(&self) -> Option<FileStamp>;
    fn read(&self) -> Result<Option<String>>;
    fn create(&self, text: &str) -> Result<()>;
    fn replace(&self, text: &str) -> Result<()>;
    fn replace_from(&self, stamp: Option<FileStamp>, text: &str) -> Result<bool>;
    fn append(&self, line: &str) -> Result<()>;
    fn remove(&self);
    fn lock(&self) -> Result<Option<File>>;

    fn is_open_to_others(&self) -> bool {
        false
    }

    fn open_to_others(&self) -> Option<OpenToOthers> {
        None
    }
}

impl Sidecar {
    /// Returns the file with this name next to a game, whether or not the file exists.
    pub fn new(game: &GameLocation, name: &str) -> Self {
        Self {
            path: game.display_path().join(name),
            file: game.backend().sidecar(name),
        }
    }

    /// Lists the names of all files next to a game.
    pub fn names(game: &GameLocation) -> Result<Vec<String>> {
        game.backend().sidecar_names()
    }

    /// Returns the path for messages. In a data folder this is the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the stamp of the current version, or `None` if the file does not exist.
    pub fn stamp(&self) -> Option<FileStamp> {
        self.file.stamp()
    }

    /// Reads the file. Returns `None` if it does not exist.
    pub fn read(&self) -> Result<Option<String>> {
        self.file.read()
    }

    /// Returns true if other users than the owner can read the file. Always false for a database, which has its own
    /// access rights.
    pub fn is_open_to_others(&self) -> bool {
        self.file.is_open_to_others()
    }

    /// Returns the file or folder through which other users can change the file. Always `None` for a database, which
    /// has its own access rights.
    pub fn open_to_others(&self) -> Option<OpenToOthers> {
        self.file.open_to_others()
    }

    /// Creates the file. Fails if it exists.
    pub fn create(&self, text: &str) -> Result<()> {
        self.file.create(text)
    }

    /// Replaces the contents of the file completely or not at all, and creates the file if necessary.
    pub fn replace(&self, text: &str) -> Result<()> {
        self.file.replace(text)
    }

    /// Replaces the contents of the file if it still has this stamp. Returns false if another process changed it. In a
    /// data folder, [`lock`](Self::lock) prevents such changes, and the stamp is not compared.
    pub fn replace_from(&self, stamp: Option<FileStamp>, text: &str) -> Result<bool> {
        self.file.replace_from(stamp, text)
    }

    /// Appends a line. If the file is longer than [`LARGEST_SIDECAR`], a data folder first renames it to the same name
    /// with `.old`, and a database drops the oldest characters.
    pub fn append(&self, line: &str) -> Result<()> {
        self.file.append(line)
    }

    /// Removes the file if it exists.
    pub fn remove(&self) {
        self.file.remove();
    }

    /// Locks the file against other processes until the result is dropped. This has no effect in a database, in which
    /// [`replace_from`](Self::replace_from) detects changes by other processes.
    pub fn lock(&self) -> Result<Option<File>> {
        self.file.lock()
    }
}
