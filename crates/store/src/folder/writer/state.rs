//! The state of saving. All methods run under one lock, and none of them waits for the disk.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use memchr::{memchr, memrchr};
use serde::Serialize;

use crate::error::{IoContext as _, Result};
use crate::folder::disk::{AppendFile, AppendStamp, Disk};
use crate::folder::recover::Recovered;
use crate::folder::writer::failure::{Distrust, Trouble, describe_failure};
use crate::game_store::Saving;
use crate::journal::line::{self, By, ChainEnd, Record};
use crate::journal::{BYTES_PER_FILE, EVENTS_PER_FILE, journal_file, journal_folder};
use crate::snapshot::Checksums;

/// How long after an event its sync begins. Screens are drawn and sent first, because a sync needs the processor.
const SYNC_DELAY: Duration = Duration::from_millis(3);

/// The number of bytes at the end of the file that are compared with memory before each event.
const COMPARED_LENGTH: usize = 1024;

#[derive(Debug)]
pub(in crate::folder) struct State {
    pub(in crate::folder) folder: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// The number of the last event.
    pub(in crate::folder) last: u64,
    /// The checksum of the last event.
    crc: u32,
    /// The checksums at each event since the newest snapshot. A snapshot contains those of its last event.
    checksums: BTreeMap<u64, Checksums>,

    /// The file that events are appended to.
    pub(super) file: Arc<dyn AppendFile>,
    /// The sequence number of the file.
    sequence: u64,
    /// The last event before the file.
    last_before_file: u64,
    /// The lines of the file that are on the disk. If another program overwrites the file, it is restored from this copy.
    pub(super) synced: Vec<u8>,
    /// The stamp of the file after the last write. `None` before the first write.
    stamp: Option<AppendStamp>,
    /// Why the file has to be written again, from memory.
    pub(super) distrust: Option<Distrust>,

    /// The lines that may not be on the disk yet.
    pub(super) waiting: Vec<u8>,
    /// How many bytes of `waiting` the operating system has accepted.
    pub(super) written: usize,
    /// Files and folders that a power cut could remove, relative to the game's folder.
    pub(super) unsynced: Vec<PathBuf>,
    /// When the oldest unsynced bytes or paths were added.
    since: Option<Instant>,
    pub(in crate::folder) trouble: Option<Trouble>,

    /// The last event in the newest snapshot.
    snapshot_last: u64,
    /// When the next snapshot has to be written.
    pub(in crate::folder) snapshot_due: Option<Instant>,
    snapshot_every: Duration,
    pub(super) snapshot_trouble: Option<Trouble>,

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
        let last_file = std::mem::take(&mut recovered.last_file);
        let end = recovered.end;

        // After a cut, numbers continue after the last event of the snapshot, so that no number is used twice. Only the
        // beginning of a file may skip numbers.
        let was_cut = snapshot_last > end.n && last_file.events > 0;
        let is_new_file = was_cut || last_file.sequence == 0;
        if was_cut {
            let path = file_path(&folder, last_file.sequence);
            disk.sync(&path).io_context("open", &path)?;
        }

        let sequence = if is_new_file {
            last_file.sequence + 1
        } else {
            last_file.sequence
        };
        let path = file_path(&folder, sequence);
        let file = open_file(disk.as_ref(), &path, is_new_file)?;

        let last = end.n.max(snapshot_last);
        let checksums = Checksums {
            end: end.crc,
            before: recovered.previous_crc,
        };
        let (events_in_file, synced) = if is_new_file {
            (0, Vec::new())
        } else {
            (last_file.events, last_file.contents)
        };
        // A stale snapshot counts as one event behind, and is written at once.
        let (snapshot_last, snapshot_due) = if recovered.is_snapshot_stale {
            (last.saturating_sub(1), Some(Instant::now()))
        } else {
            (last, None)
        };

        let mut state = Self {
            folder,
            disk,
            last,
            crc: end.crc,
            checksums: BTreeMap::from([(last, checksums)]),
            file,
            sequence,
            last_before_file: last.saturating_sub(events_in_file),
            synced,
            stamp: None,
            distrust: None,
            waiting: Vec::new(),
            written: 0,
            unsynced: Vec::new(),
            since: None,
            trouble: None,
            snapshot_last,
            snapshot_due,
            snapshot_every,
            snapshot_trouble: None,
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
        file_path(&self.folder, self.sequence)
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
        self.checksums.insert(self.last, checksums);

        self.check_file();
        self.waiting.extend_from_slice(&line.bytes);
        let now = Instant::now();
        self.since.get_or_insert(now);
        self.snapshot_due.get_or_insert(now + self.snapshot_every);

        if let Err(reason) = self.push() {
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

    /// Returns the checksums at an event that is not older than the newest snapshot.
    pub(super) fn checksums_at(&self, number: u64) -> Option<Checksums> {
        self.checksums.get(&number).copied()
    }

    /// Records that a snapshot with all events up to `last` was written.
    pub(super) fn note_snapshot(&mut self, last: u64) {
        self.snapshot_last = last;
        self.snapshot_trouble = None;
        self.checksums = self.checksums.split_off(&last);
    }

    /// Checks whether another program changed the file since the last write. If so, the saving thread writes it again.
    pub(in crate::folder) fn check_file(&mut self) {
        if self.distrust.is_none() && !self.is_unchanged() {
            self.distrust = Some(Distrust::Overwritten);
            self.since.get_or_insert_with(Instant::now);
        }
    }

    fn is_unchanged(&mut self) -> bool {
        let written = self.waiting.get(..self.written).unwrap_or_default();
        let length = self.synced.len() + written.len();
        let Ok(stamp) = self.file.stamp() else {
            return false;
        };
        if stamp.length != length as u64 || !self.file.is_at(&self.path()) {
            return false;
        }

        // The whole file is only compared if its stamp changed.
        let compared_length = if self.stamp == Some(stamp) {
            length.min(COMPARED_LENGTH)
        } else {
            length
        };
        let start = length - compared_length;
        let Ok(bytes_in_file) = self.file.read_back(start as u64, compared_length) else {
            return false;
        };
        let expected_bytes = self.synced.iter().chain(written).skip(start);
        if !expected_bytes.eq(&bytes_in_file) {
            return false;
        }

        self.stamp = Some(stamp);
        true
    }

    /// Passes all waiting bytes to the operating system, in order. If it accepts only a part of a line, that part stays
    /// in the file, and the rest follows when there is room.
    pub(super) fn push(&mut self) -> Result<(), String> {
        while let Some(rest @ [_, ..]) = self.waiting.get(self.written..) {
            match self.file.write(rest) {
                Ok(0) => return Err(self.note_failed_write(&ErrorKind::StorageFull.into())),
                Ok(accepted) => {
                    self.written += accepted;
                    self.stamp = self.file.stamp().ok();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.note_failed_write(&error)),
            }
        }
        Ok(())
    }

    /// Decides whether the file can still be used after a failed write, and describes the failure.
    fn note_failed_write(&mut self, error: &io::Error) -> String {
        // A full disk accepts no bytes, but the bytes that it accepted before are safe.
        let is_disk_full = matches!(
            error.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
        );
        if !is_disk_full {
            self.distrust.get_or_insert(Distrust::Failed);
        }
        describe_failure("write the journal", error)
    }

    /// Returns true if the open file has at least `times` the length at which the next file begins.
    pub(in crate::folder) fn is_long(&self, times: u64) -> bool {
        let events = self.last - self.last_before_file;
        let bytes = (self.synced.len() + self.waiting.len()) as u64;
        events >= EVENTS_PER_FILE * times || bytes >= BYTES_PER_FILE * times
    }

    /// Begins the next file if the present one is long and completely on the disk. Otherwise a power cut could leave a
    /// hole between the two.
    pub(super) fn begin_next_file(&mut self) -> io::Result<()> {
        if !self.is_long(1) || !self.is_synced() {
            return Ok(());
        }

        let next = self.sequence + 1;
        self.file = self.disk.create(&file_path(&self.folder, next))?;
        self.sequence = next;
        self.last_before_file = self.last;
        self.synced.clear();
        self.stamp = None;
        self.sync_later("journal");
        Ok(())
    }

    /// Returns the length of the waiting lines that the operating system has accepted completely.
    pub(super) fn complete_length(&self) -> usize {
        let written = self.waiting.get(..self.written).unwrap_or_default();
        match memrchr(b'\n', written) {
            Some(newline) => newline + 1,
            None => 0,
        }
    }

    /// Records that the first `length` waiting bytes are on the disk, after a sync that began at that time.
    pub(super) fn mark_synced(&mut self, length: usize, began: Instant) {
        self.synced.extend(self.waiting.drain(..length));
        self.written = self.written.saturating_sub(length);
        self.note_progress(began);
    }

    /// Replaces the open file by a new one that contains the first `waiting_length` waiting bytes. Later bytes were written
    /// to the old file, and are written again.
    pub(super) fn use_new_file(
        &mut self,
        file: Arc<dyn AppendFile>,
        waiting_length: usize,
        began: Instant,
    ) {
        self.file = file;
        self.distrust = None;
        self.stamp = None;
        self.sync_later("journal");
        self.mark_synced(waiting_length, began);
        self.written = 0;
    }

    /// Records that everything from before this time is on the disk.
    pub(super) fn note_progress(&mut self, began: Instant) {
        self.since = if self.is_synced() { None } else { Some(began) };
    }

    pub(in crate::folder) fn saving(&self) -> Saving {
        if let Some(trouble) = self.trouble.as_ref().or(self.snapshot_trouble.as_ref()) {
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
        let end = memchr(b'\n', &self.waiting)?;
        let line = self.waiting.get(..end)?;
        Record::parse(line)
    }

    /// Returns true if all events are on the disk.
    pub(in crate::folder) fn is_synced(&self) -> bool {
        self.waiting.is_empty() && self.unsynced.is_empty() && self.distrust.is_none()
    }

    /// Returns true if all events up to this number are on the disk.
    pub(super) fn is_synced_through(&self, number: u64) -> bool {
        let is_waiting = line::number(&self.waiting).is_some_and(|oldest| oldest <= number);
        !is_waiting && self.unsynced.is_empty() && self.distrust.is_none()
    }

    /// Returns true if there are events after the newest snapshot.
    pub(in crate::folder) fn needs_snapshot(&self) -> bool {
        self.last > self.snapshot_last
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
        if !self.needs_snapshot() {
            return None;
        }
        let due = self.snapshot_due?;
        match &self.snapshot_trouble {
            Some(trouble) => Some(due.max(trouble.retry_at)),
            None => Some(due),
        }
    }
}

fn open_file(disk: &dyn Disk, path: &Path, is_new: bool) -> Result<Arc<dyn AppendFile>> {
    let opened = if is_new {
        disk.create(path)
    } else {
        disk.open(path)
    };
    opened.io_context("open", path)
}

fn file_path(folder: &Path, sequence: u64) -> PathBuf {
    journal_file(&journal_folder(folder), sequence)
}
