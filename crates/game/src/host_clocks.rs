//! Clocks of a host of many games: each game has a copy of every one that is not hidden. What would tick a copy here
//! is asked of the host, and what the host did then moves the copies of all games, with what follows at each.

use std::collections::BTreeMap;

use serde::Deserialize as _;

use super::Part;
use super::clock_advance::describe_movement;
use super::decide::free_name;
use super::{
    Change, Clock, ClockId, EntityRef, Event, EventKind, Game, HostAction, HostRequest,
    HostRequestId, Segments, Visibility, differences,
};

/// What the ticks of one event of the host came to.
#[derive(Debug, Default)]
pub struct FollowedTicks {
    /// The copy of the clock that was ticked, with its name.
    pub ticked: Option<(ClockId, String)>,
    /// What else came of it, in words.
    pub then: Vec<String>,
    /// Copies that went round or may start now, and so stand as they stood: see [`Game::touches`].
    pub touched: Vec<ClockId>,
}

/// Says that a tick of a clock is asked of the host.
pub fn describe_host_tick(clock: &str, by: i32) -> String {
    format!("{clock} {by:+} is asked of the host")
}

impl Event {
    /// The entry of the host up to which a game followed with this event.
    pub fn host_entry(&self) -> Option<u64> {
        let mut changes = self.changes.iter();
        let reached = changes.find(|change| change.entity == EntityRef::HostLog)?;
        reached.to.as_u64()
    }
}

impl EventKind {
    /// The tick of a clock of the host, as one of its copy.
    pub fn ticked_as(mut self, name: String, words: String) -> Self {
        if let Self::Ticked { clock, then, .. } = &mut self {
            (*clock, *then) = (name, words);
        }
        self
    }
}

impl Game {
    /// The copy of that clock of the host.
    pub fn host_copy(&self, of: ClockId) -> Option<&Clock> {
        self.clocks.iter().find(|clock| clock.follows == Some(of))
    }

    /// Notes down what the host is to do.
    pub(super) fn request_from_host(&mut self, act: HostAction) {
        let id = HostRequestId(self.take_id());
        self.asked.push(HostRequest { id, act });
    }

    /// Notes down that the host is to tick the clock that this copy follows, where that changes something; returns
    /// the words for it.
    pub(super) fn request_host_tick(&mut self, copy: &Clock, by: i32) -> Option<String> {
        let moves = copy.after(by) != copy.filled || copy.again(by).is_some();
        let clock = copy.follows.filter(|_| moves)?;
        self.request_from_host(HostAction::Tick { clock, by });
        Some(describe_host_tick(&copy.name, by))
    }

    /// The event with these entries of the host to be taken back, too.
    pub fn request_host_undo(&self, mut event: Event, entries: Vec<u64>) -> Event {
        let mut before = self.clone();
        before.apply(&event);
        let mut after = before.clone();
        for entry in entries {
            after.request_from_host(HostAction::TakeBack { entry });
        }
        event.changes.extend(differences(&before, &after));
        event
    }

    /// Advances the copies of clocks that an event of the host moved, as a tick advances a clock here: links follow.
    pub fn follow_ticks(&mut self, event: &Event) -> FollowedTicks {
        let mut followed = FollowedTicks::default();
        let meant = event.changes.first().map(|change| change.entity);
        for change in &event.changes {
            let (EntityRef::Clock(of), Part::Filled) = (change.entity, &change.part) else {
                continue;
            };
            let mut sides = change.sides::<u8>();
            let (Some(copy), Some(from), Some(to)) =
                (self.host_copy(of), sides.next(), sides.next())
            else {
                continue;
            };
            let id = copy.id;
            let ticked = Some(&event.what).filter(|_| meant == Some(change.entity));
            let rise = i32::from(to) - i32::from(from);
            let has_turned = |one: &Change| one.is_of(change.entity, &Part::Turns);
            if rise == 0 && ticked.is_none() {
                // Nothing moved: it may start now, which only the host shows.
                continue;
            }
            let mut before = self.clone();
            let clock = before.clock_mut(id).expect("it is a copy of this game");
            // In the host's place, where it ticks like any other.
            clock.follows = None;
            clock.filled = from.min(clock.segments.count());
            let clock = clock.clone();
            let by = match &event.what {
                EventKind::Ticked { by, .. } if ticked.is_some() => *by,
                // One that starts again.
                EventKind::Ticked { .. } | EventKind::Scene { .. } | EventKind::Round { .. }
                    if event.changes.iter().any(has_turned) =>
                {
                    rise + i32::from(clock.segments.count())
                }
                _ => rise,
            };
            let chain = before.advance(self, id, by);
            let sizes = event.changes.iter();
            let mut sizes = sizes.filter(|one| one.is_of(change.entity, &Part::Segments));
            let size = sizes.find_map(|one| Segments::deserialize(&one.to).ok());
            let copy = self.clock_mut(id).expect("clocks do not go when one ticks");
            copy.segments = size.unwrap_or(copy.segments);
            copy.filled = to.min(copy.segments.count());
            followed.touched.extend(&chain.unchanged);
            if let Some(EventKind::Ticked { .. }) = ticked {
                followed.ticked = Some((id, clock.name));
            } else {
                followed.then.push(describe_movement(&clock, to));
            }
            followed.then.extend(chain.texts().map(str::to_owned));
        }
        followed
    }

    /// Has a copy of each of these clocks of the host, as it is there but for its check and its link, which are this
    /// game's own. Those of a character and those of a rule have none, and hidden ones only where they were shown before:
    /// what was linked to them stays so.
    pub fn mirror_host_clocks(&mut self, host: &[Clock]) {
        let is_shown = |clock: &&Clock| {
            let is_known =
                clock.visibility != Visibility::Hidden || self.host_copy(clock.id).is_some();
            is_known && clock.owner.is_none() && clock.rule.is_none()
        };
        let shown: Vec<&Clock> = host.iter().filter(is_shown).collect();
        let has_gone = |of: ClockId| shown.iter().all(|clock| clock.id != of);
        self.remove_clocks(|clock| clock.follows.is_some_and(has_gone));
        for one in shown {
            let known = self.host_copy(one.id).cloned();
            let id = known.as_ref().map(|known| known.id);
            let id = id.unwrap_or_else(|| ClockId(self.take_id()));
            let others = self.clocks.iter().filter(|other| other.id != id);
            let beside = others.filter(|other| other.owner.is_none());
            let copy = Clock {
                id,
                name: free_name(&one.name, beside.map(|other| &*other.name)),
                follows: Some(one.id),
                link: known.as_ref().and_then(|known| known.link),
                check: known.and_then(|known| known.check),
                of_scene: false,
                every: BTreeMap::new(),
                ..one.clone()
            };
            match self.clock_mut(id) {
                Some(known) => *known = copy,
                None => self.clocks.push(copy),
            }
        }
    }
}
