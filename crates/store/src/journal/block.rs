//! A part of a journal in memory, with every line checked.

use std::path::PathBuf;

use memchr::memchr_iter;

use crate::error::{Damage, Result, StoreError};
use crate::journal::line::{self, ChainEnd, Fault, Record};

/// The position of a line, including its newline, and the result of checking the line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineEntry {
    pub(crate) start: usize,
    end: usize,
    /// The number of the event. For a bad line, the number of the last good event before it.
    pub(crate) n: u64,
    /// The checksum of the line. For a bad line, the checksum that it should continue, if it is known.
    pub(crate) crc: Option<u32>,
    fault: Option<Fault>,
}

/// A bad line.
pub(crate) struct BadLine {
    pub(crate) line: LineEntry,
    pub(crate) damage: Damage,
}

/// One file of the journal, or the lines of a database that correspond to one file.
#[derive(Debug)]
pub struct Block {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    lines: Vec<LineEntry>,
}

/// Checks lines one after the other.
struct Scanner {
    /// The number of the last good event.
    last: u64,
    /// The checksum that the next line must continue. `None` if it is unknown; then any line that can be parsed is good.
    crc: Option<u32>,
    /// True if the next event may skip numbers: at the beginning of a file, and after a bad line, whose number is unknown.
    may_skip: bool,
}

impl Scanner {
    /// Checks a line with its newline. A line without a newline is torn.
    fn check(&mut self, line: &[u8]) -> Option<Fault> {
        let text = line.strip_suffix(b"\n");
        let checked = match text {
            Some(text) => self.check_text(text),
            None => Err(Fault::Torn),
        };

        match checked {
            Ok(end) => {
                self.last = end.n;
                self.crc = Some(end.crc);
                self.may_skip = false;
                None
            }
            Err(fault) => {
                self.may_skip = true;
                Some(fault)
            }
        }
    }

    fn check_text(&self, text: &[u8]) -> Result<ChainEnd, Fault> {
        let Some(previous_crc) = self.crc else {
            let crc = line::stored_crc(text).ok_or(Fault::Torn)?;
            let record = Record::parse(text).ok_or(Fault::Record)?;
            return Ok(ChainEnd { n: record.n, crc });
        };

        let end = line::check(text, previous_crc)?;
        let expected = self.last.saturating_add(1);
        if end.n == expected || (self.may_skip && end.n > expected) {
            Ok(end)
        } else {
            Err(Fault::Number {
                expected,
                found: end.n,
            })
        }
    }
}

impl Block {
    /// Checks the lines of a file. `chain` is the line before the file, or `None` if that line is lost.
    pub fn scan(path: PathBuf, bytes: Vec<u8>, chain: Option<ChainEnd>) -> Self {
        let mut scanner = Scanner {
            last: chain.map_or(0, |chain| chain.n),
            crc: chain.map(|chain| chain.crc),
            may_skip: true,
        };

        let mut lines = Vec::new();
        let mut start = 0;
        for end in line_ends(&bytes) {
            let text = bytes.get(start..end).unwrap_or_default();
            let fault = scanner.check(text);
            lines.push(LineEntry {
                start,
                end,
                n: scanner.last,
                crc: scanner.crc,
                fault,
            });

            if fault.is_some() {
                // Continue the chain from the checksum that the bad line states, so that a single changed line does not make
                // all later lines bad.
                scanner.crc = match text.strip_suffix(b"\n") {
                    Some(bad_line) => line::stored_crc(bad_line),
                    None => None,
                };
            }
            start = end;
        }

        Self { path, bytes, lines }
    }

    /// Returns the good events from the number `first` on, oldest first.
    pub fn records_from(&self, first: u64) -> impl Iterator<Item = Result<Record>> {
        let skipped = self.lines.partition_point(|line| line.n < first);
        self.lines
            .iter()
            .enumerate()
            .skip(skipped)
            .filter(|(_, line)| line.fault.is_none())
            .map(|(index, line)| self.parse_record(index, line))
    }

    fn parse_record(&self, index: usize, line: &LineEntry) -> Result<Record> {
        let text = self.text(line).trim_ascii_end();
        Record::parse(text).ok_or_else(|| {
            StoreError::Damaged(Damage {
                file: self.path.clone(),
                line: index + 1,
                what: Fault::Record.to_string(),
                last_good: line.n.saturating_sub(1),
            })
        })
    }

    /// Returns all good events, oldest first.
    pub fn records(&self) -> impl Iterator<Item = Result<Record>> {
        self.records_from(0)
    }

    /// Returns the good lines without their newlines, each with the number of its event, oldest first.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.good_lines().map(|line| {
            let text = self.text(line).trim_ascii_end();
            (line.n, text)
        })
    }

    /// Returns the damage of each bad line.
    pub fn damage(&self) -> Vec<Damage> {
        self.bad_lines().map(|bad| bad.damage).collect()
    }

    /// Returns the damage of the first bad line.
    pub fn first_damage(&self) -> Option<Damage> {
        let first_bad = self.bad_lines().next()?;
        Some(first_bad.damage)
    }

    pub(crate) fn bad_lines(&self) -> impl Iterator<Item = BadLine> {
        self.lines
            .iter()
            .enumerate()
            .filter_map(|(index, line)| self.bad_line(index, line))
    }

    fn bad_line(&self, index: usize, line: &LineEntry) -> Option<BadLine> {
        let fault = line.fault?;
        let damage = Damage {
            file: self.path.clone(),
            line: index + 1,
            what: fault.to_string(),
            last_good: line.n,
        };
        Some(BadLine {
            line: *line,
            damage,
        })
    }

    pub(crate) fn good_lines(&self) -> impl DoubleEndedIterator<Item = &LineEntry> {
        self.lines.iter().filter(|line| line.fault.is_none())
    }

    /// Returns the bytes of a line, including its newline.
    pub(crate) fn text(&self, line: &LineEntry) -> &[u8] {
        self.bytes.get(line.start..line.end).unwrap_or_default()
    }

    /// Removes a line and all lines after it, and returns their bytes.
    pub(crate) fn cut(&mut self, line: &LineEntry) -> Vec<u8> {
        self.lines.retain(|kept| kept.start < line.start);
        self.bytes.split_off(line.start)
    }

    /// Removes the first bad line and all lines after it.
    pub fn remove_from_damage(&mut self) {
        let first_bad = self.bad_lines().next();
        if let Some(bad) = first_bad {
            self.cut(&bad.line);
        }
    }

    /// Returns the chain positions of all good lines, oldest first.
    pub fn ends(&self) -> impl DoubleEndedIterator<Item = ChainEnd> {
        self.good_lines().filter_map(|line| {
            let (n, crc) = (line.n, line.crc?);
            Some(ChainEnd { n, crc })
        })
    }

    /// Returns the chain position of the last good line.
    pub fn end(&self) -> Option<ChainEnd> {
        self.ends().next_back()
    }

    /// Returns the chain position of the second to last good line, or the position before the first event.
    pub fn before_end(&self) -> ChainEnd {
        self.ends().rev().nth(1).unwrap_or_default()
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Returns the end of each line, including the last line if it has no newline.
fn line_ends(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let torn_end = if bytes.is_empty() || bytes.ends_with(b"\n") {
        None
    } else {
        Some(bytes.len())
    };
    memchr_iter(b'\n', bytes)
        .map(|newline| newline + 1)
        .chain(torn_end)
}
