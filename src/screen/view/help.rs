//! The keys of a place, read off the keymap.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use crate::screen::action::Context;
use crate::screen::dialog::wrap::wrap;
use crate::screen::keymap::Keymap;
use crate::screen::layout;
use crate::screen::state::{Mode, ScreenState};
use crate::screen::theme::Role;
use crate::screen::widget::columns;
use crate::screen::widget::dialog::Dialog;

/// The columns of the widest help.
const WIDTH: u16 = 62;

/// One line of the help.
enum Entry {
    /// The name of a place, and what one does there.
    Place(Context),
    /// The keys, and what they do.
    Keys(String, &'static str),
    /// A line of advice, the first one with what it is about.
    Heading(&'static str),
    /// A line of it.
    Words(String),
    /// Nothing.
    Gap,
}

fn contexts(state: &ScreenState, under: &Mode) -> &'static [Context] {
    match under {
        Mode::Dialog(dialog) => dialog.contexts(),
        Mode::Filter(..) => Context::Field.chain(),
        Mode::Palette(_) | Mode::Themes(_) => Context::Picker.chain(),
        Mode::Browse | Mode::Greeting | Mode::Help { .. } => state.tab_contexts(),
    }
}

fn entries(state: &ScreenState, under: &Mode, keymap: &Keymap, ascii: bool) -> Vec<Entry> {
    let contexts = contexts(state, under);
    let mut entries = advice(under, WIDTH.min(state.size.0.saturating_sub(4)));
    let before = entries.len();
    for place in contexts {
        let known = entries.len();
        for binding in keymap.bindings(*place) {
            // Keys that a nearer place has are told there.
            let has_key = |one: &&Context, key| keymap.action(&[**one], key).is_some();
            let nearest = |key| contexts.iter().find(|one| has_key(one, key));
            let own: Vec<String> = binding
                .keys
                .iter()
                .filter(|key| nearest(**key) == Some(place))
                .map(|key| key.label(ascii))
                .collect();
            if !own.is_empty() {
                entries.push(Entry::Keys(own.join(" "), binding.action.describe()));
            }
        }
        if entries.len() > known {
            entries.insert(known, Entry::Place(*place));
            if known > before {
                entries.insert(known, Entry::Gap);
            }
        }
    }
    entries
}

/// What the rules say before a check is made.
fn advice(under: &Mode, width: u16) -> Vec<Entry> {
    let Mode::Dialog(dialog) = under else {
        return Vec::new();
    };
    let advice = dialog.advice();
    if advice.is_empty() {
        return Vec::new();
    }
    let lines = advice.iter().flat_map(|words| wrap(words, width));
    let lines = lines.map(Entry::Words);
    let first = std::iter::once(Entry::Heading("Is a check needed at all?"));
    first.chain(lines).chain([Entry::Gap]).collect()
}

/// The lines of the help that have no room, so that it is not scrolled beyond its end.
pub(in crate::screen) fn rows_below(state: &ScreenState, under: &Mode, keymap: &Keymap) -> u16 {
    let lines = entries(state, under, keymap, true).len();
    // A frame around it.
    let room = layout::dialog(state.size).height.saturating_sub(2);
    u16::try_from(lines)
        .unwrap_or(u16::MAX)
        .saturating_sub(room)
}

/// Draws it.
pub(super) fn draw(paint: &mut Painter<'_>, top: u16, under: &Mode, screen: Rect) {
    let ascii = paint.look.ascii;
    let entries = entries(paint.state, under, &paint.setup.keymap, ascii);
    let height = u16::try_from(entries.len()).unwrap_or(u16::MAX);
    let place = contexts(paint.state, under).first();
    let title = place.map_or_else(String::new, |place| format!("Keys to {}", place.describe()));
    let dialog = Dialog {
        foot: "Esc closes",
        offset: top,
        ..Dialog::new(&title, WIDTH, height, paint.look)
    };
    (&dialog).render(screen, paint.buffer);
    let inner = dialog.inner(screen);
    let keys = entries.iter().map(|entry| match entry {
        Entry::Keys(keys, _) => columns(keys),
        Entry::Place(_) | Entry::Heading(_) | Entry::Words(_) | Entry::Gap => 0,
    });
    let keys_width = keys.max().unwrap_or(0).min(inner.width / 2);
    let in_sight = entries.iter().skip(top.into());
    for (entry, down) in in_sight.zip(0..inner.height) {
        let line = crate::screen::widget::row(inner, down);
        match entry {
            Entry::Gap => {}
            Entry::Heading(words) => {
                paint.line(line, &Line::from(paint.span(*words, Role::Heading)));
            }
            Entry::Words(words) => {
                paint.line(line, &Line::from(paint.span(words.as_str(), Role::Text)));
            }
            Entry::Place(place) => {
                let name = heading(*place);
                paint.line(line, &Line::from(paint.span(name, Role::Heading)));
            }
            Entry::Keys(keys, words) => {
                let left = Rect {
                    width: keys_width,
                    ..line
                };
                let right = Rect {
                    x: line.x + keys_width + 2,
                    width: line.width.saturating_sub(keys_width + 2),
                    ..line
                };
                paint.line(left, &Line::from(paint.span(keys.as_str(), Role::Key)));
                paint.line(right, &Line::from(paint.span(*words, Role::Text)));
            }
        }
    }
}

const fn heading(place: Context) -> &'static str {
    match place {
        Context::Always => "Always",
        Context::Everywhere => "Everywhere",
        Context::List => "In lists",
        Context::Table => "On the table",
        Context::Party => "With characters",
        Context::Clocks => "With clocks",
        Context::Tokens => "With tokens",
        Context::Log => "With entries of the log",
        Context::Roll => "In the roll dialog",
        Context::Result => "After a roll",
        Context::Choice => "Choosing",
        Context::Form => "In forms",
        Context::Field => "Typing",
        Context::Help => "In the help",
        Context::Games => "In the list of games",
        Context::Picker => "Picking",
        Context::Scenes => "With prepared scenes",
        Context::Confirm => "Answering",
    }
}
