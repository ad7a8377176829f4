//! What is known about the saving of a game at one moment; everything here happens under one lock,
//! and nothing here waits for the disk.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::store::disk::{AppendFile, Disk, plain_words};
use crate::store::error::StoreError;
use crate::store::folder;
use crate::store::journal::{self, BYTES_PER_FILE, EVENTS_PER_FILE, Found, line};

use super::{Appended, Report, Saving};
use crate::store::By;

/// A sync begins this long after its event, so that what is shown goes first: a sync would take a processor
/// from whoever paints and sends it.
pub(super) const GATHERING: Duration = Duration::from_millis(3);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A line that is not known to be on the disk yet.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) n: u64,
    at: DateTime<Utc>,
    pub(super) since: Instant,
    bytes: Vec<u8>,
}

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "of the file and of the thread, which are true in any choice"
)]
pub(super) struct State {
    pub(super) folder: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// The end of the chain.
    pub(super) last: u64,
    crc: u32,

    /// The file that events are appended to; its sequence number (0: none yet) and size in whole lines.
    pub(super) file: Option<Arc<dyn AppendFile>>,
    sequence: u64,
    lines: u64,
    bytes: u64,
    /// Nothing that this file says about syncing is believed any more: it is to be written afresh.
    pub(super) is_untrusted: bool,
    /// It was found, and what it held then may not have been synced by who wrote it.
    pub(super) is_inherited: bool,
    must_turn_over: bool,

    /// Not known to be on the disk, oldest first.
    pub(super) queue: VecDeque<Line>,
    /// How many of them the system has taken, and how many bytes of the next.
    written: usize,
    partly: usize,
    /// Files and folders that a power cut could take, relative to the session's, and since when.
    pub(super) unsynced: Vec<PathBuf>,
    pub(super) unsynced_since: Option<Instant>,
    pub(super) trouble: Option<Trouble>,

    /// Whether the snapshot is behind, and when it is written at the latest.
    pub(super) need: Need,
    pub(super) due: Option<Instant>,
    snapshot_every: Duration,
    pub(super) snapshot_trouble: Option<Trouble>,

    /// Flushes asked for, and answered.
    pub(super) asked: u64,
    pub(super) answered: u64,
    pub(super) is_ending: bool,
    pub(super) has_ended: bool,
}

/// Whether a snapshot is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// The last one holds everything.
    None,
    /// Something happened that the last one does not hold.
    Wanted,
    /// One that holds everything is being written.
    Writing,
    /// It is needed, but the last one was edited by somebody else and must not be replaced yet.
    Held,
}

impl State {
    /// Opens the last file of a journal, if there is one.
    pub(super) fn open(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        found: &Found,
        snapshot_last: u64,
        snapshot_every: Duration,
    ) -> Result<Self, StoreError> {
        let mut state = Self {
            folder,
            disk,
            // A journal that was cut goes on after what the snapshot knows: no number is given twice.
            last: found.last.max(snapshot_last),
            crc: found.crc,
            file: None,
            sequence: found.sequence,
            lines: found.lines,
            bytes: found.bytes,
            is_untrusted: false,
            is_inherited: found.lines > 0,
            must_turn_over: snapshot_last > found.last && found.lines > 0,
            queue: VecDeque::new(),
            written: 0,
            partly: 0,
            unsynced: Vec::new(),
            unsynced_since: None,
            trouble: None,
            need: Need::None,
            due: None,
            snapshot_every,
            snapshot_trouble: None,
            asked: 0,
            answered: 0,
            is_ending: false,
            has_ended: false,
        };
        if state.sequence > 0 {
            let path = state.path();
            let file = state.disk.open(&path);
            let refused = |error| StoreError::writing("open", &state.folder, &path, error);
            state.file = Some(file.map_err(refused)?);
        }
        Ok(state)
    }

    /// Where the file that events are appended to belongs.
    pub(super) fn path(&self) -> PathBuf {
        journal::file_in(&journal::folder_in(&self.folder), self.sequence)
    }

    /// Gives an event its number and hands it to the system, if the system takes it.
    pub(super) fn append<E: Serialize + ?Sized>(
        &mut self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<Appended, StoreError> {
        let n = self.last.saturating_add(1);
        let (bytes, crc) = line::write(self.crc, n, at, by, event)?;
        self.last = n;
        self.crc = crc;
        self.queue.push_back(Line {
            n,
            at,
            since: Instant::now(),
            bytes,
        });
        if let Err(reason) = self.push() {
            Trouble::grow(&mut self.trouble, reason);
        }
        Ok(Appended {
            n,
            is_written: self.written == self.queue.len(),
        })
    }

    /// Something happened that the snapshot does not hold.
    pub(super) fn change(&mut self) {
        let every = self.snapshot_every;
        self.due.get_or_insert_with(|| Instant::now() + every);
        if self.need != Need::Held {
            self.need = Need::Wanted;
        }
    }

    /// Has a file or folder of the session synced.
    pub(super) fn sync_later(&mut self, path: &str) {
        self.unsynced.push(PathBuf::from(path));
        self.unsynced_since.get_or_insert_with(Instant::now);
    }

    /// Hands every waiting line to the system, each with one write, in order.
    pub(super) fn push(&mut self) -> Result<(), String> {
        self.try_push()
            .map_err(|error| failed("write the journal", &error))
    }

    fn try_push(&mut self) -> io::Result<()> {
        while let Some(n) = self.queue.get(self.written).map(|line| line.n) {
            let file = self.file_for(n)?;
            let Some(line) = self.queue.get(self.written) else {
                break;
            };
            let rest = line.bytes.get(self.partly..).unwrap_or_default();
            match file.write(rest) {
                // Half a line is in the file: the other half must follow it, whenever there is room.
                Ok(0) => return Err(io::ErrorKind::StorageFull.into()),
                Ok(count) if count < rest.len() => self.partly += count,
                Ok(_) => {
                    self.bytes += line.bytes.len() as u64;
                    self.lines += 1;
                    self.written += 1;
                    self.partly = 0;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.is_untrusted |= !is_full(&error);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The file to append this event to, which may be a new one.
    fn file_for(&mut self, n: u64) -> io::Result<Arc<dyn AppendFile>> {
        let Some(file) = self.file.clone() else {
            return self.turn_over();
        };
        // A file that is about to be written afresh, or has half a line, must be finished first.
        if self.is_untrusted || self.partly > 0 {
            return Ok(file);
        }
        if self.must_turn_over {
            return self.turn_over();
        }
        // A new file is only begun when the old one is known to be on the disk, or else a power cut
        // could leave a hole between the two. While the disk is slow the old one grows on.
        let is_next = self.queue.front().is_none_or(|oldest| oldest.n == n);
        let all_synced = is_next && self.unsynced.is_empty() && !self.is_inherited;
        if all_synced && self.is_long(1) {
            // Turning over is a convenience: an event rather goes into a long file than nowhere.
            return Ok(self.turn_over().unwrap_or(file));
        }
        Ok(file)
    }

    /// Whether the open file has so many times the length at which the next one should be begun.
    pub(super) fn is_long(&self, times: u64) -> bool {
        self.lines >= EVENTS_PER_FILE * times || self.bytes >= BYTES_PER_FILE * times
    }

    fn turn_over(&mut self) -> io::Result<Arc<dyn AppendFile>> {
        // Only where a journal was cut is a new file begun before this program has synced the old one.
        if self.is_inherited {
            self.disk.sync(&self.path())?;
            self.is_inherited = false;
        }
        let journal = journal::folder_in(&self.folder);
        if folder::make_missing(&journal)? {
            self.sync_later("");
        }
        let path = journal::file_in(&journal, self.sequence.saturating_add(1));
        let file = self.disk.create(&path)?;
        self.sequence += 1;
        self.adopt(Arc::clone(&file), 0, 0);
        self.must_turn_over = false;
        Ok(file)
    }

    /// Goes on in a file with so many whole lines and bytes.
    fn adopt(&mut self, file: Arc<dyn AppendFile>, lines: u64, bytes: u64) {
        self.file = Some(file);
        (self.lines, self.bytes) = (lines, bytes);
        self.is_untrusted = false;
        self.sync_later("journal");
    }

    /// The event up to which the system has taken all, if it has any that is not on the disk.
    pub(super) fn written_through(&self) -> Option<u64> {
        let last = self.written.checked_sub(1)?;
        self.queue.get(last).map(|line| line.n)
    }

    /// Lines up to event `n` are on the disk.
    pub(super) fn forget_through(&mut self, n: u64) {
        while self.queue.front().is_some_and(|oldest| oldest.n <= n) {
            let _on_disk = self.queue.pop_front();
            self.written = self.written.saturating_sub(1);
        }
    }

    /// What the open file should hold: so many of its first bytes, and then these lines. Every line that
    /// the system took is in the open file, because a turnover waits until the old one is synced.
    pub(super) fn contents(&self) -> Contents {
        let bytes = |line: &Line| line.bytes.len() as u64;
        let written: u64 = self.queue.iter().take(self.written).map(bytes).sum();
        Contents {
            synced: self.bytes.saturating_sub(written),
            lines: self.lines + (self.queue.len() - self.written) as u64,
            rest: self
                .queue
                .iter()
                .flat_map(|line| &line.bytes)
                .copied()
                .collect(),
            count: self.queue.len(),
        }
    }

    /// Another file with these contents has taken the place of the open one.
    pub(super) fn replace(&mut self, file: Arc<dyn AppendFile>, contents: &Contents) {
        let bytes = contents.synced + contents.rest.len() as u64;
        self.adopt(file, contents.lines, bytes);
        // What came meanwhile went into the old file, which does not count any more.
        self.written = contents.count;
        self.partly = 0;
    }

    pub(super) fn saving(&self) -> Saving {
        let oldest = self.queue.front();
        if let Some(trouble) = self.trouble.as_ref().or(self.snapshot_trouble.as_ref()) {
            return Saving::Failing {
                since: trouble.since,
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
    pub(super) fn is_synced(&self) -> bool {
        self.is_synced_through(u64::MAX)
    }

    /// The events up to this one are.
    pub(super) fn is_synced_through(&self, n: u64) -> bool {
        self.unsynced.is_empty() && self.queue.front().is_none_or(|oldest| oldest.n > n)
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
        self.snapshot_due()
    }

    /// When a snapshot is to be written.
    pub(super) fn snapshot_due(&self) -> Option<Instant> {
        let due = self.due.filter(|_| self.need == Need::Wanted)?;
        let again = self.snapshot_trouble.as_ref().map(|trouble| trouble.again);
        Some(again.map_or(due, |again| due.max(again)))
    }
}

/// What a file of the journal should hold.
#[derive(Debug)]
pub(super) struct Contents {
    /// How many of its first bytes are known to be on the disk.
    pub(super) synced: u64,
    /// What follows them.
    pub(super) rest: Vec<u8>,
    /// How many waiting lines are in that.
    count: usize,
    /// How many lines there are in all.
    lines: u64,
}

/// Something that failed and is tried again.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    since: Instant,
    reason: String,
    again: Instant,
    pause: Duration,
    is_told: bool,
}

impl Trouble {
    /// The same trouble again, after a longer pause, or a new one.
    pub(super) fn grow(place: &mut Option<Self>, reason: String) {
        let now = Instant::now();
        let (since, pause, is_told) = match place {
            Some(before) => (
                before.since,
                before.pause.saturating_mul(2).min(LONGEST_PAUSE),
                before.is_told && before.reason == reason,
            ),
            None => (now, FIRST_PAUSE, false),
        };
        *place = Some(Self {
            since,
            reason,
            again: now + pause,
            pause,
            is_told,
        });
    }

    /// The report of it, once.
    pub(super) fn tell(place: &mut Option<Self>) -> Option<Report> {
        let trouble = place.as_mut().filter(|trouble| !trouble.is_told)?;
        trouble.is_told = true;
        Some(Report::Failing {
            since: trouble.since,
            reason: trouble.reason.clone(),
        })
    }
}

/// What failed, in words.
pub(super) fn failed(doing: &str, error: &io::Error) -> String {
    format!("cannot {doing}: {}", plain_words(error))
}

/// A full disk takes nothing, but what it took before stays good.
fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}
