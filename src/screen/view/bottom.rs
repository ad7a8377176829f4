//! The line of words in passing, and the line of keys.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::{Painter, inside};
use super::tiles::clear;
use crate::screen::action::{Action, Context};
use crate::screen::input::KeyCode;
use crate::screen::layout::Parts;
use crate::screen::state::{Panel, Tab, Unsaved};
use crate::screen::theme::Role;
use crate::screen::widget::hints::Hints;
use crate::screen::widget::row;

/// What needs something to be done to.
const NEEDS_ONE: [Action; 6] = [
    Action::Open,
    Action::Delete,
    Action::Filter,
    Action::Mark,
    Action::Duplicate,
    Action::Details,
];
/// What is done to characters, clocks and pools.
const OF_THINGS: [Action; 5] = [
    Action::Open,
    Action::New,
    Action::Delete,
    Action::Mark,
    Action::Duplicate,
];

/// What the line of keys names first in a tab, what comes after the tab's own, and what comes last.
const FIRST: [Action; 1] = [Action::Roll];
const AFTER: [Action; 10] = [
    Action::Undo,
    Action::Open,
    Action::New,
    Action::Delete,
    Action::Filter,
    Action::NextScene,
    Action::Palette,
    Action::Details,
    Action::Mark,
    Action::Duplicate,
];

/// Draws both.
pub(super) fn draw(paint: &mut Painter<'_>, parts: Parts) {
    let (notice, keys) = (inside(parts.notice), inside(parts.keys));
    let shared = parts.notice == parts.keys;
    let state = paint.state;
    let from = (&state.notice, &state.unsaved, state.marked());
    let at = state.panel;
    if shared {
        paint.tile(parts.keys, (from, at), |paint| match words(paint) {
            Some(words) => paint.line(notice, &words),
            None => hints(paint, keys),
        });
        return;
    }
    paint.tile(parts.notice, from, |paint| {
        if let Some(words) = words(paint) {
            paint.line(notice, &words);
        }
    });
    paint.tile(parts.keys, at, |paint| hints(paint, keys));
}

/// Draws the keys of a dialog once it is drawn: what can be done in it depends on the room it has.
pub(super) fn again(paint: &mut Painter<'_>, parts: Parts) {
    if parts.notice == parts.keys && words(paint).is_some() {
        return;
    }
    // Blanks would not take the weight of the letters away that stood there before.
    clear(parts.keys, paint.look.base(), paint.buffer);
    hints(paint, inside(parts.keys));
}

/// A word in passing on the last row, over a dialog that leaves no other room for it.
pub(super) fn over(paint: &mut Painter<'_>, screen: Rect) {
    let Some(notice) = &paint.state.notice else {
        return;
    };
    let last = row(screen, screen.height.saturating_sub(1));
    clear(last, paint.look.base(), paint.buffer);
    let line = Line::from(paint.span(notice.text.as_str(), notice.role));
    paint.line(inside(last), &line);
}

/// Below so many columns words in passing are short.
const NARROW: u16 = 60;

/// The most urgent of what is to be said.
fn words<'a>(paint: &Painter<'a>) -> Option<Line<'a>> {
    let state = paint.state;
    match &state.unsaved {
        Unsaved::Failing { since, reason } => {
            let since = since.map_or(String::new(), |at| {
                format!(" since {}", paint.setup.zone.time(at))
            });
            let words = format!("NOT SAVED{since}: {reason}; it is tried again by itself");
            return Some(Line::from(paint.span(words, Role::Danger)));
        }
        Unsaved::Slow => {
            let words = "saving takes long: the last change is not on the disk yet";
            return Some(Line::from(paint.span(words, Role::Warning)));
        }
        Unsaved::No => {}
    }
    if let Some(notice) = &state.notice
        && (notice.role == Role::Warning || paint.seen.suggestions().is_empty())
    {
        return Some(Line::from(paint.span(notice.text.as_str(), notice.role)));
    }
    if let Some(line) = suggestion(paint) {
        return Some(line);
    }
    if !state.is_browsing() {
        // What the list beneath is about can wait.
        return None;
    }
    let marked = state.marked();
    if marked > 0 {
        let means = if state.size.0 < NARROW {
            "  "
        } else {
            ": keys act on all of them  "
        };
        return Some(Line::from(vec![
            paint.span(format!("{marked} marked"), Role::Found),
            paint.span(means, Role::Muted),
            paint.span(key(paint, Action::Close, state.tab_contexts()), Role::Key),
            paint.span(" unmarks", Role::Muted),
        ]));
    }
    let filter = state.filter();
    (!filter.is_empty()).then(|| {
        Line::from(vec![
            paint.span("filter: ", Role::Muted),
            paint.span(filter, Role::Found),
            paint.span("  ", Role::Muted),
            paint.span(key(paint, Action::Close, state.tab_contexts()), Role::Key),
            paint.span(" shows all", Role::Muted),
        ])
    })
}

/// What a player suggests, with the keys that answer it.
fn suggestion<'a>(paint: &Painter<'a>) -> Option<Line<'a>> {
    let waiting = paint.seen.suggestions();
    let first = waiting.first()?;
    let contexts = paint.state.tab_contexts();
    let more = match waiting.len() {
        1 => String::new(),
        count => format!(" (1 of {count})"),
    };
    Some(Line::from(vec![
        paint.span(key(paint, Action::Accept, contexts), Role::Key),
        paint.span(" yes ", Role::Muted),
        paint.span(key(paint, Action::Decline, contexts), Role::Key),
        paint.span(" no  ", Role::Muted),
        paint.span(
            format!("{} suggests: {}{more}", first.by, first.words),
            Role::Notice,
        ),
    ]))
}

fn key(paint: &Painter<'_>, action: Action, contexts: &[Context]) -> String {
    let keys = paint.setup.keymap.keys_for(action, contexts);
    // Of several keys that close, everybody knows this one.
    let escape = keys.iter().find(|key| key.code == KeyCode::Esc);
    escape
        .or_else(|| keys.first())
        .map_or(String::new(), |key| key.label(paint.look.ascii))
}

/// Two keys that do one thing this way and that: they are named together.
const PAIRS: [(Action, Action, &str); 10] = [
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

/// So many of a tab's own keys come before those that are the same in every tab.
const MOST_OWN: usize = 6;

/// The pair that an action is one half of.
fn pair(action: Action) -> Option<&'static (Action, Action, &'static str)> {
    PAIRS
        .iter()
        .find(|(one, other, _)| [one, other].contains(&&action))
}

fn hints(paint: &mut Painter<'_>, area: Rect) {
    let mut keys: Vec<(String, &'static str)> = Vec::new();
    let contexts = paint.state.contexts();
    for action in actions(paint) {
        let (key, label) = match pair(action) {
            Some((one, other, label)) => {
                let both = [key(paint, *one, contexts), key(paint, *other, contexts)];
                (both.join(" ").trim().to_owned(), *label)
            }
            None => (key(paint, action, contexts), action.label()),
        };
        let known = keys.iter().any(|(_, known)| *known == label);
        if !key.is_empty() && !known {
            keys.push((key, label));
        }
    }
    let hints = Hints {
        keys: &keys,
        look: paint.look,
    };
    (&hints).render(area, paint.buffer);
}

/// Whether people know a key from wherever text is typed or read.
const fn is_known(action: Action) -> bool {
    matches!(
        action,
        Action::CursorLeft
            | Action::CursorRight
            | Action::WordLeft
            | Action::WordRight
            | Action::LineStart
            | Action::LineEnd
            | Action::DeleteBack
            | Action::DeleteForward
            | Action::DeleteWord
            | Action::DeleteRest
            | Action::DeleteLine
            | Action::PageUp
            | Action::PageDown
            | Action::First
            | Action::Last
    )
}

/// What can be done where there is nothing yet; nothing where there is something.
fn first_steps(paint: &Painter<'_>) -> Option<Action> {
    let seen = paint.seen;
    let (is_empty, first) = match paint.state.in_hand() {
        Panel::Party => (seen.roster().next().is_none(), Action::New),
        Panel::Clocks => (seen.clocks().next().is_none(), Action::New),
        Panel::Tokens => (seen.pools().next().is_none(), Action::New),
        Panel::Rolls => (seen.log_length() == 0, Action::Note),
    };
    is_empty.then_some(first)
}

/// What can be done here, the most useful first, the help last.
fn actions(paint: &Painter<'_>) -> Vec<Action> {
    let contexts = paint.state.contexts();
    let bound = |place: &Context| {
        let bindings = paint.setup.keymap.bindings(*place).iter();
        bindings.map(|binding| binding.action).collect::<Vec<_>>()
    };
    let mut actions: Vec<Action> = Vec::new();
    if paint.state.is_browsing() {
        actions.extend(FIRST);
        let own = contexts.iter().filter(|place| {
            !matches!(place, Context::List | Context::Everywhere | Context::Always)
        });
        // Nearer places first, but what one walks between panels with goes last.
        let mut own: Vec<Action> = own.flat_map(bound).collect();
        own.sort_by_key(|action| matches!(action, Action::NextPanel | Action::PreviousPanel));
        own.retain(|action| paint.state.is_available(*action, paint.seen));
        let first_step = first_steps(paint);
        if let Some(first) = first_step {
            // There is nothing yet to do anything with, but for making the first.
            own.retain(|action| matches!(action, Action::NextPanel | Action::PreviousPanel));
            actions.push(first);
        }
        own.dedup_by_key(|action| pair(*action).map_or(*action, |(one, ..)| *one));
        actions.extend(own.iter().take(MOST_OWN));
        actions.extend(AFTER);
        actions.extend(own.iter().skip(MOST_OWN));
        if first_step.is_some() {
            actions.retain(|action| !NEEDS_ONE.contains(action));
        }
        if paint.state.in_hand() == Panel::Rolls {
            // An entry has words of its own for these, or cannot be so treated.
            actions.retain(|action| !OF_THINGS.contains(action));
        }
        if paint.state.tab == Tab::Table {
            actions.retain(|action| *action != Action::Details);
        }
        actions.retain(|action| paint.state.is_available(*action, paint.seen));
    } else {
        let top = paint.state.layers.last();
        let named = top.map_or(&[][..], |dialog| dialog.hints());
        actions.extend(named);
        if named.is_empty() {
            let own = contexts.iter().filter(|place| **place != Context::Always);
            actions.extend(own.flat_map(bound).filter(|action| !is_known(*action)));
        }
        // How one gets out is said last, where it stays whatever else has no room.
        actions.retain(|action| *action != Action::Close);
        actions.extend([Action::Help, Action::Close]);
        return actions;
    }
    actions.push(Action::Help);
    actions
}
