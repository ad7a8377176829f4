//! Reads any part of a journal.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memchr::memrchr;

use crate::error::{Damage, Result, StoreError};
use crate::game_location::GameLocation;
use crate::journal::block::Block;
use crate::journal::journal_file;
use crate::journal::line::{self, ChainEnd, Record};

/// Access to the files of a journal. A database has no files, and divides its lines into blocks of the same size
/// instead.
pub trait JournalSource: fmt::Debug + Send + Sync {
    /// Returns the folder of the journal. A database returns a made-up path that appears only in messages.
    fn path(&self) -> &Path;

    /// Lists the sequence numbers of the files, oldest first.
    fn files(&self) -> Result<Vec<u64>>;

    /// Returns the length of a file, in any unit. Every event increases the length.
    fn length(&self, sequence: u64) -> Result<u64>;

    /// Reads a file.
    fn bytes(&self, sequence: u64) -> Result<Vec<u8>>;

    /// Returns the number of the first event in a file. Returns `None` if the file is empty or torn.
    fn first_event(&self, sequence: u64) -> Option<u64>;

    /// Returns the chain position of the last line before a file. Returns `None` if that line is lost.
    fn chain_before(&self, sequence: u64) -> Result<Option<ChainEnd>>;

    /// Reads the lines with these numbers, if the source can find them without files.
    fn lines(&self, _numbers: Range<u64>) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }
}

/// Reads any part of a journal. Another process may append to the journal at the same time.
#[derive(Debug, Clone)]
pub struct Reader {
    source: Arc<dyn JournalSource>,
}

/// The end of a journal. It changes with every event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalEnd {
    /// The sequence number of the newest file.
    pub file: u64,
    /// The length of that file.
    pub length: u64,
}

impl Reader {
    /// Returns a reader of the journal of a game.
    pub fn new(game: impl Into<GameLocation>) -> Self {
        let source = game.into().backend().journal();
        Self { source }
    }

    pub(crate) fn from_source(source: Arc<dyn JournalSource>) -> Self {
        Self { source }
    }

    /// Returns the folder of the journal. A database returns a made-up path that appears only in messages.
    pub(crate) fn path(&self) -> &Path {
        self.source.path()
    }

    /// Lists the sequence numbers of the files, oldest first.
    pub fn files(&self) -> Result<Vec<u64>> {
        self.source.files()
    }

    /// Returns the end of the journal, or `None` if the journal has no files.
    pub fn end(&self) -> Result<Option<JournalEnd>> {
        let mut files = self.files()?;
        let Some(file) = files.pop() else {
            return Ok(None);
        };
        let length = self.source.length(file)?;
        Ok(Some(JournalEnd { file, length }))
    }

    /// Reads a file without checking it.
    pub fn bytes(&self, sequence: u64) -> Result<Vec<u8>> {
        self.source.bytes(sequence)
    }

    /// Reads a file and checks its lines.
    pub fn load(&self, sequence: u64) -> Result<Block> {
        let bytes = self.bytes(sequence)?;
        let chain = self.source.chain_before(sequence)?;
        let path = journal_file(self.path(), sequence);
        Ok(Block::scan(path, bytes, chain))
    }

    /// Reads a file that continues a known line, and checks its lines.
    pub(crate) fn load_after(&self, sequence: u64, chain: ChainEnd) -> Result<Block> {
        let bytes = self.bytes(sequence)?;
        let path = journal_file(self.path(), sequence);
        Ok(Block::scan(path, bytes, Some(chain)))
    }

    /// Reads all files in order. Only one file is in memory at a time.
    pub fn iter_all(&self) -> Result<impl Iterator<Item = Result<Block>> + '_> {
        let files = self.files()?;
        Ok(files.into_iter().map(|sequence| self.load(sequence)))
    }

    /// Returns the files that contain events before `below`, newest first, as functions that can run on any thread. Each
    /// function returns the number of the first event of the file and its bytes, unchecked. If the folder cannot be read,
    /// the only function returns the error.
    pub fn back_from(
        &self,
        below: u64,
    ) -> impl Iterator<Item = impl FnOnce() -> Option<Result<(u64, Vec<u8>)>>> {
        let last = below.saturating_sub(1);
        let files: Vec<Result<u64>> = match self.files_through(last) {
            Ok(files) => files.into_iter().rev().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };

        files.into_iter().map(move |sequence| {
            move || {
                let bytes = match sequence.and_then(|sequence| self.bytes(sequence)) {
                    Ok(bytes) => bytes,
                    Err(error) => return Some(Err(error)),
                };
                let first = line::number(&bytes)?;
                Some(Ok((first, bytes)))
            }
        })
    }

    /// Reads an event. Returns `None` if there is no such event, or if it is damaged.
    pub fn event(&self, number: u64) -> Result<Option<Record>> {
        for sequence in self.files_through(number)?.into_iter().rev() {
            let block = self.load(sequence)?;
            if let Some(Ok(record)) = block.records_from(number).next()
                && record.n == number
            {
                return Ok(Some(record));
            }

            // A file without a first event is empty or torn. The event may be in the file before it.
            if self.source.first_event(sequence).is_some() {
                break;
            }
        }
        Ok(None)
    }

    /// Reads the events with these numbers, oldest first. Fails if one of them is damaged.
    pub fn read(&self, numbers: Range<u64>) -> Result<Vec<Record>> {
        // The lines include the line before, because its checksum is continued.
        let with_previous = numbers.start.saturating_sub(1)..numbers.end;
        match self.source.lines(with_previous)? {
            Some(bytes) => self.parse_lines(bytes, numbers.start),
            None => self.read_files(&numbers),
        }
    }

    fn parse_lines(&self, bytes: Vec<u8>, first: u64) -> Result<Vec<Record>> {
        let chain = if first <= 1 {
            Some(ChainEnd::default())
        } else {
            None
        };
        let path = self.path().to_path_buf();
        let block = Block::scan(path, bytes, chain);
        if let Some(damage) = block.first_damage() {
            return Err(StoreError::Damaged(damage));
        }

        block.records_from(first).collect()
    }

    fn read_files(&self, numbers: &Range<u64>) -> Result<Vec<Record>> {
        let first_file = self.file_of(numbers.start)?;
        let last_number = numbers.end.saturating_sub(1);
        let mut files = self.files_through(last_number)?;
        if let Some(first_file) = first_file {
            files.retain(|file| *file >= first_file);
        }

        let mut records = Vec::new();
        for sequence in files {
            let block = self.load(sequence)?;
            if let Some(damage) = damage_among(&block, numbers) {
                return Err(StoreError::Damaged(damage));
            }
            for record in block.records_from(numbers.start) {
                let record = record?;
                if record.n >= numbers.end {
                    break;
                }
                records.push(record);
            }
        }

        Ok(records)
    }

    /// Returns the file that contains the event, or the last file that begins before it. Files without events do not
    /// count.
    fn file_of(&self, number: u64) -> Result<Option<u64>> {
        let files = self.files_through(number)?;
        let file = files
            .into_iter()
            .rev()
            .find(|sequence| self.source.first_event(*sequence).is_some());
        Ok(file)
    }

    /// Lists the files that begin with this event or an earlier one, oldest first.
    fn files_through(&self, number: u64) -> Result<Vec<u64>> {
        let mut files = self.files()?;
        let count = files.partition_point(|sequence| {
            // A file without a first event is empty or torn, and counts with the file before it.
            let first = self.source.first_event(*sequence);
            first.is_none_or(|first| first <= number)
        });
        files.truncate(count);
        Ok(files)
    }
}

/// Returns the first damage of a block that affects events with these numbers.
fn damage_among(block: &Block, numbers: &Range<u64>) -> Option<Damage> {
    let damaged = block.bad_lines().find(|bad| {
        // The last line may be incomplete, because another process is writing it.
        let text = block.text(&bad.line);
        let has_newline = text.ends_with(b"\n");
        let first_affected = bad.damage.last_good.saturating_add(1);
        has_newline && numbers.contains(&first_affected)
    });
    damaged.map(|bad| bad.damage)
}

/// Returns the chain position that the last complete line states, without checking it.
pub fn last_stated_end(bytes: &[u8]) -> Option<ChainEnd> {
    let newline = memrchr(b'\n', bytes)?;
    let complete = bytes.get(..newline)?;
    let start = match memrchr(b'\n', complete) {
        Some(previous) => previous + 1,
        None => 0,
    };
    let line = complete.get(start..)?;

    let n = line::number(line)?;
    let crc = line::stored_crc(line)?;
    Some(ChainEnd { n, crc })
}
