//! The events that hooks report: each entry that a seat reads, each clock that becomes full, and the recap of each session
//! that ends.

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};

use super::{Entry, EntryJson, RecapScope, Seat, SeatView, Table};
use tableside_game::{ClockId, EntityRef, EventKind, Part};

/// The name of the event that a clock is full.
pub const CLOCK_FULL: &str = "clock-full";

/// The name of the event that a session ended, with its recap.
pub const SESSION_ENDED: &str = "session-ended";

/// An event for hooks.
#[derive(Clone, Debug, PartialEq)]
pub struct HookEvent {
    /// The kind of the entry, as `log --json` names it, or [`CLOCK_FULL`] or [`SESSION_ENDED`].
    pub on: &'static str,
    /// The event in sentences. For an ended session, the recap as Markdown in several lines.
    pub text: String,
    /// The event as JSON: the entry as `log --json` prints it (for players without its number), the name and the
    /// segments of a full clock, or the recap of a session.
    pub json: Json,
}

/// Returns the new events that a seat may see, at each call.
#[derive(Debug)]
pub struct HookEventReader {
    seat: Seat,
    /// The last event that was reported.
    last: u64,
    /// Formats times in recaps.
    time: fn(DateTime<Utc>, &str) -> String,
}

/// A clock that an entry filled.
struct FilledClock {
    entry: u64,
    clock: ClockId,
}

/// An event with the entry that it belongs to.
struct NumberedEvent {
    entry: u64,
    event: HookEvent,
}

impl HookEventReader {
    /// Returns a reader of the events from now on.
    pub fn new(table: &Table, seat: &Seat) -> Self {
        table.read(seat, |view| Self {
            last: view.last_event(),
            seat: seat.clone(),
            time: |at, format| at.format(format).to_string(),
        })
    }

    /// Formats the times in recaps by `time` instead of in UTC.
    pub fn with_time(self, time: fn(DateTime<Utc>, &str) -> String) -> Self {
        Self { time, ..self }
    }

    /// Returns the events since the last call, oldest first.
    pub fn next(&mut self, table: &Table) -> Vec<HookEvent> {
        let first = self.last + 1;
        let mut filled = Vec::new();
        self.last = table.read(&Seat::gm(), |gm_view| {
            for entry in gm_view.log_since(first) {
                for clock in filled_clocks(&entry, gm_view) {
                    filled.push(FilledClock {
                        entry: entry.number,
                        clock,
                    });
                }
            }
            gm_view.last_event()
        });

        let (mut all, session_ends) = table.read(&self.seat, |view| {
            let entry_events = self.read_events(first, &filled, view);
            let session_ends = self.ended_sessions(first, view);
            (entry_events, session_ends)
        });
        for entry in session_ends {
            if let Some(event) = self.session_event(entry, table) {
                all.push(NumberedEvent { entry, event });
            }
        }
        all.sort_by_key(|numbered| numbered.entry);
        all.into_iter().map(|numbered| numbered.event).collect()
    }

    fn read_events(
        &self,
        first: u64,
        filled: &[FilledClock],
        view: &SeatView<'_>,
    ) -> Vec<NumberedEvent> {
        let mut all = Vec::new();
        for entry in view.log_since(first) {
            // Only hooks of the GM are told of each tick and of each point of damage. Others would be flooded.
            let is_told = view.seat().sees_all() || !entry.is_watched();
            if entry.number <= self.last && is_told {
                let event = entry_event(&entry, view);
                all.push(NumberedEvent {
                    entry: entry.number,
                    event,
                });
            }
        }
        for filled in filled {
            if let Some(event) = full_clock_event(filled.clock, view) {
                all.push(NumberedEvent {
                    entry: filled.entry,
                    event,
                });
            }
        }
        all
    }
}

/// Methods for the recaps of ended sessions.
impl HookEventReader {
    /// The numbers of the entries that ended a session.
    fn ended_sessions(&self, first: u64, view: &SeatView<'_>) -> Vec<u64> {
        let mut ends = Vec::new();
        for entry in view.log_since(first) {
            if let EventKind::SessionEnded { .. } = entry.event.what
                && entry.number <= self.last
            {
                ends.push(entry.number);
            }
        }
        ends
    }

    /// Returns the recap of an ended session. `None` if its end was undone, or if the journal cannot be read.
    fn session_event(&self, last: u64, table: &Table) -> Option<HookEvent> {
        let scope = table.read(&self.seat, |view| {
            let mut sessions = view.sessions.iter();
            sessions.find(|session| session.last_entry == last)?;
            RecapScope::session(view.game(), view.session_of(last))
        })?;
        let recap = table.recap(&self.seat, &scope).ok()?;

        let text = recap.markdown(&self.time);
        let json = json!({
            "kind": SESSION_ENDED,
            "text": text,
            "recap": recap,
        });
        Some(HookEvent {
            on: SESSION_ENDED,
            text,
            json,
        })
    }
}

fn entry_event(entry: &Entry, view: &SeatView<'_>) -> HookEvent {
    let game = view.game();
    let json = EntryJson {
        entry,
        scene: &view.scene_of(entry.number).name,
        session: view.session_of(entry.number),
        is_struck: false,
        system: game.system,
    };
    let mut json = serde_json::to_value(json).unwrap_or_default();
    if let Some(keys) = json.as_object_mut()
        && !view.seat().sees_all()
    {
        // A gap between two numbers would reveal hidden entries.
        keys.remove("number");
    }
    let sentences = entry.event.aloud(game, None);
    HookEvent {
        on: entry.event.what.kind(),
        text: sentences.join(" "),
        json,
    }
}

/// Returns the event of a full clock. `None` if the seat does not see the segments of the clock.
fn full_clock_event(id: ClockId, view: &SeatView<'_>) -> Option<HookEvent> {
    let clock_view = view.clock(id)?;
    clock_view.filled?;
    let clock = clock_view.clock;
    let name = &clock.name;
    let text = format!("{name} is full.");
    let json = json!({
        "kind": CLOCK_FULL,
        "clock": name,
        "segments": clock.segments.count(),
        "text": text,
    });
    Some(HookEvent {
        on: CLOCK_FULL,
        text,
        json,
    })
}

/// The clocks that an act filled, even if they have started again.
fn filled_clocks(entry: &Entry, gm_view: &SeatView<'_>) -> Vec<ClockId> {
    let goes_back = match entry.event.what {
        EventKind::Undone { .. } | EventKind::Redone { .. } | EventKind::Struck { .. } => true,
        EventKind::Ticked { by, .. } => by < 0,
        _ => false,
    };
    if goes_back {
        return Vec::new();
    }

    let mut filled = Vec::new();
    for change in &entry.event.changes {
        let EntityRef::Clock(id) = change.entity else {
            continue;
        };
        let is_full = match &change.part {
            Part::Filled => match gm_view.clock(id) {
                Some(view) => change.to == view.clock.segments.count(),
                None => false,
            },
            Part::Turns => change.from.as_u64() < change.to.as_u64(),
            _ => false,
        };
        if is_full {
            filled.push(id);
        }
    }
    filled
}
