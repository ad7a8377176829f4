//! Who has a session open: a locked file that says so to the next one who comes.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::{StoreError, disk};
use tableside_text::sanitise;

/// The right to write a session; given back when dropped.
///
/// The system itself takes the lock from a process that dies, so the file left behind is no obstacle.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    /// The session's folder, locked too: that lock holds if another program removes or replaces the lock file. None
    /// on file systems that cannot lock a folder.
    folder: Option<File>,
}

impl Lock {
    /// Takes the lock of a session folder, or says who has it.
    pub(super) fn take(session: &Path, at: DateTime<Utc>) -> Result<Self, StoreError> {
        let path = session.join("lock");
        let opened = disk::open_or_create(&path, false);
        let mut file = opened.map_err(|error| StoreError::io("open", &path, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held(session, &path)),
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path, error)),
        }
        let folder = match File::open(session).map(|folder| (folder.try_lock(), folder)) {
            Ok((Ok(()), folder)) => Some(folder),
            Ok((Err(TryLockError::WouldBlock), _)) => return Err(held(session, &path)),
            Ok((Err(TryLockError::Error(_)), _)) | Err(_) => None,
        };

        let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let host = host.or_else(|| std::env::var("HOSTNAME").ok());
        let host = host.map_or_else(String::new, |host| format!(" on {}", host.trim()));
        let (pid, since) = (std::process::id(), at.format("%Y-%m-%d %H:%M UTC"));
        let words = format!("by process {pid}{host}, since {since}");
        // The lock holds without these words; on a full disk the next opener is told less.
        let _written = file
            .set_len(0)
            .and_then(|()| file.write_all(words.as_bytes()));
        Ok(Self { file, folder })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _emptied = self.file.set_len(0);
        // Closing alone would leave the lock with a child process that is just being started and has not
        // closed what it inherited yet.
        let _unlocked = self.file.unlock();
        if let Some(folder) = &self.folder {
            let _unlocked = folder.unlock();
        }
    }
}

fn held(session: &Path, path: &Path) -> StoreError {
    let said = disk::read_file(path, 4096).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    StoreError::Held {
        path: session.to_path_buf(),
        by: match sanitise(said.trim(), 200) {
            nobody if nobody.is_empty() => String::new(),
            known => format!(" ({known})"),
        },
    }
}
