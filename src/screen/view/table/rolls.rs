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
    let memo = &paint.state.across;
    let across = memo.get(paint.seen, deck.cell.0, || across(paint, deck, &lines));
    for (area, number) in cells(deck, &lines, paint.state.rolls.top()) {
        let Some(entry) = paint.seen.entry(number) else {
            continue;
        };
        let selected = focused && paint.state.rolls.id() == Some(number);
        let inner = cell(paint, area, selected, false);
        let time = format!("{}  ", paint.setup.zone.time(entry.at));
        let mut line = Line::from(paint.span(time, Role::Muted));
        match across {
            Some(across) => aligned(paint, &entry, across, &mut line),
            None => brief(paint, &entry, inner.width, &mut line),
        }
        paint.line(inner, &line);
        paint.spots.put(area, Spot::Roll(number));
    }
}

/// A roll in one line; what followed from it where all of that has room.
fn brief(paint: &Paint<'_>, entry: &Entry, width: u16, line: &mut Line<'static>) {
    line.spans.extend(brief_line(entry, paint).spans);
    let told = Told::of(entry, paint.seen).filter(|_| !paint.seen.is_struck(entry.number));
    let effects = told.map_or_else(Vec::new, |told| told.effects(paint));
    for mut effect in effects {
        let after = line.width() + 2 + effect.width();
        if after > usize::from(width) {
            return;
        }
        line.push_span("  ");
        line.spans.append(&mut effect.spans);
    }
}

/// From so many columns on a roll stands in columns of its own.
const ALIGNED: u16 = 100;

/// How wide the columns of the rolls are: as wide as what is in them where there is room for it.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Across {
    who: u16,
    outcome: u16,
    numbers: u16,
    dice: u16,
}

/// What each column keeps where not all have room: who rolled, the dice, what followed.
const LEAST: [u16; 3] = [14, 20, 20];
/// What stands in the place of what followed where a roll holds no longer.
const STRUCK: &str = "taken back";
/// The widest that names are shown.
const WIDEST_NAME: u16 = 30;

/// The columns of all rolls on the table, in sight or not: they stay where they are while one scrolls.
fn across(paint: &Paint<'_>, deck: &Deck, lines: &[Option<u64>]) -> Option<Across> {
    let width = deck.cell.0.saturating_sub(super::GUTTER);
    if width < ALIGNED {
        return None;
    }
    let as_columns = |width: usize| u16::try_from(width).unwrap_or(u16::MAX);
    let [least_who, least_dice, least_effects] = LEAST;
    let (mut who, mut numbers, mut dice, mut effects) = (0, 0, 0, STRUCK.len());
    for number in lines.iter().flatten() {
        let entry = paint.seen.entry(*number);
        let Some(told) = entry.as_ref().and_then(|entry| Told::of(entry, paint.seen)) else {
            continue;
        };
        who = who.max(columns(&rolled(paint, &told)));
        numbers = numbers.max(columns(&told.numbers()));
        let lying = told.dice();
        let lying = Dice {
            dice: &lying,
            look: paint.look,
        };
        dice = dice.max(as_columns(lying.line().width()));
        let all = told.effects(paint);
        let all = all.iter().map(|effect| effect.width() + 2).sum::<usize>();
        effects = effects.max(all);
    }
    let outcome = widest_outcome(paint);
    // The time and four gaps.
    let room = width.saturating_sub(7 + outcome + numbers + 8);
    let effects = as_columns(effects);
    let mut over = (who.min(WIDEST_NAME) + dice)
        .saturating_add(effects)
        .saturating_sub(room);
    let mut give = |width: u16, least: u16| {
        let given = over.min(width.saturating_sub(least));
        over -= given;
        width - given
    };
    // The dice can be looked up most easily; then what followed gives way, then the names.
    let dice = give(dice, least_dice);
    give(effects, least_effects);
    Some(Across {
        who: give(who.min(WIDEST_NAME), least_who),
        outcome,
        numbers,
        dice,
    })
}

/// Who rolled, and what, if it is not what the system asks for most.
fn rolled(paint: &Paint<'_>, told: &Told<'_>) -> String {
    let usual = paint.seen.system().spec().checks.first() == Some(&told.spec);
    match (told.roll.who.as_str(), usual) {
        ("", _) => told.spec.label.to_owned(),
        (who, true) => who.to_owned(),
        (who, false) => format!("{who}, {}", told.spec.label),
    }
}

/// Who, what came of it, the numbers, the dice, and what followed, one beneath the other. The columns
/// are the same for every roll, so that they move as a whole when there is a new one.
fn aligned(paint: &Paint<'_>, entry: &Entry, across: Across, line: &mut Line<'static>) {
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
    let role = if is_struck { Role::Struck } else { Role::Text };
    column(&rolled(paint, &told), across.who, look.style(role));
    let mut outcome = told.outcome_span(look);
    if is_struck {
        outcome.style = look.style(role);
    }
    column(&outcome.content, across.outcome, outcome.style);
    column(&told.numbers(), across.numbers, look.style(role));
    let dice = told.dice();
    let dice = Dice { dice: &dice, look }.line();
    let dice = look.fit_line(&dice, across.dice);
    let width = u16::try_from(dice.width()).unwrap_or(u16::MAX);
    line.spans.extend(dice.spans.iter().map(owned));
    line.push_span(" ".repeat(usize::from(across.dice.saturating_sub(width)) + 2));
    if is_struck {
        line.push_span(paint.span(STRUCK, Role::Muted));
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

/// The columns that the words beside the dice keep.
const WORDS: u16 = 40;

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
        .min(area.width.saturating_sub(WORDS))
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
    let is_struck = paint.seen.is_struck(entry.number);
    let who = Line::from(paint.span(who, Role::Title));
    paint.line(Rect { height: 1, ..words }, &who);
    let mut outcome = told.outcome_span(paint.look);
    let mut role = Role::Text;
    if is_struck {
        role = Role::Struck;
        outcome.style = paint.look.style(role);
    }
    let mut what = Line::from(outcome);
    let numbers = told.numbers();
    if !numbers.is_empty() {
        what.push_span(paint.span(format!("  {numbers}"), role));
    }
    paint.line(below(words, 1), &what);
    // What seldom differs from roll to roll comes first.
    let mut effects = Line::from(paint.span(format!("{}  ", told.spec.label), Role::Muted));
    if is_struck {
        effects.push_span(paint.span(STRUCK, Role::Warning));
    } else {
        for line in told.effects(paint) {
            effects.extend(line.spans);
            effects.push_span("  ");
        }
    }
    paint.line(below(words, 2), &effects);
}
