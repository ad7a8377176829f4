//! What people do with clocks.

use super::{named, numbered};
use crate::session::event::Thing;
use crate::session::{Change, Clock, ClockId, Event, MOST, Refusal, Session, What};

impl Session {
    pub(super) fn decide_add_clock(&self, clock: &Clock) -> Result<Event, Refusal> {
        if self.clocks.len() >= MOST {
            return Err(Refusal::TooMany("clock"));
        }
        let owner = clock.owner;
        let beside = self.clocks.iter().filter(|other| other.owner == owner);
        let mut clock = clock.clone();
        clock.id = ClockId(self.next_id);
        clock.name = named(
            "clock",
            &clock.name,
            beside.map(|other| other.name.as_str()),
        )?;
        clock.filled = clock.filled.min(clock.segments.count());
        Ok(Event {
            what: What::Added {
                kind: Thing::Clock,
                name: clock.name.clone(),
            },
            changes: vec![Change::Clock {
                at: self.clocks.len(),
                from: None,
                to: Some(Box::new(clock)),
            }],
        })
    }

    pub(super) fn decide_duplicate_clock(&self, id: ClockId) -> Result<Event, Refusal> {
        let original = self.known_clock(id)?;
        let names = self.clocks.iter().map(|clock| clock.name.as_str());
        let mut copy = original.clone();
        copy.name = numbered(&original.name, names);
        copy.filled = 0;
        self.decide_add_clock(&copy)
    }

    pub(super) fn decide_edit_clock(&self, clock: &Clock) -> Result<Event, Refusal> {
        let before = self.known_clock(clock.id)?;
        let beside = self
            .clocks
            .iter()
            .filter(|other| other.id != clock.id && other.owner == clock.owner);
        let mut after = clock.clone();
        after.name = named(
            "clock",
            &after.name,
            beside.map(|other| other.name.as_str()),
        )?;
        after.filled = after.filled.min(after.segments.count());
        let mut how = Vec::new();
        if before.name != after.name {
            how.push(format!("now named {}", after.name));
        }
        if before.segments != after.segments {
            how.push(format!(
                "{} → {} segments",
                before.segments.count(),
                after.segments.count()
            ));
        }
        if before.filled != after.filled {
            how.push(format!("{} → {} filled", before.filled, after.filled));
        }
        if before.kind != after.kind {
            how.push(after.kind.id().to_owned());
        }
        if before.visibility != after.visibility {
            how.push(after.visibility.id().to_owned());
        }
        if before.owner != after.owner {
            how.push(format!("belongs to {}", self.owner_name(after.owner)));
        }
        if how.is_empty() {
            return Err(Refusal::Unchanged);
        }
        Ok(Event {
            what: What::Edited {
                kind: Thing::Clock,
                name: before.name.clone(),
                how: how.join(", "),
            },
            changes: vec![Change::Clock {
                at: self.place_of(clock.id),
                from: Some(Box::new(before.clone())),
                to: Some(Box::new(after)),
            }],
        })
    }

    pub(super) fn decide_remove_clock(&self, id: ClockId) -> Result<Event, Refusal> {
        let clock = self.known_clock(id)?;
        Ok(Event {
            what: What::Removed {
                kind: Thing::Clock,
                name: clock.name.clone(),
            },
            changes: vec![Change::Clock {
                at: self.place_of(id),
                from: Some(Box::new(clock.clone())),
                to: None,
            }],
        })
    }

    pub(super) fn decide_tick(&self, id: ClockId, by: i32) -> Result<Event, Refusal> {
        let clock = self.known_clock(id)?;
        let to = clock.after(by);
        if to == clock.filled {
            return Err(Refusal::ClockAtEnd {
                clock: clock.name.clone(),
                state: if by > 0 { "full" } else { "empty" },
                filled: clock.filled,
                of: clock.segments.count(),
            });
        }
        Ok(Event {
            what: What::Ticked {
                clock: clock.name.clone(),
                by: i32::from(to) - i32::from(clock.filled),
                filled: to,
                of: clock.segments.count(),
            },
            changes: vec![Change::Filled {
                clock: id,
                from: clock.filled,
                to,
            }],
        })
    }

    fn place_of(&self, id: ClockId) -> usize {
        let place = self.clocks.iter().position(|clock| clock.id == id);
        place.unwrap_or(self.clocks.len())
    }
}
