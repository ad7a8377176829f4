//! Files next to a game in its folder.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use crate::error::{Result, StoreError};
use crate::file::{self, OpenToOthers};
use crate::folder::disk;
use crate::output_file::write_text;
use crate::sidecar::{FileStamp, LARGEST_SIDECAR, SidecarFile};

/// The bits of a mode that give rights to other users than the owner.
const RIGHTS_OF_OTHERS: u32 = 0o077;

/// A file in the folder of a game.
#[derive(Debug)]
pub(super) struct FolderSidecar {
    path: PathBuf,
}

impl FolderSidecar {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    fn error(&self, doing: &'static str, error: io::Error) -> StoreError {
        StoreError::io(doing, &self.path, error)
    }
}

impl SidecarFile for FolderSidecar {
    fn stamp(&self) -> Option<FileStamp> {
        let metadata = fs::symlink_metadata(&self.path).ok()?;
        if metadata.is_file() {
            Some(FileStamp::from_metadata(&metadata))
        } else {
            None
        }
    }

    fn read(&self) -> Result<Option<String>> {
        let bytes = match disk::read_file(&self.path, LARGEST_SIDECAR) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.error("read", error)),
        };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(self.error("read", io::Error::other(error))),
        }
    }

    fn create(&self, text: &str) -> Result<()> {
        write_text(&self.path, false, text)
    }

    fn replace(&self, text: &str) -> Result<()> {
        write_text(&self.path, true, text)?;

        let folder = self.path.parent().unwrap_or(&self.path);
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| self.error("write", error))
    }

    fn replace_from(&self, _stamp: Option<FileStamp>, text: &str) -> Result<bool> {
        // Writers hold the lock, so the file cannot have changed.
        self.replace(text)?;
        Ok(true)
    }

    fn append(&self, line: &str) -> Result<()> {
        let length = fs::symlink_metadata(&self.path).map_or(0, |metadata| metadata.len());
        if length > LARGEST_SIDECAR {
            let mut old_path = OsString::from(&self.path);
            old_path.push(".old");
            fs::rename(&self.path, old_path).map_err(|error| self.error("rename", error))?;
        }

        let mut file =
            disk::open_or_create(&self.path, true).map_err(|error| self.error("write", error))?;
        file.write_all(format!("{line}\n").as_bytes())
            .map_err(|error| self.error("write", error))
    }

    fn remove(&self) {
        // The file may be missing, and a file that cannot be removed is replaced when it is written next.
        let _removed = fs::remove_file(&self.path);
    }

    fn lock(&self) -> Result<Option<File>> {
        let file =
            disk::open_or_create(&self.path, false).map_err(|error| self.error("open", error))?;
        file.lock().map_err(|error| self.error("lock", error))?;
        Ok(Some(file))
    }

    fn is_open_to_others(&self) -> bool {
        fs::symlink_metadata(&self.path)
            .is_ok_and(|metadata| metadata.mode() & RIGHTS_OF_OTHERS != 0)
    }

    fn open_to_others(&self) -> Option<OpenToOthers> {
        file::open_to_others(&self.path)
    }
}
