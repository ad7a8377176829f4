//! Which entries do not hold any more. What says so are a few events of a log, and they alone must be known.

use std::collections::{BTreeMap, HashMap};

use crate::session::EventKind;

/// What an event says about an entry before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum Mark {
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
    pub(in crate::table) const KINDS: [&[u8]; 5] = [
        b"undone\"",
        b"redone\"",
        b"struck\"",
        b"amended\"",
        b"rerolled\"",
    ];

    /// The entry that an event says something about, and what.
    pub(in crate::table) fn of(what: &EventKind) -> Option<(u64, Self)> {
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
    pub(super) fn replaced_by(&self, entry: u64) -> Option<u64> {
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
