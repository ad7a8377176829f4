//! The file of the journal that events are appended to, with a copy of its lines in memory.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use memchr::memrchr;

use crate::error::{IoContext as _, Result};
use crate::folder::disk::{AppendFile, AppendStamp, Disk};
use crate::folder::writer::failure::{Distrust, describe_failure};
use crate::journal::{BYTES_PER_FILE, EVENTS_PER_FILE};

/// The number of bytes at the end of the file that are compared with memory before each event.
const COMPARED_LENGTH: usize = 1024;

/// An open file of the journal.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) file: Arc<dyn AppendFile>,
    /// The sequence number of the file.
    pub(super) sequence: u64,
    /// The last event before the file.
    last_before: u64,
    /// The lines that are on the disk. If another program overwrites the file, it is restored from this copy.
    pub(super) synced: Vec<u8>,
    /// The lines that may not be on the disk yet.
    pub(super) waiting: Vec<u8>,
    /// The number of bytes of `waiting` that the operating system has accepted.
    pub(super) written: usize,
    /// The stamp of the file after the last write. `None` before the first write.
    stamp: Option<AppendStamp>,
    /// The reason why the file has to be written again from memory. `None` if the file is good.
    pub(super) distrust: Option<Distrust>,
}

impl OpenFile {
    /// Opens a file that contains the lines `synced`, or creates an empty one.
    pub(super) fn open(
        disk: &dyn Disk,
        path: &Path,
        sequence: u64,
        last_before: u64,
        synced: Option<Vec<u8>>,
    ) -> Result<Self> {
        let opened = match &synced {
            Some(_) => disk.open(path),
            None => disk.create(path),
        };
        Ok(Self {
            file: opened.io_context("open", path)?,
            sequence,
            last_before,
            synced: synced.unwrap_or_default(),
            waiting: Vec::new(),
            written: 0,
            stamp: None,
            distrust: None,
        })
    }

    /// Returns the waiting bytes that the operating system has accepted.
    fn written_bytes(&self) -> &[u8] {
        self.waiting.get(..self.written).unwrap_or_default()
    }

    /// Returns true if the file at `path` is still this file, and its contents are those in memory.
    pub(super) fn is_unchanged(&mut self, path: &Path) -> bool {
        let length = self.synced.len() + self.written_bytes().len();
        let Ok(stamp) = self.file.stamp() else {
            return false;
        };
        if stamp.length != length as u64 || !self.file.is_at(path) {
            return false;
        }

        // The whole file is only compared if its stamp changed.
        let compared_length = if self.stamp == Some(stamp) {
            length.min(COMPARED_LENGTH)
        } else {
            length
        };
        let start = length - compared_length;
        let read = self.file.read_back(start as u64, compared_length);
        let Ok(bytes_in_file) = read else {
            return false;
        };
        let all_bytes = self.synced.iter().chain(self.written_bytes());
        let expected_bytes = all_bytes.skip(start);
        if !expected_bytes.eq(&bytes_in_file) {
            return false;
        }

        self.stamp = Some(stamp);
        true
    }

    /// Passes all waiting bytes to the operating system, in order. If it accepts only a part of a line, that part stays
    /// in the file, and the rest follows when there is room.
    pub(super) fn push(&mut self) -> Result<(), String> {
        while let Some(unwritten) = self.waiting.get(self.written..)
            && !unwritten.is_empty()
        {
            match self.file.write(unwritten) {
                Ok(0) => {
                    let disk_full = ErrorKind::StorageFull.into();
                    return Err(self.note_failed_write(&disk_full));
                }
                Ok(accepted) => {
                    self.written += accepted;
                    self.stamp = self.file.stamp().ok();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.note_failed_write(&error)),
            }
        }
        Ok(())
    }

    /// Decides whether the file can still be used after a failed write, and describes the failure.
    fn note_failed_write(&mut self, error: &io::Error) -> String {
        // A full disk accepts no bytes, but the bytes that it accepted before are safe.
        let is_disk_full = matches!(
            error.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
        );
        if !is_disk_full {
            self.distrust.get_or_insert(Distrust::Failed);
        }
        describe_failure("write the journal", error)
    }

    /// Returns true if the file has at least `times` the length at which the next file begins. `last` is its last event.
    pub(super) fn is_long(&self, times: u64, last: u64) -> bool {
        let events = last - self.last_before;
        let bytes = (self.synced.len() + self.waiting.len()) as u64;
        events >= EVENTS_PER_FILE * times || bytes >= BYTES_PER_FILE * times
    }

    /// Returns the length of the waiting lines that the operating system has accepted completely.
    pub(super) fn complete_length(&self) -> usize {
        match memrchr(b'\n', self.written_bytes()) {
            Some(newline) => newline + 1,
            None => 0,
        }
    }

    /// Records that the first `length` waiting bytes are on the disk.
    pub(super) fn mark_synced(&mut self, length: usize) {
        self.synced.extend(self.waiting.drain(..length));
        self.written = self.written.saturating_sub(length);
    }

    /// Replaces the file by a new one that contains the first `waiting_length` waiting bytes. Bytes after
    /// them are only in the old file, so the next `push` writes them to the new one.
    pub(super) fn replace(&mut self, file: Arc<dyn AppendFile>, waiting_length: usize) {
        self.file = file;
        self.distrust = None;
        self.stamp = None;
        self.mark_synced(waiting_length);
        self.written = 0;
    }

    /// Returns true if all lines are on the disk.
    pub(super) fn is_synced(&self) -> bool {
        self.waiting.is_empty() && self.distrust.is_none()
    }
}
