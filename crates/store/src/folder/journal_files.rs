//! The files of a journal.

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use crate::error::{IoContext as _, Result, StoreError};
use crate::file::{self, Links};
use crate::folder::disk;
use crate::journal::line::{self, ChainEnd};
use crate::journal::reader::{JournalSource, last_stated_end};
use crate::journal::{LONGEST_FILE, journal_file, journal_folder, list_files};

/// The number of bytes that are read to find the number of a file's first event. Every such number ends within them.
const LONGEST_BEGINNING: usize = 32;

/// The folder with the files of a journal.
#[derive(Debug)]
pub(super) struct JournalFiles {
    folder: PathBuf,
}

impl JournalFiles {
    pub(super) fn new(game: &Path) -> Self {
        Self {
            folder: journal_folder(game),
        }
    }
}

impl JournalSource for JournalFiles {
    fn path(&self) -> &Path {
        &self.folder
    }

    fn files(&self) -> Result<Vec<u64>> {
        list_files(&self.folder)
    }

    fn length(&self, sequence: u64) -> Result<u64> {
        let path = journal_file(&self.folder, sequence);
        match fs::metadata(&path) {
            Ok(metadata) => Ok(metadata.len()),
            Err(error) => Err(StoreError::io("read", &path, error)),
        }
    }

    fn bytes(&self, sequence: u64) -> Result<Vec<u8>> {
        let path = journal_file(&self.folder, sequence);
        disk::read_file(&path, LONGEST_FILE).io_context("read", &path)
    }

    fn first_event(&self, sequence: u64) -> Option<u64> {
        let path = journal_file(&self.folder, sequence);
        let file = file::open_to_read(&path, Links::Refuse).ok()?;

        let mut beginning = [0; LONGEST_BEGINNING];
        let length = file.read_at(&mut beginning, 0).ok()?;
        line::number(beginning.get(..length)?)
    }

    fn chain_before(&self, sequence: u64) -> Result<Option<ChainEnd>> {
        for previous in (1..sequence).rev() {
            let bytes = self.bytes(previous)?;
            if !bytes.is_empty() {
                return Ok(last_stated_end(&bytes));
            }
        }
        Ok(Some(ChainEnd::default()))
    }
}
