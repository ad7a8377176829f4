//! How the rows of the table are shared out to its panels.

use ratatui::layout::Rect;

use crate::app::state::Panel;
use crate::view::layout::block::Block;
use crate::view::layout::demand::Demand;
use crate::view::layout::per_panel::PerPanel;

/// The number of rows of each panel that come before the cards of a large party, in the order of [`Panel::ALL`].
pub(super) const FLOORS: PerPanel<u16> = PerPanel::new([1, 2, 2, 2]);
/// The same in a fight, and for a party of which some characters or first values would be out of sight otherwise.
const CROWDED_FLOORS: PerPanel<u16> = PerPanel::new([1, 1, 1, 1]);
/// The maximum number of rows in which all clocks stay in sight before the cards of the party get more.
const MAX_CLOCK_FLOOR: u16 = 3;

/// Shares out the rows of the body to the panels of an arrangement.
pub(super) fn shared_rows(
    block: &Block,
    body: Rect,
    demands: &PerPanel<Demand>,
    is_fight: bool,
) -> PerPanel<u16> {
    let fits = |rows| block.height(rows) <= body.height;
    let party = &demands[Panel::Party];
    let rows = share_rows(demands, FLOORS, fits);
    if !is_fight && rows[Panel::Party] >= party.min {
        return rows;
    }

    // The values that the cards put first come before a second roll, and before clocks in lines of their own.
    let mut floors = CROWDED_FLOORS;
    floors[Panel::Clocks] = demands[Panel::Clocks].in_sight.min(MAX_CLOCK_FLOOR);
    let crowded_rows = share_rows(demands, floors, fits);
    if crowded_rows[Panel::Party] >= party.in_sight {
        let is_better = is_fight || crowded_rows[Panel::Party] > rows[Panel::Party];
        return if is_better { crowded_rows } else { rows };
    }

    // All characters of a large party, and all combatants, should be seen at once.
    share_rows(demands, CROWDED_FLOORS, fits)
}

/// Shares out rows to the four panels. `fits` tells whether these rows fit on the screen.
///
/// Each panel first gets the rows of `floors`, then a row for each entry. Then panels whose contents are cut get more
/// rows, and at last panels that can show more. In each round the panels come in the order of [`Panel::ALL`]. Rows that
/// lead to no better step go to the next panel.
pub(super) fn share_rows(
    demands: &PerPanel<Demand>,
    floors: PerPanel<u16>,
    fits: impl Fn(PerPanel<u16>) -> bool,
) -> PerPanel<u16> {
    let mut shared = PerPanel::from_fn(|panel| {
        let floor = demands[panel].step_within(floors[panel]);
        floor.map_or(0, |step| step.rows)
    });

    let goals: [fn(&Demand) -> u16; 4] = [
        |demand| demand.min,
        |demand| demand.useful,
        |demand| demand.full,
        Demand::most,
    ];
    for goal in goals {
        for panel in Panel::ALL {
            let demand = &demands[panel];
            let goal_rows = goal(demand);
            let steps_to_goal = demand.steps.iter().filter(|step| step.rows <= goal_rows);
            for step in steps_to_goal {
                let mut raised = shared;
                raised[panel] = step.rows.max(shared[panel]);
                if fits(raised) {
                    shared = raised;
                }
            }
        }
    }
    shared
}
