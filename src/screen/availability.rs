//! Which keys the bottom line offers: those that have something to do in this game as it stands. The
//! others say why not when they are pressed.

use super::action::Action;
use super::rows;
use super::state::{Panel, ScreenState};
use crate::rules::FirstAid;
use crate::table::SeatView;

impl ScreenState {
    /// Whether there is something for that key to do.
    pub(super) fn is_available(&self, action: Action, seen: &SeatView<'_>) -> bool {
        let system = seen.system();
        let knows = |stat: &str| system.spec().stats.iter().any(|one| one.id == stat);
        match action {
            Action::Undo => seen.has_undo(),
            Action::Damage => knows("hit-points"),
            Action::Rest => {
                knows("heart-now") || knows("hit-points-most") || seen.locks().next().is_some()
            }
            Action::FirstAid => system.spec().first_aid != FirstAid::None,
            Action::Unlock => seen.locks().next().is_some(),
            Action::TakenOut => system.spec().taken_out,
            Action::Award => seen.pools().next().is_some(),
            Action::StepUp | Action::StepDown if self.in_hand() == Panel::Party => {
                !rows::values(system).is_empty()
            }
            _ => true,
        }
    }
}
