//! The last rolls, one of them with its dice as they lie.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::{cell, cells, owned};
use crate::screen::action::Action;
use crate::screen::layout::Deck;
use crate::screen::rows;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::view::roll::{Told, brief_line};
use crate::screen::view::{Paint, below};
use crate::screen::widget::columns;
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
        if inner.width >= ALIGNED {
            aligned(paint, &entry, inner.width >= WIDE, &mut line);
        } else {
            line.spans.extend(brief_line(&entry, paint).spans);
        }
        paint.line(inner, &line);
        paint.spots.put(area, Spot::Roll(number));
    }
}

/// From so many columns on a roll stands in columns of its own.
const ALIGNED: u16 = 100;
/// From so many columns on those have room to spare.
const WIDE: u16 = 130;

/// Who, what came of it, the numbers, the dice, and what followed, one beneath the other. The columns
/// are the same for every roll, so that they move as a whole when there is a new one.
fn aligned(paint: &Paint<'_>, entry: &Entry, wide: bool, line: &mut Line<'static>) {
    let is_struck = paint.seen.is_struck(entry.number);
    let Some(told) = Told::of(entry, paint.seen) else {
        let spans = brief_line(entry, paint).spans.into_iter();
        line.extend(spans.map(|span| owned(&span)));
        return;
    };
    let look = paint.look;
    let mut column = |words: &str, width: u16, style: Style| {
        let words = look.fit(words, width);
        let blanks = usize::from(width.saturating_sub(columns(&words)) + 2);
        line.push_span(Span::styled(words.into_owned(), style));
        line.push_span(" ".repeat(blanks));
    };
    let usual = paint.seen.system().spec().checks.first() == Some(&told.spec);
    let who = match (told.roll.who.as_str(), usual) {
        ("", _) => told.spec.label.to_owned(),
        (who, true) => who.to_owned(),
        (who, false) => format!("{who}, {}", told.spec.label),
    };
    let role = if is_struck { Role::Struck } else { Role::Text };
    // What followed keeps a few columns.
    let [who_width, dice_width] = if wide { [18, 24] } else { [14, 20] };
    column(&who, who_width, look.style(role));
    let mut outcome = told.outcome_span(look);
    if is_struck {
        outcome.style = look.style(role);
    }
    column(&outcome.content, widest_outcome(paint), outcome.style);
    column(&told.numbers(), 13, look.style(role));
    let dice = told.dice();
    let dice = Dice { dice: &dice, look }.line();
    let width = u16::try_from(dice.width()).unwrap_or(u16::MAX);
    if width <= dice_width {
        line.spans.extend(dice.spans.iter().map(owned));
        line.push_span(" ".repeat(usize::from(dice_width - width) + 2));
    } else {
        let dice = look.fit_line(&dice, dice_width);
        line.spans.extend(dice.spans.iter().map(owned));
        line.push_span("  ");
    }
    if is_struck {
        line.push_span(paint.span("taken back", Role::Muted));
        return;
    }
    for effect in told.effects(paint) {
        line.extend(effect.spans);
        line.push_span("  ");
    }
}

/// The columns of the widest outcome of the system, with its sign.
fn widest_outcome(paint: &Paint<'_>) -> u16 {
    let checks = paint.seen.system().spec().checks.iter();
    let labels = checks.flat_map(|check| check.outcomes.iter().map(|one| columns(one.label)));
    labels.max().unwrap_or(0).saturating_add(2).min(32)
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
    let who = match told.roll.who.as_str() {
        "" => told.spec.label,
        who => who,
    };
    let who = Line::from(paint.span(who, Role::Title));
    paint.line(Rect { height: 1, ..words }, &who);
    let mut what = Line::from(told.outcome_span(paint.look));
    let numbers = told.numbers();
    if !numbers.is_empty() {
        what.push_span(paint.span(format!("  {numbers}"), Role::Text));
    }
    paint.line(below(words, 1), &what);
    // What seldom differs from roll to roll comes first.
    let mut effects = Line::from(paint.span(format!("{}  ", told.spec.label), Role::Muted));
    for line in told.effects(paint) {
        effects.extend(line.spans);
        effects.push_span("  ");
    }
    paint.line(below(words, 2), &effects);
}
