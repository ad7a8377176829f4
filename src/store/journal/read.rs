//! Reading the journal: a file at a time, checked line by line.

use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memrchr};

use super::line::{self, Fault};
use super::{LONGEST_FILE, Record, file_in, folder_in, sequences};
use crate::store::disk;
use crate::store::error::{Damage, StoreError};

/// How much of a file's end is read to find its last line; lines are rarely longer than 1 KiB.
const END: u64 = 64 << 10;

/// How much is read at a time where one line is looked for.
const WINDOW: u64 = 4 << 10;

/// Where a line begins and ends in a block, without its newline.
#[derive(Debug, Clone, Copy)]
struct Place {
    n: u64,
    crc: u32,
    start: usize,
    end: usize,
}

/// A line that does not hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct BadLine {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) fault: Fault,
    /// The last good event before it.
    pub(super) last_good: u64,
    /// The checksum that it should have continued.
    pub(super) seed: Option<u32>,
    /// Whether nothing comes after it.
    pub(super) is_last: bool,
}

/// The number and checksum of the line after which a file begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seed {
    pub(super) n: u64,
    pub(super) crc: u32,
}

/// One file of the journal in memory, its lines checked.
#[derive(Debug)]
pub struct Block {
    path: PathBuf,
    bytes: Vec<u8>,
    places: Vec<Place>,
    bad: Vec<BadLine>,
}

impl Block {
    /// Checks every line of a file that continues `seed`.
    pub(super) fn scan(path: PathBuf, bytes: Vec<u8>, seed: Option<Seed>) -> Self {
        let mut places: Vec<Place> = Vec::new();
        let mut bad = Vec::new();
        let mut last = seed.map_or(0, |seed| seed.n);
        let mut seed = seed.map(|seed| seed.crc);
        // A file may leave numbers out at its beginning, and what a bad line's number was is not known.
        let mut may_skip = true;
        let mut start = 0;
        let ends = memchr_iter(b'\n', &bytes).map(|end| (end, true));
        let torn_end =
            (!bytes.ends_with(b"\n") && !bytes.is_empty()).then_some((bytes.len(), false));
        for (index, (end, is_whole)) in ends.chain(torn_end).enumerate() {
            let text = bytes.get(start..end).unwrap_or_default();
            let checked = match seed {
                _ if !is_whole => Err(Fault::Torn),
                Some(crc) => line::check(text, crc).and_then(|sealed| {
                    let expected = last.saturating_add(1);
                    if sealed.n == expected || (may_skip && sealed.n > expected) {
                        Ok(sealed)
                    } else {
                        Err(Fault::Number {
                            expected,
                            found: sealed.n,
                        })
                    }
                }),
                // What the checksum should continue is lost: the line stands if it reads as a record.
                None => line::stored_crc(text).ok_or(Fault::Torn).and_then(|crc| {
                    Ok(line::Sealed {
                        n: line::parse(text)?.n,
                        crc,
                    })
                }),
            };
            match checked {
                Ok(sealed) => {
                    places.push(Place {
                        n: sealed.n,
                        crc: sealed.crc,
                        start,
                        end,
                    });
                    seed = Some(sealed.crc);
                    last = sealed.n;
                    may_skip = false;
                }
                Err(fault) => {
                    let is_last = end.saturating_add(1) >= bytes.len();
                    bad.push(BadLine {
                        line: index + 1,
                        start,
                        end,
                        fault,
                        last_good: last,
                        seed,
                        is_last,
                    });
                    // The chain goes on from what the bad line says of itself, so that one changed
                    // line does not condemn all that follow.
                    seed = line::stored_crc(text);
                    may_skip = true;
                }
            }
            start = end.saturating_add(1);
        }
        Self {
            path,
            bytes,
            places,
            bad,
        }
    }

    /// The file as it is, for searching without reading records.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The numbers of the whole events in it.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.places.iter().map(|place| place.n)
    }

    /// The whole events from `first` on, oldest first.
    pub fn records_from(
        &self,
        first: u64,
    ) -> impl Iterator<Item = Result<Record, StoreError>> + '_ {
        let skipped = self.places.partition_point(|place| place.n < first);
        self.places
            .iter()
            .enumerate()
            .skip(skipped)
            .map(|(index, place)| {
                let text = self.bytes.get(place.start..place.end).unwrap_or_default();
                line::parse(text).map_err(|fault| {
                    StoreError::Damaged(Damage {
                        file: self.path.clone(),
                        line: index + 1,
                        what: fault.to_string(),
                        last_good: place.n.saturating_sub(1),
                    })
                })
            })
    }

    /// All its whole events, oldest first.
    pub fn records(&self) -> impl Iterator<Item = Result<Record, StoreError>> + '_ {
        self.records_from(0)
    }

    /// What is wrong with it, line by line.
    pub fn damage(&self) -> Vec<Damage> {
        self.bad.iter().map(|bad| self.describe(bad)).collect()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn first_bad(&self) -> Option<&BadLine> {
        self.bad.first()
    }

    pub(super) fn text(&self, start: usize, end: usize) -> &[u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// How many lines after the first bad one are whole.
    pub(super) fn good_after(&self, bad: &BadLine) -> usize {
        self.places
            .iter()
            .filter(|place| place.start > bad.start)
            .count()
    }

    /// Forgets the lines from `start` on.
    pub(super) fn cut(&mut self, start: usize) -> Vec<u8> {
        self.places.retain(|place| place.start < start);
        self.bad.retain(|bad| bad.start < start);
        self.bytes.split_off(start.min(self.bytes.len()))
    }

    pub(super) fn first_number(&self) -> Option<u64> {
        self.places.first().map(|place| place.n)
    }

    pub(super) fn end(&self) -> Option<Seed> {
        self.places.last().map(|place| Seed {
            n: place.n,
            crc: place.crc,
        })
    }

    pub(super) fn line_count(&self) -> u64 {
        self.places.len() as u64
    }

    pub(super) fn describe(&self, bad: &BadLine) -> Damage {
        Damage {
            file: self.path.clone(),
            line: bad.line,
            what: bad.fault.to_string(),
            last_good: bad.last_good,
        }
    }
}

/// Reads any part of a journal; it may be open elsewhere meanwhile, for it only grows.
#[derive(Debug, Clone)]
pub struct Reader {
    journal: PathBuf,
}

impl Reader {
    /// A reader of the journal in this session folder.
    pub fn new(session: &Path) -> Self {
        Self {
            journal: folder_in(session),
        }
    }

    /// The sequence numbers of the journal's files, oldest first.
    pub fn files(&self) -> Result<Vec<u64>, StoreError> {
        sequences(&self.journal)
    }

    /// One file as it is, unchecked: what a search runs over.
    pub fn bytes(&self, sequence: u64) -> Result<Vec<u8>, StoreError> {
        let path = file_in(&self.journal, sequence);
        disk::read_file(&path, LONGEST_FILE).map_err(|error| StoreError::io("read", &path, error))
    }

    /// One file, its lines checked.
    pub fn load(&self, sequence: u64) -> Result<Block, StoreError> {
        let bytes = self.bytes(sequence)?;
        let seed = self.seed(sequence)?;
        Ok(Block::scan(file_in(&self.journal, sequence), bytes, seed))
    }

    /// Every file in order, one in memory at a time: what `verify` walks.
    pub fn iter_all(
        &self,
    ) -> Result<impl Iterator<Item = Result<Block, StoreError>> + '_, StoreError> {
        let files = self.files()?;
        let mut expected = 1;
        Ok(files.into_iter().map(move |sequence| {
            let missing = std::mem::replace(&mut expected, sequence.saturating_add(1));
            if sequence != missing {
                return Err(self.missing(missing));
            }
            self.load(sequence)
        }))
    }

    /// The files that hold events before `below`, the newest first: the first event of each, and its bytes,
    /// unchecked.
    pub fn back_from(
        &self,
        below: u64,
    ) -> impl Iterator<Item = Result<(u64, Vec<u8>), StoreError>> + '_ {
        let files = self.files_through(below.saturating_sub(1));
        let (files, error) = match files {
            Ok(files) => (files, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        let files = files.into_iter().rev().filter_map(|sequence| {
            let bytes = self.bytes(sequence);
            let begins = |bytes: Vec<u8>| Some((line::number(&bytes)?, bytes));
            bytes.map(begins).transpose()
        });
        error.into_iter().chain(files)
    }

    /// One event, found by halving its file: numbers rise from line to line.
    pub fn event(&self, number: u64) -> Result<Option<Record>, StoreError> {
        let Some(sequence) = self.files_through(number)?.pop() else {
            return Ok(None);
        };
        let path = file_in(&self.journal, sequence);
        let refused = |error| StoreError::io("read", &path, error);
        let file = disk::open_file(&path).map_err(refused)?;
        let read = |start: u64, length: u64| -> Result<Vec<u8>, StoreError> {
            let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
            file.read_exact_at(&mut bytes, start).map_err(refused)?;
            Ok(bytes)
        };
        let (mut start, mut end) = (0, file.metadata().map_err(refused)?.len());
        while end - start > 2 * WINDOW {
            let middle = start.midpoint(end);
            let bytes = read(middle, WINDOW)?;
            let newline = memchr(b'\n', &bytes).map_or(bytes.len(), |newline| newline + 1);
            let Some(found) = line::number(bytes.get(newline..).unwrap_or_default()) else {
                // A line longer than a window.
                break;
            };
            let begins = middle + newline as u64;
            if found <= number {
                start = begins;
            } else {
                end = begins;
            }
        }
        let mut crc = match start {
            0 => self.seed(sequence)?.map(|seed| seed.crc),
            _ => None,
        };
        // With the end of the line before it, which has the checksum that this one continues.
        let before = start.saturating_sub(line::SEAL as u64 + 1);
        let bytes = read(before, end - before)?;
        for text in bytes.split(|byte| *byte == b'\n') {
            if line::number(text) == Some(number) {
                let is_whole = crc.is_some_and(|crc| line::check(text, crc).is_ok());
                return Ok(line::parse(text).ok().filter(|_| is_whole));
            }
            crc = line::stored_crc(text);
        }
        Ok(None)
    }

    /// The sequence numbers of the files that begin with that event or before it, oldest first.
    fn files_through(&self, number: u64) -> Result<Vec<u64>, StoreError> {
        let mut files = self.files()?;
        let (mut low, mut high) = (0, files.len());
        while low < high {
            let middle = low.midpoint(high);
            // A file that cannot say where it begins is empty or torn, and the one before it decides.
            match files.get(middle) {
                Some(&sequence) if !self.begins_after(sequence, number)? => low = middle + 1,
                _ => high = middle,
            }
        }
        files.truncate(low);
        Ok(files)
    }

    fn begins_after(&self, sequence: u64, number: u64) -> Result<bool, StoreError> {
        let first = self.begins_with(sequence)?;
        Ok(first.is_some_and(|first| first > number))
    }

    /// The events with these numbers, oldest first. Damage among them is an error.
    pub fn read(&self, numbers: Range<u64>) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::new();
        let from = self.files_through(numbers.start)?.pop().unwrap_or(0);
        for sequence in self.files()? {
            if sequence < from {
                continue;
            }
            if self.begins_after(sequence, numbers.end.saturating_sub(1))? {
                break;
            }
            let block = self.load(sequence)?;
            // The very last line may be half written by a process that has the game open.
            if let Some(bad) = block
                .bad
                .iter()
                .find(|bad| !bad.is_last && numbers.contains(&bad.last_good.saturating_add(1)))
            {
                return Err(StoreError::Damaged(block.describe(bad)));
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

    /// The line that a file continues. `None` if it cannot be told, because that line is gone.
    pub(super) fn seed(&self, sequence: u64) -> Result<Option<Seed>, StoreError> {
        let mut before = sequence;
        while before > 1 {
            before -= 1;
            let path = file_in(&self.journal, before);
            if !path.exists() {
                return Err(self.missing(before));
            }
            let file =
                disk::open_file(&path).map_err(|error| StoreError::io("read", &path, error))?;
            let length = file
                .metadata()
                .map_err(|error| StoreError::io("read", &path, error))?
                .len();
            if length == 0 {
                continue;
            }
            let start = length.saturating_sub(END);
            let mut end = vec![0; usize::try_from(length - start).unwrap_or(0)];
            file.read_exact_at(&mut end, start)
                .map_err(|error| StoreError::io("read", &path, error))?;
            if let Some(seed) = last_line(&end, start == 0) {
                return Ok(Some(seed));
            }
            return Ok(last_line(&self.bytes(before)?, true));
        }
        Ok(Some(Seed::default()))
    }

    fn begins_with(&self, sequence: u64) -> Result<Option<u64>, StoreError> {
        let path = file_in(&self.journal, sequence);
        let file = disk::open_file(&path).map_err(|error| StoreError::io("read", &path, error))?;
        let mut start = [0; 32];
        let read = file
            .read_at(&mut start, 0)
            .map_err(|error| StoreError::io("read", &path, error))?;
        Ok(line::number(start.get(..read).unwrap_or_default()))
    }

    fn missing(&self, sequence: u64) -> StoreError {
        // The files that there are: a name may hold any number.
        let files = self.files().unwrap_or_default();
        let mut before = files.iter().rev().filter(|&&before| before < sequence);
        let last_good = before
            .find_map(|before| last_line(&self.bytes(*before).ok()?, true))
            .map_or(0, |seed| seed.n);
        StoreError::Damaged(Damage {
            file: file_in(&self.journal, sequence),
            line: 0,
            what: "the file is missing".to_owned(),
            last_good,
        })
    }
}

/// The last whole line in a file's end, by what it says of itself. `is_whole`: the end is the whole file.
fn last_line(bytes: &[u8], is_whole: bool) -> Option<Seed> {
    let rest = bytes.get(..memrchr(b'\n', bytes)?)?;
    let start = match memrchr(b'\n', rest) {
        Some(newline) => newline + 1,
        None if is_whole => 0,
        None => return None,
    };
    let text = rest.get(start..)?;
    Some(Seed {
        n: line::number(text)?,
        crc: line::stored_crc(text)?,
    })
}
