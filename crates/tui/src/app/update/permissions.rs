//! Actions that a seat can only suggest to the GM, and actions that it cannot even suggest.

use crate::Action;
use crate::app::offered::is_offered;
use crate::app::state::{Panel, ScreenState};
use crate::dialog::DialogAction;
use tableside_store::StoreError;
use tableside_table::{SeatRole, SeatView};

impl ScreenState {
    /// True if the form of the action ends with a suggestion to the GM.
    pub(super) fn only_suggests(&self, action: Action, view: &SeatView<'_>) -> bool {
        if view.seat().sees_all() {
            return false;
        }
        match action {
            Action::Open => matches!(self.active_panel(), Panel::Clocks | Panel::Tokens),
            action => !is_offered(action, view),
        }
    }

    /// True if the seat may neither do nor suggest the action.
    pub(super) fn is_refused(&self, action: Action, view: &SeatView<'_>) -> bool {
        if is_never_suggested(action) && !is_offered(action, view) {
            return true;
        }

        if may_suggest(view) {
            return false;
        }
        if action == Action::Open {
            // Everyone may read a sheet or an entry of the log.
            return !matches!(self.active_panel(), Panel::Party | Panel::Rolls);
        }
        !is_offered(action, view)
    }

    /// Shows why this seat may not do the action.
    pub(super) fn refuse_seat(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        if view.is_view() {
            self.refuse(StoreError::ViewOnly.to_string())
        } else if action == Action::EndTurn
            && let Some(on_turn) = view.turns().first()
        {
            self.refuse(format!("it is {}'s turn", on_turn.name))
        } else if view.role() == SeatRole::Player && is_never_suggested(action) {
            self.refuse(format!("only the {} can do that", view.system().spec().gm))
        } else {
            self.refuse(view.seat().refusal(view.system()).to_string())
        }
    }
}

/// True for actions that only the GM can do, and that players cannot suggest: those on the GM's own screen, and those
/// that prepare and organise the game.
fn is_never_suggested(action: Action) -> bool {
    matches!(
        action,
        Action::Accept
            | Action::Award
            | Action::BringScene
            | Action::Cover
            | Action::Decline
            | Action::Duplicate
            | Action::DuplicateMany
            | Action::EndFight
            | Action::EndSession
            | Action::EndTurn
            | Action::Export
            | Action::Handout
            | Action::Hidden
            | Action::HouseRules
            | Action::Invite
            | Action::Link
            | Action::NameGame
            | Action::NextRound
            | Action::NextScene
            | Action::RandomTables
            | Action::SaveTemplate
            | Action::Seats
            | Action::Side
            | Action::TurnOrder
            | Action::Visibility
    )
}

fn may_suggest(view: &SeatView<'_>) -> bool {
    if view.is_view() {
        return false;
    }
    match view.role() {
        SeatRole::Watcher => view.allowed().watchers_suggest,
        SeatRole::Gm | SeatRole::Player => true,
    }
}
