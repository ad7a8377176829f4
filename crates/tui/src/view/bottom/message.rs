//! The status message: a warning, a suggestion of a player, a notice, or the state of the list.

use std::hash::BuildHasher as _;

use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::app::notice::Notice;
use crate::app::state::Panel;
use crate::view::layout::ScreenLayout;
use crate::view::painter::inside;
use crate::view::{Painter, ViewContext};
use crate::widget::{join, wrap};
use crate::{Action, Role};
use tableside_game::EntityKind;

/// Returns a hash of everything that the status message depends on.
pub(in crate::view) fn message_key(context: ViewContext<'_>) -> u64 {
    let state = context.state;
    // The suggestions of players change with the characters.
    let revision = context.view.revision_of(EntityKind::Character);
    FxBuildHasher.hash_one((
        revision,
        &state.notice,
        &state.unsaved,
        count_marked(context),
        state.filter(),
    ))
}

pub(super) fn draw_message(painter: &mut Painter<'_>, parts: ScreenLayout) {
    if let Some(message) = message(painter.context) {
        painter.draw_line(inside(parts.notice), &message);
    }
}

/// Returns the most urgent message.
///
/// The warning about saving leaves room for a suggestion that waits for an answer. A message that the next key removes
/// may fill the whole row.
pub(in crate::view) fn message(context: ViewContext<'_>) -> Option<Line<'_>> {
    let state = context.state;
    let suggestion = suggestion(context);
    let is_shared = state.unsaved.is_some() && suggestion.is_some();
    let room = if is_shared {
        state.size.0 / 2
    } else {
        state.size.0
    };

    let mut parts = Vec::new();
    if let Some(notice) = most_urgent_notice(context, suggestion.is_some()) {
        let text = match notice_lines(context) {
            Some([first_line, _]) => first_line.into(),
            None => context.look.fit(&notice.text, room),
        };
        parts.push(context.line(text, notice.role));
    }
    parts.extend(suggestion);
    if !parts.is_empty() {
        return Some(join(parts, "  "));
    }

    // The state of the list is not shown below a dialog.
    if state.is_browsing() {
        list_message(context)
    } else {
        None
    }
}

/// Returns the part of a long notice that takes the place of the keys.
pub(super) fn second_line(context: ViewContext<'_>) -> Option<Line<'_>> {
    let [_, second_line] = notice_lines(context)?;
    let notice = most_urgent_notice(context, false)?;
    Some(context.line(second_line, notice.role))
}

/// Breaks a notice that is too long for one row. `None` if it fits, or if a suggestion needs a part of the row.
fn notice_lines(context: ViewContext<'_>) -> Option<[String; 2]> {
    if suggestion(context).is_some() {
        return None;
    }
    let notice = most_urgent_notice(context, false)?;
    let width = context.state.size.0.saturating_sub(2);
    let mut lines = wrap(&notice.text, width).into_iter();
    let first_line = lines.next()?;
    let others: Vec<String> = lines.collect();
    if others.is_empty() {
        return None;
    }
    let second_line = context.look.fit(&others.join(" "), width).into_owned();
    Some([first_line, second_line])
}

/// Returns the warning about saving, or else the notice. A suggestion replaces a notice that is not a warning.
fn most_urgent_notice(context: ViewContext<'_>, has_suggestion: bool) -> Option<&Notice> {
    let state = context.state;
    if let Some(unsaved) = &state.unsaved {
        return Some(unsaved);
    }
    let notice = state.notice.as_ref()?;
    if has_suggestion && notice.role != Role::Warning {
        return None;
    }
    Some(notice)
}

/// Returns true if the status message contains the notice.
pub(super) fn shows_notice(context: ViewContext<'_>) -> bool {
    let has_suggestion = suggestion(context).is_some();
    let urgent = most_urgent_notice(context, has_suggestion);
    urgent.is_some() && urgent == context.state.notice.as_ref()
}

/// Returns the oldest suggestion of a player, with the keys that answer it.
fn suggestion(context: ViewContext<'_>) -> Option<Line<'_>> {
    let suggestions = context.view.suggestions();
    let first = suggestions.first()?;
    let count = match suggestions.len() {
        1 => String::new(),
        count => format!(" (1 of {count})"),
    };
    let text = format!("{} suggests: {}{count}", first.by, first.words);
    Some(Line::from(vec![
        context.span(context.key(Action::Accept), Role::Key),
        context.span(" yes ", Role::Muted),
        context.span(context.key(Action::Decline), Role::Key),
        context.span(" no  ", Role::Muted),
        context.span(text, Role::Notice),
    ]))
}

/// Returns the number of marked items in the focused list.
fn count_marked(context: ViewContext<'_>) -> usize {
    let list = context.state.list(context.state.active_panel());
    list.marked().len()
}

/// Returns the number of marked items or the filter of the list, with the key that removes the marks or the filter.
fn list_message(context: ViewContext<'_>) -> Option<Line<'_>> {
    let filter = context.state.filter();
    let (lead, text, effect) = match count_marked(context) {
        0 if filter.is_empty() => return None,
        0 => ("filter: ", filter.to_owned(), "shows all"),
        marked => ("keys act on ", format!("{marked} marked"), "unmarks"),
    };

    let text = Line::from(vec![
        context.span(lead, Role::Muted),
        context.span(text, Role::Found),
    ]);
    let hint = |action, effect| {
        let key = context.line(context.key(action), Role::Key);
        join([key, context.line(effect, Role::Muted)], " ")
    };

    let mut parts = vec![text, hint(Action::Close, effect)];
    // A roll is of one character, and a call is of all marked ones.
    let marks_party = context.state.active_panel() == Panel::Party;
    if marks_party && count_marked(context) > 1 && context.view.seat().sees_all() {
        parts.push(hint(Action::CallRoll, "calls on them to roll"));
    }
    Some(join(parts, "  "))
}
