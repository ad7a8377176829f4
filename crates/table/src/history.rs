//! The part of the log in memory: the newest entries without gaps, and older ones that a screen shows.
//!
//! At most [`MOST_RECENT`] of the newest entries stay in memory once the journal has them. They take 5 to 6 MiB, and
//! undo can go back this far. Older entries are read from the journal when they are needed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::journal_entry::read;
use super::marks::{Marks, PlacedMark};
use super::seat_index::SeatIndex;
use super::{Entry, LogTally, Seat};
use tableside_game::{CommandError, EntityPart, Event, EventKind};
use tableside_rules::System;
use tableside_store::{Reader, StoreError};

/// The number of newest entries that stay in memory once the journal has them. Undo can go back this far.
pub(super) const MOST_RECENT: u64 = 5_000;
/// The minimum number of events that are read at a time from the journal.
const STEP: u64 = 500;
/// The number of rolls that are read when a game opens, for screens that show the last rolls.
const LAST_ROLLS: usize = 30;
/// The maximum number of older entries that are in memory at a time.
const MOST_FAR: usize = 1_000;

/// The newest entries of the log and some older ones. Also knows which entries were undone or replaced.
#[derive(Debug, Default)]
pub struct History {
    /// The newest entries, without gaps from [`first`](Self::first) on, and some older entries that a screen shows.
    entries: BTreeMap<u64, Arc<Entry>>,
    /// The oldest of the newest entries, which have no gaps. `None` if no entry is in memory.
    first: Option<u64>,
    /// The numbers of the rolls from `first` on.
    rolls: BTreeSet<u64>,
    /// The numbers of the entries from `first` on that players may read, such as scenes. Rolls are left out.
    open: BTreeSet<u64>,
    /// The numbers of all entries from `first` on, by author.
    authored: SeatIndex,
    /// The numbers of the acts from `first` on that can be undone.
    undoable: SeatIndex,
    marks: Marks,
    /// From this event on, the marks of all events are known. `None` if it is the same as `first`.
    marked_from: Option<u64>,
    /// The number of the last event, even if no event is in memory.
    last: u64,
    /// The statistics of all events, once a screen has asked for them.
    tally: Option<LogTally>,
}

impl History {
    /// Returns a history with no event in memory.
    pub(super) fn after(last: u64) -> Self {
        Self {
            last,
            ..Self::default()
        }
    }

    /// The number of the last event, 0 before the first.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// From the entry with this number on, all entries are in memory. If no entry is in memory, this is the number of
    /// the next entry.
    pub fn first(&self) -> u64 {
        self.first.unwrap_or(self.last + 1)
    }

    /// The entries in memory without gaps, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.since(0)
    }

    /// The entries in memory from `number` on, oldest first.
    pub fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        let first = number.max(self.first());
        self.entries.range(first..).map(|(_, entry)| entry)
    }

    /// The rolls among the entries in memory, newest first.
    pub(super) fn rolls(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let numbers = self.rolls.iter().rev();
        numbers.filter_map(|number| self.entries.get(number))
    }

    /// The entries that a player may be able to read, in no particular order: rolls, other entries that all players may read, and the player's own entries.
    pub(super) fn candidates(&self, seat: &Seat) -> impl Iterator<Item = &Arc<Entry>> {
        let own = self.authored.of_seat(seat);
        self.rolls
            .iter()
            .chain(&self.open)
            .copied()
            .chain(own)
            .filter_map(|number| self.entries.get(&number))
    }

    /// The entry with this number, if it is in memory.
    pub fn entry(&self, number: u64) -> Option<Arc<Entry>> {
        self.entries.get(&number).cloned()
    }

    /// Keeps older entries in memory, because a screen shows them.
    pub(super) fn hold(&mut self, entries: Vec<Arc<Entry>>) {
        let first = self.first();
        let held = self.entries.range(..first).count();
        if held + entries.len() > MOST_FAR {
            self.entries = self.entries.split_off(&first);
        }

        for entry in entries {
            self.entries.insert(entry.number, entry);
        }
    }

    /// Adds the next event of the log.
    pub(super) fn push(&mut self, entry: Arc<Entry>, system: System) {
        // The state may be newer than a journal whose end was lost.
        self.last = self.last.max(entry.number);
        if let Some(tally) = &mut self.tally {
            tally.absorb(entry.number, &entry.event, system);
        }
        self.first.get_or_insert(entry.number);
        self.insert(entry);
    }

    /// Adds an entry to the entries without gaps.
    fn insert(&mut self, entry: Arc<Entry>) {
        let number = entry.number;
        if entry.event.what.roller().is_some() {
            self.rolls.insert(number);
        }
        if entry.is_open_to_players() {
            self.open.insert(number);
        }
        if let Some(placed) = PlacedMark::of(number, &entry.event.what) {
            self.marks.add(placed);
        }
        self.authored.insert(entry.seat, number);
        self.entries.insert(number, entry);
        self.update_undoable(number);
    }

    /// Updates the index of undoable acts: for an entry, and for the entries that it undoes, redoes, strikes or
    /// replaces.
    fn update_undoable(&mut self, changed: u64) {
        let mut number = changed;
        while number >= self.first()
            && let Some(entry) = self.entries.get(&number)
        {
            if entry.is_an_act() && !self.marks.is_ended(number) {
                if entry.is_private() {
                    self.undoable.insert_private(entry.seat, number);
                } else {
                    self.undoable.insert(entry.seat, number);
                }
            } else {
                self.undoable.remove(entry.seat, number);
            }

            // A strike can be undone itself, which changes the struck entry as well.
            match PlacedMark::of(number, &entry.event.what) {
                Some(placed) if placed.entry < number => number = placed.entry,
                _ => break,
            }
        }
    }

    /// Drops the oldest entries from memory if there are too many. The journal must contain them.
    pub(super) fn forget_oldest(&mut self) {
        while self.holds_too_many() {
            let first = self.first();
            // The marks of a dropped entry stay in memory, so the range of known marks stays the same.
            self.marked_from = Some(self.marked_from());
            self.rolls.remove(&first);
            self.open.remove(&first);
            if let Some(entry) = self.entries.remove(&first) {
                self.authored.remove(entry.seat, first);
                self.undoable.remove(entry.seat, first);
            }
            self.first = Some(first + 1);
        }
    }

    /// True if more entries are in memory than undo needs.
    pub(super) fn holds_too_many(&self) -> bool {
        self.last.saturating_sub(self.first()) >= MOST_RECENT
    }

    /// From the event with this number on, the marks of all events are known.
    pub(super) fn marked_from(&self) -> u64 {
        self.marked_from.unwrap_or(u64::MAX).min(self.first())
    }

    /// Adds the marks of the events from `from` up to `below`.
    pub(super) fn learn_marks(&mut self, from: u64, below: u64, marks: Vec<PlacedMark>) {
        // Another search may have added these marks in the meantime. The new marks must join the known ones without a
        // gap.
        let known_from = self.marked_from();
        if from < known_from && known_from <= below {
            self.marked_from = Some(from);
            for placed in marks {
                self.marks.add(placed);
            }
        }
    }

    /// True if the entry was undone, amended or rolled again.
    pub fn is_struck(&self, number: u64) -> bool {
        self.marks.is_ended(number)
    }

    /// The entry that replaces an amended or rerolled entry.
    pub fn replaced_by(&self, number: u64) -> Option<u64> {
        self.marks.replaced_by(number)
    }

    /// Fails if an entry was undone or replaced.
    pub(super) fn check_holds(&self, entry: u64) -> Result<(), CommandError> {
        let state = match self.replaced_by(entry) {
            Some(later) => format!("was amended or rolled again; #{later} replaces it"),
            None if self.is_struck(entry) => "was undone".to_owned(),
            None => return Ok(()),
        };
        Err(CommandError::NotHolding { entry, state })
    }

    /// Fails if a roll was undone or replaced, or was rolled again before.
    pub(super) fn check_reroll(&self, entry: u64) -> Result<(), CommandError> {
        self.check_holds(entry)?;

        let mut readings = self.readings(entry).into_iter();
        let was_rerolled = readings.any(|reading| {
            let kind = &reading.event.what;
            matches!(kind, EventKind::Rerolled { .. })
        });
        if was_rerolled {
            return Err(CommandError::NotHolding {
                entry,
                state: "was rolled again already, and the second roll counts".into(),
            });
        }
        Ok(())
    }

    /// The readings of a roll up to this entry, oldest first: the roll, its amendments and its reroll.
    pub(super) fn readings(&self, number: u64) -> Vec<Arc<Entry>> {
        let Some(entry) = self.entry(number) else {
            return Vec::new();
        };

        let mut replaced = entry.event.what.replaces();
        let mut readings = vec![entry];
        while let Some(before) = replaced
            && before < number
        {
            let Some(entry) = self.entry(before) else {
                break;
            };
            replaced = entry.event.what.replaces();
            readings.push(entry);
        }
        readings.reverse();
        readings
    }

    /// An event with the changes of all readings of a roll, so that an undo reverses all of them.
    pub(super) fn combined_event(&self, number: u64, what: EventKind) -> Event {
        let mut changes = Vec::new();
        for reading in self.readings(number) {
            changes.extend(reading.event.changes.iter().cloned());
        }
        Event::new(what, changes)
    }

    /// All readings of the dice of this entry, even undone readings, oldest first.
    pub(super) fn all_readings(&self, number: u64) -> Vec<Arc<Entry>> {
        // A reroll has new faces, so the readings before it do not count.
        let readings = self.readings(number);
        let first_of_faces = readings.iter().rev().find(|entry| {
            let kind = &entry.event.what;
            !matches!(kind, EventKind::Amended { .. })
        });
        let Some(first) = first_of_faces else {
            return Vec::new();
        };

        let mut numbers = HashSet::from([first.number]);
        let mut all = vec![Arc::clone(first)];
        for later in self.since(first.number + 1) {
            if let EventKind::Amended { entry, .. } = &later.event.what
                && numbers.contains(entry)
            {
                numbers.insert(later.number);
                all.push(Arc::clone(later));
            }
        }
        all
    }

    /// Sets the statistics of all events up to and including `through`.
    pub(super) fn set_tally(&mut self, mut tally: LogTally, through: u64, system: System) {
        for entry in self.since(through + 1) {
            tally.absorb(entry.number, &entry.event, system);
        }
        self.tally = Some(tally);
    }

    /// The statistics, and the number of the first event that they count.
    pub(super) fn tally(&self, system: System) -> (u64, Cow<'_, LogTally>) {
        if let Some(tally) = &self.tally {
            return (1, Cow::Borrowed(tally));
        }

        let mut tally = LogTally::default();
        for entry in self.iter() {
            tally.absorb(entry.number, &entry.event, system);
        }
        (self.first(), Cow::Owned(tally))
    }

    /// The newest act in memory that the seat may undo.
    pub(super) fn to_undo(&self, seat: &Seat) -> Option<Arc<Entry>> {
        self.entry(self.undoable.newest_for(seat)?)
    }

    /// The newest undo that a seat can redo, and the kind of event that redoes it. `None` if the seat has acted since.
    pub(super) fn to_redo(&self, seat: &Seat) -> Option<(EventKind, Arc<Entry>)> {
        let own_entries = self.iter().rev().filter(|entry| seat.did(entry));
        let mut redone = HashSet::new();
        for entry in own_entries {
            match &entry.event.what {
                EventKind::Redone { event, .. } => {
                    redone.insert(*event);
                }
                EventKind::Undone { event, text } => {
                    if redone.remove(event) {
                        continue;
                    }
                    let redo = EventKind::Redone {
                        event: *event,
                        text: text.clone(),
                    };
                    return Some((redo, Arc::clone(entry)));
                }
                _ if entry.is_an_act() => return None,
                _ => {}
            }
        }
        None
    }

    /// The newest event after `number` that changed `target` again, and therefore prevents the undo of `number`.
    pub(super) fn later_change(&self, number: u64, target: &EntityPart) -> Option<u64> {
        self.since(number + 1)
            .rev()
            .find(|entry| {
                let changes = &entry.event.changes;
                changes.iter().any(|change| change.touches(target))
            })
            .map(|entry| entry.number)
    }

    /// Reads older events until event `number` or the first event of the journal is in memory.
    pub(super) fn reach_back(&mut self, reader: &Reader, number: u64) -> Result<(), StoreError> {
        let first = self.first();
        if number >= first || first <= 1 {
            return Ok(());
        }

        let step_back = first.saturating_sub(STEP);
        let from = number.min(step_back).max(1);
        let records = reader.read(from..first)?;
        for entry in records.iter().rev().filter_map(read) {
            self.first = Some(entry.number);
            self.insert(Arc::new(entry));
        }
        Ok(())
    }

    /// Reads older events until enough rolls are in memory for the screens, but at most five times [`STEP`] events.
    pub(super) fn reach_rolls(&mut self, reader: &Reader) -> Result<(), StoreError> {
        for step in [STEP, 4 * STEP] {
            if self.rolls.len() < LAST_ROLLS {
                let from = self.first().saturating_sub(step);
                self.reach_back(reader, from)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
