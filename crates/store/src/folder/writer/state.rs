//! The state of saving. All methods run under one lock, and none of them waits for a sync.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use memchr::memchr;
use serde::Serialize;

use crate::error::{IoContext as _, Result};
use crate::folder::disk::{AppendFile, Disk};
use crate::folder::recover::Recovered;
use crate::folder::writer::failure::{Distrust, Trouble};
use crate::folder::writer::open_file::OpenFile;
use crate::folder::writer::snapshot_plan::SnapshotPlan;
use crate::game_store::Saving;
use crate::journal::line::{self, By, ChainEnd, Record};
use crate::journal::{journal_file, journal_folder};
use crate::snapshot::Checksums;

/// The pause between an event and its sync. It lets screens be drawn and sent first, because a sync also needs the
/// processor.
const SYNC_DELAY: Duration = Duration::from_millis(3);

#[derive(Debug)]
pub(in crate::folder) struct State {
    pub(in crate::folder) folder: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// The number of the last event.
    pub(in crate::folder) last: u64,
    /// The checksum of the last event.
    crc: u32,

    /// The file that events are appended to.
    pub(super) journal: OpenFile,
    /// Files and folders that a power cut could remove, relative to the game's folder.
    pub(super) unsynced: Vec<PathBuf>,
    /// The time at which the oldest unsynced bytes or paths were added.
    since: Option<Instant>,
    pub(in crate::folder) trouble: Option<Trouble>,
    pub(in crate::folder) snapshots: SnapshotPlan,

    pub(in crate::folder) flushes_requested: u64,
    pub(in crate::folder) flushes_done: u64,
    pub(in crate::folder) is_ending: bool,
    pub(in crate::folder) has_ended: bool,
}

impl State {
    /// Opens the last file of a journal, or begins a new one. Takes the contents of the file out of `recovered`.
    pub(in crate::folder) fn open(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        recovered: &mut Recovered,
        snapshot_last: u64,
        snapshot_every: Duration,
    ) -> Result<Self> {
        let end = recovered.end;
        let last = end.n.max(snapshot_last);
        let last_sequence = recovered.last_file.sequence;
        let journal = open_journal(&folder, disk.as_ref(), recovered, snapshot_last)?;
        let is_new_file = journal.sequence != last_sequence;

        let checksums = Checksums {
            end: end.crc,
            before: recovered.previous_crc,
        };
        let snapshots =
            SnapshotPlan::new(last, checksums, snapshot_every, recovered.is_snapshot_stale);

        let mut state = Self {
            folder,
            disk,
            last,
            crc: end.crc,
            journal,
            unsynced: Vec::new(),
            since: None,
            trouble: None,
            snapshots,
            flushes_requested: 0,
            flushes_done: 0,
            is_ending: false,
            has_ended: false,
        };
        if is_new_file {
            state.sync_later("");
            state.sync_later("journal");
        }
        Ok(state)
    }

    /// Returns the path of the open file.
    pub(super) fn path(&self) -> PathBuf {
        file_path(&self.folder, self.journal.sequence)
    }

    /// Gives an event its number, and passes it to the operating system. If this fails, the event waits in memory, and
    /// the saving thread retries.
    pub(in crate::folder) fn append<E: Serialize + ?Sized>(
        &mut self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<u64> {
        let previous = ChainEnd {
            n: self.last,
            crc: self.crc,
        };
        let line = line::encode(previous, at, by, event)?;
        let checksums = Checksums {
            end: line.end.crc,
            before: self.crc,
        };
        self.last = line.end.n;
        self.crc = line.end.crc;
        self.snapshots.note_event(self.last, checksums);

        self.check_file();
        self.journal.waiting.extend_from_slice(&line.bytes);
        self.since.get_or_insert_with(Instant::now);

        if let Err(reason) = self.journal.push() {
            // The saving thread reports the failure.
            Trouble::record(&mut self.trouble, reason);
        }
        Ok(self.last)
    }

    /// Requests a sync of a file or folder of the game.
    pub(in crate::folder) fn sync_later(&mut self, path: &str) {
        self.unsynced.push(PathBuf::from(path));
        self.since.get_or_insert_with(Instant::now);
    }

    /// Checks whether another program changed the file since the last write. If so, the saving thread writes it again.
    pub(in crate::folder) fn check_file(&mut self) {
        let path = self.path();
        if self.journal.distrust.is_none() && !self.journal.is_unchanged(&path) {
            self.journal.distrust = Some(Distrust::Overwritten);
            self.since.get_or_insert_with(Instant::now);
        }
    }

    /// Returns true if the open file has at least `times` the length at which the next file begins.
    pub(in crate::folder) fn is_long(&self, times: u64) -> bool {
        self.journal.is_long(times, self.last)
    }

    /// Begins the next file if the present one is long and completely on the disk. Otherwise a power cut could leave a
    /// hole between the two.
    pub(super) fn begin_next_file(&mut self) -> Result<()> {
        if !self.is_long(1) || !self.is_synced() {
            return Ok(());
        }

        let sequence = self.journal.sequence + 1;
        let path = file_path(&self.folder, sequence);
        let disk = self.disk.as_ref();
        self.journal = OpenFile::open(disk, &path, sequence, self.last, None)?;
        self.sync_later("journal");
        Ok(())
    }

    /// Records that the first `length` waiting bytes are on the disk. The sync started at `began`.
    pub(super) fn mark_synced(&mut self, length: usize, began: Instant) {
        self.journal.mark_synced(length);
        self.note_progress(began);
    }

    /// Replaces the open file by a new one that contains the first `waiting_length` waiting bytes. The sync of the new
    /// file started at `began`.
    pub(super) fn use_new_file(
        &mut self,
        file: Arc<dyn AppendFile>,
        waiting_length: usize,
        began: Instant,
    ) {
        self.journal.replace(file, waiting_length);
        self.sync_later("journal");
        self.note_progress(began);
    }

    /// Records that everything that was added before `began` is on the disk.
    pub(super) fn note_progress(&mut self, began: Instant) {
        self.since = if self.is_synced() { None } else { Some(began) };
    }

    pub(in crate::folder) fn saving(&self) -> Saving {
        let trouble = self.trouble.as_ref().or(self.snapshots.trouble.as_ref());
        if let Some(trouble) = trouble {
            return Saving::Failing {
                at: self.oldest_waiting_record().map(|record| record.at),
                reason: trouble.reason.clone(),
            };
        }
        match self.since {
            Some(since) => Saving::Behind { since },
            None => Saving::Quiet,
        }
    }

    fn oldest_waiting_record(&self) -> Option<Record> {
        let waiting = &self.journal.waiting;
        let end = memchr(b'\n', waiting)?;
        let line = waiting.get(..end)?;
        Record::parse(line)
    }

    /// Returns true if all events are on the disk.
    pub(in crate::folder) fn is_synced(&self) -> bool {
        self.journal.is_synced() && self.unsynced.is_empty()
    }

    /// Returns true if all events up to this number are on the disk.
    pub(super) fn is_synced_through(&self, number: u64) -> bool {
        let oldest_waiting = line::number(&self.journal.waiting);
        let is_waiting = oldest_waiting.is_some_and(|oldest| oldest <= number);
        !is_waiting && self.unsynced.is_empty() && self.journal.distrust.is_none()
    }

    /// Returns true if there are events after the newest snapshot.
    pub(in crate::folder) fn needs_snapshot(&self) -> bool {
        self.snapshots.lacks(self.last)
    }

    /// Returns the time of the next task of the saving thread.
    pub(super) fn next_work(&self, now: Instant) -> Option<Instant> {
        if self.flushes_requested > self.flushes_done || self.is_ending {
            return Some(now);
        }
        match (&self.trouble, self.since) {
            (Some(trouble), Some(_)) => Some(trouble.retry_at),
            (None, Some(since)) => Some(since + SYNC_DELAY),
            (_, None) => self.next_snapshot(),
        }
    }

    /// Returns the time of the next snapshot.
    pub(super) fn next_snapshot(&self) -> Option<Instant> {
        self.snapshots.next(self.last)
    }
}

/// Opens the last file of the journal, or creates the first one.
fn open_journal(
    folder: &Path,
    disk: &dyn Disk,
    recovered: &mut Recovered,
    snapshot_last: u64,
) -> Result<OpenFile> {
    let last_file = std::mem::take(&mut recovered.last_file);
    let last = recovered.end.n.max(snapshot_last);

    // After a cut, numbers continue after the last event of the snapshot, so that no number is used twice. Only the
    // beginning of a file may skip numbers.
    let was_cut = snapshot_last > recovered.end.n && last_file.events > 0;
    if was_cut {
        let path = file_path(folder, last_file.sequence);
        disk.sync(&path).io_context("open", &path)?;
    }

    if was_cut || last_file.sequence == 0 {
        let sequence = last_file.sequence + 1;
        return OpenFile::open(disk, &file_path(folder, sequence), sequence, last, None);
    }

    let last_before = last.saturating_sub(last_file.events);
    OpenFile::open(
        disk,
        &file_path(folder, last_file.sequence),
        last_file.sequence,
        last_before,
        Some(last_file.contents),
    )
}

fn file_path(folder: &Path, sequence: u64) -> PathBuf {
    journal_file(&journal_folder(folder), sequence)
}
