//! Undo across a game and its host.

use std::sync::Arc;

use super::updates::FollowedEntry;
use crate::marks::Mark;
use crate::{Entry, Inner};
use tableside_game::{CommandError, EntityRef, Event, EventKind, Game, HostRequestId};
use tableside_rules::System;

/// The undo or redo of an entry.
pub(super) struct Reversal {
    entry: Arc<Entry>,
    kind: EventKind,
}

/// Returns the kind of the event that reverses an entry: an undo, or a redo if the entry is an undo itself.
pub(crate) fn describe_reversal(entry: &Entry, system: System) -> EventKind {
    match entry.event.what.clone() {
        EventKind::Undone { event, text } => EventKind::Redone { event, text },
        EventKind::Redone { event, text } => EventKind::Undone { event, text },
        _ => EventKind::Undone {
            event: entry.number,
            text: entry.event.text(system),
        },
    }
}

impl Inner {
    /// Returns the event that reverses an event of this game. `reverse` reverses the changes of the game itself; the
    /// host is requested to undo the ticks that the event has caused there.
    pub(crate) fn reverse_with_host(
        &self,
        event: &Event,
        reverse: impl FnOnce(&Game, &Event) -> Result<Event, CommandError>,
    ) -> Result<Event, CommandError> {
        let own_changes = self.game.without_performed_requests(event);
        let reversed = reverse(&self.game, &own_changes)?;

        let host_entries = self.host_entries_of(event);
        if host_entries.is_empty() {
            return Ok(reversed);
        }
        Ok(self.game.request_host_undo(reversed, &host_entries))
    }

    /// Returns the entries of the host that fulfilled the requests of an event and were not undone since.
    fn host_entries_of(&self, event: &Event) -> Vec<u64> {
        let mut host_entries = Vec::new();
        for change in &event.changes {
            let EntityRef::HostRequest(id) = change.entity else {
                continue;
            };
            let is_pending = self
                .game
                .host_requests
                .iter()
                .any(|request| request.id == id);
            if change.to.is_null() || is_pending {
                continue;
            }
            if let Some(performed) = self.entry_that_performed(id)
                && performed.is_host_step()
                && !self.history.is_struck(performed.number)
            {
                host_entries.extend(performed.event.host_entry());
            }
        }
        host_entries
    }

    /// Returns the entry of this game with which a request was performed.
    fn entry_that_performed(&self, id: HostRequestId) -> Option<&Arc<Entry>> {
        let request = EntityRef::HostRequest(id);
        self.history.iter().rev().find(|entry| {
            let mut changes = entry.event.changes.iter();
            changes.any(|change| change.entity == request && change.to.is_null())
        })
    }

    /// Returns the reversal in this game that belongs to an undo or redo at the host. `None` if the entry is not an
    /// undo, or if this game has no separate event for the undone entry.
    pub(super) fn reversal_of_host_entry(&mut self, host_entry: &Entry) -> Option<Reversal> {
        let (undone, mark) = Mark::of(&host_entry.event.what)?;
        let own_entry = self.entry_that_followed(undone)?;
        let entry = match mark {
            Mark::Undone | Mark::Struck => own_entry,
            Mark::Redone => self.undo_of(own_entry.number)?,
            Mark::Replaced => return None,
        };
        let kind = describe_reversal(&entry, self.game.system);
        Some(Reversal { entry, kind })
    }

    /// Returns the newest undo of an entry.
    fn undo_of(&self, number: u64) -> Option<Arc<Entry>> {
        let mut newest_first = self.history.iter().rev();
        let undo = newest_first.find(|entry| match entry.event.what {
            EventKind::Undone { event, .. } => event == number,
            _ => false,
        })?;
        Some(Arc::clone(undo))
    }

    /// Returns the entry with which this game has followed one entry of the host. `None` if it has followed several
    /// entries of the host with one event.
    fn entry_that_followed(&mut self, host_entry: u64) -> Option<Arc<Entry>> {
        loop {
            let newest = self
                .history
                .iter()
                .rev()
                .find(|entry| {
                    let followed = entry.event.host_entry();
                    followed.is_some_and(|followed| followed <= host_entry)
                })
                .cloned();
            if let Some(newest) = newest {
                let is_step =
                    newest.is_host_step() && newest.event.host_entry() == Some(host_entry);
                return if is_step { Some(newest) } else { None };
            }

            let first = self.history.first();
            self.reach_back(first.saturating_sub(1)).ok()?;
            if self.history.first() >= first {
                return None;
            }
        }
    }

    /// Applies a reversal to `after`. If later changes prevent it, only the copies of the clocks follow the host.
    pub(super) fn follow_reversal(
        &self,
        host_entry: &Entry,
        reversal: Reversal,
        after: &mut Game,
    ) -> FollowedEntry {
        let Reversal { entry, mut kind } = reversal;
        if let Ok(reversed) = self.reverse(entry.number, &entry.event, kind.clone()) {
            after.apply(&reversed);
            return FollowedEntry::reversal(kind, Vec::new());
        }

        let followed = after.follow_ticks(&host_entry.event);
        match &mut kind {
            EventKind::Undone { text, .. } | EventKind::Redone { text, .. } => {
                text.push_str("; its effects stay, because they were changed later");
            }
            _ => {}
        }
        FollowedEntry::reversal(kind, followed.unmoved)
    }
}
