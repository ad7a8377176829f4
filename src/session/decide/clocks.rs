//! What people do with clocks.

use super::{named, numbered};
use crate::session::event::EntityKind;
use crate::session::{
    Attached, Change, Clock, ClockId, ClockKind, CommandError, Event, EventKind, LONGEST_NAME,
    MOST, MOST_TICKS, Session,
};
use crate::text::sanitise;

impl Session {
    pub(super) fn decide_add_clock(&self, clock: &Clock) -> Result<Event, CommandError> {
        if self.clocks.len() >= MOST {
            return Err(CommandError::TooMany("clock"));
        }
        let mut clock = clock.clone();
        clock.id = ClockId(self.next_id);
        self.settle_clock(&mut clock)?;
        if clock.kind == ClockKind::TugOfWar && clock.filled == 0 {
            clock.filled = clock.begins_at();
        }
        Ok(Event {
            what: EventKind::Added {
                kind: EntityKind::Clock,
                name: clock.name.clone(),
            },
            changes: vec![Change::Clock {
                at: self.clocks.len(),
                from: None,
                to: Some(Box::new(clock)),
            }],
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
        let mut after = clock.clone();
        self.settle_clock(&mut after)?;
        if after.kind != before.kind && after.filled == before.begins_at() {
            after.filled = after.begins_at();
        }
        let mut how = Vec::new();
        if before.name != after.name {
            how.push(format!("now named {}", after.name));
        }
        if before.segments != after.segments {
            how.push(format!(
                "{} to {} segments",
                before.segments.count(),
                after.segments.count()
            ));
        }
        if before.filled != after.filled {
            how.push(format!("{} to {} filled", before.filled, after.filled));
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
        if before.of_scene != after.of_scene {
            let words = if after.of_scene {
                "ends with the scene"
            } else {
                "outlasts the scene"
            };
            how.push(words.to_owned());
        }
        if before.race != after.race {
            how.push(match after.race.as_str() {
                "" => "in no named race".to_owned(),
                race => format!("in the race {race}"),
            });
        }
        if before.ends != after.ends {
            how.push(format!("between {}", after.end_names().join(" and ")));
        }
        if before.link != after.link {
            how.push(match after.link {
                None => "not linked any more".to_owned(),
                Some(link) => {
                    let other = self.known_clock(link.to)?;
                    format!("{} {} when full", link.then.id(), other.name)
                }
            });
        }
        if before.check != after.check {
            how.push(match &after.check {
                None => "filled by no check any more".to_owned(),
                Some(check) => format!("filled by {}", self.system.check(&check.check)?.label),
            });
        }
        if how.is_empty() {
            return Err(CommandError::Unchanged);
        }
        Ok(Event {
            what: EventKind::Edited {
                kind: EntityKind::Clock,
                name: before.name.clone(),
                how: how.join(", "),
            },
            changes: self.terms(before, after),
        })
    }

    /// From one form of a clock to another, in as few words as that takes.
    fn terms(&self, before: &Clock, after: Clock) -> Vec<Change> {
        let like_before = Clock {
            visibility: before.visibility,
            link: before.link,
            check: before.check.clone(),
            ..after.clone()
        };
        if like_before != *before {
            return vec![Change::Clock {
                at: self.place_of(before.id),
                from: Some(Box::new(before.clone())),
                to: Some(Box::new(after)),
            }];
        }
        let clock = before.id;
        let shown = (before.visibility != after.visibility).then_some(Change::Shown {
            clock,
            from: before.visibility,
            to: after.visibility,
        });
        let link = (before.link != after.link).then_some(Change::Link {
            clock,
            from: before.link,
            to: after.link,
        });
        let check = (before.check != after.check).then(|| Change::Attached {
            clock,
            from: before.check.clone(),
            to: after.check,
        });
        [shown, link, check].into_iter().flatten().collect()
    }

    pub(super) fn decide_remove_clock(&self, id: ClockId) -> Result<Event, CommandError> {
        let clock = self.known_clock(id)?;
        let mut changes = self.untied(&[id]);
        changes.push(Change::Clock {
            at: self.place_of(id),
            from: Some(Box::new(clock.clone())),
            to: None,
        });
        Ok(Event {
            what: EventKind::Removed {
                kind: EntityKind::Clock,
                name: clock.name.clone(),
            },
            changes,
        })
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
        let advance = self.advance(id, by);
        Ok(Event {
            what: EventKind::Ticked {
                clock: clock.name.clone(),
                by: i32::from(to) - i32::from(clock.filled),
                filled: to,
                of: clock.segments.count(),
                then: advance.then.join("; "),
            },
            changes: advance.changes,
        })
    }

    fn place_of(&self, id: ClockId) -> usize {
        let place = self.clocks.iter().position(|clock| clock.id == id);
        place.unwrap_or(self.clocks.len())
    }
}
