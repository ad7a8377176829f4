//! The palette: everything that can be done, found by a few letters.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use crate::screen::action::Context;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::update::palette::Palette;
use crate::screen::widget::dialog::{DialogFrame, scroll_to};
use crate::screen::widget::field::FieldView;
use crate::screen::widget::wrap::wrap;
use crate::screen::widget::{columns, row};

/// The columns and the rows that it wants.
const SIZE: (u16, u16) = (58, 18);

/// Draws it; returns where the cursor belongs.
pub(super) fn draw(paint: &mut Painter<'_>, palette: &Palette, screen: Rect) -> Option<Position> {
    let dialog = DialogFrame {
        foot: "Enter does it   Esc leaves",
        ..DialogFrame::new("Commands", SIZE.0, SIZE.1, paint.look)
    };
    // It is always as high as it can be, so that nothing jumps while one types.
    let area = dialog.area(screen);
    let dialog = DialogFrame {
        height: area.height.saturating_sub(2),
        ..dialog
    };
    (&dialog).render(screen, paint.buffer);
    let inner = dialog.inner(screen);
    let field = row(inner, 0);
    let view = FieldView {
        focused: true,
        placeholder: "what to do, and to whom: tick The alarm",
        ..FieldView::new(&palette.field, paint.look)
    };
    (&view).render(field, paint.buffer);
    let list = crate::screen::widget::below(inner, 2);
    let room = usize::from(list.height.max(1));
    let top = scroll_to(0, room, palette.at, palette.at);
    let items = palette.found.iter().enumerate().skip(top);
    for ((index, item), down) in items.zip(0..list.height) {
        let line = row(list, down);
        paint.spots.put(line, Spot::Item(index));
        let selected = index == palette.at;
        if selected {
            let marker = paint.span(paint.look.glyphs().marker, Role::Marker);
            paint.line(line, &Line::from(marker));
        }
        let contexts = paint.state.tab_contexts();
        let key = item.action().and_then(|action| {
            let keymap = &paint.setup.keymap;
            let here = keymap.keys_for(action, contexts).first().copied();
            // It belongs to another tab, or has no key.
            let elsewhere = || {
                let mut all = Context::ALL
                    .iter()
                    .flat_map(|place| keymap.bindings(*place));
                let own = all.find(|binding| binding.action == action && !binding.keys.is_empty());
                own.and_then(|binding| binding.keys.first().copied())
            };
            here.or_else(elsewhere)
        });
        let key = key.map_or(String::new(), |key| key.label(paint.look.ascii));
        let key_width = columns(&key);
        paint.line_right(line, &Line::from(paint.span(key, Role::Key)));
        let words = Rect {
            x: line.x + 2,
            width: line.width.saturating_sub(key_width + 4),
            ..line
        };
        let role = if selected { Role::Title } else { Role::Text };
        paint.line(words, &Line::from(paint.span(item.words.as_str(), role)));
    }
    if let Some(problem) = &palette.problem {
        let lines = wrap(problem, list.width);
        for (words, down) in lines.iter().zip(0..list.height) {
            let line = row(list, down);
            paint.line(
                line,
                &Line::from(paint.span(" ".repeat(line.width.into()), Role::Dialog)),
            );
            paint.line(line, &Line::from(paint.span(words.as_str(), Role::Warning)));
        }
    } else if palette.found.is_empty() {
        let words = paint.span("nothing is called like that", Role::Muted);
        paint.line(row(list, 0), &Line::from(words));
    }
    view.cursor(field)
}
