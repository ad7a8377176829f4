//! Collects the moments of a scene: notable rolls, notes, and results of random tables.

use super::{Moment, NotableRoll, RollCount, WhyNotable};
use crate::{Entry, Logged, SeatId, SeatView};
use tableside_game::{EntityRef, EventKind, Part, Roll};
use tableside_rules::{Effect, System, Tone};

/// A success with at most this chance is notable.
const LONG_SHOT: f64 = 0.15;

/// A failure with at least this chance of success is notable.
const NEAR_CERTAINTY: f64 = 0.93;

/// The luck, in thousandths, below or above which the chance of a roll may be notable. The exact odds are computed only
/// for such rolls, because that takes time.
const NOTABLE_LUCK: (u16, u16) = (300, 700);

/// The moments of a scene, from the entries that were added so far.
#[derive(Debug, Default)]
pub(super) struct Moments {
    pub(super) rolls: RollCount,
    moments: Vec<NumberedMoment>,
}

/// A moment with the number of its entry.
#[derive(Debug)]
struct NumberedMoment {
    entry: u64,
    moment: Moment,
}

/// Computes the chance of a roll if the chance may be notable. The entry caches it.
pub(super) fn compute_chance(logged: &Logged, system: System) {
    if !logged.is_struck {
        long_odds(&logged.entry, system);
    }
}

impl Moments {
    /// Adds a roll that was not undone or replaced, with the notes about it.
    pub(super) fn add_roll(&mut self, entry: &Entry, notes: Vec<String>, view: &SeatView<'_>) {
        let Some(roll) = entry.event.what.resolved() else {
            return;
        };
        let system = view.system();
        let success = entry.outcome(system).and_then(|outcome| outcome.success);
        self.rolls.count += 1;
        if !roll.who.is_empty() && !self.rolls.by.contains(&roll.who) {
            self.rolls.by.push(roll.who.clone());
        }
        if let Some(success) = success {
            self.rolls.decided += 1;
            self.rolls.succeeded += usize::from(success);
        }

        let why = why_notable(entry, roll, view).or_else(|| why_described(roll, &notes, system));
        if let Some(why) = why
            && let Some(notable) = describe(entry, roll, why, notes, view)
        {
            self.push(entry.number, Moment::Roll(Box::new(notable)));
        }
    }

    /// Adds a note that is about no roll.
    pub(super) fn add_note(&mut self, entry: &Entry, view: &SeatView<'_>) {
        let EventKind::Noted {
            text,
            readers,
            handout,
            ..
        } = &entry.event.what
        else {
            return;
        };
        let gm = view.system().spec().gm;
        let readers = readers.as_ref().filter(|_| *handout);
        let is_gm = entry.seat == SeatId::HOST || entry.by == crate::Seat::gm().name;
        let by = if is_gm {
            String::new()
        } else {
            entry.by.clone()
        };
        let note = Moment::Note {
            by,
            text: text.clone(),
            handout_for: readers.map(|readers| readers.describe(gm)),
        };
        self.push(entry.number, note);
    }

    /// Adds the results of random tables. Free dice are left out.
    pub(super) fn add_thrown(&mut self, entry: &Entry) {
        let EventKind::Thrown(thrown) = &entry.event.what else {
            return;
        };
        for thrown in thrown.all() {
            if !thrown.table.is_empty() && !thrown.text.is_empty() {
                let moment = Moment::Table {
                    table: thrown.table.clone(),
                    says: thrown.text.clone(),
                };
                self.push(entry.number, moment);
            }
        }
    }

    fn push(&mut self, entry: u64, moment: Moment) {
        self.moments.push(NumberedMoment { entry, moment });
    }

    /// The moments in the order of their entries.
    pub(super) fn finish(mut self) -> (RollCount, Vec<Moment>) {
        self.moments.sort_by_key(|numbered| numbered.entry);
        let moments = self.moments.into_iter();
        (
            self.rolls,
            moments.map(|numbered| numbered.moment).collect(),
        )
    }
}

fn why_notable(entry: &Entry, roll: &Roll, view: &SeatView<'_>) -> Option<WhyNotable> {
    let system = view.system();
    let is_taken_out = roll
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::TakenOut));
    if is_taken_out {
        return Some(WhyNotable::TakenOut);
    }

    match roll.shown_outcome(system).map(|outcome| outcome.tone) {
        Some(Tone::Triumph) => return Some(WhyNotable::Great),
        Some(Tone::Disaster) => return Some(WhyNotable::Disaster),
        _ => {}
    }
    if fills_clock(entry, view) {
        return Some(WhyNotable::FilledClock);
    }
    long_odds(entry, system).map(|_| WhyNotable::LongOdds)
}

/// Returns the reason why a roll without a notable result is in the recap: a note or a description is about it.
fn why_described(roll: &Roll, notes: &[String], system: System) -> Option<WhyNotable> {
    if !notes.is_empty() {
        return Some(WhyNotable::Noted);
    }
    let fields = roll.all_fields(system).ok()?;
    if fields.text("about").is_empty() {
        None
    } else {
        Some(WhyNotable::Attempted)
    }
}

/// The filled segments of the roll's clock after the roll, if the roll moved that clock.
fn clock_after(entry: &Entry, roll: &Roll) -> Option<u8> {
    let clock = EntityRef::Clock(roll.clock?);
    let mut changes = entry.event.changes.iter().rev();
    let moved = changes.find(|change| change.entity == clock && change.part == Part::Filled)?;
    moved.after()
}

/// True if the roll filled a clock that belongs to no character.
fn fills_clock(entry: &Entry, view: &SeatView<'_>) -> bool {
    entry.event.changes.iter().any(|change| {
        let EntityRef::Clock(id) = change.entity else {
            return false;
        };
        let Some(clock) = view.clock(id).map(|view| view.clock) else {
            return false;
        };
        let is_full = change.part == Part::Filled && change.to == clock.segments.count();
        is_full && clock.owner.is_none()
    })
}

/// The chance of success of a roll that succeeded as a long shot, or failed as a near certainty.
fn long_odds(entry: &Entry, system: System) -> Option<f64> {
    let roll = entry.event.what.resolved()?;
    let (low, high) = NOTABLE_LUCK;
    if (low..=high).contains(&roll.luck?) {
        return None;
    }

    let success = entry.outcome(system)?.success?;
    let chance = entry.chance(system)?;
    let is_notable = if success {
        chance <= LONG_SHOT
    } else {
        chance >= NEAR_CERTAINTY
    };
    if is_notable { Some(chance) } else { None }
}

fn describe(
    entry: &Entry,
    roll: &Roll,
    why: WhyNotable,
    notes: Vec<String>,
    view: &SeatView<'_>,
) -> Option<NotableRoll> {
    let system = view.system();
    let spec = roll.spec(system).ok()?;
    let tested = roll.tested_value(system)?;
    let outcome = entry.outcome(system)?;
    let about = roll.all_fields(system).ok()?.text("about").to_owned();
    let clock = roll.clock.and_then(|id| view.clock(id));
    let damage = roll.effects.iter().find_map(|effect| match effect {
        Effect::Damage { amount, .. } if *amount > 0 => Some(*amount),
        _ => None,
    });

    Some(NotableRoll {
        why,
        who: roll.who.clone(),
        check: spec.label.to_owned(),
        is_deed: tested.is_verb_phrase(),
        tested: tested.words,
        about,
        success: outcome.success,
        outcome: spec.told(outcome.outcome, outcome.success).label.to_owned(),
        total: outcome.total,
        target: outcome.target,
        chance: long_odds(entry, system),
        clock: clock.map(|view| view.clock.name.clone()),
        clock_after: clock.and_then(|_| clock_after(entry, roll)),
        damage,
        notes,
    })
}
