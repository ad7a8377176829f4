//! The last rolls, one of them with its dice as they lie.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::{cell, cells};
use crate::screen::action::Action;
use crate::screen::layout::Deck;
use crate::screen::rows;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::view::roll::{Told, brief_line};
use crate::screen::view::{Paint, below};
use crate::screen::widget::die::Dice;
use crate::table::Entry;

/// Draws the rolls in sight.
pub(super) fn draw(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = rows::rolls(paint.seen);
    if lines.is_empty() {
        return paint.empty(
            deck.lead.union(deck.inner),
            "Nobody has rolled yet.",
            Action::Roll,
            "rolls.",
        );
    }
    let focused = paint.state.panel == Panel::Rolls;
    if deck.lead.height > 0 {
        let newest = lines.first().copied().flatten();
        let shown = if focused {
            paint.state.rolls.id()
        } else {
            newest
        };
        if let Some(entry) = shown.and_then(|number| paint.seen.entry(number)) {
            lead(paint, deck.lead, &entry);
        }
    }
    for (area, number) in cells(deck, &lines, paint.state.rolls.top()) {
        let Some(entry) = paint.seen.entry(number) else {
            continue;
        };
        let selected = focused && paint.state.rolls.id() == Some(number);
        let inner = cell(paint, area, selected, false);
        let time = format!("{}  ", paint.setup.zone.time(entry.at));
        let mut line = Line::from(paint.span(time, Role::Muted));
        line.spans.extend(brief_line(&entry, paint).spans);
        paint.line(inner, &line);
        paint.spots.put(area, Spot::Roll(number));
    }
}

/// A roll with its dice as they lie.
fn lead(paint: &mut Paint<'_>, area: Rect, entry: &Entry) {
    let Some(told) = Told::of(entry, paint.seen) else {
        return;
    };
    let area = cell(paint, area, false, false);
    let dice = told.dice();
    let dice = Dice {
        dice: &dice,
        look: paint.look,
    };
    let widest = dice
        .dice
        .iter()
        .map(|_| 6_u16)
        .sum::<u16>()
        .min(area.width / 2)
        .max(12);
    let left = Rect {
        width: widest,
        height: area.height.min(3),
        ..area
    };
    (&dice).render(left, paint.buffer);
    let words = Rect {
        x: left.right() + 2,
        width: area.width.saturating_sub(widest + 2),
        ..area
    };
    let mut who = Line::from(paint.span(told.roll.who.clone(), Role::Title));
    if !told.roll.who.is_empty() {
        who.push_span("  ");
    }
    who.push_span(paint.span(told.spec.label, Role::Muted));
    paint.line(Rect { height: 1, ..words }, &who);
    let mut what = Line::from(told.outcome_span(paint.look));
    let numbers = told.numbers();
    if !numbers.is_empty() {
        what.push_span(paint.span(format!("  {numbers}"), Role::Text));
    }
    paint.line(below(words, 1), &what);
    let mut effects = Line::default();
    for line in told.effects(paint) {
        effects.extend(line.spans);
        effects.push_span("  ");
    }
    paint.line(below(words, 2), &effects);
}
