//! The log in memory: its tail, and as much before it as somebody asked for; and which entries do not hold any
//! more. What says so are a few events of a log, and they alone must be known.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::journal_entry::read;
use super::{Entry, LogTally, Seat};
use tableside_game::{CommandError, Event, EventKind, Subject};
use tableside_rules::System;
use tableside_store::{Reader, StoreError};

/// So many events at least are read when the history reaches further back.
const STEP: u64 = 500;
/// So many rolls are looked for at the beginning, for screens that show the last ones.
const LAST_ROLLS: usize = 30;
/// At most so many entries from further back are in memory at a time.
const MOST_FAR: usize = 1_000;

/// The newest events without gaps, some from further back, and which of them do not hold any more.
#[derive(Debug, Default)]
pub struct History {
    /// Those from further back are here one by one, because somebody looks at them.
    entries: BTreeMap<u64, Arc<Entry>>,
    /// The oldest from which on there are no gaps.
    first: Option<u64>,
    /// Which of those from there on tell of a roll, so that the last thirty need not be looked for.
    rolls: BTreeSet<u64>,
    /// Which entries do not hold any more.
    marks: Marks,
    /// The event from which on all were asked what they say about entries, where that lies before those in
    /// memory.
    marked_from: Option<u64>,
    /// The number of the last event, also while none is in memory.
    last: u64,
    /// The figures of all events, once somebody has asked for them.
    tally: Option<LogTally>,
}

impl History {
    /// A history whose last event has that number, with none in memory.
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

    /// The number of the oldest event in memory, the next one's if none is.
    pub fn first(&self) -> u64 {
        self.first.unwrap_or(self.last + 1)
    }

    /// The events in memory without gaps, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.since(0)
    }

    /// The same from that one on.
    pub fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        let entries = self.entries.range(number.max(self.first())..);
        entries.map(|(_, entry)| entry)
    }

    /// Those of them that tell of a roll, the newest first.
    pub(super) fn rolls(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let rolls = self.rolls.iter().rev();
        rolls.filter_map(|number| self.entries.get(number))
    }

    /// The event of that number, if it is in memory.
    pub fn entry(&self, number: u64) -> Option<Arc<Entry>> {
        self.entries.get(&number).cloned()
    }

    /// Holds entries from further back, among them those that are looked at now.
    pub(super) fn hold(&mut self, entries: Vec<Arc<Entry>>) {
        let first = self.first();
        if self.entries.range(..first).count() + entries.len() > MOST_FAR {
            self.entries = self.entries.split_off(&first);
        }
        let entries = entries.into_iter().map(|entry| (entry.number, entry));
        self.entries.extend(entries);
    }

    /// The event from which on it is known what became of entries.
    pub(super) fn marked_from(&self) -> u64 {
        self.marked_from.unwrap_or(u64::MAX).min(self.first())
    }

    /// Takes in what the events from `from` up to `below` say about entries.
    pub(super) fn learn_marks(&mut self, from: u64, below: u64, marks: Vec<(u64, (u64, Mark))>) {
        // Somebody else may have gone through them meanwhile, and there must be no gap.
        let known = self.marked_from();
        if from < known && known <= below {
            self.marked_from = Some(from);
            for (event, mark) in marks {
                self.marks.take(event, mark);
            }
        }
    }

    /// Whether the entry holds no longer: it was struck, taken back, or read or rolled again.
    pub fn is_struck(&self, number: u64) -> bool {
        self.marks.has_ended(number)
    }

    /// The entry that holds instead of this one, which was amended or rolled again.
    pub fn replaced_by(&self, number: u64) -> Option<u64> {
        self.marks.replaced_by(number)
    }

    /// Refuses what does not hold any more: only what holds is read or rolled again.
    pub(super) fn holds(&self, entry: u64) -> Result<(), CommandError> {
        let state = match self.replaced_by(entry) {
            Some(later) => format!("was read or rolled again; #{later} holds instead"),
            None if self.is_struck(entry) => "was struck or taken back".to_owned(),
            None => return Ok(()),
        };
        Err(CommandError::NotHolding { entry, state })
    }

    /// Refuses what was rolled again before.
    pub(super) fn may_reroll(&self, entry: u64) -> Result<(), CommandError> {
        self.holds(entry)?;
        let mut readings = self.readings(entry).into_iter();
        if readings.any(|entry| matches!(entry.event.what, EventKind::Rerolled { .. })) {
            return Err(CommandError::NotHolding {
                entry,
                state: "was rolled again already, and the second roll is accepted".into(),
            });
        }
        Ok(())
    }

    /// The readings of one roll up to this entry, the first one first.
    pub(super) fn readings(&self, number: u64) -> Vec<Arc<Entry>> {
        let mut readings: Vec<Arc<Entry>> = self.entry(number).into_iter().collect();
        while let Some(before) = readings
            .last()
            .and_then(|entry| entry.event.what.replaces())
        {
            match self.entry(before).filter(|entry| entry.number < number) {
                Some(entry) => readings.push(entry),
                None => break,
            }
        }
        readings.reverse();
        readings
    }

    /// An entry with all that its readings changed, so that it is taken back whole.
    pub(super) fn whole(&self, number: u64, what: EventKind) -> Event {
        let readings = self.readings(number);
        let changes = readings.iter().flat_map(|entry| &entry.event.changes);
        Event::new(what, changes.cloned().collect())
    }

    /// Every reading of the faces that this entry reads, those taken back too, oldest first.
    pub(super) fn all_readings(&self, number: u64) -> Vec<Arc<Entry>> {
        let chain = self.readings(number);
        // What was rolled again has faces of its own.
        let rolled = |entry: &&Arc<Entry>| !matches!(entry.event.what, EventKind::Amended { .. });
        let Some(first) = chain.iter().rev().find(rolled) else {
            return Vec::new();
        };
        let mut numbers = HashSet::from([first.number]);
        let mut readings = vec![Arc::clone(first)];
        for entry in self.since(first.number + 1) {
            let what = &entry.event.what;
            if matches!(what, EventKind::Amended { entry, .. } if numbers.contains(entry)) {
                numbers.insert(entry.number);
                readings.push(Arc::clone(entry));
            }
        }
        readings
    }

    pub(super) fn push(&mut self, entry: Arc<Entry>, system: System) {
        // Of a journal whose end is gone the state knows more.
        self.last = self.last.max(entry.number);
        self.learn(&entry);
        let tallies = self.tally.iter_mut();
        tallies.for_each(|tally| tally.absorb(entry.number, &entry.event, system));
        self.first.get_or_insert(entry.number);
        self.entries.insert(entry.number, entry);
    }

    /// Takes in the figures of all events up to and with `through`.
    pub(super) fn counted(&mut self, mut tally: LogTally, through: u64, system: System) {
        for entry in self.since(through + 1) {
            tally.absorb(entry.number, &entry.event, system);
        }
        self.tally = Some(tally);
    }

    /// The event from which on everything is counted, and the figures.
    pub(super) fn tally(&self, system: System) -> (u64, Cow<'_, LogTally>) {
        let in_memory = || {
            let mut tally = LogTally::default();
            for entry in self.iter() {
                tally.absorb(entry.number, &entry.event, system);
            }
            (self.first(), Cow::Owned(tally))
        };
        let tally = self.tally.as_ref();
        tally.map_or_else(in_memory, |tally| (1, Cow::Borrowed(tally)))
    }

    /// The newest act that holds and that somebody allowed to take back did.
    pub(super) fn to_undo(&self, may: impl Fn(&Entry) -> bool) -> Option<Arc<Entry>> {
        let acts = self.iter().rev();
        let acts = acts.filter(|entry| may(entry) && entry.is_an_act());
        let mut holding = acts.filter(|entry| !self.is_struck(entry.number));
        holding.next().cloned()
    }

    /// What that seat took back last and has not brought back, if it did nothing else since: that it is brought
    /// back, and the event that took it back.
    pub(super) fn to_redo(&self, seat: &Seat) -> Option<(EventKind, Arc<Entry>)> {
        let mut brought_back = HashSet::new();
        for entry in self.iter().rev().filter(|entry| seat.did(entry)) {
            match &entry.event.what {
                EventKind::Redone { event, .. } => {
                    brought_back.insert(*event);
                }
                EventKind::Undone { event, .. } if brought_back.remove(event) => {}
                EventKind::Undone { event, text } => {
                    let (event, text) = (*event, text.clone());
                    return Some((EventKind::Redone { event, text }, Arc::clone(entry)));
                }
                _ if entry.is_an_act() => return None,
                _ => {}
            }
        }
        None
    }

    /// The newest event after that one which changed the same: why it cannot be taken back.
    pub(super) fn later_change(&self, number: u64, about: &(Subject, String)) -> Option<u64> {
        let mut later = self.since(number + 1).rev();
        let found = later.find(|entry| {
            let mut changes = entry.event.changes.iter();
            changes.any(|change| change.touches(about))
        });
        found.map(|entry| entry.number)
    }

    /// Reads older events until the history reaches back to that one, or to the first.
    pub(super) fn reach_back(&mut self, reader: &Reader, number: u64) -> Result<(), StoreError> {
        let first = self.first();
        if number >= first || first <= 1 {
            return Ok(());
        }
        let from = number.min(first.saturating_sub(STEP)).max(1);
        let records = reader.read(from..first)?;
        for entry in records.iter().rev().filter_map(read) {
            self.learn(&entry);
            self.first = Some(entry.number);
            self.entries.insert(entry.number, Arc::new(entry));
        }
        Ok(())
    }

    /// Reads on, not without end, until there are some rolls to look back at.
    pub(super) fn reach_rolls(&mut self, reader: &Reader) -> Result<(), StoreError> {
        for back in [STEP, 4 * STEP] {
            if self.rolls.len() < LAST_ROLLS {
                self.reach_back(reader, self.first().saturating_sub(back))?;
            }
        }
        Ok(())
    }

    fn learn(&mut self, entry: &Entry) {
        if entry.event.what.roller().is_some() {
            self.rolls.insert(entry.number);
        }
        if let Some(mark) = Mark::of(&entry.event.what) {
            self.marks.take(entry.number, mark);
        }
    }
}

/// What an event says about an entry before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It was taken back.
    Undone,
    /// It was brought back.
    Redone,
    /// It was struck.
    Struck,
    /// It was read or rolled again.
    Replaced,
}

impl Mark {
    /// How events that say so begin in the journal.
    pub(super) const KINDS: [&[u8]; 5] = [
        b"undone\"",
        b"redone\"",
        b"struck\"",
        b"amended\"",
        b"rerolled\"",
    ];

    /// The entry that an event says something about, and what.
    pub(super) fn of(what: &EventKind) -> Option<(u64, Self)> {
        match what {
            EventKind::Undone { event, .. } => Some((*event, Self::Undone)),
            EventKind::Redone { event, .. } => Some((*event, Self::Redone)),
            EventKind::Struck { entry, .. } => Some((*entry, Self::Struck)),
            what => what.replaces().map(|entry| (entry, Self::Replaced)),
        }
    }
}

/// What is said about each entry, by the number of the event that says it.
#[derive(Debug, Default)]
pub(super) struct Marks(HashMap<u64, BTreeMap<u64, Mark>>);

impl Marks {
    /// Takes in what an event says, whatever is known before.
    pub(super) fn take(&mut self, event: u64, (entry, mark): (u64, Mark)) {
        self.0.entry(entry).or_default().insert(event, mark);
    }

    /// What is said about an entry, the newest first.
    fn said_about(&self, entry: u64) -> impl Iterator<Item = (u64, Mark)> + '_ {
        let said = self.0.get(&entry).into_iter().flatten().rev();
        said.map(|(event, mark)| (*event, *mark))
    }

    fn is_undone(&self, entry: u64) -> bool {
        let mut said = self.said_about(entry).map(|(_, mark)| mark);
        said.find(|mark| matches!(mark, Mark::Undone | Mark::Redone)) == Some(Mark::Undone)
    }

    /// Whether the entry holds no longer.
    pub(super) fn has_ended(&self, entry: u64) -> bool {
        let ends =
            |(event, mark)| matches!(mark, Mark::Struck | Mark::Replaced) && !self.is_undone(event);
        self.is_undone(entry) || self.said_about(entry).any(ends)
    }

    /// The entry that holds instead of this one.
    fn replaced_by(&self, entry: u64) -> Option<u64> {
        let mut said = self.said_about(entry);
        let found = said.find(|(event, mark)| *mark == Mark::Replaced && !self.is_undone(*event));
        found.map(|(event, _)| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_say_so_are_known_by_how_they_begin() {
        let (text, roll) = (String::new(), Box::default());
        let reason = text.clone();
        let events = [
            EventKind::Undone {
                event: 1,
                text: text.clone(),
            },
            EventKind::Redone { event: 1, text },
            EventKind::Struck { entry: 1, reason },
            EventKind::Amended {
                entry: 1,
                roll: Box::clone(&roll),
                fresh: Vec::new(),
            },
            EventKind::Rerolled { entry: 1, roll },
        ];
        for event in events {
            let json = serde_json::to_string(&event).unwrap();
            let kind = json.strip_prefix("{\"").unwrap().as_bytes();
            assert!(Mark::KINDS.iter().any(|known| kind.starts_with(known)));
            assert!(Mark::of(&event).is_some());
        }
    }
}
