//! The party as cards.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{cell, cells, is_damaged};
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
        if !is_damaged(paint, deck, area) {
            continue;
        }
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
    let mut last = thing::holdings(character, paint);
    if area.height >= 3 {
        // A long list goes on beneath, as far as nothing else has to be said there.
        let lines = rest.height - u16::from(!last.spans.is_empty());
        rest = values(paint, character, rest, lines.min(2));
    }
    let has_columns = !rows::values(paint.seen.system()).is_empty();
    if last.spans.is_empty() && area.height < 3 && !has_columns {
        last = Line::from(paint.span(rows::ranks(character), Role::Muted));
    }
    paint.line(rest, &last);
}

/// What changes most, as far as there is any of it.
fn vitals(paint: &Paint<'_>, character: &Character) -> Line<'static> {
    joined(
        &told(paint, character, rows::vitals(paint.seen.system())),
        "  ",
    )
}

/// Stats with their values; a harm that is not there is not told.
fn told(
    paint: &Paint<'_>,
    character: &Character,
    stats: impl Iterator<Item = &'static Stat>,
) -> Vec<Line<'static>> {
    let is_told = |stat: &&Stat| {
        let is_harm = matches!(stat.id, "wounds" | "traumas");
        !is_harm || character.sheet.number(stat.id) != Some(0)
    };
    stats
        .filter(is_told)
        .map(|stat| {
            Line::from(vec![
                paint.span(format!("{} ", stat.short), Role::Muted),
                thing::value(character, Value::Stat(stat), paint),
            ])
        })
        .collect()
}

/// Parts in one line.
fn joined(parts: &[Line<'static>], between: &'static str) -> Line<'static> {
    let mut line = Line::default();
    for part in parts {
        if !line.spans.is_empty() {
            line.push_span(between);
        }
        line.spans.extend(part.spans.iter().cloned());
    }
    line
}

/// Parts in lines of so many columns, none of them broken; what has no room in the last line is cut
/// there.
fn in_lines(
    parts: &[Line<'static>],
    between: &'static str,
    (width, lines): (u16, u16),
) -> Vec<Line<'static>> {
    let mut rows: Vec<Vec<Line<'static>>> = vec![Vec::new()];
    for part in parts {
        let is_last = rows.len() >= usize::from(lines);
        let row = rows.last().map_or(&[][..], Vec::as_slice);
        let taken = joined(row, between).width() + between.len() + part.width();
        if !is_last && !row.is_empty() && taken > usize::from(width) {
            rows.push(Vec::new());
        }
        if let Some(row) = rows.last_mut() {
            row.push(part.clone());
        }
    }
    rows.iter().map(|row| joined(row, between)).collect()
}

/// All values of the sheet where a line has room for them, else those that change most; where none
/// does, as many as so many lines have room for. Answers with what is left beneath.
fn values(paint: &mut Paint<'_>, character: &Character, area: Rect, lines: u16) -> Rect {
    let stats = rows::values(paint.seen.system()).into_iter();
    let stats = stats.filter_map(|value| match value {
        Value::Stat(stat) => Some(stat),
        Value::Clock(_) | Value::Pool(_) => None,
    });
    let stats = told(paint, character, stats);
    let ranks = rows::ranks(character);
    let ranks: Vec<Line<'static>> = ranks
        .split_inclusive(", ")
        .map(|part| Line::from(paint.span(part.trim_end().to_owned(), Role::Muted)))
        .collect();
    let room = (area.width, lines);
    let fits = |line: &Line<'_>| line.width() <= usize::from(area.width);
    let shown = if stats.is_empty() {
        in_lines(&ranks, " ", room)
    } else {
        let all = ["  ", " "].map(|between| joined(&stats, between));
        let vitals = vitals(paint, character);
        match all.into_iter().find(fits) {
            Some(line) => vec![line],
            None if vitals.spans.is_empty() => in_lines(&stats, "  ", room),
            None => vec![vitals],
        }
    };
    let mut rest = area;
    for line in shown {
        paint.line(rest, &line);
        rest = below(rest, 1.min(rest.height));
    }
    rest
}
