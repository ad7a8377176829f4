//! A tug of war between two ends: a rope with a knot where it was pulled to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::scale;
use crate::screen::theme::Role;
use crate::screen::widget::{Look, row};

/// The rope in one line: the knot stands where it was pulled to.
pub fn tug(at: u16, segments: u16, width: u16, look: Look<'_>) -> Line<'static> {
    let segments = segments.max(1);
    let inner = width.saturating_sub(3).max(1);
    let before = scale(at.min(segments), segments, inner);
    let [left, ours, knot, theirs, right] =
        look.pick(["┣", "━", "◆", "─", "┤"], ["|", "=", "o", "-", "|"]);
    Line::from(vec![
        Span::styled(
            left.to_owned() + &ours.repeat(before.into()),
            look.style(Role::ClockFill),
        ),
        Span::styled(knot, look.style(Role::Marker)),
        Span::styled(
            theirs.repeat((inner - before).into()) + right,
            look.style(Role::CountdownFill),
        ),
    ])
}

/// Which way it is pulled, in one character.
pub(super) fn glyph(at: u16, segments: u16, look: Look<'_>) -> Span<'static> {
    let [lost, left, even, right, won] =
        look.pick(["◀", "◁", "◆", "▷", "▶"], ["<", "(", "o", ")", ">"]);
    let sign = match (at, at * 2) {
        (0, _) => lost,
        (at, _) if at >= segments => won,
        (_, twice) if twice < segments => left,
        (_, twice) if twice > segments => right,
        _ => even,
    };
    let role = if at * 2 < segments {
        Role::CountdownFill
    } else {
        Role::ClockFill
    };
    Span::styled(sign, look.style(role))
}

/// The rope at large, with a mark over the knot and one beneath the middle.
pub(super) fn draw((at, segments): (u16, u16), look: Look<'_>, area: Rect, buffer: &mut Buffer) {
    let middle = area.height / 2;
    let rope = tug(at, segments, area.width, look);
    let line = row(area, middle);
    buffer.set_line(line.x, line.y, &rope, line.width);
    let inner = area.width.saturating_sub(3).max(1);
    let before = scale(at.min(segments), segments.max(1), inner);
    let mark = |down: u16, column: u16, sign: &str, role: Role, buffer: &mut Buffer| {
        let line = row(area, down);
        if column < area.width && !line.is_empty() {
            buffer.set_string(line.x + column, line.y, sign, look.style(role));
        }
    };
    if let Some(above) = middle.checked_sub(1) {
        mark(above, before + 1, look.pick("▼", "v"), Role::Marker, buffer);
    }
    mark(
        middle + 1,
        area.width / 2,
        look.pick("▲", "^"),
        Role::Muted,
        buffer,
    );
}
