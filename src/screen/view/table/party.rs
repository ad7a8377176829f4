//! The party as cards.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{cell, cells};
use crate::rules::Stat;
use crate::screen::action::Action;
use crate::screen::layout::Deck;
use crate::screen::rows::{self, Value};
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::view::{Paint, below, thing};
use crate::session::Character;

/// Draws the cards in sight.
pub(super) fn draw(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.party_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(
            deck.inner,
            "Nobody is here yet.",
            Action::New,
            "makes a character.",
        );
    }
    let focused = paint.state.panel == Panel::Party;
    for (area, id) in cells(deck, &lines, paint.state.party.top()) {
        let Some(character) = paint.seen.character(id) else {
            continue;
        };
        let selected = focused && paint.state.party.id() == Some(id);
        let marked = paint.state.party.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        card(paint, inner, character);
        paint.spots.put(area, Spot::Character(id, None));
    }
}

/// A character: the name, what changes most, what is held and suffered. A high card has the values, too.
fn card(paint: &mut Paint<'_>, area: Rect, character: &Character) {
    let gap = 1.min(area.width);
    let area = Rect {
        width: area.width - gap,
        ..area
    };
    let mut aside = if area.height < 3 {
        vitals(paint, character)
    } else {
        Line::default()
    };
    if area.height >= 3 && !character.player.is_empty() {
        aside.push_span(paint.span(format!("{}  ", character.player), Role::Muted));
    }
    if !aside.spans.is_empty() && area.height < 3 {
        aside.push_span("  ");
    }
    let done = if character.acted {
        thing::acted(character, paint)
    } else {
        paint.span(" ", Role::Muted)
    };
    aside.push_span(done);
    let first = Rect { height: 1, ..area };
    // A name has a third of the line at least, and half where only the player stands beside it.
    let part = if area.height < 3 { 3 } else { 2 };
    let room = area.width - area.width / part;
    let taken = u16::try_from(aside.width()).unwrap_or(u16::MAX).min(room);
    let right = Rect {
        x: first.right() - taken,
        width: taken,
        ..first
    };
    paint.line(right, &aside);
    let name = thing::name(character, paint);
    let left = Rect {
        width: (area.width - taken).saturating_sub(1),
        ..first
    };
    paint.line(left, &name);
    let mut rest = below(area, 1);
    if area.height >= 3 {
        let values = values(paint, character, rest.width);
        paint.line(rest, &values);
        rest = below(rest, 1);
    }
    let mut last = thing::holdings(character, paint);
    let has_columns = !rows::values(paint.seen.system()).is_empty();
    if last.spans.is_empty() && area.height < 3 && !has_columns {
        last = Line::from(paint.span(rows::ranks(character), Role::Muted));
    }
    paint.line(rest, &last);
}

/// What changes most, as far as there is any of it.
fn vitals(paint: &Paint<'_>, character: &Character) -> Line<'static> {
    told(paint, character, rows::vitals(paint.seen.system()))
}

/// Stats with their values; a harm that is not there is not told.
fn told(
    paint: &Paint<'_>,
    character: &Character,
    stats: impl Iterator<Item = &'static Stat>,
) -> Line<'static> {
    let mut line = Line::default();
    for stat in stats {
        let is_harm = matches!(stat.id, "wounds" | "traumas");
        if is_harm && character.sheet.number(stat.id) == Some(0) {
            continue;
        }
        if !line.spans.is_empty() {
            line.push_span("  ");
        }
        line.push_span(paint.span(format!("{} ", stat.short), Role::Muted));
        line.push_span(thing::value(character, Value::Stat(stat), paint));
    }
    line
}

/// All values of the sheet, where they have room; else those that change most.
fn values(paint: &Paint<'_>, character: &Character, width: u16) -> Line<'static> {
    let stats = rows::values(paint.seen.system()).into_iter();
    let line = told(
        paint,
        character,
        stats.filter_map(|value| match value {
            Value::Stat(stat) => Some(stat),
            Value::Clock(_) | Value::Pool(_) => None,
        }),
    );
    if line.spans.is_empty() {
        return Line::from(paint.span(rows::ranks(character), Role::Muted));
    }
    let vitals = vitals(paint, character);
    if line.width() > usize::from(width) && !vitals.spans.is_empty() {
        vitals
    } else {
        line
    }
}
