//! What is known about the saving of a game at one moment; everything here happens under one lock,
//! and nothing here waits for the disk.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::store::disk::{Disk, Tape, plain_words};
use crate::store::error::StoreError;
use crate::store::folder;
use crate::store::journal::{self, BYTES_PER_FILE, EVENTS_PER_FILE, Found, LONGEST_LINE, line};

use super::trouble::Trouble;
use super::{Appended, Saving};
use crate::store::By;

/// A line that is not known to be on the disk yet.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) n: u64,
    pub(super) at: DateTime<Utc>,
    pub(super) since: Instant,
    pub(super) bytes: Vec<u8>,
}

/// The file that events are appended to.
#[derive(Debug, Clone)]
pub(super) struct Open {
    pub(super) tape: Arc<dyn Tape>,
    /// Nothing that this file says about syncing is believed any more.
    pub(super) is_burnt: bool,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) folder: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// The end of the chain.
    pub(super) last: u64,
    crc: u32,
    /// The file being written: its sequence number (0: none yet) and size.
    pub(super) sequence: u64,
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// It was found, and what it held then may not have been synced by who wrote it.
    pub(super) is_inherited: bool,
    pub(super) open: Option<Open>,
    must_turn_over: bool,
    /// The journal's folder has entries that a power cut could take.
    pub(super) unsettled: bool,
    /// Not known to be on the disk, oldest first.
    pub(super) queue: VecDeque<Waiting>,
    /// How many of them the system has taken, and how many bytes of the next.
    pub(super) taken: usize,
    pub(super) partly: usize,
    pub(super) trouble: Option<Trouble>,
    /// Files and folders of a new game, relative to its folder, that were not synced yet.
    pub(super) fresh: Vec<PathBuf>,
    /// When the oldest of them was made.
    pub(super) fresh_since: Option<Instant>,

    /// Whether the snapshot is behind, and when it is written at the latest.
    pub(super) need: Need,
    pub(super) due: Option<Instant>,
    pub(super) snapshot_every: Duration,
    pub(super) snapshot_trouble: Option<Trouble>,

    /// Flushes asked for, and answered.
    pub(super) asked: u64,
    pub(super) answered: u64,
    pub(super) life: Life,
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

/// How far the saving thread is from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    Running,
    Ending,
    Ended,
}

impl State {
    pub(super) fn new(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        found: &Found,
        snapshot_last: u64,
        snapshot_every: Duration,
    ) -> Self {
        Self {
            folder,
            disk,
            // A journal that was cut goes on after what the snapshot knows: no number is given twice.
            last: found.last.max(snapshot_last),
            crc: found.crc,
            sequence: found.sequence,
            lines: found.lines,
            bytes: found.bytes,
            is_inherited: found.lines > 0,
            open: None,
            must_turn_over: snapshot_last > found.last && found.lines > 0,
            unsettled: false,
            queue: VecDeque::new(),
            taken: 0,
            partly: 0,
            trouble: None,
            fresh: Vec::new(),
            fresh_since: None,
            need: Need::None,
            due: None,
            snapshot_every,
            snapshot_trouble: None,
            asked: 0,
            answered: 0,
            life: Life::Running,
        }
    }

    /// Gives an event its number and hands it to the system, if the system takes it.
    pub(super) fn append<E: Serialize + ?Sized>(
        &mut self,
        at: DateTime<Utc>,
        by: By<'_>,
        event: &E,
    ) -> Result<Appended, StoreError> {
        let n = self.last.saturating_add(1);
        let (bytes, crc) =
            line::write(self.crc, n, at, by, event).map_err(|error| StoreError::Unwritable {
                what: "an event",
                why: error.to_string(),
            })?;
        if bytes.len() > LONGEST_LINE {
            return Err(StoreError::TooLong {
                length: bytes.len(),
                limit: LONGEST_LINE,
            });
        }
        self.last = n;
        self.crc = crc;
        self.queue.push_back(Waiting {
            n,
            at,
            since: Instant::now(),
            bytes,
        });
        self.push();
        Ok(Appended {
            n,
            is_written: self.taken == self.queue.len(),
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

    /// Opens the last file, if there is one.
    pub(super) fn open_last(&mut self) -> Result<(), StoreError> {
        if self.sequence == 0 {
            return Ok(());
        }
        let path = journal::file_in(&journal::folder_in(&self.folder), self.sequence);
        let tape = self
            .disk
            .open(&path)
            .map_err(|error| StoreError::writing("open", &self.folder, &path, error))?;
        self.open = Some(Open {
            tape,
            is_burnt: false,
        });
        Ok(())
    }

    /// Hands every waiting line to the system, each with one write, in order.
    pub(super) fn push(&mut self) {
        if let Err(error) = self.try_push() {
            self.fail("write the journal", &error);
        }
    }

    fn try_push(&mut self) -> io::Result<()> {
        while let Some(waiting) = self.queue.get(self.taken) {
            let n = waiting.n;
            let tape = self.tape_for(n)?;
            let Some(waiting) = self.queue.get(self.taken) else {
                break;
            };
            let rest = waiting.bytes.get(self.partly..).unwrap_or_default();
            let length = waiting.bytes.len() as u64;
            match tape.write(rest) {
                // Half a line is in the file: the other half must follow it, whenever there is room.
                Ok(count) if count < rest.len() => {
                    self.partly += count;
                    if count == 0 {
                        return Err(io::ErrorKind::StorageFull.into());
                    }
                }
                Ok(_) => {
                    self.taken += 1;
                    self.partly = 0;
                    self.lines += 1;
                    self.bytes += length;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    if !is_full(&error)
                        && let Some(open) = &mut self.open
                    {
                        open.is_burnt = true;
                    }
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The file to append this event to, which may be a new one.
    fn tape_for(&mut self, n: u64) -> io::Result<Arc<dyn Tape>> {
        let Some(open) = &self.open else {
            return self.turn_over();
        };
        // A file that is about to be written afresh, or has half a line, must be finished first.
        if open.is_burnt || self.partly > 0 {
            return Ok(Arc::clone(&open.tape));
        }
        let tape = Arc::clone(&open.tape);
        if self.must_turn_over {
            return self.turn_over();
        }
        // A new file is only begun when the old one is known to be on the disk, or else a power cut
        // could leave a hole between the two. While the disk is slow the old one grows on.
        let all_synced = self.queue.front().is_none_or(|oldest| oldest.n == n);
        if all_synced && !self.is_inherited && self.is_long(1) {
            // Turning over is a convenience: an event rather goes into a long file than nowhere.
            return Ok(self.turn_over().unwrap_or(tape));
        }
        Ok(tape)
    }

    /// Whether the open file has so many times the length at which the next one should be begun.
    pub(super) fn is_long(&self, times: u64) -> bool {
        self.lines >= EVENTS_PER_FILE * times || self.bytes >= BYTES_PER_FILE * times
    }

    fn turn_over(&mut self) -> io::Result<Arc<dyn Tape>> {
        let journal = journal::folder_in(&self.folder);
        // Only where a journal was cut is a new file begun before this program has synced the old one.
        if self.is_inherited {
            self.disk
                .settle(&journal::file_in(&journal, self.sequence))?;
            self.is_inherited = false;
        }
        if folder::make_missing(&journal)? {
            self.fresh.push(PathBuf::new());
            self.fresh_since.get_or_insert_with(Instant::now);
        }
        let path = journal::file_in(&journal, self.sequence.saturating_add(1));
        let tape = self.disk.create(&path)?;
        self.sequence += 1;
        self.lines = 0;
        self.bytes = 0;
        self.must_turn_over = false;
        self.unsettled = true;
        self.open = Some(Open {
            tape: Arc::clone(&tape),
            is_burnt: false,
        });
        Ok(tape)
    }

    /// Lines up to event `n` are on the disk.
    pub(super) fn forget_through(&mut self, n: u64) {
        while self.queue.front().is_some_and(|oldest| oldest.n <= n) {
            let _on_disk = self.queue.pop_front();
            self.taken = self.taken.saturating_sub(1);
        }
    }

    /// Another file, with what was waiting when it was made, has taken the place of the open one.
    pub(super) fn adopt(&mut self, adopted: Adopted) {
        self.lines = adopted.lines;
        self.bytes = adopted.bytes;
        self.open = Some(Open {
            tape: adopted.tape,
            is_burnt: false,
        });
        self.unsettled = true;
        // What came meanwhile went into the old file, which does not count any more.
        self.taken = adopted.waiting;
        self.partly = 0;
        self.push();
    }

    pub(super) fn fail(&mut self, doing: &str, error: &io::Error) {
        let reason = format!("cannot {doing}: {}", plain_words(error));
        self.trouble = Some(Trouble::grown(self.trouble.as_ref(), reason));
    }

    /// The beginning of the open file that no line in the queue is part of: its bytes and lines. Every
    /// line that the system took is in the open file, because a turnover waits until the old one is synced.
    pub(super) fn settled_part(&self) -> (u64, u64) {
        let waiting = self.queue.iter().take(self.taken);
        let bytes: usize = waiting.map(|waiting| waiting.bytes.len()).sum();
        (
            self.bytes.saturating_sub(bytes as u64),
            self.lines.saturating_sub(self.taken as u64),
        )
    }

    pub(super) fn saving(&self) -> Saving {
        let first = self.queue.front();
        if let Some(trouble) = self.trouble.as_ref().or(self.snapshot_trouble.as_ref()) {
            return Saving::Failing {
                since: trouble.since,
                at: first.map(|waiting| waiting.at),
                reason: trouble.reason.clone(),
            };
        }
        match first.map(|waiting| waiting.since).or(self.fresh_since) {
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
        self.fresh.is_empty() && self.queue.front().is_none_or(|oldest| oldest.n > n)
    }
}

/// A file that was written afresh, synced, and put in its place.
#[derive(Debug)]
pub(super) struct Adopted {
    pub(super) tape: Arc<dyn Tape>,
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// How many waiting lines are in it.
    pub(super) waiting: usize,
}

/// A full disk takes nothing, but what it took before stays good.
fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}
