//! The few file operations that saving consists of, behind a seam, so that tests can let them fail.

use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file::{self, Links};

/// Only the owner reads and writes a game's files.
const FILE_MODE: u32 = 0o600;
/// Only the owner enters a game's folder.
pub(super) const FOLDER_MODE: u32 = 0o700;

/// What saving asks of the file system.
pub(super) trait Disk: Send + Sync + fmt::Debug {
    /// Makes a new file for appending, readable by its owner only.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;
    /// Opens an existing file for appending.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;
    /// Moves a file over another within one folder.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Keeps what `from` holds under the free name `to` as well.
    fn keep(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes a file or a folder's entries survive a power cut.
    fn sync(&self, path: &Path) -> io::Result<()>;
}

/// A file that only grows.
pub(super) trait AppendFile: Send + Sync + fmt::Debug {
    /// Hands bytes to the system in one call and says how many it took.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until everything taken so far is on the disk.
    fn sync(&self) -> io::Result<()>;
    /// Reads bytes again.
    fn read_back(&self, from: u64, length: usize) -> io::Result<Vec<u8>>;
    /// Its length, and when it was changed last.
    fn stamp(&self) -> io::Result<AppendStamp>;
    /// Whether the name still leads to this file.
    fn is_at(&self, path: &Path) -> bool;
}

/// Tells whether another program wrote to an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AppendStamp {
    pub(super) length: u64,
    modified: (i64, i64),
}

/// The disk of this machine.
#[derive(Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        Ok(Arc::new(create_file(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let mut options = OpenOptions::new();
        let file = file::open(path, options.read(true).append(true), Links::Refuse)?;
        Ok(Arc::new(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn keep(&self, from: &Path, to: &Path) -> io::Result<()> {
        // A copy, for some file systems have no hard links.
        let mut copy = create_file(to)?;
        io::copy(&mut open_file(from)?, &mut copy)?;
        copy.sync_all()
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).custom_flags(libc::O_NONBLOCK);
        let opened = opened.open(path)?;
        match opened.sync_all() {
            // A file system that cannot sync a folder says so with this error.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        }
    }
}

impl AppendFile for File {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self;
        Write::write(&mut file, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn read_back(&self, from: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.read_exact_at(&mut bytes, from)?;
        Ok(bytes)
    }

    fn stamp(&self) -> io::Result<AppendStamp> {
        let metadata = self.metadata()?;
        Ok(AppendStamp {
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        })
    }

    fn is_at(&self, path: &Path) -> bool {
        let (Ok(here), Ok(there)) = (self.metadata(), fs::symlink_metadata(path)) else {
            return false;
        };
        (here.dev(), here.ino()) == (there.dev(), there.ino())
    }
}

/// Hands all bytes to the system.
pub(super) fn write_all(file: &dyn AppendFile, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(taken) => bytes = bytes.get(taken..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Makes a new file with mode 0600, whatever the umask; never through a symbolic link.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let mut new = OpenOptions::new();
    new.read(true).append(true).create_new(true);
    let file = new.mode(FILE_MODE).custom_flags(libc::O_NOFOLLOW);
    let file = file.open(path)?;
    // The umask can take away even the owner's rights.
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    Ok(file)
}

/// Makes a new file of these bytes, safely on the disk.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create_file(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Opens a file to write it, made with mode 0600 where it is missing; a symbolic link is refused.
pub(super) fn open_or_create(path: &Path, append: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).append(append);
    options.create(true).truncate(false).mode(FILE_MODE);
    file::open(path, &mut options, Links::Refuse)
}

/// Opens a file for reading; a symbolic link is refused.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    file::open_to_read(path, Links::Refuse)
}

/// Reads a whole file of at most `limit` bytes; a symbolic link is refused.
pub(super) fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    file::read(path, limit, Links::Refuse)
}

/// Removes a file that an interrupted save may have left.
pub(super) fn remove_leftover(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The first free one of `path.suffix`, `path.suffix-2`, `path.suffix-3`, …
pub(super) fn free_name(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    free_path(Path::new(&name), "-")
}

/// The path itself if it is free, else the first free one with a number behind it, from 2 on.
pub(super) fn free_path(path: &Path, between: &str) -> PathBuf {
    let numbered = (2_u32..).map(|number| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("{between}{number}"));
        PathBuf::from(name)
    });
    let mut all = std::iter::once(path.to_path_buf()).chain(numbered);
    let free = all.find(|path| fs::symlink_metadata(path).is_err());
    free.unwrap_or_else(|| path.to_path_buf())
}

/// Keeps bytes that are about to be cut off a file, beside it, under a name that was free.
pub(super) fn set_aside(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let kept = free_name(path, "torn");
    write_file(&kept, bytes)?;
    Ok(kept)
}

/// An input/output error in words that need no manual.
pub(super) fn plain_words(error: &io::Error) -> String {
    if error.raw_os_error() == Some(libc::ELOOP) {
        return "it is a symbolic link".to_owned();
    }
    match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        _ => error.to_string(),
    }
}
