//! Records which entries of the log were undone, struck or replaced by a later event.

use std::collections::{BTreeMap, HashMap};

use tableside_game::EventKind;

/// The effect of an event on an earlier entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Undone,
    Redone,
    /// The entry was struck, that is, undone by its number.
    Struck,
    /// The roll was amended or rolled again.
    Replaced,
}

/// A [`Mark`] with the numbers of both events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedMark {
    /// The number of the later event.
    pub(super) event: u64,
    /// The number of the entry that the event changes.
    pub(super) entry: u64,
    pub(super) mark: Mark,
}

impl Mark {
    /// The names in the journal of the kinds of events that set a mark.
    pub(super) const KINDS: [&str; 5] = ["undone", "redone", "struck", "amended", "rerolled"];

    /// Returns the entry that an event marks, and the mark.
    pub(super) fn of(kind: &EventKind) -> Option<(u64, Self)> {
        let (entry, mark) = match kind {
            EventKind::Undone { event, .. } => (*event, Self::Undone),
            EventKind::Redone { event, .. } => (*event, Self::Redone),
            EventKind::Struck { entry, .. } => (*entry, Self::Struck),
            kind => (kind.replaces()?, Self::Replaced),
        };
        Some((entry, mark))
    }
}

impl PlacedMark {
    /// Returns the mark that an event sets.
    pub(super) fn of(event: u64, kind: &EventKind) -> Option<Self> {
        let (entry, mark) = Mark::of(kind)?;
        Some(Self { event, entry, mark })
    }
}

/// The marks of each entry, by the number of the event that set them.
///
/// The marks stay in memory for the whole game. Each undo, strike or amendment takes about 100 bytes.
#[derive(Debug, Default)]
pub(super) struct Marks(HashMap<u64, BTreeMap<u64, Mark>>);

impl Marks {
    /// Adds a mark. Marks may be added in any order.
    pub(super) fn add(&mut self, placed: PlacedMark) {
        let marks = self.0.entry(placed.entry).or_default();
        marks.insert(placed.event, placed.mark);
    }

    /// Returns true if the entry was undone, struck, amended or rolled again.
    pub(super) fn is_ended(&self, entry: u64) -> bool {
        let has_valid_end = self.newest_first(entry).any(|placed| {
            let ends = matches!(placed.mark, Mark::Struck | Mark::Replaced);
            ends && !self.is_undone(placed.event)
        });
        has_valid_end || self.is_undone(entry)
    }

    /// Returns the entry that replaces an amended or rerolled entry.
    pub(super) fn replaced_by(&self, entry: u64) -> Option<u64> {
        let replacement = self.newest_first(entry).find(|placed| {
            let replaces = placed.mark == Mark::Replaced;
            replaces && !self.is_undone(placed.event)
        })?;
        Some(replacement.event)
    }

    fn newest_first(&self, entry: u64) -> impl Iterator<Item = PlacedMark> {
        let marks = self.0.get(&entry).into_iter().flatten();
        marks.rev().map(move |(event, mark)| PlacedMark {
            event: *event,
            entry,
            mark: *mark,
        })
    }

    /// True if the newest undo or redo of an entry is an undo.
    fn is_undone(&self, entry: u64) -> bool {
        let newest = self
            .newest_first(entry)
            .map(|placed| placed.mark)
            .find(|mark| matches!(mark, Mark::Undone | Mark::Redone));
        newest == Some(Mark::Undone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_names_each_kind_of_event_that_sets_a_mark() {
        let (text, reason) = (String::new(), String::new());
        let roll = Box::default();
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
            let json = serde_json::to_value(&event).unwrap();
            let kind = json.as_object().unwrap().keys().next().unwrap();
            assert!(Mark::KINDS.contains(&kind.as_str()), "{kind}");
            assert!(Mark::of(&event).is_some());
        }
    }

    #[test]
    fn an_undone_strike_no_longer_counts() {
        let mut marks = Marks::default();
        let mut mark = |event, entry, mark| marks.add(PlacedMark { event, entry, mark });
        mark(2, 1, Mark::Struck);
        mark(3, 2, Mark::Undone);
        assert!(!marks.is_ended(1));
        assert!(marks.is_ended(2));
    }
}
