//! The status message and the line of keys at the bottom of the screen.

mod available;
mod hints;
mod message;
mod tab_actions;

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use rustc_hash::FxBuildHasher;

use crate::app::offered::is_offered;
use crate::app::state::{Panel, Tab};
use crate::app::update::log_lines::ShownFold;
use crate::view::bottom::available::{
    is_available, is_own_here, may_step_value, number_of_card_values,
};
use crate::view::bottom::hints::draw_hints;
pub(super) use crate::view::bottom::hints::draw_tab_hints;
use crate::view::bottom::message::{draw_message, second_line, shows_notice};
pub(super) use crate::view::bottom::message::{message, message_key};
use crate::view::bottom::tab_actions::{has_few, tab_actions};
use crate::view::layout::ScreenLayout;
use crate::view::painter::{clear, inside};
use crate::view::{Painter, ViewContext};
use crate::widget::row;
use crate::{Action, Context};
use tableside_game::EntityKind;

/// Two opposite actions, which share one hint.
struct ActionPair {
    first: Action,
    second: Action,
    label: &'static str,
}

const fn opposites(first: Action, second: Action, label: &'static str) -> ActionPair {
    ActionPair {
        first,
        second,
        label,
    }
}

const PAIRS: [ActionPair; 13] = [
    opposites(Action::PreviousValue, Action::NextValue, "which value"),
    opposites(Action::MoreRounds, Action::FewerRounds, "rounds"),
    opposites(Action::StepUp, Action::StepDown, "value"),
    opposites(Action::Advance, Action::Back, "tick"),
    opposites(Action::MoreSegments, Action::FewerSegments, "segments"),
    opposites(Action::Gain, Action::Spend, "token"),
    opposites(Action::PreviousCheck, Action::NextCheck, "check"),
    opposites(Action::PreviousField, Action::NextField, "field"),
    opposites(Action::Lower, Action::Raise, "value"),
    opposites(Action::PreviousButton, Action::NextButton, "button"),
    opposites(Action::Up, Action::Down, "move"),
    opposites(Action::Left, Action::Right, "across"),
    opposites(Action::NextPanel, Action::PreviousPanel, "panel"),
];
/// The actions that scroll by pages.
const PAGES: [Action; 4] = {
    use Action::{First, Last, PageDown, PageUp};
    [PageUp, PageDown, First, Last]
};

/// Draws the status message and the line of keys. On a low screen the title shows the message.
///
/// A notice that is too long for its row goes on in the line of keys.
pub(super) fn draw(painter: &mut Painter<'_>, parts: ScreenLayout) {
    let context = painter.context;
    let hints_key = hints_key(context);

    if !parts.has_message_in_title() {
        painter.redraw_if_changed(parts.notice, message_key(context), |painter| {
            draw_message(painter, parts);
        });
    }
    let second_line = second_line(context);
    let notice_key = second_line.as_ref().map(|_| message_key(context));
    painter.redraw_if_changed(
        parts.keys,
        (hints_key, notice_key),
        |painter| match &second_line {
            Some(line) => painter.draw_line(inside(parts.keys), line),
            None => draw_hints(painter, inside(parts.keys)),
        },
    );
}

/// Draws the status message before a dialog, which may cover the message.
pub(super) fn draw_under_dialog(painter: &mut Painter<'_>, parts: ScreenLayout) {
    if parts.has_message_in_title() && message(painter.context).is_none() {
        return;
    }
    clear(parts.notice, painter.look.base(), painter.buffer);
    draw_message(painter, parts);
}

/// Draws the keys after the dialog, because they depend on the room that it got. A notice takes their place if it is
/// not visible above them: `is_message_covered` is true if the dialog covers the status message.
pub(super) fn draw_over_dialog(
    painter: &mut Painter<'_>,
    parts: ScreenLayout,
    screen: Rect,
    is_message_covered: bool,
) {
    let context = painter.context;
    // Blanks alone would keep the bold style of the text below.
    clear(parts.keys, context.look.base(), painter.buffer);
    draw_hints(painter, inside(parts.keys));

    let is_notice_visible = !is_message_covered && shows_notice(context);
    if is_notice_visible && let Some(line) = second_line(context) {
        clear(parts.keys, context.look.base(), painter.buffer);
        painter.draw_line(inside(parts.keys), &line);
    }
    if let Some(notice) = &context.state.notice
        && !is_notice_visible
    {
        let last_row = row(screen, screen.height.saturating_sub(1));
        clear(last_row, context.look.base(), painter.buffer);
        let line = context.line(notice.text.as_str(), notice.role);
        painter.draw_line(inside(last_row), &line);
    }
}

/// Returns a hash of everything that the hints of the open tab depend on.
///
/// The revision of the whole game is not a part of it, because a tick of a clock changes no hint except the one for
/// undo.
fn hints_key(context: ViewContext<'_>) -> u64 {
    let view = context.view;
    let state = context.state;
    let panel = state.active_panel();

    let log_actions = [Action::Repeat, Action::Amend, Action::UndoEntry];
    // Only the rolls on the table and the log have keys for these actions.
    let available_on_rolls = if panel == Panel::Rolls {
        Some(log_actions.map(|action| is_available(action, context)))
    } else {
        None
    };
    let of_entry = (
        is_own_here(context),
        number_of_card_values(context) > 1,
        may_step_value(context),
        state.list(panel).id().is_some(),
        has_few(context),
        is_available(Action::Award, context),
        selected_fold(context).map(|fold| fold.is_open),
    );
    let of_game = (
        view.revision_of(EntityKind::Character),
        view.has_undo(),
        (view.has_turn_order(), view.round > 0),
        view.is_log_empty(),
        view.locks().next().is_some(),
    );
    let of_screen = (
        state.panel as usize,
        state.table.is_maximized,
        state.filter().is_empty(),
    );
    FxBuildHasher.hash_one((of_entry, of_game, of_screen, available_on_rolls))
}

/// Returns the label of an action on the line of keys.
fn label(action: Action, context: ViewContext<'_>) -> &'static str {
    let dialog = context.state.layers.last();
    let enter_label = dialog.and_then(|dialog| dialog.form.enter_label());
    if action == Action::Submit
        && let Some(enter_label) = enter_label
    {
        return enter_label;
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
fn pair_with(action: Action) -> Option<&'static ActionPair> {
    PAIRS
        .iter()
        .find(|pair| pair.first == action || pair.second == action)
}

/// Returns the actions that the line of keys hints at, the most useful ones first.
fn hinted_actions(context: ViewContext<'_>) -> Vec<Action> {
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

/// Returns the actions that are bound in the present contexts, except in the excluded ones.
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
