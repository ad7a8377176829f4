//! The first words in a game that nobody has touched.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget as _};

use super::painter::Painter;
use crate::screen::action::Action;
use crate::screen::theme::Role;
use crate::screen::widget::panel::Panel;
use crate::screen::widget::{line_columns, row};

/// Draws it, above the lines at the bottom.
pub(super) fn draw(paint: &mut Painter<'_>, screen: Rect) {
    let key = |action: Action| paint.span(paint.key(action), Role::Key);
    let say = |words: &'static str| paint.span(words, Role::Text);
    let lines = [
        Line::from(vec![
            key(Action::Roll),
            say(" rolls for whom the mark is on, "),
            key(Action::Undo),
            say(" takes anything back."),
        ]),
        Line::from(vec![
            key(Action::TabTable),
            say(" to "),
            key(Action::TabLog),
            say(" are the tabs, "),
            key(Action::NextPanel),
            say(" goes from panel to panel."),
        ]),
        Line::from(vec![
            key(Action::Help),
            say(" tells every key, "),
            key(Action::Palette),
            say(" finds every command."),
        ]),
    ];
    let width = lines.iter().map(line_columns).max().unwrap_or(0);
    let width = width.saturating_add(4).min(screen.width);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.bottom().saturating_sub(8),
        width,
        height: 5,
    };
    Clear.render(area, paint.buffer);
    paint.buffer.set_style(area, paint.look.style(Role::Dialog));
    let panel = Panel {
        focused: true,
        ..Panel::new("Welcome to the table", paint.look)
    };
    (&panel).render(area, paint.buffer);
    let inner = panel.inner(area);
    for (line, down) in lines.iter().zip(0..) {
        paint.line(row(inner, down), line);
    }
}
