//! The keys of a place, read off the keymap.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use crate::screen::action::Context;
use crate::screen::keymap::Keymap;
use crate::screen::layout;
use crate::screen::state::{Mode, ScreenState};
use crate::screen::theme::Role;
use crate::screen::widget::columns;
use crate::screen::widget::dialog::DialogFrame;
use crate::screen::widget::wrap::wrap;

/// The columns of the widest help.
const WIDTH: u16 = 62;

/// One line of the help: keys with what they do, or words alone.
struct Row {
    keys: String,
    words: String,
    role: Role,
}

fn words(words: impl Into<String>, role: Role) -> Row {
    Row {
        keys: String::new(),
        words: words.into(),
        role,
    }
}

fn rows(state: &ScreenState, under: &Mode, keymap: &Keymap, ascii: bool) -> Vec<Row> {
    let contexts = state.contexts_of(under);
    let mut rows = advice(under, WIDTH.min(state.size.0.saturating_sub(4)));
    let advised = rows.len();
    for place in contexts {
        let of_place = keymap.bindings(*place).iter().filter_map(|binding| {
            // Keys that a nearer place has are told there.
            let has_key = |one: &&Context, key| keymap.action(&[**one], key).is_some();
            let nearest = |key| contexts.iter().find(|one| has_key(one, key));
            let own = binding.keys.iter().copied();
            let own = own.filter(|key| nearest(*key) == Some(place));
            let own: Vec<String> = own.map(|key| key.label(ascii)).collect();
            (!own.is_empty()).then(|| Row {
                keys: own.join(" "),
                words: binding.action.describe().to_owned(),
                role: Role::Text,
            })
        });
        let of_place: Vec<Row> = of_place.collect();
        if !of_place.is_empty() {
            if rows.len() > advised {
                rows.push(words("", Role::Text));
            }
            rows.push(words(place.label(), Role::Heading));
            rows.extend(of_place);
        }
    }
    rows
}

/// What the rules say before a check is made.
fn advice(under: &Mode, width: u16) -> Vec<Row> {
    let advice = match under {
        Mode::Dialog(dialog) => dialog.advice(),
        _ => &[],
    };
    if advice.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![words("Is a check needed at all?", Role::Heading)];
    let lines = advice.iter().flat_map(|advice| wrap(advice, width));
    rows.extend(lines.map(|line| words(line, Role::Text)));
    rows.push(words("", Role::Text));
    rows
}

/// The lines of the help that have no room, so that it is not scrolled beyond its end.
pub(in crate::screen) fn rows_below(state: &ScreenState, under: &Mode, keymap: &Keymap) -> u16 {
    let lines = u16::try_from(rows(state, under, keymap, true).len());
    // A frame around it.
    let room = layout::dialog(state.size).height.saturating_sub(2);
    lines.unwrap_or(u16::MAX).saturating_sub(room)
}

/// Draws it.
pub(super) fn draw(paint: &mut Painter<'_>, top: u16, under: &Mode, screen: Rect) {
    let rows = rows(paint.state, under, &paint.setup.keymap, paint.look.ascii);
    let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
    let place = paint.state.contexts_of(under).first();
    let title = place.map_or_else(String::new, |place| format!("Keys to {}", place.describe()));
    let dialog = DialogFrame {
        foot: "Esc closes",
        offset: top,
        ..DialogFrame::new(&title, WIDTH, height, paint.look)
    };
    (&dialog).render(screen, paint.buffer);
    let inner = dialog.inner(screen);
    let widest = rows.iter().map(|row| columns(&row.keys)).max().unwrap_or(0);
    let keys_width = widest.min(inner.width / 2);
    for (row, down) in rows.iter().skip(top.into()).zip(0..inner.height) {
        let line = crate::screen::widget::row(inner, down);
        let (left, mut right) = (
            Rect {
                width: keys_width,
                ..line
            },
            line,
        );
        if !row.keys.is_empty() {
            paint.line(left, &Line::from(paint.span(row.keys.as_str(), Role::Key)));
            right.x += keys_width + 2;
            right.width = line.width.saturating_sub(keys_width + 2);
        }
        paint.line(right, &Line::from(paint.span(row.words.as_str(), row.role)));
    }
}
