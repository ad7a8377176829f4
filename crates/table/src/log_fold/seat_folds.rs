//! The folds of the log as a seat reads it.

use tableside_game::{Change, EntityKind, EntityRef, EventKind, Part};

use super::{FoldKey, FoldedLog, ReadEntry, StepKey, SteppedNumber};
use crate::marks::PlacedMark;
use crate::redact::HIDDEN_NUMBER;
use crate::{Entry, LogChunk, SeatView};

impl SeatView<'_> {
    /// Determines with which neighbours an entry folds. `entry` is redacted for the seat.
    pub fn fold_key(&self, entry: &Entry) -> FoldKey {
        match &entry.event.what {
            EventKind::Ticked { then, .. } => self.step_key(entry, !then.is_empty()),
            // The reason for tokens, or a threshold such as a trauma, is listed in a separate row.
            EventKind::Tokens { note, .. } if !note.is_empty() => FoldKey::Alone,
            EventKind::Tokens { .. } | EventKind::Edited { .. } => self.step_key(entry, false),
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

    fn step_key(&self, entry: &Entry, has_consequence: bool) -> FoldKey {
        match self.stepped_number(entry) {
            Some(number) => FoldKey::Step(StepKey {
                number,
                scene: self.scene_of(entry.number).from,
                has_consequence,
            }),
            None => FoldKey::Alone,
        }
    }

    /// The number that an entry counted up or down. `None` if the entry did anything else.
    fn stepped_number(&self, entry: &Entry) -> Option<SteppedNumber> {
        let change = step_change(entry)?;
        match (&entry.event.what, change.entity, &change.part) {
            (EventKind::Ticked { .. }, EntityRef::Clock(id), _) => Some(SteppedNumber::Clock(id)),
            (EventKind::Tokens { .. }, EntityRef::Pool(id), _) => Some(SteppedNumber::Pool(id)),
            (EventKind::Edited { how, .. }, EntityRef::Character(who), Part::Stat(id)) => {
                let mut stats = self.system().spec().stats.iter();
                let stat = stats.find(|stat| stat.id == *id)?;
                // Damage and other effects have their own words, which a fold would hide.
                let has_own_words = change.describe(self.game(), true).as_ref() != Some(how);
                let are_numbers = change.from.is_i64() && change.to.is_i64();
                if has_own_words || !are_numbers {
                    return None;
                }
                Some(SteppedNumber::Stat(who, stat.id))
            }
            _ => None,
        }
    }

    /// Describes steps of one number in one line: "The alarm 2 → 6 of 8 · 4 ticks", "Mira: Hit points 26 → 18 · 4
    /// changes". `None` if an entry is not in memory.
    pub fn describe_steps(&self, oldest: u64, newest: u64, count: usize) -> Option<String> {
        let oldest = self.entry(oldest)?;
        let newest = self.entry(newest)?;
        let from = step_change(&oldest).and_then(|change| change.from.as_i64());
        let from = match from {
            Some(from) => format!("{} → ", with_minus(from)),
            None => String::new(),
        };

        match &newest.event.what {
            EventKind::Ticked {
                clock,
                filled,
                of,
                then,
                ..
            } => {
                let mut text = format!("{clock} {from}{filled} of {of} · {count} ticks");
                if !then.is_empty() {
                    text += &format!("; {then}");
                }
                Some(text)
            }
            EventKind::Tokens {
                owner, pool, now, ..
            } => {
                let now = with_minus(i64::from(*now));
                Some(format!("{owner}: {pool} {from}{now} · {count} changes"))
            }
            EventKind::Edited { name, .. } => {
                let mut change = step_change(&newest)?.clone();
                change.from = step_change(&oldest)?.from.clone();
                let step = change.describe(self.game(), false)?;
                Some(format!("{name}: {step} · {count} changes"))
            }
            _ => None,
        }
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

/// The change of the number that an entry counted up or down. In the entry it precedes the changes that followed from it.
fn step_change(entry: &Entry) -> Option<&Change> {
    let changes = &entry.event.changes;
    match &entry.event.what {
        EventKind::Ticked { .. } => {
            let clock = changes
                .iter()
                .map(|change| change.entity)
                .find(|entity| matches!(entity, EntityRef::Clock(_)))?;
            let is_filled = |change: &&Change| change.is_of(clock, &Part::Filled);
            changes
                .iter()
                .find(is_filled)
                .or_else(|| changes.iter().find(|change| change.entity == clock))
        }
        EventKind::Tokens { .. } => changes.iter().find(|change| change.part == Part::Tokens),
        EventKind::Edited {
            kind: EntityKind::Character,
            ..
        } => match &changes[..] {
            [change] => Some(change),
            _ => None,
        },
        _ => None,
    }
}

fn with_minus(number: i64) -> String {
    number.to_string().replace('-', "−")
}
