//! The folds of the log as a seat reads it.

use tableside_game::{ClockId, EntityRef, EventKind, Part};

use super::{FoldKey, FoldedLog, ReadEntry, TickKey};
use crate::marks::PlacedMark;
use crate::redact::HIDDEN_NUMBER;
use crate::{Entry, LogChunk, SeatView};

impl SeatView<'_> {
    /// Determines with which neighbours an entry folds. `entry` is redacted for the seat.
    pub fn fold_key(&self, entry: &Entry) -> FoldKey {
        match &entry.event.what {
            EventKind::Ticked { then, .. } => match ticked_clock(entry) {
                Some(clock) => FoldKey::Tick(TickKey {
                    clock,
                    scene: self.scene_of(entry.number).from,
                    has_consequence: !then.is_empty(),
                }),
                None => FoldKey::Alone,
            },
            EventKind::Undone { .. } | EventKind::Redone { .. } => match self.undone_entry(entry) {
                Some(about) => FoldKey::Undo { about },
                None => FoldKey::Alone,
            },
            _ => FoldKey::Alone,
        }
    }

    /// Returns the data of an entry that a [`FoldedLog`] needs.
    pub fn read_entry(&self, entry: &Entry) -> ReadEntry {
        ReadEntry {
            number: entry.number,
            key: self.fold_key(entry),
            is_struck: self.is_struck(entry.number),
        }
    }

    /// Describes ticks of one clock in one line: "The alarm 2 → 6 of 8 · 4 ticks". `None` if an entry is not in memory.
    pub fn describe_ticks(&self, oldest: u64, newest: u64, count: usize) -> Option<String> {
        let oldest = self.entry(oldest)?;
        let newest = self.entry(newest)?;
        let EventKind::Ticked {
            clock,
            filled,
            of,
            then,
            ..
        } = &newest.event.what
        else {
            return None;
        };

        let from = match filled_before(&oldest) {
            Some(from) => format!("{from} → "),
            None => String::new(),
        };
        let mut text = format!("{clock} {from}{filled} of {of} · {count} ticks");
        if !then.is_empty() {
            text += &format!("; {then}");
        }
        Some(text)
    }

    /// Returns a part of the log that a search found, with its folds.
    pub fn fold_chunk(&self, chunk: &LogChunk) -> FoldedLog {
        let mut log = FoldedLog::default();
        for hit in &chunk.hits {
            log.push(ReadEntry {
                number: hit.number,
                key: hit.key,
                is_struck: self.is_struck(hit.number),
            });
        }
        log
    }

    /// Updates which entries were undone or replaced by the events from `since` on. The seat may read an entry but not
    /// the event that undid it.
    pub fn update_struck(&self, log: &mut FoldedLog, since: u64) {
        for event in self.history().since(since) {
            let mut placed = PlacedMark::of(event.number, &event.event.what);
            while let Some(mark) = placed {
                log.set_struck(mark.entry, self.is_struck(mark.entry));
                // A strike can be undone itself, which changes the struck entry as well.
                let marked = self.history().entry(mark.entry);
                placed = marked
                    .and_then(|marked| PlacedMark::of(marked.number, &marked.event.what))
                    .filter(|next| next.entry < mark.entry);
            }
        }
    }

    /// The entry that an undo or a redo is about. `None` if the seat does not read that entry. `entry` is redacted, so for
    /// players it lacks the number.
    fn undone_entry(&self, entry: &Entry) -> Option<u64> {
        if let Some(number) = undone_number(&entry.event.what)
            && number != HIDDEN_NUMBER
        {
            return Some(number);
        }

        let unredacted = self.history().entry(entry.number)?;
        let number = undone_number(&unredacted.event.what)?;
        let readable = self.entry(number)?;
        Some(readable.number)
    }
}

/// The number of the entry that an undo or a redo is about.
fn undone_number(kind: &EventKind) -> Option<u64> {
    match kind {
        EventKind::Undone { event, .. } | EventKind::Redone { event, .. } => Some(*event),
        _ => None,
    }
}

/// The clock that an entry advanced or set back. In the entry, the change of this clock precedes those of linked clocks.
fn ticked_clock(entry: &Entry) -> Option<ClockId> {
    entry
        .event
        .changes
        .iter()
        .find_map(|change| match change.entity {
            EntityRef::Clock(id) => Some(id),
            _ => None,
        })
}

/// The number of filled segments of the ticked clock before an entry.
fn filled_before(entry: &Entry) -> Option<u64> {
    let clock = EntityRef::Clock(ticked_clock(entry)?);
    let change = entry
        .event
        .changes
        .iter()
        .find(|change| change.is_of(clock, &Part::Filled))?;
    change.from.as_u64()
}
