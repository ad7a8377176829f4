//! The end of a journal in memory, and its comparison with a snapshot.

use std::path::Path;

use tableside_text::pluralise;

use crate::error::{Damage, Result};
use crate::folder::recover::cut::{Cut, is_torn_by_crash};
use crate::folder::recover::{LastFile, Recovered};
use crate::folder::snapshot_names::PREVIOUS;
use crate::journal::block::Block;
use crate::journal::journal_file;
use crate::journal::line::{self, ChainEnd};
use crate::journal::reader::Reader;
use crate::mismatch::{Mismatch, MismatchFinding};
use crate::snapshot::{Checksums, Snapshot};

/// The newest files of a journal.
pub(super) struct Tail {
    /// The last event in the snapshot. This event and all later events are read.
    reached: u64,
    /// The minimum number of events to read.
    length: u64,
    /// The sequence numbers of all files.
    pub(super) files: Vec<u64>,
    /// The files that were read, newest first.
    pub(super) blocks: Vec<TailBlock>,
    /// The file before a missing file, if one is missing among the newest files.
    file_before_gap: Option<u64>,
    damage: Option<Damage>,
}

pub(super) struct TailBlock {
    pub(super) sequence: u64,
    pub(super) block: Block,
}

impl Tail {
    /// Reads files, newest first, until the requested events are in memory.
    pub(super) fn read(reader: &Reader, reached: u64, length: u64) -> Result<Self> {
        let files = reader.files()?;
        let mut tail = Self {
            reached,
            length,
            files: files.clone(),
            blocks: Vec::new(),
            file_before_gap: None,
            damage: None,
        };

        for (index, &sequence) in files.iter().enumerate().rev() {
            let previous_file = match index.checked_sub(1) {
                Some(previous) => files[previous],
                None => 0,
            };
            if previous_file + 1 == sequence {
                let block = reader.load(sequence)?;
                tail.blocks.push(TailBlock { sequence, block });
            } else {
                // Files after a gap cannot be checked.
                tail.blocks.clear();
                tail.file_before_gap = Some(previous_file);
            }
            if tail.has_requested_events() {
                break;
            }
        }
        Ok(tail)
    }

    /// Returns true if the files that were read contain all requested events.
    fn has_requested_events(&self) -> bool {
        let Some(oldest) = self.blocks.last() else {
            return false;
        };

        // The first line may look bad only because the line before it is damaged.
        if let Some(bad) = oldest.block.bad_lines().next()
            && bad.line.start == 0
        {
            return false;
        }

        let Some(end) = self.end() else {
            return false;
        };
        let Some(first) = oldest.block.good_lines().next() else {
            return false;
        };
        first.n <= self.oldest_requested(end)
    }

    /// Returns the chain position of the last good line.
    pub(super) fn end(&self) -> Option<ChainEnd> {
        self.blocks.iter().find_map(|tail| tail.block.end())
    }

    /// Returns the number of the oldest requested event.
    fn oldest_requested(&self, end: ChainEnd) -> u64 {
        let first_of_tail = end.n.saturating_sub(self.length).saturating_add(1);
        first_of_tail.min(self.reached.max(1))
    }

    /// Returns the chain position of the newest good event with at most this number. If there is none, returns the
    /// position before the first event.
    fn end_until(&self, number: u64) -> ChainEnd {
        self.blocks
            .iter()
            .flat_map(|tail| tail.block.ends().rev())
            .find(|end| end.n <= number)
            .unwrap_or_default()
    }

    /// Compares the journal, as it will be after the cut, with a snapshot.
    pub(super) fn find_mismatch(
        &self,
        reader: &Reader,
        snapshot: &Snapshot,
        cut: Option<&Cut>,
    ) -> Result<Option<Mismatch>> {
        let Some(finding) = self.compare(reader, snapshot, cut)? else {
            return Ok(None);
        };

        let file = self.file_of(snapshot.last);
        let before_belongs = self.previous_snapshot_belongs(reader, snapshot, cut)?;
        Ok(Some(Mismatch {
            snapshot: snapshot.path.clone(),
            journal: journal_file(reader.path(), file),
            reached: snapshot.last,
            finding,
            before_belongs,
        }))
    }

    /// Returns the newest file that contains the event, or the newest file of all.
    fn file_of(&self, number: u64) -> u64 {
        let mut file = match self.files.last() {
            Some(newest) => *newest,
            None => 1,
        };
        for tail in &self.blocks {
            let mut lines = tail.block.good_lines();
            if lines.any(|line| line.n == number) {
                file = tail.sequence;
            }
        }
        file
    }

    fn previous_snapshot_belongs(
        &self,
        reader: &Reader,
        snapshot: &Snapshot,
        cut: Option<&Cut>,
    ) -> Result<bool> {
        let Some(game) = snapshot.path.parent() else {
            return Ok(false);
        };
        let Ok(previous) = PREVIOUS.read(game) else {
            return Ok(false);
        };
        let is_same_file = previous.path == snapshot.path;
        if is_same_file || !previous.is_sealed || previous.checksums.is_none() {
            return Ok(false);
        }

        let tail = Self::read(reader, previous.last, self.length)?;
        let finding = tail.compare(reader, &previous, cut)?;
        Ok(finding.is_none())
    }

    /// Returns true if the journal lacks only the newest event of the snapshot, and otherwise has the same history.
    pub(super) fn lacks_only_newest_event(&self, mismatch: &Mismatch, snapshot: &Snapshot) -> bool {
        let ends_before = matches!(mismatch.finding, MismatchFinding::EndsBefore(_));
        let end = self.end().unwrap_or_default();
        match snapshot.checksums {
            Some(checksums) => ends_before && checksums.before == end.crc,
            None => false,
        }
    }

    /// Looks for the newest event of a snapshot. Returns `None` if the journal contains it.
    fn compare(
        &self,
        reader: &Reader,
        snapshot: &Snapshot,
        cut: Option<&Cut>,
    ) -> Result<Option<MismatchFinding>> {
        let end = match cut {
            Some(cut) => self.end_until(cut.damage.last_good),
            None => self.end().unwrap_or_default(),
        };
        let newest = self.end_until(snapshot.last.min(end.n));

        let is_same = match snapshot.checksums {
            Some(checksums) => newest.crc == checksums.end,
            // Older versions saved no checksum. A journal that was cut may skip numbers.
            None => end.n >= snapshot.last,
        };
        if is_same {
            return Ok(None);
        }

        // After a cut, the journal may end before the snapshot although both have the same history.
        if end.n < snapshot.last && cut.is_some() {
            let is_same_history = match snapshot.checksums {
                Some(checksums) => states_checksum(reader, checksums)?,
                None => true,
            };
            if is_same_history {
                return Ok(None);
            }
        }

        let finding = MismatchFinding::new(newest.n, end.n, snapshot.last);
        Ok(Some(finding))
    }

    /// Finds the first damage, where the journal has to be cut.
    pub(super) fn find_cut(&self, journal: &Path) -> Option<Cut> {
        for (index, tail) in self.blocks.iter().enumerate().rev() {
            let Some(bad) = tail.block.bad_lines().next() else {
                continue;
            };

            let mut newer_blocks = self.blocks[..index].iter();
            let has_newer_events = newer_blocks.any(|newer| newer.block.end().is_some());
            let is_end = !has_newer_events && self.file_before_gap.is_none();
            return Some(Cut {
                sequence: tail.sequence,
                is_torn: is_end && is_torn_by_crash(&tail.block, &bad.line),
                line: Some(bad.line),
                damage: bad.damage,
            });
        }

        let file_before_gap = self.file_before_gap?;
        let end = self.end().unwrap_or_default();
        Some(Cut {
            sequence: file_before_gap,
            line: None,
            damage: Damage {
                file: journal_file(journal, file_before_gap + 1),
                line: 0,
                what: "the file is missing".to_owned(),
                last_good: end.n,
            },
            is_torn: false,
        })
    }

    /// Removes the damage and everything after it from memory. The files are not changed.
    pub(super) fn hide_from(&mut self, cut: Cut, notices: &mut Vec<String>) {
        self.blocks.retain(|tail| tail.sequence <= cut.sequence);
        if let Some(line) = &cut.line
            && let Some(newest) = self.blocks.first_mut()
        {
            let length = newest.block.cut(line).len();
            if cut.is_torn {
                notices.push(format!(
                    "The end of {} is incomplete, as after a crash. This view leaves out its last {}.",
                    newest.block.path.display(),
                    pluralise(length, "byte")
                ));
            }
        }

        if !cut.is_torn {
            self.damage = Some(cut.damage);
        }
    }

    pub(super) fn finish(
        self,
        notices: Vec<String>,
        snapshot: &Snapshot,
        mismatch: Option<Mismatch>,
    ) -> Result<Recovered> {
        let mut recovered = Recovered {
            notices,
            ..Recovered::default()
        };

        if let Some(end) = self.end() {
            recovered.end = end;
            let previous = self.end_until(end.n.saturating_sub(1));
            recovered.previous_crc = previous.crc;
            let oldest = self.oldest_requested(end);
            for tail in self.blocks.iter().rev() {
                for record in tail.block.records_from(oldest) {
                    recovered.records.push(record?);
                }
            }
        }

        let names_end = snapshot
            .checksums
            .is_some_and(|checksums| checksums.end == recovered.end.crc);
        let ends_before = recovered.end.n < snapshot.last;
        recovered.is_snapshot_stale = mismatch.is_none() && ends_before && !names_end;

        recovered.last_file = LastFile {
            sequence: self.files.last().copied().unwrap_or(0),
            ..LastFile::default()
        };
        if let Some(newest) = self.blocks.into_iter().next() {
            let event_count = newest.block.good_lines().count();
            recovered.last_file.events = event_count as u64;
            recovered.last_file.contents = newest.block.into_bytes();
        }

        recovered.damage = self.damage;
        recovered.mismatch = mismatch;
        Ok(recovered)
    }
}

/// Returns true if any line of the journal, even a damaged one, contains one of the checksums. This proves that the
/// journal belongs to the same history, although it is about to be cut before that line.
fn states_checksum(reader: &Reader, checksums: Checksums) -> Result<bool> {
    let newest_first = reader.files()?.into_iter().rev();
    for sequence in newest_first {
        let bytes = reader.bytes(sequence)?;
        for line in bytes.split(|byte| *byte == b'\n') {
            if let Some(crc) = line::stored_crc(line)
                && (crc == checksums.end || crc == checksums.before)
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
