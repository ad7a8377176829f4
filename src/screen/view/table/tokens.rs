//! What is held.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{cell, cells};
use crate::screen::action::Action;
use crate::screen::layout::Deck;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::view::{Paint, thing};
use crate::screen::widget::columns;
use crate::session::TokenPool;

/// Draws the pools in sight.
pub(super) fn draw(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.token_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(deck.inner, "No tokens yet.", Action::New, "makes a pool.");
    }
    let focused = paint.state.panel == Panel::Tokens;
    let amounts = paint.seen.pools();
    let amounts = amounts.map(|pool| thing::amount(pool, paint).width());
    let widest = amounts.max().and_then(|width| u16::try_from(width).ok());
    let widest = widest.unwrap_or(0).clamp(4, 7);
    for (area, id) in cells(deck, &lines, paint.state.tokens.top()) {
        let Some(pool) = paint.seen.pools().find(|pool| pool.id == id) else {
            continue;
        };
        let selected = focused && paint.state.tokens.id() == Some(id);
        let marked = paint.state.tokens.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        token_line(paint, inner, pool, widest);
        paint.spots.put(area, Spot::Pool(id));
    }
}

/// Whose, which, the tokens, and their number in so many columns.
fn token_line(paint: &mut Paint<'_>, area: Rect, pool: &TokenPool, number: u16) {
    let pips_width = if area.width >= 32 { 10 } else { 5 };
    let aside = (pips_width + 1 + number).min(area.width);
    let right = Rect {
        x: area.right() - aside,
        width: aside,
        ..area
    };
    let room = (area.width - aside).saturating_sub(1);
    let mut name = Line::default();
    if let Some(owner) = pool.owner {
        let which = if area.width >= 48 {
            pool.name.as_str()
        } else {
            thing::short_name(pool, paint)
        };
        // Two owners are seldom called alike; their pools always are.
        let left = room.saturating_sub(columns(which) + 2).max(room / 3);
        let owner = paint.look.fit(paint.seen.owner_name(Some(owner)), left);
        name.push_span(paint.span(owner, Role::Text));
        name.push_span(paint.span(format!("  {which}"), Role::Muted));
    } else {
        name.push_span(paint.span(pool.name.as_str(), Role::Text));
    }
    paint.line(
        Rect {
            width: room,
            ..area
        },
        &name,
    );
    let pips = thing::pips(pool, pips_width, paint);
    let amount = thing::amount(pool, paint);
    paint.line(
        Rect {
            width: pips_width.min(aside),
            ..right
        },
        &pips,
    );
    paint.line_right(right, &amount);
}
