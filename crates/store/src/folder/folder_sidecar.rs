//! Files next to a game in its folder.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use crate::error::{IoContext as _, Result};
use crate::file::{self, OpenToOthers};
use crate::folder::disk;
use crate::output_file::write_text;
use crate::sidecar::{FileStamp, LARGEST_SIDECAR, SidecarFile};

/// The permission bits of all users other than the owner.
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
        let result = disk::read_file(&self.path, LARGEST_SIDECAR);
        if let Err(error) = &result
            && error.kind() == io::ErrorKind::NotFound
        {
            return Ok(None);
        }

        let bytes = result.io_context("read", &self.path)?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(io::Error::other(error)).io_context("read", &self.path),
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
            .io_context("write", &self.path)
    }

    fn replace_from(&self, _stamp: Option<FileStamp>, text: &str) -> Result<bool> {
        // Every writer holds the lock, so the file cannot have changed since the caller read it.
        self.replace(text)?;
        Ok(true)
    }

    fn append(&self, line: &str) -> Result<()> {
        let length = match fs::symlink_metadata(&self.path) {
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        };
        if length > LARGEST_SIDECAR {
            let mut old_path = OsString::from(&self.path);
            old_path.push(".old");
            fs::rename(&self.path, old_path).io_context("rename", &self.path)?;
        }

        let mut file =
            disk::open_or_create_to_append(&self.path).io_context("write", &self.path)?;
        let line_with_end = format!("{line}\n");
        file.write_all(line_with_end.as_bytes())
            .io_context("write", &self.path)
    }

    fn remove(&self) {
        // An error does not matter: the file may be missing, and the next write replaces a file that could not be
        // removed.
        let _removed = fs::remove_file(&self.path);
    }

    fn lock(&self) -> Result<Option<File>> {
        let file = disk::open_or_create(&self.path).io_context("open", &self.path)?;
        file.lock().io_context("lock", &self.path)?;
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
