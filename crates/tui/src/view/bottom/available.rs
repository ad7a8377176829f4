//! The actions that have an effect on the open tab, for the hints in the line of keys.

use crate::Action;
use crate::app::list::ListId;
use crate::app::offered::{is_offered, is_own, may_repeat};
use crate::app::rows::{self, CardValue};
use crate::app::state::{Panel, Tab};
use crate::view::ViewContext;
use crate::view::bottom::selected_fold;
use tableside_game::{Allegiance, DYING};
use tableside_rules::{CardEntry, FirstAid};
use tableside_table::SeatView;

/// Returns true if an action has an effect on the open tab. A press of its key shows the reason if it has none.
pub(super) fn is_available(action: Action, context: ViewContext<'_>) -> bool {
    use Action::{Advance, Back, Gain, NextValue, PreviousValue, Spend, StepDown, StepUp};

    let view = context.view;
    let entry = context.state.entry();
    let panel = context.state.active_panel();
    if !is_offered(action, view) {
        return false;
    }

    match action {
        Advance | Back | Gain | Spend | StepUp | StepDown if !is_own_here(context) => false,
        StepUp | StepDown if !may_step_value(context) => false,
        // A player can change these only by a suggestion.
        Action::Open if matches!(panel, Panel::Clocks | Panel::Tokens) => view.seat().sees_all(),
        Action::FirstAid if view.system().spec().first_aid == FirstAid::EndsDying => {
            view.roster().any(|character| character.suffers(DYING))
        }
        Action::EndTurn => view.has_turn_order(),
        // Rounds are counted only after the first one has begun. The palette and the key begin it.
        Action::NextRound => !view.has_turn_order() && view.round > 0,
        Action::Acted => view.has_turn_order() || view.round > 0,
        Action::Undo => view.has_undo(),
        Action::UndoEntry | Action::Amend if selected_fold(context).is_some() => false,
        Action::UndoEntry => entry.is_some_and(|entry| !view.is_struck(entry)),
        Action::Repeat => entry.is_some_and(|entry| may_repeat(entry, view)),
        Action::Amend => entry.is_some_and(|entry| view.may_amend(entry).is_ok()),
        Action::Award => match context.state.list(panel).id() {
            Some(ListId::Character(id)) => view.pools_of(Some(id)).next().is_some(),
            _ => view.pools().next().is_some(),
        },
        PreviousValue | NextValue if context.state.tab == Tab::Table => {
            number_of_card_values(context) > 1
        }
        StepUp | StepDown | PreviousValue | NextValue => {
            panel != Panel::Party || !rows::values(view.system()).is_empty()
        }
        _ => true,
    }
}

/// Returns the number of values on the card of the selected character that keys can step.
pub(super) fn number_of_card_values(context: ViewContext<'_>) -> usize {
    match context.state.list(context.state.active_panel()).id() {
        Some(ListId::Character(id)) => CardValue::all(id, context.view).len(),
        _ => 0,
    }
}

/// Returns true if the combatants are ready for a fight that has not begun.
pub(super) fn may_start_fight(view: &SeatView<'_>) -> bool {
    let mut combatants = view.roster().filter(|character| character.is_combatant());
    !view.has_turn_order() && combatants.any(|character| character.side == Allegiance::Adversary)
}

/// Returns true if the seat may step the selected value of a character. Players step stats, and not pools or clocks.
pub(super) fn may_step_value(context: ViewContext<'_>) -> bool {
    let view = context.view;
    let state = context.state;
    if view.seat().sees_all() || state.active_panel() != Panel::Party {
        return true;
    }

    if state.tab == Tab::Party {
        let values = rows::values(view.system());
        let selected = values.get(state.party_column);
        return matches!(selected, Some(CardEntry::Stat(_)));
    }
    let selected = match state.list(Panel::Party).id() {
        Some(ListId::Character(id)) => CardValue::at(state.card_value, id, view),
        _ => None,
    };
    matches!(selected, Some((_, CardValue::Stat(_))))
}

/// Returns true if the seat may change the selected item.
pub(super) fn is_own_here(context: ViewContext<'_>) -> bool {
    let view = context.view;
    let allowed = view.allowed();
    let list = context.state.list(context.state.active_panel());
    match list.id() {
        Some(ListId::Character(id)) => is_own(Some(id), false, view),
        Some(ListId::Clock(id)) => {
            let owner = view.clock(id).and_then(|clock| clock.clock.owner);
            is_own(owner, allowed.table_clocks, view)
        }
        Some(ListId::Pool(id)) => {
            let owner = view.game().pool(id).and_then(|pool| pool.owner);
            is_own(owner, allowed.table_pools, view)
        }
        Some(ListId::Roll(_)) | None => true,
    }
}
