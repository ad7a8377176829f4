//! The lock file of a game. Only the process that holds it can write to the game.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::Path;

use chrono::{DateTime, Utc};
use tableside_text::sanitise;

use crate::error::{IoContext as _, Result, StoreError};
use crate::folder::disk;

/// The maximum length of a lock file that is read, in bytes, and of the text that is shown, in characters.
const LONGEST_HOLDER: u64 = 4096;
const LONGEST_SHOWN_HOLDER: usize = 200;

/// The right to write to a game. Dropping it releases the lock.
///
/// The operating system releases the lock of a process that dies, so a remaining lock file does not prevent opening.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    /// The game's folder, which is locked too, in case another program removes or replaces the lock file. `None` on file
    /// systems that cannot lock a folder.
    folder: Option<File>,
}

impl Lock {
    /// Acquires the lock of a game. If another process holds the lock, the error names that process.
    pub(super) fn acquire(game: &Path, at: DateTime<Utc>) -> Result<Self> {
        let path = game.join("lock");
        let mut file = disk::open_or_create(&path).io_context("open", &path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held_error(game, &path)),
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path, error)),
        }

        let folder = match lock_folder(game) {
            FolderLock::Acquired(folder) => Some(folder),
            FolderLock::Unsupported => None,
            FolderLock::Held => return Err(held_error(game, &path)),
        };

        // The lock works without this text. If the text cannot be written, the errors of other processes do not name
        // this process.
        let holder = describe_holder(at);
        let _written = file
            .set_len(0)
            .and_then(|()| file.write_all(holder.as_bytes()));
        Ok(Self { file, folder })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the files also releases the locks, so errors are ignored. Unlocking is only necessary if a child
        // process that is just being started has inherited the files.
        let _emptied = self.file.set_len(0);
        let _unlocked = self.file.unlock();
        if let Some(folder) = &self.folder {
            let _unlocked = folder.unlock();
        }
    }
}

enum FolderLock {
    Acquired(File),
    Held,
    Unsupported,
}

fn lock_folder(game: &Path) -> FolderLock {
    let Ok(folder) = File::open(game) else {
        return FolderLock::Unsupported;
    };
    match folder.try_lock() {
        Ok(()) => FolderLock::Acquired(folder),
        Err(TryLockError::WouldBlock) => FolderLock::Held,
        Err(TryLockError::Error(_)) => FolderLock::Unsupported,
    }
}

/// Describes this process for the messages of other processes.
fn describe_holder(at: DateTime<Utc>) -> String {
    let process = std::process::id();
    let since = at.format("%Y-%m-%d %H:%M UTC");
    let host_name = fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok());

    match host_name {
        Some(host) => format!("by process {process} on {}, since {since}", host.trim()),
        None => format!("by process {process}, since {since}"),
    }
}

fn held_error(game: &Path, lock_file: &Path) -> StoreError {
    let holder = disk::read_file(lock_file, LONGEST_HOLDER).unwrap_or_default();
    let holder_text = String::from_utf8_lossy(&holder);
    let shown_holder = sanitise(holder_text.trim(), LONGEST_SHOWN_HOLDER);

    let by = if shown_holder.is_empty() {
        String::new()
    } else {
        format!(" ({shown_holder})")
    };
    StoreError::Held {
        path: game.to_path_buf(),
        by,
    }
}
