//! Opening a journal: its tail is read, a torn end is cut off and kept, damage is named.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::read::{Block, Line, Reader, Seed};
use super::{Record, file_in, folder_in, line, sequences};
use crate::file::{self, Links};
use crate::store::disk::{self, Disk, RealDisk};
use crate::store::error::{Damage, StoreError};
use crate::store::folder::{entries, make_private};

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
        let mut recovery = Recovery {
            session,
            journal: &journal,
            wanted,
            reader: Reader::new(session),
            files: sequences(&journal)?,
            blocks: Vec::new(),
            found: Found::default(),
        };
        // Of a journal that was cut, what is left is sound: it is read afresh, and found to be so.
        match recovery.read_tail()? {
            Some(notice) => notices.push(notice),
            None => {
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
    found: Found,
}

impl Recovery<'_> {
    /// Reads files, newest first, until they reach back far enough. Returns what is to be told where the
    /// journal was cut at a damaged place.
    fn read_tail(&mut self) -> Result<Option<String>, StoreError> {
        for sequence in self.files.clone().into_iter().rev() {
            let bytes = self.reader.bytes(sequence)?;
            let seed = match self.reader.seed(sequence) {
                Err(StoreError::Damaged(damage)) if self.wanted.view => {
                    self.found.damage = Some(damage);
                    None
                }
                Err(StoreError::Damaged(damage)) if self.wanted.cut_damage => {
                    return self.cut_at_gap(sequence, &damage).map(Some);
                }
                seed => seed?,
            };
            let mut block = Block::scan(file_in(self.journal, sequence), bytes, seed);
            let bad = block.bad().next();
            if let Some((line, damage)) = bad {
                let cut = self.judge(sequence, &mut block, line, damage)?;
                if cut.is_some() {
                    return Ok(cut);
                }
            }
            self.blocks.push(block);
            if self.reaches_back() {
                break;
            }
        }
        Ok(None)
    }

    /// Tells a torn end, which is cut off, from damage, which is not without leave. Returns what is to be
    /// told where the journal was cut at a damaged place.
    fn judge(
        &mut self,
        sequence: u64,
        block: &mut Block,
        line: Line,
        damage: Damage,
    ) -> Result<Option<String>, StoreError> {
        // A first line may fail because the line that it continues is the damaged one.
        let before = if damage.line == 1 && self.files.contains(&(sequence - 1)) {
            let earlier = self.reader.load(sequence - 1)?;
            let bad = earlier.bad().next();
            bad.map(|(line, damage)| (earlier, line, damage))
        } else {
            None
        };
        let is_end = self.blocks.iter().all(|block| block.end().is_none());
        if before.is_none() && is_end && is_torn(block, &line) {
            let notice = self.cut_torn(block, &line, damage.last_good)?;
            self.found.notices.push(notice);
            return Ok(None);
        }
        if self.wanted.view {
            // Looking shows the game up to the damage, and nothing that came after it.
            block.cut(&line);
            self.blocks.clear();
            self.found.damage = Some(before.map_or(damage, |(_, _, damage)| damage));
            return Ok(None);
        }
        let (culprit, kept, damage) = match before {
            _ if !self.wanted.cut_damage => {
                let damage = before.map_or(damage, |(_, _, damage)| damage);
                return Err(StoreError::Damaged(damage));
            }
            Some((mut earlier, line, damage)) => {
                (sequence - 1, self.cut_file(&mut earlier, &line)?, damage)
            }
            None => (sequence, self.cut_file(block, &line)?, damage),
        };
        self.set_later_aside(culprit)?;
        Ok(Some(format!(
            "The journal was damaged ({damage}). The game goes on after that event; what the journal held after it is kept in {} and in any later *.torn beside it.",
            kept.display()
        )))
    }

    /// Cuts the journal where a whole file is missing.
    fn cut_at_gap(&self, sequence: u64, damage: &Damage) -> Result<String, StoreError> {
        let mut before = (1..sequence).rev();
        let missing = before.find(|before| !self.files.contains(before));
        self.set_later_aside(missing.unwrap_or(0))?;
        Ok(format!(
            "The journal was damaged ({damage}). The game goes on after that event; the later files are kept as *.torn in {}.",
            self.journal.display()
        ))
    }

    fn cut_torn(&self, block: &mut Block, line: &Line, last: u64) -> Result<String, StoreError> {
        let (length, whole_after) = block.from(line);
        if self.wanted.view {
            block.cut(line);
            return Ok(format!(
                "The last {length} bytes of {} are not a whole event and are not shown.",
                block.path().display()
            ));
        }
        let kept = self.cut_file(block, line)?;
        let also = match whole_after {
            0 => String::new(),
            1 => " (with one event that followed a gap)".to_owned(),
            more => format!(" (with {more} events that followed a gap)"),
        };
        Ok(format!(
            "The journal's end was torn, as by a crash: its last {length} bytes{also} were cut off and are kept in {}. The game goes on after event {last}.",
            kept.display()
        ))
    }

    /// Cuts a file at a line, its rest kept beside it first.
    fn cut_file(&self, block: &mut Block, line: &Line) -> Result<PathBuf, StoreError> {
        let path = block.path().to_path_buf();
        let mut cut = || {
            let kept = disk::set_aside(&path, &block.cut(line))?;
            // The evidence must be safe before what it was cut from changes.
            RealDisk.sync(self.journal)?;
            let file = file::open(&path, OpenOptions::new().write(true), Links::Refuse)?;
            file.set_len(line.start as u64)?;
            file.sync_all()?;
            Ok(kept)
        };
        cut().map_err(|error| StoreError::writing("mend", self.session, &path, error))
    }

    /// Moves every file after the damaged one out of the journal.
    fn set_later_aside(&self, culprit: u64) -> Result<(), StoreError> {
        // The newest first: a crash in between leaves no gap.
        let files = self.files.iter().rev();
        for &sequence in files.filter(|&&sequence| sequence > culprit) {
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

    fn finish(mut self) -> Result<Found, StoreError> {
        let mut found = std::mem::take(&mut self.found);
        found.sequence = self.files.last().copied().unwrap_or(0);
        if let Some(newest) = self.blocks.first() {
            (found.lines, found.bytes) = newest.size();
        }
        if let Some(end) = self.blocks.iter().find_map(Block::end) {
            (found.last, found.crc) = (end.n, end.crc);
            let oldest = self.oldest(end);
            let records = self.blocks.iter().rev();
            let records = records.flat_map(|block| block.records_from(oldest));
            found.records = records.collect::<Result<_, _>>()?;
        }
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
    for entry in entries(journal)? {
        let path = entry.path();
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
fn is_torn(block: &Block, line: &Line) -> bool {
    let text = block.text(line);
    let (length, _) = block.from(line);
    // A crash tears one line off; it does not glue the last two together by their newline.
    let is_glued = line
        .crc
        .is_some_and(|seed| line::begins_with_whole(text, seed));
    (text.len() == length && !is_glued) || line::has_hole(text)
}
