//! The hints in the line of keys. A press on a hint performs its action.

use ratatui::layout::Rect;

use crate::app::update::mouse::Spot;
use crate::view::bottom::{hinted_actions, label, pair_with};
use crate::view::{Painter, ViewContext};
use crate::widget::{after, columns, left};
use crate::{Action, Context, Role};

/// The number of spaces between two hints.
const GAP: u16 = 3;
/// The width of a screen below which the gaps between hints are smaller.
const NARROW: u16 = 60;

/// A hint in the line of keys: one key with its effect, or the keys of two opposite actions.
struct Hint {
    keys: Vec<HintKey>,
    label: &'static str,
}

/// An action with the name of its key.
struct HintKey {
    action: Action,
    name: String,
}

impl HintKey {
    /// Returns the number of columns of the name and the space after it.
    fn width(&self) -> u16 {
        columns(&self.name) + 1
    }
}

impl Hint {
    /// Returns the hint of an action, or `None` if it has no key here.
    fn new(action: Action, contexts: &[Context], context: ViewContext<'_>) -> Option<Self> {
        let (actions, label) = match pair_with(action) {
            Some(pair) => (vec![pair.first, pair.second], pair.label),
            None => (vec![action], label(action, context)),
        };

        let mut keys = Vec::new();
        for action in actions {
            let name = context.key_in(contexts, action);
            if !name.is_empty() {
                keys.push(HintKey { action, name });
            }
        }
        if keys.is_empty() {
            None
        } else {
            Some(Self { keys, label })
        }
    }

    /// Returns the number of columns of the hint.
    fn width(&self) -> u16 {
        let keys: u16 = self.keys.iter().map(HintKey::width).sum();
        keys + columns(self.label)
    }

    /// Draws the hint, and registers a press on each key. The label belongs to the last key.
    fn draw(&self, painter: &mut Painter<'_>, area: Rect, spot: fn(Action) -> Spot) {
        let context = painter.context;
        let mut free = area;
        for (index, key) in self.keys.iter().enumerate() {
            let is_last = index + 1 == self.keys.len();
            let width = if is_last { free.width } else { key.width() };
            painter.hits.push((left(free, width), spot(key.action)));
            let name = context.line(key.name.as_str(), Role::Key);
            painter.draw_line(free, &name);
            free = after(free, key.width());
        }
        let label = context.line(self.label, Role::KeyLabel);
        painter.draw_line(free, &label);
    }
}

/// Draws the hints of these actions of the open tab, as many as fit.
pub(in crate::view) fn draw_tab_hints(painter: &mut Painter<'_>, area: Rect, actions: &[Action]) {
    let context = painter.context;
    let contexts = context.state.tab_contexts();
    let mut free = area;
    for action in actions {
        let Some(hint) = Hint::new(*action, contexts, context) else {
            continue;
        };
        if hint.width() > free.width {
            break;
        }
        hint.draw(painter, left(free, hint.width()), Spot::Hint);
        free = after(free, hint.width() + GAP);
    }
}

/// Draws the hints of the open tab or of the topmost dialog, as many as fit.
pub(super) fn draw_hints(painter: &mut Painter<'_>, area: Rect) {
    let context = painter.context;
    let contexts = context.state.contexts();
    let spot = if context.state.is_browsing() {
        Spot::Hint
    } else {
        Spot::DialogHint
    };

    // Both actions of a pair have the same hint.
    let mut hints: Vec<Hint> = Vec::new();
    for action in hinted_actions(context) {
        let Some(hint) = Hint::new(action, contexts, context) else {
            continue;
        };
        let is_new = hints.iter().all(|earlier| earlier.label != hint.label);
        if is_new {
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
