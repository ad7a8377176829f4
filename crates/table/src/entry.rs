//! An entry of the log: an event with its number, its time and its author.

use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use tableside_game::{
    Author, Change, EntityKind, EntityRef, Event, EventKind, Readers, Roll, SeatId, UnfinishedId,
};
use tableside_rules::{Outcome, System};

/// One event as the log records it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The position in the log, from 1.
    pub number: u64,
    pub at: DateTime<Utc>,
    /// The name of the player or GM.
    pub by: String,
    /// The seat whose act caused the event.
    pub seat: SeatId,
    pub event: Event,
    #[serde(skip)]
    derived: DerivedValues,
}

/// Values of a resolved check that are computed when a screen first needs them. They follow from the event.
#[derive(Clone, Debug, Default)]
struct DerivedValues {
    outcome: OnceLock<Option<Box<Outcome>>>,
    chance: OnceLock<Option<f64>>,
}

impl PartialEq for DerivedValues {
    fn eq(&self, _other: &Self) -> bool {
        // Entries with equal events have equal derived values.
        true
    }
}

impl Entry {
    /// Creates an entry.
    pub fn new(number: u64, at: DateTime<Utc>, author: Author, event: Event) -> Self {
        Self {
            number,
            at,
            by: author.name,
            seat: author.seat,
            event,
            derived: DerivedValues::default(),
        }
    }

    pub fn author(&self) -> Author {
        Author::new(&self.by, self.seat)
    }

    /// The outcome of a resolved check, computed once. Its effects are those of the rules, whereas the roll contains
    /// the effects that were applied. `None` if the entry is not a resolved check, or if its answers do not fit the
    /// rules.
    pub fn outcome(&self, system: System) -> Option<&Outcome> {
        let derive = || {
            let roll = self.event.what.resolved()?;
            roll.derive(system).ok().map(Box::new)
        };
        self.derived.outcome.get_or_init(derive).as_deref()
    }

    /// The chance of success that a resolved check had, computed once. `None` if it cannot fail; see [`Roll::chance`].
    pub fn chance(&self, system: System) -> Option<f64> {
        let compute = || self.event.what.resolved()?.chance(system);
        *self.derived.chance.get_or_init(compute)
    }

    /// True if players may read the entry although it is not a roll and not their own act: a scene, the start and the end
    /// of a fight, a note, an event of the host's game, or an act of the GM that they could watch on their screens.
    pub(super) fn is_open_to_players(&self) -> bool {
        let is_scene = self.event.what.kind() == "scene";
        let is_shared = matches!(
            &self.event.what,
            EventKind::Noted {
                readers: Some(_),
                ..
            } | EventKind::Initiative { .. }
                | EventKind::FightEnded { .. }
                | EventKind::LinesAndVeils
                | EventKind::Paused
        );
        let is_host_event = self.event.at.is_some() && self.is_host_step();
        is_scene || is_shared || is_host_event || self.is_watched()
    }

    /// True if the entry is a kind of act that changes what players have on their screens: ticks, tokens, damage,
    /// conditions, rests, rounds. Each turn is not, because a log of turns would bury the rest.
    pub(super) fn is_watched(&self) -> bool {
        matches!(
            &self.event.what,
            EventKind::Ticked { .. }
                | EventKind::Tokens { .. }
                | EventKind::Round { .. }
                | EventKind::Turn { round: Some(_), .. }
                | EventKind::Edited {
                    kind: EntityKind::Character,
                    ..
                }
        )
    }

    /// True if the entry repeats one entry of the host's game, so that it must be undone in that game.
    pub(super) fn is_host_step(&self) -> bool {
        use EventKind::{Redone, Ticked, Undone};
        let kind = &self.event.what;
        matches!(kind, Ticked { .. } | Undone { .. } | Redone { .. })
            && self.event.host_entry().is_some()
    }

    /// True if the entry is an act of a seat in this game, so that it can be undone here. Events that come from the
    /// host's game are undone in that game.
    pub fn is_an_act(&self) -> bool {
        let event = &self.event;
        let is_own = event.at.is_none() && matches!(event.what, EventKind::Ticked { .. });
        event.what.is_an_act() && (is_own || event.host_entry().is_none())
    }

    /// True if the entry wrote a note that only its author may read. Only the author can undo the entry.
    pub(super) fn is_private(&self) -> bool {
        let mut notes = self
            .event
            .changes
            .iter()
            .filter_map(Change::note_before_or_after);
        notes.any(|note| note.readers == Readers::Author)
    }

    /// The waiting check that the entry changed.
    pub fn waits(&self) -> Option<UnfinishedId> {
        let mut changes = self.event.changes.iter();
        changes.find_map(|change| match change.entity {
            EntityRef::Unfinished(id) => Some(id),
            _ => None,
        })
    }

    /// The roll of a check.
    pub fn roll(&self) -> Option<&Roll> {
        self.event.what.roll()
    }
}
