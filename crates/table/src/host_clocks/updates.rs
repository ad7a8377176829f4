//! Divides the host's log into updates, each of which becomes one event of a game.

use std::sync::Arc;

use super::HostChanges;
use crate::marks::{Mark, Marks, PlacedMark};
use crate::{Entry, Inner, SeatId};
use tableside_game::{
    Change, Clock, ClockId, CommandError, EntityKind, EntityRef, Event, EventKind, Game, GameActor,
    HostRequestId, SharedList, describe_differences, differences,
};

/// The number of differences in the message of an event that sums up several entries.
const MOST_DESCRIBED: usize = 8;

/// An update that becomes one event of the game.
#[derive(Clone, Debug, PartialEq)]
pub enum HostUpdate {
    Entries(HostBatch),
    Declined(Vec<DeclinedRequest>),
}

/// Entries of the host's log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostBatch {
    entries: Vec<Arc<Entry>>,
    /// All clocks of the host after the last entry; only in the newest batch.
    clocks: Option<SharedList<Clock>>,
    /// The number of the last entry.
    last: u64,
}

/// A request that the host has refused.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclinedRequest {
    pub(super) id: HostRequestId,
    pub(super) reason: String,
}

/// The number of events with which a game follows the host.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Pace {
    /// One event for each entry of the host.
    EachEntry,
    /// One event for all entries.
    SumUp,
}

/// The player or GM who caused an event at the host, as the game's log shows it.
pub(super) struct UpdateActor {
    pub(super) name: String,
    /// The seat in this game, or [`SeatId::NOBODY`].
    pub(super) seat: SeatId,
    /// The actor's name and game. `None` for an actor of this game.
    elsewhere: Option<GameActor>,
}

/// The effects of one entry of the host on a game.
#[derive(Default)]
pub(super) struct FollowedEntry {
    /// The kind of the game's event. `None` if the event describes the differences.
    kind: Option<EventKind>,
    /// The copy of the clock that was ticked.
    ticked: Option<ClockId>,
    /// Clocks that were triggered but have the same fill as before.
    unmoved: Vec<ClockId>,
}

impl HostChanges {
    /// Divides the changes into updates for a game that has followed the host up to an entry.
    pub(super) fn into_updates(mut self, followed: u64, pace: Pace) -> Vec<HostUpdate> {
        if pace == Pace::SumUp {
            self.remove_undone_entries(followed);
        }

        // Each undo becomes a separate event, because it undoes an entry of the game.
        let is_summed_up = |entry: &Arc<Entry>| {
            let mark = Mark::of(&entry.event.what);
            pace == Pace::SumUp && mark.is_none()
        };
        let chunks = self
            .entries
            .chunk_by(|entry, next| is_summed_up(entry) && is_summed_up(next));
        let mut batches = Vec::new();
        for entries in chunks {
            let last = match entries.last() {
                Some(entry) => entry.number,
                None => followed,
            };
            batches.push(HostBatch {
                entries: entries.to_vec(),
                clocks: None,
                last,
            });
        }

        // Even without entries, the clocks are new for a game that has never followed the host.
        if batches.is_empty() {
            batches.push(HostBatch::default());
        }
        if let Some(newest) = batches.last_mut() {
            newest.clocks = Some(self.clocks);
            newest.last = self.last;
        }
        batches.into_iter().map(HostUpdate::Entries).collect()
    }

    /// Removes entries that were undone later, together with their undos, unless the game has followed the entry.
    fn remove_undone_entries(&mut self, followed: u64) {
        let mut marks = Marks::default();
        for entry in &self.entries {
            let kind = &entry.event.what;
            if let Some(mark) = PlacedMark::of(entry.number, kind) {
                marks.add(mark);
            }
        }

        self.entries.retain(|entry| {
            let mark = Mark::of(&entry.event.what);
            match mark {
                Some((undone, _)) if undone > followed => false,
                _ => !marks.is_ended(entry.number),
            }
        });
    }
}

impl HostUpdate {
    /// Returns the actor who caused the update. `game` is the name of the following game.
    pub(super) fn actor(&self, game: &str) -> UpdateActor {
        let Self::Entries(batch) = self else {
            return UpdateActor::host();
        };
        let [entry] = batch.entries.as_slice() else {
            return UpdateActor::host();
        };

        let actor = match entry.event.at.as_deref() {
            Some(actor) if actor.game == game => {
                return UpdateActor {
                    name: actor.name.clone(),
                    seat: entry.seat,
                    elsewhere: None,
                };
            }
            Some(actor) => GameActor {
                request: None,
                ..actor.clone()
            },
            None => GameActor {
                name: entry.by.clone(),
                ..GameActor::default()
            },
        };
        UpdateActor {
            name: actor.to_string(),
            seat: SeatId::NOBODY,
            elsewhere: Some(actor),
        }
    }
}

impl UpdateActor {
    fn host() -> Self {
        Self {
            name: "the host".to_owned(),
            seat: SeatId::NOBODY,
            elsewhere: None,
        }
    }
}

impl Inner {
    /// Returns the event with which this game follows an update.
    pub(crate) fn decide_host_update(
        &mut self,
        update: &HostUpdate,
    ) -> Result<Event, CommandError> {
        match update {
            HostUpdate::Entries(batch) => {
                let mut event = self.follow_batch(batch)?;
                let actor = update.actor(&self.game_name());
                event.at = actor.elsewhere.map(Box::new);
                Ok(event)
            }
            HostUpdate::Declined(declined) => self.remove_declined_requests(declined),
        }
    }

    fn follow_batch(&mut self, batch: &HostBatch) -> Result<Event, CommandError> {
        let before = self.game.clone();
        let mut after = before.clone();

        let is_summary = batch.entries.len() != 1;
        let mut outcome = FollowedEntry::default();
        for entry in &batch.entries {
            if entry.number <= before.followed {
                continue;
            }
            self.remove_performed_request(entry, &mut after);
            let followed = self.follow_entry(entry, &mut after);
            outcome.unmoved.extend(followed.unmoved);
            if !is_summary {
                outcome.kind = followed.kind;
                outcome.ticked = followed.ticked;
            }
        }

        if batch.last > before.followed
            && let Some(clocks) = &batch.clocks
        {
            after.mirror_host_clocks(clocks);
        }
        outcome.into_event(&before, after, batch.last)
    }

    /// Removes the saved request that an entry of the host has fulfilled.
    fn remove_performed_request(&self, entry: &Entry, after: &mut Game) {
        if let Some(actor) = entry.event.at.as_deref()
            && actor.game == self.game_name()
            && let Some(id) = actor.request
        {
            after.host_requests.retain(|request| request.id != id);
        }
    }

    fn follow_entry(&mut self, entry: &Entry, after: &mut Game) -> FollowedEntry {
        if let Some(reversal) = self.reversal_of_host_entry(entry) {
            return self.follow_reversal(entry, reversal, after);
        }

        let followed = after.follow_ticks(&entry.event);
        let unmoved = followed.unmoved;
        match followed.ticked {
            Some(copy) => {
                let messages = followed.messages.join("; ");
                let host_kind = entry.event.what.clone();
                let own_kind = host_kind.ticked_as(copy.name, messages);
                FollowedEntry {
                    kind: Some(own_kind),
                    ticked: Some(copy.id),
                    unmoved,
                }
            }
            None => FollowedEntry {
                unmoved,
                ..FollowedEntry::default()
            },
        }
    }

    /// Removes requests that the host has refused, with the reasons in the log.
    fn remove_declined_requests(
        &self,
        declined: &[DeclinedRequest],
    ) -> Result<Event, CommandError> {
        let mut after = self.game.clone();
        let mut messages = Vec::new();
        for DeclinedRequest { id, reason } in declined {
            let count = after.host_requests.len();
            after.host_requests.retain(|request| request.id != *id);
            if after.host_requests.len() < count {
                messages.push(format!("the host refused a request: {reason}"));
            }
        }

        if messages.is_empty() {
            return Err(CommandError::Unchanged);
        }
        let changes = differences(&self.game, &after);
        Ok(Event::new(host_edit(&messages), changes))
    }
}

impl FollowedEntry {
    pub(super) fn reversal(kind: EventKind, unmoved: Vec<ClockId>) -> Self {
        Self {
            kind: Some(kind),
            ticked: None,
            unmoved,
        }
    }

    /// Returns the event from `before` to `after`, which has followed the host up to entry `last`.
    fn into_event(self, before: &Game, mut after: Game, last: u64) -> Result<Event, CommandError> {
        let moved = differences(before, &after);

        let mut unmoved = self.unmoved;
        unmoved.sort_unstable();
        unmoved.dedup();
        unmoved.retain(|id| {
            moved
                .iter()
                .all(|change| change.entity != EntityRef::Clock(*id))
        });
        let mut changes = after.touch_clocks(&unmoved);
        if moved.is_empty() && changes.is_empty() {
            return Err(CommandError::Unchanged);
        }

        let kind = match self.kind {
            Some(kind) => kind,
            None => {
                let all_changes = changes.iter().chain(&moved);
                describe_update(&after, all_changes)
            }
        };
        after.followed = last.max(before.followed);
        changes.extend(differences(before, &after));

        let mut event = Event::new(kind, changes);
        if let Some(copy) = self.ticked {
            event.begin_with(EntityRef::Clock(copy));
        }
        Ok(event)
    }
}

/// Describes changes of the copied clocks as an edit.
fn describe_update<'a>(after: &Game, changes: impl Iterator<Item = &'a Change>) -> EventKind {
    let described: Vec<Change> = changes
        .filter(|change| {
            !matches!(
                change.entity,
                EntityRef::HostRequest(_) | EntityRef::HostLog
            )
        })
        .cloned()
        .collect();
    let mut messages = describe_differences(after, &described);

    let omitted = messages.len().saturating_sub(MOST_DESCRIBED);
    if omitted > 0 {
        messages.truncate(MOST_DESCRIBED);
        messages.push(format!("and {omitted} more"));
    }
    host_edit(&messages)
}

fn host_edit(messages: &[String]) -> EventKind {
    EventKind::Edited {
        kind: EntityKind::Clock,
        name: "The host".to_owned(),
        how: messages.join("; "),
    }
}
