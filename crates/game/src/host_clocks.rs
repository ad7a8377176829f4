//! Host clocks: the clocks of the host's own game, of which every game of the host has copies.
//!
//! [`Clock::host_clock`] links a copy to its host clock. A tick of a copy becomes a [`HostRequest`]. When the
//! host's log shows the tick, [`Game::follow_ticks`] moves the copy and the clocks that are linked to it.

use std::collections::BTreeMap;

use serde::Deserialize as _;

use super::clock_advance::describe_movement;
use super::decide::free_name;
use super::{
    Change, Clock, ClockId, EntityRef, Event, EventKind, Game, HostAction, HostRequest,
    HostRequestId, Part, Segments, SharedList, Visibility, differences,
};

/// The effects of an event of the host on the copies in a game.
#[derive(Debug, Default)]
pub struct FollowedTicks {
    /// The copy of the clock that the host ticked.
    pub ticked: Option<TickedCopy>,
    /// Further effects, as log messages.
    pub messages: Vec<String>,
    /// Copies that started again with the same fill, or that may start now. Their fill is the same as before: see
    /// [`Game::touch_clocks`].
    pub unmoved: Vec<ClockId>,
}

/// A copy that follows a tick of its host clock.
#[derive(Debug)]
pub struct TickedCopy {
    pub id: ClockId,
    pub name: String,
}

/// Describes a requested tick for the log.
pub fn describe_host_tick(clock: &str, by: i32) -> String {
    format!("{clock} {by:+} requested from the host")
}

impl Event {
    /// Returns the number of the host's entry that this game followed with this event.
    pub fn host_entry(&self) -> Option<u64> {
        let mut changes = self.changes.iter();
        let followed = changes.find(|change| change.entity == EntityRef::HostLog)?;
        followed.to.as_u64()
    }
}

impl EventKind {
    /// Turns a tick of a host clock into the tick of its copy.
    #[must_use]
    pub fn ticked_as(mut self, copy: String, messages: String) -> Self {
        if let Self::Ticked { clock, then, .. } = &mut self {
            *clock = copy;
            *then = messages;
        }
        self
    }
}

impl Game {
    /// Returns the copy of a host clock.
    pub fn host_copy(&self, host_clock: ClockId) -> Option<&Clock> {
        let mut clocks = self.clocks.iter();
        clocks.find(|clock| clock.host_clock == Some(host_clock))
    }

    /// Saves a request to the host.
    fn request_from_host(&mut self, action: HostAction) {
        let id = HostRequestId(self.take_id());
        self.host_requests.push(HostRequest { id, action });
    }

    /// Requests a tick of the host clock of this copy, if the tick changes the clock. Returns the log message.
    pub(super) fn request_host_tick(&mut self, copy: &Clock, by: i32) -> Option<String> {
        let clock = copy.host_clock?;
        let changes_fill = copy.filled_after(by) != copy.filled;
        let restarts = copy.restart_after(by).is_some();
        if !changes_fill && !restarts {
            return None;
        }
        self.request_from_host(HostAction::Tick { clock, by });
        Some(describe_host_tick(&copy.name, by))
    }

    /// Adds to an event the requests that undo these entries of the host's log.
    pub fn request_host_undo(&self, mut event: Event, host_entries: &[u64]) -> Event {
        let mut before = self.clone();
        before.apply(&event);

        let mut after = before.clone();
        for &entry in host_entries {
            after.request_from_host(HostAction::Undo { entry });
        }
        event.changes.extend(differences(&before, &after));
        event
    }

    /// Returns the event without the changes that its undo must leave alone: the progress in the host's log, and
    /// requests that the host has performed since.
    #[must_use]
    pub fn without_performed_requests(&self, event: &Event) -> Event {
        let mut undoable = event.clone();
        undoable.changes.retain(|change| match change.entity {
            EntityRef::HostLog => false,
            EntityRef::HostRequest(id) => {
                let mut pending = self.host_requests.iter();
                pending.any(|request| request.id == id)
            }
            _ => true,
        });
        undoable
    }

    /// Moves the copies of the clocks that an event of the host moved, with the clocks that are linked to them.
    pub fn follow_ticks(&mut self, event: &Event) -> FollowedTicks {
        let mut followed = FollowedTicks::default();
        for step in host_steps(event) {
            self.follow_step(event, &step, &mut followed);
        }
        followed
    }

    fn follow_step(&mut self, event: &Event, step: &HostStep, followed: &mut FollowedTicks) {
        let Some(copy) = self.host_copy(step.clock) else {
            return;
        };
        let id = copy.id;

        // The copy gets the fill that the host clock had before the step. The copy is disconnected from the host clock,
        // so that it ticks in this game.
        let mut before = self.clone();
        let unlinked = before.clock_mut(id).expect("the copy was found above");
        unlinked.host_clock = None;
        unlinked.filled = step.from.min(unlinked.segments.count());
        let clock = unlinked.clone();

        let segments = step.advance_of(&clock, event);
        let chain = before.advance(self, id, segments);

        let copy = self.clock_mut(id).expect("a tick removes no clock");
        if let Some(segments) = step.new_segments(event) {
            copy.segments = segments;
        }
        copy.filled = step.to.min(copy.segments.count());

        if step.is_ticked {
            let name = clock.name;
            followed.ticked = Some(TickedCopy { id, name });
        } else {
            let movement = describe_movement(&clock, step.to);
            followed.messages.push(movement);
        }
        for text in chain.texts() {
            followed.messages.push(text.to_owned());
        }
        followed.unmoved.extend(&chain.unchanged);
    }

    /// Updates the copies of all host clocks. A copy has its own link and check; everything else is the host clock's.
    ///
    /// Clocks of characters and of rules have no copies. If a host clock becomes hidden, a game keeps its copy, because
    /// other clocks may be linked to the copy.
    pub fn mirror_host_clocks(&mut self, host_clocks: &SharedList<Clock>) {
        let mut mirrored = Vec::new();
        let mut mirrored_ids = Vec::new();
        for clock in host_clocks {
            let is_hidden = clock.visibility == Visibility::Hidden;
            let is_known = !is_hidden || self.host_copy(clock.id).is_some();
            if is_known && clock.owner.is_none() && clock.rule.is_none() {
                mirrored.push(clock);
                mirrored_ids.push(clock.id);
            }
        }

        self.remove_clocks(|clock| match clock.host_clock {
            Some(host_clock) => !mirrored_ids.contains(&host_clock),
            None => false,
        });

        for host_clock in mirrored {
            self.mirror_host_clock(host_clock);
        }
    }

    fn mirror_host_clock(&mut self, host_clock: &Clock) {
        let present = self.host_copy(host_clock.id).cloned();
        let id = match &present {
            Some(copy) => copy.id,
            None => ClockId(self.take_id()),
        };
        let other_names = self
            .clocks
            .iter()
            .filter(|other| other.id != id)
            .filter(|other| other.owner.is_none())
            .map(|other| other.name.as_str());
        let copy = Clock {
            id,
            name: free_name(&host_clock.name, other_names),
            host_clock: Some(host_clock.id),
            link: present.as_ref().and_then(|copy| copy.link),
            check: present.and_then(|copy| copy.check),
            of_scene: false,
            every: BTreeMap::new(),
            ..host_clock.clone()
        };

        match self.clock_mut(id) {
            Some(present) => *present = copy,
            None => self.clocks.push(copy),
        }
    }
}

/// A change of a host clock's fill.
struct HostStep {
    clock: ClockId,
    from: u8,
    to: u8,
    /// True if the event is a tick of this clock. Other clocks of the event moved because of links.
    is_ticked: bool,
}

impl HostStep {
    /// Returns the number of segments by which the clock was advanced, which is more than its rise if it started again.
    fn advance_of(&self, clock: &Clock, event: &Event) -> i32 {
        if let EventKind::Ticked { by, .. } = event.what
            && self.is_ticked
        {
            return by;
        }

        let rise = i32::from(self.to) - i32::from(self.from);
        let can_start_again = matches!(
            event.what,
            EventKind::Ticked { .. }
                | EventKind::Scene { .. }
                | EventKind::Round { .. }
                | EventKind::Initiative { .. }
                | EventKind::Turn { .. }
        );
        let mut turns = self.changes(event, &Part::Turns);
        let has_turned = turns.next().is_some();
        if can_start_again && has_turned {
            rise + i32::from(clock.segments.count())
        } else {
            rise
        }
    }

    /// Returns the new size of the clock, if the event changed it.
    fn new_segments(&self, event: &Event) -> Option<Segments> {
        let mut changes = self.changes(event, &Part::Segments);
        changes.find_map(|change| Segments::deserialize(&change.to).ok())
    }

    fn changes<'a>(&self, event: &'a Event, part: &Part) -> impl Iterator<Item = &'a Change> {
        let clock = EntityRef::Clock(self.clock);
        event
            .changes
            .iter()
            .filter(move |change| change.is_of(clock, part))
    }
}

/// Returns the steps of clocks in an event of the host. The clock that was ticked comes first.
fn host_steps(event: &Event) -> Vec<HostStep> {
    let is_tick = matches!(event.what, EventKind::Ticked { .. });
    let first_subject = event.changes.first().map(|change| change.entity);
    let mut steps = Vec::new();
    for change in &event.changes {
        let EntityRef::Clock(clock) = change.entity else {
            continue;
        };
        if change.part != Part::Filled {
            continue;
        }
        let mut sides = change.sides::<u8>();
        let Some(from) = sides.next() else {
            continue;
        };
        let Some(to) = sides.next() else {
            continue;
        };

        let is_first = first_subject == Some(change.entity);
        // A clock that may start now appears in the event with an unchanged fill.
        if from != to || is_first {
            steps.push(HostStep {
                clock,
                from,
                to,
                is_ticked: is_first && is_tick,
            });
        }
    }
    steps
}
