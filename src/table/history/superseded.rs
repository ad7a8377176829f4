//! Which entries do not hold any more. What says so are a few events of a log, and they alone must be known.

use std::collections::{HashMap, HashSet};

use crate::session::EventKind;

/// What an event says about an entry before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum Mark {
    /// It was taken back.
    Undone(u64),
    /// It was brought back.
    Redone(u64),
    /// It was struck.
    Struck(u64),
    /// It was read or rolled again.
    Replaced(u64),
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

    /// What an event says about an entry before it, if it does.
    pub(in crate::table) fn of(what: &EventKind) -> Option<Self> {
        match what {
            EventKind::Undone { event, .. } => Some(Self::Undone(*event)),
            EventKind::Redone { event, .. } => Some(Self::Redone(*event)),
            EventKind::Struck { entry, .. } => Some(Self::Struck(*entry)),
            what => what.replaces().map(Self::Replaced),
        }
    }
}

/// Which entries do not hold any more.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Events taken back.
    undone: HashSet<u64>,
    /// Entries struck.
    struck: HashSet<u64>,
    /// Entries read or rolled again, each with the entry that holds instead.
    replaced: HashMap<u64, u64>,
    /// What events that ended an entry said, in case that is taken back.
    said: HashMap<u64, Mark>,
}

impl Marks {
    /// Whether the entry holds no longer.
    pub(super) fn has_ended(&self, number: u64) -> bool {
        self.struck.contains(&number)
            || self.undone.contains(&number)
            || self.replaced.contains_key(&number)
    }

    /// The entry that holds instead of this one.
    pub(super) fn replaced_by(&self, number: u64) -> Option<u64> {
        self.replaced.get(&number).copied()
    }

    /// Takes in what the event of that number says, the next one after all that were taken in.
    pub(super) fn take(&mut self, number: u64, mark: Mark) {
        match mark {
            Mark::Undone(event) => {
                self.undone.insert(event);
                self.let_hold(event);
            }
            Mark::Redone(event) => {
                self.undone.remove(&event);
                if let Some(said) = self.said.get(&event) {
                    self.end(event, *said);
                }
            }
            Mark::Struck(_) | Mark::Replaced(_) => {
                self.said.insert(number, mark);
                self.end(number, mark);
            }
        }
    }

    fn end(&mut self, number: u64, mark: Mark) {
        match mark {
            Mark::Struck(entry) => {
                self.struck.insert(entry);
            }
            Mark::Replaced(entry) => {
                self.replaced.insert(entry, number);
            }
            Mark::Undone(_) | Mark::Redone(_) => {}
        }
    }

    /// What the event of that number ended holds again.
    fn let_hold(&mut self, number: u64) {
        match self.said.get(&number) {
            Some(Mark::Struck(entry)) => {
                self.struck.remove(entry);
            }
            Some(Mark::Replaced(entry)) if self.replaced_by(*entry) == Some(number) => {
                self.replaced.remove(entry);
            }
            _ => {}
        }
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
