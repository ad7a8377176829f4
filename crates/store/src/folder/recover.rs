//! Opening a journal: its tail is read, a torn end is cut off and kept, damage is named.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::reader::{Block, ChainEnd, Line, Reader};
use super::{Record, file_in, folder_in, line, sequences};
use crate::disk::{self, Disk, RealDisk};
use crate::file::{self, Links};
use crate::folder::make_missing;
use crate::snapshot::{self, Checksums, Snapshot};
use crate::{Damage, Mismatch, MismatchFinding, OnMismatch, Options, StoreError};

/// A journal as it was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The wanted events, oldest first.
    pub(crate) records: Vec<Record>,
    /// The number and checksum of the last event.
    pub(crate) last: u64,
    pub(crate) crc: u32,
    /// The checksum that the last event continues.
    pub(crate) crc_before: u32,
    /// The last file: its sequence number (0: none), lines and contents.
    pub(crate) sequence: u64,
    pub(crate) lines: u64,
    pub(crate) contents: Vec<u8>,
    /// What the user is to be told.
    pub(crate) notices: Vec<String>,
    /// Where the journal stops making sense, if it does.
    pub(crate) damage: Option<Damage>,
    /// Set if the journal does not belong to the state, and the game may be opened all the same.
    pub(crate) mismatch: Option<Mismatch>,
    /// True if the journal is accepted although it does not reach as far as the state. The state must be saved
    /// again, so that it names the end of this journal.
    pub(crate) state_is_stale: bool,
}

/// Reads the tail of the journal in a session folder, from the newest event of the state on, and mends its end.
pub(crate) fn recover(
    session: &Path,
    state: &Snapshot,
    options: &Options,
) -> Result<Found, StoreError> {
    let journal = folder_in(session);
    prepare(&journal, options.view)?;
    let reader = Reader::new(session);
    let mut notices = Vec::new();
    let mut mismatch = None;
    let mut belongs = false;

    // Of a journal that was cut, what is left is read afresh, and found to be sound.
    loop {
        let mut tail = Tail::read(&reader, state.last, options.tail)?;
        let cut = tail.find_cut(&journal);

        if let Some(cut) = &cut {
            let may_go_on = options.view
                || options.cut_damage
                || options.on_mismatch == OnMismatch::SetJournalAside;
            if !cut.is_torn && !may_go_on {
                return Err(StoreError::Damaged(cut.damage.clone()));
            }
        }

        // Decided before anything is cut off: the lines that are cut off can prove the history.
        if !belongs && mismatch.is_none() {
            match tail.find_mismatch(&reader, state, cut.as_ref())? {
                None => belongs = true,
                Some(found) if options.view => mismatch = Some(found),
                Some(found) if options.on_mismatch == OnMismatch::SetJournalAside => {
                    belongs = true;
                    if !tail.ends_one_before(&found, state) {
                        notices.push(set_journal_aside(&journal)?);
                        continue;
                    }
                }
                // The edit is asked about first.
                Some(found) if !state.is_sealed => mismatch = Some(found),
                Some(found) => return Err(StoreError::Mismatched(Box::new(found))),
            }
        }

        let Some(cut) = cut else {
            return tail.finish(notices, state, mismatch);
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
            return tail.finish(notices, state, mismatch);
        }
        notices.push(cut.mend(&journal, &mut tail)?);
    }
}

/// The end of a journal, as far back as it is wanted.
struct Tail {
    /// The last event that the snapshot holds: it and everything after it are wanted.
    reached: u64,
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
    fn read(reader: &Reader, reached: u64, length: u64) -> Result<Self, StoreError> {
        let mut tail = Self {
            reached,
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
        first.min(self.reached.max(1))
    }

    /// The newest line that holds up to and including that event. A journal that was read back to its beginning
    /// and has no such line begins with an empty chain.
    fn end_until(&self, number: u64) -> ChainEnd {
        for (_, block) in &self.blocks {
            let line = block.good().rev().find(|line| line.n <= number);
            if let Some(Line {
                n, crc: Some(crc), ..
            }) = line
            {
                return ChainEnd { n: *n, crc: *crc };
            }
        }
        ChainEnd::default()
    }

    /// Compares the journal, as it is left after the cut, with the checksums of a state.
    fn find_mismatch(
        &self,
        reader: &Reader,
        state: &Snapshot,
        cut: Option<&Cut>,
    ) -> Result<Option<Mismatch>, StoreError> {
        let Some(finding) = self.compare(reader, state, cut)? else {
            return Ok(None);
        };

        let before = state.path.with_file_name(snapshot::BEFORE);
        let before = if before == state.path {
            None
        } else {
            Snapshot::read(&before).ok()
        };
        let before_belongs = match before {
            Some(before) if before.is_sealed && before.checksums.is_some() => {
                let tail = Self::read(reader, before.last, self.length)?;
                tail.compare(reader, &before, cut)?.is_none()
            }
            _ => false,
        };

        let mut file = self.files.last().copied().unwrap_or(1);
        for (sequence, block) in &self.blocks {
            if block.good().any(|line| line.n == state.last) {
                file = *sequence;
            }
        }
        Ok(Some(Mismatch {
            state: state.path.clone(),
            journal: file_in(&reader.folder(), file),
            reached: state.last,
            finding,
            before_belongs,
        }))
    }

    /// Whether only the newest event of the state is missing, and the rest of the journal is its history.
    fn ends_one_before(&self, mismatch: &Mismatch, state: &Snapshot) -> bool {
        let ends_before = matches!(mismatch.finding, MismatchFinding::EndsBefore(_));
        let end = self.end().unwrap_or_default();
        let checksums = state.checksums;
        ends_before && checksums.is_some_and(|checksums| checksums.before == end.crc)
    }

    /// What the journal has instead of the newest event of the state; none if it has that event.
    fn compare(
        &self,
        reader: &Reader,
        state: &Snapshot,
        cut: Option<&Cut>,
    ) -> Result<Option<MismatchFinding>, StoreError> {
        let end = match cut {
            Some(cut) => self.end_until(cut.damage.last_good),
            None => self.end().unwrap_or_default(),
        };
        let newest = self.end_until(state.last.min(end.n));

        let is_same = match state.checksums {
            Some(checksums) => newest.crc == checksums.end,
            // Older versions saved no checksum. Numbers may be left out where a journal was cut.
            None => end.n >= state.last,
        };
        if is_same {
            return Ok(None);
        }

        if end.n < state.last && cut.is_some() {
            let is_proven = match state.checksums {
                Some(checksums) => has_line_of(reader, checksums)?,
                None => true,
            };
            if is_proven {
                return Ok(None);
            }
        }

        let finding = MismatchFinding::of(newest.n, end.n, state.last);
        Ok(Some(finding))
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

    fn finish(
        self,
        notices: Vec<String>,
        state: &Snapshot,
        mismatch: Option<Mismatch>,
    ) -> Result<Found, StoreError> {
        let mut found = Found {
            sequence: self.files.last().copied().unwrap_or(0),
            notices,
            ..Found::default()
        };
        if let Some((_, newest)) = self.blocks.first() {
            found.lines = newest.good().count() as u64;
            found.contents.clone_from(&newest.bytes);
        }
        if let Some(end) = self.end() {
            found.last = end.n;
            found.crc = end.crc;
            found.crc_before = self.end_until(end.n.saturating_sub(1)).crc;
            let oldest = self.oldest(end);
            let records = self.blocks.iter().rev();
            let records = records.flat_map(|(_, block)| block.records_from(oldest));
            found.records = records.collect::<Result<_, _>>()?;
        }
        let names_this_end = state
            .checksums
            .is_some_and(|checksums| checksums.end == found.crc);
        found.state_is_stale = mismatch.is_none() && found.last < state.last && !names_this_end;
        found.damage = self.damage;
        found.mismatch = mismatch;
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

/// Whether any line of the journal, damaged or not, states one of these checksums. In a journal that is about to be
/// cut before them, this proves that the lines that are left belong to the same history.
fn has_line_of(reader: &Reader, checksums: Checksums) -> Result<bool, StoreError> {
    for sequence in reader.files()?.into_iter().rev() {
        let bytes = reader.bytes(sequence)?;
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let states_one = |line: &[u8]| {
            line::stored_crc(line)
                .is_some_and(|crc| crc == checksums.end || crc == checksums.before)
        };
        if lines.any(states_one) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Moves all files of a journal aside, the newest first, so that a crash in between leaves no gap.
fn set_journal_aside(journal: &Path) -> Result<String, StoreError> {
    for sequence in sequences(journal)?.into_iter().rev() {
        let path = file_in(journal, sequence);
        fs::rename(&path, disk::free_name(&path, "torn"))
            .map_err(|error| StoreError::io("set aside", &path, error))?;
    }
    Ok(format!(
        "The journal did not belong to session.toml. Its files are kept as *.torn in {}, and the log begins with the next event.",
        journal.display()
    ))
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
    // A crash tears one line off; it does not glue the last two together by their newline. A line with its
    // checksum and its newline was written whole, and was changed since.
    let seed = line.crc;
    let is_glued = seed.is_some_and(|seed| line::begins_with_whole(text, seed));
    let whole = text.strip_suffix(b"\n");
    let is_whole = whole.is_some_and(|text| line::stored_crc(text).is_some());
    (is_last && !is_glued && !is_whole) || memmem::find(text, &line::HOLE).is_some()
}
