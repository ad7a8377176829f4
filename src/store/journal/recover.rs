//! Opening a journal: its tail is read, a torn end is cut off and kept, damage is named.

use std::fs::{self, OpenOptions};
use std::io;

use std::path::{Path, PathBuf};

use super::read::{BadLine, Block, Reader, Seed};
use super::{Record, file_in, folder_in, line, sequences};
use crate::file::{self, Links};
use crate::store::disk::{self, Disk, RealDisk};
use crate::store::error::{Damage, StoreError};
use crate::store::folder::make_private;

/// What the opener wants of the journal.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct Wanted {
    /// The last event that the snapshot holds: everything after it is needed.
    pub(in crate::store) after: u64,
    /// How many of the last events are needed in any case.
    pub(in crate::store) tail: u64,
    /// Look only: nothing on disk is touched.
    pub(in crate::store) view: bool,
    /// Go on from the last good event, keeping what comes after it beside the journal.
    pub(in crate::store) cut_damage: bool,
}

/// A journal as it was found.
#[derive(Debug, Default)]
pub(in crate::store) struct Found {
    /// The wanted events, oldest first.
    pub(in crate::store) records: Vec<Record>,
    /// The number and checksum of the last event.
    pub(in crate::store) last: u64,
    pub(in crate::store) crc: u32,
    /// The last file: its sequence number (0: none), lines and bytes.
    pub(in crate::store) sequence: u64,
    pub(in crate::store) lines: u64,
    pub(in crate::store) bytes: u64,
    /// What the user is to be told.
    pub(in crate::store) notices: Vec<String>,
    /// Where the journal stops making sense, if it does.
    pub(in crate::store) damage: Option<Damage>,
}

/// Reads the tail of the journal in a session folder and mends its end.
pub(in crate::store) fn recover(session: &Path, wanted: Wanted) -> Result<Found, StoreError> {
    let journal = folder_in(session);
    prepare(session, &journal, wanted.view)?;
    let mut notices = Vec::new();
    if !wanted.view {
        keep_leftovers(&journal, &mut notices)?;
    }
    loop {
        let mut recovery = Recovery::begin(session, &journal, wanted)?;
        match recovery.read_tail()? {
            // What is left is a sound journal: it is read afresh, and found to be so.
            Outcome::Cut(notice) => notices.push(notice),
            Outcome::Read => {
                let mut found = recovery.finish()?;
                notices.append(&mut found.notices);
                found.notices = notices;
                return Ok(found);
            }
        }
    }
}

/// One attempt at reading a journal's tail.
struct Recovery<'a> {
    session: &'a Path,
    journal: &'a Path,
    wanted: Wanted,
    reader: Reader,
    files: Vec<u64>,
    /// What was read, newest first.
    blocks: Vec<Block>,
    notices: Vec<String>,
    damage: Option<Damage>,
}

enum Outcome {
    Read,
    /// The journal was cut at a damaged place, as this notice says.
    Cut(String),
}

impl<'a> Recovery<'a> {
    fn begin(session: &'a Path, journal: &'a Path, wanted: Wanted) -> Result<Self, StoreError> {
        Ok(Self {
            session,
            journal,
            wanted,
            reader: Reader::new(session),
            files: sequences(journal)?,
            blocks: Vec::new(),
            notices: Vec::new(),
            damage: None,
        })
    }

    /// Reads files, newest first, until they reach back far enough.
    fn read_tail(&mut self) -> Result<Outcome, StoreError> {
        for sequence in self.files.clone().into_iter().rev() {
            let bytes = self.reader.bytes(sequence)?;
            let seed = match self.reader.seed(sequence) {
                Err(StoreError::Damaged(damage)) if self.wanted.view => {
                    self.damage = Some(damage);
                    None
                }
                Err(StoreError::Damaged(damage)) if self.wanted.cut_damage => {
                    return self.cut_at_gap(sequence, &damage);
                }
                seed => seed?,
            };
            let mut block = Block::scan(file_in(self.journal, sequence), bytes, seed);
            if let Some(&bad) = block.first_bad()
                && let Some(cut) = self.judge(sequence, &mut block, bad)?
            {
                return Ok(cut);
            }
            self.blocks.push(block);
            if self.reaches_back() {
                break;
            }
        }
        Ok(Outcome::Read)
    }

    /// Tells a torn end, which is cut off, from damage, which is not without leave.
    fn judge(
        &mut self,
        sequence: u64,
        block: &mut Block,
        bad: BadLine,
    ) -> Result<Option<Outcome>, StoreError> {
        // A first line may fail because the line that it continues is the damaged one.
        let before = if bad.line == 1 && sequence > 1 && self.files.contains(&(sequence - 1)) {
            let earlier = self.reader.load(sequence - 1)?;
            earlier.first_bad().copied().map(|bad| (earlier, bad))
        } else {
            None
        };
        let is_end = self.blocks.iter().all(|block| block.line_count() == 0);
        if before.is_none() && is_end && is_torn(block, &bad) {
            let notice = self.cut_torn(block, &bad)?;
            self.notices.push(notice);
            return Ok(None);
        }
        let damage = match &before {
            Some((earlier, bad)) => earlier.describe(bad),
            None => block.describe(&bad),
        };
        if self.wanted.view {
            // Looking shows the game up to the damage, and nothing that came after it.
            block.cut(bad.start);
            self.blocks.clear();
            self.damage = Some(damage);
            return Ok(None);
        }
        if !self.wanted.cut_damage {
            return Err(StoreError::Damaged(damage));
        }
        let (culprit, kept) = match before {
            Some((mut earlier, bad)) => (sequence - 1, self.cut_file(&mut earlier, bad.start)?),
            None => (sequence, self.cut_file(block, bad.start)?),
        };
        self.set_later_aside(culprit)?;
        Ok(Some(Outcome::Cut(format!(
            "The journal was damaged ({damage}). The game goes on after that event; what the journal held after it is kept in {} and in any later *.torn beside it.",
            kept.display()
        ))))
    }

    /// Cuts the journal where a whole file is missing.
    fn cut_at_gap(&self, sequence: u64, damage: &Damage) -> Result<Outcome, StoreError> {
        let missing = (1..sequence)
            .rev()
            .find(|before| !self.files.contains(before));
        self.set_later_aside(missing.unwrap_or(0))?;
        Ok(Outcome::Cut(format!(
            "The journal was damaged ({damage}). The game goes on after that event; the later files are kept as *.torn in {}.",
            self.journal.display()
        )))
    }

    fn cut_torn(&self, block: &mut Block, bad: &BadLine) -> Result<String, StoreError> {
        let whole_after = block.good_after(bad);
        let length = block.bytes().len() - bad.start;
        let last_good = bad.last_good;
        if self.wanted.view {
            block.cut(bad.start);
            return Ok(format!(
                "The last {length} bytes of {} are not a whole event and are not shown.",
                block.path().display()
            ));
        }
        let kept = self.cut_file(block, bad.start)?;
        let also = match whole_after {
            0 => String::new(),
            1 => " (with one event that followed a gap)".to_owned(),
            more => format!(" (with {more} events that followed a gap)"),
        };
        Ok(format!(
            "The journal's end was torn, as by a crash: its last {length} bytes{also} were cut off and are kept in {}. The game goes on after event {last_good}.",
            kept.display()
        ))
    }

    /// Cuts a file, its rest kept beside it first.
    fn cut_file(&self, block: &mut Block, start: usize) -> Result<PathBuf, StoreError> {
        let path = block.path().to_path_buf();
        let refused = |error| StoreError::writing("mend", self.session, &path, error);
        let rest = block.cut(start);
        let kept = disk::set_aside(&path, &rest).map_err(refused)?;
        // The evidence must be safe before what it was cut from changes.
        RealDisk.sync(self.journal).map_err(refused)?;
        let file = file::open(&path, OpenOptions::new().write(true), Links::Refuse);
        let file = file.map_err(refused)?;
        file.set_len(start as u64)
            .and_then(|()| file.sync_all())
            .map_err(refused)?;
        Ok(kept)
    }

    /// Moves every file after the damaged one out of the journal.
    fn set_later_aside(&self, culprit: u64) -> Result<(), StoreError> {
        // The newest first: a crash in between leaves no gap.
        for &sequence in self
            .files
            .iter()
            .rev()
            .filter(|&&sequence| sequence > culprit)
        {
            let path = file_in(self.journal, sequence);
            fs::rename(&path, disk::free_name(&path, "torn"))
                .map_err(|error| StoreError::writing("rename", self.session, &path, error))?;
        }
        Ok(())
    }

    fn reaches_back(&self) -> bool {
        let end = self.blocks.iter().find_map(Block::end);
        let first = self.blocks.iter().rev().find_map(Block::first_number);
        matches!((end, first), (Some(end), Some(first)) if first <= self.oldest(end))
    }

    /// The oldest event that the opener wants.
    fn oldest(&self, end: Seed) -> u64 {
        let tail = end.n.saturating_sub(self.wanted.tail).saturating_add(1);
        tail.min(self.wanted.after.saturating_add(1))
    }

    fn finish(self) -> Result<Found, StoreError> {
        let mut found = Found {
            sequence: self.files.last().copied().unwrap_or(0),
            ..Found::default()
        };
        if let Some(newest) = self.blocks.first() {
            found.lines = newest.line_count();
            found.bytes = newest.bytes().len() as u64;
        }
        if let Some(end) = self.blocks.iter().find_map(Block::end) {
            found.last = end.n;
            found.crc = end.crc;
            let oldest = self.oldest(end);
            for block in self.blocks.iter().rev() {
                for record in block.records_from(oldest) {
                    found.records.push(record?);
                }
            }
        }
        found.notices = self.notices;
        found.damage = self.damage;
        Ok(found)
    }
}

/// Makes the journal's folder where it is missing, and refuses one that leads elsewhere.
fn prepare(session: &Path, journal: &Path, view: bool) -> Result<(), StoreError> {
    match fs::symlink_metadata(journal) {
        Ok(metadata) if metadata.is_symlink() => Err(StoreError::Symlink {
            path: journal.to_path_buf(),
        }),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && view => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make_private(journal)
            .map_err(|error| StoreError::writing("make", session, journal, error)),
        Err(error) => Err(StoreError::io("read", journal, error)),
    }
}

/// A rewritten file that never took its place is evidence of a failing disk: kept under another name.
fn keep_leftovers(journal: &Path, notices: &mut Vec<String>) -> Result<(), StoreError> {
    let entries = fs::read_dir(journal).map_err(|error| StoreError::io("read", journal, error))?;
    for entry in entries {
        let path = entry
            .map_err(|error| StoreError::io("read", journal, error))?
            .path();
        if path.extension().is_some_and(|extension| extension == "new") {
            let kept = disk::free_name(&path.with_extension(""), "torn");
            fs::rename(&path, &kept).map_err(|error| StoreError::io("rename", &path, error))?;
            notices.push(format!(
                "An unfinished file of the journal was found and is kept as {}.",
                kept.display()
            ));
        }
    }
    Ok(())
}

/// Whether a bad line is the work of a crash: the last thing written, or a block that never arrived.
fn is_torn(block: &Block, bad: &BadLine) -> bool {
    let text = block.text(bad.start, bad.end);
    // A crash tears one line off; it does not glue the last two together by their newline.
    let is_glued = bad
        .seed
        .is_some_and(|seed| line::begins_with_whole(text, seed));
    (bad.is_last && !is_glued) || line::has_hole(text)
}
