//! The status message and the line of keys at the bottom of the screen.

mod hints;
mod message;

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use rustc_hash::FxBuildHasher;

use crate::app::list::ListId;
use crate::app::offered::{is_offered, is_own, may_repeat};
use crate::app::rows::{self, CardValue};
use crate::app::state::{Panel, Tab};
use crate::app::update::log_lines::ShownFold;
use crate::view::bottom::hints::draw_hints;
pub(super) use crate::view::bottom::hints::draw_tab_hints;
use crate::view::bottom::message::{draw_message, message, message_key};
use crate::view::layout::ScreenLayout;
use crate::view::painter::{clear, inside};
use crate::view::{Painter, ViewContext, has_standing_row};
use crate::widget::row;
use crate::{Action, Context};
use tableside_game::{DYING, EntityKind};
use tableside_rules::{CardEntry, FirstAid};

/// An action whose hint follows those of the tab's own actions.
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
/// Opposite actions, which share one hint.
const PAIRS: [(Action, Action, &str); 13] = [
    (Action::PreviousValue, Action::NextValue, "which value"),
    (Action::MoreRounds, Action::FewerRounds, "rounds"),
    (Action::StepUp, Action::StepDown, "value"),
    (Action::Advance, Action::Back, "tick"),
    (Action::MoreSegments, Action::FewerSegments, "segments"),
    (Action::Gain, Action::Spend, "token"),
    (Action::PreviousCheck, Action::NextCheck, "check"),
    (Action::PreviousField, Action::NextField, "field"),
    (Action::Lower, Action::Raise, "value"),
    (Action::PreviousButton, Action::NextButton, "button"),
    (Action::Up, Action::Down, "move"),
    (Action::Left, Action::Right, "across"),
    (Action::NextPanel, Action::PreviousPanel, "panel"),
];
/// The actions that scroll by pages.
const PAGES: [Action; 4] = {
    use Action::{First, Last, PageDown, PageUp};
    [PageUp, PageDown, First, Last]
};
/// The number of a tab's own actions before the common ones.
const MOST_OWN: usize = 6;

/// Draws the status message and the line of keys, in one row on a low screen.
pub(super) fn draw(painter: &mut Painter<'_>, parts: ScreenLayout) {
    let context = painter.context;
    let message_key = message_key(context);
    let hints_key = hints_key(context);

    if parts.notice == parts.keys {
        let key = (message_key, hints_key);
        painter.redraw_if_changed(parts.keys, key, |painter| match message(context) {
            Some(message) => painter.draw_line(inside(parts.notice), &message),
            None => draw_hints(painter, inside(parts.keys)),
        });
        return;
    }

    painter.redraw_if_changed(parts.notice, message_key, |painter| {
        draw_message(painter, parts);
    });
    painter.redraw_if_changed(parts.keys, hints_key, |painter| {
        draw_hints(painter, inside(parts.keys));
    });
}

/// Draws the status message under a dialog, which may cover it.
pub(super) fn draw_under_dialog(painter: &mut Painter<'_>, parts: ScreenLayout) {
    clear(parts.notice, painter.look.base(), painter.buffer);
    draw_message(painter, parts);
}

/// Draws the keys and the status message after the dialog, because its keys depend on the room that it got.
pub(super) fn draw_over_dialog(painter: &mut Painter<'_>, parts: ScreenLayout, screen: Rect) {
    let context = painter.context;
    let has_own_row = parts.notice != parts.keys;
    if has_own_row || message(context).is_none() {
        // Blanks alone would keep the bold style of the text below.
        clear(parts.keys, context.look.base(), painter.buffer);
        draw_hints(painter, inside(parts.keys));
    }

    if let Some(notice) = &context.state.notice {
        let last_row = row(screen, screen.height.saturating_sub(1));
        clear(last_row, context.look.base(), painter.buffer);
        let line = context.line(notice.text.as_str(), notice.role);
        painter.draw_line(inside(last_row), &line);
    }
}

/// Returns a hash of everything that the hints of the open tab depend on.
///
/// A tick of a clock changes no hint except that of undo, so the revision of the game is not a part of it.
fn hints_key(context: ViewContext<'_>) -> u64 {
    let view = context.view;
    let state = context.state;
    let panel = state.active_panel();

    let log_actions = [Action::Repeat, Action::Amend, Action::UndoEntry];
    // Only the rolls on the table and the log have keys for these actions.
    let available_in_log = if panel == Panel::Rolls {
        Some(log_actions.map(|action| is_available(action, context)))
    } else {
        None
    };
    let of_entry = (
        is_own_here(context),
        may_step_value(context),
        state.list(panel).id().is_some(),
        has_few(context),
        is_available(Action::Award, context),
        selected_fold(context).map(|fold| fold.is_open),
    );
    let of_game = (
        view.revision_of(EntityKind::Character),
        view.has_undo(),
        view.is_log_empty(),
        view.locks().next().is_some(),
    );
    let of_screen = (
        state.panel as usize,
        state.table.is_maximized,
        state.filter().is_empty(),
    );
    FxBuildHasher.hash_one((of_entry, of_game, of_screen, available_in_log))
}

/// Returns the label of an action on the line of keys.
fn label(action: Action, context: ViewContext<'_>) -> &'static str {
    let dialog = context.state.layers.last();
    let reading_label = dialog.and_then(|dialog| dialog.form.reading_label());
    if action == Action::Submit
        && let Some(reading_label) = reading_label
    {
        return reading_label;
    }

    match (action, selected_fold(context)) {
        (Action::Explain, Some(fold)) if fold.is_open => "close row",
        (Action::Explain, Some(_)) => "open row",
        (Action::Maximize, _) if context.state.table.is_maximized => "all panels",
        _ => action.label(),
    }
}

/// Returns the selected fold of the log.
fn selected_fold(context: ViewContext<'_>) -> Option<ShownFold> {
    let state = context.state;
    if state.tab != Tab::Log || !state.is_browsing() {
        return None;
    }
    state.log.selected_line()?.fold()
}

/// Returns the pair of opposite actions with this action.
fn pair(action: Action) -> Option<&'static (Action, Action, &'static str)> {
    PAIRS
        .iter()
        .find(|(one, other, _)| action == *one || action == *other)
}

/// Returns the available actions, the most useful ones first.
fn actions(context: ViewContext<'_>) -> Vec<Action> {
    let state = context.state;
    if state.is_browsing() {
        let mut actions = tab_actions(context);
        actions.push(Action::Help);
        return actions;
    }

    let mut actions = match state.layers.last() {
        Some(dialog) => dialog.form.hints().to_vec(),
        None => Vec::new(),
    };
    if actions.is_empty() {
        // Typing and scrolling need no hints.
        actions = bound_actions(context, &[Context::Field, Context::Always]);
        actions.retain(|action| !PAGES.contains(action));
    }
    // Before a game is open, the permissions of the seat are not known.
    actions.retain(|action| state.is_picking || is_offered(*action, context.view));
    // The key that closes the dialog comes last, because the last hint is never dropped.
    actions.retain(|action| *action != Action::Close);
    if !state.is_help_open() {
        actions.push(Action::Help);
    }
    actions.push(Action::Close);
    actions
}

/// Returns the actions with keys, except those of some contexts.
fn bound_actions(context: ViewContext<'_>, excluded: &[Context]) -> Vec<Action> {
    let keymap = &context.setup.keymap;
    context
        .state
        .contexts()
        .iter()
        .filter(|place| !excluded.contains(place))
        .flat_map(|place| keymap.bindings(*place))
        .map(|binding| binding.action)
        .collect()
}

/// Returns the available actions of the open tab.
fn tab_actions(context: ViewContext<'_>) -> Vec<Action> {
    let state = context.state;
    let panel = state.active_panel();
    let is_empty = match state.tab {
        Tab::Log => context.view.is_log_empty(),
        _ => state.list(panel).id().is_none() && state.filter().is_empty(),
    };
    let is_about_panels = |action: &Action| {
        matches!(
            action,
            Action::NextPanel | Action::PreviousPanel | Action::Maximize
        )
    };

    let mut own_actions = bound_actions(
        context,
        &[Context::List, Context::Everywhere, Context::Always],
    );
    own_actions.sort_by_key(is_about_panels);
    own_actions.retain(|action| is_available(*action, context));

    let mut actions = vec![Action::Roll];
    // A low screen has no row for the keys of a player's seat.
    if !context.view.seat().sees_all() && !has_standing_row(context) {
        actions.extend([Action::Purse, Action::Note]);
    }
    // In a fight the next turn is the most frequent key after the roll.
    if own_actions.contains(&Action::EndTurn) {
        own_actions.retain(|action| *action != Action::EndTurn);
        actions.push(Action::EndTurn);
    }
    if is_empty {
        // An empty list has no items to act on.
        own_actions.retain(|action| is_about_panels(action) && *action != Action::Maximize);
        actions.push(if panel == Panel::Rolls {
            Action::Note
        } else {
            Action::New
        });
    } else if has_few(context) {
        actions.push(Action::New);
    }

    own_actions.dedup_by_key(|action| match pair(*action) {
        Some((one, ..)) => *one,
        None => *action,
    });
    let later_actions = own_actions.split_off(own_actions.len().min(MOST_OWN));
    actions.extend(own_actions);
    for common in COMMON {
        let lacks_entry = is_empty && common.needs_entry;
        let lacks_entity = panel == Panel::Rolls && common.is_for_entities;
        if !lacks_entry && !lacks_entity {
            actions.push(common.action);
        }
    }
    actions.extend(later_actions);
    actions.retain(|action| {
        let is_of_tab = state.tab != Tab::Table || *action != Action::Details;
        is_of_tab && is_available(*action, context)
    });
    actions
}

/// Returns true if the list has at most one item, so that creating more is the likely next action.
fn has_few(context: ViewContext<'_>) -> bool {
    let panel = context.state.active_panel();
    panel != Panel::Rolls && context.state.list(panel).lines().len() < 2
}

/// Returns true if an action has an effect here. Otherwise its key shows the reason.
fn is_available(action: Action, context: ViewContext<'_>) -> bool {
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
        Action::NextRound => !view.has_turn_order(),
        Action::Undo => view.has_undo(),
        Action::UndoEntry | Action::Amend if selected_fold(context).is_some() => false,
        Action::UndoEntry => entry.is_some_and(|entry| !view.is_struck(entry)),
        Action::Repeat => entry.is_some_and(|entry| may_repeat(entry, view)),
        Action::Amend => entry.is_some_and(|entry| view.may_amend(entry).is_ok()),
        Action::Award => match context.state.list(panel).id() {
            Some(ListId::Character(id)) => view.pools_of(Some(id)).next().is_some(),
            _ => view.pools().next().is_some(),
        },
        StepUp | StepDown | PreviousValue | NextValue => {
            panel != Panel::Party || !rows::values(view.system()).is_empty()
        }
        _ => true,
    }
}

/// Returns true if the seat may step the selected value of a character. Players step stats, and not pools or clocks.
fn may_step_value(context: ViewContext<'_>) -> bool {
    let (view, state) = (context.view, context.state);
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
fn is_own_here(context: ViewContext<'_>) -> bool {
    let view = context.view;
    let allowed = view.allowed();
    match context.state.list(context.state.active_panel()).id() {
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
