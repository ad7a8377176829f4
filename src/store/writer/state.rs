//! What is known about the saving of a game at one moment; everything here happens under one lock,
//! and nothing here waits for the disk.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{Report, Saving};
use crate::store::disk::{AppendFile, Disk, plain_words};
use crate::store::error::StoreError;
use crate::store::journal::{self, BYTES_PER_FILE, By, EVENTS_PER_FILE, Found, line};

/// A sync begins this long after its event, so that what is shown goes first: a sync would take a processor
/// from whoever paints and sends it.
const GATHERING: Duration = Duration::from_millis(3);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A line that is not known to be on the disk yet.
#[derive(Debug)]
pub(super) struct Line {
    n: u64,
    at: DateTime<Utc>,
    pub(super) since: Instant,
    bytes: Vec<u8>,
}

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "of the file, of the snapshot and of the thread, which are true in any choice"
)]
pub(in crate::store) struct State {
    pub(in crate::store) folder: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// The end of the chain.
    pub(in crate::store) last: u64,
    crc: u32,

    /// The file that events are appended to, its sequence number, and its size in whole lines.
    pub(super) file: Arc<dyn AppendFile>,
    sequence: u64,
    lines: u64,
    bytes: u64,
    /// Nothing that this file says about syncing is believed any more: it is to be written afresh.
    pub(super) is_untrusted: bool,

    /// Not known to be on the disk, oldest first.
    pub(super) queue: VecDeque<Line>,
    /// How many of them the system has taken, and how many bytes of the next.
    pub(super) written: usize,
    partly: usize,
    /// Files and folders that a power cut could take, relative to the session's, and since when.
    pub(super) unsynced: Vec<PathBuf>,
    pub(super) unsynced_since: Option<Instant>,
    pub(in crate::store) trouble: Option<Trouble>,

    /// The last event in the newest snapshot, and when the next one is written at the latest.
    pub(super) snapshot_last: u64,
    pub(in crate::store) snapshot_due: Option<Instant>,
    snapshot_every: Duration,
    pub(super) snapshot_trouble: Option<Trouble>,
    /// The snapshot was edited by somebody else and must not be replaced yet.
    pub(in crate::store) is_held: bool,

    /// Flushes asked for, and answered.
    pub(in crate::store) asked: u64,
    pub(in crate::store) answered: u64,
    pub(in crate::store) is_ending: bool,
    pub(in crate::store) has_ended: bool,
}

impl State {
    /// Opens the last file of a journal, or begins one.
    pub(in crate::store) fn open(
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
        let refused = |error| StoreError::writing("open", &folder, &path, error);
        let file = opened.map_err(refused)?;
        let last = found.last.max(snapshot_last);
        let mut state = Self {
            folder,
            disk,
            last,
            crc: found.crc,
            file,
            sequence,
            lines: if is_new { 0 } else { found.lines },
            bytes: if is_new { 0 } else { found.bytes },
            is_untrusted: false,
            queue: VecDeque::new(),
            written: 0,
            partly: 0,
            unsynced: Vec::new(),
            unsynced_since: None,
            trouble: None,
            snapshot_last: last,
            snapshot_due: None,
            snapshot_every,
            snapshot_trouble: None,
            is_held: false,
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
    pub(in crate::store) fn append<E: Serialize + ?Sized>(
        &mut self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<u64, StoreError> {
        let n = self.last.saturating_add(1);
        let (bytes, crc) = line::write(self.crc, n, at, by, event)?;
        self.last = n;
        self.crc = crc;
        let since = Instant::now();
        self.queue.push_back(Line {
            n,
            at,
            since,
            bytes,
        });
        self.snapshot_due.get_or_insert(since + self.snapshot_every);
        if let Err(reason) = self.push() {
            // The saving thread tries again soon, and tells of it.
            Trouble::grow(&mut self.trouble, reason);
        }
        Ok(n)
    }

    /// Has a file or folder of the session synced.
    pub(in crate::store) fn sync_later(&mut self, path: &str) {
        self.unsynced.push(PathBuf::from(path));
        self.unsynced_since.get_or_insert_with(Instant::now);
    }

    /// Hands every waiting line to the system, each with one write, in order.
    pub(super) fn push(&mut self) -> Result<(), String> {
        while let Some(line) = self.queue.get(self.written) {
            let rest = line.bytes.get(self.partly..).unwrap_or_default();
            let error = match self.file.write(rest) {
                Ok(count) if count == rest.len() => {
                    self.bytes += line.bytes.len() as u64;
                    self.lines += 1;
                    self.written += 1;
                    self.partly = 0;
                    continue;
                }
                Ok(0) => io::ErrorKind::StorageFull.into(),
                // Half a line is in the file: the other half must follow it, whenever there is room.
                Ok(count) => {
                    self.partly += count;
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            // A full disk takes nothing, but what it took before stays good.
            self.is_untrusted |= !matches!(
                error.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            );
            return Err(failed("write the journal", &error));
        }
        Ok(())
    }

    /// Whether the open file has so many times the length at which the next one should be begun.
    pub(in crate::store) fn is_long(&self, times: u64) -> bool {
        self.lines >= EVENTS_PER_FILE * times || self.bytes >= BYTES_PER_FILE * times
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
        (self.file, self.lines, self.bytes) = (file, 0, 0);
        self.sync_later("journal");
        Ok(())
    }

    /// The event up to which the system has taken all, if it has any that is not on the disk.
    pub(super) fn written_through(&self) -> Option<u64> {
        let last = self.written.checked_sub(1)?;
        self.queue.get(last).map(|line| line.n)
    }

    /// Lines up to event `n` are on the disk.
    pub(super) fn forget_through(&mut self, n: u64) {
        while self.queue.front().is_some_and(|oldest| oldest.n <= n) {
            self.queue.pop_front();
            self.written = self.written.saturating_sub(1);
        }
    }

    /// What the open file should hold: so many of its first bytes, which are known to be on the disk, and then
    /// so many waiting lines. Every line that the system took is in the open file.
    pub(super) fn contents(&self) -> (u64, Vec<u8>, usize) {
        let bytes = |line: &Line| line.bytes.len() as u64;
        let written: u64 = self.queue.iter().take(self.written).map(bytes).sum();
        let waiting = self.queue.iter().flat_map(|line| &line.bytes);
        let rest = waiting.copied().collect();
        (self.bytes.saturating_sub(written), rest, self.queue.len())
    }

    /// Another file, of so many bytes and with so many of the waiting lines, has taken the place of the open
    /// one. What came meanwhile went into the old file, which does not count any more.
    pub(super) fn replace(&mut self, file: Arc<dyn AppendFile>, bytes: u64, count: usize) {
        self.lines = self.lines + count as u64 - self.written as u64;
        (self.file, self.bytes) = (file, bytes);
        (self.written, self.partly) = (count, 0);
        self.is_untrusted = false;
        self.sync_later("journal");
    }

    pub(in crate::store) fn saving(&self) -> Saving {
        let oldest = self.queue.front();
        if let Some(trouble) = self.trouble.as_ref().or(self.snapshot_trouble.as_ref()) {
            return Saving::Failing {
                at: oldest.map(|line| line.at),
                reason: trouble.reason.clone(),
            };
        }
        match oldest.map(|line| line.since).or(self.unsynced_since) {
            Some(since) => Saving::Behind { since },
            None => Saving::Quiet,
        }
    }

    /// The events are as safe as they can be.
    pub(in crate::store) fn is_synced(&self) -> bool {
        self.is_synced_through(u64::MAX)
    }

    /// The events up to this one are.
    pub(super) fn is_synced_through(&self, n: u64) -> bool {
        self.unsynced.is_empty() && self.queue.front().is_none_or(|oldest| oldest.n > n)
    }

    /// Whether the newest snapshot lacks something and may be replaced.
    pub(in crate::store) fn needs_snapshot(&self) -> bool {
        self.last > self.snapshot_last && !self.is_held
    }

    /// When there is something to do next.
    pub(super) fn next_work(&self, now: Instant) -> Option<Instant> {
        if self.asked > self.answered || self.is_ending {
            return Some(now);
        }
        if !self.is_synced() {
            let again = self.trouble.as_ref().map(|trouble| trouble.again);
            let oldest = self.queue.front().map(|line| line.since + GATHERING);
            // What is new in a folder does not wait for anything.
            let at_once = (!self.unsynced.is_empty()).then_some(now);
            return again.or(at_once).or(oldest);
        }
        self.next_snapshot()
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
pub(in crate::store) struct Trouble {
    reason: String,
    again: Instant,
    pause: Duration,
    is_told: bool,
}

impl Trouble {
    /// The same trouble again, after a longer pause, or a new one.
    pub(super) fn grow(place: &mut Option<Self>, reason: String) {
        let before = place.take();
        let before = before.as_ref();
        let pause = before.map_or(FIRST_PAUSE, |before| LONGEST_PAUSE.min(before.pause * 2));
        *place = Some(Self {
            is_told: before.is_some_and(|before| before.is_told && before.reason == reason),
            reason,
            again: Instant::now() + pause,
            pause,
        });
    }

    /// The report of it, once.
    pub(super) fn tell(&mut self) -> Option<Report> {
        let reason = self.reason.clone();
        (!std::mem::replace(&mut self.is_told, true)).then_some(Report::Failing { reason })
    }
}

/// What failed, in words.
pub(super) fn failed(doing: &str, error: &io::Error) -> String {
    format!("cannot {doing}: {}", plain_words(error))
}
