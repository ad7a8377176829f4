//! Opening a journal: its tail is read, a torn end is cut off and kept, damage is named.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::read::{Block, ChainEnd, Line, Reader};
use super::{Record, file_in, folder_in, line};
use crate::file::{self, Links};
use crate::store::disk::{self, Disk, RealDisk};
use crate::store::folder::make_missing;
use crate::store::{Damage, Options, StoreError};

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

/// Reads the tail of the journal in a session folder, all events after that one included, and mends its end.
pub(in crate::store) fn recover(
    session: &Path,
    after: u64,
    options: &Options,
) -> Result<Found, StoreError> {
    let journal = folder_in(session);
    prepare(&journal, options.view)?;
    let mut notices = Vec::new();
    // Of a journal that was cut, what is left is read afresh, and found to be sound.
    loop {
        let mut tail = Tail::read(&Reader::new(session), after, options.tail)?;
        let Some(cut) = tail.find_cut(&journal) else {
            return tail.finish(notices);
        };
        if options.view {
            // Looking shows the game up to the damage, and nothing that came after it.
            tail.blocks
                .retain(|(sequence, _)| *sequence <= cut.sequence);
            if let (Some(line), Some((_, block))) = (&cut.line, tail.blocks.first_mut()) {
                let length = block.cut(line).len();
                if cut.is_torn {
                    notices.push(format!(
                        "The last {length} bytes of {} are not a whole event and are not shown.",
                        block.path.display()
                    ));
                }
            }
            tail.damage = Some(cut.damage).filter(|_| !cut.is_torn);
            return tail.finish(notices);
        }
        if !cut.is_torn && !options.cut_damage {
            return Err(StoreError::Damaged(cut.damage));
        }
        notices.push(cut.mend(&journal, &mut tail)?);
    }
}

/// The end of a journal, as far back as it is wanted.
struct Tail {
    /// The last event that the snapshot holds: everything after it is wanted.
    after: u64,
    /// How many of the last events are wanted in any case.
    length: u64,
    files: Vec<u64>,
    /// What was read, newest first, with the numbers of the files.
    blocks: Vec<(u64, Block)>,
    /// The file after which others are missing, among those that are wanted.
    gap: Option<u64>,
    damage: Option<Damage>,
}

/// Where a journal is to be cut.
struct Cut {
    /// The last file that is left.
    sequence: u64,
    /// The first line that goes; none where only the files after that one do.
    line: Option<Line>,
    damage: Damage,
    /// Whether it is the work of a crash, and no damage.
    is_torn: bool,
}

impl Tail {
    /// Reads files, newest first, until they reach back far enough.
    fn read(reader: &Reader, after: u64, length: u64) -> Result<Self, StoreError> {
        let mut tail = Self {
            after,
            length,
            files: reader.files()?,
            blocks: Vec::new(),
            gap: None,
            damage: None,
        };
        for (at, &sequence) in tail.files.iter().enumerate().rev() {
            let before = at.checked_sub(1).map_or(0, |before| tail.files[before]);
            if before + 1 == sequence {
                tail.blocks.push((sequence, reader.load(sequence)?));
            } else {
                // What comes after the gap cannot be checked.
                tail.blocks.clear();
                tail.gap = Some(before);
            }
            if tail.reaches_back() {
                break;
            }
        }
        Ok(tail)
    }

    fn reaches_back(&self) -> bool {
        let Some((_, oldest)) = self.blocks.last() else {
            return false;
        };
        // A first line may fail because the line that it continues is the damaged one.
        let begins_well = oldest.bad().next().is_none_or(|(line, _)| line.start > 0);
        let reached = self.end().is_some_and(|end| {
            let first = oldest.good().next();
            first.is_some_and(|first| first.n <= self.oldest(end))
        });
        begins_well && reached
    }

    /// The last whole line.
    fn end(&self) -> Option<ChainEnd> {
        self.blocks.iter().find_map(|(_, block)| block.end())
    }

    /// The oldest event that is wanted.
    fn oldest(&self, end: ChainEnd) -> u64 {
        let first = end.n.saturating_sub(self.length).saturating_add(1);
        first.min(self.after.saturating_add(1))
    }

    /// The first place where it does not hold.
    fn find_cut(&self, journal: &Path) -> Option<Cut> {
        let mut blocks = self.blocks.iter().enumerate().rev();
        let bad = blocks.find_map(|(index, (sequence, block))| {
            let (line, damage) = block.bad().next()?;
            let mut newer = self.blocks.iter().take(index);
            let is_end = newer.all(|(_, block)| block.end().is_none()) && self.gap.is_none();
            Some(Cut {
                sequence: *sequence,
                is_torn: is_end && is_torn(block, &line),
                line: Some(line),
                damage,
            })
        });
        bad.or_else(|| {
            let before = self.gap?;
            Some(Cut {
                sequence: before,
                line: None,
                damage: Damage {
                    file: file_in(journal, before + 1),
                    line: 0,
                    what: "the file is missing".to_owned(),
                    last_good: self.end().map_or(0, |end| end.n),
                },
                is_torn: false,
            })
        })
    }

    fn finish(self, notices: Vec<String>) -> Result<Found, StoreError> {
        let mut found = Found {
            sequence: self.files.last().copied().unwrap_or(0),
            notices,
            ..Found::default()
        };
        if let Some((_, newest)) = self.blocks.first() {
            found.lines = newest.good().count() as u64;
            found.bytes = newest.bytes.len() as u64;
        }
        if let Some(end) = self.end() {
            (found.last, found.crc) = (end.n, end.crc);
            let oldest = self.oldest(end);
            let records = self.blocks.iter().rev();
            let records = records.flat_map(|(_, block)| block.records_from(oldest));
            found.records = records.collect::<Result<_, _>>()?;
        }
        found.damage = self.damage;
        Ok(found)
    }
}

impl Cut {
    /// Cuts the journal here, all that goes kept beside it, and says so.
    fn mend(self, journal: &Path, tail: &mut Tail) -> Result<String, StoreError> {
        let refused = |path: &Path, error| StoreError::io("mend", path, error);
        let path = file_in(journal, self.sequence);
        let mut blocks = tail.blocks.iter_mut();
        let block = blocks.find(|(sequence, _)| *sequence == self.sequence);
        let mut told = String::new();
        if let (Some(line), Some((_, block))) = (&self.line, block) {
            let whole = block.good().filter(|one| one.start > line.start).count();
            let torn = block.cut(line);
            let kept = cut_file(journal, &path, line.start as u64, &torn);
            let kept = kept.map_err(|error| refused(&path, error))?;
            let (kept, length) = (kept.display(), torn.len());
            if self.is_torn {
                let also = match whole {
                    0 => String::new(),
                    1 => " (with one event that followed a gap)".to_owned(),
                    more => format!(" (with {more} events that followed a gap)"),
                };
                let last = self.damage.last_good;
                return Ok(format!(
                    "The journal's end was torn, as by a crash: its last {length} bytes{also} were cut off and are kept in {kept}. The game goes on after event {last}."
                ));
            }
            told = format!("{kept} and in ");
        }
        // The newest first: a crash in between leaves no gap.
        let later = tail.files.iter().rev();
        for &sequence in later.filter(|&&sequence| sequence > self.sequence) {
            let path = file_in(journal, sequence);
            fs::rename(&path, disk::free_name(&path, "torn"))
                .map_err(|error| refused(&path, error))?;
        }
        Ok(format!(
            "The journal was damaged ({}). The game goes on after that event; what the journal held after it is kept in {told}any later *.torn in {}.",
            self.damage,
            journal.display()
        ))
    }
}

/// Cuts a file at a length, its rest kept beside it first.
fn cut_file(journal: &Path, path: &Path, length: u64, rest: &[u8]) -> io::Result<PathBuf> {
    let kept = disk::set_aside(path, rest)?;
    // The evidence must be safe before what it was cut from changes.
    RealDisk.sync(journal)?;
    let file = file::open(path, OpenOptions::new().write(true), Links::Refuse)?;
    file.set_len(length)?;
    file.sync_all()?;
    Ok(kept)
}

/// Makes the journal's folder where it is missing, and refuses one that leads elsewhere.
fn prepare(journal: &Path, view: bool) -> Result<(), StoreError> {
    if fs::symlink_metadata(journal).is_ok_and(|found| found.is_symlink()) {
        return Err(StoreError::Symlink(journal.to_path_buf()));
    }
    if !view {
        make_missing(journal).map_err(|error| StoreError::io("make", journal, error))?;
    }
    Ok(())
}

/// Whether a bad line is the work of a crash: the last thing written, or zeros where a part of the file never reached the disk.
fn is_torn(block: &Block, line: &Line) -> bool {
    let text = block.text(line);
    let is_last = line.start + text.len() == block.bytes.len();
    // A crash tears one line off; it does not glue the last two together by their newline.
    let seed = line.crc;
    let is_glued = seed.is_some_and(|seed| line::begins_with_whole(text, seed));
    (is_last && !is_glued) || memmem::find(text, &line::HOLE).is_some()
}
