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
use crate::session::TokenPool;

/// Draws the pools in sight.
pub(super) fn draw(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.token_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(deck.inner, "No tokens yet.", Action::New, "makes a pool.");
    }
    let focused = paint.state.panel == Panel::Tokens;
    for (area, id) in cells(deck, &lines, paint.state.tokens.top()) {
        let Some(pool) = paint.seen.pools().find(|pool| pool.id == id) else {
            continue;
        };
        let selected = focused && paint.state.tokens.id() == Some(id);
        let marked = paint.state.tokens.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        token_line(paint, inner, pool);
        paint.spots.put(area, Spot::Pool(id));
    }
}

/// Whose, which, the tokens, and their number.
fn token_line(paint: &mut Paint<'_>, area: Rect, pool: &TokenPool) {
    let pips_width = if area.width >= 32 { 10 } else { 5 };
    let aside = (pips_width + 8).min(area.width);
    let right = Rect {
        x: area.right() - aside,
        width: aside,
        ..area
    };
    let mut name = Line::default();
    if let Some(owner) = pool.owner {
        name.push_span(paint.span(paint.seen.owner_name(Some(owner)), Role::Text));
        let which = if area.width >= 48 {
            pool.name.as_str()
        } else {
            thing::short_name(pool, paint)
        };
        name.push_span(paint.span(format!("  {which}"), Role::Muted));
    } else {
        name.push_span(paint.span(pool.name.as_str(), Role::Text));
    }
    paint.line(
        Rect {
            width: (area.width - aside).saturating_sub(1),
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
