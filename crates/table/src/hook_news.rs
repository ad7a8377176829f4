//! What hooks are told of, and nobody else: each entry that a seat reads as it comes, and the clocks that become full.
//! The words of the log and the screens are in `game/summary.rs`.

use serde_json::{Value as Json, json};

use super::{Entry, EntryJson, Seat, SeatView, Table};
use tableside_game::{ClockId, EntityRef, EventKind, Part};

/// What a clock's becoming full is called.
pub const CLOCK_FULL: &str = "clock-full";

/// Something to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct HookNews {
    /// What happened: the kind of an entry, as `log --json` names it, or [`CLOCK_FULL`].
    pub on: &'static str,
    /// It in whole sentences.
    pub text: String,
    /// It as `log --json` writes it, for players without its number; of a full clock its name and fullness.
    pub json: Json,
}

/// Tells what comes, as one seat sees it.
#[derive(Debug)]
pub struct HookNewsReader {
    seat: Seat,
    /// The last event that was told.
    last: u64,
}

impl HookNewsReader {
    /// Tells what comes from now on.
    pub fn new(table: &Table, seat: &Seat) -> Self {
        table.read(seat, |seen| Self {
            last: seen.last_event(),
            seat: seat.clone(),
        })
    }

    /// What came since the last time, oldest first.
    pub fn next(&mut self, table: &Table) -> Vec<HookNews> {
        let mut told = Vec::new();
        let mut full = Vec::new();
        let since = self.last + 1;
        self.last = table.read(&Seat::gm(), |all| {
            for entry in all.log_since(since) {
                full.extend(filled(&entry, all).map(|clock| (entry.number, clock)));
            }
            all.last_event()
        });
        table.read(&self.seat, |seen| {
            let known = seen.log_since(since);
            let known = known.filter(|entry| entry.number <= self.last);
            told.extend(known.map(|entry| (entry.number, entry_told(&entry, seen))));
            for (number, id) in full {
                let clock = seen.clock(id).filter(|one| one.filled.is_some());
                told.extend(clock.map(|one| {
                    let (name, of) = (&one.clock.name, one.clock.segments.count());
                    let text = format!("{name} is full.");
                    let json =
                        json!({"kind": CLOCK_FULL, "clock": name, "segments": of, "text": text});
                    let on = CLOCK_FULL;
                    (number, HookNews { on, text, json })
                }));
            }
        });
        told.sort_by_key(|(number, _)| *number);
        told.into_iter().map(|(_, told)| told).collect()
    }
}

fn entry_told(entry: &Entry, seen: &SeatView<'_>) -> HookNews {
    let game = seen.game();
    let scene = &seen.scene_of(entry.number).name;
    let json = EntryJson {
        entry,
        scene,
        is_struck: false,
        system: game.system,
    };
    let mut json = serde_json::to_value(json).unwrap_or_default();
    if let Some(told) = json.as_object_mut().filter(|_| !seen.seat().sees_all()) {
        // A gap between two numbers tells of what is hidden.
        told.remove("number");
    }
    HookNews {
        on: entry.event.what.kind(),
        text: entry.event.aloud(game, None).join(" "),
        json,
    }
}

/// The clocks that an act filled, those among them that are empty again already.
fn filled<'a>(entry: &'a Entry, all: &'a SeatView<'_>) -> impl Iterator<Item = ClockId> + 'a {
    let goes_back = match entry.event.what {
        EventKind::Undone { .. } | EventKind::Redone { .. } | EventKind::Struck { .. } => true,
        EventKind::Ticked { by, .. } => by < 0,
        _ => false,
    };
    let changes = entry.event.changes.iter().filter(move |_| !goes_back);
    changes.filter_map(|change| {
        let EntityRef::Clock(id) = change.entity else {
            return None;
        };
        let is_full = match &change.part {
            Part::Filled => change.to == all.clock(id)?.clock.segments.count(),
            Part::Turns => change.from.as_u64() < change.to.as_u64(),
            _ => false,
        };
        is_full.then_some(id)
    })
}
