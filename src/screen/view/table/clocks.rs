//! What runs, as faces where there is room.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::{cell, cells, is_damaged, owned};
use crate::screen::action::Action;
use crate::screen::layout::Deck;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::view::{Paint, below, thing};
use crate::screen::widget::clock;
use crate::session::{ClockId, Visibility};
use crate::table::ClockView;

/// From so many columns on the words beside a face say of what kind it is.
const KIND: u16 = 18;

/// Draws the clocks in sight.
pub(super) fn draw(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.clock_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(
            deck.inner,
            "No clock is running.",
            Action::New,
            "starts one.",
        );
    }
    let focused = paint.state.panel == Panel::Clocks;
    in_cells(paint, deck, &lines, paint.state.clocks.top(), focused);
}

/// Draws clocks in the cells of a deck.
pub(super) fn in_cells(
    paint: &mut Paint<'_>,
    deck: &Deck,
    lines: &[Option<ClockId>],
    top: usize,
    focused: bool,
) {
    for (area, id) in cells(deck, lines, top) {
        if !is_damaged(paint, deck, area) {
            continue;
        }
        let Some(seen) = paint.seen.clock(id) else {
            continue;
        };
        paint.spots.put(area, Spot::Clock(id));
        let selected = focused && paint.state.clocks.id() == Some(id);
        let marked = paint.state.clocks.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        if deck.cell.1 > 1 {
            large_clock(paint, inner, &seen);
        } else {
            small_clock(paint, inner, &seen);
        }
    }
}

/// A face with its name beside it.
fn large_clock(paint: &mut Paint<'_>, area: Rect, seen: &ClockView<'_>) {
    let (width, height) = clock::MEDIUM;
    let face = Rect {
        width: width.min(area.width),
        height: height.min(area.height),
        ..area
    };
    (&thing::face(seen, paint)).render(face, paint.buffer);
    paint.spots.put(face, Spot::Face(seen.clock.id));
    let words = Rect {
        x: area.x + face.width + 1,
        width: area.width.saturating_sub(face.width + 2),
        height,
        ..area
    };
    let name = thing::clock_name(seen, paint);
    let name = Line::from(name.spans.iter().map(owned).collect::<Vec<_>>());
    let name_rows = Rect {
        // The count comes beneath.
        height: words.height.saturating_sub(1).max(1),
        ..words
    };
    let rest = paint.text(name_rows, &name);
    let rest = Rect {
        height: words.bottom().saturating_sub(rest.y),
        ..rest
    };
    let count = thing::face(seen, paint).count();
    let mut count = Line::from(paint.span(count, Role::Text));
    let mut aside = Line::default();
    if let Some(owner) = seen.clock.owner {
        let owner = paint.seen.owner_name(Some(owner)).to_owned();
        aside.push_span(paint.span(owner, Role::Muted));
    }
    if rest.height < 2 && !aside.spans.is_empty() {
        // A long name leaves the owner no line of its own.
        count.push_span("  ");
        count.spans.append(&mut aside.spans);
    } else if words.width >= KIND {
        let kind = format!("  {}", seen.clock.kind.id());
        count.push_span(paint.span(kind, Role::Muted));
    }
    paint.line(rest, &count);
    if words.width >= KIND && seen.clock.visibility != Visibility::Visible {
        let gap = if aside.spans.is_empty() { "" } else { "  " };
        let how = format!("{gap}{}", seen.clock.visibility.id());
        aside.push_span(paint.span(how, Role::Hidden));
    }
    paint.line(below(rest, 1), &aside);
}

/// A sign, a name, a bar, a count.
fn small_clock(paint: &mut Paint<'_>, area: Rect, seen: &ClockView<'_>) {
    let face = thing::face(seen, paint);
    let bar_width = if area.width >= 44 { 10 } else { 0 };
    let bar = if bar_width > 0 {
        thing::bar(seen, bar_width, paint)
    } else {
        Line::default()
    };
    let bar_room = if bar_width > 0 { bar_width + 3 } else { 0 };
    let count = Line::from(paint.span(format!("{:>6}", face.count()), Role::Text));
    let glyph = Rect {
        width: 1.min(area.width),
        ..area
    };
    paint.line(glyph, &Line::from(face.glyph()));
    paint.spots.put(glyph, Spot::Face(seen.clock.id));
    let aside = (bar_room + 6).min(area.width);
    let name_area = Rect {
        x: area.x + 2.min(area.width),
        width: area.width.saturating_sub(aside + 3),
        ..area
    };
    let name = thing::clock_name(seen, paint);
    paint.line(name_area, &name);
    let right = Rect {
        x: area.right() - aside,
        width: aside,
        ..area
    };
    paint.line(
        Rect {
            width: bar_width.min(right.width),
            ..right
        },
        &bar,
    );
    paint.line_right(right, &count);
    if bar_width > 0 {
        paint.spots.put(
            Rect {
                width: bar_width,
                ..right
            },
            Spot::Face(seen.clock.id),
        );
    }
}
