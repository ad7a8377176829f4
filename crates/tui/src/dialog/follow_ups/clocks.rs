//! Ticks of clocks that a roll offers.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::dialog::follow_ups::{LabelledFollowUp, OfferedCommand, RollHistory};
use tableside_game::{Clock, ClockId, Command, EntityRef, EventKind, Part, Roll, Visibility};
use tableside_rules::{CheckSpec, Effect, Progress};
use tableside_table::{Entry, SeatRole, SeatView};

/// The number of log entries that are searched for earlier ticks.
const MAX_SEARCHED_ENTRIES: usize = 500;

/// Returns the ticks that an entry offers to the GM.
pub(in crate::dialog) fn clock_follow_ups(
    entry: &Entry,
    view: &SeatView<'_>,
) -> Vec<LabelledFollowUp> {
    let Some(roll) = entry.event.what.resolved() else {
        return Vec::new();
    };
    if view.seat().role != SeatRole::Gm || view.is_struck(entry.number) {
        return Vec::new();
    }
    let offers = tick_offers(roll, view).unwrap_or_default();
    if offers.is_empty() {
        return Vec::new();
    }

    let history = RollHistory::of(entry.number, roll, view);
    if history.is_declined() {
        return Vec::new();
    }
    offers
        .into_iter()
        .map(|offer| history.labelled(offer, view))
        .collect()
}

/// Offers ticks, unless the roll was made for a clock: of the clocks that this check fills, of visible clocks without a
/// check, and of clocks that an earlier result ticked. Hidden clocks come last.
fn tick_offers(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<OfferedCommand>> {
    let changes_hit_points = roll.effects.iter().any(|effect| match effect {
        Effect::Damage { .. } => true,
        Effect::Number(change) => change.id.as_str() == "hit-points",
        _ => false,
    });
    let has_clocks = view.clocks().next().is_some();
    if roll.clock.is_some() || changes_hit_points || !has_clocks {
        return None;
    }

    let spec = roll.spec(view.system()).ok()?;
    let machine = roll.machine(view.system()).ok()?;
    let Progress::Done(outcome, score) = machine.after(&roll.trail).ok()? else {
        return None;
    };

    let ticked_before = clocks_ticked_by_results(view);
    let mut offers = Vec::new();
    let mut hidden_offers = Vec::new();
    for clock_view in view.clocks() {
        let clock = clock_view.clock;
        let is_for_any_roll = clock.check.is_none() && clock.visibility != Visibility::Hidden;
        let belongs_to_roll =
            is_for_any_roll || is_check_of(clock, spec, roll) || ticked_before.contains(&clock.id);
        let ticks = clock.ticks_of(spec, outcome, score.levels);
        let is_changed = clock.filled_after(ticks) != clock.filled;
        if clock.rule.is_some() || !belongs_to_roll || !is_changed {
            continue;
        }

        let sign = if ticks < 0 { '−' } else { '+' };
        let offer = OfferedCommand {
            command: Command::Tick {
                clock: clock.id,
                by: ticks,
            },
            label: format!("{} {sign}{}", clock.name, ticks.abs()),
        };
        if clock.visibility == Visibility::Hidden {
            hidden_offers.push(offer);
        } else {
            offers.push(offer);
        }
    }

    offers.append(&mut hidden_offers);
    Some(offers)
}

/// Returns true if the roll is the check that fills the clock.
fn is_check_of(clock: &Clock, spec: &CheckSpec, roll: &Roll) -> bool {
    match &clock.check {
        Some(attached) => {
            attached.check == spec.id && (attached.who.is_none() || attached.who == roll.id)
        }
        None => false,
    }
}

/// Returns the clocks that the result of an earlier roll ticked: by the roll itself, by a button below it, or by hand
/// right after it.
fn clocks_ticked_by_results(view: &SeatView<'_>) -> BTreeSet<ClockId> {
    let mut entries: Vec<Arc<Entry>> = view.log().take(MAX_SEARCHED_ENTRIES).collect();
    entries.reverse();

    let mut clocks = BTreeSet::new();
    let mut is_result = false;
    for entry in entries {
        if view.is_struck(entry.number) {
            continue;
        }
        let is_follow_up = entry.event.follows.is_some();
        let is_tick = matches!(entry.event.what, EventKind::Ticked { .. });
        let is_tick_after_result = is_tick && is_result;
        is_result = entry.roll().is_some() || is_follow_up || is_tick_after_result;
        if !is_result {
            continue;
        }
        for change in &entry.event.changes {
            if let EntityRef::Clock(clock) = change.entity
                && change.part == Part::Filled
            {
                clocks.insert(clock);
            }
        }
    }
    clocks
}
