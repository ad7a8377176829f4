//! Reading the journal: a file at a time, checked line by line.

use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use memchr::{memchr_iter, memrchr};

use super::line::{self, Fault};
use super::{EVENTS_PER_FILE, LONGEST_FILE, Record, file_in, folder_in, sequences};
use crate::game_location::{GameLocation, GameRow};
use crate::{Damage, StoreError, disk};

/// A line of a file in memory, its newline included: a whole event, or what is wrong with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    end: usize,
    /// The number of the event; of a bad line that of the last good one before it.
    pub(super) n: u64,
    /// Its checksum; of a bad line the one that it should have continued, if that is known.
    pub(super) crc: Option<u32>,
    fault: Option<Fault>,
}

/// The number and checksum of the line after which a file begins.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChainEnd {
    pub(crate) n: u64,
    pub(crate) crc: u32,
}

/// One file of the journal in memory, its lines checked.
#[derive(Debug)]
pub struct Block {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    lines: Vec<Line>,
}

impl Block {
    /// Checks every line of a file that continues `chain`.
    pub(crate) fn scan(path: PathBuf, bytes: Vec<u8>, chain: Option<ChainEnd>) -> Self {
        let mut lines = Vec::new();
        let mut last = chain.map_or(0, |chain| chain.n);
        let mut crc = chain.map(|chain| chain.crc);
        // A file may leave numbers out at its beginning, and what a bad line's number was is not known.
        let mut may_skip = true;
        let mut start = 0;
        let torn_end = (!bytes.ends_with(b"\n") && !bytes.is_empty()).then_some(bytes.len());
        let ends = memchr_iter(b'\n', &bytes).map(|newline| newline + 1);
        for end in ends.chain(torn_end) {
            let text = bytes.get(start..end).unwrap_or_default();
            let text = text.strip_suffix(b"\n");
            let found = text.ok_or(Fault::Torn);
            let found = found.and_then(|text| checked(text, last, crc, may_skip));
            if let Ok((n, sealed)) = found {
                (last, crc) = (n, Some(sealed));
            }
            lines.push(Line {
                start,
                end,
                n: last,
                crc,
                fault: found.err(),
            });
            may_skip = found.is_err();
            if may_skip {
                // The chain goes on from what the bad line says of itself, so that one changed line does
                // not condemn all that follow.
                crc = text.and_then(line::stored_crc);
            }
            start = end;
        }
        Self { path, bytes, lines }
    }

    /// The whole events from `first` on, oldest first.
    pub fn records_from(
        &self,
        first: u64,
    ) -> impl Iterator<Item = Result<Record, StoreError>> + '_ {
        let skipped = self.lines.partition_point(|line| line.n < first);
        let lines = self.lines.iter().enumerate().skip(skipped);
        let good = lines.filter(|(_, line)| line.fault.is_none());
        good.map(|(index, line)| {
            let record = Record::parse(self.text(line).trim_ascii_end());
            record.ok_or_else(|| {
                StoreError::Damaged(Damage {
                    file: self.path.clone(),
                    line: index + 1,
                    what: Fault::Record.to_string(),
                    last_good: line.n.saturating_sub(1),
                })
            })
        })
    }

    /// The lines of its whole events, without their newlines, oldest first, each with the event's number.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.good()
            .map(|line| (line.n, self.text(line).trim_ascii_end()))
    }

    /// All its whole events, oldest first.
    pub fn records(&self) -> impl Iterator<Item = Result<Record, StoreError>> + '_ {
        self.records_from(0)
    }

    /// What is wrong with it, line by line.
    pub fn damage(&self) -> Vec<Damage> {
        self.bad().map(|(_, damage)| damage).collect()
    }

    /// The lines that do not hold.
    pub(super) fn bad(&self) -> impl Iterator<Item = (Line, Damage)> + '_ {
        self.lines.iter().enumerate().filter_map(|(index, line)| {
            let damage = Damage {
                file: self.path.clone(),
                line: index + 1,
                what: line.fault?.to_string(),
                last_good: line.n,
            };
            Some((*line, damage))
        })
    }

    /// The lines that hold.
    pub(super) fn good(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.iter().filter(|line| line.fault.is_none())
    }

    /// The bytes of a line, its newline included.
    pub(super) fn text(&self, line: &Line) -> &[u8] {
        self.bytes.get(line.start..line.end).unwrap_or_default()
    }

    /// Forgets the lines from that one on, and returns what they were.
    pub(super) fn cut(&mut self, line: &Line) -> Vec<u8> {
        self.lines.retain(|one| one.start < line.start);
        self.bytes.split_off(line.start)
    }

    /// The number and checksum of each line that holds, oldest first.
    pub(crate) fn ends(&self) -> impl DoubleEndedIterator<Item = ChainEnd> + '_ {
        self.good().filter_map(|line| {
            let (n, crc) = (line.n, line.crc?);
            Some(ChainEnd { n, crc })
        })
    }

    /// The line before the last one that holds; that of an empty journal if there is none.
    pub(crate) fn before_end(&self) -> ChainEnd {
        self.ends().rev().nth(1).unwrap_or_default()
    }

    /// Keeps the lines before the first one that does not hold.
    pub fn forget_from_damage(&mut self) {
        let first_bad = self.bad().next();
        if let Some((line, _)) = first_bad {
            self.cut(&line);
        }
    }

    /// Its bytes.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The last line that holds, which a next one continues.
    pub(crate) fn end(&self) -> Option<ChainEnd> {
        let line = self.good().next_back()?;
        let (n, crc) = (line.n, line.crc?);
        Some(ChainEnd { n, crc })
    }
}

/// Reads any part of a journal; it may be open elsewhere meanwhile, for it only grows.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The folder of its files, or how messages name it.
    journal: PathBuf,
    row: Option<GameRow>,
}

impl Reader {
    /// A reader of the journal of the game that is kept there.
    pub fn new(place: impl Into<GameLocation>) -> Self {
        let place = place.into();
        Self {
            journal: folder_in(&place.display_path()),
            row: match place {
                GameLocation::Folder(_) => None,
                GameLocation::Database(row) => Some(row),
            },
        }
    }

    /// The folder of its files, or how messages name it.
    pub(super) fn folder(&self) -> PathBuf {
        self.journal.clone()
    }

    /// The sequence numbers of the journal's files, oldest first; a database has none, and its lines are read so many
    /// at a time as files hold.
    pub fn files(&self) -> Result<Vec<u64>, StoreError> {
        if let Some(row) = &self.row {
            return Ok((1..=last_in(row)?.div_ceil(EVENTS_PER_FILE)).collect());
        }
        sequences(&self.journal)
    }

    /// The newest file and its length in bytes. Whoever compares two answers sees whether something was written.
    pub fn end(&self) -> Result<Option<(u64, u64)>, StoreError> {
        let Some(last) = self.files()?.pop() else {
            return Ok(None);
        };
        if let Some(row) = &self.row {
            return Ok(Some((last, last_in(row)?)));
        }
        let path = file_in(&self.journal, last);
        let found = std::fs::metadata(&path);
        let found = found.map_err(|error| StoreError::io("read", &path, error))?;
        Ok(Some((last, found.len())))
    }

    /// One file as it is, unchecked.
    pub fn bytes(&self, sequence: u64) -> Result<Vec<u8>, StoreError> {
        if let Some(row) = &self.row {
            let before = (sequence - 1) * EVENTS_PER_FILE;
            return lines_in(row, before + 1..before + EVENTS_PER_FILE + 1);
        }
        let path = file_in(&self.journal, sequence);
        disk::read_file(&path, LONGEST_FILE).map_err(|error| StoreError::io("read", &path, error))
    }

    /// One file, its lines checked.
    pub fn load(&self, sequence: u64) -> Result<Block, StoreError> {
        let bytes = self.bytes(sequence)?;
        let chain = self.chain_before(sequence)?;
        Ok(Block::scan(file_in(&self.journal, sequence), bytes, chain))
    }

    /// The same of a file that continues a known line.
    pub(crate) fn load_after(&self, sequence: u64, chain: ChainEnd) -> Result<Block, StoreError> {
        let bytes = self.bytes(sequence)?;
        let path = file_in(&self.journal, sequence);
        Ok(Block::scan(path, bytes, Some(chain)))
    }

    /// Every file in order, one in memory at a time: what `verify` walks.
    pub fn iter_all(
        &self,
    ) -> Result<impl Iterator<Item = Result<Block, StoreError>> + '_, StoreError> {
        let files = self.files()?.into_iter();
        Ok(files.map(|sequence| self.load(sequence)))
    }

    /// The files that hold events before `below`, the newest first, to be read on any thread: the number of each one's
    /// first event, and its bytes, unchecked. A folder that cannot be read is one error alone.
    pub fn back_from(
        &self,
        below: u64,
    ) -> impl Iterator<Item = impl FnOnce() -> Option<Result<(u64, Vec<u8>), StoreError>>> {
        let files: Vec<_> = match self.files_through(below.saturating_sub(1)) {
            Ok(files) => files.into_iter().rev().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        let with_first = |bytes: Vec<u8>| Some((line::number(&bytes)?, bytes));
        files.into_iter().map(move |sequence| {
            let bytes = move || self.bytes(sequence?);
            move || bytes().map(with_first).transpose()
        })
    }

    /// The event of that number; `None` if there is none, or if it is damaged.
    pub fn event(&self, number: u64) -> Result<Option<Record>, StoreError> {
        let Some(sequence) = self.files_through(number)?.pop() else {
            return Ok(None);
        };
        let block = self.load(sequence)?;
        let found = block.records_from(number).next().and_then(Result::ok);
        Ok(found.filter(|record| record.n == number))
    }

    /// The events with these numbers, oldest first. Damage among them is an error.
    pub fn read(&self, numbers: Range<u64>) -> Result<Vec<Record>, StoreError> {
        if let Some(row) = &self.row {
            // The line before them, too: its checksum is continued.
            let bytes = lines_in(row, numbers.start.saturating_sub(1)..numbers.end)?;
            let chain = (numbers.start <= 1).then(ChainEnd::default);
            let block = Block::scan(self.journal.clone(), bytes, chain);
            let damage = block.damage().into_iter().next();
            let whole = || block.records_from(numbers.start).collect();
            return damage.map_or_else(whole, |damage| Err(StoreError::Damaged(damage)));
        }
        let mut records = Vec::new();
        let mut before = self.files_through(numbers.start)?;
        // A file that was begun and holds nothing yet is not where they start.
        while before
            .pop_if(|last| self.first_of(*last).is_none())
            .is_some()
        {}
        let files = self.files_through(numbers.end.saturating_sub(1))?;
        for sequence in files.into_iter().skip(before.len().saturating_sub(1)) {
            let block = self.load(sequence)?;
            let damage = block.bad().find(|(line, damage)| {
                // The very last line may be half written by a process that has the game open.
                block.text(line).ends_with(b"\n")
                    && numbers.contains(&damage.last_good.saturating_add(1))
            });
            if let Some((_, damage)) = damage {
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

    /// The sequence numbers of the files that begin with that event or before it, oldest first.
    fn files_through(&self, number: u64) -> Result<Vec<u64>, StoreError> {
        let mut files = self.files()?;
        // A file that cannot say where it begins is empty or torn, and the one before it decides.
        let begins_later =
            |sequence: &u64| self.first_of(*sequence).is_some_and(|first| first > number);
        files.truncate(files.partition_point(|sequence| !begins_later(sequence)));
        Ok(files)
    }

    /// The line that a file continues. None where it cannot be told, because that line is gone.
    pub(super) fn chain_before(&self, sequence: u64) -> Result<Option<ChainEnd>, StoreError> {
        if let Some(row) = &self.row {
            let before = "select line || chr(10) from journal where game = GAME and n <= $3::bigint order by n desc limit 1";
            let before = row.read(before, &[&((sequence - 1) * EVENTS_PER_FILE).to_string()])?;
            let line = before
                .first()
                .map(|line| last_line(line.text(0).as_bytes()));
            return Ok(line.unwrap_or_else(|| Some(ChainEnd::default())));
        }
        for before in (1..sequence).rev() {
            let bytes = self.bytes(before)?;
            if !bytes.is_empty() {
                return Ok(last_line(&bytes));
            }
        }
        Ok(Some(ChainEnd::default()))
    }

    /// The number of a file's first event, read off its first bytes.
    fn first_of(&self, sequence: u64) -> Option<u64> {
        if self.row.is_some() {
            return Some((sequence - 1) * EVENTS_PER_FILE + 1);
        }
        let file = disk::open_file(&file_in(&self.journal, sequence)).ok()?;
        let mut start = [0; 32];
        let read = file.read_at(&mut start, 0).ok()?;
        line::number(start.get(..read)?)
    }
}

/// The last event of a database's journal; 0 before the first.
fn last_in(row: &GameRow) -> Result<u64, StoreError> {
    let last = row.read("select max(n)::text from journal where game = GAME", &[])?;
    Ok(last.first().map_or(0, |last| last.number(0)))
}

/// Lines of a database's journal, each with its newline.
fn lines_in(row: &GameRow, numbers: Range<u64>) -> Result<Vec<u8>, StoreError> {
    let lines = "select line from journal where game = GAME and n >= $3::bigint and n < $4::bigint order by n";
    let end = numbers.end.min(i64::MAX as u64);
    let rows = row.read(lines, &[&numbers.start.to_string(), &end.to_string()])?;
    let lines = rows.iter().flat_map(|row| [row.text(0), "\n"]);
    Ok(lines.collect::<String>().into())
}

/// Checks a line (without its newline) that follows event `last`; returns its number and its own checksum, which
/// continues `crc`. Where `crc` is lost, the line stands if it reads as a record.
fn checked(text: &[u8], last: u64, crc: Option<u32>, may_skip: bool) -> Result<(u64, u32), Fault> {
    let Some(crc) = crc else {
        let crc = line::stored_crc(text).ok_or(Fault::Torn)?;
        let record = Record::parse(text).ok_or(Fault::Record)?;
        return Ok((record.n, crc));
    };
    let (n, crc) = line::check(text, crc)?;
    let expected = last.saturating_add(1);
    if n == expected || (may_skip && n > expected) {
        return Ok((n, crc));
    }
    Err(Fault::Number { expected, found: n })
}

/// The last whole line, by what it says of itself.
fn last_line(bytes: &[u8]) -> Option<ChainEnd> {
    let rest = bytes.get(..memrchr(b'\n', bytes)?)?;
    let start = memrchr(b'\n', rest).map_or(0, |newline| newline + 1);
    let text = rest.get(start..)?;
    let (n, crc) = (line::number(text)?, line::stored_crc(text)?);
    Some(ChainEnd { n, crc })
}
