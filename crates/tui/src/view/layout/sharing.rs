//! How the rows of the table are shared out to its panels.

use crate::app::state::Panel;
use crate::view::layout::demand::Demand;

/// The rows of each panel that come before the cards of a large party, in the order of [`Panel::ALL`].
pub(super) const FLOORS: [u16; 4] = [1, 2, 2, 2];
/// The same in a fight, and for a party of which some characters or first values would be out of sight otherwise.
pub(super) const CROWDED_FLOORS: [u16; 4] = [1, 1, 1, 1];

/// Shares out rows to the four panels. `fits` tells whether these rows fit on the screen.
///
/// Each panel first gets the rows of `floors`, then a row for each entry, then the panels whose contents are cut get more,
/// and at last those that can show more. The order of the panels is that of [`Panel::ALL`]. Rows that lead to no better
/// step go to the next panel.
pub(super) fn share_rows(
    demands: &[Demand; 4],
    floors: [u16; 4],
    fits: impl Fn([u16; 4]) -> bool,
) -> [u16; 4] {
    let mut shared = [0; 4];
    for panel in Panel::ALL {
        let index = panel as usize;
        let steps = &demands[index].steps;
        let floor = steps
            .iter()
            .rfind(|step| step.rows <= floors[index])
            .or_else(|| steps.first());
        shared[index] = floor.map_or(0, |step| step.rows);
    }

    let goals: [fn(&Demand) -> u16; 4] = [
        |demand| demand.min,
        |demand| demand.useful,
        |demand| demand.full,
        Demand::most,
    ];
    for goal in goals {
        for panel in Panel::ALL {
            let demand = &demands[panel as usize];
            let goal_rows = goal(demand);
            for step in &demand.steps {
                if step.rows > goal_rows {
                    break;
                }
                let mut raised = shared;
                raised[panel as usize] = step.rows.max(shared[panel as usize]);
                if fits(raised) {
                    shared = raised;
                }
            }
        }
    }
    shared
}
