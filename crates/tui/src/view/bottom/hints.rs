//! The hints in the line of keys. A press on a hint does its action.

use ratatui::layout::Rect;

use crate::app::update::mouse::Spot;
use crate::view::bottom::{actions, label, pair};
use crate::view::{Painter, ViewContext};
use crate::widget::{after, columns, left};
use crate::{Action, Context, Role};

/// The blanks between two hints.
const GAP: u16 = 3;
/// The gaps between hints are smaller on screens below this width.
const NARROW: u16 = 60;

/// A hint in the line of keys: one key with its effect, or the keys of two opposite actions.
struct Hint {
    /// Each action with the name of its key.
    keys: Vec<(Action, String)>,
    label: &'static str,
}

impl Hint {
    /// Returns the hint of an action, or `None` if it has no key here.
    fn new(action: Action, contexts: &[Context], context: ViewContext<'_>) -> Option<Self> {
        let (actions, label) = match pair(action) {
            Some((one, other, label)) => (vec![*one, *other], *label),
            None => (vec![action], label(action, context)),
        };
        let keys: Vec<(Action, String)> = actions
            .into_iter()
            .map(|action| (action, context.key_in(contexts, action)))
            .filter(|(_, key)| !key.is_empty())
            .collect();
        if keys.is_empty() {
            None
        } else {
            Some(Self { keys, label })
        }
    }

    /// Returns the columns of the hint: the keys, each with a blank, and the label.
    fn width(&self) -> u16 {
        let keys: u16 = self.keys.iter().map(|(_, key)| columns(key) + 1).sum();
        keys + columns(self.label)
    }

    /// Draws the hint, and registers a press on each key. The label belongs to the last key.
    fn draw(&self, painter: &mut Painter<'_>, area: Rect, spot: fn(Action) -> Spot) {
        let context = painter.context;
        let mut free = area;
        for (index, (action, key)) in self.keys.iter().enumerate() {
            let is_last = index + 1 == self.keys.len();
            let width = if is_last {
                free.width
            } else {
                columns(key) + 1
            };
            painter.hits.push((left(free, width), spot(*action)));
            painter.draw_line(free, &context.line(key.as_str(), Role::Key));
            free = after(free, columns(key) + 1);
        }
        painter.draw_line(free, &context.line(self.label, Role::KeyLabel));
    }
}

/// Draws as many of these actions of the open tab as fit.
pub(in crate::view) fn draw_tab_hints(painter: &mut Painter<'_>, area: Rect, actions: &[Action]) {
    let context = painter.context;
    let mut free = area;
    for action in actions {
        let Some(hint) = Hint::new(*action, context.state.tab_contexts(), context) else {
            continue;
        };
        if hint.width() > free.width {
            break;
        }
        hint.draw(painter, left(free, hint.width()), Spot::Hint);
        free = after(free, hint.width() + GAP);
    }
}

/// Draws as many hints of the open tab or dialog as fit.
pub(super) fn draw_hints(painter: &mut Painter<'_>, area: Rect) {
    let context = painter.context;
    let contexts = context.state.contexts();
    let spot = if context.state.is_browsing() {
        Spot::Hint
    } else {
        Spot::DialogHint
    };
    let mut hints: Vec<Hint> = Vec::new();
    for action in actions(context) {
        if let Some(hint) = Hint::new(action, contexts, context)
            && hints.iter().all(|known| known.label != hint.label)
        {
            hints.push(hint);
        }
    }

    // The last hint, which is for help or for closing, is never dropped.
    let Some(last) = hints.pop() else { return };
    let gap = if area.width < NARROW { 2 } else { GAP };
    let mut free = area;
    for hint in hints {
        let needed = hint.width() + gap;
        if needed + last.width() > free.width {
            break;
        }
        hint.draw(painter, left(free, hint.width()), spot);
        free = after(free, needed);
    }
    last.draw(painter, left(free, last.width()), spot);
}
