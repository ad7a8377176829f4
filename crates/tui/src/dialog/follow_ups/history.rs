//! The entries after a roll, which show the follow-ups that were done.

use std::iter::successors;
use std::sync::Arc;

use crate::dialog::follow_ups::{FollowUp, LabelledFollowUp, OfferedCheck, OfferedCommand};
use tableside_game::{
    Change, CharacterId, Command, EntityRef, Event, EventKind, NOTHING_FOLLOWS, Part,
    PendingEffects, Roll,
};
use tableside_table::{Entry, SeatView};

/// A roll, and the entries after it that may have done its follow-ups.
pub(super) struct RollHistory<'a> {
    pub(super) roll: &'a Roll,
    /// The number of the entry of the roll.
    pub(super) number: u64,
    /// The numbers of the entry and of the entries that it amends or re-rolls, the newest first.
    readings: Vec<u64>,
    /// The other entries since the first reading, except undone ones.
    pub(super) later: Vec<Arc<Entry>>,
}

impl<'a> RollHistory<'a> {
    pub(super) fn of(number: u64, roll: &'a Roll, view: &SeatView<'_>) -> Self {
        let older_reading = |reading: &u64| view.replaces(*reading);
        let readings: Vec<u64> = successors(Some(number), older_reading).collect();
        let first_reading = readings.last().copied().unwrap_or(number);
        let later = view
            .log_since(first_reading + 1)
            .filter(|entry| entry.number != number && !view.is_struck(entry.number))
            .collect();
        Self {
            roll,
            number,
            readings,
            later,
        }
    }

    /// Returns true if an event is a follow-up of one of the readings.
    pub(super) fn is_follow_up(&self, event: &Event) -> bool {
        let followed = event.follows;
        followed.is_some_and(|number| self.readings.contains(&number))
    }

    /// Returns true if the GM declined all follow-ups.
    pub(super) fn is_declined(&self) -> bool {
        self.later.iter().any(|entry| {
            let EventKind::Noted { text, about, .. } = &entry.event.what else {
                return false;
            };
            *about == Some(self.number) && text == NOTHING_FOLLOWS
        })
    }

    /// Returns true if a command was done since, as a follow-up of one of the readings or, for a tick, by hand.
    pub(super) fn is_done(&self, command: &Command, view: &SeatView<'_>) -> bool {
        let is_tick = matches!(command, Command::Tick { .. });

        self.later.iter().any(|entry| {
            let event = &entry.event;
            let is_tick_by_hand = is_tick && matches!(event.what, EventKind::Ticked { .. });
            if !is_tick_by_hand && !self.is_follow_up(event) {
                return false;
            }
            event
                .changes
                .iter()
                .any(|change| touches(command, change, view))
        })
    }

    /// Returns true if the effects were applied after the roll: by a button, or by hand before the next roll.
    pub(super) fn is_applied(&self, group: &PendingEffects, view: &SeatView<'_>) -> bool {
        let next_roll = self
            .later
            .iter()
            .filter(|entry| entry.number > self.number && entry.roll().is_some())
            .map(|entry| entry.number)
            .min();

        self.later.iter().any(|entry| {
            let event = &entry.event;
            if event.follows.is_some() {
                return self.is_follow_up(event) && view.applies(&group.effects, event);
            }
            let is_by_hand = entry.roll().is_none();
            let is_before_next_roll = next_roll.is_none_or(|next| entry.number < next);
            is_by_hand && is_before_next_roll && view.applies_by_hand(&group.effects, event)
        })
    }

    /// Returns true if the offered check was rolled since. A check that is offered to several candidates is rolled
    /// once.
    pub(super) fn is_rolled(&self, offer: &OfferedCheck, view: &SeatView<'_>) -> bool {
        let has_candidates = view.lacks(offer.role, self.roll);
        self.later
            .iter()
            .filter_map(|entry| entry.roll())
            .filter(|roll| roll.check == offer.check.id)
            .any(|roll| has_candidates || roll.id == offer.who)
    }

    pub(super) fn as_follow_up(&self, command: Command) -> FollowUp {
        let then = Box::new(command);
        let entry = self.number;
        FollowUp::Do(Command::Follow { entry, then }.into())
    }

    /// Labels an offered command. It is open until it was done.
    pub(super) fn labelled(&self, offer: OfferedCommand, view: &SeatView<'_>) -> LabelledFollowUp {
        let is_open = !self.is_done(&offer.command, view);
        LabelledFollowUp {
            label: offer.label,
            open: is_open.then(|| self.as_follow_up(offer.command)),
        }
    }
}

/// Returns true if a change affects the value that a command would change.
fn touches(command: &Command, change: &Change, view: &SeatView<'_>) -> bool {
    let is_stat = |who: CharacterId, name: &str| change.stat() == Some((who, name));
    match command {
        Command::SetConditions { who, .. } => {
            change.is_of(EntityRef::Character(*who), &Part::Conditions)
        }
        Command::SetStat { who, stat, .. } => is_stat(*who, stat),
        Command::Damage { who, .. } => is_stat(*who, "hit-points"),
        Command::TreatWounds { who, .. } => is_stat(*who, "wounds"),
        Command::FirstAid { who, of, .. } => {
            let clock = view.system().spec().clock(*of);
            clock.is_some_and(|clock| is_stat(*who, clock.overflow))
        }
        Command::Tick { clock, .. } => change.is_of(EntityRef::Clock(*clock), &Part::Filled),
        Command::All(commands) => commands
            .iter()
            .any(|command| touches(command, change, view)),
        _ => false,
    }
}
