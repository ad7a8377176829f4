//! What is known about the saving of a game at one moment; everything here happens under one lock,
//! and nothing here waits for the disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use memchr::{memchr, memrchr};
use serde::Serialize;

use super::Saving;
use crate::disk::{AppendFile, AppendStamp, Disk, plain_words};
use crate::error::StoreError;
use crate::journal::{self, BYTES_PER_FILE, By, EVENTS_PER_FILE, Found, Record, line};
use crate::snapshot::Checksums;

/// A sync begins this long after its event, so that screens are painted and sent first: a sync would take a
/// processor from them.
const GATHERING: Duration = Duration::from_millis(3);
/// So many bytes at the end of the file are compared with what was written there, before each event.
const COMPARED: usize = 1024;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Why the journal's open file is not appended to any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distrust {
    /// A write or a sync failed, and the next one may succeed without the bytes being on the disk.
    Failed,
    /// Another program wrote to the file or took its name. What is there is kept under another name.
    Overwritten,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) folder: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// The end of the chain.
    pub(crate) last: u64,
    crc: u32,
    /// The checksums at each event since the newest snapshot: a snapshot names those of its last event.
    checksums: BTreeMap<u64, Checksums>,

    /// The file that events are appended to, its sequence number, and the last event before it.
    pub(super) file: Arc<dyn AppendFile>,
    sequence: u64,
    before: u64,
    /// What of the file is known to be on the disk: whole lines. The file is restored from this copy if another
    /// program overwrites it.
    pub(super) synced: Vec<u8>,
    /// How the file was left by the last write; none before the first.
    stamp: Option<AppendStamp>,
    /// Why the file is to be written afresh, from memory.
    pub(super) distrust: Option<Distrust>,

    /// The lines that are not known to be on the disk, and how many of their bytes the system has taken.
    pub(super) waiting: Vec<u8>,
    pub(super) written: usize,
    /// Files and folders that a power cut could take, relative to the session's.
    pub(super) unsynced: Vec<PathBuf>,
    /// Since when something waits.
    pub(super) since: Option<Instant>,
    pub(crate) trouble: Option<Trouble>,

    /// The last event in the newest snapshot, and when the next one is written at the latest.
    pub(super) snapshot_last: u64,
    pub(crate) snapshot_due: Option<Instant>,
    snapshot_every: Duration,
    pub(super) snapshot_trouble: Option<Trouble>,

    /// Flushes asked for, and answered.
    pub(crate) asked: u64,
    pub(crate) answered: u64,
    pub(crate) is_ending: bool,
    pub(crate) has_ended: bool,
}

impl State {
    /// Opens the last file of a journal, or begins one.
    pub(crate) fn open(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        found: &Found,
        snapshot_last: u64,
        snapshot_every: Duration,
    ) -> Result<Self, StoreError> {
        // A journal that was cut goes on after what the snapshot knows, in a new file: no number is given
        // twice.
        let was_cut = snapshot_last > found.last && found.lines > 0;
        let is_new = was_cut || found.sequence == 0;
        let sequence = found.sequence + u64::from(is_new);
        let path = path_of(&folder, sequence);
        let opened = if was_cut {
            let synced = disk.sync(&path_of(&folder, found.sequence));
            synced.and_then(|()| disk.create(&path))
        } else if is_new {
            disk.create(&path)
        } else {
            disk.open(&path)
        };
        let refused = |error| StoreError::io("open", &path, error);
        let file = opened.map_err(refused)?;
        let last = found.last.max(snapshot_last);
        let (lines, synced) = if is_new {
            (0, Vec::new())
        } else {
            (found.lines, found.contents.clone())
        };
        let checksums = Checksums {
            end: found.crc,
            before: found.crc_before,
        };
        let mut state = Self {
            folder,
            disk,
            last,
            crc: found.crc,
            checksums: BTreeMap::from([(last, checksums)]),
            file,
            sequence,
            before: last.saturating_sub(lines),
            synced,
            stamp: None,
            distrust: None,
            waiting: Vec::new(),
            written: 0,
            unsynced: Vec::new(),
            since: None,
            trouble: None,
            // A snapshot that names an event that the journal has lost must be written again.
            snapshot_last: last.saturating_sub(u64::from(found.state_is_stale)),
            snapshot_due: found.state_is_stale.then(Instant::now),
            snapshot_every,
            snapshot_trouble: None,
            asked: 0,
            answered: 0,
            is_ending: false,
            has_ended: false,
        };
        if is_new {
            state.sync_later("");
            state.sync_later("journal");
        }
        Ok(state)
    }

    /// Where the file that events are appended to belongs.
    pub(super) fn path(&self) -> PathBuf {
        path_of(&self.folder, self.sequence)
    }

    /// Gives an event its number and hands it to the system. If the system does not take it, it waits in
    /// memory, and is tried again by itself.
    pub(crate) fn append<E: Serialize + ?Sized>(
        &mut self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<u64, StoreError> {
        let n = self.last.saturating_add(1);
        let (line, crc) = line::write(self.crc, n, at, by, event)?;
        let checksums = Checksums {
            end: crc,
            before: self.crc,
        };
        self.last = n;
        self.crc = crc;
        self.checksums.insert(n, checksums);
        self.check_file();
        self.waiting.extend_from_slice(&line);
        let now = Instant::now();
        self.since.get_or_insert(now);
        self.snapshot_due.get_or_insert(now + self.snapshot_every);
        if let Err(reason) = self.push() {
            // The saving thread tries again soon, and tells of it.
            Trouble::grow(&mut self.trouble, reason);
        }
        Ok(n)
    }

    /// Has a file or folder of the session synced.
    pub(crate) fn sync_later(&mut self, path: &str) {
        self.unsynced.push(PathBuf::from(path));
        self.since.get_or_insert_with(Instant::now);
    }

    /// The checksums at an event that is not older than the newest snapshot.
    pub(super) fn checksums_at(&self, number: u64) -> Option<Checksums> {
        self.checksums.get(&number).copied()
    }

    /// A snapshot that reaches this event was written.
    pub(super) fn note_snapshot(&mut self, last: u64) {
        self.snapshot_last = last;
        self.snapshot_trouble = None;
        self.checksums = self.checksums.split_off(&last);
    }

    /// Looks whether the file is as the last write left it. If it is not, it is written afresh from memory, and what
    /// another program made of it is kept.
    pub(crate) fn check_file(&mut self) {
        if self.distrust.is_some() || self.is_as_left() {
            return;
        }
        self.distrust = Some(Distrust::Overwritten);
        self.since.get_or_insert_with(Instant::now);
    }

    fn is_as_left(&mut self) -> bool {
        let written = self.waiting.get(..self.written).unwrap_or_default();
        let length = self.synced.len() + written.len();
        let Ok(stamp) = self.file.stamp() else {
            return false;
        };
        if stamp.length != length as u64 || !self.file.is_at(&self.path()) {
            return false;
        }

        // Only after somebody else wrote to the file is all of it read.
        let compared = if self.stamp == Some(stamp) {
            length.min(COMPARED)
        } else {
            length
        };
        let from = length - compared;
        let Ok(found) = self.file.read_back(from as u64, compared) else {
            return false;
        };
        let expected = self.synced.iter().chain(written).skip(from);
        if !expected.eq(&found) {
            return false;
        }
        self.stamp = Some(stamp);
        true
    }

    /// Hands everything that waits to the system, in order. What it takes of a line stays in the file: the
    /// rest must follow it, whenever there is room.
    pub(super) fn push(&mut self) -> Result<(), String> {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        while let Some(rest @ [_, ..]) = self.waiting.get(self.written..) {
            let error = match self.file.write(rest) {
                Ok(0) => StorageFull.into(),
                Ok(count) => {
                    self.written += count;
                    self.stamp = self.file.stamp().ok();
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            // A full disk takes nothing, but what it took before stays good.
            let is_full = matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge);
            if !is_full {
                self.distrust.get_or_insert(Distrust::Failed);
            }
            return Err(failed("write the journal", &error));
        }
        Ok(())
    }

    /// Whether the open file has so many times the length at which the next one should be begun.
    pub(crate) fn is_long(&self, times: u64) -> bool {
        self.last - self.before >= EVENTS_PER_FILE * times
            || (self.synced.len() + self.waiting.len()) as u64 >= BYTES_PER_FILE * times
    }

    /// Begins the next file if the open one is long and on the disk with all that it holds; else a power cut
    /// could leave a hole between the two. While the disk is slow the old one grows on.
    pub(super) fn turn_over(&mut self) -> io::Result<()> {
        if !(self.is_long(1) && self.is_synced()) {
            return Ok(());
        }
        let file = self
            .disk
            .create(&path_of(&self.folder, self.sequence + 1))?;
        self.sequence += 1;
        (self.file, self.before) = (file, self.last);
        self.synced.clear();
        self.stamp = None;
        self.sync_later("journal");
        Ok(())
    }

    /// The length of the lines that the system has taken whole and that are not known to be on the disk.
    pub(super) fn taken(&self) -> usize {
        let written = self.waiting.get(..self.written).unwrap_or_default();
        memrchr(b'\n', written).map_or(0, |end| end + 1)
    }

    /// So many bytes of the waiting lines are on the disk, by a sync that began then.
    pub(super) fn forget(&mut self, length: usize, began: Instant) {
        self.synced.extend(self.waiting.drain(..length));
        self.written = self.written.saturating_sub(length);
        self.note_progress(began);
    }

    /// Another file, with so many bytes of the waiting lines, has taken the place of the open one. What came
    /// meanwhile went into the old file, which does not count any more.
    pub(super) fn replace(&mut self, file: Arc<dyn AppendFile>, length: usize, began: Instant) {
        self.file = file;
        self.distrust = None;
        self.stamp = None;
        self.sync_later("journal");
        self.forget(length, began);
        self.written = 0;
    }

    /// What still waits came after that.
    pub(super) fn note_progress(&mut self, began: Instant) {
        self.since = (!self.is_synced()).then_some(began);
    }

    pub(crate) fn saving(&self) -> Saving {
        if let Some(trouble) = self.trouble.as_ref().or(self.snapshot_trouble.as_ref()) {
            let oldest = memchr(b'\n', &self.waiting).and_then(|end| self.waiting.get(..end));
            return Saving::Failing {
                at: oldest.and_then(Record::parse).map(|oldest| oldest.at),
                reason: trouble.reason.clone(),
            };
        }
        self.since
            .map_or(Saving::Quiet, |since| Saving::Behind { since })
    }

    /// The events are as safe as they can be.
    pub(crate) fn is_synced(&self) -> bool {
        self.waiting.is_empty() && self.unsynced.is_empty() && self.distrust.is_none()
    }

    /// The events up to this one are.
    pub(super) fn is_synced_through(&self, n: u64) -> bool {
        let waits = line::number(&self.waiting).is_some_and(|oldest| oldest <= n);
        self.unsynced.is_empty() && !waits && self.distrust.is_none()
    }

    /// Whether the newest snapshot lacks something.
    pub(crate) fn needs_snapshot(&self) -> bool {
        self.last > self.snapshot_last
    }

    /// When there is something to do next.
    pub(super) fn next_work(&self, now: Instant) -> Option<Instant> {
        if self.asked > self.answered || self.is_ending {
            return Some(now);
        }
        match (&self.trouble, self.since) {
            (Some(trouble), Some(_)) => Some(trouble.again),
            (None, Some(since)) => Some(since + GATHERING),
            (_, None) => self.next_snapshot(),
        }
    }

    /// When a snapshot is to be written.
    pub(super) fn next_snapshot(&self) -> Option<Instant> {
        let due = self.snapshot_due.filter(|_| self.needs_snapshot())?;
        let again = self.snapshot_trouble.as_ref().map(|trouble| trouble.again);
        Some(again.map_or(due, |again| due.max(again)))
    }
}

fn path_of(folder: &Path, sequence: u64) -> PathBuf {
    journal::file_in(&journal::folder_in(folder), sequence)
}

/// Something that failed and is tried again.
#[derive(Debug)]
pub(crate) struct Trouble {
    reason: String,
    again: Instant,
    pause: Duration,
}

impl Trouble {
    /// The same trouble again, after a longer pause, or a new one.
    pub(super) fn grow(place: &mut Option<Self>, reason: String) {
        let pause = place
            .as_ref()
            .map_or(FIRST_PAUSE, |before| LONGEST_PAUSE.min(before.pause * 2));
        *place = Some(Self {
            reason,
            again: Instant::now() + pause,
            pause,
        });
    }
}

/// What failed, in words.
pub(super) fn failed(doing: &str, error: &io::Error) -> String {
    format!("cannot {doing}: {}", plain_words(error))
}
