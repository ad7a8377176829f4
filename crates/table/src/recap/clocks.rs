//! The clocks that moved in a scene.

use std::collections::{BTreeMap, BTreeSet};

use super::ClockMove;
use crate::SeatView;
use tableside_game::{Change, CharacterId, Clock, ClockId, EntityRef, Part};

/// A change of a clock, with its cause.
pub(super) struct ClockStep<'a> {
    pub(super) change: &'a Change,
    /// The name of the roller or the seat. Empty if a rule moved the clock.
    pub(super) by: &'a str,
    /// False if the entry of the change was undone or replaced, or is itself an undo. Then only the new value counts.
    pub(super) holds: bool,
}

/// The movement of one clock in the entries that were added so far.
#[derive(Debug)]
struct Movement {
    clock: ClockId,
    from: u8,
    to: u8,
    turns: u64,
    by: Vec<String>,
    has_moved: bool,
}

/// The clock movements of a scene.
#[derive(Debug, Default)]
pub(super) struct FinishedMoves {
    pub(super) clocks: Vec<ClockMove>,
    /// The movements of clocks that the rules give to a character, such as stress.
    pub(super) states: Vec<(CharacterId, ClockMove)>,
}

/// The name of the GM in recaps.
pub(super) fn gm_name(view: &SeatView<'_>) -> String {
    format!("the {}", view.system().spec().gm)
}

/// Adds up the changes of clocks.
#[derive(Debug, Default)]
pub(super) struct ClockMoves(Vec<Movement>);

impl ClockMoves {
    pub(super) fn add(&mut self, step: &ClockStep<'_>) {
        let EntityRef::Clock(id) = step.change.entity else {
            return;
        };
        match step.change.part {
            Part::Filled => self.add_ticks(id, step),
            Part::Turns if step.holds => {
                let from: u64 = step.change.before().unwrap_or(0);
                let to: u64 = step.change.after().unwrap_or(0);
                if let Some(movement) = self.movement(id) {
                    movement.turns += to.saturating_sub(from);
                }
            }
            _ => {}
        }
    }

    fn add_ticks(&mut self, id: ClockId, step: &ClockStep<'_>) {
        let from = step.change.before().unwrap_or(0);
        let to = step.change.after().unwrap_or(0);
        if self.movement(id).is_none() {
            self.0.push(Movement {
                clock: id,
                from,
                to,
                turns: 0,
                by: Vec::new(),
                has_moved: false,
            });
        }

        let Some(movement) = self.movement(id) else {
            return;
        };
        movement.to = to;
        if step.holds {
            movement.has_moved = true;
            if !step.by.is_empty() && movement.by.iter().all(|name| name != step.by) {
                movement.by.push(step.by.to_owned());
            }
        }
    }

    fn movement(&mut self, id: ClockId) -> Option<&mut Movement> {
        self.0.iter_mut().find(|movement| movement.clock == id)
    }

    /// The clocks that moved.
    pub(super) fn moved(&self) -> BTreeSet<ClockId> {
        let movements = self.0.iter();
        movements
            .filter(|movement| movement.has_moved)
            .map(|movement| movement.clock)
            .collect()
    }

    /// Returns the movements of the visible clocks. `removed` contains the clocks that are no longer in the game, and `present_of` the clocks that move in no later scene.
    pub(super) fn finish(
        self,
        view: &SeatView<'_>,
        removed: &BTreeMap<ClockId, Clock>,
        present_of: &BTreeSet<ClockId>,
    ) -> FinishedMoves {
        let gm = gm_name(view);
        let mut moves = FinishedMoves::default();
        for movement in self.0 {
            let stands_still = movement.from == movement.to && movement.turns == 0;
            if stands_still || !movement.has_moved {
                continue;
            }
            let now = present_fill(&movement, view, present_of);
            let present = view.clock(movement.clock).map(|view| view.clock);
            let Some(clock) = present.or_else(|| removed.get(&movement.clock)) else {
                continue;
            };

            // If only the GM moved the clock, the recap does not name the GM.
            let mut by = movement.by;
            if by == [&*gm] {
                by.clear();
            }
            let clock_move = ClockMove {
                clock: clock.name.clone(),
                clock_kind: clock.kind,
                ends: clock.ends.clone(),
                owner: clock.owner.map(|_| view.owner_name(clock.owner).to_owned()),
                from: movement.from,
                to: movement.to,
                now,
                segments: clock.segments.count(),
                turns: movement.turns,
                by,
            };
            match (clock.rule, clock.owner) {
                (Some(_), Some(owner)) => moves.states.push((owner, clock_move)),
                _ => moves.clocks.push(clock_move),
            }
        }
        moves
    }
}

/// The present fill of a clock, if this is its last movement in the recap and the clock has moved since in entries that
/// the seat may not read.
fn present_fill(
    movement: &Movement,
    view: &SeatView<'_>,
    present_of: &BTreeSet<ClockId>,
) -> Option<u8> {
    if !present_of.contains(&movement.clock) {
        return None;
    }
    let filled = view.clock(movement.clock)?.filled?;
    if filled == movement.to {
        None
    } else {
        Some(filled)
    }
}

/// Returns for each scene the clocks that move in no later scene. `moved` contains the clocks that move in each scene.
pub(super) fn last_moves(moved: &[BTreeSet<ClockId>]) -> Vec<BTreeSet<ClockId>> {
    let mut later_clocks = BTreeSet::new();
    let mut last_moves = Vec::with_capacity(moved.len());
    for clocks in moved.iter().rev() {
        last_moves.push(clocks.difference(&later_clocks).copied().collect());
        later_clocks.extend(clocks);
    }
    last_moves.reverse();
    last_moves
}
