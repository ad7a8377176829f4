//! The file operations of saving, behind a trait, so that tests can make them fail.

use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file::{self, Links};

/// The mode of all files: only the owner can read and write them.
const FILE_MODE: u32 = 0o600;

/// The file operations of saving.
pub(super) trait Disk: Send + Sync + fmt::Debug {
    /// Creates a file for appending. Only its owner can read it.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;
    /// Opens an existing file for appending.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;
    /// Renames a file within its folder, and replaces any file under the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Copies a file to an unused name.
    fn copy(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Waits until a file, or the entries of a folder, survive a power cut.
    fn sync(&self, path: &Path) -> io::Result<()>;
}

/// An open file that is only appended to.
pub(super) trait AppendFile: Send + Sync + fmt::Debug {
    /// Passes bytes to the operating system in one call, and returns how many it accepted.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until all accepted bytes are on the disk.
    fn sync(&self) -> io::Result<()>;
    /// Reads `length` bytes from the position `from` on.
    fn read_back(&self, from: u64, length: usize) -> io::Result<Vec<u8>>;
    /// Returns the present stamp of the file.
    fn stamp(&self) -> io::Result<AppendStamp>;
    /// Returns true if this file still has the path.
    fn is_at(&self, path: &Path) -> bool;
}

/// The length and the time of an open file. If they change unexpectedly, another program has written to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AppendStamp {
    pub(super) length: u64,
    modified_seconds: i64,
    modified_nanoseconds: i64,
}

/// The file system of this machine.
#[derive(Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let file = create_file(path)?;
        Ok(Arc::new(file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let file = file::open(path, &mut options, Links::Refuse)?;
        Ok(Arc::new(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut source = file::open_to_read(from, Links::Refuse)?;
        let mut target = create_file(to)?;
        io::copy(&mut source, &mut target)?;
        target.sync_all()
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path)?;
        match file.sync_all() {
            // Some file systems cannot sync a folder.
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
            modified_seconds: metadata.mtime(),
            modified_nanoseconds: metadata.mtime_nsec(),
        })
    }

    fn is_at(&self, path: &Path) -> bool {
        let Ok(own) = self.metadata() else {
            return false;
        };
        let Ok(named) = fs::symlink_metadata(path) else {
            return false;
        };
        let is_same_device = own.dev() == named.dev();
        is_same_device && own.ino() == named.ino()
    }
}

/// Passes all bytes to the operating system.
pub(super) fn write_all(file: &dyn AppendFile, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(accepted) => bytes = bytes.get(accepted..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Creates a file that only its owner can read, whatever the umask is. Fails if the path exists, even as a symbolic
/// link.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create_new(true)
        .mode(FILE_MODE)
        .custom_flags(libc::O_NOFOLLOW)
        .open(path)?;

    // The umask can remove even the rights of the owner.
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    Ok(file)
}

/// Creates a file with these bytes and waits until it is on the disk.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create_file(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Opens a file for writing, and creates it if it is missing. Fails for a symbolic link.
pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
    file::open(path, &mut options_to_create(), Links::Refuse)
}

/// Opens a file for appending, and creates it if it is missing. Fails for a symbolic link.
pub(super) fn open_or_create_to_append(path: &Path) -> io::Result<File> {
    file::open(path, options_to_create().append(true), Links::Refuse)
}

fn options_to_create() -> OpenOptions {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE);
    options
}

/// Reads a file of at most `limit` bytes. Fails for a symbolic link.
pub(super) fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    file::read(path, limit, Links::Refuse)
}

/// Removes a temporary file that an interrupted save may have left.
pub(super) fn remove_leftover(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the first unused path among `path.suffix`, `path.suffix-2`, `path.suffix-3` and so on.
pub(super) fn free_name(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    free_path(Path::new(&name), "-")
}

/// Returns the path itself if it is unused, otherwise the first unused path that ends with the separator and a number
/// from 2 on.
pub(super) fn free_path(path: &Path, separator: &str) -> PathBuf {
    let is_unused = |path: &Path| fs::symlink_metadata(path).is_err();
    if is_unused(path) {
        return path.to_path_buf();
    }

    for number in 2..=u32::MAX {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("{separator}{number}"));
        let numbered_path = PathBuf::from(name);
        if is_unused(&numbered_path) {
            return numbered_path;
        }
    }
    path.to_path_buf()
}

/// Writes bytes to a new file with the suffix `.torn`, before they are cut off the file at `path`. Returns the path of
/// the new file.
pub(super) fn save_torn_bytes(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let torn_path = free_name(path, "torn");
    write_file(&torn_path, bytes)?;
    Ok(torn_path)
}
