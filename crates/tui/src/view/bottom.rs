//! The status message and the line of keys at the bottom of the screen.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::list::ListId;
use crate::app::notice::Notice;
use crate::app::offered::{is_offered, is_own, may_repeat};
use crate::app::rows;
use crate::app::state::{Panel, Tab};
use crate::app::update::log_lines::ShownFold;
use crate::view::layout::ScreenLayout;
use crate::view::painter::{clear, inside};
use crate::view::{Painter, ViewContext};
use crate::widget::{columns, join, line_columns, row};
use crate::{Action, Context, Role};
use tableside_game::{DYING, EntityKind};
use tableside_rules::FirstAid;

/// The actions that follow the tab's own actions on each tab, each with two flags: whether it needs an item, and whether
/// it works only on characters, clocks and pools.
const AFTER: [(Action, bool, bool); 10] = [
    (Action::Undo, false, false),
    (Action::Open, true, true),
    (Action::New, false, true),
    (Action::Delete, true, true),
    (Action::Filter, true, false),
    (Action::NextScene, false, false),
    (Action::Palette, false, false),
    (Action::Details, true, false),
    (Action::Mark, true, true),
    (Action::Duplicate, true, true),
];
/// Opposite actions, which share one hint.
const PAIRS: [(Action, Action, &str); 12] = [
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
];
/// The actions that scroll by pages.
const PAGES: [Action; 4] = {
    use Action::{First, Last, PageDown, PageUp};
    [PageUp, PageDown, First, Last]
};
/// The number of a tab's own actions before the common ones.
const MOST_OWN: usize = 6;
/// The gaps between hints are smaller on screens below this width.
const NARROW: u16 = 60;

/// Draws the status message and the line of keys, in one row on a low screen.
pub(super) fn draw(painter: &mut Painter<'_>, parts: ScreenLayout) {
    let context = painter.context;
    let state = context.state;
    let (notice, keys) = (inside(parts.notice), inside(parts.keys));
    let shared = parts.notice == parts.keys;
    let about = (count_marked(context), state.filter());
    // A tick of a clock changes no hint except that of undo, which is part of the key below.
    let revision = context.view.revision_of(EntityKind::Character);
    let said = (revision, &state.notice, &state.unsaved, about);
    let view = context.view;
    let may_award = is_available(Action::Award, context);
    let of_log = [Action::Repeat, Action::Amend, Action::UndoEntry];
    let bound_by = (
        view.has_undo(),
        state.panel,
        (is_own_here(context), has_few(context)),
        state.list(state.active_panel()).id().is_some(),
        (state.filter().is_empty(), view.is_log_empty()),
        (may_award, view.locks().next().is_some()),
        // Only the log has keys for these actions.
        (state.active_panel() == Panel::Rolls)
            .then(|| of_log.map(|action| is_available(action, context))),
        selected_fold(context).map(|fold| fold.is_open),
    );
    if shared {
        painter.redraw_if_changed(parts.keys, (said, bound_by), |painter| {
            match words(context) {
                Some(words) => painter.draw_line(notice, &words),
                None => hints(painter, keys),
            }
        });
        return;
    }
    painter.redraw_if_changed(parts.notice, said, |painter| {
        if let Some(words) = words(context) {
            painter.draw_line(notice, &words);
        }
    });
    painter.redraw_if_changed(parts.keys, (revision, bound_by), |painter| {
        hints(painter, keys);
    });
}

/// Draws the keys and the status message after the dialog, because its keys depend on the room that it got.
pub(super) fn draw_over_dialog(painter: &mut Painter<'_>, parts: ScreenLayout, screen: Rect) {
    let context = painter.context;
    if parts.notice != parts.keys || words(context).is_none() {
        // Blanks alone would keep the bold style of the text below.
        clear(parts.keys, context.look.base(), painter.buffer);
        hints(painter, inside(parts.keys));
    }
    if let Some(notice) = &context.state.notice {
        let last = row(screen, screen.height.saturating_sub(1));
        clear(last, context.look.base(), painter.buffer);
        painter.draw_line(
            inside(last),
            &context.line(notice.text.as_str(), notice.role),
        );
    }
}

/// Returns the most urgent message.
///
/// A warning leaves room for a suggestion that waits for an answer. A message that the next key removes may take the
/// whole row.
fn words(context: ViewContext<'_>) -> Option<Line<'_>> {
    let state = context.state;
    let waits = suggestion(context);
    let is_urgent = |notice: &&Notice| notice.role == Role::Warning || waits.is_none();
    let notice = state.notice.as_ref().filter(is_urgent);
    let is_shared = state.unsaved.is_some() && waits.is_some();
    let room = state.size.0 / (1 + u16::from(is_shared));
    let notice = state.unsaved.as_ref().or(notice);
    let notice =
        notice.map(|notice| context.line(context.look.fit(&notice.text, room), notice.role));
    let both = join(notice.into_iter().chain(waits), "  ");
    Some(both)
        .filter(|both| !both.spans.is_empty())
        // The state of the list is not shown below a dialog.
        .or_else(|| about_list(context).filter(|_| state.is_browsing()))
}

/// Returns the oldest suggestion of a player, with the keys that answer it.
fn suggestion(context: ViewContext<'_>) -> Option<Line<'_>> {
    let waiting = context.view.suggestions();
    let first = waiting.first()?;
    let more = match waiting.len() {
        1 => String::new(),
        count => format!(" (1 of {count})"),
    };
    let words = format!("{} suggests: {}{more}", first.by, first.words);
    Some(Line::from(vec![
        context.span(context.key(Action::Accept), Role::Key),
        context.span(" yes ", Role::Muted),
        context.span(context.key(Action::Decline), Role::Key),
        context.span(" no  ", Role::Muted),
        context.span(words, Role::Notice),
    ]))
}

/// Returns the number of marked items in the focused list.
fn count_marked(context: ViewContext<'_>) -> usize {
    context
        .state
        .list(context.state.active_panel())
        .marked()
        .len()
}

/// Returns the number of marked items or the filter of the list, with the key that removes them.
fn about_list(context: ViewContext<'_>) -> Option<Line<'_>> {
    let (lead, found, does) = match (count_marked(context), context.state.filter()) {
        (0, "") => return None,
        (0, filter) => ("filter: ", filter.to_owned(), "shows all"),
        (marked, _) => ("keys act on ", format!("{marked} marked"), "unmarks"),
    };
    let told = vec![
        context.span(lead, Role::Muted),
        context.span(found, Role::Found),
    ];
    let close = context.key(Action::Close);
    let close = [
        context.line(close, Role::Key),
        context.line(does, Role::Muted),
    ];
    Some(join([Line::from(told), join(close, " ")], "  "))
}

/// Draws as many hints as fit.
fn hints(painter: &mut Painter<'_>, area: Rect) {
    let context = painter.context;
    let contexts = context.state.contexts();
    let mut keys: Vec<(String, &'static str)> = Vec::new();
    for action in actions(context) {
        let (key, label) = match pair(action) {
            Some((one, other, label)) => {
                let both = [one, other].map(|action| context.key_in(contexts, *action));
                (both.join(" ").trim().to_owned(), *label)
            }
            None => (context.key_in(contexts, action), label(action, context)),
        };
        if !key.is_empty() && keys.iter().all(|(_, known)| *known != label) {
            keys.push((key, label));
        }
    }
    let gap = if area.width < NARROW { "  " } else { "   " };
    let hint = |(key, does): &(String, &str)| {
        let does = context.span(format!(" {does}"), Role::KeyLabel);
        Line::from(vec![context.span(key.clone(), Role::Key), does])
    };
    let mut hints: Vec<Line<'_>> = keys.iter().map(hint).collect();
    // The last hint, which is for help or for closing, is never dropped.
    let Some(last) = hints.pop() else { return };
    let mut room = area.width.saturating_sub(line_columns(&last));
    let fits = |hint: &Line<'_>| {
        let rest = room.checked_sub(line_columns(hint) + columns(gap));
        room = rest.unwrap_or(room);
        rest.is_some()
    };
    let shown = hints.into_iter().take_while(fits).chain([last]);
    painter.draw_line(area, &join(shown, gap));
}

/// Returns the label of an action on the line of keys.
fn label(action: Action, context: ViewContext<'_>) -> &'static str {
    match (action, selected_fold(context)) {
        (Action::Explain, Some(fold)) if fold.is_open => "close row",
        (Action::Explain, Some(_)) => "open row",
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
    let mut pairs = PAIRS.iter();
    pairs.find(|(one, other, _)| [one, other].contains(&&action))
}

/// Returns the available actions, the most useful ones first.
fn actions(context: ViewContext<'_>) -> Vec<Action> {
    let state = context.state;
    if state.is_browsing() {
        let mut actions = in_tab(context);
        actions.push(Action::Help);
        return actions;
    }
    let top = state.layers.last();
    let mut actions = top.map_or_else(Vec::new, |dialog| dialog.form.hints().to_vec());
    if actions.is_empty() {
        // Typing and scrolling need no hints.
        actions = bound(context, &[Context::Field, Context::Always]);
        actions.retain(|action| !PAGES.contains(action));
    }
    // Before a game is open, the permissions of the seat are not known.
    actions.retain(|action| state.is_picking || is_offered(*action, context.view));
    // The key that closes the dialog comes last, because the last hint is never dropped.
    actions.retain(|action| *action != Action::Close);
    actions.extend([Action::Help, Action::Close]);
    actions
}

/// Returns the actions with keys, except those in the contexts `but`.
fn bound(context: ViewContext<'_>, but: &[Context]) -> Vec<Action> {
    let places = context.state.contexts().iter();
    let places = places.filter(|place| !but.contains(place));
    let bindings = places.flat_map(|place| context.setup.keymap.bindings(*place));
    bindings.map(|binding| binding.action).collect()
}

/// Returns the available actions of the open tab.
fn in_tab(context: ViewContext<'_>) -> Vec<Action> {
    let state = context.state;
    let panel = state.active_panel();
    let is_empty = match state.tab {
        Tab::Log => context.view.is_log_empty(),
        _ => state.list(panel).id().is_none() && state.filter().is_empty(),
    };
    let walks = |action: &Action| matches!(action, Action::NextPanel | Action::PreviousPanel);
    let mut own = bound(
        context,
        &[Context::List, Context::Everywhere, Context::Always],
    );
    own.sort_by_key(walks);
    own.retain(|action| is_available(*action, context));
    let mut actions = vec![Action::Roll];
    if is_empty {
        // An empty list has no items to act on.
        own.retain(walks);
        actions.push([Action::New, Action::Note][usize::from(panel == Panel::Rolls)]);
    } else if has_few(context) {
        actions.push(Action::New);
    }
    own.dedup_by_key(|action| pair(*action).map_or(*action, |(one, ..)| *one));
    let rest = own.split_off(own.len().min(MOST_OWN));
    let is_told = |(_, needs_one, is_of_things): &(Action, bool, bool)| {
        !(is_empty && *needs_one || panel == Panel::Rolls && *is_of_things)
    };
    let after = AFTER.into_iter().filter(is_told).map(|(action, ..)| action);
    actions.extend(own.into_iter().chain(after).chain(rest));
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
    let (view, entry) = (context.view, context.state.entry());
    match action {
        _ if !is_offered(action, view) => false,
        Advance | Back | Gain | Spend | StepUp | StepDown if !is_own_here(context) => false,
        // A player can change these only by a suggestion.
        Action::Open if matches!(context.state.active_panel(), Panel::Clocks | Panel::Tokens) => {
            view.seat().sees_all()
        }
        Action::FirstAid if view.system().spec().first_aid == FirstAid::EndsDying => {
            view.roster().any(|one| one.suffers(DYING))
        }
        Action::Undo => view.has_undo(),
        Action::UndoEntry | Action::Amend if selected_fold(context).is_some() => false,
        Action::UndoEntry => entry.is_some_and(|entry| !view.is_struck(entry)),
        Action::Repeat => entry.is_some_and(|entry| may_repeat(entry, view)),
        Action::Amend => entry.is_some_and(|entry| view.may_amend(entry).is_ok()),
        Action::Award => match context.state.list(context.state.active_panel()).id() {
            Some(ListId::Character(id)) => view.pools_of(Some(id)).next().is_some(),
            _ => view.pools().next().is_some(),
        },
        StepUp | StepDown | PreviousValue | NextValue => {
            context.state.active_panel() != Panel::Party || !rows::values(view.system()).is_empty()
        }
        _ => true,
    }
}

/// Returns true if the seat may change the selected item.
fn is_own_here(context: ViewContext<'_>) -> bool {
    let (view, allowed) = (context.view, context.view.allowed());
    match context.state.list(context.state.active_panel()).id() {
        Some(ListId::Character(id)) => is_own(Some(id), false, view),
        Some(ListId::Clock(id)) => {
            let owner = view.clock(id).and_then(|one| one.clock.owner);
            is_own(owner, allowed.table_clocks, view)
        }
        Some(ListId::Pool(id)) => {
            let owner = view.game().pool(id).and_then(|pool| pool.owner);
            is_own(owner, allowed.table_pools, view)
        }
        Some(ListId::Roll(_)) | None => true,
    }
}
