//! The actions of the open tab that the line of keys hints at.

use crate::app::state::{Panel, Tab};
use crate::view::bottom::available::{is_available, may_start_fight};
use crate::view::bottom::{bound_actions, pair_with};
use crate::view::{ViewContext, has_standing_row};
use crate::{Action, Context};

/// The number of a tab's own actions that come before the common actions.
const OWN_BEFORE_COMMON: usize = 6;

/// An action whose hint follows the hints of the tab's own actions.
struct CommonAction {
    action: Action,
    /// True if it needs an entry in the list.
    needs_entry: bool,
    /// True if it works only on characters, clocks and pools.
    is_for_entities: bool,
}

impl CommonAction {
    const fn always(action: Action) -> Self {
        Self {
            action,
            needs_entry: false,
            is_for_entities: false,
        }
    }

    const fn on_entry(action: Action) -> Self {
        Self {
            needs_entry: true,
            ..Self::always(action)
        }
    }

    const fn on_entity(action: Action) -> Self {
        Self {
            is_for_entities: true,
            ..Self::on_entry(action)
        }
    }
}

/// The actions that follow the tab's own actions on each tab.
const COMMON: [CommonAction; 10] = [
    CommonAction::always(Action::Undo),
    CommonAction::on_entity(Action::Open),
    CommonAction {
        is_for_entities: true,
        ..CommonAction::always(Action::New)
    },
    CommonAction::on_entity(Action::Delete),
    CommonAction::on_entry(Action::Filter),
    CommonAction::always(Action::NextScene),
    CommonAction::always(Action::Palette),
    CommonAction::on_entry(Action::Details),
    CommonAction::on_entity(Action::Mark),
    CommonAction::on_entity(Action::Duplicate),
];

/// Returns the available actions of the open tab, the most useful ones first.
pub(super) fn tab_actions(context: ViewContext<'_>) -> Vec<Action> {
    let state = context.state;
    let is_empty = is_list_empty(context);
    let mut own_actions = own_actions(context);
    let mut actions = vec![Action::Roll];

    // A low screen has no row for the keys of a player's seat.
    let is_gm = context.view.seat().sees_all();
    if !is_gm && !has_standing_row(context) {
        actions.extend([Action::Purse, Action::Note]);
    }
    // In a fight the next turn is the most frequent key after the roll.
    if own_actions.contains(&Action::EndTurn) {
        // Damage is the next one.
        let frequent = [Action::EndTurn, Action::Damage];
        for action in frequent {
            if own_actions.contains(&action) {
                actions.push(action);
            }
        }
        own_actions.retain(|action| !frequent.contains(action));
    }
    if is_empty {
        // An empty list has no items to act on.
        own_actions.retain(|action| is_about_panels(*action) && *action != Action::Maximize);
    }
    actions.extend(creating_action(context, is_empty));

    own_actions.dedup_by_key(|action| match pair_with(*action) {
        Some(pair) => pair.first,
        None => *action,
    });
    let first_count = own_actions.len().min(OWN_BEFORE_COMMON);
    let mut later_actions = own_actions.split_off(first_count);
    if may_start_fight(context.view) && later_actions.contains(&Action::TurnOrder) {
        later_actions.retain(|action| *action != Action::TurnOrder);
        own_actions.push(Action::TurnOrder);
    }
    actions.extend(own_actions);
    actions.extend(common_actions(context, is_empty));
    actions.extend(later_actions);

    actions.retain(|action| {
        let is_of_tab = state.tab != Tab::Table || *action != Action::Details;
        is_of_tab && is_available(*action, context)
    });
    actions
}

/// Returns true if the open tab has no entries, even without a filter.
fn is_list_empty(context: ViewContext<'_>) -> bool {
    let state = context.state;
    match state.tab {
        Tab::Log => context.view.is_log_empty(),
        _ => {
            let list = state.list(state.active_panel());
            list.id().is_none() && state.filter().is_empty()
        }
    }
}

/// Returns the available actions of the open tab itself. Those about panels come last.
fn own_actions(context: ViewContext<'_>) -> Vec<Action> {
    let shared_contexts = [Context::List, Context::Everywhere, Context::Always];
    let mut actions = bound_actions(context, &shared_contexts);
    actions.sort_by_key(|action| is_about_panels(*action));
    actions.retain(|action| is_available(*action, context));
    actions
}

fn is_about_panels(action: Action) -> bool {
    matches!(
        action,
        Action::NextPanel | Action::PreviousPanel | Action::Maximize
    )
}

/// Returns the action that adds an entry to an empty or nearly empty list.
fn creating_action(context: ViewContext<'_>, is_empty: bool) -> Option<Action> {
    let is_rolls = context.state.active_panel() == Panel::Rolls;
    match (is_empty, is_rolls) {
        (true, true) => Some(Action::Note),
        (true, false) => Some(Action::New),
        (false, _) if has_few(context) => Some(Action::New),
        (false, _) => None,
    }
}

/// Returns the common actions that the open tab can use.
fn common_actions(context: ViewContext<'_>, is_empty: bool) -> impl Iterator<Item = Action> {
    let has_entities = context.state.active_panel() != Panel::Rolls;
    COMMON
        .into_iter()
        .filter(move |common| !is_empty || !common.needs_entry)
        .filter(move |common| has_entities || !common.is_for_entities)
        .map(|common| common.action)
}

/// Returns true if the list has at most one item, so that creating more is the likely next action.
pub(super) fn has_few(context: ViewContext<'_>) -> bool {
    let panel = context.state.active_panel();
    panel != Panel::Rolls && context.state.list(panel).lines().len() < 2
}
