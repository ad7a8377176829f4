//! What people do with clocks.

use super::{named, numbered};
use crate::session::entity::replace;
use crate::session::event::EntityKind;
use crate::session::{
    Attached, Clock, ClockId, ClockKind, CommandError, Event, EventKind, LONGEST_NAME, MOST,
    MOST_TICKS, Session, Subject, edits,
};
use crate::text::sanitise;

impl Session {
    pub(super) fn add_clock(&mut self, clock: &Clock) -> Result<ClockId, CommandError> {
        if self.clocks.len() >= MOST {
            return Err(CommandError::TooMany("clock"));
        }
        let mut clock = clock.clone();
        let id = ClockId(self.take_id());
        clock.id = id;
        self.settle_clock(&mut clock)?;
        if clock.kind == ClockKind::TugOfWar && clock.filled == 0 {
            clock.filled = clock.begins_at();
        }
        self.clocks.push(clock);
        Ok(id)
    }

    pub(super) fn decide_add_clock(&self, clock: &Clock) -> Result<Event, CommandError> {
        self.added(EntityKind::Clock, |after| {
            let id = after.add_clock(clock)?;
            Ok(after.known_clock(id)?.name.clone())
        })
    }

    /// Makes a clock fit to be kept, or says what is wrong with it.
    fn settle_clock(&self, clock: &mut Clock) -> Result<(), CommandError> {
        let (id, owner) = (clock.id, clock.owner);
        let beside = self.clocks.iter();
        let beside = beside.filter(|other| other.id != id && other.owner == owner);
        let names = beside.map(|other| other.name.as_str());
        clock.name = named("clock", &clock.name, names)?;
        clock.filled = clock.filled.min(clock.segments.count());
        // A character's clock goes with the character.
        clock.of_scene &= owner.is_none();
        clock.race = sanitise(clock.race.trim(), LONGEST_NAME).into_owned();
        let ends = clock.ends.take();
        let ends = ends.map(|ends| ends.map(|end| sanitise(end.trim(), LONGEST_NAME).into_owned()));
        clock.ends = ends.filter(|ends| ends.iter().any(|end| !end.is_empty()));
        let wrong = |problem: String| CommandError::Clock {
            clock: clock.name.clone(),
            problem,
        };
        if let Some(link) = clock.link {
            if link.to == id {
                return Err(wrong("it cannot be linked to itself".to_owned()));
            }
            let other = self.known_clock(link.to)?;
            let mut next = Some(other);
            let mut steps = self.clocks.len();
            while let Some(further) = next.filter(|_| steps > 0) {
                if further.id == id {
                    return Err(wrong(format!(
                        "{} leads back to it already; links in a circle would never end",
                        other.name
                    )));
                }
                next = further.link.and_then(|link| self.clock(link.to));
                steps -= 1;
            }
        }
        if let Some(attached) = &mut clock.check {
            self.settle_check(attached)?;
        }
        Ok(())
    }

    /// Tries a clock's check against the sheet of the one who rolls it.
    fn settle_check(&self, attached: &mut Attached) -> Result<(), CommandError> {
        let spec = self.system.check(&attached.check)?;
        if let Some(who) = attached.who {
            self.known_character(who)?;
        }
        attached.fields.sort();
        attached.ticks.sort();
        self.fill_attached(attached, attached.who)?;
        attached.named = self.named_in(spec, attached.who, &attached.fields);
        for (outcome, ticks) in &attached.ticks {
            if spec.outcome_named(outcome).is_none() {
                let known = spec.outcomes.iter().map(|outcome| outcome.id);
                return Err(CommandError::Unknown {
                    kind: "outcome",
                    given: outcome.chars().take(40).collect(),
                    known: format!("; {} has {}", spec.id, known.collect::<Vec<_>>().join(", ")),
                });
            }
            if ticks.abs() > MOST_TICKS {
                return Err(CommandError::Ticks {
                    outcome: outcome.clone(),
                    ticks: *ticks,
                });
            }
        }
        Ok(())
    }

    pub(super) fn decide_duplicate_clock(&self, id: ClockId) -> Result<Event, CommandError> {
        let original = self.known_clock(id)?;
        let names = self.clocks.iter().map(|clock| clock.name.as_str());
        let mut copy = original.clone();
        copy.name = numbered(&original.name, names);
        copy.filled = original.begins_at();
        self.decide_add_clock(&copy)
    }

    pub(super) fn decide_edit_clock(&self, clock: &Clock) -> Result<Event, CommandError> {
        let before = self.known_clock(clock.id)?;
        let mut edited = clock.clone();
        self.settle_clock(&mut edited)?;
        if edited.kind != before.kind && edited.filled == before.begins_at() {
            edited.filled = edited.begins_at();
        }
        let how = edits::of_clock(before, &edited, self);
        let mut after = self.clone();
        replace(&mut after.clocks, edited);
        self.edited((EntityKind::Clock, &before.name), &how, &after)
    }

    pub(super) fn decide_remove_clock(&self, id: ClockId) -> Result<Event, CommandError> {
        let name = &self.known_clock(id)?.name;
        Ok(self.removed(EntityKind::Clock, name, |after| {
            after.remove_clocks(|clock| clock.id == id);
        }))
    }

    pub(super) fn decide_tick(&self, id: ClockId, by: i32) -> Result<Event, CommandError> {
        let clock = self.known_clock(id)?;
        if by == 0 {
            return Err(CommandError::Unchanged);
        }
        let to = clock.after(by);
        if to == clock.filled {
            return Err(CommandError::ClockAtEnd {
                clock: clock.name.clone(),
                state: if by > 0 { "full" } else { "empty" },
                filled: clock.filled,
                of: clock.segments.count(),
            });
        }
        if let Some(stands) = self.stands(clock).filter(|_| by > 0) {
            return Err(stands);
        }
        let mut after = self.clone();
        let advance = self.advance(&mut after, id, by);
        let what = EventKind::Ticked {
            clock: clock.name.clone(),
            by: i32::from(to) - i32::from(clock.filled),
            filled: to,
            of: clock.segments.count(),
            then: advance.then.join("; "),
        };
        let mut event = self.event(what, &after);
        event.changes.splice(0..0, advance.started);
        // The one that was meant stands first: who may see it reads of it, whatever else is hidden.
        event
            .changes
            .sort_by_key(|change| change.of != Subject::Clock(id));
        Ok(event)
    }
}
